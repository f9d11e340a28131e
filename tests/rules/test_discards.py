"""Where cards go that leave the hand or the board, and when a deck is empty (R-DECK-2 to R-DECK-6)."""

import pytest

from companion.rules.actions import Empower, EndTurn
from companion.rules.board import SLOTS
from companion.rules.engine import check
from companion.rules.hands import deck_size, possible_titles
from companion.rules.position import HIDDEN, Position
from tests.rules.tables import CARDS, table
from tests.rules.tables import after as done


def _mild(team: str) -> list[str]:
    return [card.name for card in CARDS.cards.values() if card.team == team and card.strength == "mild"]


def _quelled(position: Position, slot: str) -> Position:
    after = done(position, "quell", slot=slot, upgrades=["extinguish"])
    assert slot not in after.slots
    return after


def _against(emotion: str) -> Position:
    """Diana beside an Emotion of Gloom with one Essence; Otto holds one card that nobody has shown."""
    otto = {"team": "gloom", "at": "land", "hand": ["*"]}
    return table(
        {"vibes": {"quell": ["red", "green", "blue", "yellow"]}},
        players={"otto": otto, "pia": {"team": "bliss"}},
        slots={"valley.1": {"emotion": emotion}, "land.1": {"emotion": emotion}},
    )


def test_a_mild_emotion_that_leaves_the_board_is_back_in_its_deck() -> None:
    """R-DECK-2: with both copies in play an unknown card can't be a third one; with one gone it can."""
    before = _against("anger")
    assert "anger" not in possible_titles(before, before.players["otto"], CARDS)
    after = _quelled(before, "valley.1")
    assert "anger" in possible_titles(after, after.players["otto"], CARDS)
    assert after.players["otto"].hand == (HIDDEN,)
    assert (
        deck_size(after, after.players["otto"], CARDS) == deck_size(before, before.players["otto"], CARDS) + 1
    )


def test_a_strong_emotion_that_leaves_the_board_can_be_brought_in_again() -> None:
    """R-DECK-3, R-EMP-5: both copies are in play, then one is back in the team's stock."""
    pia = {"team": "gloom", "at": "cradle", "willpower": 9, "vibes": {"empower": ["wild", "", "", ""]}}
    slots = {
        "valley.1": {"emotion": "rage"},
        "land.1": {"emotion": "rage"},
        "cradle.1": {"emotion": "anger", "essence": 2},
    }
    before = table(players={"pia": pia}, slots=slots, rulings={"assumed-threshold": 2})
    refused = check(_turn_of(before, "pia"), Empower("cradle.1"), CARDS)
    assert "R-EMP-5" in refused.rules
    after = _quelled(before, "valley.1")
    assert check(_turn_of(after, "pia"), Empower("cradle.1"), CARDS).status == "legal"


def _turn_of(position: Position, name: str) -> Position:
    ended = position
    while ended.turn.player != name:
        after = check(ended, EndTurn("cards"), CARDS).after
        assert after is not None
        ended = after
    return ended


def test_a_starting_emotion_that_leaves_the_board_comes_back_to_nobody() -> None:
    """R-DECK-4: it is no card of any deck, so it is in no hand and drawn by nobody."""
    before = _against("bleakness")
    after = _quelled(before, "valley.1")
    otto = after.players["otto"]
    assert "bleakness" not in possible_titles(after, otto, CARDS)
    assert deck_size(after, otto, CARDS) == deck_size(before, before.players["otto"], CARDS)


@pytest.mark.parametrize(("in_hand", "drawn"), [(12, 2), (13, 1), (14, 0)])
def test_a_deck_whose_cards_are_in_hand_or_in_play_gives_what_there_is(in_hand: int, drawn: int) -> None:
    """R-DECK-6: a Shaper with two cards in play draws up to the sixteenth card and no further."""
    slots = {slot: {"emotion": name} for slot, name in zip(SLOTS, _mild("bliss")[:2], strict=False)}
    start = table({"hand": ["*"] * in_hand}, players={"otto": {"team": "gloom", "at": "land"}}, slots=slots)
    after = check(start, EndTurn("cards"), CARDS).after
    assert after is not None
    assert len(after.players["diana"].hand) == in_hand + drawn


def test_what_lies_on_the_board_may_be_a_teammates_cards() -> None:
    """R-DECK-6: the teammate holds nothing, so all that is in play may have come from there."""
    slots = {slot: {"emotion": name} for slot, name in zip(SLOTS, _mild("bliss"), strict=False)}
    mates = {"otto": {"team": "gloom", "at": "land"}, "pia": {"team": "bliss"}}
    start = table({"hand": ["*"] * 10}, players=mates, slots=slots)
    assert deck_size(start, start.players["diana"], CARDS) == 6
    full = table(
        {"hand": ["*"] * 10}, players={**mates, "pia": {"team": "bliss", "hand": ["*"] * 5}}, slots=slots
    )
    assert deck_size(full, full.players["diana"], CARDS) == 2
