"""Whatever happens to the files of a data folder: the games are there, to the last step that can be had."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion import content
from companion.scenario.notation import position_to
from companion.session.copies import Copies
from companion.session.journal import FILE, Journal
from companion.session.session import Session
from tests.session.scripted import first, play

CARDS = content.catalogue()
VECTORS = Path(__file__).parent / "vectors"


def opened(folder: Path, now_ms: int = 9_000) -> Session:
    """Take up the games of a folder, and let go of it at once."""
    with closing(Journal(folder, now_ms=now_ms)) as journal:
        return Session(journal, CARDS, first, now_ms=now_ms)


def played(folder: Path, numbers: range, *, games: int = 1, copied_at: int = 0) -> Session:
    """Play some games, of which the last gets a copy after its `copied_at`-th thing to do."""
    with closing(Journal(folder)) as journal:
        session = Session(journal, CARDS, first, now_ms=1_000)
        for game in range(games):
            if game:
                session.setup(first(), at_ms=2_000)
            for number in numbers:
                # As a command of nobody: the same things are done in each game.
                assert play_alone(session, number)
                if number == copied_at:
                    session.keep_copy()
        return session


def play_alone(session: Session, number: int) -> bool:
    outcome = play(session, number + 10_000 * session.game)
    return outcome.changed


def steps(session: Session) -> list[str]:
    return [entry.body for entry in session.line]


def test_a_journal_of_the_first_format_is_brought_up_to_date(tmp_path: Path) -> None:
    shutil.copy(VECTORS / "journal-1.sqlite3", tmp_path / FILE)
    with closing(Journal(tmp_path)) as journal:
        session = Session(journal, CARDS, first, now_ms=0)
        assert session.notices == ()
        assert [(kept.game, kept.actions) for kept in journal.games()] == [(2, 1), (1, 4)]
        assert session.undoable == 1
        assert session.open(1, at_ms=0).changed
        assert (session.undoable, session.redoable) == (3, 1)
        assert session.redo(at_ms=0).changed
        version = journal._db.execute("PRAGMA user_version").fetchone()[0]
        violations = journal._db.execute("PRAGMA foreign_key_check").fetchall()
    assert (version, violations) == (2, [])


def test_a_journal_that_is_gone_comes_back_from_the_copies(tmp_path: Path) -> None:
    before = played(tmp_path, range(1, 6), games=3, copied_at=5)
    (tmp_path / FILE).unlink()
    session = opened(tmp_path)
    assert len(session.notices) == 3
    assert all("is taken from the copy" in notice for notice in session.notices)
    assert session.position == before.position
    assert session.seq > before.seq
    assert steps(session)[1:] == steps(before)[1:]
    assert opened(tmp_path).notices == ()


def test_rubbish_in_place_of_the_journal_costs_nothing_where_there_are_copies(tmp_path: Path) -> None:
    before = played(tmp_path, range(1, 6), copied_at=5)
    (tmp_path / FILE).write_bytes(b"rubbish" * 1000)
    session = opened(tmp_path)
    assert "set aside as journal.damaged-1970-01-01-000009.sqlite3" in session.notices[0]
    assert session.position == before.position


def test_steps_that_were_only_in_a_lost_log_come_back_from_the_copy(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    with closing(Journal(source)) as journal:
        session = Session(journal, CARDS, first, now_ms=0)
        for number in (1, 2):
            play(session, number)
        journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        play(session, 3)
        play(session, 4)
        session.keep_copy()
        target.mkdir()
        shutil.copy(source / FILE, target)  # as somebody does who does not know of the log
        shutil.copytree(source / "games", target / "games")
        position = session.position
    found = opened(target)
    assert found.position == position
    [notice] = found.notices
    assert "steps of game 1 are taken from" in notice or "is taken from the copy" in notice


@pytest.mark.parametrize("copied", [False, True])
def test_a_journal_cut_off_anywhere_opens_and_says_what_it_lost(tmp_path: Path, *, copied: bool) -> None:
    before = played(tmp_path / "whole", range(1, 41), copied_at=40 if copied else 0)
    whole = (tmp_path / "whole" / FILE).read_bytes()
    assert len(whole) > 40_000
    for kept in range(0, len(whole), 4096):
        folder = tmp_path / str(kept)
        shutil.copytree(tmp_path / "whole", folder)
        (folder / FILE).write_bytes(whole[: kept + 100])
        session = opened(folder)
        assert "damaged" in session.notices[0]
        if copied:
            assert session.position == before.position
            assert steps(session) == steps(before)
        else:
            # Its front, or the newest position that was kept, or nothing but a new game.
            kept_on = session.position == before.position
            assert kept_on or steps(session) == steps(before)[: len(session.line)]
        again = opened(folder)
        assert (again.notices, again.position) == ((), session.position)


def test_a_bad_sector_in_the_middle_costs_nothing_where_there_is_a_copy(tmp_path: Path) -> None:
    before = played(tmp_path, range(1, 41), copied_at=40)
    path = tmp_path / FILE
    data = bytearray(path.read_bytes())
    at = data.find(b"Otto ends the turn")
    data[at + 2] ^= 0x01
    path.write_bytes(data)
    session = opened(tmp_path)
    assert "does not fit its checksum" in session.notices[0]
    assert session.position == before.position
    assert steps(session) == steps(before)
    assert session.game == before.game


def test_an_entry_that_is_missing_is_found(tmp_path: Path) -> None:
    played(tmp_path, range(1, 11))
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute("DELETE FROM entries WHERE seq = 5")
        db.commit()
    session = opened(tmp_path)
    assert "before entry 6 something is missing" in session.notices[0]


def test_without_a_copy_the_newest_position_that_was_kept_is_gone_on_from(tmp_path: Path) -> None:
    before = played(tmp_path, range(1, 41))
    path = tmp_path / FILE
    data = bytearray(path.read_bytes())
    data[data.find(b"Otto ends the turn") + 2] ^= 0x01
    path.write_bytes(data)
    session = opened(tmp_path)
    assert position_to(session.position) == position_to(before.position)
    assert "goes on from the position that was kept after step" in session.notices[-1]
    assert session.seq > before.seq
    assert session.undoable == 0
    assert opened(tmp_path).notices == ()


def test_an_older_game_that_is_damaged_leaves_the_one_played_alone(tmp_path: Path) -> None:
    before = played(tmp_path, range(1, 6), games=2)
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("UPDATE entries SET message = 'x' WHERE game = 1 AND step = 3")
        db.commit()
    with closing(Journal(tmp_path)) as journal:
        session = Session(journal, CARDS, first, now_ms=0)
        assert session.notices == ()
        assert session.position == before.position
        outcome = session.open(1, at_ms=0)
        assert outcome.verdict == "illegal"
        assert outcome.message.startswith("Game 1 is damaged (entry 4 does not fit its checksum)")


def test_all_games_of_a_damaged_journal_are_saved_not_the_last_alone(tmp_path: Path) -> None:
    before = played(tmp_path, range(1, 11), games=3)
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("UPDATE entries SET message = 'x' WHERE seq = ?", (before.seq,))
        db.commit()
    with closing(Journal(tmp_path)) as journal:
        assert "3 games were saved from it" in journal.notices[1]
        assert [kept.game for kept in journal.games()] == [3, 2, 1]


@pytest.mark.parametrize("damage", ["cut", "flipped", "no line", "not text"])
def test_a_damaged_copy_is_named_and_never_used(tmp_path: Path, damage: str) -> None:
    before = played(tmp_path, range(1, 6), copied_at=5)
    path = Copies(tmp_path).path(1)
    data = path.read_bytes()
    path.write_bytes(
        {
            "cut": data[:-200],
            "flipped": data.replace(b"willpower = 9000", b"willpower = 9001", 1),
            "no line": data.rsplit(b"\n", 2)[0],
            "not text": b"\xff\xfe",
        }[damage]
    )
    (tmp_path / FILE).unlink()
    session = opened(tmp_path)
    [notice] = session.notices
    assert "0001.toml: this copy of a game is damaged and not used" in notice
    assert session.position == first()
    assert before.position != first()


def test_a_copy_of_later_rules_is_taken_as_far_as_it_can_be_played(tmp_path: Path) -> None:
    played(tmp_path, range(1, 6), copied_at=5)
    copies = Copies(tmp_path)
    [copy], _ = copies.all()
    text = copy.text.replace('gain = "cards"', 'gain = "gold"')
    copies.keep(copy.game, copy.seq, copy.started_ms, text)
    (tmp_path / FILE).unlink()
    session = opened(tmp_path)
    assert "this copy of a game is not used" in session.notices[0]
    copies.keep(1, 100, 0, copy.text.replace('"valley-cradle"', '"network"'))
    session = opened(tmp_path)
    assert any("up to step 0 (move 1: " in notice for notice in session.notices)


def test_a_copy_that_cannot_be_written_is_said_and_the_game_goes_on(tmp_path: Path) -> None:
    (tmp_path / "games").write_text("in the way")
    with closing(Journal(tmp_path)) as journal:
        session = Session(journal, CARDS, first, now_ms=0)
        play(session, 1)
        assert "no copy of the game" in session.keep_copy()
        assert not session.uncopied  # tried again only when the game has moved on
        assert play(session, 4).changed
        assert session.uncopied
