"""The map: Realms, Frontiers, Spirit spaces, Emotion slots, and what lies beside what (R-BOARD-1 to -14)."""

from functools import cache
from typing import Final, Literal

Team = Literal["bliss", "gloom"]

TEAMS: Final[tuple[Team, ...]] = ("bliss", "gloom")
"""Both teams."""

REALMS: Final = ("valley", "cradle", "network", "land", "willow")
"""The Realms in ring order (R-BOARD-3)."""

FRONTIERS: Final = tuple(f"{realm}-{REALMS[(i + 1) % 5]}" for i, realm in enumerate(REALMS))
"""The Frontiers in ring order; the i-th lies between the i-th Realm and the next one (R-BOARD-1)."""

SPACES: Final = tuple(space for pair in zip(REALMS, FRONTIERS, strict=True) for space in pair)
"""The ten Spirit spaces along their ring (R-BOARD-5, R-BOARD-6)."""

SLOTS: Final = tuple(
    slot
    for realm, frontier in zip(REALMS, FRONTIERS, strict=True)
    for slot in (f"{realm}.1", f"{realm}.2", frontier)
)
"""The fifteen Emotion slots along their ring (R-BOARD-4, R-BOARD-7)."""

SPHERES: Final = ("commitment", "creativity", "humility", "diligence", "knowledge")
"""The Spheres in the order in which they lie on the Origin, clockwise (R-ORIGIN-3)."""


@cache
def steps_between(start: str, end: str) -> int:
    """Count the steps of the shorter way round the ring of Spirit spaces (R-BOARD-6).

    Args:
        start: a Spirit space.
        end: a Spirit space.

    Returns:
        0 to 5.
    """
    apart = abs(SPACES.index(start) - SPACES.index(end))
    return min(apart, len(SPACES) - apart)


@cache
def spaces_at(start: str, steps: int) -> tuple[str, ...]:
    """Return the Spirit spaces that are so many steps away from `start`, in ring order."""
    return tuple(space for space in SPACES if steps_between(start, space) == steps)


@cache
def neighbours(space: str) -> tuple[str, str]:
    """Return the two Spirit spaces next to `space`, the one before it in ring order first (R-BOARD-6)."""
    i = SPACES.index(space)
    return SPACES[i - 1], SPACES[(i + 1) % len(SPACES)]


@cache
def slots_beside(space: str) -> tuple[str, ...]:
    """Return the slots that a figure on the Spirit space `space` is adjacent to (R-BOARD-10)."""
    return (space,) if space in FRONTIERS else (f"{space}.1", f"{space}.2")


@cache
def realms_of(space: str) -> tuple[str, ...]:
    """Return the Realm of a Realm space, or the two Realms that a Frontier joins, in ring order."""
    if space in REALMS:
        return (space,)
    i = FRONTIERS.index(space)
    return REALMS[i], REALMS[(i + 1) % 5]


@cache
def frontiers_of(space: str) -> tuple[str, ...]:
    """Return the Frontiers adjacent to the Spirit space `space` (R-BOARD-11)."""
    if space in FRONTIERS:
        return (space,)
    i = REALMS.index(space)
    return FRONTIERS[i - 1], FRONTIERS[i]


@cache
def triad(frontier: str) -> tuple[str, str, str]:
    """Return the three slots that count for a Frontier (R-BOARD-8, R-CTRL-F1)."""
    before, after = realms_of(frontier)
    return f"{before}.2", frontier, f"{after}.1"


def realm_faced(sphere: str, facing: str) -> str:
    """Return the Realm that a Sphere faces while `facing` faces the Valley (R-ORIGIN-1, R-ORIGIN-3)."""
    return REALMS[(SPHERES.index(sphere) - SPHERES.index(facing)) % 5]


@cache
def spheres_beside(space: str, facing: str) -> tuple[str, ...]:
    """Return the Spheres that a figure on `space` is adjacent to, in the order of the Realms (R-BOARD-12)."""
    first = SPHERES.index(facing)
    return tuple(SPHERES[(first + REALMS.index(realm)) % 5] for realm in realms_of(space))


def turned(facing: str) -> str:
    """Return the Sphere that faces the Valley after the Origin turned one step clockwise (R-ORIGIN-5)."""
    return SPHERES[SPHERES.index(facing) - 1]


def opposite(realm: str) -> str:
    """Return the Frontier that lies across from a Realm (R-BOARD-14)."""
    return FRONTIERS[(REALMS.index(realm) + 2) % 5]


def other_team(team: Team) -> Team:
    """Return the opponents of a team."""
    return "gloom" if team == "bliss" else "bliss"
