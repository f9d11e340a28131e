"""What is known of one space, fed with one reading after the other: the debounce, for bridge and nodes alike.

What single polls are worth (hardware facts, C6):

- A hit carries check bytes and a CRC at each level, so one is enough: a tag is placed with its first hit.
- A silence may be a tag that missed its call. A tag is removed after four in a row that span 300 ms.
- An error is evidence that something is there: it ends a row of silences and changes nothing else.
- Trouble of the reader says nothing about the field: the last tags stay.

Plain classes and whole microseconds: also runs on the MicroPython of the nodes.
"""

from hardware.reading import Absent, Present, Unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from hardware.rfid.ports import Reading

    SpaceState = Literal["ok", "unreadable", "fault"]

SILENCES = 4
"""Clean silences in a row before a tag counts as removed: with 5 % of all frames disturbed and WUPA repeated
within the poll, at most two came in a row, with 20 % three (measured, hardware facts C6)."""

SILENT_FOR_US = 300_000
"""How long they must span at least, so that fast polling does not shorten the evidence."""

SWAP_MISSES = 2
"""Polls without the old tag before a new one replaces it at once: a single miss must not turn two cards that
lie together into an exchange of one for the other."""

UNREADABLE_AFTER_US = 2_000_000
"""Errors for this long without a hit or enough silences: something lies there that can't be read."""

FAULT_AFTER_US = 300_000
"""A recovery of the reader takes some polls and is no news (F-09); trouble for longer is."""


class Fact:
    """What is known of a space; never changed once made.

    Attributes:
        uids: of its tags, in rising order.
        state: how far they are to be trusted.
    """

    __slots__ = ("state", "uids")
    __match_args__ = ("uids", "state")

    def __init__(self, uids: "tuple[bytes, ...]", state: "SpaceState") -> None:
        self.uids = uids
        self.state = state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fact) and self.uids == other.uids and self.state == other.state

    def __hash__(self) -> int:
        return hash((self.uids, self.state))

    def __repr__(self) -> str:
        return f"Fact({self.uids!r}, {self.state!r})"


# How long a tag has not answered: how many polls, and since when.
_ANSWERS = (0, 0)
_EMPTY = Fact((), "ok")


def _next(gap: "tuple[int, int]", now_us: int) -> "tuple[int, int]":
    return (gap[0] + 1, gap[1] if gap[0] else now_us)


def _is_gone(gap: "tuple[int, int]", now_us: int) -> bool:
    return gap[0] >= SILENCES and now_us - gap[1] >= SILENT_FOR_US


class Presence:
    """Debounces one space. Made when the first poll is about to come; not for several threads at once.

    Attributes:
        fact: what is known; None until enough polls were heard to know anything.
    """

    def __init__(self) -> None:
        self.fact: Fact | None = None
        self._tags: dict[bytes, tuple[int, int]] = {}
        self._silence = _ANSWERS
        self._sure_us: int | None = None
        self._trouble_us: int | None = None
        self._in_doubt = False

    def feed_at(self, reading: "Reading", now_us: int) -> "Fact | None":
        """Take in the reading of one poll.

        Args:
            reading: what the poll said.
            now_us: when, on a clock that only goes up.

        Returns:
            The new fact if this poll changed it, else None. An exchange of tags is one change.
        """
        sure = False
        if isinstance(reading, Present):
            self._hit(reading.uids, now_us)
            sure = True
        elif isinstance(reading, Absent):
            sure = self._miss(now_us)
        elif isinstance(reading, Unknown):
            self._doubt(now_us, reader_fault=reading.reader_fault)
        if sure:
            self._trouble_us = None
            self._in_doubt = False
        if sure or self._sure_us is None:
            self._sure_us = now_us
        state = "ok" if sure else self._state_in_doubt(now_us, self._sure_us)
        return self._changed(state)

    def _hit(self, seen: "tuple[bytes, ...]", now_us: int) -> None:
        self._silence = _ANSWERS
        known = {uid: _ANSWERS if uid in seen else _next(gap, now_us) for uid, gap in self._tags.items()}
        missing = [uid for uid in known if uid not in seen]
        newcomers = [uid for uid in seen if uid not in known]
        exchanged = bool(newcomers) and all(known[uid][0] >= SWAP_MISSES for uid in missing)
        gone = [uid for uid in missing if exchanged or _is_gone(known[uid], now_us)]
        for uid in gone:
            del known[uid]
        # Beside a tag that just missed its call a newcomer waits a poll: it is an exchange or an addition.
        if len(gone) == len(missing):
            for uid in newcomers:
                known[uid] = _ANSWERS
        self._tags = known

    def _miss(self, now_us: int) -> bool:
        """Count a silence; True if it leaves no doubt about what lies there."""
        self._trouble_us = None
        self._silence = _next(self._silence, now_us)
        known = {uid: _next(gap, now_us) for uid, gap in self._tags.items()}
        self._tags = {uid: gap for uid, gap in known.items() if not _is_gone(gap, now_us)}
        return self.fact == _EMPTY or _is_gone(self._silence, now_us)

    def _doubt(self, now_us: int, *, reader_fault: bool) -> None:
        self._silence = _ANSWERS
        self._tags = dict.fromkeys(self._tags, _ANSWERS)
        if not reader_fault:
            self._trouble_us = None
            self._in_doubt = True
        elif self._trouble_us is None:
            self._trouble_us = now_us

    def _state_in_doubt(self, now_us: int, sure_us: int) -> "SpaceState | None":
        if self._trouble_us is not None and now_us - self._trouble_us >= FAULT_AFTER_US:
            return "fault"
        if self._in_doubt and now_us - sure_us >= UNREADABLE_AFTER_US:
            return "unreadable"
        return self.fact.state if self.fact is not None else None

    def _changed(self, state: "SpaceState | None") -> "Fact | None":
        if state is None:
            return None
        fact = Fact(tuple(sorted(self._tags)), state)
        if fact == self.fact:
            return None
        self.fact = fact
        return fact
