"""One process per data folder: a lock that the system itself frees, however the process ends."""

import contextlib
import fcntl
import os
from pathlib import Path

from companion.session.errors import FolderInUse, FolderUnwritable


class FolderLock:
    """The lock on a data folder, held from construction to `release`.

    Raises:
        FolderInUse: another process holds it.
        FolderUnwritable: the folder can't be made or written.
    """

    def __init__(self, folder: Path) -> None:
        path = folder / "lock"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file: int | None = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise FolderUnwritable(folder, error.strerror or str(error)) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(self._file, 20, 0).decode("ascii", "replace").strip()
            self.release()
            raise FolderInUse(folder, holder) from error
        # The number only helps people find the holder; with a full disk the lock holds without it.
        with contextlib.suppress(OSError):
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Free the folder; further calls do nothing. The file stays: removing it would race with others."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
