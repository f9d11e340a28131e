"""One game: what is accepted, taken back, done again, asked twice, asked too late, and gone on with."""

import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion import content
from companion.rules.position import Position
from companion.scenario.notation import action_from, position_from
from companion.session.journal import FILE, Journal
from companion.session.session import Command, Session
from tests.session.scripted import first, play, script

CARDS = content.catalogue()
MOVE = {"action": "move", "to": "valley-cradle"}
BACK = {"action": "move", "to": "valley"}
TOO_FAR = {"action": "move", "to": "land"}


def go_on(folder: Path, start: Any = first) -> Session:
    return Session(Journal(folder), CARDS, start, now_ms=1)


def close(session: Session) -> None:
    session._journal.close()


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    session = go_on(tmp_path)
    yield session
    close(session)


def do(session: Session, action: dict[str, Any], **more: Any) -> Any:
    return session.do(action_from(action), at_ms=5, **more)


def test_a_first_game_is_set_up_and_counts_as_step_one(session: Session) -> None:
    assert session.seq == 1
    assert session.position == first()
    assert session.history() == ()


def test_an_accepted_action_counts_and_is_told(session: Session) -> None:
    outcome = do(session, MOVE)
    assert (outcome.verdict, outcome.seq, outcome.changed) == ("legal", 2, True)
    assert outcome.cost.willpower == 1
    assert session.position.players["diana"].at == "valley-cradle"
    (step,) = session.history()
    assert (step.seq, step.player, step.cost, step.undone) == (2, "diana", {"willpower": 1}, False)
    assert step.message == outcome.message == "Diana moves to the Valley-Cradle Frontier"


def test_a_refused_action_changes_nothing(session: Session) -> None:
    outcome = do(session, TOO_FAR)
    assert outcome.verdict == "illegal"
    assert outcome.rules
    assert not outcome.changed
    assert (session.seq, session.position) == (1, first())


def test_undo_and_redo_are_exact_and_count_up(session: Session) -> None:
    positions = [session.position]
    for action in (MOVE, BACK, MOVE):
        do(session, action)
        positions.append(session.position)

    assert session.undo(2, at_ms=6).seq == 5
    assert session.position == positions[1]
    assert session.redo(1, at_ms=7).seq == 6
    assert session.position == positions[2]
    assert session.undo(2, at_ms=8).seq == 7
    assert session.position == positions[0]
    assert (session.undoable, session.redoable) == (0, 3)
    assert [step.undone for step in session.history()] == [True, True, True]
    assert [step.seq for step in session.history()] == [2, 3, 4]


def test_undo_goes_no_further_than_there_are_steps_and_then_does_none(session: Session) -> None:
    do(session, MOVE)
    before = session.position
    outcome = session.undo(2, at_ms=6)
    assert outcome.verdict == "illegal"
    assert outcome.message == "There is 1 step to take back, not 2."
    assert session.position == before
    assert session.redo(1, at_ms=7).message == "There is nothing to do again."


def test_something_new_after_an_undo_ends_what_could_be_redone(session: Session) -> None:
    do(session, MOVE)
    session.undo(at_ms=6)
    do(session, {"action": "move", "to": "willow-valley"})
    assert session.redoable == 0
    assert [step.seq for step in session.history()] == [4]


def test_a_set_up_begins_a_new_game_and_keeps_the_old_one(tmp_path: Path) -> None:
    session = go_on(tmp_path)
    do(session, MOVE)
    start = position_from(content.starts()["empower-example"].data, CARDS)
    assert session.setup(start, at_ms=9).seq == 3
    assert session.position == start
    assert session.undo(at_ms=10).verdict == "illegal"
    close(session)

    with closing(Journal(tmp_path)) as journal:
        assert [entry.kind for entry in journal.entries(1)] == ["setup", "do"]
        assert [entry.kind for entry in journal.entries(2)] == ["setup"]
    session = go_on(tmp_path)
    assert session.position == start
    close(session)


def test_a_command_asked_twice_is_done_once(session: Session) -> None:
    by = Command("tablet", "7")
    one = do(session, MOVE, by=by)
    two = do(session, MOVE, by=by)
    assert two.again
    assert (two.verdict, two.message, two.seq) == (one.verdict, one.message, one.seq)
    assert session.seq == 2
    assert not do(session, BACK, by=Command("phone", "7")).again  # Another client's 7 is another command.


def test_a_command_asked_twice_is_done_once_over_a_restart(tmp_path: Path) -> None:
    session = go_on(tmp_path)
    done = do(session, MOVE, by=Command("tablet", "7"))
    undone = session.undo(at_ms=6, by=Command("tablet", "8"))
    refused = do(session, TOO_FAR, by=Command("tablet", "9"))
    close(session)

    session = go_on(tmp_path)
    assert do(session, MOVE, by=Command("tablet", "7")).message == done.message
    assert session.undo(at_ms=6, by=Command("tablet", "8")).message == undone.message
    again = do(session, MOVE, by=Command("tablet", "9"))  # Whatever it says now: it was answered.
    assert (again.verdict, again.message, again.rules) == (refused.verdict, refused.message, refused.rules)
    assert session.seq == 3
    close(session)


def test_a_command_meant_for_an_older_game_is_stale(session: Session) -> None:
    do(session, MOVE)
    outcome = do(session, BACK, by=Command("tablet", "1", base=1))
    assert outcome.verdict == "illegal"
    assert outcome.message == "Stale: meant for step 1, the game is at 2. Look, then ask again."
    assert do(session, BACK, by=Command("tablet", "2", base=2)).changed


def test_a_command_older_than_ten_seconds_is_stale(session: Session) -> None:
    late = session.do(action_from(MOVE), at_ms=20_001, by=Command("tablet", "1", sent_ms=10_000))
    assert late.verdict == "illegal"
    assert late.message.startswith("Stale: sent 10 s ago")
    assert session.do(action_from(MOVE), at_ms=20_000, by=Command("tablet", "2", sent_ms=10_000)).changed


def test_a_repeated_command_is_answered_even_when_it_is_late(session: Session) -> None:
    by = Command("tablet", "1", base=1, sent_ms=0)
    assert session.do(action_from(MOVE), at_ms=5, by=by).changed
    again = session.do(action_from(MOVE), at_ms=99_999, by=by)
    assert again.verdict == "legal"
    assert again.again


def test_what_cannot_be_stored_is_not_accepted_and_the_game_goes_on(session: Session) -> None:
    do(session, MOVE)
    pages = session._journal._db.execute("PRAGMA page_count").fetchone()[0]
    session._journal._db.execute(f"PRAGMA max_page_count = {pages}")
    before = session.position
    outcome = None
    for _ in range(500):  # Until the free room of the last pages is used up.
        there = session.position
        outcome = do(session, BACK if session.position.players["diana"].at != "valley" else MOVE)
        if outcome.verdict == "illegal":
            outcome = session.setup(before, at_ms=9)
        if outcome.verdict == "error":
            break
    assert outcome is not None
    assert outcome.verdict == "error"
    assert "the storage is full" in outcome.message
    assert session.position == there

    session._journal._db.execute("PRAGMA max_page_count = 100000")
    assert session.setup(before, at_ms=10).changed


def long_game(folder: Path, things: int) -> Position:
    session = go_on(folder)
    for number in range(1, things + 1):
        assert play(session, number).changed, script(number)
    position = session.position
    close(session)
    return position


def test_a_long_game_is_gone_on_with_in_well_under_three_seconds(tmp_path: Path) -> None:
    position = long_game(tmp_path, 1200)
    began_s = time.monotonic()
    session = go_on(tmp_path)
    assert time.monotonic() - began_s < 1.0
    assert session.position == position
    assert session.seq == 1201

    began_s = time.monotonic()
    assert session.undo(session.undoable, at_ms=1).changed
    assert time.monotonic() - began_s < 3.0
    assert session.position == first()
    close(session)


def test_without_stored_positions_the_game_is_played_again_from_its_actions(tmp_path: Path) -> None:
    position = long_game(tmp_path, 120)
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("DELETE FROM snapshots")
        db.commit()
    session = go_on(tmp_path)
    assert session.position == position
    assert session.notices == ()
    close(session)


def test_a_stored_position_that_cannot_be_read_is_played_again_from_its_actions(tmp_path: Path) -> None:
    position = long_game(tmp_path, 10)
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("UPDATE snapshots SET position = '{\"players\": 3}'")
        db.commit()
    session = go_on(tmp_path)
    assert session.position == position
    close(session)


def test_an_old_game_played_under_other_rules_stands_and_its_old_steps_are_not_guessed(
    tmp_path: Path,
) -> None:
    session = go_on(tmp_path)
    do(session, MOVE)
    do(session, BACK)
    session.keep_position()
    position = session.position
    close(session)
    # As if the rules of then had allowed what those of now refuse.
    with closing(Journal(tmp_path)) as journal:
        (start, step, last) = journal.entries(1)
        changed = replace(step, body=json.dumps(TOO_FAR))
        journal._db.execute(
            "UPDATE entries SET body = ?, crc = ? WHERE seq = ?", (changed.body, changed.crc, step.seq)
        )
    assert (start.seq, last.seq) == (1, 3)
    session = go_on(tmp_path)
    assert session.position == position
    outcome = session.undo(1, at_ms=1)
    assert outcome.verdict == "illegal"
    assert "other rules" in outcome.message
    assert session.position == position
    assert session.undo(2, at_ms=1).changed  # The very start is stored.
    assert session.position == first()
    close(session)
