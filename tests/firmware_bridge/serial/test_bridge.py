"""Nodes on cables, the bridge as a process of its own, and what stands on the bus."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.bus.broker import EmbeddedBroker
from firmware_bridge.contract.messages import Lights, NodeMessage, SpaceMessage
from firmware_bridge.contract.topics import Topics
from hardware.simulated.cable import Cable
from hardware.simulated.serial_node import SerialNode
from tests.firmware_bridge.test_command import run, running
from tests.support.bus import Ear, ear, wait_until
from tests.support.nodes import alive

TOPICS = Topics("home")
REALM = TOPICS.node("realm")
SLOT, SPIRIT = SPACES = ("slot/valley.1", "spirit/valley")
KINDNESS = "04A3C6CAE26180"
COURAGE = "04A3C611223344"


@pytest.fixture
def broker() -> Iterator[EmbeddedBroker]:
    with EmbeddedBroker("home") as found:
        yield found


@pytest.fixture
def app(broker: EmbeddedBroker) -> Iterator[Ear]:
    with ear(broker, "app", "app", [TOPICS.all_spaces, TOPICS.all_nodes]) as listener:
        yield listener


@pytest.fixture
def node() -> Iterator[SerialNode]:
    found = SerialNode(Cable(), "realm", SPACES, firmware="1.2.3")
    with alive(found):
        yield found


def table_file(folder: Path, *ports: str, virtual: bool = False) -> str:
    text = 'table = "home"\n'
    for name, port in zip(("realm", "other"), ports, strict=False):
        text += f'[[node]]\nname = "{name}"\nkind = "serial"\nport = "{port}"\n'
    if virtual:
        text += '[[node]]\nname = "virtual"\nkind = "virtual"\n'
    path = folder / "table.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def on(app: Ear, space: str) -> tuple[tuple[str, ...], str, str] | None:
    payload = app.state.get(TOPICS.space(space))
    message = SpaceMessage.from_json(payload) if payload else None
    return (message.tags, message.state, message.node) if message else None


def said(app: Ear, topic: str = REALM) -> NodeMessage | None:
    return NodeMessage.from_json(app.state[topic]) if topic in app.state else None


def is_said(app: Ear, state: str, topic: str = REALM) -> bool:
    message = said(app, topic)
    return message is not None and message.state == state


def test_a_node_is_on_the_bus_with_its_firmware_readers_and_lights(
    tmp_path: Path, broker: EmbeddedBroker, app: Ear, node: SerialNode
) -> None:
    node.lay(SLOT, KINDNESS)
    node.lay(SPIRIT, COURAGE, state="fault")
    table = table_file(tmp_path, node.cable.plug())
    app.publish(TOPICS.lights("realm"), Lights({SLOT: "red"}).to_json(), retain=True)
    with running(tmp_path / "log", "--table", table, "--broker", broker.url_for("bridge")):
        wait_until(lambda: is_said(app, "online"), "online")
        message = said(app)
        assert message is not None
        assert message.firmware == "1.2.3"
        assert message.readers == {SLOT: "ok", SPIRIT: "silent"}
        assert on(app, SLOT) == ((KINDNESS,), "ok", "realm")
        assert on(app, SPIRIT) == ((COURAGE,), "fault", "realm")
        wait_until(lambda: node.lights == {SLOT: "red", SPIRIT: "off"}, "the lights that were retained")
        app.publish(TOPICS.lights("realm"), b"[]", retain=True)
        app.publish(TOPICS.lights("realm"), b"[]", retain=True)
        app.publish(TOPICS.lights("realm"), b"", retain=True)
        wait_until(lambda: node.lights == {SLOT: "off", SPIRIT: "off"}, "all off")
    log = (tmp_path / "log").read_text()
    assert log.count("node/realm/lights: must be a JSON object, is a list; dropped") == 1
    assert 'node "realm" is online' in log


def test_a_pulled_node_is_fault_with_its_last_tags_and_heals(
    tmp_path: Path, broker: EmbeddedBroker, app: Ear, node: SerialNode
) -> None:
    """F-51, F-65: real time, real pseudo-terminal, real broker."""
    link = tmp_path / "usb-node"
    node.lay(SLOT, KINDNESS)
    node.cable.plug([link])
    table = table_file(tmp_path, str(link), virtual=True)
    with running(tmp_path / "log", "--table", table, "--broker", broker.url_for("bridge")):
        wait_until(lambda: is_said(app, "online"), "online")
        node.cable.unplug()
        wait_until(lambda: is_said(app, "offline"), "offline")
        assert on(app, SLOT) == ((KINDNESS,), "fault", "realm")
        message = said(app)
        assert message is not None
        assert message.readers == dict.fromkeys(SPACES, "silent")
        assert is_said(app, "online", TOPICS.node("virtual")), "the others go on"
        node.lay(SLOT, COURAGE)
        node.cable.plug([link])
        wait_until(lambda: is_said(app, "online"), "online again")
        assert on(app, SLOT) == ((COURAGE,), "ok", "realm")


def test_a_real_node_takes_its_spaces_from_the_simulated_readers(
    tmp_path: Path, broker: EmbeddedBroker, app: Ear, node: SerialNode
) -> None:
    link = tmp_path / "usb-node"
    table = table_file(tmp_path, str(link), virtual=True)
    virtual = TOPICS.node("virtual")
    with running(tmp_path / "log", "--table", table, "--broker", broker.url_for("bridge")):
        wait_until(lambda: is_said(app, "online", virtual), "the simulated ones")
        assert on(app, SLOT) == ((), "ok", "virtual")
        node.cable.plug([link])
        wait_until(lambda: is_said(app, "online"), "the real one")
        app.publish(TOPICS.sim_field(SLOT), b'{"tags": ["04A3C6CAE26180"]}')
        app.publish(TOPICS.sim_field("pad/1"), b'{"tags": ["04A3C6CAE26180"]}')
        wait_until(lambda: on(app, "pad/1") == ((KINDNESS,), "ok", "virtual"), "still simulated")
        assert on(app, SLOT) == ((), "ok", "realm")
        wait_until(lambda: SLOT not in getattr(said(app, virtual), "readers", {SLOT: ""}), "given up")
        assert is_said(app, "online", virtual)


def test_once_waits_for_a_node_and_prints_its_spaces(
    tmp_path: Path, broker: EmbeddedBroker, node: SerialNode
) -> None:
    node.lay(SLOT, KINDNESS)
    table = table_file(tmp_path, node.cable.plug())
    done = run("--table", table, "--broker", broker.url_for("bridge"), "--once")
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split() for line in done.stdout.splitlines()] == [
        [SLOT, "ok", KINDNESS],
        [SPIRIT, "ok", "-"],
    ]
    done = run("--table", table, "--broker", broker.url_for("bridge"), "--once", "--json")
    entries = [json.loads(line) for line in done.stdout.splitlines()]
    assert [entry["space"] for entry in entries] == list(SPACES)
    assert entries[0]["tags"] == [KINDNESS]
    assert entries[0]["health"]["state"] == "ok"


def test_once_names_a_node_that_is_not_there_or_not_well_once(
    tmp_path: Path, broker: EmbeddedBroker, node: SerialNode
) -> None:
    for space in SPACES:
        node.lay(space, state="fault")
    table = table_file(tmp_path, node.cable.plug(), "/dev/ttyUSB-none")
    done = run("--table", table, "--broker", broker.url_for("bridge"), "--once")
    assert done.returncode == 1
    assert done.stderr == (
        'firmware-bridge: node "realm" has no reader that answers:'
        " the node says so; look at its reader's wiring\n"
        'firmware-bridge: node "other" is offline: /dev/ttyUSB-none is not there:'
        " plug the node in, or correct `port`\n"
    )
    assert done.stdout == ""
