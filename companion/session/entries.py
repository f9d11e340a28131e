"""What the journal holds, as values: entries with their checksums, games, where a game comes from."""

import json
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["setup", "do", "undo", "redo", "open"]

COLUMNS: Final = "seq, game, kind, body, player, verdict, cost, message, at_ms, client, command"
"""Of the table of entries, in the order of an `Entry`'s fields."""
_NAMES: Final = tuple(COLUMNS.split(", "))


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One accepted change."""

    seq: int
    """Counts over all games from 1; numbers may be left out, none is used twice."""
    game: int
    kind: Kind
    body: str
    """JSON: the position of a setup, the action of a do, `{"steps": n}` of an undo or redo, else `{}`."""
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

    @classmethod
    def of(cls, row: Sequence[object]) -> "Entry":
        """Make an entry of a row of `COLUMNS`."""
        return cls(**dict(zip(_NAMES, row, strict=True)))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Kept:
    """A game in the journal, for a list."""

    game: int
    name: str
    """"" for none."""
    started_ms: int
    played_ms: int
    """Unix time of the newest entry."""
    actions: int
    """All that were accepted in it, those taken back included."""
    last_seq: int
    parent: int | None = None
    """The game that it branched off."""
    parent_steps: int | None = None
    """After how many of its steps."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a whole game that is stored at once comes from."""

    name: str = ""
    parent: int | None = None
    parent_steps: int | None = None


def position_crc(seq: int, position: str) -> int:
    """Return the checksum of a position that was kept after the entry `seq`."""
    return zlib.crc32(f"{seq} {position}".encode())


def checked(db: sqlite3.Connection, game: int) -> Iterator[tuple[Entry, str]]:
    """Yield the entries of a game, each with what is wrong with it, or ""; raises sqlite3.Error."""
    rows = db.execute(f"SELECT {COLUMNS}, crc, step FROM entries WHERE game = ? ORDER BY step", (game,))  # noqa: S608
    for number, (*row, crc, step) in enumerate(rows):
        entry, problem = Entry.of(row), ""
        if entry.crc != crc:
            problem = f"entry {entry.seq} does not fit its checksum"
        elif step != number or (entry.kind == "setup") != (number == 0):
            problem = f"before entry {entry.seq} something is missing"
        yield entry, problem
