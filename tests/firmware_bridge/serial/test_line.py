"""Nodes on real pseudo-terminals: lost, renamed, reset, swapped, flooded, on the bridge's own threads."""

import fcntl
import os
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import pytest

from firmware_bridge.serial import line as line_module
from firmware_bridge.serial.claims import Claims
from firmware_bridge.serial.line import HELLO_WITHIN_S, Lines, SerialLine
from firmware_bridge.serial.places import Places
from firmware_bridge.serial.session import OFFLINE_AFTER_S
from hardware.firmware.frames import encode
from hardware.simulated.cable import Cable, Faults
from hardware.simulated.serial_node import SerialNode
from tests.support.bus import wait_until
from tests.support.nodes import MovedClock, Notes, alive, fact

KINDNESS = "04A3C6CAE26180"
COURAGE = "04A3C611223344"
SLOT, SPIRIT = SPACES = ("slot/valley.1", "spirit/valley")


class Table:
    """A machine with cables, and lines that look for the nodes of a table file on it."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self.stack = stack
        self.clock = MovedClock()
        self.devices: list[str] = []
        self.notes: dict[str, Notes] = {}
        self.lines: dict[str, SerialLine] = {}
        self.claims = Claims([])
        self.shared: Lines

    def node(self, name: str, *spaces: str, **more: Any) -> SerialNode:
        node = SerialNode(Cable(Random(1)), name, spaces or SPACES, **more)  # noqa: S311
        self.stack.enter_context(alive(node))
        return node

    def by_id(self, name: str) -> Path:
        return self.folder / f"usb-{name}"

    def plug(self, node: SerialNode, *links: str) -> str:
        device = node.cable.plug([self.by_id(link) for link in links])
        self.devices.append(device)
        return device

    def look_for(self, ports: Mapping[str, str]) -> None:
        self.claims = Claims(list(ports))
        self.shared = Lines(Places(ports, self._there), self.claims, clock=self.clock)
        for name in ports:
            self.notes[name] = Notes()
            self.lines[name] = SerialLine(name, self.notes[name], self.shared)
        for line in self.lines.values():
            line.start()
            self.stack.callback(line.close)
        self.shared.start()
        self.stack.callback(self.shared.close)

    def advance(self, seconds: float) -> None:
        self.clock.added_s += seconds
        self.shared.tick()

    def sees(self, name: str, *tags: str, state: str = "ok") -> Callable[[], bool]:
        return lambda: self.notes[name].facts.get(SLOT) == fact(*tags, state=state)

    def online(self, name: str) -> Callable[[], bool]:
        return lambda: self.notes[name].online and self.lines[name].problem is None

    def problem(self, name: str, *parts: str) -> Callable[[], bool]:
        return lambda: all(part in (self.lines[name].problem or "") for part in parts)

    def _there(self) -> list[str]:
        return [device for device in self.devices if os.path.exists(device)]  # noqa: PTH110


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with ExitStack() as stack:
        yield Table(tmp_path, stack)


@pytest.fixture
def realm(table: Table) -> SerialNode:
    """A node that is online by its by-id link."""
    node = table.node("realm")
    table.plug(node, "realm")
    table.look_for({"realm": str(table.by_id("realm"))})
    wait_until(table.online("realm"), "online")
    return node


def test_a_node_is_heard_and_its_lights_are_shown(table: Table, realm: SerialNode) -> None:
    realm.lay(SLOT, KINDNESS)
    wait_until(table.sees("realm", KINDNESS), "placed")
    realm.lay(SLOT)
    wait_until(table.sees("realm"), "removed")
    table.lines["realm"].show({SLOT: "green"})
    wait_until(lambda: realm.lights == {SLOT: "green", SPIRIT: "off"}, "the lights")


def test_a_change_is_there_within_a_tenth_of_a_second(table: Table, realm: SerialNode) -> None:
    """A removal takes 300 ms on the node and may take 500 in all."""
    took_s = []
    for tags in ((KINDNESS,), ()) * 5:
        begin_s = time.monotonic()
        realm.lay(SLOT, *tags)
        wait_until(table.sees("realm", *tags), "the change")
        took_s.append(time.monotonic() - begin_s)
    assert median(took_s) < 0.1


def test_a_plug_that_is_pulled_and_put_back_within_three_seconds_changes_nothing_but_what_was_moved(
    table: Table, realm: SerialNode
) -> None:
    """F-54: it comes back under another name, with the same by-id link."""
    realm.lay(SLOT, KINDNESS)
    wait_until(table.sees("realm", KINDNESS), "placed")
    table.lines["realm"].show({SLOT: "amber"})
    wait_until(lambda: realm.lights.get(SLOT) == "amber", "the lights")
    realm.cable.unplug()
    wait_until(table.problem("realm", "is lost"), "the loss is said")
    realm.lay(SLOT, COURAGE)
    realm.start(time.monotonic())
    table.plug(realm, "realm")
    wait_until(table.sees("realm", COURAGE), "what was moved")
    wait_until(lambda: realm.lights.get(SLOT) == "amber", "the lights again")
    assert all(f.state == "ok" for _, f in table.notes["realm"].said)
    assert len(table.notes["realm"].met) == 1


def test_a_node_that_is_pulled_is_offline_after_three_seconds_and_whole_when_it_is_back(
    table: Table, realm: SerialNode, caplog: pytest.LogCaptureFixture
) -> None:
    """F-51, F-65."""
    realm.lay(SLOT, KINDNESS)
    wait_until(table.sees("realm", KINDNESS), "placed")
    realm.cable.unplug()
    wait_until(table.problem("realm", "usb-realm"), "the loss is said")
    table.advance(OFFLINE_AFTER_S)
    assert not table.notes["realm"].online
    assert table.notes["realm"].facts[SLOT] == fact(KINDNESS, state="fault"), "never an empty space"
    table.plug(realm, "realm")
    wait_until(table.online("realm"), "online")
    wait_until(table.sees("realm", KINDNESS), "the same card")
    assert caplog.text.count("usb-realm is lost") == 1


def test_a_node_that_hangs_is_offline_and_heard_again_without_a_new_port(
    table: Table, realm: SerialNode
) -> None:
    realm.is_mute = True
    wait_until(lambda: not realm.cable._on_the_way, "it says no more")
    table.advance(OFFLINE_AFTER_S)
    wait_until(table.problem("realm", "nothing understood for three seconds"), "said")
    assert not table.notes["realm"].online
    opens = realm.cable.opens
    realm.is_mute = False
    wait_until(table.online("realm"), "online")
    assert realm.cable.opens == opens


def test_a_node_is_found_by_its_name_where_the_port_of_the_table_file_is_not_there(table: Table) -> None:
    """F-54: ttyUSB0 is ttyUSB1 now."""
    node = table.node("realm")
    table.plug(node)
    table.look_for({"realm": "/dev/ttyUSB-gone"})
    wait_until(table.online("realm"), "online")


def test_a_device_that_is_no_node_is_asked_and_left_for_another(table: Table) -> None:
    printer, node = table.node("none"), table.node("realm")
    printer.is_mute = True
    table.plug(printer)
    table.look_for({"realm": "/dev/ttyUSB-gone"})
    wait_until(lambda: printer.cable.opens > 0, "asked")
    table.plug(node)
    table.advance(HELLO_WITHIN_S)
    wait_until(table.online("realm"), "online")
    wait_until(lambda: not printer.cable.look(), "let go of")


def test_two_boards_behind_one_link_are_both_found(table: Table) -> None:
    """F-55: two CH340 without a serial number; the link leads to the one that came last."""
    first, second = table.node("realm", "pad/1"), table.node("other", "pad/2")
    table.plug(first, "same")
    second_device = table.plug(second)
    table.by_id("same").unlink()
    table.by_id("same").symlink_to(second_device)
    table.look_for({"realm": str(table.by_id("same")), "other": second_device})
    wait_until(table.online("other"), "the one that the link leads to")
    wait_until(table.online("realm"), "the one that it hides")


def test_swapped_cables_are_found_out(table: Table) -> None:
    a, b = table.node("a", "pad/1"), table.node("b", "pad/2")
    ports = {"a": table.plug(b), "b": table.plug(a)}
    table.look_for(ports)
    wait_until(lambda: table.online("a")() and table.online("b")(), "both online")


def test_two_nodes_with_one_name_are_both_named_and_the_second_is_refused(table: Table) -> None:
    """F-55."""
    a, b = table.node("realm", "pad/1"), table.node("realm", "pad/2")
    first = table.plug(a)
    table.look_for({"realm": first, "other": "/dev/ttyUSB-gone"})
    wait_until(table.online("realm"), "the first one")
    second = table.plug(b)
    wait_until(
        table.problem(
            "other", f'two nodes say that they are "realm": {first} is served, {second} is refused'
        ),
        "both named",
    )
    assert table.notes["realm"].online
    assert table.notes["other"].met == []


def test_two_nodes_with_one_space_are_both_named_and_the_second_is_served_when_the_first_is_gone(
    table: Table,
) -> None:
    a, b = table.node("a", "pad/1"), table.node("b", "pad/2", "pad/1")
    table.look_for({"a": str(table.by_id("a")), "b": str(table.by_id("b"))})
    table.plug(a, "a")
    wait_until(table.online("a"), "the first one")
    table.plug(b, "b")
    wait_until(table.problem("b", "two nodes have pad/1", '"a"', '"b"', "is refused"), "both named")
    assert table.notes["a"].online
    assert table.notes["b"].met == []
    a.cable.unplug()
    wait_until(lambda: table.lines["a"].problem is not None, "gone")
    table.advance(5)
    wait_until(table.online("b"), "the second one")
    assert table.notes["a"].released == ["pad/1"]


def test_a_node_that_speaks_another_version_is_refused_by_name_and_the_versions_are_said(
    table: Table,
) -> None:
    table.node("realm")
    node = table.node("realm", protocol=2)
    table.look_for({"realm": table.plug(node)})
    wait_until(
        table.problem("realm", 'node "realm" speaks version 2 of the protocol, this bridge speaks 1'), "said"
    )
    assert not table.notes["realm"].online


def test_a_node_that_the_table_file_does_not_know_is_named(table: Table) -> None:
    node = table.node("stranger")
    device = table.plug(node)
    table.look_for({"realm": device})
    wait_until(
        table.problem("realm", f'node "stranger" is at {device}, where "realm" was looked for'), "named"
    )


def test_a_node_of_somebody_else_with_another_version_is_asked_and_left(table: Table) -> None:
    foreign, node = table.node("theirs", protocol=2), table.node("realm")
    table.plug(foreign)
    table.look_for({"realm": str(table.by_id("realm"))})
    wait_until(table.problem("realm", 'node "theirs" speaks version 2'), "asked")
    wait_until(lambda: not foreign.cable.look(), "let go of")
    table.plug(node, "realm")
    wait_until(table.online("realm"), "online")


def test_a_hello_without_a_name_does_not_cost_the_port(table: Table, realm: SerialNode) -> None:
    opens = realm.cable.opens
    realm.cable.send(encode("H", 9, {"x": 1}), 0.0)
    wait_until(lambda: not table.notes["realm"].online, "refused")
    wait_until(table.online("realm"), "asked again and online", deadline_s=2)
    assert realm.cable.opens == opens


def test_a_node_that_resets_when_its_port_opens_is_waited_for(table: Table) -> None:
    node = table.node("realm", resets_on_open=True, start_s=1.2)
    table.look_for({"realm": table.plug(node)})
    wait_until(lambda: node.starts == 2, "it resets")
    wait_until(table.online("realm"), "online")
    assert node.starts == 2, "opened once, not again and again"


def test_a_port_that_another_program_holds_is_met_when_it_is_free(table: Table) -> None:
    """F-61, F-62."""
    node = table.node("realm")
    device = table.plug(node)
    holder = os.open(device, os.O_RDWR | os.O_NOCTTY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    table.look_for({"realm": device})
    wait_until(table.problem("realm", f"{device} is in use: stop the other program"), "said")
    os.write(holder, b"AT\r\n")
    os.close(holder)
    wait_until(table.online("realm"), "online")


def test_a_line_full_of_faults_gives_no_wrong_tag_and_the_right_one_when_it_is_clean(
    table: Table, realm: SerialNode
) -> None:
    """F-57, F-58: pieces, noise, lost and changed bytes."""
    realm.cable.faults = Faults(split_bytes=7, drop=0.01, flip=0.01, noise=0.1)
    for tag in (KINDNESS, COURAGE) * 40:
        realm.lay(SLOT, tag)
        mark = realm._say_at_s
        wait_until(lambda: realm._say_at_s > mark, "said")  # noqa: B023
    realm.cable.faults = Faults()
    realm.lay(SLOT, KINDNESS)
    wait_until(table.sees("realm", KINDNESS), "right again", deadline_s=2)
    seen = {uids for space, f in table.notes["realm"].said if space == SLOT for uids in [f.uids]}
    assert seen <= {fact().uids, fact(KINDNESS).uids, fact(COURAGE).uids}
    assert table.lines["realm"].session.counts.total() > 100


def test_a_flood_is_reported_and_the_newest_state_wins(
    table: Table, realm: SerialNode, caplog: pytest.LogCaptureFixture
) -> None:
    """F-59."""
    with table.shared.lock:  # this machine is busy with something else
        for i in range(200):
            realm.lay(SLOT, KINDNESS if i % 2 else COURAGE)
            wait_until(lambda: realm._say_at_s > 0, "said")
    realm.lay(SLOT)
    wait_until(table.sees("realm"), "the newest", deadline_s=2)
    assert len(table.notes["realm"].said) < 100
    wait_until(lambda: "bytes were waiting" in caplog.text, "reported")


def test_a_node_across_the_network_is_a_node(table: Table) -> None:
    node = table.node("realm")
    with socket.create_server(("127.0.0.1", 0)) as server:
        table.look_for({"realm": f"socket://127.0.0.1:{server.getsockname()[1]}"})
        peer, _ = server.accept()
        with peer:
            assert peer.recv(100).startswith(b"Q 1 {} *"), "it is asked"
            peer.sendall(_as_bytes(node, "H"))
            peer.sendall(_as_bytes(node, "S"))
            wait_until(table.online("realm"), "online")
        wait_until(table.problem("realm", "is lost"), "lost")
        again, _ = server.accept()
        again.close()


def test_a_node_that_never_says_what_lies_there_is_offline_and_named(table: Table) -> None:
    node = table.node("realm")
    node.lay(SLOT, "04A3C6")
    table.look_for({"realm": table.plug(node)})
    wait_until(lambda: table.lines["realm"].session.counts["unusable states"] > 0, "heard")
    table.advance(HELLO_WITHIN_S)
    wait_until(table.problem("realm", "says who it is, but nothing usable of what lies there"), "named")
    assert not table.notes["realm"].online


def test_a_loop_has_no_node(table: Table) -> None:
    table.look_for({"realm": "loop://"})
    line = table.lines["realm"]
    wait_until(lambda: line.session.counts["not for the bridge"] > 0, "hears itself")
    table.advance(HELLO_WITHIN_S)
    wait_until(table.problem("realm", "loop://: no node answers"), "said")


def test_a_supply_that_is_too_low_is_named_with_the_loss(
    table: Table, realm: SerialNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-67."""
    monkeypatch.setattr(line_module, "supply_warning", lambda: "this Raspberry Pi reports under-voltage")
    realm.cable.unplug()
    wait_until(table.problem("realm", "is lost", "this Raspberry Pi reports under-voltage"), "both said")


def test_a_missing_node_costs_next_to_nothing(table: Table) -> None:
    """No busy loop."""
    table.look_for({f"n{i}": f"/dev/ttyUSB-none-{i}" for i in range(5)})
    wait_until(lambda: all(line.problem for line in table.lines.values()), "looked for")
    before_s = os.times()
    wait_until(lambda: os.times().elapsed - before_s.elapsed > 1.5, "a while", deadline_s=3)
    after_s = os.times()
    assert after_s.user + after_s.system - before_s.user - before_s.system < 0.5


def _as_bytes(node: SerialNode, verb: str) -> bytes:
    """What a node would say."""
    said: list[bytes] = []
    node.cable.send = lambda data, _now_s: said.append(data)  # type: ignore[method-assign, assignment]
    if verb == "H":
        node._say_hello(0)
    else:
        node._say("S", dict(node._states), 0)
    return said[0]
