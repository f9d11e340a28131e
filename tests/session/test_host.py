"""The host's thread: everything goes through one queue, at once, and no fault stops it."""

import json
import logging
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import content
from companion.scenario.notation import position_from
from companion.session.host import Host
from companion.session.journal import Journal
from companion.session.session import Session
from companion.session.tags import Tags
from companion.table.patience import Patience
from companion.table.pieces import Piece
from companion.table.registry import Registry, virtual_registry
from firmware_bridge.contract.messages import SpaceMessage
from tests.session.desk import BENEVOLENCE, CARDS, KINDNESS, TOPICS, UIDS
from tests.support.bus import wait_until

DEADLINE_S = 10.0


class Echo:
    """A broker in memory: what is published comes back as the bridge and the broker would send it."""

    def __init__(self) -> None:
        self.host: Host | None = None
        self.changed = threading.Condition()
        self.said: list[tuple[str, dict[str, Any]]] = []
        self.fail = False

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        if self.fail:
            self.fail = False
            raise RuntimeError("a fault in a callback")
        with self.changed:
            self.said.append((topic, json.loads(payload)))
            self.changed.notify_all()
        kind, space = TOPICS.parse(topic) or ("", "")
        if kind == "sim_field" and self.host is not None:
            assert retain
            self.lies(space, *json.loads(payload)["tags"])

    def lies(self, space: str, *pieces: str) -> None:
        assert self.host is not None
        tags = tuple(sorted(UIDS.get(piece, piece) for piece in pieces))
        self.host.on_message(TOPICS.space(space), SpaceMessage(tags, "ok", "virtual", 1).to_json(), False)

    def wait_for(self, topic: str, **wanted: Any) -> dict[str, Any]:
        """Wait for a payload on a topic with these values; returns it."""

        def found() -> dict[str, Any] | None:
            for said, payload in self.said:
                if said == topic and wanted.items() <= payload.items():
                    return payload
            return None

        with self.changed:
            assert self.changed.wait_for(found, DEADLINE_S), (topic, wanted, self.said[-3:])
            return found() or {}


@pytest.fixture
def bus() -> Echo:
    return Echo()


@pytest.fixture
def host(tmp_path: Path, bus: Echo) -> Iterator[Host]:
    journal = Journal(tmp_path)
    start = content.starts()["empower-example"].data
    session = Session(journal, CARDS, lambda: position_from(start, CARDS), now_ms=1)
    host = Host(session, CARDS, Tags(tmp_path, virtual_registry()), TOPICS, bus, virtual=True)
    bus.host = host
    host.start()
    host.on_link(True)
    yield host
    host.stop()
    journal.close()


def test_the_empower_page_plays_over_the_queue_and_timers(host: Host, bus: Echo) -> None:
    bus.wait_for(TOPICS.game_state, seq=1)
    bus.wait_for(TOPICS.sim_field("spirit/valley"))
    bus.wait_for(TOPICS.sim_field("pad/4"))
    bus.lies("slot/valley.1")
    bus.lies("slot/valley.1", BENEVOLENCE)
    assert bus.wait_for(TOPICS.game_event)["cost"] == {"willpower": 3}
    bus.wait_for(TOPICS.game_state, seq=2, table_ok=True)

    # A figure has to rest: nothing but the host's own timer makes this come.
    bus.lies("spirit/valley")
    bus.lies("spirit/valley-cradle", "spirit/harmony")
    bus.wait_for(TOPICS.game_state, seq=3)

    host.command("screen", {"id": 1, "undo": 2})
    assert bus.wait_for(TOPICS.reply("screen"))["verdict"] == "legal"
    state = bus.wait_for(TOPICS.game_state, seq=4, table_ok=False)
    assert len(state["problems"]) == 3
    bus.lies("slot/valley.1", KINDNESS)
    bus.lies("spirit/valley-cradle")
    bus.lies("spirit/valley", "spirit/harmony")
    bus.wait_for(TOPICS.game_state, seq=4, table_ok=True)


def test_a_screen_in_the_same_process_may_look_at_any_time(host: Host, bus: Echo) -> None:
    assert host.view().seq == 1
    host.command("screen", {"id": 1, "do": {"action": "move", "to": "valley-cradle"}})
    bus.wait_for(TOPICS.reply("screen"), id=1)
    deadline_s = time.monotonic() + DEADLINE_S
    while host.view().seq != 2:
        assert time.monotonic() < deadline_s
    view = host.view()
    assert view.position.actor.at == "valley-cradle"
    assert view.history[-1].seq == 2
    assert [option.do["action"] for option in host.options("valley")] == ["valley", "move"]


def test_a_fault_in_one_message_does_not_silence_the_table(
    host: Host, bus: Echo, caplog: pytest.LogCaptureFixture
) -> None:
    bus.wait_for(TOPICS.sim_field("pad/4"))
    with caplog.at_level(logging.CRITICAL, "companion.session.host"):
        bus.fail = True
        host.command("screen", {"id": 1, "undo": 1})
        host.command("screen", {"id": 2, "do": {"action": "move", "to": "valley-cradle"}})
        assert bus.wait_for(TOPICS.reply("screen"), id=2)["verdict"] == "legal"


class Broken(Registry):
    """A registry with a fault in it."""

    def content(self, tags: tuple[str, ...]) -> tuple[Piece, ...]:
        raise RuntimeError(f"a fault that stays: {tags}")


def test_a_fault_that_stays_fills_no_log_and_commands_are_still_answered(
    tmp_path: Path, bus: Echo, caplog: pytest.LogCaptureFixture
) -> None:
    journal = Journal(tmp_path)
    start = content.starts()["empower-example"].data
    session = Session(journal, CARDS, lambda: position_from(start, CARDS), now_ms=1)
    tags = Tags(tmp_path, virtual_registry())
    host = Host(session, CARDS, tags, TOPICS, bus, patience=Patience(hold_s=0.2, odd_s=0.2))
    bus.host = host
    host.start()
    host.on_link(True)
    with caplog.at_level(logging.ERROR, "companion.session.host"):
        bus.lies("slot/land.2", KINDNESS)
        bus.wait_for(TOPICS.game_state, table_ok=False)
        bus.lies("slot/land.1", KINDNESS)  # will be told after a while: the host sets its timer
        for number in range(5):
            host.command("screen", {"id": number, "do": {"action": "move", "to": "valley-cradle"}, "base": 0})
            bus.wait_for(TOPICS.reply("screen"), id=number)
            tags.registry = Broken()
            wait_until(lambda: bool(caplog.records), "the timer strikes a fault")
        host.stop()
    assert 1 <= len(caplog.records) <= 7
    journal.close()


def test_what_came_in_before_stop_is_still_worked_off(tmp_path: Path, bus: Echo) -> None:
    journal = Journal(tmp_path)
    start = content.starts()["empower-example"].data
    session = Session(journal, CARDS, lambda: position_from(start, CARDS), now_ms=1)
    host = Host(session, CARDS, Tags(tmp_path, virtual_registry()), TOPICS, bus)
    host.start()
    for number in range(20):
        to = ("valley-cradle", "valley")[number % 2]
        host.command("screen", {"id": number, "do": {"action": "move", "to": to}})
        host.command("screen", {"id": f"undo {number}", "undo": 1})
    host.stop()
    host.stop()
    assert len([topic for topic, _ in bus.said if topic == TOPICS.reply("screen")]) == 40
    journal.close()


def test_the_filters_do_not_overlap() -> None:
    assert Host.filters(TOPICS, virtual=False) == (
        "companion/1/home/space/#",
        "companion/1/home/node/+",
        "companion/1/home/command/+",
    )
    assert Host.filters(TOPICS, virtual=True)[-1] == "companion/1/home/sim/field/#"
