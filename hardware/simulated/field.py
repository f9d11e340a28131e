"""A reader's field: the tags in it, their answers laid over each other, and what can disturb them."""

import random
import threading
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, Protocol

from hardware.simulated.air import TAG_START_UP_S
from hardware.simulated.tag import UNINTELLIGIBLE, Command, Frame, Tag, Verb, understand


@dataclass(frozen=True, slots=True)
class Reception:
    """What comes back to the reader's antenna."""

    value: int
    bits: int
    collided: int = 0
    """A set bit for every bit in which two answers differed."""
    parity_error: bool = False
    late_s: float = 0.0
    """How much later than usual it comes: a tag that programs its memory takes its time."""


class Strike(Enum):
    """One way in which an exchange goes wrong."""

    COMMAND_LOST = "the tags hear nothing"
    COMMAND_GARBLED = "the tags hear a broken frame"
    ANSWER_LOST = "the reader hears nothing"
    ANSWER_GARBLED = "the reader gets a flipped bit and sees the parity break"
    ANSWER_GARBLED_UNSEEN = "two bits of a byte flip, so only BCC or CRC tell"


_PROGRAMMING_S: Final = 0.004
"""How long an NTAG takes to answer WRITE: our estimate, the data sheet says 10 ms at most."""
_HEARD_WRONG: Final = (Strike.ANSWER_GARBLED, Strike.ANSWER_GARBLED, Strike.ANSWER_GARBLED_UNSEEN)
_NOT_HEARD: Final = (Strike.COMMAND_LOST, Strike.COMMAND_GARBLED, Strike.ANSWER_LOST)


class Disturbance(Protocol):
    """Decides the fate of each exchange."""

    def strike(self) -> Strike | None:
        """What happens to the next exchange; None leaves it alone."""
        ...


class RandomDisturbance:
    """A share of all exchanges goes wrong: of those 70 % arrive as an error and 30 % as no answer.

    Args:
        share: 0 to 1, the part of exchanges that is hit.
        rng: where the dice come from.
    """

    def __init__(self, share: float, rng: random.Random) -> None:
        self._share = share
        self._rng = rng

    def strike(self) -> Strike | None:
        """The fate of the next exchange."""
        if self._rng.random() >= self._share:
            return None
        if self._rng.random() < 0.7:
            return self._rng.choice(_HEARD_WRONG)
        return self._rng.choice(_NOT_HEARD)


class ScriptedDisturbance:
    """Hits the exchanges in the order of a list, then none."""

    def __init__(self, *strikes: Strike | None) -> None:
        self._strikes = list(strikes)

    def strike(self) -> Strike | None:
        """The fate of the next exchange."""
        return self._strikes.pop(0) if self._strikes else None


TagBox = dict[bytes, Tag]
"""Tags by UID."""

MOST_IN_BOX: Final = 2000
"""Tags that are kept; several games full, and a bound."""


class Field:
    """The tags within reach of one antenna. Tags may be laid and lifted from any thread while readers poll.

    Args:
        disturbance: what goes wrong on air; nothing by default. May be replaced at any time.
        seed: for the places of flipped bits.
        box: the tags there are, by UID, shared by all fields of a table: a tag that is lifted and laid
            elsewhere is the same one, with what was written to it. None: each is a new one.
    """

    def __init__(
        self,
        *,
        disturbance: Disturbance | None = None,
        seed: int = 0,
        box: TagBox | None = None,
    ) -> None:
        self.disturbance = disturbance
        self.powered = False
        self._box = box
        self._rng = random.Random(seed)  # noqa: S311 noise, not secrets
        self._lock = threading.Lock()
        self._tags: tuple[Tag, ...] = ()
        self._awake_from_s = 0.0

    @property
    def uids(self) -> tuple[bytes, ...]:
        """UIDs of the tags that lie here, in rising order."""
        return tuple(sorted(tag.uid for tag in self._tags))

    def tag(self, uid: bytes | str) -> Tag:
        """The tag of this UID that lies here."""
        wanted = _uid(uid)
        return next(tag for tag in self._tags if tag.uid == wanted)

    def place(self, tag: Tag | bytes | str) -> None:
        """Lay a tag down: a `Tag`, or the UID as bytes or hex. One that lies here already stays as it is."""
        laid = tag if isinstance(tag, Tag) else self._from_box(_uid(tag))
        with self._lock:
            if all(other.uid != laid.uid for other in self._tags):
                laid.power(self.powered)
                self._tags = (*self._tags, laid)

    def _from_box(self, uid: bytes) -> Tag:
        if self._box is None or (uid not in self._box and len(self._box) >= MOST_IN_BOX):
            return Tag(uid)
        return self._box.setdefault(uid, Tag(uid))

    def remove(self, uid: bytes | str) -> None:
        """Lift a tag; lifting one that is not here changes nothing."""
        lifted = _uid(uid)
        with self._lock:
            self._tags = tuple(tag for tag in self._tags if tag.uid != lifted)

    def lay(self, uids: Iterable[bytes | str]) -> None:
        """Make exactly these tags lie here; those that already do keep their state."""
        wanted = {_uid(uid) for uid in uids}
        for uid in self.uids:
            if uid not in wanted:
                self.remove(uid)
        for uid in sorted(wanted):
            self.place(uid)

    def power(self, on: bool, now_s: float) -> None:  # noqa: FBT001 the field is on or off, there is no third
        """The reader switches its antenna; every tag starts over, and takes its time to start up."""
        with self._lock:
            if on == self.powered:
                return
            self.powered = on
            self._awake_from_s = now_s + TAG_START_UP_S
            for tag in self._tags:
                tag.power(on)

    def exchange(self, value: int, bits: int, now_s: float) -> Reception | None:
        """Send a frame to all tags; what comes back, or None for silence."""
        tags = self._tags
        if not tags or not self.powered or now_s < self._awake_from_s:
            return None
        disturbance = self.disturbance
        strike = disturbance.strike() if disturbance else None
        if strike is Strike.COMMAND_LOST:
            return None
        command = UNINTELLIGIBLE if strike is Strike.COMMAND_GARBLED else understand(value, bits)
        reception = self._answers(tags, command)
        if reception is None or strike is None:
            return reception
        return self._spoil(reception, strike)

    @staticmethod
    def _answers(tags: tuple[Tag, ...], command: Command) -> Reception | None:
        answers = [answer for tag in tags if (answer := tag.hear(command)) is not None]
        if not answers:
            return None
        reception = superpose(answers)
        return replace(reception, late_s=_PROGRAMMING_S) if command.verb is Verb.WRITE else reception

    def _spoil(self, reception: Reception, strike: Strike) -> Reception | None:
        if strike is Strike.ANSWER_LOST:
            return None
        bit = self._rng.randrange(reception.bits)
        if strike is Strike.ANSWER_GARBLED:
            return replace(reception, value=reception.value ^ 1 << bit, parity_error=True)
        other = bit ^ 1 if bit ^ 1 < reception.bits else bit
        return replace(reception, value=reception.value ^ 1 << bit ^ 1 << other)


def superpose(answers: list[Frame]) -> Reception:
    """Several answers on one antenna: where they differ, both halves of the bit are modulated."""
    value, bits = answers[0]
    collided = 0
    for other, other_bits in answers[1:]:
        collided |= (value ^ other) & ((1 << min(bits, other_bits)) - 1)
        value |= other
        bits = max(bits, other_bits)
    return Reception(value, bits, collided)


def _uid(uid: bytes | str) -> bytes:
    return bytes.fromhex(uid) if isinstance(uid, str) else uid
