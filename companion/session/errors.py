"""What can go wrong in keeping a game.

    SessionError             (a CompanionError: the text is meant for people)
    ├── FolderInUse        another process holds the data folder          (OSError)
    ├── FolderUnwritable   the data folder can't be made or written       (OSError)
    ├── JournalTooNew      written by a later version                     (ValueError)
    ├── NotStored          an entry could not be put on disk              (OSError)
    │   └── StorageFull    for want of space                              (OSError)
    ├── BeyondRecall       an old step can't be gone back to              (ValueError)
    └── PackNotSaved       the table's card values can't be written       (OSError)

Every message is one line: what is wrong, where, and the mend.
"""

from pathlib import Path

from companion.errors import CompanionError


class SessionError(CompanionError):
    """Anything that keeps a game from being kept."""


class FolderInUse(SessionError, OSError):  # noqa: N818 - named for what is wrong, like FileExistsError's kin
    """Another process holds the data folder."""

    def __init__(self, folder: Path, pid: str) -> None:
        self.folder = folder
        who = f" (process {pid})" if pid else ""
        super().__init__(
            f"{folder}: another companion is running with this data folder{who}: "
            "close it, or choose another folder with --data"
        )


class FolderUnwritable(SessionError, OSError):  # noqa: N818
    """The data folder can't be made or written."""

    def __init__(self, folder: Path, why: str) -> None:
        self.folder = folder
        self.why = why
        super().__init__(
            f"{folder}: games can't be saved here ({why}): "
            "make the folder writable, or choose another one with --data"
        )


class JournalTooNew(SessionError, ValueError):  # noqa: N818
    """The journal was written by a later version of the companion."""

    def __init__(self, path: Path, found: int, known: int) -> None:
        self.path = path
        super().__init__(
            f"{path}: written by a later version (journal format {found}, known up to {known}): "
            "update the companion, or choose another folder with --data"
        )


class NotStored(SessionError, OSError):  # noqa: N818
    """An entry could not be put on disk, so what it says does not count."""

    def __init__(self, path: Path, why: str, mend: str = "check the disk, then do it again") -> None:
        self.path = path
        super().__init__(f"{path}: not saved, so it does not count ({why}): {mend}")


class StorageFull(NotStored):
    """There is no space left for an entry."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, "the storage is full", "free some space, then do it again")


class BeyondRecall(SessionError, ValueError):  # noqa: N818
    """A step whose position is not stored and that the present rules no longer play the same way."""

    def __init__(self, seq: int) -> None:
        self.seq = seq
        super().__init__(
            f"step {seq} was played under other rules and can't be gone back to: undo fewer steps"
        )


class PackNotSaved(SessionError, OSError):  # noqa: N818
    """The table's card values can't be written: what was to be stated does not count."""

    def __init__(self, path: Path, why: str) -> None:
        self.path = path
        super().__init__(f"{path}: not saved ({why}): free some space, or see that it can be written")
