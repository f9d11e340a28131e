"""What tags say themselves: read once they lie, told beside the tags, written when a command asks for it."""

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.bus.broker import EmbeddedBroker
from firmware_bridge.bridge import Bridge
from firmware_bridge.contract.errors import MessageError
from firmware_bridge.contract.messages import SimField, SpaceMessage
from firmware_bridge.contract.table_file import load_table
from firmware_bridge.contract.topics import Topics
from firmware_bridge.contract.writing import WriteCommand, Written
from firmware_bridge.presence.debounce import Fact
from firmware_bridge.publisher import Login
from firmware_bridge.scanner import Scanner
from firmware_bridge.texts import TRIES, TagTexts
from firmware_bridge.writing import NO_WRITER, Writing
from hardware.rfid.type2 import TagText
from hardware.simulated import virtual_node
from hardware.simulated.field import RandomDisturbance
from tests.support.bus import Ear, ear, wait_until

SPACE, OTHER = "slot/valley.1", "pad/1"
UID, SECOND = "04A3C6CAE26180", "04AABBCCDDEE80"
TEXT = "companion:emotion/bliss/kindness/1"


class Bench:
    """Two simulated readers, their scanner, and what is told of them; time stands still between sweeps."""

    def __init__(self) -> None:
        self.node = virtual_node((SPACE, OTHER))
        self.told: list[tuple[str, dict[str, str]]] = []
        self.texts = TagTexts(self.node.readers, self._tell)
        self.now_s = 0.0
        self.scanner = Scanner(
            list(self.node.readers.values()),
            self.node.sweep,
            [],
            clock=lambda: self.now_s,
            texts=self.texts,
        )

    def _tell(self, space: str, texts: Mapping[bytes, str]) -> None:
        self.told.append((space, {uid.hex().upper(): text for uid, text in texts.items()}))

    def sweep(self, times: int = 1) -> None:
        for _ in range(times):
            self.now_s += 0.1
            self.scanner.sweep_once()

    def write(self, uid: str, text: str = TEXT) -> Written:
        return self.texts.write(WriteCommand("1", uid, text))


def test_a_tag_is_read_once_each_time_it_is_laid() -> None:
    bench = Bench()
    bench.node.fields[SPACE].lay([UID])
    bench.sweep(3)
    assert bench.write(UID) == Written("1", UID, TEXT)
    bench.told.clear()
    bench.node.fields[SPACE].lay([])
    bench.sweep(10)
    bench.node.fields[OTHER].lay([UID])
    bench.sweep(10)
    assert bench.told == [(OTHER, {UID: TEXT})]


def test_one_tag_is_read_between_two_sweeps_so_that_none_is_kept_waiting() -> None:
    bench = Bench()
    bench.node.fields[SPACE].lay([UID])
    bench.sweep(3)
    bench.write(UID)
    bench.node.fields[SPACE].lay([])
    bench.sweep(10)
    bench.told.clear()
    bench.node.fields[OTHER].lay([SECOND])
    bench.node.fields[SPACE].lay([UID])
    bench.sweep()
    polls = bench.node.readers[SPACE].health().polls
    bench.sweep(2)
    assert bench.node.readers[SPACE].health().polls == polls + 2
    assert bench.told == [(SPACE, {UID: TEXT})]


@pytest.mark.parametrize(("sure", "tries"), [(True, 1), (False, TRIES)])
def test_a_tag_without_a_text_is_believed_and_a_disturbed_one_tried_a_few_times(
    *, sure: bool, tries: int
) -> None:
    read: list[bytes] = []

    class Mute:
        def read_text(self, uid: bytes) -> TagText:
            read.append(uid)
            return TagText(None, "no NDEF message", sure=sure)

        def write_text(self, uid: bytes, text: str) -> TagText:
            raise NotImplementedError

    texts = TagTexts({SPACE: Mute()}, lambda _space, _texts: pytest.fail("it said nothing"))
    texts.lie(SPACE, [b"\x04"])
    for _ in range(10):
        texts.read_next()
    assert len(read) == tries
    texts.lie(SPACE, [])
    texts.lie(SPACE, [b"\x04"])
    texts.lie(SPACE, [])
    texts.read_next()
    assert len(read) == tries  # lifted before its turn came


def test_one_frame_in_twenty_disturbed_does_not_keep_a_tag_from_being_understood() -> None:
    bench = Bench()
    bench.node.fields[SPACE].lay([UID])
    bench.sweep(2)
    bench.write(UID)
    understood = 0
    for seed in range(20):
        bench.node.fields[SPACE].lay([])
        bench.sweep(10)
        bench.told.clear()
        bench.node.fields[SPACE].disturbance = RandomDisturbance(0.05, random.Random(seed))  # noqa: S311
        bench.node.fields[SPACE].lay([UID])
        bench.sweep(12)
        bench.node.fields[SPACE].disturbance = None
        understood += bench.told[-1:] == [(SPACE, {UID: TEXT})]
    assert understood == 20


def test_a_tag_is_written_where_it_was_laid_last_though_it_is_not_gone_elsewhere_yet() -> None:
    bench = Bench()
    bench.node.fields[SPACE].lay([UID])
    bench.sweep(3)
    bench.node.fields[SPACE].lay([])
    bench.node.fields[OTHER].lay([UID])
    bench.sweep()
    assert bench.write(UID) == Written("1", UID, TEXT)
    bench.node.fields[OTHER].lay([])
    bench.sweep(10)
    assert bench.write(UID).text is None


def test_a_tag_that_lies_nowhere_here_is_not_written() -> None:
    bench = Bench()
    bench.sweep()
    assert bench.write(UID).reason == "it does not lie on a reader of this node"


def test_a_driver_that_fails_in_the_middle_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    bench = Bench()

    def fail() -> None:
        raise RuntimeError("gone")

    bench.scanner.ask(fail)
    bench.node.fields[SPACE].lay([UID])
    bench.sweep(3)
    assert bench.scanner.facts[SPACE] == Fact((bytes.fromhex(UID),), "ok")
    assert "a tag can't be read or written: gone" in caplog.text


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"[]",
        b"\xff",
        b'{"id": "1", "tag": "04A3C6CAE26180"}',
        b'{"id": "1", "tag": "04A3C6CAE26180", "text": "https://example.org"}',
        b'{"id": "1", "tag": "04a3", "text": "companion:x"}',
        b'{"id": "", "tag": "04A3C6CAE26180", "text": "companion:x"}',
        b'{"id": 1, "tag": "04A3C6CAE26180", "text": "companion:x"}',
        b'{"id": "1", "tag": "04A3C6CAE26180", "text": "companion:a\\nb"}',
        b"x" * 5000,
    ],
)
def test_what_is_no_command_writes_nothing(payload: bytes) -> None:
    with pytest.raises(MessageError):
        WriteCommand.from_json(payload)
    Writing("topic", lambda _written: pytest.fail("answered"), None).arrived("topic", payload, False)


def test_commands_and_answers_read_back_the_same() -> None:
    command = WriteCommand("a", UID, TEXT)
    assert WriteCommand.from_json(command.to_json()) == command
    for written in (Written("a", UID, TEXT), Written("a", UID, None, "locked")):
        assert Written.from_json(written.to_json()) == written


def test_a_node_that_cannot_write_says_so_and_a_command_that_was_kept_is_not_obeyed() -> None:
    answers: list[Written] = []
    writing = Writing("topic", answers.append, None)
    payload = WriteCommand("a", UID, TEXT).to_json()
    writing.arrived("topic", payload, True)
    assert answers == []
    writing.arrived("topic", payload, False)
    assert answers == [Written("a", UID, None, NO_WRITER)]


# The whole bridge

TABLE = """\
table = "home"
profile = "virtual"
[[node]]
name = "virtual"
kind = "virtual"
"""


@contextmanager
def table_on_air(folder: Path) -> Iterator[Ear]:
    (folder / "table.toml").write_text(TABLE, encoding="utf-8")
    topics = Topics("home")
    with EmbeddedBroker("home") as broker:
        bridge = Bridge(
            load_table(folder / "table.toml"), Login(broker.url, "bridge", broker.password("bridge"))
        )
        bridge.start()
        try:
            with ear(broker, "app", "test", (topics.all_spaces, topics.all_written)) as app:
                wait_until(lambda: bridge.wait_connected(0.1), "the bridge connects")
                yield app
        finally:
            bridge.close()


def test_a_tag_that_was_written_over_the_bus_says_its_name_wherever_it_is_laid(tmp_path: Path) -> None:
    topics = Topics("home")
    with table_on_air(tmp_path) as app:

        def says(space: str) -> SpaceMessage | None:
            payload = app.state.get(topics.space(space))
            return None if payload is None else SpaceMessage.from_json(payload)

        def lay(space: str, *tags: str) -> None:
            app.publish(topics.sim_field(space), SimField(tags).to_json(), retain=True)
            wait_until(lambda: (now := says(space)) is not None and now.tags == tags, f"{tags} on {space}")

        lay(SPACE, UID)
        app.publish(topics.write("virtual"), WriteCommand("w", UID, TEXT).to_json())
        app.wait_for(topics.written("virtual"), Written("w", UID, TEXT).to_json())
        wait_until(lambda: (now := says(SPACE)) is not None and now.texts == {UID: TEXT}, "its text is told")
        lay(SPACE)
        lay(OTHER, UID)
        wait_until(lambda: (now := says(OTHER)) is not None and now.texts == {UID: TEXT}, "it is read again")
        app.publish(topics.write("virtual"), WriteCommand("x", SECOND, TEXT).to_json())
        nowhere = Written("x", SECOND, None, "it does not lie on a reader of this node")
        app.wait_for(topics.written("virtual"), nowhere.to_json())
