"""What a sweep says of readers and nodes, judged."""

from pathlib import Path

import pytest

from companion.doctor.readers import judged
from companion.scan.sweep import Sweep
from firmware_bridge.contract.figures import ReaderFigures
from firmware_bridge.contract.messages import NodeMessage, NodeState, ReaderState, SpaceMessage, SpaceState
from firmware_bridge.contract.topics import Topics
from tests.doctor.made_up import SERIAL, case, machine

TOPICS = Topics("home")
GOOD = ReaderFigures("polls", 100, 0.99, 0.01, 900, 9, 1, 7000, 0x92, 4)
TWO = SERIAL.format("/dev/a") + SERIAL.format("/dev/b").replace("realm", "other")


@pytest.fixture
def sweep() -> Sweep:
    return Sweep(TOPICS, ["realm", "other"])


def say(
    sweep: Sweep,
    figures: ReaderFigures = GOOD,
    *,
    node: str = "realm",
    space: str = "slot/valley.1",
    state: SpaceState = "ok",
    reader: ReaderState = "ok",
    firmware: str = "1.0.0",
    online: NodeState = "online",
    problem: str = "",
    warnings: tuple[str, ...] = (),
) -> None:
    said = NodeMessage(online, firmware, {space: reader}, 1, {space: figures}, problem, warnings)
    sweep.message(TOPICS.node(node), said.to_json())
    sweep.message(TOPICS.space(space), SpaceMessage(("04A3C6CAE26180",), state, node, 1).to_json())


def lines(folder: Path, sweep: Sweep) -> list[str]:
    table = case(machine(folder), TWO).table
    assert table is not None
    return [finding.line() for finding in judged(table, sweep, "a sweep")]


def test_readers_that_read_are_counted_and_the_firmware_is_said(tmp_path: Path, sweep: Sweep) -> None:
    say(sweep)
    say(sweep, node="other", space="slot/valley.2")
    assert lines(tmp_path, sweep) == [
        "ok    nodes     online with firmware realm 1.0.0, other 1.0.0",
        "ok    readers   2 of 2 read well, by a sweep",
    ]


OK: tuple[SpaceState, ReaderState] = ("ok", "ok")
DEAD: tuple[SpaceState, ReaderState] = ("fault", "silent")


@pytest.mark.parametrize(
    ("figures", "states", "expected"),
    [
        (
            ReaderFigures("polls", 100, reason="no reader answers: check MISO"),
            *(DEAD, ("fail", "no reader answers -> check MISO")),
        ),
        (ReaderFigures("frames", 5), DEAD, ("fail", "the reader is silent -> look at its wiring")),
        (GOOD, ("unreadable", "ok"), ("fail", "can't be read")),
        (ReaderFigures("polls", 100, 0.6, 0.2), OK, ("warn", "its tag is read in 60 % of 100")),
        (ReaderFigures("polls", 100, 0.8, 0.5), OK, ("warn", "50 % of 100 polls not understood")),
        (ReaderFigures("polls", 100, 1.0, 0.0, recoveries=7), OK, ("warn", "set up again 7 times")),
        (
            ReaderFigures("polls", 100, 1.0, 0.0, warnings=("VersionReg 0x55 is unusual: a fake chip",)),
            *(OK, ("warn", "VersionReg 0x55 is unusual -> a fake chip")),
        ),
    ],
)
def test_each_trouble_of_a_reader_is_named_with_its_space_and_mend(
    tmp_path: Path,
    sweep: Sweep,
    figures: ReaderFigures,
    states: tuple[SpaceState, ReaderState],
    expected: tuple[str, str],
) -> None:
    level, words = expected
    say(sweep, figures, state=states[0], reader=states[1])
    say(sweep, node="other", space="slot/valley.2")
    [line] = [line for line in lines(tmp_path, sweep) if "slot/valley.1" in line]
    assert line.startswith(level)
    assert words in line
    assert " -> " in line
    assert "ok    readers   1 of 2 read well, by a sweep" in lines(tmp_path, sweep)


def test_a_node_that_is_offline_is_named_once_and_its_spaces_are_not(tmp_path: Path, sweep: Sweep) -> None:
    say(sweep, online="offline", problem="/dev/a speaks protocol 3: install firmware that speaks 1")
    say(sweep, node="other", space="slot/valley.2")
    found = lines(tmp_path, sweep)
    assert found[0] == (
        'fail  nodes     node "realm" is offline: /dev/a speaks protocol 3 -> install firmware that speaks 1'
    )
    assert not any("slot/valley.1" in line for line in found)
    assert found[-1] == "ok    readers   1 of 2 read well, by a sweep"


def test_different_firmware_and_a_bad_line_are_named(tmp_path: Path, sweep: Sweep) -> None:
    say(sweep, warnings=("12 x no checksum",))
    say(sweep, node="other", space="slot/valley.2", firmware="0.9.0")
    versions, line = [found for found in lines(tmp_path, sweep) if found.startswith("warn")]
    assert "different firmware: realm 1.0.0, other 0.9.0" in versions
    assert 'node "realm": 12 x no checksum' in line
