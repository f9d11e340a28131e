"""The interface of every reader, for the parts that run on CPython."""

from typing import Protocol

from hardware.reading import Absent, Health, Present, ReaderState, Unknown

__all__ = ["Absent", "Health", "Present", "Reader", "ReaderState", "Reading", "Unknown"]

Reading = Present | Absent | Unknown


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
