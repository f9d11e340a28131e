import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules import board
from firmware_bridge.contract.errors import TopicError
from firmware_bridge.contract.spaces import (
    PAD_SPACES,
    SLOT_SPACES,
    SPIRIT_SPACES,
    VIBE_SPACES,
    VIRTUAL_SPACES,
    is_space,
)
from firmware_bridge.contract.topics import Topics

TOPICS = Topics("front-window")


def test_each_topic_reads_as_the_contract_writes_it() -> None:
    root = "companion/1/front-window/"
    assert TOPICS.space("slot/valley.1") == root + "space/slot/valley.1"
    assert TOPICS.node("pads") == root + "node/pads"
    assert TOPICS.lights("pads") == root + "node/pads/lights"
    assert TOPICS.game_state == root + "game/state"
    assert TOPICS.game_event == root + "game/event"
    assert TOPICS.game_ask == root + "game/ask"
    assert TOPICS.command("tablet") == root + "command/tablet"
    assert TOPICS.reply("tablet") == root + "reply/tablet"
    assert TOPICS.sim_field("pad/2") == root + "sim/field/pad/2"


def test_each_topic_is_taken_apart_into_what_it_was_built_from() -> None:
    for space in (*VIRTUAL_SPACES, *VIBE_SPACES):
        assert TOPICS.parse(TOPICS.space(space)) == ("space", space)
        assert TOPICS.parse(TOPICS.sim_field(space)) == ("sim_field", space)
    assert TOPICS.parse(TOPICS.node("pads")) == ("node", "pads")
    assert TOPICS.parse(TOPICS.lights("pads")) == ("lights", "pads")
    assert TOPICS.parse(TOPICS.command("Tablet 2")) == ("command", "Tablet 2")
    assert TOPICS.parse(TOPICS.reply("Tablet 2")) == ("reply", "Tablet 2")
    assert TOPICS.parse(TOPICS.game_state) == ("game", "state")


@pytest.mark.parametrize(
    "topic",
    [
        "",
        "companion/1/front-window/",
        "companion/1/front-window/space",
        "companion/1/front-window/space/slot",
        "companion/1/front-window/game/other",
        "companion/1/front-window/command/a/b",
        "companion/1/front-window/node/a/b",
        "companion/2/front-window/game/state",
        "companion/1/other/game/state",
        "$SYS/broker/version",
    ],
)
def test_what_is_no_topic_of_this_table_is_none(topic: str) -> None:
    assert TOPICS.parse(topic) is None


@given(st.text(max_size=80))
def test_no_text_can_upset_the_parser(topic: str) -> None:
    parsed = TOPICS.parse(TOPICS.root + topic)
    assert parsed is None or parsed[1]


@pytest.mark.parametrize("name", ["", "a/b", "+", "#", "a#", "x" * 65, "nul\0"])
def test_a_name_that_would_break_a_topic_is_refused(name: str) -> None:
    for build in (TOPICS.node, TOPICS.lights, TOPICS.command, TOPICS.reply):
        with pytest.raises(TopicError, match="can't stand in a topic"):
            build(name)


@pytest.mark.parametrize("table", ["", "Home", "my table", "home/1", "höme", "x" * 65])
def test_a_table_id_that_the_contract_forbids_is_refused(table: str) -> None:
    with pytest.raises(TopicError, match="table id"):
        Topics(table)


def test_the_spaces_of_the_bus_are_those_of_the_rules() -> None:
    assert tuple(f"slot/{slot}" for slot in board.SLOTS) == SLOT_SPACES
    assert tuple(f"spirit/{space}" for space in board.SPACES) == SPIRIT_SPACES


def test_the_virtual_table_has_29_spaces_and_each_is_known() -> None:
    assert len(VIRTUAL_SPACES) == 29
    assert len(set(VIRTUAL_SPACES)) == 29
    assert len(VIBE_SPACES) == 4 * 5 * 4
    assert all(map(is_space, VIRTUAL_SPACES + VIBE_SPACES + PAD_SPACES))


@pytest.mark.parametrize("name", ["", "slot/nowhere", "pad/5", "pad/0", "vibe/1/move/5", "slot/valley.1/x"])
def test_what_is_no_space_is_known_as_such(name: str) -> None:
    assert not is_space(name)
