"""What a player can do, as values: the `do` tables of the contracts' section 3."""

from dataclasses import dataclass
from typing import Literal

from companion.rules.board import Team
from companion.rules.parts import Part


@dataclass(frozen=True, slots=True)
class Place:
    """A Vibe token placed right after declaring a Spirit Action (R-VIBE-3)."""

    discard: str
    """The title discarded from the hand; its Vibe is the token's colour."""
    space: int
    """1 (leftmost, unlocks the row) to 4."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spirit:
    """What all five Spirit Actions share."""

    upgrades: tuple[str, ...] = ()
    place: Place | None = None
    player: str | None = None
    """Who acts; None: the player whose turn it is."""


@dataclass(frozen=True, slots=True)
class Move(_Spirit):
    """The figure goes to a neighbouring Spirit space (R-MOVE-1)."""

    to: str
    trade_with: str | None = None
    """Of an upgrade that trades spaces: with which player, where several figures stand there."""


@dataclass(frozen=True, slots=True)
class Invoke(_Spirit):
    """A hand card enters play (R-INVOKE-1)."""

    emotion: str
    slot: str


@dataclass(frozen=True, slots=True)
class Quell(_Spirit):
    """An opposing Emotion loses its last Essence (R-QUELL-1)."""

    slot: str
    reveal: str | None = None
    """The hand card shown; None is only right with Extinguish (R-QUELL-8)."""


@dataclass(frozen=True, slots=True)
class Fortify(_Spirit):
    """Fortify, or with the upgrade of that name Exalt or Raze (R-FORT-1)."""

    realm: str


@dataclass(frozen=True, slots=True)
class Empower(_Spirit):
    """A Mild Emotion becomes its Strong counterpart (R-EMP-2)."""

    slot: str


@dataclass(frozen=True, slots=True)
class Token:
    """A Vibe token added without a discard (R-VIBE-10)."""

    row: str
    """A Spirit Action."""
    space: int
    """1 (leftmost, unlocks the row) to 4."""
    vibe: str
    """The colour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plain:
    """What everything but the Spirit Actions shares."""

    player: str | None = None
    """Who acts; None: the player whose turn it is."""


@dataclass(frozen=True, slots=True)
class Valley(_Plain):
    """Valley of Motives: Willpower from the supply (R-VALLEY-1)."""


@dataclass(frozen=True, slots=True)
class Cradle(_Plain):
    """Cradle of Senses: cards are drawn (R-CRADLE-1)."""


@dataclass(frozen=True, slots=True)
class Willow(_Plain):
    """Willow of Values: Willpower becomes Essence (R-WILLOW-1)."""

    amount: int
    """Willpower exchanged, the price of the Action not counted."""


@dataclass(frozen=True, slots=True)
class Land(_Plain):
    """Land of Desires: Essence from the Spirit board on an own Emotion (R-DESIRE-1)."""

    slot: str
    essence: int
    """In all, the first one included."""


@dataclass(frozen=True, slots=True)
class Network(_Plain):
    """Network of Thoughts: an own Emotion goes to a slot beside the figure (R-NETWORK-1)."""

    slot: str
    to: str


@dataclass(frozen=True, slots=True)
class Absorb(_Plain):
    """Willpower out of a Sphere, and the Sphere's bonus (R-ABS-1)."""

    sphere: str
    bonus: bool = True
    """Whether the bonus is taken (R-ABS-9)."""
    token: Token | None = None
    """The Vibe token that Knowledge adds; None with the other Spheres or without the bonus."""


@dataclass(frozen=True, slots=True)
class Ambition(_Plain):
    """An Ambition Ability of the Team board (R-AMB-4)."""

    ability: str
    token: Token | None = None
    """The Vibe token, for the Ability that adds one (R-AMB-7)."""


@dataclass(frozen=True, slots=True)
class Reveal(_Plain):
    """A team shows its Hidden Aspiration at a Revelation (R-REV-2)."""

    team: Team
    aspiration: str


@dataclass(frozen=True, slots=True)
class ReturnCommon(_Plain):
    """A team takes out an open Common Aspiration after the other one's Major Fragment (R-REV-12)."""

    team: Team
    aspiration: str


@dataclass(frozen=True, slots=True)
class KeepHidden(_Plain):
    """A team that accomplished nothing picks its next Hidden Aspiration (R-REV-17)."""

    team: Team
    aspiration: str


@dataclass(frozen=True, slots=True)
class PlaceSpirit(_Plain):
    """At set-up: the figure comes on the board, and a Starting Emotion beside it (R-SETUP-19)."""

    slot: str
    """Where the Starting Emotion goes."""
    at: str | None = None
    """Where the figure goes; None where it stands already (a Shaper's second Starting Emotion, OQ-21)."""


@dataclass(frozen=True, slots=True)
class PlaceWild(_Plain):
    """At set-up: one of the four wild Vibe tokens goes on the own Spirit board (R-SETUP-23)."""

    row: str
    """A Spirit Action."""
    space: int
    """1 (leftmost, unlocks the row) to 4."""


@dataclass(frozen=True, slots=True)
class Score(_Plain):
    """Intentions accomplished now: the points go on the team's Wheel (R-INTENT-3, R-INTENT-4)."""

    intentions: int = 1
    """How many at once."""


@dataclass(frozen=True, slots=True)
class Adjust(_Plain):
    """The table puts the position right: for a power that nobody has told us, or after a mistake."""

    part: Part
    """What is stated; all else stays."""
    reason: str = ""
    """In the table's own words."""


@dataclass(frozen=True, slots=True)
class UsePower(_Plain):
    """What a power leaves to choose is chosen, or left (R-POWER-1)."""

    power: str
    """The card or Spirit whose power it is."""
    slot: str | None = None
    """The Emotion that gets Essence."""
    to: str | None = None
    """The player who gets something."""
    gain: str | None = None
    """Which one of several gains, by its kind: `essence`."""
    decline: bool = False
    """Whether an optional power is left unused; nothing else is named then."""


@dataclass(frozen=True, slots=True)
class EndTurn:
    """The end of a turn, with its gain (R-EOT-1)."""

    gain: Literal["ambition", "cards"]
    player: str | None = None


SpiritActionDone = Move | Invoke | Quell | Fortify | Empower
RealmActionDone = Valley | Cradle | Willow | Land | Network
RevelationStep = Reveal | ReturnCommon | KeepHidden
SetupStep = PlaceSpirit | PlaceWild
PlainDone = (
    RealmActionDone | Absorb | Ambition | RevelationStep | SetupStep | Score | Adjust | UsePower | EndTurn
)
"""Whatever has neither upgrades nor a token placed by a discard."""

Action = SpiritActionDone | PlainDone
