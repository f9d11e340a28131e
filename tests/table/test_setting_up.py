"""Figures, Starting Emotions and wild Vibe tokens placed at set-up, in whatever order people lay them."""

from itertools import permutations
from typing import Any

import pytest

from companion.rules.actions import PlaceSpirit, PlaceWild
from companion.rules.setup import Seat, new_game
from companion.scenario.notation import position_to
from companion.table.lay import FIELDS
from companion.table.layout import Fact
from tests.table.story import CARDS, Story

SEATS = (
    Seat("diana", "bliss", "harmony"),
    Seat("otto", "gloom", "hatred"),
    Seat("pia", "bliss", "love"),
    Seat("nils", "gloom", "malice"),
)
LAID = (
    ("harmony", "valley-cradle", "bliss/brightness/1", "valley.2"),
    ("hatred", "cradle-network", "gloom/bleakness/1", "cradle.2"),
    ("love", "network-land", "bliss/brightness/2", "land.1"),
    ("malice", "land-willow", "gloom/bleakness/2", "willow.1"),
)
"""Spirit, its Frontier, its Starting Emotion and the slot of that."""


def four(**more: Any) -> Story:
    return Story(position_to(new_game(SEATS, CARDS, **more)))


def lay(story: Story, spirit: str, at: str, card: str, slot: str) -> None:
    story.place(f"spirit/{at}", f"spirit/{spirit}")
    story.place(f"slot/{slot}", f"emotion/{card}")


def to_wild(story: Story) -> None:
    for placed in LAID:
        lay(story, *placed)
    story.advance(1)


def test_a_figure_and_the_card_beside_it_are_the_step_that_is_due() -> None:
    """R-SETUP-19: figure, Starting Emotion and its Essence."""
    story = four()
    lay(story, *LAID[0])
    assert story.done == []
    story.advance(1)
    assert [done.action for done in story.done] == [PlaceSpirit("valley.2", "valley-cradle")]
    assert story.emotion("valley.2") == ("brightness", 1)
    assert story.look.in_step


def test_a_figure_whose_card_is_still_in_a_hand_waits_and_is_not_called_wrong() -> None:
    story = four()
    story.place("spirit/valley-cradle", "spirit/harmony")
    story.advance(60)
    assert (story.done, story.refused, story.mends) == ([], [], [])
    story.place("slot/cradle.1", "emotion/bliss/brightness/1")
    story.advance(1)
    assert [done.action for done in story.done] == [PlaceSpirit("cradle.1", "valley-cradle")]


def test_everybody_may_lay_at_once_in_any_order() -> None:
    for order in permutations(LAID):
        story = four()
        for placed in order:
            lay(story, *placed)
        story.advance(1)
        assert [player.at for player in story.position.players.values()] == [laid[1] for laid in LAID]
        assert {slot: card.name for slot, card in story.position.slots.items()} == {
            slot: card.split("/")[1] for _, _, card, slot in LAID
        }
        assert (story.refused, story.mends) == ([], [])


def test_cards_first_and_figures_later_is_no_accusation() -> None:
    story = four()
    for _, _, card, slot in reversed(LAID):
        story.place(f"slot/{slot}", f"emotion/{card}")
        story.advance(10)
    for spirit, at, _, _ in reversed(LAID):
        story.place(f"spirit/{at}", f"spirit/{spirit}")
        story.advance(10)
    assert story.refused == []
    assert all(player.at is not None for player in story.position.players.values())


def test_a_figure_in_a_realm_is_refused_with_the_rule() -> None:
    story = four()
    lay(story, "harmony", "valley", "bliss/brightness/1", "valley.1")
    story.advance(2)
    (refused,) = story.refused
    assert refused.verdict.rules[0] == "R-SETUP-19"
    assert "figure of Harmony" in refused.put_back


def test_a_card_that_may_be_a_teammates_is_no_reason_to_refuse() -> None:
    """R-SETUP-20: beside whose figure it lies is known only when all figures stand."""
    story = four()
    story.place("spirit/valley-cradle", "spirit/harmony")
    story.place("slot/land.1", "emotion/bliss/brightness/2")
    story.advance(60)
    assert (story.refused, story.done) == ([], [])


def test_the_last_of_a_team_hears_where_the_card_belongs() -> None:
    story = four()
    for placed in LAID[:2]:
        lay(story, *placed)
        story.advance(1)
    lay(story, "love", "network-land", "bliss/brightness/2", "willow.1")
    story.advance(2)
    (refused,) = story.refused
    assert refused.verdict.rules == ("R-SETUP-20",)


def test_where_no_figure_can_be_read_the_card_tells_the_frontier() -> None:
    """R-SETUP-20: each Realm slot is next to one Frontier's own slot."""
    story = four()
    story.facts = {space: fact for space, fact in story.facts.items() if space.startswith("slot/")}
    story.restart()
    story.place("slot/valley.2", "emotion/bliss/brightness/1")
    story.advance(1)
    assert [done.action for done in story.done] == [PlaceSpirit("valley.2", "valley-cradle")]


def test_in_the_basic_game_a_picture_decides_and_any_space_counts() -> None:
    """R-SETUP-21."""
    story = four(mode="basic")
    lay(story, "harmony", "valley", "bliss/brightness/1", "network.1")
    story.advance(1)
    assert [done.action for done in story.done] == [PlaceSpirit("network.1", "valley")]


def test_in_the_basic_game_two_cards_might_be_anybodys() -> None:
    story = four(mode="basic")
    lay(story, "harmony", "valley", "bliss/brightness/1", "network.1")
    story.place("slot/land.1", "emotion/bliss/brightness/2")
    story.advance(10)
    assert story.done == []


def test_what_lies_there_when_the_game_is_set_up_counts_at_once() -> None:
    story = four()
    start = story.position
    story.position = Story().position
    for placed in LAID:
        lay(story, *placed)
    story.becomes(start, hold="ahead")
    story.advance(1)
    assert all(player.at is not None for player in story.position.players.values())


def test_what_was_taken_back_is_not_placed_again_by_itself() -> None:
    story = four()
    start = story.position
    lay(story, *LAID[0])
    story.advance(1)
    story.becomes(start, hold="undone")
    story.advance(10)
    assert len(story.done) == 1
    assert len(story.mends) == 2
    story.lift("spirit/valley-cradle")
    story.lift("slot/valley.2")
    story.advance(1)
    assert story.mends == []
    lay(story, *LAID[0])
    story.advance(1)
    assert len(story.done) == 2


def test_wild_tokens_on_an_instrumented_board_are_steps() -> None:
    """R-SETUP-23: the first token of a row unlocks it; all four may be laid before the figures."""
    story = four()
    spaces = [f"vibe/1/{row}/{n}" for row in ("move", "invoke", "quell") for n in (1, 2, 3, 4)]
    for space in (*FIELDS, *spaces):
        story.facts.setdefault(space, Fact((), "ok", 0.0))
    story.restart()
    for n, space in enumerate(("move/2", "move/1", "invoke/1", "quell/1"), 1):
        story.place(f"vibe/1/{space}", f"vibe/wild/{n}")
    story.advance(10)
    assert (story.done, story.mends) == ([], [])
    to_wild(story)
    placed = [done.action for done in story.done if isinstance(done.action, PlaceWild)]
    assert [(action.row, action.space) for action in placed] == [
        ("move", 1),
        ("invoke", 1),
        ("quell", 1),
        ("move", 2),
    ]
    assert story.position.turn.pending[0].player == "otto"


def test_a_token_on_a_locked_row_is_refused() -> None:
    story = four()
    for space in ("vibe/1/move/1", "vibe/1/move/2"):
        story.facts[space] = Fact((), "ok", 0.0)
    story.restart()
    to_wild(story)
    story.place("vibe/1/move/2", "vibe/wild/1")
    story.advance(2)
    (refused,) = story.refused
    assert refused.verdict.rules == ("R-SETUP-23",)
    assert refused.put_back == "Take a wild Vibe token off space 2 of Move on Diana's Spirit board."


@pytest.mark.parametrize("count", [2, 3])
def test_with_fewer_players_the_lone_ones_second_card_comes_without_a_figure(count: int) -> None:
    """R-SHAPER-3, OQ-21."""
    story = Story(position_to(new_game(SEATS[:count], CARDS)))
    for placed in LAID[:count]:
        lay(story, *placed)
        story.advance(1)
    if count == 3:
        assert story.position.turn.pending[0].player == "otto"
        story.place("slot/willow.2", "emotion/gloom/bleakness/2")
        story.advance(1)
    assert story.position.turn.pending[0].action == "place-wild"
    assert len(story.position.slots) == (4 if count == 3 else 2)
