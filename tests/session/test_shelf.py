"""Many games: named, listed, gone on with, branched off, given out, taken in, deleted when confirmed."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion import content
from companion.scenario.notation import position_to
from companion.session.copies import FOLDER, Copies
from companion.session.journal import Journal
from companion.session.session import Session
from tests.session.desk import Desk
from tests.session.scripted import START, first, play

MOVE = {"action": "move", "to": "valley-cradle"}
BACK = {"action": "move", "to": "valley"}
END = {"action": "end-turn", "gain": "cards"}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    desk.connect()
    ask(desk, setup=START)
    yield desk
    desk.close()


_ids = iter(range(1_000_000))


def ask(desk: Desk, **command: Any) -> dict[str, Any]:
    reply = desk.ask_for(id=f"t{next(_ids)}", **command)
    desk.see_fields()
    return reply


def games(desk: Desk, action: str, **values: Any) -> dict[str, Any]:
    return ask(desk, games={"action": action, **values})


def test_the_list_has_every_game_the_one_played_last_first(desk: Desk) -> None:
    ask(desk, do=MOVE)
    games(desk, "name", name="Sunday")
    listed = games(desk, "list")
    assert [(game["game"], game["name"], game["current"]) for game in listed["games"]] == [
        (2, "Sunday", True),
        (1, "", False),
    ]
    assert listed["games"][0]["actions"] == 1
    assert listed["more"] is False


def test_a_game_is_gone_on_with_days_later_where_it_stood_with_its_undo(desk: Desk) -> None:
    ask(desk, do=MOVE)
    ask(desk, do=END)
    before = position_to(desk.session.position)
    ask(desk, setup=START)
    ask(desk, do=MOVE)
    reply = games(desk, "open", game=2)
    assert (reply["verdict"], reply["message"]) == ("legal", "Game 2 is open again.")
    assert position_to(desk.session.position) == before
    assert desk.state["undo"] == 2
    assert desk.state["seq"] == reply["seq"]
    assert ask(desk, undo=2)["verdict"] == "legal"
    assert desk.session.position == first()
    assert ask(desk, redo=2)["verdict"] == "legal"
    desk.close()
    again = Desk(desk.journal.folder)
    assert position_to(again.session.position) == before
    assert again.session.game == 2
    again.close()


def test_the_virtual_table_is_laid_anew_for_the_game_that_is_opened(desk: Desk) -> None:
    games(desk, "open", game=1)
    assert desk.state["table_ok"]
    assert desk.emotion("valley.1")[0] == "kindness"


def test_playing_on_from_a_step_leaves_the_old_line_as_it_was(desk: Desk) -> None:
    first_move = ask(desk, do=MOVE)["seq"]
    ask(desk, do=END)
    reply = games(desk, "branch", game=2, seq=first_move, name="What if")
    assert reply["message"] == "Game 2 is played on from after its step 1, as a game of its own."
    assert desk.state["undo"] == 1
    assert desk.session.position.turn.player == "diana"
    assert ask(desk, do=BACK)["verdict"] == "legal"
    new, old, _ = games(desk, "list")["games"]
    assert (new["name"], new["parent"], new["parent_steps"], new["actions"]) == ("What if", 2, 1, 2)
    assert (old["game"], old["actions"]) == (2, 2)
    games(desk, "open", game=2)
    assert desk.session.position.turn.player == "otto"


def test_a_step_that_was_taken_back_can_be_played_on_from(desk: Desk) -> None:
    gone = ask(desk, do=MOVE)["seq"]
    ask(desk, undo=1)
    ask(desk, do=END)
    steps = games(desk, "steps", game=2)["steps"]
    assert [step["kind"] for step in steps] == ["setup", "do", "undo", "do"]
    games(desk, "branch", game=2, seq=gone)
    assert desk.session.position.players["diana"].at == "valley-cradle"


def test_a_game_goes_out_as_a_file_and_comes_back_the_same(desk: Desk) -> None:
    ask(desk, do=MOVE)
    ask(desk, do=END)
    ask(desk, undo=1)
    games(desk, "name", name="Sunday")
    before = position_to(desk.session.position)
    text = games(desk, "export")["file"]
    assert text.startswith('title = "Sunday"\n')
    ask(desk, setup=START)
    reply = games(desk, "import", file=text)
    assert (reply["verdict"], reply["message"]) == ("legal", "Sunday is taken in, 1 steps.")
    assert position_to(desk.session.position) == before
    assert ask(desk, undo=1)["verdict"] == "legal"


@pytest.mark.parametrize(
    ("request_", "problem"),
    [
        ({"action": "burn"}, "games.action: one of list, steps"),
        ({"action": "open", "game": 99}, "There is no game 99."),
        ({"action": "open", "game": "2"}, "games.game: must be a whole number"),
        ({"action": "branch", "seq": 99}, "Game 2 has no step 99"),
        ({"action": "name", "name": "two\nlines"}, "games.name: a text of at most"),
        ({"action": "import", "file": "title = "}, "file:1: "),
        ({"action": "import", "file": "version = 9\nmove = []"}, "version: 9 is of a later companion"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(
    desk: Desk, request_: dict[str, Any], problem: str
) -> None:
    seq = desk.session.seq
    reply = ask(desk, games=request_)
    assert reply["verdict"] == "error"
    assert problem in reply["message"]
    assert desk.session.seq == seq


def test_a_saved_game_with_an_illegal_step_names_it(desk: Desk) -> None:
    ask(desk, do=MOVE)
    text = games(desk, "export")["file"].replace("valley-cradle", "network")
    reply = games(desk, "import", file=text)
    assert reply["verdict"] == "error"
    assert reply["message"].startswith("file: move 1: ")


def test_a_game_is_deleted_only_when_confirmed_and_never_the_one_played(desk: Desk) -> None:
    ask(desk, do=MOVE)
    desk.session.keep_copy()
    ask(desk, setup=START)
    asked = games(desk, "delete", game=2)
    assert (asked["verdict"], asked["confirm"]) == ("illegal", True)
    assert asked["message"] == "Game 2, 1 actions, would be gone for good: confirm it."
    assert games(desk, "delete", game=3, confirm=True)["verdict"] == "illegal"
    copies = Copies(desk.journal.folder)
    assert [copy.game for copy in copies.all()[0]] == [1, 2]
    assert games(desk, "delete", game=2, confirm=True)["verdict"] == "legal"
    assert [game["game"] for game in games(desk, "list")["games"]] == [3, 1]
    assert [copy.game for copy in copies.all()[0]] == [1]
    seq = desk.session.seq
    desk.close()
    again = Desk(desk.journal.folder)
    assert (again.session.seq, again.session.game, again.session.notices) == (seq, 3, ())
    again.close()


def test_a_command_for_the_games_counts_once_also_after_a_restart(desk: Desk) -> None:
    ask(desk, do=MOVE)
    command: dict[str, Any] = {"id": "once", "games": {"action": "open", "game": 1}}
    seq = desk.ask_for(**command)["seq"]
    assert desk.ask_for(**command)["seq"] == seq == desk.session.seq
    desk.close()
    again = Desk(desk.journal.folder)
    again.connect()
    assert again.ask_for(**command)["seq"] == seq == again.session.seq
    again.close()


def test_the_copy_is_a_saved_game_that_anyone_can_read(tmp_path: Path) -> None:
    with closing(Journal(tmp_path)) as journal:
        session = Session(journal, content.catalogue(), first, now_ms=0)
        play(session, 1)
        assert session.uncopied
        assert session.keep_copy() == ""
        assert not session.uncopied
    text = (tmp_path / FOLDER / "0001.toml").read_text()
    assert text.startswith('title = "Game 1"\nversion = 1\n')
    assert 'do = { action = "move", to = "valley-cradle" }' in text
