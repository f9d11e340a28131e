"""Aspirations: what each of them counts, computed from the board (R-ASP-1 to R-ASP-11)."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final

from companion.rules.board import FRONTIERS, REALMS, SLOTS, TEAMS, Team, opposite, triad
from companion.rules.cards import Catalogue
from companion.rules.control import FORTRESS_INTENSITY, Control, frontier_control, intensity, realm_control
from companion.rules.position import Emotion, Position
from companion.rules.verdict import Missing

VIBE_COLOURS: Final = 4
"""The most that Versatility can count (R-ASP-7)."""


@dataclass(frozen=True, slots=True)
class Count:
    """What both teams have of what an Aspiration counts."""

    bliss: int
    """What Bliss has for sure."""
    gloom: int
    least: float
    """The lead of Bliss at least; it equals `most` where every printed value is known."""
    most: float
    missing: tuple[Missing, ...] = ()
    """The unknown values that could change who leads."""

    def led_by(self, team: Team) -> bool | None:
        """Tell whether a team has strictly more (R-REV-3); None where that hangs on `missing`."""
        least, most = (self.least, self.most) if team == "bliss" else (-self.most, -self.least)
        if least > 0:
            return True
        return False if most <= 0 else None


def _sure(bliss: int, gloom: int) -> Count:
    return Count(bliss, gloom, bliss - gloom, bliss - gloom)


def _own(position: Position, cards: Catalogue, team: Team) -> dict[str, Emotion]:
    return {slot: e for slot, e in position.slots.items() if cards.cards[e.name].team == team}


_LEAD: Final[Mapping[Team | None, int]] = {"bliss": 1, "gloom": -1, None: 0}


def _held(places: Iterable[tuple[Control, ...]]) -> Count:
    """Count the places that a team holds in all their parts: one part, or the two of a pair."""
    bliss = gloom = least = most = 0
    missing: dict[Missing, None] = {}
    for parts in places:
        holders = {
            held[0] if len(set(held)) == 1 else None for held in product(*(part.possible for part in parts))
        }
        leads = [_LEAD[holder] for holder in holders]
        least, most = least + min(leads), most + max(leads)
        bliss += holders == {"bliss"}
        gloom += holders == {"gloom"}
        if len(holders) > 1:
            missing.update(dict.fromkeys(item for part in parts for item in part.missing))
    return Count(bliss, gloom, least, most, tuple(missing))


def _realms(position: Position, cards: Catalogue) -> Count:
    return _held((realm_control(position, realm, cards),) for realm in REALMS)


def _frontiers(position: Position, cards: Catalogue) -> Count:
    return _held((frontier_control(position, frontier, cards),) for frontier in FRONTIERS)


def _pairs(position: Position, cards: Catalogue) -> Count:
    return _held(
        (realm_control(position, realm, cards), frontier_control(position, opposite(realm), cards))
        for realm in REALMS
    )


def _triads(position: Position, cards: Catalogue) -> Count:
    own = {team: _own(position, cards, team) for team in TEAMS}
    bliss, gloom = (sum(any(slot in own[team] for slot in triad(f)) for f in FRONTIERS) for team in TEAMS)
    return _sure(bliss, gloom)


def _chain(taken: Iterable[str]) -> int:
    """Return the length of the longest run of slots on the slot ring (R-BOARD-7)."""
    held = set(taken)
    if len(held) == len(SLOTS):
        return len(SLOTS)
    longest = run = 0
    # Twice round, so that a run over the end of the list is met in one piece.
    for slot in (*SLOTS, *SLOTS):
        run = run + 1 if slot in held else 0
        longest = max(longest, run)
    return longest


def _chains(position: Position, cards: Catalogue) -> Count:
    return _sure(_chain(_own(position, cards, "bliss")), _chain(_own(position, cards, "gloom")))


def _fortresses(position: Position, _cards: Catalogue) -> Count:
    sums: dict[Team, int] = {"bliss": 0, "gloom": 0}
    for fortress in position.fortresses.values():
        sums[fortress.team] += FORTRESS_INTENSITY[fortress.fragment]
    return _sure(sums["bliss"], sums["gloom"])


def _essence(position: Position, cards: Catalogue) -> Count:
    bliss, gloom = (sum(e.essence for e in _own(position, cards, team).values()) for team in TEAMS)
    return _sure(bliss, gloom)


def _colours(position: Position, cards: Catalogue, team: Team) -> int:
    """Count the Vibes that a team shows; by ruling a Starting Emotion stands for one that is not shown yet.

    Source: R-ASP-7, R-ASP-11, the ruling starting-emotions-show-vibe.
    """
    own = [cards.cards[emotion.name] for emotion in _own(position, cards, team).values()]
    shown = len({card.vibe for card in own if card.vibe is not None})
    if position.rulings.get("starting-emotions-show-vibe", False):
        shown += sum(card.strength == "starting" for card in own)
    return min(VIBE_COLOURS, shown)


def _vibes(position: Position, cards: Catalogue) -> Count:
    return _sure(_colours(position, cards, "bliss"), _colours(position, cards, "gloom"))


def _strongest(position: Position, cards: Catalogue) -> Count:
    """Compare the highest Intensities; a team without Emotions is below one with an Intensity of 0."""
    known: dict[Team, int] = {"bliss": -1, "gloom": -1}
    unknown: dict[Team, list[str]] = {"bliss": [], "gloom": []}
    for emotion in position.slots.values():
        team, strength = cards.cards[emotion.name].team, intensity(emotion, cards)
        if strength is None:
            unknown[team].append(emotion.name)
            strength = emotion.intensity_token
        known[team] = max(known[team], strength)
    lead = known["bliss"] - known["gloom"]
    names = dict.fromkeys((*unknown["bliss"], *unknown["gloom"]))
    return Count(
        max(0, known["bliss"]),
        max(0, known["gloom"]),
        -math.inf if unknown["gloom"] else lead,
        math.inf if unknown["bliss"] else lead,
        tuple(Missing(name, "intensity") for name in names),
    )


MEASURES: Final[Mapping[str, Callable[[Position, Catalogue], Count]]] = {
    "realms-controlled": _realms,
    "triads-with-own-emotion": _triads,
    "longest-adjacent-chain": _chains,
    "frontiers-controlled": _frontiers,
    "fortress-intensity-total": _fortresses,
    "essence-on-board": _essence,
    "distinct-vibes": _vibes,
    "max-single-intensity": _strongest,
    "opposite-realm-frontier-pairs": _pairs,
}
"""By the name that the card data uses: R-ASP-1 to R-ASP-9 in their order."""


def count(position: Position, aspiration: str, cards: Catalogue) -> Count:
    """Count for both teams what an Aspiration compares.

    Args:
        position: the board.
        aspiration: its title.
        cards: the printed values.
    """
    return MEASURES[cards.aspirations[aspiration].measure](position, cards)
