"""Parts of a position as values: what the table states about it, None where it states nothing.

Each part has the field names of what it is laid over, so that laying it over is a replacement field by field.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from companion.rules.board import Team
from companion.rules.position import Mode, Pending, Result, Row


@dataclass(frozen=True, slots=True)
class PlayerPart:
    """What is stated about a player."""

    team: Team | None = None
    spirit: str | None = None
    side: Literal["a", "b"] | None = None
    at: str | None = None
    willpower: int | None = None
    essence: int | None = None
    hand: tuple[str, ...] | None = None
    """The whole hand, sorted."""
    top: str | None = None
    """A title, or `HIDDEN` where it is not known any more."""
    vibes: Mapping[str, Row] = field(default_factory=dict)
    """Whole rows; what is not named stays."""
    deck: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class TeamPart:
    """What is stated about a team."""

    ambition: int | None = None
    points: int | None = None
    minor: int | None = None
    major: int | None = None
    aspiration: str | None = None
    """A title, or `HIDDEN` where it is not known any more."""


@dataclass(frozen=True, slots=True)
class EmotionPart:
    """What is stated about the card in a slot; with a name it is another card, and the old one is gone."""

    name: str | None = None
    essence: int | None = None
    intensity_token: int | None = None


@dataclass(frozen=True, slots=True)
class FortressPart:
    """What is stated about a Fortress."""

    team: Team | None = None
    fragment: Literal["minor", "major"] | None = None
    this_turn: bool | None = None


@dataclass(frozen=True, slots=True)
class TurnPart:
    """What is stated about the turn."""

    player: str | None = None
    number: int | None = None
    actions_left: int | None = None
    absorbed: bool | None = None
    ambition_used: tuple[str, ...] | None = None
    pending: tuple[Pending, ...] | None = None
    intentions: int | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """What is stated about a position."""

    mode: Mode | None = None
    teams: Mapping[Team, TeamPart] = field(default_factory=dict)
    players: Mapping[str, PlayerPart] = field(default_factory=dict)
    slots: Mapping[str, EmotionPart | None] = field(default_factory=dict)
    """None: the slot is empty."""
    fortresses: Mapping[str, FortressPart | None] = field(default_factory=dict)
    """None: there is no Fortress."""
    facing: str | None = None
    willpower: Mapping[str, int] = field(default_factory=dict)
    """By Sphere; those not named keep theirs."""
    common: tuple[str, ...] | None = None
    identity: tuple[str, ...] | None = None
    turn: TurnPart = TurnPart()
    rulings: Mapping[str, object] = field(default_factory=dict)
    result: Result | None = None
    goes_on: bool = False
    """Whether it is stated that the game is not over."""
