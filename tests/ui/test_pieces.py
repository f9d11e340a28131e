from typing import Any

import pytest

from companion.content import catalogue
from companion.ui.drag import Hands
from companion.ui.model import right_fields
from companion.ui.pieces import Box, home_of
from companion.ui.stage import Stage

CARDS = catalogue()


@pytest.fixture
def stage() -> Stage:
    return Stage(virtual=True)


@pytest.fixture
def box(stage: Stage) -> Box:
    return Box.of(stage.pieces())


def public(stage: Stage) -> dict[str, Any]:
    return stage.state


def test_what_lies_on_the_table_is_what_the_game_has(stage: Stage, box: Box) -> None:
    assert box.titles(stage.fields())["valley.1"] == ("kindness",)
    assert box.figures(stage.fields())["harmony"] == "valley"
    assert box.lifted(public(stage), stage.fields(), {}) == ()


def test_a_lifted_card_is_in_a_hand_as_the_copy_that_was_lifted(stage: Stage, box: Box) -> None:
    other = stage.uid("emotion/bliss/kindness/3")
    stage.lay("slot/valley.1", ())
    assert box.lifted(public(stage), stage.fields(), {"slot/valley.1": other}) == (other,)
    assert box.kind(box.lifted(public(stage), stage.fields(), {})[0]) == "kindness"


def test_a_card_dropped_onto_another_one_is_not_in_a_hand_too(stage: Stage, box: Box) -> None:
    (moved,), (there,) = (stage.fields()[f"slot/{slot}"] for slot in ("valley.1", "land-willow"))
    stage.lay("slot/valley.1", ())
    stage.lay("slot/land-willow", (there, moved))
    assert box.lifted(public(stage), stage.fields(), {"slot/valley.1": moved}) == ()


def test_a_figure_on_another_space_is_not_in_a_hand(stage: Stage, box: Box) -> None:
    (uid,) = stage.fields()["spirit/valley"]
    stage.lay("spirit/valley", ())
    assert box.lifted(public(stage), stage.fields(), {}) == (uid,)
    stage.lay("spirit/valley-cradle", (uid,))
    assert box.lifted(public(stage), stage.fields(), {}) == ()


def test_the_tray_offers_first_what_the_acting_player_may_empower(stage: Stage, box: Box) -> None:
    piles = box.piles("strong", public(stage), CARDS, frozenset())
    assert [pile.kind for pile in piles[:2]] == ["benevolence", "valor"]
    assert all(CARDS.cards[pile.kind].team == "bliss" for pile in piles)
    assert all(len(pile.uids) == 2 for pile in piles)


def test_taken_pieces_are_not_offered(stage: Stage, box: Box) -> None:
    first = stage.uid("emotion/bliss/benevolence/1")
    piles = box.piles("strong", public(stage), CARDS, frozenset([first]))
    benevolence = next(pile for pile in piles if pile.kind == "benevolence")
    assert benevolence.uids == (stage.uid("emotion/bliss/benevolence/2"),)


def test_vibe_tokens_lie_by_colour(stage: Stage, box: Box) -> None:
    piles = box.piles("vibe", public(stage), CARDS, frozenset())
    assert [pile.kind for pile in piles] == ["red", "yellow", "green", "blue", "wild"]


def test_figures_do_not_fit_slots_and_tokens_not_the_board(stage: Stage, box: Box) -> None:
    hands = Hands(stage, box)
    card, token = stage.uid("emotion/bliss/kindness/1"), stage.uid("vibe/red/1")
    figure = stage.uid("spirit/harmony")
    assert hands.allowed(figure, "slot/valley.1") is None
    assert hands.allowed(card, "spirit/valley") is None
    assert hands.allowed(token, "slot/valley.1") is None
    assert hands.allowed(token, "pad/1") == "pad/1"


def test_letting_go_where_it_came_from_moves_nothing(stage: Stage, box: Box) -> None:
    hands = Hands(stage, box)
    (uid,) = stage.fields()["slot/valley.1"]
    carry = hands.take(uid, (0, 0), stage.fields())
    carry.target = "slot/valley.1"
    assert not hands.drop(carry)
    assert stage.laid == []


def test_putting_right_takes_the_piece_from_where_it_is(stage: Stage, box: Box) -> None:
    hands = Hands(stage, box)
    (kindness,) = stage.fields()["slot/valley.1"]
    stage.lay("slot/valley.1", (stage.uid("emotion/bliss/benevolence/1"),))
    stage.lay("slot/network.2", (kindness,))
    right = right_fields(public(stage), box, stage.fields(), "slot/valley.1", (kindness,))
    assert right == (kindness,)
    hands.put("slot/valley.1", right)
    assert home_of(kindness, stage.fields()) == "slot/valley.1"
    assert stage.fields()["slot/network.2"] == ()
