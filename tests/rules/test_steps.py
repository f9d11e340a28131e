"""What a way out looks at: what a step brought, what plenty would help, what the board could be."""

from dataclasses import replace
from typing import Any

import pytest

from companion.rules.actions import Absorb, Ambition, Cradle, Move, Quell, Valley
from companion.rules.board import REALMS, SLOTS
from companion.rules.derived import Derived
from companion.rules.position import Emotion, Fortress, Origin, Player, Position, Turn
from companion.rules.steps import BOARD, OWN, PLENTY, gained, kinds, with_other_board, with_plenty
from tests.rules.tables import CARDS, OTTO, PIA, table

TWO = table(
    {"hand": ["kindness"], "vibes": {"move": ["wild", "", "", ""]}}, players={"otto": OTTO, "pia": PIA}
)
DIANA = TWO.players["diana"]


def _with(**changes: Any) -> Position:
    return TWO.with_player(replace(DIANA, **changes))


@pytest.mark.parametrize(
    ("after", "parts"),
    [
        (TWO, set()),
        (_with(willpower=10), {"willpower"}),
        (_with(willpower=8), set()),
        (_with(essence=4), {"essence"}),
        (_with(essence=2), set()),
        (_with(hand=("desire", "kindness")), {"hand"}),
        (_with(hand=()), set()),
        (_with(vibes={}), {"tokens"}),
        (_with(at="cradle"), {"figures"}),
        (TWO.with_player(replace(TWO.players["otto"], at=None)), {"figures"}),
        (TWO.with_player(replace(TWO.players["otto"], willpower=5)), set()),
        (TWO.with_team("bliss", replace(TWO.teams["bliss"], ambition=4)), {"ambition"}),
        (TWO.with_team("bliss", replace(TWO.teams["bliss"], ambition=2)), set()),
        (TWO.with_team("gloom", replace(TWO.teams["gloom"], ambition=4)), set()),
        (TWO.with_team("gloom", replace(TWO.teams["gloom"], minor=5)), {"fragments"}),
        (TWO.with_team("bliss", replace(TWO.teams["bliss"], major=2)), {"fragments"}),
        (replace(TWO, turn=replace(TWO.turn, actions_left=4)), {"actions"}),
        (replace(TWO, turn=replace(TWO.turn, actions_left=2)), set()),
        (TWO.with_slot("valley.1", Emotion("kindness")), {"slots"}),
        (replace(TWO, fortresses={"valley": Fortress("bliss", "minor")}), {"fortresses"}),
        (replace(TWO, origin=Origin("humility")), {"origin"}),
    ],
)
def test_what_is_better_or_other_than_before(after: Position, parts: set[str]) -> None:
    assert gained(TWO, after, "diana") == parts
    assert parts <= {*OWN, *BOARD}


# Plenty of what is a player's own


def _changed(position: Position, part: str | None, row: str | None = "move") -> tuple[Player, int, Turn]:
    rich = with_plenty(position, "diana", row, part)
    assert {name: player for name, player in rich.players.items() if name != "diana"} == {
        name: player for name, player in position.players.items() if name != "diana"
    }
    assert rich.teams["gloom"] == position.teams["gloom"]
    return rich.players["diana"], rich.teams["bliss"].ambition, rich.turn


def test_plenty_of_one_thing_changes_that_thing_alone() -> None:
    turn = TWO.turn
    assert _changed(TWO, "willpower") == (replace(DIANA, willpower=9 + PLENTY), 3, turn)
    assert _changed(TWO, "essence") == (replace(DIANA, essence=3 + PLENTY), 3, turn)
    assert _changed(TWO, "hand") == (replace(DIANA, hand=("*", "*", "kindness")), 3, turn)
    assert _changed(TWO, "tokens") == (replace(DIANA, vibes={"move": ("wild",) * 4}), 3, turn)
    assert _changed(TWO, "tokens", None) == (DIANA, 3, turn)
    assert _changed(TWO, "actions") == (DIANA, 3, replace(turn, actions_left=4))


def test_a_row_that_is_filled_keeps_the_tokens_it_has() -> None:
    position = table({"vibes": {"move": ["red", "", "blue", ""], "quell": ["wild", "", "", ""]}})
    rich = with_plenty(position, "diana", "move", "tokens")
    assert rich.players["diana"].vibes == {
        "move": ("red", "wild", "blue", "wild"),
        "quell": ("wild", "", "", ""),
    }


def test_of_plenty_of_ambition_one_token_is_used() -> None:
    """R-AMB-1: there are deeds that turn one over."""
    poor = TWO.with_team("bliss", replace(TWO.teams["bliss"], ambition=0))
    assert _changed(poor, "ambition") == (DIANA, 2, TWO.turn)


def test_plenty_of_all() -> None:
    everything = replace(
        DIANA,
        willpower=9 + PLENTY,
        essence=3 + PLENTY,
        hand=("*", "*", "kindness"),
        vibes={"move": ("wild",) * 4},
    )
    assert _changed(TWO, None) == (everything, 2, replace(TWO.turn, actions_left=4))


# Another board


def test_what_the_board_could_be_at_best() -> None:
    slots = {"valley.1": {"emotion": "kindness"}, "land.1": {"emotion": "fear"}}
    position = table(slots=slots, fortresses={"valley": {"team": "gloom", "fragment": "minor"}})
    empty, full, crowded, bare, built, stocked = with_other_board(position, "bliss", CARDS)
    assert empty == replace(position, slots={})
    spaces = {name: CARDS.cards[name].spaces for name in ("kindness", "fear")}
    assert {slot: emotion.essence for slot, emotion in full.slots.items()} == {
        "valley.1": spaces["kindness"],
        "land.1": spaces["fear"],
    }
    assert set(crowded.slots) == set(SLOTS)
    assert {slot: crowded.slots[slot] for slot in full.slots} == full.slots
    others = {emotion.name for slot, emotion in crowded.slots.items() if slot not in full.slots}
    [other] = others
    card = CARDS.cards[other]
    assert (card.team, card.strength) == ("bliss", "mild")
    most = max(c.spaces or 0 for c in CARDS.cards.values() if (c.team, c.strength) == ("bliss", "mild"))
    assert card.spaces == most
    assert bare == replace(position, fortresses={})
    assert built.fortresses == dict.fromkeys(REALMS, Fortress("bliss", "minor"))
    assert (stocked.teams["bliss"].minor, stocked.teams["bliss"].major) == (PLENTY, PLENTY)
    assert stocked.teams["gloom"] == position.teams["gloom"]


def test_an_emotion_whose_spaces_nobody_knows_has_plenty_of_them() -> None:
    fear = replace(CARDS.cards["fear"], intensity=None)
    cards = replace(CARDS, cards={**CARDS.cards, "fear": fear})
    _, full, *_ = with_other_board(table(slots={"land.1": {"emotion": "fear"}}), "bliss", cards)
    assert full.slots["land.1"].essence == PLENTY


# What could be done first


def _first(position: Position, row: str | None, scope: Any = "all") -> list[Any]:
    return [
        manner
        for kind in kinds(Derived(position, CARDS), row, scope)
        for manners in kind
        for manner in manners[:1]
    ]


def test_without_an_action_left_only_what_uses_none_comes_first() -> None:
    position = table(turn={"actions_left": 0})
    assert {type(step) for step in _first(position, None)} == {Absorb, Ambition}
    assert _first(position, None, "moves") == []


def test_a_token_is_looked_for_in_the_row_of_the_deed_alone_and_in_one_colour() -> None:
    position = table({"vibes": {"move": ["wild", "", "", ""], "quell": ["wild", "", "", ""]}})
    tokens = [
        step.token
        for step in _first(position, "move")
        if isinstance(step, Ambition) and step.token is not None
    ]
    assert [(token.row, token.space) for token in tokens] == [("move", 2), ("move", 3), ("move", 4)]
    assert not any(step.token for step in _first(position, None) if isinstance(step, Ambition | Absorb))


@pytest.mark.parametrize(
    ("scope", "there", "not_there"),
    [
        ("all", {Move, Valley, Cradle, Absorb}, set()),
        ("moves", {Move}, {Valley, Absorb, Quell}),
        ("own", {Valley, Absorb}, {Move, Quell}),
    ],
)
def test_how_far_a_look_goes(scope: str, there: set[type], not_there: set[type]) -> None:
    position = table({"hand": ["confidence"]}, slots={"valley.1": {"emotion": "fear"}})
    found = {type(step) for step in _first(position, None, scope)}
    assert there <= found
    assert not found & not_there


def test_the_cheapest_manner_of_a_step_comes_first() -> None:
    position = table({"willpower": 9}, turn={"absorbed": True})
    derived = Derived(position, CARDS)
    manners = next(m for kind in kinds(derived, None, "moves") for m in kind if m[0].to == "cradle")  # type: ignore[union-attr]
    assert [step.upgrades for step in manners][:2] == [("haste", "determination"), ("haste",)]  # type: ignore[union-attr]


def test_no_step_shows_or_plays_a_card_that_nobody_has_seen() -> None:
    position = table({"hand": ["*"]}, slots={"valley.1": {"emotion": "fear"}})
    steps = _first(position, None)
    assert not any(type(step).__name__ == "Invoke" for step in steps)
    quells = [step for step in steps if isinstance(step, Quell)]
    assert quells
    assert all("extinguish" in quell.upgrades for quell in quells)
