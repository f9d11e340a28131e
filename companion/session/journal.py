"""The journal: everything that was accepted, on disk before it counts, in one SQLite file per data folder.

The file is in WAL mode with synchronous=FULL: each entry costs one fsync of the log (DELETE mode needs
several), and a cut of the power leaves whole entries only. The lock is exclusive, so there is no
shared-memory file to lose.

Many games are kept. The one that is played is the one with the newest entry; going on with another one is
an entry too.
"""

import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import Final

from companion.session.entries import COLUMNS, Entry, Kept, Origin, checked, position_crc
from companion.session.errors import FolderUnwritable, JournalTooNew, NotStored, StorageFull
from companion.session.lock import FolderLock
from companion.session.salvage import LatePosition, salvage

FILE: Final = "journal.sqlite3"
"""Name of the journal in the data folder."""

SNAPSHOT_EVERY: Final = 16
"""Of so many entries in a row one position is kept for good, and the newest one of all."""

ANSWERS_KEPT: Final = 1000
"""Answers remembered: far more than a client could have in flight, and a bound on the file."""


class Journal:
    """The journal of one data folder, open and locked until `close`."""

    def __init__(self, folder: Path, *, now_ms: int = 0) -> None:
        """Open the journal, bring it up to date, and set it aside if it is damaged.

        Args:
            folder: the data folder; made if it is not there.
            now_ms: Unix time, for the name of a damaged file that is set aside.

        Raises:
            FolderInUse: another process has it.
            FolderUnwritable: it can't be made or written.
            JournalTooNew: a later version wrote it; nothing is touched.
        """
        self.folder = folder
        self.path = folder / FILE
        self.notices: tuple[str, ...] = ()
        """What people should hear about this opening, a line each."""
        self.late: LatePosition | None = None
        """From a damaged file: a position that is later than all its sound entries."""
        self._refusal: NotStored | None = None
        self._lock = FolderLock(folder)
        try:
            self._db = self._open_or_begin_anew(now_ms)
        except BaseException:
            self._lock.release()
            raise

    def close(self) -> None:
        """Close the file and free the folder; further calls do nothing."""
        self._db.close()
        self._lock.release()

    def refuse(self, refusal: NotStored) -> None:
        """Store nothing from now on: this is a copy of a journal that can't be written, to be looked at."""
        self._refusal = refusal

    # Reading

    def last_seq(self) -> int:
        """Return the number of the newest entry, 0 for none."""
        return int(self._db.execute("SELECT coalesce(max(seq), 0) FROM entries").fetchone()[0])

    def current_game(self) -> int:
        """Return the number of the game that is being played, 0 for none."""
        row = self._db.execute("SELECT game FROM entries ORDER BY seq DESC LIMIT 1").fetchone()
        return 0 if row is None else int(row[0])

    def next_game(self) -> int:
        """Return the number for a game that is to be begun."""
        return int(self._db.execute("SELECT coalesce(max(game), 0) + 1 FROM games").fetchone()[0])

    def games(self) -> tuple[Kept, ...]:
        """Return every game, the one played last first."""
        rows = self._db.execute(
            "SELECT games.game, name, started_ms, max(at_ms), sum(kind = 'do'), max(seq), parent,"
            " parent_steps FROM games JOIN entries USING (game) GROUP BY games.game ORDER BY max(seq) DESC"
        )
        return tuple(Kept(*row) for row in rows)

    def entries(self, game: int) -> tuple[Entry, ...]:
        """Return all that was accepted in a game, oldest first."""
        rows = self._db.execute(f"SELECT {COLUMNS} FROM entries WHERE game = ? ORDER BY step", (game,))  # noqa: S608
        return tuple(map(Entry.of, rows))

    def sound_entries(self, game: int) -> tuple[tuple[Entry, ...], str]:
        """Return the entries of a game up to the first that can't be trusted, and what is wrong with it."""
        found: list[Entry] = []
        try:
            for entry, problem in checked(self._db, game):
                if problem:
                    return tuple(found), problem
                found.append(entry)
        except (sqlite3.Error, ValueError, TypeError) as error:
            return tuple(found), str(error)
        return tuple(found), ""

    def snapshot(self, seq: int) -> str | None:
        """Return the position (JSON) after the entry `seq`, None where it was not kept, or is damaged."""
        row = self._db.execute("SELECT position, crc FROM snapshots WHERE seq = ?", (seq,)).fetchone()
        if row is None or row[1] not in (None, position_crc(seq, str(row[0]))):
            return None
        return str(row[0])

    def newest_position(self, game: int) -> int:
        """Return the number of the newest entry of a game whose position was kept, 0 for none."""
        row = self._db.execute(
            "SELECT coalesce(max(snapshots.seq), 0) FROM snapshots JOIN entries USING (seq) WHERE game = ?",
            (game,),
        ).fetchone()
        return int(row[0])

    def answered(self, client: str, command: str) -> Entry | str | None:
        """Return how a command was answered: its entry, the reply (JSON) if it changed nothing, or None."""
        row = self._db.execute(
            f"SELECT {COLUMNS} FROM entries WHERE client = ? AND command = ?",  # noqa: S608
            (client, command),
        ).fetchone()
        if row is not None:
            return Entry.of(row)
        row = self._db.execute(
            "SELECT reply FROM answers WHERE client = ? AND command = ?", (client, command)
        ).fetchone()
        return None if row is None else str(row[0])

    # Writing

    def append(self, entry: Entry) -> None:
        """Put an entry on disk; when this returns, it stays.

        Args:
            entry: its `seq` is greater than any before; a setup's `game` is a new one.

        Raises:
            NotStored: nothing of it is on disk (`StorageFull`: for want of space).
        """
        if entry.kind != "setup":
            # One statement is a transaction by itself; each more lets other threads in before the answer.
            with self._errors_told():
                self._insert(entry)
            return
        self.append_game((entry,), Origin())

    def append_game(self, entries: Sequence[Entry], origin: Origin) -> None:
        """Put a whole game on disk, all of it or nothing.

        Args:
            entries: the set-up first, all of one game that is new.
            origin: what it is called and where it comes from.

        Raises:
            NotStored: nothing of it is on disk.
        """
        setup = entries[0]
        with self._transaction():
            self._db.execute(
                "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?)",
                (setup.game, setup.seq, setup.at_ms, origin.name, origin.parent, origin.parent_steps),
            )
            for entry in entries:
                self._insert(entry)

    def append_all(self, entries: Sequence[Entry]) -> None:
        """Put several entries of one game on disk, all of them or none; raises NotStored."""
        with self._transaction():
            for entry in entries:
                self._insert(entry)

    def name_game(self, game: int, name: str) -> None:
        """Call a game by another name; raises NotStored."""
        with self._transaction():
            self._db.execute("UPDATE games SET name = ? WHERE game = ?", (name, game))

    def delete_game(self, game: int) -> None:
        """Remove a game for good, which must not be the one that is played; raises NotStored."""
        with self._transaction():
            for sql in (
                "DELETE FROM snapshots WHERE seq IN (SELECT seq FROM entries WHERE game = ?)",
                "DELETE FROM entries WHERE game = ?",
                "DELETE FROM games WHERE game = ?",
            ):
                self._db.execute(sql, (game,))

    def keep_position(self, seq: int, position: str) -> None:
        """Keep the position (JSON) after the entry `seq`, so that a recovery need not play up to it.

        Of those kept before, one in `SNAPSHOT_EVERY` numbers stays. Raises NotStored.
        """
        with self._transaction():
            self._db.execute("DELETE FROM snapshots WHERE seq / ?2 = ?1 / ?2", (seq, SNAPSHOT_EVERY))
            self._db.execute(
                "INSERT INTO snapshots VALUES (?, ?, ?)", (seq, position, position_crc(seq, position))
            )

    def remember_answer(self, client: str, command: str, reply: str) -> None:
        """Keep the answer (JSON) to a command that changed nothing; raises NotStored."""
        with self._transaction():
            self._db.execute(
                "INSERT OR IGNORE INTO answers (client, command, reply) VALUES (?, ?, ?)",
                (client, command, reply),
            )
            self._db.execute(
                "DELETE FROM answers WHERE number <= (SELECT max(number) FROM answers) - ?", (ANSWERS_KEPT,)
            )

    def _insert(self, entry: Entry) -> None:
        self._db.execute(
            f"INSERT INTO entries ({COLUMNS}, crc, step) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"  # noqa: S608
            " (SELECT coalesce(max(step), -1) + 1 FROM entries WHERE game = ?2))",
            (*entry.row, entry.crc),
        )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._errors_told():
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    @contextmanager
    def _errors_told(self) -> Iterator[None]:
        if self._refusal is not None:
            raise self._refusal
        try:
            yield
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
                raise StorageFull(self.path) from error
            raise NotStored(self.path, str(error)) from error

    # Opening

    def _open_or_begin_anew(self, now_ms: int) -> sqlite3.Connection:
        try:
            return _open(self.path)
        except sqlite3.Error as error:
            if not _says_damaged(error):
                # No space, no right to write, a fault of the disk: the file may be sound and is left alone.
                raise FolderUnwritable(self.folder, str(error)) from error
            aside = self._set_aside(str(error), now_ms)
        try:
            self._db = _open(self.path)
        except sqlite3.Error as error:
            raise FolderUnwritable(self.folder, str(error)) from error
        self._take_over(aside)
        return self._db

    def _set_aside(self, why: str, now_ms: int) -> Path:
        stamp = datetime.fromtimestamp(now_ms // 1000, UTC).strftime("%Y-%m-%d-%H%M%S")
        aside, number = self.folder / f"journal.damaged-{stamp}.sqlite3", 1
        while aside.exists():
            number += 1
            aside = self.folder / f"journal.damaged-{stamp}-{number}.sqlite3"
        try:
            # The log first: it belongs to the file, and a new file must never meet it.
            for tail in ("-wal", "-shm", "", "-journal"):
                source = self.path.with_name(self.path.name + tail)
                if source.exists():
                    source.rename(aside.with_name(aside.name + tail))
        except OSError as error:
            raise FolderUnwritable(self.folder, error.strerror or str(error)) from error
        self.notices += (
            f"{self.path}: damaged ({why}); it was set aside as {aside.name} and a new one begun",
        )
        return aside

    def _take_over(self, aside: Path) -> None:
        """Copy what is sound in the damaged file: of each game the entries from its front on."""
        found = salvage(aside)
        for line, origin in found.games:
            self.append_game(line, origin)
        self.late = found.late
        if found.games:
            what = "the game was" if len(found.games) == 1 else f"{len(found.games)} games were"
            self.notices += (f"{self.path}: {what} saved from it up to step {self.last_seq()}",)


def copied(folder: Path, to: Path) -> bool:
    """Copy the journal of a folder that can't be written; False where there is none, or it can't be read."""
    try:
        for tail in ("", "-wal"):
            source = folder / f"{FILE}{tail}"
            if not tail or source.exists():
                shutil.copyfile(source, to / source.name)  # its rights stay behind
    except OSError:
        return False
    return True


def _says_damaged(error: sqlite3.Error) -> bool:
    """Tell damage from a fault of the storage (SQLite, Result and Error Codes)."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    # SQLITE_ERROR: our statements are sound, so a table or column of the file is missing. SQLITE_CONSTRAINT:
    # a migration copies only what the older tables allowed.
    return code in (
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_CONSTRAINT,
    )


def _open(path: Path) -> sqlite3.Connection:
    """Open, migrate and check; raises sqlite3.Error."""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0)
    try:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        _migrate(db, path)
        db.execute("PRAGMA foreign_keys = ON")  # not before: migrations rebuild tables that others refer to
        db.executescript("BEGIN IMMEDIATE; COMMIT;")  # a journal that can't be written is said now
        _check(db)
    except BaseException:
        db.close()
        raise
    return db


def _migrate(db: sqlite3.Connection, path: Path) -> None:
    scripts = sorted(
        (file for file in resources.files("companion.session").joinpath("migrations").iterdir()),
        key=lambda file: file.name,
    )
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    if version > len(scripts):
        raise JournalTooNew(path, version, len(scripts))
    if version == 0 and db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise sqlite3.DatabaseError("it is not a journal of the companion")
    for number, script in enumerate(scripts[version:], version + 1):
        db.executescript(f"BEGIN IMMEDIATE; {script.read_text()} PRAGMA user_version = {number}; COMMIT;")


def _check(db: sqlite3.Connection) -> None:
    """Check the file's structure, and the game that is played; another one is checked when it is opened."""
    found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise sqlite3.DatabaseError(" ".join(str(found).split()))
    row = db.execute("SELECT game FROM entries ORDER BY seq DESC LIMIT 1").fetchone()
    for _, problem in checked(db, row[0]) if row is not None else ():
        if problem:
            raise sqlite3.DatabaseError(problem)
