"""What one poll of a reader can say, and how the reader itself is.

Plain classes: this module also runs on the MicroPython of the nodes, which has no dataclasses and no typing.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    State = Literal["ok", "recovering", "silent"]


class Present:
    """These tags answered, each with its whole UID (4, 7 or 10 bytes), in rising order."""

    __slots__ = ("uids",)
    __match_args__ = ("uids",)

    def __init__(self, uids: "tuple[bytes, ...]") -> None:
        self.uids = uids

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Present) and self.uids == other.uids

    def __hash__(self) -> int:
        return hash(self.uids)

    def __repr__(self) -> str:
        return f"Present({' '.join([uid.hex().upper() for uid in self.uids])})"


class Absent:
    """The reader is well and nothing answered."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Absent)

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return "Absent()"


class Unknown:
    """Nothing can be said: a disturbed answer, or a reader in trouble. Never to be counted as an absence.

    Attributes:
        reason: what happened, in words.
        reader_fault: True: the reader is in trouble. False: something in the field was heard but not
            understood.
    """

    __slots__ = ("reader_fault", "reason")
    __match_args__ = ("reason", "reader_fault")

    def __init__(self, reason: str, *, reader_fault: bool = False) -> None:
        self.reason = reason
        self.reader_fault = reader_fault

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Unknown)
            and self.reason == other.reason
            and self.reader_fault == other.reader_fault
        )

    def __hash__(self) -> int:
        return hash(self.reason)

    def __repr__(self) -> str:
        return f"Unknown({self.reason!r}, reader_fault={self.reader_fault})"


class ReaderState:
    """How a reader is, apart from what lies on it."""

    OK: "State" = "ok"
    RECOVERING: "State" = "recovering"
    SILENT: "State" = "silent"


class Health:
    """A reader's health since it was opened.

    Attributes:
        state: one of `ReaderState`.
        version: VersionReg as last read; None before the first answer.
        polls: how often it was asked.
        errors: polls that ended in `Unknown`.
        recoveries: times the reader was set up again after trouble.
        reason: what is wrong and what to look at; empty when all is well.
        warnings: what works but should be looked at: an odd version, an unsteady line, a gain that did not
            hold.
        hits: polls that named a tag.
        poll_us: how long the last poll took.
        gain: RxGain, 0 to 7; None where it is not known.
    """

    __slots__ = (
        "errors",
        "gain",
        "hits",
        "poll_us",
        "polls",
        "reason",
        "recoveries",
        "state",
        "version",
        "warnings",
    )

    def __init__(
        self,
        state: "State",
        *,
        version: "int | None",
        polls: int,
        errors: int,
        recoveries: int,
        reason: str,
        warnings: "tuple[str, ...]" = (),
        hits: int = 0,
        poll_us: int = 0,
        gain: "int | None" = None,
    ) -> None:
        self.state = state
        self.version = version
        self.polls = polls
        self.errors = errors
        self.recoveries = recoveries
        self.reason = reason
        self.warnings = warnings
        self.hits = hits
        self.poll_us = poll_us
        self.gain = gain

    def as_dict(self) -> "dict[str, object]":
        """Every attribute by its name."""
        return {
            "state": self.state,
            "version": self.version,
            "polls": self.polls,
            "errors": self.errors,
            "recoveries": self.recoveries,
            "reason": self.reason,
            "warnings": list(self.warnings),
            "hits": self.hits,
            "poll_us": self.poll_us,
            "gain": self.gain,
        }
