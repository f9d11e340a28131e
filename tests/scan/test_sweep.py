"""What is gathered from the bus, without a bus."""

import json

import pytest

from companion.scan.sweep import Sweep
from companion.scan.words import hit_words, rate_line, row_lines, summary, table_lines
from companion.table.registry import Registry
from firmware_bridge.contract.figures import ReaderFigures
from firmware_bridge.contract.messages import NodeMessage, NodeState, ReaderState, SpaceMessage
from firmware_bridge.contract.topics import Topics

TOPICS = Topics("home")
TAG = "04A3C6CAE26180"
GOOD = ReaderFigures("polls", 104, 0.971, 0.029, 900, 30, 0, 7810, 0x92, 4)


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sweep(clock: Clock) -> Sweep:
    return Sweep(TOPICS, ["pads"], clock=clock)


def node(
    sweep: Sweep,
    state: NodeState = "online",
    *,
    readers: dict[str, ReaderState] | None = None,
    figures: ReaderFigures | None = GOOD,
    problem: str = "",
) -> None:
    readers = {"pad/1": "ok"} if readers is None else readers
    health = dict.fromkeys(readers, figures) if figures is not None else {}
    message = NodeMessage(state, "1.0.0", readers, 1, health, problem)
    sweep.message(TOPICS.node("pads"), message.to_json(), True)


def space(sweep: Sweep, name: str = "pad/1", *, tags: tuple[str, ...] = (TAG,), of: str = "pads") -> None:
    sweep.message(TOPICS.space(name), SpaceMessage(tags, "ok", of, 1).to_json())


def test_a_row_has_the_keys_of_the_contract(sweep: Sweep) -> None:
    node(sweep)
    space(sweep)
    [row] = sweep.rows()
    entry = json.loads(json.dumps(row.as_json()))
    assert {key: entry[key] for key in ("space", "tags", "state", "node")} == {
        "space": "pad/1",
        "tags": [TAG],
        "state": "ok",
        "node": "pads",
    }
    assert entry["health"]["state"] == "ok"
    assert (entry["health"]["hit_rate"], entry["health"]["over"]) == (0.971, 104)
    assert sweep.is_well
    assert sweep.is_complete


def test_the_spaces_of_a_node_that_is_gone_are_a_fault_with_their_last_tags(sweep: Sweep) -> None:
    """What stands retained of them still says ok; the node's will does not even name them (F-51)."""
    space(sweep)
    node(sweep, "offline", readers={}, figures=None, problem="it is pulled")
    [row] = sweep.rows()
    assert (row.state, row.tags) == ("fault", (TAG,))
    assert sweep.down() == {"pads": "it is pulled"}
    assert not sweep.is_well


def test_a_reader_of_which_nothing_was_said_is_a_fault_and_not_an_empty_space(sweep: Sweep) -> None:
    node(sweep)
    assert [row.state for row in sweep.rows()] == ["fault"]


def test_what_another_node_said_of_a_space_is_not_this_ones(sweep: Sweep) -> None:
    node(sweep)
    space(sweep, of="other")
    assert [(row.state, row.tags) for row in sweep.rows()] == [("fault", ())]


def test_a_sweep_is_complete_when_each_reader_was_looked_at_often_enough(sweep: Sweep) -> None:
    assert not sweep.is_complete
    node(sweep, figures=None)
    assert not sweep.is_complete
    node(sweep, figures=ReaderFigures("polls", 3))
    assert not sweep.is_complete
    node(sweep, figures=ReaderFigures("frames", 3))
    assert sweep.is_complete
    node(sweep, figures=ReaderFigures("polls", 3, reason="no reader answers"))
    assert sweep.is_complete, "a dead reader is not waited for"
    node(sweep, "offline")
    assert not sweep.is_complete


def test_a_node_that_is_offline_for_a_reason_is_waited_for_and_not_for_long(
    sweep: Sweep, clock: Clock
) -> None:
    node(sweep, "offline", problem="it is not there")
    clock.now_s += 2.9
    node(sweep, "offline", problem="it is not there")
    assert not sweep.is_complete
    clock.now_s += 0.2
    assert sweep.is_complete
    node(sweep, "offline", problem="it speaks another protocol")
    assert not sweep.is_complete, "news"
    node(sweep, "offline")
    clock.now_s += 60
    assert not sweep.is_complete, "nobody serves it"


def test_a_bridge_that_is_at_work_is_told_from_the_will_of_one_that_is_not(sweep: Sweep) -> None:
    node(sweep, "offline", figures=None)
    assert not sweep.is_served
    node(sweep, "offline", figures=None, problem="/dev/ttyACM0 is not there")
    assert sweep.is_served


@pytest.mark.parametrize("payload", [b"", b"{", b"[]", b"\xff"])
def test_garbage_is_left_out(sweep: Sweep, payload: bytes) -> None:
    sweep.message(TOPICS.space("pad/1"), payload)
    sweep.message(TOPICS.node("pads"), payload)
    sweep.message("elsewhere", payload)
    assert sweep.rows() == []
    assert not sweep.is_well


def test_a_row_in_words_names_the_piece_the_shares_and_what_to_look_at(sweep: Sweep) -> None:
    bad = ReaderFigures("polls", 50, 0.4, 0.6, reason="no reader answers: check MISO", warnings=("odd chip",))
    node(sweep, figures=bad)
    space(sweep)
    [row] = sweep.rows()
    heading, first, reason, warning = table_lines([row], Registry({TAG: "spirit/harmony"}))
    assert heading.split()[:3] == ["space", "node", "state"]
    assert first.split() == [
        *("pad/1", "pads", "ok", "40", "%", "of", "50", "60", "%", "-", TAG, "spirit/harmony")
    ]
    assert reason.strip() == "no reader answers: check MISO"
    assert warning.strip() == "look at: odd chip"
    assert "(not registered)" in next(row_lines(row, Registry()))


def test_frames_are_not_called_polls_and_what_is_not_known_is_a_dash() -> None:
    assert hit_words(ReaderFigures("frames", 12, 1.0)) == "100 % of 12 frames"
    assert hit_words(ReaderFigures("polls", 100)) == "-"


def test_the_rate_line_names_the_worst_readers(sweep: Sweep) -> None:
    node(sweep, readers={"pad/1": "ok", "pad/2": "ok"})
    assert rate_line(sweep) == (
        "2 readers, slowest poll 7.8 ms (pad/2), lowest hit rate 97 % (pad/1), most noise 3 % (pad/2)"
    )
    space(sweep)
    assert list(summary(sweep)) == [
        "node pads: online, firmware 1.0.0, 2 readers",
        "2 spaces: 1 ok, 1 fault",
    ]
