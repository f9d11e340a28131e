"""The interface of every reader: what one poll can say, and how the reader itself is."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Present:
    """These tags answered, each with its whole UID (4, 7 or 10 bytes), in rising order."""

    uids: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Absent:
    """The reader is well and nothing answered."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing can be said: a disturbed answer, or a reader in trouble. Never to be counted as an absence."""

    reason: str
    reader_fault: bool = False
    """True: the reader is in trouble. False: something in the field was heard but not understood."""


Reading = Present | Absent | Unknown


class ReaderState(StrEnum):
    """How a reader is, apart from what lies on it."""

    OK = "ok"
    RECOVERING = "recovering"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Health:
    """A reader's health since it was opened."""

    state: ReaderState
    version: int | None
    """VersionReg as last read; None before the first answer."""
    polls: int
    errors: int
    """Polls that ended in `Unknown`."""
    recoveries: int
    """Times the reader was set up again after trouble."""
    reason: str
    """What is wrong and what to look at; empty when all is well."""
    warnings: tuple[str, ...] = ()
    """What works but should be looked at: an odd version, an unsteady line, a gain that did not hold."""


class Reader(Protocol):
    """One place where tags are laid."""

    @property
    def name(self) -> str:
        """The space that this reader watches."""
        ...

    def poll(self) -> Reading:
        """Look once; bounded in time, and raises nothing that a wire or chip can cause."""
        ...

    def health(self) -> Health:
        """Tell how the reader is; costs no transfer."""
        ...

    def close(self) -> None:
        """Let go of what this reader alone holds; closing twice is harmless."""
        ...
