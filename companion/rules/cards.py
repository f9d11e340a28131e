"""What is printed on the cards, as values. The numbers come from `companion.content`, never from here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from companion.rules.board import Team

Strength = Literal["mild", "strong", "starting"]


@dataclass(frozen=True, slots=True)
class Card:
    """One Emotion title. `None` means that nobody knows the printed value."""

    name: str
    """The title, in the form of the contracts: `self-esteem`."""
    team: Team
    strength: Strength
    vibe: str | None
    """A colour, or None for a Starting Emotion, which has none (R-QUELL-5)."""
    intensity: tuple[int, ...] | None
    """Intensity by Essence space, left to right; its length is the number of spaces (R-ESS-1)."""
    empower_threshold: int | None = None
    """Essence needed to empower a Mild Emotion (R-EMP-2); without meaning for the others."""
    strong: str | None = None
    """The Strong counterpart of a Mild Emotion (R-EMP-3)."""
    copies: int | None = None
    """Copies per team: 4 of a Mild title, 2 of a Strong one (R-COMP-8, R-COMP-9)."""
    starting_essence: int = 1
    """Essence that the card enters play with: its shaded spaces (R-INVOKE-3)."""
    power: Mapping[str, object] | None = None
    """The power as the data file states it; not used by the rules yet."""

    @property
    def spaces(self) -> int | None:
        """The number of Essence spaces, or None where it is not known."""
        return None if self.intensity is None else len(self.intensity)


@dataclass(frozen=True, slots=True)
class Upgrade:
    """One of the three upgrades of a Spirit Action's row (R-UPG-1)."""

    name: str
    willpower: int = 0
    """Added to the base cost; Determination's is -1 (R-UPG-3, R-UPG-4)."""
    ambition: int = 0


@dataclass(frozen=True, slots=True)
class SpiritAction:
    """One row of a Spirit board: its base cost and its upgrades, left to right."""

    name: str
    willpower: int
    ambition: int
    upgrades: tuple[Upgrade, Upgrade, Upgrade]


@dataclass(frozen=True, slots=True)
class Spirit:
    """One of the eight Spirits (R-COMP-2)."""

    name: str
    team: Team


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All printed values that the rules need, card packs included."""

    cards: Mapping[str, Card] = field(default_factory=dict)
    spirits: Mapping[str, Spirit] = field(default_factory=dict)
    rows: Mapping[str, SpiritAction] = field(default_factory=dict)
    """The Spirit Actions of side A by name, in the order of the board's rows."""
