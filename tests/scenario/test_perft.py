"""`companion perft`: stored figures, the same ones by a slow enumeration, and the command."""

import io
import json
import tomllib
from pathlib import Path

import pytest

from companion.cli import main
from companion.rules.engine import legal_actions
from companion.scenario.files import Scenario, read_scenario
from companion.scenario.perft import divided, leaves, perft
from tests.strategies import CARDS
from tests.whole_space import nameable, slow_leaves, slow_legal, strangers

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


@pytest.mark.parametrize("name", sorted(FIGURES))
def test_a_slow_enumeration_finds_the_same_actions_with_the_same_ends(name: str) -> None:
    scenario = _scenario(name)
    position, cards = scenario.position, scenario.cards
    listed = [(repr(action), verdict.after) for action, verdict in legal_actions(position, cards)]
    titles = nameable(position, cards) + strangers(position, cards)
    found = {repr(action): after for action, after in slow_legal(position, cards, titles)}
    assert len(listed) == len(dict(listed)) == FIGURES[name][0]
    assert dict(listed) == found


@pytest.mark.parametrize("name", sorted(FIGURES))
def test_a_slow_enumeration_of_all_actions_finds_the_stored_figures(name: str) -> None:
    scenario = _scenario(name)
    known: dict[str, int] = {}
    # A hand that can be any of a deck's titles takes this count half a minute at depth 3.
    depths = (1, 2) if name == "unknown-hand" else (1, 2, 3)
    found = [slow_leaves(scenario.position, scenario.cards, depth, known) for depth in depths]
    assert found == FIGURES[name][: len(depths)]


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
