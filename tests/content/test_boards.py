"""Side B out of data: what is read, and what is refused with the key at fault (R-COMP-2)."""

from typing import Any

import pytest

from companion.content import catalogue
from companion.content.boards import side_b_from
from companion.content.stated import PowerError
from companion.rules.cards import Upgrade
from companion.rules.effects import Earns, Gain, InvokesFromSupply, Reaches, StartsWith, Swaps

ROWS = catalogue().rows
OWN = {"name": "own", "text": "does something"}


def row(name: str, **keys: Any) -> Any:
    return side_b_from({name: keys}, ROWS)[name]


def upgrade(row_name: str, **keys: Any) -> Upgrade:
    others = [{"name": "second", "text": "x"}, {"name": "third", "text": "y"}]
    first: Upgrade = row(row_name, upgrade=[keys, *others]).upgrades[0]
    return first


def fault(board: Any) -> tuple[str, str]:
    with pytest.raises(PowerError) as caught:
        side_b_from(board, ROWS)
    return ".".join(str(part) for part in caught.value.path), caught.value.problem


def test_a_row_without_keys_is_like_side_a_and_a_row_left_out_is_not_known() -> None:
    board = side_b_from({"quell": {}}, ROWS)
    assert board == {"quell": ROWS["quell"]}


def test_what_an_upgrade_leaves_out_is_as_on_side_a() -> None:
    assert upgrade("move", name="haste") == Upgrade("haste", 1, 0)
    assert upgrade("move", name="haste", willpower=0, ambition=1) == Upgrade("haste", 0, 1)
    assert upgrade("move", name="determination") == Upgrade("determination", -1, 0)
    assert upgrade("move", **OWN) == Upgrade("own", text="does something")


def test_the_base_cost_can_be_another_one() -> None:
    assert (row("quell", ambition=0).willpower, row("quell", ambition=0).ambition) == (2, 0)
    assert (row("quell", willpower=3).willpower, row("quell", willpower=3).ambition) == (3, 1)


@pytest.mark.parametrize(
    ("row_name", "effect", "read"),
    [
        ("move", {"kind": "swap"}, Swaps()),
        ("invoke", {"kind": "start-essence"}, StartsWith(1, supply=False)),
        ("invoke", {"kind": "start-essence", "essence": 2, "from": "supply"}, StartsWith(2, supply=True)),
        ("empower", {"kind": "gain", "gain": {"cards": 1}}, Earns(Gain(cards=1))),
        (
            "quell",
            {"kind": "gain", "on": "leaves", "gain": {"essence": 1}},
            Earns(Gain(essence=1), leaving=True),
        ),
        ("quell", {"kind": "reach"}, Reaches("quell", "near")),
        ("empower", {"kind": "reach", "area": "anywhere"}, Reaches("empower", "anywhere")),
    ],
)
def test_effects_of_upgrades(row_name: str, effect: dict[str, Any], read: object) -> None:
    assert upgrade(row_name, name="own", effects=[effect]).effects == (read,)


def _first(row_name: str, **keys: Any) -> Any:
    return {row_name: {"upgrade": [keys, {"name": "b", "text": "x"}, {"name": "c", "text": "x"}]}}


@pytest.mark.parametrize(
    ("board", "path", "problem"),
    [
        ("a text", "", "must be a table"),
        ({"jump": {}}, "jump", "unknown key"),
        ({"move": 1}, "move", "must be a table"),
        ({"move": {"cost": 1}}, "move.cost", "unknown key"),
        ({"move": {"willpower": -1}}, "move.willpower", "from 0"),
        ({"move": {"upgrade": [OWN]}}, "move.upgrade", "three upgrades"),
        ({"move": {"upgrade": [OWN, OWN, {"name": "haste"}]}}, "move.upgrade", "no two alike"),
        (_first("move", text="x"), "move.upgrade.0.name", "small letters"),
        (_first("move", name="Own", text="x"), "move.upgrade.0.name", "small letters"),
        (_first("move", name="bolster"), "move.upgrade.0.name", "another row"),
        (_first("move", name="own"), "move.upgrade.0.effects", "nobody knows"),
        (_first("move", name="own", text="x", willpower=-2), "move.upgrade.0.willpower", "from -1"),
        (_first("move", name="haste", effects=[{"kind": "swap"}]), "move.upgrade.0.effects", "on side A"),
        (
            _first("quell", name="own", effects=[{"kind": "swap"}]),
            "quell.upgrade.0.effects.0.kind",
            "only for",
        ),
        (_first("move", name="own", effects=[{"kind": "fly"}]), "move.upgrade.0.effects.0.kind", "one of"),
        (_first("move", name="own", effects=[{"kind": "gain"}]), "move.upgrade.0.effects.0.gain", "a table"),
        (
            _first("move", name="own", effects=[{"kind": "gain", "gain": {}}]),
            "move.upgrade.0.effects.0.gain",
            "must give",
        ),
        (
            _first("move", name="own", effects=[{"kind": "gain", "on": "leaves", "gain": {"cards": 1}}]),
            "move.upgrade.0.effects.0.on",
            "only for an upgrade of quell",
        ),
    ],
)
def test_faults_are_named_by_key(board: Any, path: str, problem: str) -> None:
    found, said = fault(board)
    assert found == path
    assert problem in said


def test_only_empathys_side_b_is_known_and_all_of_it() -> None:
    known = {name: tuple(spirit.side_b) for name, spirit in catalogue().spirits.items() if spirit.side_b}
    assert known == {"empathy": tuple(ROWS)}


def test_what_comes_out_of_the_supply_is_a_card_of_the_spirits_team() -> None:
    for spirit in catalogue().spirits.values():
        for effect in () if spirit.power is None else spirit.power.effects:
            if isinstance(effect, InvokesFromSupply):
                assert catalogue().cards[effect.emotion].team == spirit.team
