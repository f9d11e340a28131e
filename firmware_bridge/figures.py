"""Shares of polls over a sliding window, from counts that only go up. Pure."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from firmware_bridge.contract.figures import Counted, ReaderFigures
from firmware_bridge.contract.messages import ReaderState
from firmware_bridge.presence.debounce import Fact
from hardware.reader import Health

WINDOW: Final = 100
"""Polls that a share is of, at least, once there are so many (F-27: the hit rate over 100 polls)."""

MAX_SAMPLES: Final = 200
"""Bounds what is kept of a node that says little: more than a window's frames, one at a time."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts since the beginning: how often was asked, answered by a tag, answered with nothing usable."""

    asked: int = 0
    hits: int = 0
    errors: int = 0

    def __sub__(self, other: "Tally") -> "Tally":
        return Tally(self.asked - other.asked, self.hits - other.hits, self.errors - other.errors)


class Window:
    """The newest part of a tally, for one space.

    Args:
        over: so much of it is covered, at least, once it is there.
    """

    def __init__(self, over: int = WINDOW) -> None:
        self._over = over
        self._samples: deque[Tally] = deque([Tally()], maxlen=MAX_SAMPLES)
        self._uids: tuple[bytes, ...] | None = None

    def look(self, tally: Tally, uids: tuple[bytes, ...]) -> Tally:
        """Take in the tally as it is now, and return its newest part.

        Args:
            tally: of the space.
            uids: what lies there. Others than last time begin a new window: what was laid or lifted in the
                middle of one would look like a bad reader.
        """
        if uids != self._uids:
            if self._uids is not None:
                self._samples.clear()
            self._uids = uids
        samples = self._samples
        if not samples or tally.asked != samples[-1].asked:
            samples.append(tally)
        while len(samples) > 2 and tally.asked - samples[1].asked >= self._over:
            samples.popleft()
        return tally - samples[0]


class FrameListener(Protocol):
    """Who wants to know of a node on a serial line; a NodePublisher."""

    def meet(self, firmware: str, spaces: Sequence[str]) -> None:
        """Learn that the node is there."""

    def fact(self, space: str, fact: Fact) -> None:
        """Learn a fact."""

    def readers(self, states: Mapping[str, ReaderState]) -> None:
        """Learn how readers do; once for each frame with states."""

    def part(self) -> None:
        """Learn that the node is gone."""

    def release(self, spaces: Sequence[str]) -> None:
        """Learn that these spaces are another node's now."""


class FrameTally:
    """Stands before a listener and counts, per space, the frames that told its state.

    Args:
        listener: told everything.
    """

    def __init__(self, listener: FrameListener) -> None:
        self._listener = listener
        self._facts: dict[str, Fact] = {}
        self.tallies: dict[str, Tally] = {}

    def meet(self, firmware: str, spaces: Sequence[str]) -> None:
        """Learn that the node is there, with these spaces."""
        self._listener.meet(firmware, spaces)

    def fact(self, space: str, fact: Fact) -> None:
        """Learn a fact; those of a node that parts come before it says so."""
        self._facts[space] = fact
        self._listener.fact(space, fact)

    def readers(self, states: Mapping[str, ReaderState]) -> None:
        """Count a frame."""
        for space in states:
            fact, before = self._facts.get(space), self.tallies.get(space, Tally())
            if fact is not None:
                is_well = fact.state == "ok"
                self.tallies[space] = Tally(
                    before.asked + 1,
                    before.hits + (is_well and bool(fact.uids)),
                    before.errors + (not is_well),
                )
        self._listener.readers(states)

    def part(self) -> None:
        """Learn that the node is gone."""
        self._listener.part()

    def release(self, spaces: Sequence[str]) -> None:
        """Learn that these spaces are another node's now."""
        for space in spaces:
            self._facts.pop(space, None)
            self.tallies.pop(space, None)
        self._listener.release(spaces)


def figures_of(newest: Tally, uids: tuple[bytes, ...], health: Health, *, counted: Counted) -> ReaderFigures:
    """Put together what is known of one reader.

    Args:
        newest: of the window.
        uids: what lies there.
        health: as the reader tells it; of a node on a serial line only its reason is its own.
        counted: what the tally counts.
    """
    asked = newest.asked
    hit_rate = round(newest.hits / asked, 3) if asked and uids else None
    noise = round(newest.errors / asked, 3) if asked else None
    if counted == "frames":
        return ReaderFigures(counted, asked, hit_rate, noise, reason=health.reason)
    return ReaderFigures(
        counted,
        asked,
        hit_rate,
        noise,
        polls=health.polls,
        errors=health.errors,
        recoveries=health.recoveries,
        poll_us=health.poll_us,
        version=health.version,
        gain=health.gain,
        reason=health.reason,
        warnings=health.warnings,
    )
