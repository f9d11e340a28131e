"""What is still sound in a damaged journal: read from both ends, trusted by checksums."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from companion.session.entries import COLUMNS, Entry, Origin, position_crc


@dataclass(frozen=True, slots=True)
class LatePosition:
    """A position that was kept, of a time that the sound entries don't reach."""

    game: int
    """0 where it is not known."""
    seq: int
    position: str
    """JSON."""


@dataclass(frozen=True, slots=True)
class Salvaged:
    """All that can be trusted."""

    games: tuple[tuple[tuple[Entry, ...], Origin], ...] = ()
    """Of each game, the oldest first, its entries from the set-up to the first gap."""
    late: LatePosition | None = None


def salvage(path: Path) -> Salvaged:
    """Read a damaged journal; whatever is wrong with it, nothing is raised."""
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            rows, origins, late = _rows(db), _origins(db), _late(db)
    except (sqlite3.Error, OSError):
        return Salvaged()
    lines = (_front(rows, game) for game in sorted({entry.game for entry, _ in rows}))
    games = tuple((line, origins.get(line[0].game, Origin())) for line in lines if line)
    last_seq = max((line[-1].seq for line, _ in games), default=0)
    return Salvaged(games, late if late is not None and late.seq > last_seq else None)


def _rows(db: sqlite3.Connection) -> list[tuple[Entry, int | None]]:
    """Return every entry that fits its checksum, with its number in the game where the format has it."""
    found: dict[int, tuple[Entry, int | None]] = {}
    for step in ("step", "NULL"):
        for order in ("ASC", "DESC"):
            with suppress(sqlite3.Error, ValueError, TypeError):
                sql = f"SELECT {COLUMNS}, crc, {step} FROM entries ORDER BY seq {order}"  # noqa: S608
                for *row, crc, number in db.execute(sql):
                    entry = Entry.of(row)
                    if entry.crc == crc:
                        found.setdefault(entry.seq, (entry, number))
        if found:
            break
    return [found[seq] for seq in sorted(found)]


def _front(rows: Sequence[tuple[Entry, int | None]], game: int) -> tuple[Entry, ...]:
    """Return the entries of a game from its set-up to the first gap."""
    line: list[Entry] = []
    for entry, number in rows:
        if entry.game != game:
            continue
        if number is None:
            # The first format does not number the entries of a game: there a game is played in one go.
            number = entry.seq - line[0].seq if line else 0  # noqa: PLW2901 - the number that was left out
        if number != len(line) or (entry.kind == "setup") != (not line):
            break
        line.append(entry)
    return tuple(line)


def _origins(db: sqlite3.Connection) -> dict[int, Origin]:
    with suppress(sqlite3.Error, ValueError, TypeError):
        rows = db.execute("SELECT game, name, parent, parent_steps FROM games")
        return {int(game): Origin(str(name), parent, steps) for game, name, parent, steps in rows}
    return {}


def _late(db: sqlite3.Connection) -> LatePosition | None:
    """Return the newest position that was kept, where its checksum fits."""
    with suppress(sqlite3.Error, ValueError, TypeError):
        newest = "SELECT seq, position, crc FROM snapshots ORDER BY seq DESC LIMIT 1"
        for seq, position, crc in db.execute(newest):
            if crc == position_crc(seq, str(position)):
                return LatePosition(_game_of(db, seq), int(seq), str(position))
    return None


def _game_of(db: sqlite3.Connection, seq: int) -> int:
    with suppress(sqlite3.Error, ValueError, TypeError):
        for (game,) in db.execute("SELECT game FROM entries WHERE seq = ?", (seq,)):
            return int(game)
    return 0
