"""How one reader does, in figures: part of a node's message, for set-up, `companion scan` and `doctor`."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Counted = Literal["polls", "frames"]


@dataclass(frozen=True, slots=True)
class ReaderFigures:
    """What is known of one reader; None for what is not known.

    Args:
        counted: what `over` counts: polls of the bridge's own readers, or frames in which a node on a serial
            line told its debounced states: only the node knows of its polls.
        over: of how many of them `hit_rate` and `noise` are the shares: the newest hundred or so, or those
            since the tags that lie there were laid.
        hit_rate: share that named a tag, 0 to 1; None where nothing lies or nothing was counted yet.
        noise: share that could not be understood, 0 to 1.
        polls: how often the reader was asked since it was opened.
        errors: how many of them could not be understood.
        recoveries: how often it was set up again after trouble.
        poll_us: how long the newest poll took.
        version: VersionReg.
        gain: RxGain, 0 to 7.
        reason: what is wrong and what to look at; empty when all is well.
        warnings: what works but should be looked at.
    """

    counted: Counted = "polls"
    over: int = 0
    hit_rate: float | None = None
    noise: float | None = None
    polls: int | None = None
    errors: int | None = None
    recoveries: int | None = None
    poll_us: int | None = None
    version: int | None = None
    gain: int | None = None
    reason: str = ""
    warnings: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Write the figures as they stand in a payload."""
        return asdict(self) | {"warnings": list(self.warnings)}


def figures_in(data: object) -> ReaderFigures | None:
    """Read figures out of a payload.

    What is not as it should be is left out, and nothing is refused: a node's state must not be lost for want
    of a figure.
    """
    if not isinstance(data, Mapping):
        return None
    return ReaderFigures(
        counted="frames" if data.get("counted") == "frames" else "polls",
        over=_count(data, "over") or 0,
        hit_rate=_share(data, "hit_rate"),
        noise=_share(data, "noise"),
        polls=_count(data, "polls"),
        errors=_count(data, "errors"),
        recoveries=_count(data, "recoveries"),
        poll_us=_count(data, "poll_us"),
        version=_count(data, "version"),
        gain=_count(data, "gain"),
        reason=text_in(data, "reason"),
        warnings=texts_in(data, "warnings"),
    )


def text_in(data: Mapping[str, object], key: str) -> str:
    """Read a text that may be missing."""
    value = data.get(key)
    return value if isinstance(value, str) and _is_sayable(value) else ""


def texts_in(data: Mapping[str, object], key: str) -> tuple[str, ...]:
    """Read a list of texts that may be missing."""
    value = data.get(key)
    if not isinstance(value, list):
        return ()
    return tuple(text for text in value if isinstance(text, str) and _is_sayable(text))


def _is_sayable(text: str) -> bool:
    # Half a surrogate pair is JSON, but no text that could be said again (RFC 8259, 8.2).
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _count(data: Mapping[str, object], key: str) -> int | None:
    value = data.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _share(data: Mapping[str, object], key: str) -> float | None:
    value = data.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        return None
    return float(value)
