"""What moved pieces can mean: legal actions, the likelier first, and how they are said on a button."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from companion.rules.accounts import describe
from companion.rules.actions import (
    Action,
    Fortify,
    Invoke,
    Move,
    Place,
    PlainDone,
    Quell,
    SpiritActionDone,
)
from companion.rules.boards import is_known, own_row, trades_spaces
from companion.rules.cards import Catalogue
from companion.rules.engine import PROCEDURES, check
from companion.rules.position import Player, Position
from companion.rules.upgrades import subsets, with_tokens
from companion.rules.verdict import Verdict
from companion.rules.words import (
    ACTION_TITLES,
    cost_words,
    naming,
    slot_words,
    space_words,
    title,
    vibe_words,
)

Meant_co = TypeVar("Meant_co", bound=Action, covariant=True)
Spirited = TypeVar("Spirited", bound=SpiritActionDone)

MOST_CHOICES: Final = 4
"""Buttons of a question (journeys, J4)."""


@dataclass(frozen=True, slots=True)
class Placing:
    """A Vibe token that is to be placed with the next Spirit Action."""

    discard: str
    """Title of the card shown for it."""
    colour: str
    row: str | None = None
    space: int | None = None
    """Where the token lies on an instrumented Spirit board; None: it was shown on a pad."""


@dataclass(frozen=True, slots=True)
class Meaning(Generic[Meant_co]):
    """One thing that can be meant, and what the rules say of it."""

    action: Meant_co
    verdict: Verdict

    @property
    def after(self) -> Position:
        """The position after a legal one."""
        if self.verdict.after is None:
            raise ValueError("only a legal action has a position after it")
        return self.verdict.after


# Forms of one Spirit Action


def row_of(action: SpiritActionDone) -> str:
    """Return the row of the Spirit board that an action belongs to."""
    return PROCEDURES[type(action)][0]


def variants(
    shape: Spirited, position: Position, placing: Placing | None, cards: Catalogue
) -> Iterator[Spirited]:
    """Yield an action with each choice of upgrades that have a token, and each way to place a token."""
    player = position.players[shape.player or position.turn.player]
    board_row = own_row(player, row_of(shape), cards)
    for place in placements(shape, player, placing):
        row = list(player.row(board_row.name))
        if place is not None:
            row[place.space - 1] = row[place.space - 1] or "placed"
        tokens = with_tokens(board_row, (row[0], row[1], row[2], row[3]))
        for upgrades in subsets(tokens):
            trading = trades_spaces(board_row, frozenset(upgrades))
            if isinstance(shape, Move) and trading != (shape.trade_with is not None):
                continue
            yield replace(shape, upgrades=upgrades, place=place)


def placements(shape: SpiritActionDone, player: Player, placing: Placing | None) -> tuple[Place | None, ...]:
    """Return where a waiting token could go with this action (R-VIBE-4); a single None where none waits."""
    if placing is None:
        return (None,)
    if placing.space is not None:
        return (Place(placing.discard, placing.space),) if placing.row == row_of(shape) else (None,)
    row = player.row(row_of(shape))
    if not row[0]:
        return (Place(placing.discard, 1),)
    free = tuple(Place(placing.discard, space) for space in (2, 3, 4) if not row[space - 1])
    return free or (Place(placing.discard, 2),)


# Judging


def unbeaten(legal: Iterable[Meaning[Meant_co]]) -> tuple[Meaning[Meant_co], ...]:
    """Leave out whatever another one beats; the cheapest first."""
    kept: list[Meaning[Meant_co]] = []
    # Of two that are alike in everything the plainer one stands first, so it is the one that stays.
    for meaning in sorted(legal, key=price):
        if not any(_beats(other, meaning) for other in kept):
            kept.append(meaning)
    return tuple(kept)


def price(meaning: Meaning[Action]) -> tuple[int, int, int, int]:
    """Return what sorts likelier meanings first: the team's resource weighs most."""
    cost = meaning.verdict.cost
    return cost.ambition, cost.willpower, cost.essence, len(getattr(meaning.action, "upgrades", ()))


def _beats(other: Meaning[Action], meaning: Meaning[Action]) -> bool:
    """Tell whether the other one is the same Action, does the same and costs no more of anything."""
    one, two = other.verdict.cost, meaning.verdict.cost
    if type(other.action) is not type(meaning.action):
        return False
    cheaper = one.willpower <= two.willpower and one.essence <= two.essence and one.ambition <= two.ambition
    return cheaper and _effect(other) == _effect(meaning)


def _effect(meaning: Meaning[Action]) -> Position:
    """Return the position after it as if it had cost nothing: what it gains stays."""
    after, cost = meaning.after, meaning.verdict.cost
    player = after.players[meaning.action.player or after.turn.player]
    player = replace(
        player, willpower=player.willpower + cost.willpower, essence=player.essence + cost.essence
    )
    team = after.teams[player.team]
    team = replace(team, ambition=team.ambition + cost.ambition)
    return after.with_player(player).with_team(player.team, team)


def nearest(actions: Iterable[Meant_co], position: Position, cards: Catalogue) -> Meaning[Meant_co] | None:
    """Return the one that the fewest rules forbid; None for none."""
    judged = [Meaning(action, check(position, action, cards)) for action in actions]
    return min(judged, key=lambda meaning: len(meaning.verdict.refusals), default=None)


# Words


def choice_words(meaning: Meaning[SpiritActionDone], cards: Catalogue) -> str:
    """Say on a button how the action is done and what that costs."""
    action = meaning.action
    parts = []
    if action.place is not None:
        where = _space_words(meaning, action.place.space, cards)
        token = vibe_words(_vibe(action.place.discard, cards))
        parts.append(f"give {title(action.place.discard)} for a {token} on {where}")
    if isinstance(action, Quell) and action.reveal is not None:
        parts.append(f"show {title(action.reveal)}")
    if action.upgrades:
        parts.append("use " + " and ".join(title(upgrade) for upgrade in action.upgrades))
    words = ", ".join(parts) or f"just {ACTION_TITLES[row_of(action)]}"
    return f"{words[0].upper()}{words[1:]}: {cost_words(meaning.verdict.cost)}"


def deed_words(meaning: Meaning[Action], position: Position, cards: Catalogue) -> str:
    """Say on a button what is done, how, and what that costs."""
    action, cost = meaning.action, meaning.verdict.cost
    if isinstance(action, PlainDone):
        words = naming(action, position)
        return f"{words}: {cost_words(cost)}" if any(price(meaning)[:3]) else words
    target = _target_words(action, position)
    manner = choice_words(Meaning(action, meaning.verdict), cards)
    plain = f"Just {ACTION_TITLES[row_of(action)]}: "
    manner = manner.removeprefix(plain) if manner.startswith(plain) else manner[:1].lower() + manner[1:]
    return f"{ACTION_TITLES[row_of(action)]} {target}, {manner}"


def _target_words(action: SpiritActionDone, position: Position) -> str:
    """Name what a Spirit Action is aimed at."""
    if isinstance(action, Move):
        return f"to the {space_words(action.to)}"
    if isinstance(action, Invoke):
        return f"{title(action.emotion)} into the {slot_words(action.slot)}"
    if isinstance(action, Fortify):
        return f"in the {space_words(action.realm)}"
    lying = position.slots.get(action.slot)
    return (
        f"{title(lying.name)} in the {slot_words(action.slot)}" if lying else f"the {slot_words(action.slot)}"
    )


def effect_words(meaning: Meaning[Action], before: Position, cards: Catalogue) -> str:
    """Say what a legal action would do, in the words of the log."""
    return describe(before, meaning.action, meaning.after, cards)


def _vibe(name: str, cards: Catalogue) -> str:
    card = cards.cards.get(name)
    return (card.vibe if card else None) or ""


def _space_words(meaning: Meaning[SpiritActionDone], space: int, cards: Catalogue) -> str:
    """Name a space of the player's own row by its upgrade, where somebody knows that."""
    if space == 1:
        return "the first space"
    row, after = row_of(meaning.action), meaning.verdict.after
    player = None if after is None else after.players[meaning.action.player or after.turn.player]
    if player is None or not is_known(player, row, cards):
        return f"space {space}"
    return title(own_row(player, row, cards).upgrades[space - 2].name)
