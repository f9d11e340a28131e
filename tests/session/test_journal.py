"""The journal: on disk before it counts, whole or not at all, never overwritten."""

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.session.entries import Entry
from companion.session.errors import (
    FolderInUse,
    FolderUnwritable,
    JournalTooNew,
    NotStored,
    SessionError,
    StorageFull,
)
from companion.session.journal import ANSWERS_KEPT, FILE, SNAPSHOT_EVERY, Journal


def entry(seq: int, kind: str = "do", **values: object) -> Entry:
    fields: dict[str, object] = {"game": 1, "body": f'{{"n":{seq}}}', "message": f"step {seq}"} | values
    return Entry(seq=seq, kind=kind, **fields)  # type: ignore[arg-type]


def filled(folder: Path, entries: int) -> Path:
    journal = Journal(folder)
    journal.append(entry(1, "setup"))
    for seq in range(2, entries + 1):
        journal.append(entry(seq))
        journal.keep_position(seq, f'{{"after":{seq}}}')
    journal.close()
    return folder / FILE


def test_what_was_appended_is_there_after_opening_again(tmp_path: Path) -> None:
    filled(tmp_path, 5)
    with closing(Journal(tmp_path)) as journal:
        assert journal.last_seq() == 5
        assert journal.current_game() == 1
        assert [step.message for step in journal.entries(1)] == [f"step {seq}" for seq in range(1, 6)]
        assert journal.snapshot(5) == '{"after":5}'
        assert journal.notices == ()


def test_only_the_newest_position_and_each_sixteenth_are_kept(tmp_path: Path) -> None:
    filled(tmp_path, 40)
    with closing(Journal(tmp_path)) as journal:
        kept = [seq for seq in range(1, 41) if journal.snapshot(seq) is not None]
    assert kept == [SNAPSHOT_EVERY - 1, 2 * SNAPSHOT_EVERY - 1, 40]


def test_a_number_is_never_used_twice(tmp_path: Path) -> None:
    filled(tmp_path, 3)
    with closing(Journal(tmp_path)) as journal:
        with pytest.raises(NotStored, match="not saved"):
            journal.append(entry(3, message="another"))
        assert journal.entries(1)[-1].message == "step 3"


def test_a_second_process_is_told_which_folder_is_taken_and_by_whom(tmp_path: Path) -> None:
    with closing(Journal(tmp_path)):
        code = (
            "import sys; from pathlib import Path\n"
            "from companion.session.journal import Journal\n"
            "try: Journal(Path(sys.argv[1]))\n"
            "except Exception as error: print(type(error).__name__, error)"
        )
        found = subprocess.run(
            [sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=True
        )
    assert found.stdout.startswith(f"FolderInUse {tmp_path}: another companion is running")
    assert f"process {os.getpid()}" in found.stdout


def test_the_folder_is_free_again_after_closing_and_after_a_failed_opening(tmp_path: Path) -> None:
    Journal(tmp_path).close()
    with closing(Journal(tmp_path)), pytest.raises(FolderInUse):
        Journal(tmp_path)
    Journal(tmp_path).close()


@pytest.fixture
def unwritable() -> Iterator[Path]:
    """A folder that this process may not write: as root, by taking another user's rights for a while."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o555)
    nobody = 65534
    if os.geteuid() == 0:
        os.seteuid(nobody)
    try:
        yield folder
    finally:
        if os.getuid() == 0:
            os.seteuid(0)
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_folder_that_cannot_be_written_is_named(unwritable: Path) -> None:
    with pytest.raises(FolderUnwritable, match=f"{unwritable}: games can't be saved here"):
        Journal(unwritable)


def test_a_journal_that_cannot_be_written_is_said_at_opening_and_left_alone(tmp_path: Path) -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        path = filled(folder, 3)
        before = path.read_bytes()
        (folder / "lock").chmod(0o666)
        path.chmod(0o444)
        folder.chmod(0o555)
        if os.geteuid() == 0:
            os.seteuid(65534)
        try:
            with pytest.raises(FolderUnwritable):
                Journal(folder)
        finally:
            if os.getuid() == 0:
                os.seteuid(0)
        assert path.read_bytes() == before
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)
    assert tmp_path.exists()


def test_a_folder_below_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FolderUnwritable, match=r"file.games: games can't be saved here \(Not a directory\)"):
        Journal(tmp_path / "file" / "games")


def test_a_full_disk_is_one_clear_line_and_nothing_is_lost(tmp_path: Path) -> None:
    filled(tmp_path, 3)
    with closing(Journal(tmp_path)) as journal:
        journal._db.execute(
            f"PRAGMA max_page_count = {journal._db.execute('PRAGMA page_count').fetchone()[0]}"
        )
        with pytest.raises(StorageFull, match=r"the storage is full.*free some space") as failed:
            journal.append(entry(4, body="x" * 100_000))
        assert "\n" not in str(failed.value)
        assert journal.last_seq() == 3
        journal._db.execute("PRAGMA max_page_count = 1000000")
        journal.append(entry(4))
    with closing(Journal(tmp_path)) as journal:
        assert journal.last_seq() == 4


def test_a_file_that_may_not_grow_is_one_clear_line_and_nothing_is_lost(tmp_path: Path) -> None:
    filled(tmp_path, 3)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with closing(Journal(tmp_path)) as journal:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
        try:
            with pytest.raises(NotStored, match="not saved, so it does not count"):
                journal.append(entry(4, body="x" * 200_000))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
            signal.signal(signal.SIGXFSZ, before)
        journal.append(entry(4))
        assert [step.seq for step in journal.entries(1)] == [1, 2, 3, 4]


def test_garbage_is_set_aside_and_a_new_journal_begun(tmp_path: Path) -> None:
    garbage = b"this was never a journal " * 500
    (tmp_path / FILE).write_bytes(garbage)
    with closing(Journal(tmp_path, now_ms=77)) as journal:
        (notice,) = journal.notices
        assert journal.last_seq() == 0
        journal.append(entry(1, "setup"))
    assert "damaged" in notice
    assert "journal.damaged-1970-01-01-000000.sqlite3" in notice
    assert "\n" not in notice
    assert (tmp_path / "journal.damaged-1970-01-01-000000.sqlite3").read_bytes() == garbage


def test_a_second_damaged_file_never_overwrites_the_first(tmp_path: Path) -> None:
    for content in (b"one" * 999, b"two" * 999):
        (tmp_path / FILE).write_bytes(content)
        Journal(tmp_path, now_ms=5).close()
    assert sorted(path.read_bytes()[:3] for path in tmp_path.glob("journal.damaged-*")) == [b"one", b"two"]


def test_an_empty_file_is_begun_in(tmp_path: Path) -> None:
    (tmp_path / FILE).touch()
    with closing(Journal(tmp_path)) as journal:
        assert journal.notices == ()
        assert journal.last_seq() == 0


@pytest.mark.parametrize("kept", [0.3, 0.6, 0.9])
def test_a_truncated_journal_is_set_aside_and_what_is_sound_is_saved(tmp_path: Path, kept: float) -> None:
    path = filled(tmp_path, 300)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * kept) // 4096 * 4096])
    with closing(Journal(tmp_path, now_ms=1)) as journal:
        assert "damaged" in journal.notices[0]
        saved = journal.entries(1)
        assert [step.seq for step in saved] == list(range(1, len(saved) + 1))
        assert all(step.message == f"step {step.seq}" for step in saved)
        if saved:
            assert f"up to step {saved[-1].seq}" in journal.notices[1]
            journal.append(entry(saved[-1].seq + 1))


def test_a_flipped_bit_in_an_entry_is_found_and_the_entries_before_it_are_saved(tmp_path: Path) -> None:
    path = filled(tmp_path, 50)
    data = bytearray(path.read_bytes())
    at = data.find(b"step 40")
    data[at + 5] ^= 0x01
    path.write_bytes(data)
    with closing(Journal(tmp_path)) as journal:
        assert "checksum" in journal.notices[0]
        assert journal.last_seq() == 39


def test_another_programs_database_is_set_aside(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
        db.commit()
    with closing(Journal(tmp_path)) as journal:
        assert "not a journal of the companion" in journal.notices[0]


def test_a_journal_whose_tables_are_gone_is_set_aside(tmp_path: Path) -> None:
    path = filled(tmp_path, 3)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute("DROP TABLE entries")
        db.commit()
    with closing(Journal(tmp_path)) as journal:
        assert "damaged" in journal.notices[0]


def test_a_journal_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    path = filled(tmp_path, 3)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(JournalTooNew, match="journal format 99"):
        Journal(tmp_path)
    assert path.read_bytes() == before


def test_answers_are_remembered_up_to_a_bound(tmp_path: Path) -> None:
    with closing(Journal(tmp_path)) as journal:
        for number in range(ANSWERS_KEPT + 50):
            journal.remember_answer("tablet", str(number), "{}")
        assert journal.answered("tablet", "0") is None
        assert journal.answered("tablet", str(ANSWERS_KEPT + 49)) == "{}"
        count = journal._db.execute("SELECT count(*) FROM answers").fetchone()[0]
    assert count == ANSWERS_KEPT


def test_every_error_is_one_line_with_place_and_mend() -> None:
    errors: list[SessionError] = [
        FolderInUse(Path("data"), "12"),
        FolderUnwritable(Path("data"), "Read-only file system"),
        JournalTooNew(Path("data/journal"), 9, 1),
        NotStored(Path("data/journal"), "disk I/O error"),
        StorageFull(Path("data/journal")),
    ]
    for error in errors:
        assert "data" in str(error)
        assert "\n" not in str(error)
