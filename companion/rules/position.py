"""What a table knows at one moment: the position, in the words of the contracts' section 3.

Every part is frozen and every mapping is replaced, never changed, so a position can be kept, compared and
gone back to. Derived facts (control, reach) are computed from it and stored nowhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from companion.rules.board import SPHERES, Team

Mode = Literal["full", "basic"]

ROWS: Final = ("move", "invoke", "quell", "fortify", "empower")
"""The Spirit Actions, in the order of the rows of a Spirit board."""

SPHERE_FULL: Final = 7
"""Willpower in a Sphere at set-up and after a Revelation (R-ORIGIN-4)."""

HIDDEN: Final = "*"
"""A card in a hand that nobody has shown."""

EMPTY_ROW: Final = ("", "", "", "")

Row = tuple[str, str, str, str]
"""Vibe tokens of a row: the unlock space, then upgrades 1 to 3; "" is an empty space."""


@dataclass(frozen=True, slots=True)
class Emotion:
    """An Emotion card in a slot."""

    name: str
    essence: int = 1
    intensity_token: int = 0
    """Bonus of an Intensity token on it, 0 without one (R-INT-3)."""


@dataclass(frozen=True, slots=True)
class Fortress:
    """A Fragment on the Fortress location of a Realm."""

    team: Team
    fragment: Literal["minor", "major"]
    this_turn: bool = False
    """Built or exalted in the current turn (R-FORT-15)."""


@dataclass(frozen=True, slots=True)
class Player:
    """One player's Spirit, Spirit board and hand."""

    name: str
    team: Team
    spirit: str | None = None
    side: Literal["a", "b"] = "a"
    at: str | None = None
    """Spirit space of the figure; None while it is not on the board."""
    willpower: int = 0
    essence: int = 0
    hand: tuple[str, ...] = ()
    """Titles and `HIDDEN`s, sorted: hands compare as multisets."""
    top: str | None = None
    """The open top card of the deck, None where it is not known."""
    vibes: Mapping[str, Row] = field(default_factory=dict)
    """Rows that hold a token; a row left out is empty."""
    deck: tuple[str, ...] | None = None
    """The titles of the own Emotion deck, two copies each (R-SETUP-7), sorted; None: not known."""

    def row(self, action: str) -> Row:
        """Return the Vibe row of a Spirit Action."""
        return self.vibes.get(action, EMPTY_ROW)


@dataclass(frozen=True, slots=True)
class TeamState:
    """What a team shares (R-TEAM-3)."""

    ambition: int = 0
    """Available Ambition tokens, 0 to 3 (R-AMB-1)."""
    points: int = 0
    minor: int = 6
    """Unused Minor Fragments."""
    major: int = 3
    aspiration: str | None = None
    """The current Hidden Aspiration, None where it is not known."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The Origin in the middle of the board."""

    facing: str = "commitment"
    """The Sphere that faces the Valley (R-ORIGIN-1)."""
    willpower: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(SPHERES, SPHERE_FULL))
    """Willpower by Sphere, each of them named."""


@dataclass(frozen=True, slots=True)
class Pending:
    """What people must still show, choose or do: a step of a Revelation or of the set-up, or in a power.

    Source: R-REV-2, R-REV-12, R-REV-17, R-SETUP-19, R-SETUP-23, R-POWER-1.
    """

    action: Literal["reveal", "return-common", "keep-hidden", "place-spirit", "place-wild", "power"]
    team: Team
    """The team that shows, chooses or places."""
    aspiration: str | None = None
    """Which one, where that is settled already."""
    player: str | None = None
    """Who, where it is one player's to do; None: the team's."""
    power: str | None = None
    """With `power`: the card or Spirit whose power leaves something to choose."""
    effect: int = 1
    """Which of the effects of that power it is."""
    slot: str | None = None
    """Where the card entered, if its power hangs on that."""


@dataclass(frozen=True, slots=True)
class Result:
    """The end of the game (R-END-5, R-SCORE-1)."""

    ended: bool
    winner: Literal["bliss", "gloom", "draw"] | None = None
    score: Mapping[Team, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is, and what is left of it."""

    player: str
    number: int
    """Turns counted over the game from 1."""
    actions_left: int = 3
    absorbed: bool = False
    ambition_used: tuple[str, ...] = ()
    """Ambition Abilities used this turn (R-AMB-4)."""
    pending: tuple[Pending, ...] = ()
    """What people must still show, choose or do, the next one first (R-TURN-7)."""
    intentions: int = 0
    """Intentions scored in this turn (R-INTENT-4)."""


@dataclass(frozen=True, slots=True)
class Position:
    """Everything that a table knows at one moment."""

    players: Mapping[str, Player]
    """By name, in player order."""
    turn: Turn
    mode: Mode = "full"
    teams: Mapping[Team, TeamState] = field(
        default_factory=lambda: {"bliss": TeamState(), "gloom": TeamState()}
    )
    slots: Mapping[str, Emotion] = field(default_factory=dict)
    """Emotions by slot; an empty slot is left out."""
    fortresses: Mapping[str, Fortress] = field(default_factory=dict)
    """Fortresses by Realm."""
    origin: Origin = field(default_factory=Origin)
    common: tuple[str, ...] | None = None
    """Common Aspirations face up, the current one first; None where they are not known."""
    identity: tuple[str, ...] = ()
    """Fragments bottom to top, each like `bliss minor`."""
    rulings: Mapping[str, object] = field(default_factory=dict)
    """Answers to open questions that differ from the default (contracts, section 8)."""
    result: Result | None = None
    """How the game ended; None while it goes on."""

    @property
    def actor(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.turn.player]

    def with_player(self, player: Player) -> "Position":
        """Return this position with `player` in place of the one of the same name."""
        return replace(self, players={**self.players, player.name: player})

    def with_team(self, name: Team, team: TeamState) -> "Position":
        """Return this position with another state of the team `name`."""
        return replace(self, teams={**self.teams, name: team})

    def with_pending(self, pending: tuple[Pending, ...]) -> "Position":
        """Return this position with other things that people must show, choose or do."""
        return replace(self, turn=replace(self.turn, pending=pending))

    def with_slot(self, slot: str, emotion: Emotion | None) -> "Position":
        """Return this position with `emotion` in `slot`, or with the slot empty."""
        slots = {name: card for name, card in self.slots.items() if name != slot}
        if emotion is not None:
            slots[slot] = emotion
        return replace(self, slots=slots)


def order_of_turns(position: Position) -> tuple[str, ...]:
    """Return the names in the order of one round; with three players the lone one of a team acts twice.

    Source: R-SETUP-17, R-TURN-1, R-SHAPER-3.
    """
    names = tuple(position.players)
    if len(names) != 3:
        return names
    teams = [player.team for player in position.players.values()]
    lone = next((n for n, team in zip(names, teams, strict=True) if teams.count(team) == 1), None)
    if lone is None:
        return names
    others = [name for name in names if name != lone]
    return others[0], lone, others[1], lone
