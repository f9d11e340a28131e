"""The state of one space, fed with one reading after the other.

What single polls are worth (hardware facts, C6):

- A hit carries check bytes and a CRC at each level, so one is enough: a tag is placed with its first hit.
- A silence may be a tag that missed its call. A tag is removed after four in a row that span 300 ms.
- An error is evidence that something is there: it ends a row of silences and changes nothing else.
- Trouble of the reader says nothing about the field: the last tags stay.
"""

from dataclasses import dataclass
from typing import Final

from firmware_bridge.contract.messages import SpaceState
from hardware.reader import Absent, Present, Reading, Unknown

SILENCES: Final = 4
"""Clean silences in a row before a tag counts as removed: with 5 % of all frames disturbed and WUPA repeated
within the poll, at most two came in a row, with 20 % three (measured, hardware facts C6)."""

SILENT_FOR_S: Final = 0.3
"""How long they must span at least, so that fast polling does not shorten the evidence."""

SWAP_MISSES: Final = 2
"""Polls without the old tag before a new one replaces it at once: a single miss must not turn two cards that
lie together into an exchange of one for the other."""

UNREADABLE_AFTER_S: Final = 2.0
"""Errors for this long without a hit or enough silences: something lies there that can't be read."""

FAULT_AFTER_S: Final = 0.3
"""A recovery of the reader takes some polls and is no news (F-09); trouble for longer is."""


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known of a space: its tags, by UID and in rising order, and how far they are to be trusted."""

    uids: tuple[bytes, ...]
    state: SpaceState


@dataclass(frozen=True, slots=True)
class _Missing:
    """How long a tag has not answered."""

    count: int = 0
    since_s: float = 0.0

    def next(self, now_s: float) -> "_Missing":
        return _Missing(self.count + 1, self.since_s if self.count else now_s)

    def is_gone(self, now_s: float) -> bool:
        return self.count >= SILENCES and now_s - self.since_s >= SILENT_FOR_S


_ANSWERS: Final = _Missing()


_EMPTY: Final = Fact((), "ok")


class Presence:
    """Debounces one space. Made when the first poll is about to come; not for several threads at once."""

    def __init__(self) -> None:
        self._tags: dict[bytes, _Missing] = {}
        self._silence = _ANSWERS
        self._fact: Fact | None = None
        self._sure_s: float | None = None
        self._trouble_s: float | None = None
        self._in_doubt = False

    @property
    def fact(self) -> Fact | None:
        """What is known; None until enough polls were heard to know anything."""
        return self._fact

    def feed(self, reading: Reading, now_s: float) -> Fact | None:
        """Take in the reading of one poll.

        Args:
            reading: what the poll said.
            now_s: when, on a clock that only goes up.

        Returns:
            The new fact if this poll changed it, else None. An exchange of tags is one change.
        """
        match reading:
            case Present():
                self._hit(frozenset(reading.uids), now_s)
                sure = True
            case Absent():
                sure = self._miss(now_s)
            case Unknown():
                self._doubt(now_s, reader_fault=reading.reader_fault)
                sure = False
        if sure:
            self._trouble_s = None
            self._in_doubt = False
        if sure or self._sure_s is None:
            self._sure_s = now_s
        state = "ok" if sure else self._state_in_doubt(now_s, self._sure_s)
        return self._changed(state)

    def _hit(self, seen: frozenset[bytes], now_s: float) -> None:
        self._silence = _ANSWERS
        known = {uid: _ANSWERS if uid in seen else gap.next(now_s) for uid, gap in self._tags.items()}
        missing = known.keys() - seen
        exchanged = bool(seen - known.keys()) and all(known[uid].count >= SWAP_MISSES for uid in missing)
        gone = {uid for uid in missing if exchanged or known[uid].is_gone(now_s)}
        # Beside a tag that just missed its call a newcomer waits a poll: it is an exchange or an addition.
        fresh = seen if gone == missing else seen & known.keys()
        self._tags = {uid: gap for uid, gap in known.items() if uid not in gone}
        self._tags |= dict.fromkeys(fresh, _ANSWERS)

    def _miss(self, now_s: float) -> bool:
        """Count a silence; True if it leaves no doubt about what lies there."""
        self._trouble_s = None
        self._silence = self._silence.next(now_s)
        known = {uid: gap.next(now_s) for uid, gap in self._tags.items()}
        self._tags = {uid: gap for uid, gap in known.items() if not gap.is_gone(now_s)}
        return self._fact == _EMPTY or self._silence.is_gone(now_s)

    def _doubt(self, now_s: float, *, reader_fault: bool) -> None:
        self._silence = _ANSWERS
        self._tags = dict.fromkeys(self._tags, _ANSWERS)
        if not reader_fault:
            self._trouble_s = None
            self._in_doubt = True
        elif self._trouble_s is None:
            self._trouble_s = now_s

    def _state_in_doubt(self, now_s: float, sure_s: float) -> SpaceState | None:
        if self._trouble_s is not None and now_s - self._trouble_s >= FAULT_AFTER_S:
            return "fault"
        if self._in_doubt and now_s - sure_s >= UNREADABLE_AFTER_S:
            return "unreadable"
        return self._fact.state if self._fact is not None else None

    def _changed(self, state: SpaceState | None) -> Fact | None:
        if state is None:
            return None
        fact = Fact(tuple(sorted(self._tags)), state)
        if fact == self._fact:
            return None
        self._fact = fact
        return fact
