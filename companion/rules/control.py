"""Intensity and control, computed from the board each time they are asked for (R-INT-*, R-CTRL-*)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from companion.rules.board import FRONTIERS, REALMS, Team, frontiers_of, triad
from companion.rules.cards import Catalogue
from companion.rules.position import Emotion, Position
from companion.rules.verdict import Missing

FORTRESS_INTENSITY: Final = {"minor": 1, "major": 2}
"""What a Fortress adds in its Realm (R-CTRL-R6)."""

_TRIADS: Final = {frontier: triad(frontier) for frontier in FRONTIERS}
_SIDES: Final = {
    realm: tuple(zip((f"{realm}.1", f"{realm}.2"), frontiers_of(realm), strict=True)) for realm in REALMS
}
"""By Realm: each of its slots with the Frontier slot next to it (R-BOARD-7)."""


@dataclass(frozen=True, slots=True)
class Control:
    """Who holds a Realm or Frontier, and by how much."""

    team: Team | None
    """None: nobody, or not known (see `missing`)."""
    bliss: int
    """Sum of the known Intensities that count for Bliss."""
    gloom: int
    missing: tuple[Missing, ...] = ()
    """Unknown printed Intensities on which the holder hangs; empty where the holder is sure."""
    possible: tuple[Team | None, ...] = ()
    """Whoever could turn out to hold it; one alone where that is sure."""

    def held_by(self, team: Team) -> bool | None:
        """Tell whether a team holds it; None where that hangs on `missing`."""
        if team not in self.possible:
            return False
        return True if self.possible == (team,) else None


def intensity(emotion: Emotion, cards: Catalogue) -> int | None:
    """Return the Intensity of an Emotion in play, None where it is not known (R-INT-1, R-INT-3)."""
    printed = cards.cards[emotion.name].intensity
    if not printed:
        return None
    return printed[min(emotion.essence, len(printed)) - 1] + emotion.intensity_token


class _Sums:
    """What counts for each team, added up."""

    def __init__(self, cards: Catalogue) -> None:
        self.cards = cards
        self.sums: dict[Team, int] = {"bliss": 0, "gloom": 0}
        self.present: set[Team] = set()
        self.unknown: dict[Team, list[str]] = {"bliss": [], "gloom": []}

    def add(self, emotions: Iterable[Emotion]) -> None:
        for emotion in emotions:
            team = self.cards.cards[emotion.name].team
            self.present.add(team)
            strength = intensity(emotion, self.cards)
            if strength is None:
                self.unknown[team].append(emotion.name)
                self.sums[team] += emotion.intensity_token
            else:
                self.sums[team] += strength

    def control(self) -> Control:
        """Decide by the higher sum; an unknown Intensity is 0 at least."""
        bliss, gloom = self.sums["bliss"], self.sums["gloom"]
        leader: Team | None = None
        if bliss != gloom:
            leader = "bliss" if bliss > gloom else "gloom"
        possible = _possible(bliss - gloom, bool(self.unknown["bliss"]), bool(self.unknown["gloom"]))
        if len(possible) == 1:
            return Control(leader, bliss, gloom, possible=possible)
        names = dict.fromkeys(name for names in self.unknown.values() for name in names)
        return Control(None, bliss, gloom, tuple(Missing(name, "intensity") for name in names), possible)


def _possible(lead: int, bliss_may_grow: bool, gloom_may_grow: bool) -> tuple[Team | None, ...]:  # noqa: FBT001
    """Return who could hold a place in which Bliss leads by `lead` without the unknown Intensities."""
    found: list[Team | None] = []
    if lead > 0 or bliss_may_grow:
        found.append("bliss")
    if lead < 0 or gloom_may_grow:
        found.append("gloom")
    if lead == 0 or (bliss_may_grow if lead < 0 else gloom_may_grow):
        found.append(None)
    return tuple(found)


def frontier_control(position: Position, frontier: str, cards: Catalogue) -> Control:
    """Tell who controls a Frontier: the only team in its Triad, else the higher sum (R-CTRL-F1 to -F5)."""
    sums = _Sums(cards)
    sums.add(position.slots[slot] for slot in _TRIADS[frontier] if slot in position.slots)
    if len(sums.present) == 1:
        [only] = sums.present
        return Control(only, sums.sums["bliss"], sums.sums["gloom"], possible=(only,))
    return sums.control()


def realm_control(position: Position, realm: str, cards: Catalogue) -> Control:
    """Tell who controls a Realm: the higher sum of what is not blocked, and Fortress (R-CTRL-R1 to R8)."""
    sums = _Sums(cards)
    slots = position.slots
    for own, frontier in _SIDES[realm]:
        inner, outer = slots.get(own), slots.get(frontier)
        if inner is not None:
            sums.add((inner,))
        if outer is None:
            continue
        if inner is None or cards.cards[inner.name].team == cards.cards[outer.name].team:
            sums.add((outer,))
    fortress = position.fortresses.get(realm)
    if fortress is not None:
        sums.sums[fortress.team] += FORTRESS_INTENSITY[fortress.fragment]
    return sums.control()
