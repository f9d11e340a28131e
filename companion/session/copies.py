"""Readable copies of the games beside the journal: what a game is taken from when the journal is damaged.

Each game has one file, `games/<number>.toml` in the data folder, a saved game like any that is exported,
written at quiet moments, whole or not at all. Its last line says which step it goes up to, with a checksum
over the rest.
"""

import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.files import sync_folder, write_whole

FOLDER: Final = "games"
"""In the data folder."""

_LAST: Final = re.compile(
    r"# copy of game (\d{1,9}) up to step (\d{1,12}), begun (\d{1,15}), crc ([0-9A-F]{8})\n"
)
_LAST_BYTES: Final = 120


@dataclass(frozen=True, slots=True)
class Copy:
    """One of the files, whole as its checksum says."""

    path: Path
    game: int
    seq: int
    """The newest entry of the journal that it has."""
    started_ms: int
    text: str


class Copies:
    """The copies of one data folder.

    Args:
        data: the data folder.
    """

    def __init__(self, data: Path) -> None:
        self.folder = data / FOLDER

    def path(self, game: int) -> Path:
        """Return where the copy of a game is, or would be."""
        return self.folder / f"{game:04}.toml"

    def keep(self, game: int, seq: int, started_ms: int, text: str) -> None:
        """Write the copy of a game; raises OSError, then the old one is as it was."""
        crc = zlib.crc32(text.encode())
        last = f"# copy of game {game} up to step {seq}, begun {started_ms}, crc {crc:08X}\n"
        write_whole(self.path(game), (text + last).encode())

    def forget(self, game: int) -> None:
        """Remove the copy of a game; raises OSError."""
        path = self.path(game)
        if path.exists():
            path.unlink()
            sync_folder(self.folder)

    def seq(self, game: int) -> int:
        """Return up to which entry the copy of a game goes, 0 where there is no whole one."""
        copy = _read(self.path(game))
        return 0 if copy is None else copy.seq

    def all(self) -> tuple[tuple[Copy, ...], tuple[Path, ...]]:
        """Return the copies, the oldest game first, and the files that are no whole copies."""
        whole: list[Copy] = []
        broken: list[Path] = []
        for path in sorted(self.folder.glob("*.toml")):
            copy = _read(path)
            if copy is None:
                broken.append(path)
            else:
                whole.append(copy)
        return tuple(sorted(whole, key=lambda copy: copy.seq)), tuple(broken)


def _read(path: Path) -> Copy | None:
    try:
        data = path.read_bytes()
        last = _LAST.fullmatch(data[data.rfind(b"\n# copy of game ") + 1 :].decode("ascii"))
        if last is None or len(last[0]) > _LAST_BYTES:
            return None
        body = data[: -len(last[0])]
        text = body.decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    if zlib.crc32(body) != int(last[4], 16):
        return None
    return Copy(path, int(last[1]), int(last[2]), int(last[3]), text)
