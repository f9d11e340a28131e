"""Games played by chance: a set-up and random legal actions, from a generator that is handed in.

Nobody plays like this. It is for what must hold whoever plays: no piece is lost, every game comes to an end.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from companion.rules.actions import Absorb, Action, EndTurn
from companion.rules.board import FRONTIERS, SPHERES, TEAMS, Team, realms_of
from companion.rules.cards import Catalogue
from companion.rules.choices import ability_choices, realm_choices, revelation_choices, spirit_choices
from companion.rules.derived import Derived
from companion.rules.engine import legal_among
from companion.rules.frame import MUST
from companion.rules.position import (
    HIDDEN,
    ROWS,
    Emotion,
    Mode,
    Origin,
    Player,
    Position,
    Row,
    TeamState,
    Turn,
    order_of_turns,
)
from companion.scenario.files import overlaid

NAMES: Final = ("ada", "ben", "cleo", "dan")
"""Players in their order."""

STARTING: Final[Mapping[Team, str]] = {"bliss": "brightness", "gloom": "bleakness"}
"""R-SETUP-19."""

UNLOCKED: Final[Row] = ("wild", "", "", "")
ASSUMED_THRESHOLD: Final = 2
"""Where the card data has no Empower threshold (OQ-16): otherwise nobody could empower such a card."""

ASSUMED_INTENSITY: Final[Mapping[str, tuple[int, ...]]] = {
    "mild": (1, 2, 2),
    "strong": (3, 3, 4),
    "starting": (1, 2),
}
"""Tracks for the cards whose own nobody knows: a Revelation that hangs on one could never be played."""

PLACING_SHARE: Final = 0.15
"""How often Vibe tokens are tried: with unknown cards in the hand that is thousands of actions."""

POINTS_SHARES: Final = (0.0, 0.4, 1.0)
"""How often a turn scores a point, by game: Intentions are entered by the table (R-INTENT-4)."""


def assumed(cards: Catalogue) -> Catalogue:
    """Fill in the Intensities that nobody knows: for games by chance alone, never to judge a real one."""
    return overlaid(cards, assumed_pack(cards))


def assumed_pack(cards: Catalogue) -> dict[str, dict[str, Any]]:
    """Return what `assumed` fills in, as a card pack: a game needs it to be replayed."""
    unknown = [card for card in cards.cards.values() if card.spaces is None]
    return {card.name: {"intensity": list(ASSUMED_INTENSITY[card.strength])} for card in unknown}


def opening(players: int, mode: Mode, dice: random.Random, cards: Catalogue) -> Position:
    """Set up a game (R-SETUP-1 to R-SETUP-24, R-SHAPER-1 to R-SHAPER-4).

    Args:
        players: 2, 3 or 4; with three the lone one of a team places two Starting Emotions (OQ-21).
        mode: full or basic.
        dice: decides whatever is chosen or shuffled.
        cards: the printed values.
    """
    first, second = dice.sample(TEAMS, 2)
    seats = (first, second, first, second)[:players]
    spirits = {team: [s.name for s in cards.spirits.values() if s.team == team] for team in TEAMS}
    table = {}
    frontiers = dice.sample(FRONTIERS, players)
    for name, team, at in zip(NAMES, seats, frontiers, strict=False):
        spirit = spirits[team].pop(dice.randrange(len(spirits[team])))
        rows = ROWS[:4] if mode == "basic" else dice.sample(ROWS, 4)
        hand = (HIDDEN, HIDDEN)
        vibes = {row: UNLOCKED for row in ROWS if row in rows}
        table[name] = Player(name, team, spirit, "a", at, willpower=4, essence=2, hand=hand, vibes=vibes)
    common = _shuffled((a.name for a in cards.aspirations.values() if a.basic_game or mode == "full"), dice)
    others = common[1:]
    known = dice.random() < 0.5
    teams = {team: TeamState(aspiration=dice.choice(others) if known else None) for team in TEAMS}
    position = Position(
        table,
        Turn(NAMES[0], 1),
        mode,
        teams,
        origin=Origin(facing=dice.choice(SPHERES)),
        common=tuple(common),
        rulings={"assumed-threshold": ASSUMED_THRESHOLD},
    )
    return replace(position, slots=_starting_emotions(position, dice))


def _shuffled(names: Iterable[str], dice: random.Random) -> list[str]:
    row = list(names)
    dice.shuffle(row)
    return row


def _starting_emotions(position: Position, dice: random.Random) -> dict[str, Emotion]:
    """Put a Starting Emotion into a Realm slot of the Triad that each figure stands in, in player order."""
    slots: dict[str, Emotion] = {}
    for name in order_of_turns(position):
        player = position.players[name]
        before, after = realms_of(player.at or FRONTIERS[0])
        free = [slot for slot in (f"{before}.2", f"{after}.1") if slot not in slots]
        if free:
            slots[dice.choice(free)] = Emotion(STARTING[player.team])
    return slots


@dataclass(frozen=True, slots=True)
class Kind:
    """Actions that are alike, and how often one of them is tried first."""

    weight: float
    tries: Callable[[], Iterator[Action]]


def _kinds(derived: Derived, dice: random.Random) -> list[Kind]:
    position, cards = derived.position, derived.cards
    if position.turn.pending:
        # The optional steps may be left out, so that too is played.
        must = any(pending.action in MUST for pending in position.turn.pending)
        steps = Kind(6.0, lambda: revelation_choices(position, cards))
        if must:
            return [steps]
    else:
        steps = Kind(0.0, lambda: iter(()))
    placing = dice.random() < PLACING_SHARE
    acting = position.turn.actions_left > 0
    kinds = [steps] if steps.weight else []
    kinds.append(Kind(5.0, lambda: _absorbs(position, cards)))
    kinds.append(Kind(0.6, lambda: ability_choices(position, cards)))
    kinds.append(Kind(0.3 if acting else 9.0, lambda: iter((EndTurn("ambition"), EndTurn("cards")))))
    if acting:
        kinds.append(Kind(2.5, lambda: realm_choices(position)))
        kinds += [Kind(2.0, _of_row(derived, row, placing=placing)) for row in ROWS]
    return kinds


def _absorbs(position: Position, cards: Catalogue) -> Iterator[Action]:
    return (action for action in ability_choices(position, cards) if isinstance(action, Absorb))


def _of_row(derived: Derived, row: str, *, placing: bool) -> Callable[[], Iterator[Action]]:
    return lambda: spirit_choices(derived, row, placing=placing)


def chosen(position: Position, cards: Catalogue, dice: random.Random) -> tuple[Action, Position] | None:
    """Choose a legal action by chance.

    Args:
        position: the position, the game not over.
        cards: the printed values.
        dice: decides.

    Returns:
        The action and the position after it; None where nothing is legal, which no rule allows for.
    """
    derived = Derived(position, cards)
    kinds = _kinds(derived, dice)
    while kinds:
        kind = dice.choices(kinds, [one.weight for one in kinds])[0]
        kinds.remove(kind)
        tries = list(kind.tries())
        dice.shuffle(tries)
        for action, verdict in legal_among(derived, tries):
            if verdict.after is not None:
                return action, verdict.after
    return None


def scored(position: Position, dice: random.Random, share: float) -> Position | None:
    """Give the team to act a point or two, as a table enters them for Intentions; mostly none.

    Args:
        position: before the end of a turn.
        dice: decides.
        share: how often there is something to enter, 0 to 1.

    Returns:
        The position with the points on the Wheel, or None where nothing was scored.
    """
    if position.mode == "basic" or dice.random() >= share:
        return None
    team = position.actor.team
    state = position.teams[team]
    return position.with_team(team, replace(state, points=state.points + dice.choice((1, 1, 3))))
