"""A new game: who plays, what lies ready, and the steps that are left for people (R-SETUP-1 to R-SETUP-18).

The steps stand in `turn.pending`; `companion.rules.starting` judges them.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Literal

from companion.rules.board import SPHERES, TEAMS, Team
from companion.rules.cards import Catalogue
from companion.rules.hands import COPIES_PER_PLAYER, DECK_SIZE
from companion.rules.position import (
    HIDDEN,
    Mode,
    Origin,
    Pending,
    Player,
    Position,
    Row,
    TeamState,
    Turn,
    order_of_turns,
)
from companion.rules.words import person, title

START_WILLPOWER: Final = 4
START_ESSENCE: Final = 2
"""On each Spirit board (R-SETUP-16)."""

START_CARDS: Final = 2
"""In each hand (R-SETUP-22)."""

WILD_TOKENS: Final = 4
"""Of each player (R-SETUP-23, R-SETUP-24)."""

DECK_TITLES: Final = DECK_SIZE // COPIES_PER_PLAYER
"""Different ones in an Emotion deck (R-SETUP-7)."""

_UNLOCKED: Final[Row] = ("wild", "", "", "")
_BASIC_ROWS: Final = ("move", "invoke", "quell", "fortify")
"""Where the wild tokens lie in the basic game (R-SETUP-24)."""

_FRAGMENTS: Final = (6, 3)
"""Minor and Major, where the table has no ruling of its own (R-COMP-12, OQ-8)."""


class SetupError(ValueError):
    """A game can't be set up like this.

    Attributes:
        rule: the id of the rule that forbids it.
    """

    def __init__(self, rule: str, problem: str) -> None:
        self.rule = rule
        super().__init__(f"{problem} ({rule})")


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays what; the order of the seats is the player order."""

    name: str
    team: Team
    spirit: str | None = None
    """None where it is not known."""
    side: Literal["a", "b"] = "a"
    deck: tuple[str, ...] | None = None
    """The eight titles of the Emotion deck; None where nobody has told them."""
    hand: tuple[str, ...] = (HIDDEN, HIDDEN)
    top: str | None = None
    """The open top card of the deck, after the hand was drawn."""


@dataclass(frozen=True, slots=True)
class Laid:
    """What chance decided and everybody sees."""

    facing: str = "commitment"
    """The Sphere that faces the Valley (R-SETUP-1)."""
    common: tuple[str, ...] | None = None
    """The row of Common Aspirations, the current one first; None where it is not known."""
    hidden: Mapping[Team, str | None] = field(default_factory=dict)
    """Hidden Aspirations, as far as the table tells them."""


def new_game(
    seats: Sequence[Seat],
    cards: Catalogue,
    *,
    mode: Mode = "full",
    laid: Laid | None = None,
    rulings: Mapping[str, object] | None = None,
) -> Position:
    """Set up a game for two, three or four players, up to what the players place themselves.

    With three players the lone one of a team has two places in the order and places two Starting Emotions
    (R-SHAPER-3, OQ-21). A player who runs both Spirits of a team has two seats (R-SHAPER-6).

    Args:
        seats: in player order; the teams alternate.
        cards: the printed values.
        mode: full or basic.
        laid: what lies on the table by chance; None: nobody has told.
        rulings: the table's answers to open questions.

    Raises:
        SetupError: a rule of the set-up forbids it.
    """
    laid, rulings = laid or Laid(), dict(rulings or {})
    _check_seats(seats, mode, cards)
    _check_laid(laid, mode, cards)
    players = {seat.name: _player(seat, mode) for seat in seats}
    minor, major = _fragments(rulings)
    teams = {team: TeamState(0, 0, minor, major, laid.hidden.get(team)) for team in TEAMS}
    position = Position(
        players,
        # The first player's Action Tracker lies on its inactive side (R-SETUP-18).
        Turn(seats[0].name, 1, absorbed=True),
        mode,
        teams,
        origin=Origin(laid.facing),
        common=laid.common,
        rulings=rulings,
    )
    return position.with_pending(steps(position))


def steps(position: Position) -> tuple[Pending, ...]:
    """Return what the players place, in its order (R-SETUP-19, R-SETUP-23).

    In the basic game the wild tokens lie where they always do (R-SETUP-24).
    """
    placed = [
        Pending("place-spirit", position.players[name].team, player=name) for name in order_of_turns(position)
    ]
    if position.mode == "full":
        for name, player in position.players.items():
            placed += [Pending("place-wild", player.team, player=name)] * WILD_TOKENS
    return tuple(placed)


def _player(seat: Seat, mode: Mode) -> Player:
    return Player(
        seat.name,
        seat.team,
        seat.spirit,
        seat.side,
        willpower=START_WILLPOWER,
        essence=START_ESSENCE,
        hand=tuple(sorted(seat.hand)),
        top=seat.top,
        vibes=dict.fromkeys(_BASIC_ROWS, _UNLOCKED) if mode == "basic" else {},
        deck=None if seat.deck is None else tuple(sorted(seat.deck)),
    )


def _fragments(rulings: Mapping[str, object]) -> tuple[int, int]:
    counts = rulings.get("fragments", _FRAGMENTS)
    if not isinstance(counts, tuple | list):
        raise SetupError("R-SETUP-5", "The ruling on Fragments is two numbers, Minor and Major")
    minor, major = counts
    return int(minor), int(major)


# What a set-up must be


def _check_seats(seats: Sequence[Seat], mode: Mode, cards: Catalogue) -> None:
    if not 2 <= len(seats) <= 4:
        raise SetupError("R-SHAPER-1", f"{len(seats)} players: two, three or four can play")
    for name, count in Counter(seat.name for seat in seats).items():
        if count > 1:
            raise SetupError("R-SETUP-17", f"{count} players are named {person(name)}")
    for seat, following in pairwise(seats):
        if seat.team == following.team:
            problem = f"{person(seat.name)} and {person(following.name)} follow each other, both of"
            raise SetupError("R-SETUP-17", f"{problem} {title(seat.team)}: the teams take turns")
    sides = {seat.side for seat in seats}
    if len(sides) > 1:
        raise SetupError("R-SETUP-3", "All players use the same side of the Spirit boards")
    if mode == "basic" and sides != {"a"}:
        raise SetupError("R-BASIC-4", "The basic game uses side A of the Spirit boards")
    for seat in seats:
        _check_seat(seat, cards)
    _check_spirits(seats)


def _check_spirits(seats: Sequence[Seat]) -> None:
    for name, count in Counter(seat.spirit for seat in seats if seat.spirit is not None).items():
        if count > 1:
            raise SetupError("R-SETUP-6", f"{count} players have the Spirit {title(name)}: there is one")


def _check_seat(seat: Seat, cards: Catalogue) -> None:
    who = person(seat.name)
    if seat.spirit is not None:
        spirit = cards.spirits.get(seat.spirit)
        if spirit is None or spirit.team != seat.team:
            raise SetupError("R-SETUP-6", f"{title(seat.spirit)} is no Spirit of {title(seat.team)}")
    if len(seat.hand) != START_CARDS:
        problem = f"{who} has {len(seat.hand)} cards: everybody starts with {START_CARDS}"
        raise SetupError("R-SETUP-22", problem)
    if seat.deck is not None:
        for rule, problem in deck_faults(seat.deck, seat.team, cards):
            raise SetupError(rule, f"{who}'s deck: {problem}")
    for name, count in _known(seat).items():
        card = cards.cards.get(name)
        foreign = card is None or card.strength != "mild" or card.team != seat.team
        if foreign or (seat.deck is not None and name not in seat.deck):
            raise SetupError("R-SETUP-7", f"{title(name)} is no card of {who}'s deck")
        if count > COPIES_PER_PLAYER:
            raise SetupError("R-SETUP-7", f"{who} shows {count} cards {title(name)}: a deck has two")


def _known(seat: Seat) -> Counter[str]:
    shown = Counter(name for name in seat.hand if name != HIDDEN)
    shown.update(() if seat.top is None else (seat.top,))
    return shown


def deck_faults(titles: Sequence[str], team: Team, cards: Catalogue) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with an Emotion deck, as rule id and sentence; nothing where it can be played.

    How many titles of a Vibe a self-built deck may have is not known (OQ-13), so any number is right.
    """
    for name in titles:
        card = cards.cards.get(name)
        if card is None or card.team != team or card.strength != "mild":
            yield "R-SETUP-7", f"{title(name)} is no Mild Emotion of {title(team)}"
    doubled = [name for name, count in Counter(titles).items() if count > 1]
    for name in doubled:
        yield "R-SETUP-7", f"{title(name)} is named twice: name each title once, two copies are meant"
    if len(titles) != DECK_TITLES:
        yield "R-SETUP-7", f"{len(titles)} titles: it has {DECK_TITLES}, two copies of each"


def _check_laid(laid: Laid, mode: Mode, cards: Catalogue) -> None:
    if laid.facing not in SPHERES:
        raise SetupError("R-SETUP-1", f"{title(laid.facing)} is no Sphere")
    used = {a.name for a in cards.aspirations.values() if a.basic_game or mode == "full"}
    rules = ("R-BASIC-3", "R-BASIC-3") if mode == "basic" else ("R-SETUP-13", "R-SETUP-14")
    common = laid.common
    if common is not None and (set(common) != used or len(common) != len(used)):
        problem = f"The row of Common Aspirations has each of {len(used)} titles once: "
        raise SetupError(rules[0], problem + ", ".join(title(name) for name in sorted(used)))
    for team, hidden in laid.hidden.items():
        if hidden is None:
            continue
        if hidden not in used:
            raise SetupError(rules[1], f"{title(team)} can't have the Hidden Aspiration {title(hidden)}")
        if common is not None and hidden == common[0]:
            problem = f"{title(hidden)} is the current Common Aspiration: {title(team)} shuffles again"
            raise SetupError("R-SETUP-15", problem)
