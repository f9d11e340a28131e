"""How people move pieces, with lifts, slides and second thoughts: from what is carried to touches in time.

All times in seconds; each habit has a share of the movements in which it shows.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.rules.board import SLOTS, SPACES
from tests.rehearsal.pieces import Carry


@dataclass(frozen=True, slots=True, order=True)
class Touch:
    """A piece comes into a field or leaves it."""

    at_s: float
    down: bool
    """Lifts come first where two happen at once."""
    space: str
    uid: str


@dataclass(frozen=True, slots=True)
class Habits:
    """How careless people are: shares of movements."""

    slides: float = 0.35
    """Figures and cards that pass over readers on the way."""
    flickers: float = 0.25
    """Set down slowly: the tag comes and goes at the edge of the field."""
    hovers: float = 0.12
    """First over the place beside the one that is meant."""
    lingers: float = 0.15
    """Held in the hand while thinking."""
    lays_on_top: float = 0.3
    """The new card is laid down before the old one is taken away."""
    distracts: float = 0.25
    """Somebody lifts something else meanwhile, to read it."""
    hurries: float = 0.2
    """Does the next thing before the answer to this one."""
    forgets: float = 0.3
    """After the last Action nobody says that the turn ends: the next player just acts."""
    taps_first: float = 0.04
    """Says it by touch, then moves the pieces."""
    dwell_s: tuple[float, float] = (0.05, 0.3)
    """How long a piece that is slid or held over a wrong place is within its field (A4: 0.10 to 0.5 s)."""
    reading_s: tuple[float, float] = (0.4, 6.0)
    """How long a card that is read is away."""


CALM: Final = Habits(
    slides=0, flickers=0, hovers=0, lingers=0, lays_on_top=0, distracts=0, hurries=0, forgets=0, taps_first=0
)
"""People who do one thing after the other."""


class Hands:
    """The movements of people at one table."""

    def __init__(self, habits: Habits, dice: random.Random) -> None:
        self.habits = habits
        self._dice = dice

    def chance(self, share: float) -> bool:
        """Decide whether something with this share happens."""
        return self._dice.random() < share

    def between(self, low: float, high: float) -> float:
        """Return a time at random."""
        return self._dice.uniform(low, high)

    def carry(self, carries: Sequence[Carry], start_s: float) -> list[Touch]:
        """Carry pieces, one after the other or an exchange at once."""
        touches: list[Touch] = []
        now_s = start_s
        for carry in self._order(carries):
            now_s = self._one(carry, now_s, touches) + self.between(0.05, 0.6)
        return touches

    def read(self, uid: str, space: str, back: str, start_s: float) -> list[Touch]:
        """Lift a piece to look at it and put it, or its copy, back."""
        lifted = Touch(start_s, False, space, uid)
        touches = [lifted]
        self._land(Carry(back, None, space), space, start_s + self.between(*self.habits.reading_s), touches)
        return touches

    def mix_up(self, pairs: Sequence[tuple[str, str]], start_s: float) -> list[Touch]:
        """Lift two pieces, put each on the other's place, see it and put both right."""
        (one, here), (two, there) = pairs
        touches = [Touch(start_s, False, here, one), Touch(start_s + 0.2, False, there, two)]
        now_s = start_s + self.between(0.5, 2.0)
        touches += [Touch(now_s, True, there, one), Touch(now_s + 0.3, True, here, two)]
        now_s += 0.3 + self.between(0.6, 3.0)
        touches += [Touch(now_s, False, there, one), Touch(now_s + 0.2, False, here, two)]
        now_s += self.between(0.5, 1.5)
        touches += [Touch(now_s, True, here, one), Touch(now_s + 0.3, True, there, two)]
        return touches

    def _order(self, carries: Sequence[Carry]) -> list[Carry]:
        """Return the order of hands: what goes away first, unless the new card is laid on top."""
        order = sorted(carries, key=lambda carry: carry.start is None)
        if self.chance(self.habits.lays_on_top):
            order.sort(key=lambda carry: carry.end is None)
        return order

    def _one(self, carry: Carry, now_s: float, touches: list[Touch]) -> float:
        if carry.start is not None:
            touches.append(Touch(now_s, False, carry.start, carry.uid))
        now_s += self.between(2.0, 7.0) if self.chance(self.habits.lingers) else self.between(0.1, 0.9)
        return now_s if carry.end is None else self._land(carry, carry.end, now_s, touches)

    def _land(self, carry: Carry, end: str, now_s: float, touches: list[Touch]) -> float:
        for space in self._on_the_way(carry.start, end):
            now_s = self._over(space, carry.uid, now_s, touches) + self.between(0.02, 0.2)
        if self.chance(self.habits.flickers):
            for _ in range(self._dice.randint(1, 3)):
                now_s = self._over(end, carry.uid, now_s, touches) + self.between(0.03, 0.25)
        touches.append(Touch(now_s, True, end, carry.uid))
        return now_s

    def _over(self, space: str, uid: str, now_s: float, touches: list[Touch]) -> float:
        until_s = now_s + self.between(*self.habits.dwell_s)
        touches += [Touch(now_s, True, space, uid), Touch(until_s, False, space, uid)]
        return until_s

    def _on_the_way(self, start: str | None, end: str) -> list[str]:
        """Return the readers that a piece passes over, the last one beside its goal."""
        kind, _, name = end.partition("/")
        ring = {"slot": SLOTS, "spirit": SPACES}.get(kind)
        if ring is None:
            return []
        passed: list[str] = []
        at = ring.index(name)
        if self.chance(self.habits.slides):
            if start is not None and start.startswith(kind):
                begin = ring.index(start.partition("/")[2])
                step = 1 if (at - begin) % len(ring) <= len(ring) // 2 else -1
                passed += [ring[i % len(ring)] for i in _steps(begin, at, step, len(ring))]
            else:
                passed.append(ring[(at + self._dice.choice((-1, 1))) % len(ring)])
        if self.chance(self.habits.hovers):
            passed.append(ring[(at + self._dice.choice((-1, 1))) % len(ring)])
        return [f"{kind}/{space}" for space in passed]


def _steps(begin: int, end: int, step: int, length: int) -> list[int]:
    found = []
    place = (begin + step) % length
    while place != end:
        found.append(place)
        place = (place + step) % length
    return found
