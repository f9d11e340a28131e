"""Where everything lies on the board ring: angles, places, and which place a finger is on.

Free of Kivy. Angles run clockwise from the top, in degrees; places are fractions of the ring's radius, y
upwards; `Ring` turns them into pixels.
"""

from dataclasses import dataclass
from math import atan2, cos, degrees, hypot, radians, sin
from typing import Final

from companion.rules.board import FRONTIERS, REALMS, SLOTS, SPACES, SPHERES

STEP: Final = 24.0
"""Degrees of one slot: a fifteenth of the ring."""

# All radii below are shares of the ring's radius, found by laying out upright cards without overlap:
# a card of 0.30 x 0.195 at 0.82 neither touches its neighbour nor leaves the rim, at any place.
SLOT_AT: Final = 0.82
CARD_WIDE: Final = 0.30
CARD_HIGH: Final = 0.195
SPIRIT_AT: Final = 0.515
SPIRIT_RADIUS: Final = 0.054
FORTRESS_AT: Final = 0.638
FORTRESS_SIZE: Final = 0.078
ORIGIN_RADIUS: Final = 0.40
SPHERE_AT: Final = 0.25
SPHERE_RADIUS: Final = 0.078
INNER: Final = 0.43
"""Inner edge of Realms and Frontiers."""
RIM: Final = 1.0
"""Outer edge of Realms and Frontiers, on which the line of control runs."""
LABEL_AT: Final = 1.055
"""Middle of the Realms' names."""
OUTER: Final = 1.085
"""Everything drawn lies within this radius."""


def angle_of_slot(slot: str) -> float:
    """Return the angle of a slot's middle."""
    return (SLOTS.index(slot) - 0.5) * STEP


def angle_of_space(space: str) -> float:
    """Return the angle of a Spirit space's middle."""
    return SPACES.index(space) * 36.0


def span_of(area: str) -> tuple[float, float]:
    """Return the first and last angle of a Realm (two slots wide) or a Frontier (one)."""
    middle = angle_of_space(area)
    half = STEP if area in REALMS else STEP / 2
    return middle - half, middle + half


def sphere_at(facing: str, realm: str) -> str:
    """Return the Sphere that faces `realm` while `facing` faces the Valley (R-ORIGIN-1, R-ORIGIN-3)."""
    return SPHERES[(SPHERES.index(facing) + REALMS.index(realm)) % 5]


def polar(angle: float, share: float) -> tuple[float, float]:
    """Return x and y of the place at `angle` and `share` of the radius."""
    return sin(radians(angle)) * share, cos(radians(angle)) * share


@dataclass(frozen=True, slots=True)
class Ring:
    """The ring on a screen: its middle and its radius, in pixels."""

    x: float
    y: float
    radius: float

    def at(self, angle: float, share: float) -> tuple[float, float]:
        """Return the pixel at `angle` and `share` of the radius."""
        dx, dy = polar(angle, share * self.radius)
        return self.x + dx, self.y + dy

    def slot(self, slot: str) -> tuple[float, float]:
        """Return the middle of a slot."""
        return self.at(angle_of_slot(slot), SLOT_AT)

    def space(self, space: str) -> tuple[float, float]:
        """Return the middle of a Spirit space."""
        return self.at(angle_of_space(space), SPIRIT_AT)

    def fortress(self, realm: str) -> tuple[float, float]:
        """Return the middle of a Realm's Fortress location."""
        return self.at(angle_of_space(realm), FORTRESS_AT)

    def sphere(self, realm: str) -> tuple[float, float]:
        """Return the middle of the Sphere that faces `realm`."""
        return self.at(angle_of_space(realm), SPHERE_AT)

    def card(self) -> tuple[float, float]:
        """Return width and height of a card."""
        return CARD_WIDE * self.radius, CARD_HIGH * self.radius

    def figure(self, space: str, nth: int, count: int) -> tuple[float, float]:
        """Return the place of the `nth` of `count` figures on one Spirit space, side by side."""
        apart = degrees(2.1 * SPIRIT_RADIUS / SPIRIT_AT)
        return self.at(angle_of_space(space) + (nth - (count - 1) / 2) * apart, SPIRIT_AT)

    def target(self, x: float, y: float, *, figure: bool = False, card: bool = False) -> str | None:
        """Return the bus space under a finger: `slot/valley.1`, `spirit/valley`, or None off the ring.

        The whole sector counts, not only the card or the round drawn in it, so that a thumb always hits.

        Args:
            x: in pixels.
            y: in pixels.
            figure: a figure is being laid: it belongs on a Spirit space wherever it is let go.
            card: a card is being laid: it belongs in a slot.
        """
        dx, dy = x - self.x, y - self.y
        share = hypot(dx, dy) / self.radius
        angle = degrees(atan2(dx, dy)) % 360
        if not INNER * 0.9 < share < OUTER:
            return None
        if figure or (not card and share < (SPIRIT_AT + SLOT_AT) / 2):
            return f"spirit/{SPACES[round(angle / 36) % 10]}"
        return f"slot/{SLOTS[int((angle + STEP) // STEP) % 15]}"


def areas() -> tuple[str, ...]:
    """Return Realms and Frontiers in ring order."""
    return tuple(area for pair in zip(REALMS, FRONTIERS, strict=True) for area in pair)
