"""The list of legal actions at small tables, each made for one thing: it is all that `check` allows."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from companion.rules.actions import Action, Move, PlainDone, UsePower
from companion.rules.cards import Upgrade
from companion.rules.derived import Derived
from companion.rules.effects import Gain, Power, Rewards, Swaps
from companion.rules.engine import PROCEDURES, judged, legal_actions
from companion.rules.position import Position
from tests.rules.tables import CARDS, NILS, OTTO, PIA, table
from tests.strategies import plain_space
from tests.whole_space import spirit_space

HELD = ["kindness", "desire"]
FULL = ["wild", "wild", "wild", "wild"]
FREE = ["wild", "wild", "", ""]
AROUND: dict[str, Any] = {
    "valley.1": {"emotion": "kindness", "essence": 2},
    "valley.2": {"emotion": "fear", "essence": 2},
    "land.1": {"emotion": "trust", "essence": 2},
}


def _row(name: str, tokens: list[str], hand: list[str], **parts: Any) -> Position:
    slots = {
        slot: lying for slot, lying in AROUND.items() if name in ("quell", "empower") or slot != "valley.2"
    }
    parts = {"slots": slots, "players": {"otto": OTTO}} | parts
    return table({"vibes": {name: tokens}, "hand": hand, "willpower": 6}, **parts)


def _fortress(team: str) -> dict[str, Any]:
    return {"valley": {"team": team, "fragment": "minor"}}


SPIRIT_ACTIONS: list[tuple[str, str, Position]] = [
    ("all upgrades", "move", _row("move", FULL, [])),
    ("tokens to place", "move", _row("move", FREE, HELD)),
    ("a token to unlock it", "move", _row("move", ["", "", "", ""], HELD)),
    ("past an opponent", "move", _row("move", FULL, [], players={"otto": OTTO | {"at": "valley-cradle"}})),
    ("all upgrades", "invoke", _row("invoke", FULL, HELD)),
    ("tokens to place", "invoke", _row("invoke", FREE, HELD)),
    ("one card for both", "invoke", _row("invoke", FREE, ["kindness"])),
    ("all upgrades", "quell", _row("quell", FULL, ["confidence", "desire"])),
    ("tokens to place", "quell", _row("quell", FREE, ["confidence", "desire"])),
    ("one card for both", "quell", _row("quell", ["wild", "", "", ""], ["confidence"])),
    ("all upgrades", "fortify", _row("fortify", FULL, [])),
    ("tokens to place", "fortify", _row("fortify", FREE, HELD)),
    ("something to exalt", "fortify", _row("fortify", FULL, [], fortresses=_fortress("bliss"))),
    ("something to raze", "fortify", _row("fortify", FULL, [], fortresses=_fortress("gloom"))),
    (
        "the last Fragment",
        "fortify",
        _row("fortify", FULL, [], teams={"bliss": {"ambition": 3, "minor": 1, "major": 0}}),
    ),
    (
        "the last Major Fragment",
        "fortify",
        _row(
            "fortify",
            FULL,
            [],
            fortresses=_fortress("bliss"),
            teams={"bliss": {"ambition": 3, "minor": 0, "major": 1}},
        ),
    ),
    ("all upgrades", "empower", _row("empower", FULL, [])),
    ("tokens to place", "empower", _row("empower", FREE, HELD)),
    ("basic game", "empower", _row("empower", FULL, [], mode="basic")),
]
OTHERS = {
    "much of all": table(
        {"vibes": {}, "essence": 3}, slots=AROUND | {"willow-valley": {"emotion": "desire"}}
    ),
    "little of all": table({"willpower": 1, "essence": 1}, slots=AROUND, teams={"bliss": {"ambition": 1}}),
    "nothing left": table({"willpower": 0, "essence": 0}, slots=AROUND, teams={}),
    "no Action left": table(turn={"actions_left": 0}),
    "every Ability used": table(turn={"ambition_used": ["extra-action", "vibe", "third"]}),
    "not on the board": table(players={"otto": {"team": "gloom"}}, turn={"player": "otto"}),
    "Knowledge to absorb from": table({"vibes": {"move": FREE}}, origin={"facing": "knowledge"}),
}


KINDS = {name: kind for kind, (name, _) in PROCEDURES.items()}


def _listed(position: Position, kinds: Any) -> dict[str, Position | None]:
    verdicts = legal_actions(position, CARDS)
    return {repr(action): verdict.after for action, verdict in verdicts if isinstance(action, kinds)}


def _allowed(position: Position, space: Iterable[Action]) -> dict[str, Position | None]:
    derived = Derived(position, CARDS)
    judgements = ((action, judged(derived, action)) for action in space)
    return {repr(action): verdict.after for action, verdict in judgements if verdict.status == "legal"}


@pytest.mark.parametrize(("what", "row", "position"), SPIRIT_ACTIONS)
def test_the_list_of_a_spirit_action_is_what_check_allows(what: str, row: str, position: Position) -> None:
    titles = tuple(position.actor.hand)
    space = spirit_space(titles, ((row, tuple(upgrade.name for upgrade in CARDS.rows[row].upgrades)),))
    listed = _listed(position, KINDS[row])
    assert listed == _allowed(position, space)
    assert bool(listed) == (what != "basic game")


@pytest.mark.parametrize("name", OTHERS)
def test_the_list_of_all_else_is_what_check_allows(name: str) -> None:
    assert _listed(OTHERS[name], PlainDone) == _allowed(OTHERS[name], plain_space(OTHERS[name]))


def test_in_a_list_without_placing_no_token_is_placed() -> None:
    position = _row("move", FREE, HELD)
    bare = [repr(action) for action, _ in legal_actions(position, CARDS, placing=False)]
    assert bare == [
        repr(action) for action, _ in legal_actions(position, CARDS) if getattr(action, "place", None) is None
    ]


@pytest.mark.parametrize(("pia", "names"), [("cradle", {"nils", "pia"}), ("willow", {None})])
def test_whom_to_trade_spaces_with_is_said_only_where_several_stand(pia: str, names: set[str | None]) -> None:
    """R-COMP-2: side B of a Spirit board, with an upgrade that trades spaces."""
    _, surmount, determination = CARDS.rows["move"].upgrades
    row = replace(CARDS.rows["move"], upgrades=(Upgrade("swap", effects=(Swaps(),)), surmount, determination))
    spirit = replace(CARDS.spirits["harmony"], side_b={"move": row})
    cards = replace(CARDS, spirits={**CARDS.spirits, "harmony": spirit})
    players = {"nils": NILS | {"at": "cradle"}, "pia": PIA | {"at": pia}}
    position = table({"side": "b", "vibes": {"move": FULL}}, players=players)
    moves = [action for action, _ in legal_actions(position, cards) if isinstance(action, Move)]
    trades = [move for move in moves if "swap" in move.upgrades]
    assert {move.trade_with for move in trades if move.to == "cradle"} == names
    assert {move.to for move in trades} == {"cradle", pia}
    assert {move.trade_with for move in moves if move not in trades} == {None}


def test_of_each_power_the_earliest_choice_is_offered() -> None:
    """R-POWER-1."""
    essence, willpower = Gain(essence=1), Gain(willpower=2)
    powers = {
        "trust": Power(effects=(Rewards(on="enters", gains=(essence,), optional=True),)),
        "kindness": Power(effects=(Rewards(on="enters", gains=(essence, willpower)),)),
    }
    known = {name: replace(CARDS.cards[name], power=power) for name, power in powers.items()}
    cards = replace(CARDS, cards={**CARDS.cards, **known})
    pending = [{"action": "power", "team": "bliss", "power": name} for name in ("trust", "kindness", "trust")]
    position = table(turn={"pending": [{"action": "keep-hidden", "team": "bliss"}, *pending]})
    offered = [action for action, _ in legal_actions(position, cards) if isinstance(action, UsePower)]
    assert offered == [
        UsePower("trust"),
        UsePower("trust", decline=True),
        UsePower("kindness", gain="essence"),
        UsePower("kindness", gain="willpower"),
    ]
