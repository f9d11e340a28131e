"""The tags that the session knows: the data folder's registry, read anew when somebody has imported one."""

from pathlib import Path

from companion.table.registry import FILE, Registry, load


class Tags:
    """The registry of a data folder over another one.

    Args:
        folder: the data folder.
        below: what is known besides: the virtual set, or nothing.
    """

    def __init__(self, folder: Path, below: Registry) -> None:
        self._folder = folder
        self._below = below
        self._stamp = self._stamped()
        own, self.notices = load(folder)
        self.registry = own.over(below)
        """Both together."""

    def changed(self) -> bool:
        """Read the file again if it is another one than at the last look; tell whether it was."""
        stamp = self._stamped()
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        own, self.notices = load(self._folder)
        self.registry = own.over(self._below)
        return True

    def _stamped(self) -> tuple[int, int] | None:
        try:
            found = (self._folder / FILE).stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns
