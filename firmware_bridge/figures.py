"""Shares of polls over a sliding window, from counts that only go up. Pure."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
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
        self._mark = Tally()
        self._samples: deque[Tally] = deque([self._mark], maxlen=MAX_SAMPLES)

    def look(self, tally: Tally, mark: Tally) -> Tally:
        """Take in the tally as it is now, and return its newest part.

        Args:
            tally: of the space.
            mark: what it was when tags were last laid or lifted. No window goes over that: it would look like
                a bad reader.
        """
        samples = self._samples
        if mark != self._mark:
            self._mark = mark
            samples.clear()
            samples.append(mark)
        if tally.asked != samples[-1].asked:
            samples.append(tally)
        while len(samples) > 2 and tally.asked - samples[1].asked >= self._over:
            samples.popleft()
        return tally - samples[0]


class Marks:
    """Notes the tally of each space when other tags are laid there; told of facts by whoever polls.

    Args:
        tally: of a space, as it is now.
    """

    def __init__(self, tally: Callable[[str], Tally]) -> None:
        self._tally = tally
        self._uids: dict[str, tuple[bytes, ...]] = {}
        self._at: dict[str, Tally] = {}

    def of(self, space: str) -> Tally:
        """Return the tally of a space at its last change."""
        return self._at.get(space, Tally())

    def fact(self, space: str, fact: Fact) -> None:
        """Learn a fact; nothing changes where only its state is new."""
        if self._uids.get(space) != fact.uids:
            self._uids[space] = fact.uids
            self._at[space] = self._tally(space)

    def readers(self, states: Mapping[str, ReaderState]) -> None:
        """Learn how readers do: of no use here."""


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
        self._tallies: dict[str, Tally] = {}
        self.marks = Marks(self.tally)

    def tally(self, space: str) -> Tally:
        """Return what was counted of a space."""
        return self._tallies.get(space, Tally())

    def meet(self, firmware: str, spaces: Sequence[str]) -> None:
        """Learn that the node is there, with these spaces."""
        self._listener.meet(firmware, spaces)

    def fact(self, space: str, fact: Fact) -> None:
        """Learn a fact; those of a node that parts come before it says so."""
        self._facts[space] = fact
        self.marks.fact(space, fact)
        self._listener.fact(space, fact)

    def readers(self, states: Mapping[str, ReaderState]) -> None:
        """Count a frame."""
        for space in states:
            fact, before = self._facts.get(space), self.tally(space)
            if fact is not None:
                is_well = fact.state == "ok"
                self._tallies[space] = Tally(
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
            self._tallies.pop(space, None)
        self._listener.release(spaces)


def polls_of(health: Health) -> Tally:
    """Return what a reader of the bridge's own has counted."""
    return Tally(health.polls, health.hits, health.errors)


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
