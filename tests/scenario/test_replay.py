"""Saved games: written, read by people, replayed to the same end; `companion replay`."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cli import main
from companion.rules.position import Emotion, Mode
from companion.scenario.errors import ScenarioError
from companion.scenario.notation import action_from, action_to
from companion.scenario.random_play import assumed
from companion.scenario.replay import replayed
from companion.scenario.saved import SavedGame, game_from, game_text, position_text
from companion.scenario.simulate import Game, games
from tests.strategies import CARDS

PACK = {"suspicion": {"intensity": list(assumed(CARDS).cards["suspicion"].intensity or ())}}
SMALL = """title = "Two moves"
version = 1
[players.diana]
team = "bliss"
at = "valley"
willpower = 5
vibes = { move = ["red", "", "", ""] }
[players.otto]
team = "gloom"
[slots]
"valley.1" = { emotion = "kindness", essence = 2 }
[[move]]
do = { action = "move", to = "valley-cradle" }
after.players.diana = { at = "valley-cradle", willpower = 4 }
[[move]]
set = { teams.bliss.points = 2, slots = { "valley.1" = {}, "valley.2" = { emotion = "courage" } } }
after = { slots = { "valley.1" = {}, "valley.2" = { emotion = "courage", essence = 1 } } }
[[move]]
do = { action = "end-turn", gain = "cards" }
"""


def _saved(text: str) -> SavedGame:
    return game_from(text, "game.toml", CARDS)


def _file(tmp_path: Path, text: str) -> str:
    path = tmp_path / "game.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def _replays(game: Game) -> None:
    saved = _saved(game_text("A game by chance", game.start, game.steps, PACK))
    assert saved.start == game.start
    assert [move.do for move in saved.moves] == game.steps
    *_, last = replayed(saved)
    assert last.faults == ()
    assert last.position == game.position


@pytest.mark.parametrize("mode", ["full", "basic"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_saved_game_is_replayed_to_the_same_end(players: int, mode: Mode) -> None:
    for game in games(2, 11, mode, players, assumed(CARDS)):
        _replays(game)


@given(st.text(min_size=1), st.text(min_size=1))
def test_any_text_is_written_so_that_it_is_read_again(title: str, value: str) -> None:
    text = position_text({"title": title, "one": {value: value}, "list": ["", value], "flag": True})
    assert tomllib.loads(text) == {"title": title, "one": {value: value}, "list": ["", value], "flag": True}


def test_a_game_without_moves_is_a_game() -> None:
    saved = _saved(game_text("Nothing yet", _saved(SMALL).start, []))
    assert saved.moves == ()
    assert list(replayed(saved)) == []


def test_the_command_tells_the_game_and_its_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", _file(tmp_path, SMALL)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0] == "Two moves"
    assert lines[1].endswith("Diana")
    assert lines[2].startswith("    1. Diana moves")
    assert lines[2].endswith("(1 Willpower)")
    assert lines[3] == (
        "    2. Diana puts the table right: Bliss: 2 on the Wheel; left Valley slot: nothing; "
        "right Valley slot: Courage with 1 Essence"
    )
    assert lines[4].startswith("    3. Diana ends the turn")
    assert "nothing" not in lines[4]
    assert "3 moves; the position afterwards:" in lines
    shown = out[out.index("afterwards:\n") + len("afterwards:\n") :]
    *_, last = replayed(_saved(SMALL))
    assert _saved(shown.replace("mode =", "version = 1\nmove = []\nmode =", 1)).start == last.position


def test_a_move_that_is_not_legal_stops_the_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _file(tmp_path, SMALL.replace('to = "valley-cradle"', 'to = "land"'))
    assert main(["replay", path]) == 1
    out, err = capsys.readouterr()
    assert err.startswith(f"{path}: move 1: illegal: ")
    assert "R-MOVE-1" in err
    assert err.count("\n") == 1
    assert "2." not in out


def test_a_move_that_ends_otherwise_than_stated_stops_the_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", _file(tmp_path, SMALL.replace("willpower = 4", "willpower = 3"))]) == 1
    assert "move 1: players.diana.willpower: 3 expected, 4 found" in capsys.readouterr().err


def test_what_was_entered_and_can_not_be_stops_the_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = SMALL.replace('{ emotion = "courage" } }', '{ emotion = "courage", essence = 9 } }')
    assert main(["replay", _file(tmp_path, wrong)]) == 1
    assert "move 2: illegal: Courage has 3 Essence spaces, not 9. (R-DESIRE-3)" in capsys.readouterr().err


def test_an_adjustment_is_saved_with_its_reason_and_replayed() -> None:
    start = _saved(SMALL).start
    do = {
        "action": "adjust",
        "reason": "the power of Hope",
        "set": {"players": {"otto": {"willpower": 3}}, "slots": {"valley.1": {"essence": 1}}},
    }
    text = game_text("One adjustment", start, [action_from(do, CARDS)])
    saved = _saved(text)
    assert action_to(saved.moves[0].do) == do
    [done] = replayed(saved)
    assert done.faults == ()
    assert done.words.startswith("Diana puts the table right (the power of Hope): Otto: 3 Willpower")
    assert done.position.slots["valley.1"] == Emotion("kindness", 1)
    assert done.position.players["otto"].willpower == 3


def test_the_older_form_of_an_adjustment_is_still_read() -> None:
    """What was written as `set` before there was an action for it means the same."""
    older = _saved(SMALL)
    newer = _saved(
        SMALL.replace("set = {", 'do = { action = "adjust", set = {').replace(
            "} } }\nafter", "} } } }\nafter"
        )
    )
    assert [move.do for move in older.moves] == [move.do for move in newer.moves]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("version = 1", "version = 2", "game.toml:2: version: 2 is of a later companion"),
        ("version = 1\n", "", "game.toml:1: version: is missing"),
        ("version = 1", "version = 1\nvesion = 1", "game.toml:3: vesion: unknown key"),
        ('do = { action = "move",', 'do = { action = "mov",', "game.toml:13: move[1].do.action: "),
        ('do = { action = "end-turn"', 'dont = { action = "end-turn"', "game.toml:19: move[3].dont: unknown"),
        ("set = {", "set = { tems = 1,", "game.toml:16: move[2].set.tems: unknown key"),
        ('do = { action = "end-turn", gain = "cards" }', "after = {}", "move[3]: must have either do or set"),
        ("[[move]]", "[[move]", "game.toml:12: is not TOML"),
    ],
)
def test_a_file_at_fault_is_one_line_with_its_place(old: str, new: str, line: str) -> None:
    with pytest.raises(ScenarioError) as raised:
        _saved(SMALL.replace(old, new, 1))
    assert line in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("content", [b"\xff\xfe", b"x" * 4_000_001, None])
def test_a_file_that_can_not_be_read_is_one_line(
    tmp_path: Path, content: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.toml"
    if content is not None:
        path.write_bytes(content)
    assert main(["replay", str(path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(str(path))
