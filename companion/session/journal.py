"""The journal: everything that was accepted, on disk before it counts, in one SQLite file per data folder.

The file is in WAL mode with synchronous=FULL: each entry costs one fsync of the log (DELETE mode needs
several), and a cut of the power leaves whole entries only. The lock is exclusive, so there is no
shared-memory file to lose.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final, Literal

from companion.session.errors import FolderUnwritable, JournalTooNew, NotStored, StorageFull
from companion.session.lock import FolderLock

Kind = Literal["setup", "do", "undo", "redo"]

FILE: Final = "journal.sqlite3"
"""Name of the journal in the data folder."""

SNAPSHOT_EVERY: Final = 16
"""Of so many entries in a row one position is kept for good, and the newest one of all."""

ANSWERS_KEPT: Final = 1000
"""Answers remembered: far more than a client could have in flight, and a bound on the file."""

_COLUMNS: Final = "seq, game, kind, body, player, verdict, cost, message, at_ms, client, command"
_NAMES: Final = tuple(_COLUMNS.split(", "))


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One accepted change."""

    seq: int
    """Counts over all games from 1."""
    game: int
    kind: Kind
    body: str
    """JSON: the position of a setup, the action of a do, `{"steps": n}` of an undo or redo."""
    player: str = ""
    verdict: str = "legal"
    cost: str = "{}"
    """JSON, in the keys of the contracts' section 3."""
    message: str = ""
    at_ms: int = 0
    """Unix time."""
    client: str | None = None
    command: str | None = None
    """Who asked, by which command id; None for what the table itself recognised."""

    @property
    def crc(self) -> int:
        """CRC-32 over the entry: SQLite checks its pages' structure, not what stands in them."""
        return zlib.crc32(json.dumps(self.row).encode())

    @property
    def row(self) -> tuple[int | str | None, ...]:
        """The values in the order of the table's columns."""
        return tuple(getattr(self, name) for name in _NAMES)


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

    # Reading

    def last_seq(self) -> int:
        """Return the number of the newest entry, 0 for none."""
        return int(self._db.execute("SELECT coalesce(max(seq), 0) FROM entries").fetchone()[0])

    def current_game(self) -> int:
        """Return the number of the game that is being played, 0 for none."""
        return int(self._db.execute("SELECT coalesce(max(game), 0) FROM games").fetchone()[0])

    def entries(self, game: int) -> tuple[Entry, ...]:
        """Return all that was accepted in a game, oldest first."""
        rows = self._db.execute(
            f"SELECT {_COLUMNS} FROM entries WHERE game = ?1 AND seq >= "  # noqa: S608
            "(SELECT first_seq FROM games WHERE game = ?1) ORDER BY seq",
            (game,),
        )
        return tuple(map(_entry, rows))

    def snapshot(self, seq: int) -> str | None:
        """Return the position (JSON) after the entry `seq`, None where it was not kept."""
        row = self._db.execute("SELECT position FROM snapshots WHERE seq = ?", (seq,)).fetchone()
        return None if row is None else str(row[0])

    def newest_position(self) -> int:
        """Return the number of the newest entry whose position was kept, 0 for none."""
        return int(self._db.execute("SELECT coalesce(max(seq), 0) FROM snapshots").fetchone()[0])

    def answered(self, client: str, command: str) -> Entry | str | None:
        """Return how a command was answered: its entry, the reply (JSON) if it changed nothing, or None."""
        row = self._db.execute(
            f"SELECT {_COLUMNS} FROM entries WHERE client = ? AND command = ?",  # noqa: S608
            (client, command),
        ).fetchone()
        if row is not None:
            return _entry(row)
        row = self._db.execute(
            "SELECT reply FROM answers WHERE client = ? AND command = ?", (client, command)
        ).fetchone()
        return None if row is None else str(row[0])

    # Writing

    def append(self, entry: Entry) -> None:
        """Put an entry on disk; when this returns, it stays.

        Args:
            entry: its `seq` is the next one; a setup's `game` is a new one.

        Raises:
            NotStored: nothing of it is on disk (`StorageFull`: for want of space).
        """
        if entry.kind != "setup":
            # One statement is a transaction by itself; each more lets other threads in before the answer.
            with self._errors_told():
                self._insert(entry)
            return
        with self._transaction():
            self._begin_game(entry)
            self._insert(entry)

    def keep_position(self, seq: int, position: str) -> None:
        """Keep the position (JSON) after the entry `seq`, so that a recovery need not play up to it.

        Of those kept before, one in `SNAPSHOT_EVERY` numbers stays. Raises NotStored.
        """
        with self._transaction():
            self._db.execute("DELETE FROM snapshots WHERE seq / ?2 = ?1 / ?2", (seq, SNAPSHOT_EVERY))
            self._db.execute("INSERT INTO snapshots VALUES (?, ?)", (seq, position))

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

    def _begin_game(self, setup: Entry) -> None:
        self._db.execute("INSERT INTO games VALUES (?, ?, ?)", (setup.game, setup.seq, setup.at_ms))

    def _insert(self, entry: Entry) -> None:
        self._db.execute(
            f"INSERT INTO entries ({_COLUMNS}, crc) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
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
        try:
            yield
        except sqlite3.Error as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_FULL:
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
            self._set_aside(str(error), now_ms)
        try:
            db = _open(self.path)
        except sqlite3.Error as error:
            raise FolderUnwritable(self.folder, str(error)) from error
        self._db = db
        self._take_over()
        return db

    def _set_aside(self, why: str, now_ms: int) -> None:
        self.aside = self.folder / f"journal.damaged-{now_ms}.sqlite3"
        while self.aside.exists():
            now_ms += 1
            self.aside = self.folder / f"journal.damaged-{now_ms}.sqlite3"
        for tail in ("", "-wal", "-shm"):
            source = self.path.with_name(self.path.name + tail)
            if source.exists():
                source.rename(self.aside.with_name(self.aside.name + tail))
        self.notices += (
            f"{self.path}: damaged ({why}); it was set aside as {self.aside.name} and a new one begun",
        )

    def _take_over(self) -> None:
        """Copy what is still sound at the front of the damaged journal's current game into the new one."""
        entries = _sound_entries(self.aside)
        starts = [entry for entry in entries if entry.kind == "setup"]
        if not starts:
            return
        entries = [entry for entry in entries if entry.game == starts[-1].game]
        with self._transaction():
            self._begin_game(starts[-1])
            for entry in entries:
                self._insert(entry)
        self.notices += (f"{self.path}: the game was saved from it up to step {entries[-1].seq}",)


def _entry(row: tuple[object, ...]) -> Entry:
    return Entry(**dict(zip(_NAMES, row, strict=True)))  # type: ignore[arg-type]


def _says_damaged(error: sqlite3.Error) -> bool:
    """Tell damage from a fault of the storage (SQLite, Result and Error Codes)."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    # SQLITE_ERROR: our statements are sound, so a table or column of the file is missing.
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)


def _open(path: Path) -> sqlite3.Connection:
    """Open, migrate and check; raises sqlite3.Error."""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0)
    try:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        _migrate(db, path)
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
    found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise sqlite3.DatabaseError(" ".join(str(found).split()))
    game = db.execute("SELECT max(game) FROM games").fetchone()[0]
    rows = db.execute(f"SELECT {_COLUMNS}, crc FROM entries WHERE game = ? ORDER BY seq", (game,))  # noqa: S608
    for *row, crc in rows:
        entry = _entry(tuple(row))
        if entry.crc != crc:
            raise sqlite3.DatabaseError(f"entry {entry.seq} does not fit its checksum")


def _sound_entries(path: Path) -> list[Entry]:
    """Read the entries of a damaged journal, oldest first, up to the first one that can't be trusted."""
    entries: list[Entry] = []
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            for *row, crc in db.execute(f"SELECT {_COLUMNS}, crc FROM entries ORDER BY seq"):  # noqa: S608
                entry = _entry(tuple(row))
                if entry.crc != crc:
                    break
                entries.append(entry)
    except (sqlite3.Error, ValueError, TypeError):
        pass
    return entries
