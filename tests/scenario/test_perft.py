"""`companion perft`: stored figures, the same ones by a slow enumeration, and the command."""

import io
import json
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from companion.cli import main
from companion.rules.actions import Action, Empower, Fortify, Invoke, Move, Place, Quell, SpiritActionDone
from companion.rules.board import REALMS, SLOTS, SPACES
from companion.rules.cards import Catalogue
from companion.rules.engine import check
from companion.rules.position import HIDDEN, ROWS, Position
from companion.rules.upgrades import subsets
from companion.scenario.files import Scenario, read_scenario
from companion.scenario.perft import divided, leaves, perft
from tests.strategies import CARDS, plain_space

FOLDER = Path(__file__).parents[1] / "vectors" / "perft"
FIGURES = tomllib.loads((FOLDER / "figures" / "figures.toml").read_text(encoding="utf-8"))


def _scenario(name: str) -> Scenario:
    return read_scenario(str(FOLDER / f"{name}.toml"), CARDS)


def test_every_position_has_its_figures() -> None:
    assert sorted(FIGURES) == sorted(file.stem for file in FOLDER.glob("*.toml"))
    assert len(FIGURES) >= 5


@pytest.mark.parametrize("name", sorted(FIGURES))
def test_the_tree_of_legal_actions_is_as_large_as_ever(name: str) -> None:
    scenario = _scenario(name)
    found = [leaves(scenario.position, scenario.cards, depth) for depth in (1, 2, 3)]
    assert found == FIGURES[name]


# The slow, separate enumeration: the whole space of actions, `check` alone to tell which are legal.


def _targets(row: str, titles: tuple[str, ...]) -> list[SpiritActionDone]:
    found: dict[str, list[SpiritActionDone]] = {
        "move": [Move(space) for space in SPACES],
        "invoke": [Invoke(title, slot) for title in titles for slot in SLOTS],
        "quell": [Quell(slot, title) for title in (None, *titles) for slot in SLOTS],
        "fortify": [Fortify(realm) for realm in REALMS],
        "empower": [Empower(slot) for slot in SLOTS],
    }
    return found[row]


def _small(scenario: Scenario) -> Catalogue:
    """The card data with no Mild titles but those of the position: an unknown card can be few things."""
    start = scenario.position
    named = {emotion.name for emotion in start.slots.values()}
    named.update(title for player in start.players.values() for title in player.hand)
    cards = scenario.cards
    few = {n: c for n, c in cards.cards.items() if c.strength != "mild" or n in named}
    return replace(cards, cards=few)


def _titles(position: Position, cards: Catalogue) -> tuple[str, ...]:
    hand, team = position.actor.hand, position.actor.team
    if HIDDEN not in hand:
        return tuple(dict.fromkeys(hand))
    return tuple(c.name for c in cards.cards.values() if c.team == team and c.strength == "mild")


def _whole_space(position: Position, cards: Catalogue) -> Iterator[Action]:
    """Everything that could be tried on the titles in hand; on every own title where a card is unknown."""
    yield from plain_space(position)
    titles = _titles(position, cards)
    places = [None, *(Place(title, space) for title in titles for space in (1, 2, 3, 4))]
    for row in ROWS:
        boards = product(places, subsets(tuple(u.name for u in CARDS.rows[row].upgrades)))
        for (place, upgrades), target in product(boards, _targets(row, titles)):
            if not (isinstance(target, Quell) and target.reveal and "extinguish" in upgrades):
                yield replace(target, upgrades=upgrades, place=place)


def _slow_leaves(position: Position, cards: Catalogue, depth: int) -> int:
    if depth == 0:
        return 1
    verdicts = (check(position, action, cards) for action in _whole_space(position, cards))
    return sum(_slow_leaves(v.after, cards, depth - 1) for v in verdicts if v.after is not None)


@pytest.mark.parametrize("name", sorted(FIGURES))
def test_a_slow_enumeration_of_all_actions_finds_the_same(name: str) -> None:
    scenario = _scenario(name)
    few, depth = _small(scenario), {"last-turns": 3, "empower": 1}.get(name, 2)
    assert _slow_leaves(scenario.position, few, depth) == leaves(scenario.position, few, depth)


def test_the_stored_figures_are_those_of_the_slow_enumeration() -> None:
    scenario = _scenario("revelation")
    assert _slow_leaves(scenario.position, scenario.cards, 2) == FIGURES["revelation"][1]


# The command


def test_the_figures_by_first_action_add_up() -> None:
    scenario = _scenario("revelation")
    parts = divided(scenario.position, scenario.cards, 2)
    assert [len(parts), sum(count for _, _, count in parts)] == FIGURES["revelation"][:2]


def test_no_action_at_all_is_one_line() -> None:
    scenario = _scenario("duel")
    assert leaves(scenario.position, scenario.cards, 0) == 1


def test_the_command_tells_each_first_action_and_the_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "--depth", "2", str(FOLDER / "last-turns.toml")]) == 0
    *lines, total = capsys.readouterr().out.splitlines()
    assert len(lines) == FIGURES["last-turns"][0]
    assert sum(int(line.split()[0]) for line in lines) == FIGURES["last-turns"][1]
    assert any("Diana moves" in line for line in lines)
    assert total == f"depth 2: {FIGURES['last-turns'][1]} leaves below {len(lines)} actions"


def test_the_command_writes_json() -> None:
    out, err = io.StringIO(), io.StringIO()
    assert perft(FOLDER / "last-turns.toml", 1, as_json=True, out=out, err=err) == 0
    *lines, total = [json.loads(line) for line in out.getvalue().splitlines()]
    assert {"do": {"action": "valley"}, "leaves": 1} in lines
    assert total == {"depth": 1, "actions": len(lines), "leaves": len(lines)}


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "--depth", "1", str(tmp_path / "none.toml")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("depth", ["0", "-1", "x", "1.5", "²"])
def test_a_depth_that_is_none_is_one_line(depth: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["perft", "--depth", depth, str(FOLDER / "duel.toml")])
    assert ended.value.code == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "--depth" in err
