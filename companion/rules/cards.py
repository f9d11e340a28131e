"""What is printed on the cards, as values. The numbers come from `companion.content`, never from here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from companion.rules.board import Team
from companion.rules.effects import NO_GAIN, Gain, Power, PowerIndex, UpgradeEffect

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
    power: Power | None = None
    """None: nobody knows it, so the table applies it by itself."""

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
    effects: tuple[UpgradeEffect, ...] = ()
    """What it does, where it is no standard one; those do what the rules of their Action say."""
    text: str | None = None
    """What it does in words that can follow its name: "trades spaces with another Spirit"."""


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
    power: Power | None = None
    """None: nobody knows it, so the table applies it by itself."""
    side_b: Mapping[str, SpiritAction] = field(default_factory=dict)
    """The rows of side B by name; a row left out nobody knows."""


@dataclass(frozen=True, slots=True)
class RealmAction:
    """The Action printed on a Realm (R-BOARD-15)."""

    name: str
    willpower: int
    """Its cost without control (R-REALM-3)."""
    gain: Gain = NO_GAIN


@dataclass(frozen=True, slots=True)
class Sphere:
    """One of the five Spheres and its bonus (R-ABS-8)."""

    name: str
    willpower: int
    """What the bonus costs."""
    gain: Gain


@dataclass(frozen=True, slots=True)
class Ability:
    """An Ambition Ability of the Team board (R-AMB-6 to R-AMB-8)."""

    name: str
    ambition: int
    gain: Gain | None
    """None: nobody knows what it does, so the table does it by itself."""


@dataclass(frozen=True, slots=True)
class Aspiration:
    """One of the nine Aspirations (R-ASP-1 to R-ASP-9)."""

    name: str
    measure: str
    """What is compared between the teams: a name that `companion.rules.aspirations` knows."""
    basic_game: bool
    """Whether the basic game uses it (R-ASP-10)."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All printed values that the rules need, card packs included."""

    cards: Mapping[str, Card] = field(default_factory=dict)
    spirits: Mapping[str, Spirit] = field(default_factory=dict)
    rows: Mapping[str, SpiritAction] = field(default_factory=dict)
    """The Spirit Actions of side A by name, in the order of the board's rows."""
    realms: Mapping[str, RealmAction] = field(default_factory=dict)
    spheres: Mapping[str, Sphere] = field(default_factory=dict)
    abilities: Mapping[str, Ability] = field(default_factory=dict)
    aspirations: Mapping[str, Aspiration] = field(default_factory=dict)
    powers: PowerIndex = field(init=False, repr=False, compare=False)
    """The powers of `cards` and `spirits`, found by what they do; no two of them share a name."""

    upgrade_names: frozenset[str] = field(init=False, repr=False, compare=False)
    """Every upgrade of either side that somebody knows."""

    def __post_init__(self) -> None:
        boards = (self.rows, *(spirit.side_b for spirit in self.spirits.values()))
        names = frozenset(u.name for board in boards for row in board.values() for u in row.upgrades)
        object.__setattr__(self, "upgrade_names", names)
        powers = {name: item.power for part in (self.spirits, self.cards) for name, item in part.items()}
        object.__setattr__(self, "powers", PowerIndex(powers))
