"""Games played by chance: a set-up and random legal actions, from a generator that is handed in.

Nobody plays like this. It is for what must hold whoever plays: no piece is lost, every game comes to an end.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from companion.rules.actions import Absorb, Action, EndTurn, Score
from companion.rules.board import SPHERES, TEAMS, Team
from companion.rules.cards import Catalogue
from companion.rules.choices import ability_choices, pending_choices, realm_choices, spirit_choices
from companion.rules.derived import Derived
from companion.rules.engine import check, legal_among
from companion.rules.frame import MUST
from companion.rules.position import ROWS, Mode, Position
from companion.rules.setup import DECK_TITLES, Laid, Seat, new_game
from companion.scenario.files import overlaid

NAMES: Final = ("ada", "ben", "cleo", "dan")
"""Players in their order."""

ASSUMED_THRESHOLD: Final = 2
"""Where the card data has no Empower threshold (OQ-16): otherwise nobody could empower such a card."""

ASSUMED_INTENSITY: Final[Mapping[str, tuple[int, ...]]] = {
    "mild": (1, 2, 2),
    "strong": (3, 3, 4),
    "starting": (1, 2),
}
"""Tracks for the cards whose own nobody knows: a Revelation that hangs on one could never be played."""

TOLD_SHARE: Final = 0.5
"""How often a table tells what decks are made of, and which Hidden Aspirations it starts with."""

SIDE_B_SHARE: Final = 0.2
"""How often the Spirit boards lie on side B; what nobody knows of it is played without upgrades."""

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
    """Set up a game up to what the players place themselves: they do so by the rules, like all the rest.

    Args:
        players: 2, 3 or 4.
        mode: full or basic.
        dice: decides whatever is chosen or shuffled, and what of it the table tells.
        cards: the printed values.
    """
    first, second = dice.sample(TEAMS, 2)
    teams = (first, second, first, second)[:players]
    spirits = {team: [s.name for s in cards.spirits.values() if s.team == team] for team in TEAMS}
    told = dice.random() < TOLD_SHARE
    # All play with the same side (R-SETUP-3), in the basic game with side A (R-BASIC-4).
    side: Literal["a", "b"] = "b" if mode == "full" and dice.random() < SIDE_B_SHARE else "a"
    seats = [
        Seat(
            name,
            team,
            spirits[team].pop(dice.randrange(len(spirits[team]))),
            side,
            deck=_deck(team, cards, dice) if told else None,
        )
        for name, team in zip(NAMES, teams, strict=False)
    ]
    common = [a.name for a in cards.aspirations.values() if a.basic_game or mode == "full"]
    dice.shuffle(common)
    shown = dice.random() < TOLD_SHARE
    hidden = {team: dice.choice(common[1:]) for team in TEAMS} if shown else {}
    laid = Laid(dice.choice(SPHERES), tuple(common), hidden)
    return new_game(seats, cards, mode=mode, laid=laid, rulings={"assumed-threshold": ASSUMED_THRESHOLD})


def _deck(team: Team, cards: Catalogue, dice: random.Random) -> tuple[str, ...]:
    """Build a deck: any titles will do, the limits of a self-built one are not known (OQ-13)."""
    mild = [card.name for card in cards.cards.values() if card.team == team and card.strength == "mild"]
    return tuple(dice.sample(mild, DECK_TITLES))


@dataclass(frozen=True, slots=True)
class Kind:
    """Actions that are alike, and how often one of them is tried first."""

    weight: float
    tries: Callable[[], Iterator[Action]]


def _kinds(derived: Derived, dice: random.Random) -> list[Kind]:
    position, cards = derived.position, derived.cards
    pending = position.turn.pending
    kinds = [Kind(6.0, lambda: pending_choices(derived))] if pending else []
    if any(step.action in MUST for step in pending):
        return kinds
    # What is optional may be left out, so that too is played.
    placing = dice.random() < PLACING_SHARE
    acting = position.turn.actions_left > 0
    kinds.append(Kind(5.0, lambda: _absorbs(position, cards)))
    kinds.append(Kind(0.6, lambda: ability_choices(position, cards)))
    kinds.append(Kind(0.3 if acting else 9.0, lambda: iter((EndTurn("ambition"), EndTurn("cards")))))
    if acting:
        kinds.append(Kind(2.5, lambda: realm_choices(position, cards)))
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


def scored(
    position: Position, cards: Catalogue, dice: random.Random, share: float
) -> tuple[Action, Position] | None:
    """Score an Intention or two for the team to act, as a table would enter them.

    Args:
        position: before the end of a turn.
        cards: the printed values.
        dice: decides.
        share: how often there is something to score, 0 to 1.

    Returns:
        The action and the position after it; None where nothing is scored.
    """
    if dice.random() >= share:
        return None
    action = Score(dice.choice((1, 1, 2)))
    after = check(position, action, cards).after
    return None if after is None else (action, after)
