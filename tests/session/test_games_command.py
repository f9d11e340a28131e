"""`companion games`: what a shop or a player does with games when no app is open."""

import io
from contextlib import closing
from pathlib import Path

import pytest

from companion import cli, content
from companion.session.games_command import run
from companion.session.journal import FILE, Journal
from companion.session.session import Session
from tests.session.scripted import first, play


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two games, the second one with a name."""
    folder = tmp_path / "data"
    with closing(Journal(folder)) as journal:
        session = Session(journal, content.catalogue(), first, now_ms=1_000_000_000_000)
        for number in (1, 4):
            assert play(session, number).changed
        session.keep_copy()
        session.setup(first(), at_ms=1_000_000_060_000)
        journal.name_game(2, "Sunday")
    return folder


def games(data: Path, verb: str, *what: str, yes: bool = False) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    status = run(verb, what, data=data, yes=yes, now_ms=5, out=out, err=err)
    return status, out.getvalue(), err.getvalue()


def test_the_list_shows_which_is_played_when_and_how_long_it_is(data: Path) -> None:
    status, out, err = games(data, "list")
    assert (status, err) == (0, "")
    newest, oldest = out.splitlines()
    assert newest.startswith("*   2  2001-09-0")
    assert newest.endswith("0 actions  Sunday")
    assert oldest.endswith("2 actions")


def test_a_game_goes_into_a_file_that_replays_and_comes_back(data: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    assert games(data, "export", "1", str(file)) == (0, f"{file}: game 1, 2 steps\n", "")
    assert cli.main(["replay", str(file)]) == 0
    assert games(data, "export", "1")[1] == file.read_text()
    assert games(data, "import", str(file))[1] == f"{file}: taken in as game 3, 2 steps\n"
    listed = games(data, "list")[1].splitlines()
    assert [line[0:5] for line in listed] == ["*   2", "    3", "    1"]
    fresh = tmp_path / "fresh"
    assert games(fresh, "import", str(file))[0] == 0
    assert games(fresh, "list")[1].startswith("*   1")


def test_a_game_is_deleted_only_with_yes(data: Path) -> None:
    assert games(data, "delete", "1") == (
        2,
        "",
        "companion: game 1, 2 actions, would be gone for good: add --yes\n",
    )
    assert games(data, "delete", "2", yes=True)[2].startswith("companion: game 2 is the one that is played")
    assert games(data, "delete", "1", yes=True)[1] == "game 1 is deleted\n"
    assert len(games(data, "list")[1].splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("export",), "games export is written companion games export GAME [FILE]"),
        (("export", "9"), "there is no game 9: see companion games list"),
        (("export", "1", "/dev/null/x"), "can't be written (Not a directory)"),
        (("import", "nowhere.toml"), "nowhere.toml"),
        (("delete", "x"), "there is no game x"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_2(data: Path, words: tuple[str, ...], problem: str) -> None:
    status, out, err = games(data, *words)
    assert (status, out) == (2, "")
    assert problem in err
    assert err.count("\n") == 1


def test_a_folder_without_games_says_so_and_stays_empty(tmp_path: Path) -> None:
    assert games(tmp_path, "list")[0] == 0
    assert games(tmp_path, "export", "1")[0] == 2
    assert not (tmp_path / FILE).exists()


def test_a_folder_that_an_app_plays_in_is_left_alone(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(Journal(data)):
        assert cli.main(["games", "list", "--data", str(data)]) == 2
    assert "another companion is running with this data folder" in capsys.readouterr().err


def test_a_damaged_journal_is_said_and_its_games_are_listed(data: Path) -> None:
    (data / FILE).write_bytes(b"rubbish" * 1000)
    status, out, err = games(data, "list")
    assert status == 0
    assert "set aside as" in err
    assert out.splitlines()[0].endswith("2 actions")
