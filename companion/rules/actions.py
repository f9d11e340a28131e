"""What a player can do, as values: the `do` tables of the contracts' section 3."""

from dataclasses import dataclass
from typing import Literal


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
class EndTurn:
    """The end of a turn, with its gain (R-EOT-1)."""

    gain: Literal["ambition", "cards"]
    player: str | None = None


SpiritActionDone = Move | Invoke | Quell | Fortify | Empower
Action = SpiritActionDone | EndTurn
