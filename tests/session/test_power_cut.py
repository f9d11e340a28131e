"""The power fails at each single write of the journal: nothing accepted is lost, and the game opens."""

import errno
import os
import random
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion import content
from companion.files import write_whole
from companion.session.copies import Copies
from companion.session.journal import FILE, Journal
from companion.session.lines import dump
from companion.session.session import Session
from tests.session.crashing import Op, power_cuts, recorded
from tests.session.scripted import first, play

CARDS = content.catalogue()


def test_a_power_cut_at_each_write_loses_nothing_that_was_accepted(tmp_path: Path) -> None:
    after, acknowledged = [], []
    with recorded() as disk, closing(Journal(tmp_path / "played")) as journal:
        # Small, so that the log is written back into the file several times within the game.
        journal._db.execute("PRAGMA wal_autocheckpoint = 8")
        session = Session(journal, CARDS, first, now_ms=0)
        for number in range(9):
            if number:
                assert play(session, number).changed
            after.append((session.seq, session.position))
            acknowledged.append(len(disk.ops))
        ops = list(disk.ops)
    assert {op.file for op in ops} >= {FILE, f"{FILE}-wal"}
    assert sum(op.file == FILE for op in ops) > 10
    images = 0
    for what, changes, image in power_cuts(ops, acknowledged, random.Random(1)):  # noqa: S311 - no secret
        folder = tmp_path / str(images)
        images += 1
        image.put(folder)
        with closing(Journal(folder)) as journal:
            session = Session(journal, CARDS, first, now_ms=0)
            # What was in work may be there too, though nobody was told.
            possible = after[max(0, changes - 1) : changes + 1] or after[:1]
            assert (session.seq, session.position) in possible, what
            assert session.notices == (), what
            assert play(session, session.seq).changed, what
    assert images > 200


@pytest.mark.parametrize("trouble", [errno.ENOSPC, errno.EIO, errno.EROFS])
def test_a_disk_that_refuses_from_any_write_on_is_said_and_the_game_stands(
    tmp_path: Path, trouble: int
) -> None:
    refused = 0
    for room in range(12):
        folder = tmp_path / str(room)
        with recorded() as disk, closing(Journal(folder)) as journal:
            session = Session(journal, CARDS, first, now_ms=0)
            assert play(session, 1).changed
            before = session.seq, session.position
            disk.room, disk.trouble = room, trouble
            outcomes = [play(session, number) for number in (2, 3)]
            disk.room = None
            stored = [outcome for outcome in outcomes if outcome.changed]
            for outcome in outcomes:
                if not outcome.changed and outcome.verdict == "error":
                    refused += 1
                    assert "not saved, so it does not count" in outcome.message
                    assert "\n" not in outcome.message
                    if trouble == errno.ENOSPC:
                        assert "the storage is full" in outcome.message
            assert session.seq == before[0] + len(stored)
            # With room again the game goes on at once.
            assert play(session, 2).verdict in ("legal", "illegal")
            now = session.seq, session.position
        with closing(Journal(folder)) as journal:
            session = Session(journal, CARDS, first, now_ms=0)
            assert (session.seq, session.position) == now
            assert session.notices == ()
    assert refused > 3


def test_a_full_disk_at_the_start_is_one_line(tmp_path: Path) -> None:
    said = []
    for room in range(30):
        with recorded() as disk:
            disk.room = room
            try:
                with closing(Journal(tmp_path / str(room))) as journal:
                    Session(journal, CARDS, first, now_ms=0)
            except OSError as error:
                said.append(str(error))
        with closing(Journal(tmp_path / str(room))) as journal:
            session = Session(journal, CARDS, first, now_ms=0)
            assert session.position == first()
            assert session.notices == ()
    assert len(said) > 5
    assert all("\n" not in line for line in said)
    assert all("free" in line or "games can't be saved here" in line for line in said)


# Files that are written whole


CALLS = ("fsync", "replace", "unlink", "open", "close")


@pytest.mark.parametrize("write", ["registry", "copy"])
def test_a_cut_at_any_step_of_writing_a_file_leaves_the_old_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: str
) -> None:
    path = tmp_path / ("tags.csv" if write == "registry" else "games/0001.toml")
    cut = 0
    for count in range(20):
        write_whole(path, b"old")
        with monkeypatch.context() as patch:
            left = [count]
            for name in CALLS:
                patch.setattr(os, name, _cutting(getattr(os, name), left))
            try:
                write_whole(path, b"new" * 1000)
            except PowerCutError:
                cut += 1
        assert path.read_bytes() in (b"old", b"new" * 1000)
    assert cut >= 3
    assert [file.name for file in path.parent.iterdir() if file.is_file()] == [path.name]


class PowerCutError(BaseException):
    """Nothing of the program runs after it."""


def _cutting(call: Callable[..., Any], left: list[int]) -> Callable[..., Any]:
    def cut(*args: Any, **kwargs: Any) -> Any:
        if left[0] <= 0:
            raise PowerCutError
        left[0] -= 1
        return call(*args, **kwargs)

    return cut


def test_the_recorder_sees_what_is_written(tmp_path: Path) -> None:
    with recorded() as disk, closing(Journal(tmp_path)) as journal:
        Session(journal, CARDS, first, now_ms=0)
    assert any(isinstance(op, Op) and op.data and b"diana" in op.data for op in disk.ops)
    assert dump(first()).encode() in (tmp_path / FILE).read_bytes()
    assert Copies(tmp_path).all() == ((), ())
