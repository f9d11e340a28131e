"""Which slots lie in an area around a card or a figure, worked out once for the whole map."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from companion.rules.board import FRONTIERS, REALMS, SLOTS, SPACES, frontiers_of, slots_beside, triad
from companion.rules.effects import AREAS, Area

Slots = frozenset[str]


def _next_to(slots: Iterable[str]) -> Slots:
    """Return the slots on either side of each of these on the ring (R-BOARD-7)."""
    places = [SLOTS.index(slot) for slot in slots]
    return frozenset(SLOTS[(i + step) % len(SLOTS)] for i in places for step in (-1, 1))


def _realm_of(place: str) -> Slots:
    realm = place.partition(".")[0]
    return frozenset(slots_beside(realm)) if realm in REALMS else frozenset()


def _of_slot(area: Area, slot: str) -> Slots:
    beside = _next_to((slot,))
    return {
        "beside": beside,
        "near": beside | _next_to(beside),
        "realm": _realm_of(slot),
        "triad": frozenset(other for f in FRONTIERS if slot in triad(f) for other in triad(f)),
        "anywhere": frozenset(SLOTS),
    }[area]


def _of_space(area: Area, space: str) -> Slots:
    beside = frozenset(slots_beside(space))
    return {
        "beside": beside,
        "near": beside | _next_to(beside),
        "realm": _realm_of(space),
        "triad": frozenset(slot for f in frontiers_of(space) for slot in triad(f)),
        "anywhere": frozenset(SLOTS),
    }[area]


def _all(work: Callable[[Area, str], Slots], places: Iterable[str]) -> dict[tuple[Area, str], Slots]:
    return {(area, place): work(area, place) for area in AREAS for place in places}


AROUND_SLOT: Final[Mapping[tuple[Area, str], Slots]] = _all(_of_slot, SLOTS)
"""By area and the slot of a card. `near` holds that slot too; a Frontier slot lies in no Realm."""

AROUND_FIGURE: Final[Mapping[tuple[Area, str], Slots]] = _all(_of_space, SPACES)
"""By area and the Spirit space of a figure."""
