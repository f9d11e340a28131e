"""What moved pieces can mean: candidate actions by their footprint on the table, judged by the rules."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from companion.rules.actions import Action, Empower, Move, Place
from companion.rules.boards import is_known, own_row, trades_spaces
from companion.rules.cards import Catalogue
from companion.rules.engine import check
from companion.rules.position import Player, Position
from companion.rules.upgrades import subsets, with_tokens
from companion.rules.verdict import Verdict
from companion.rules.words import ACTION_TITLES, cost_words, title, vibe_words
from companion.table.layout import NOTHING, Content, Layout, Seen, emotion_piece, surplus
from companion.table.pieces import Piece

Recognised = Move | Empower
"""The actions that are recognised from pieces."""

ROW: Final = {Move: "move", Empower: "empower"}
"""Row of the Spirit board by action."""

Meant_co = TypeVar("Meant_co", bound=Action, covariant=True)

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


# Candidates


def shapes(
    position: Position, seen: Seen, wrong: Iterable[str], expected: Layout, cards: Catalogue
) -> tuple[Recognised, ...]:
    """Return the plain actions that would bring a piece where one newly lies, whether legal or not.

    Args:
        position: the game.
        seen: what lies where.
        wrong: the spaces that differ from the position.
        expected: how its pieces lie.
        cards: the printed values.
    """
    found: list[Recognised] = []
    for space in wrong:
        kind, _, name = space.partition("/")
        gained = surplus(seen.layout[space], expected.get(space, NOTHING))
        if kind == "spirit":
            for player in position.players.values():
                if player.at != name and Piece("spirit", player.spirit or "") in gained:
                    found.append(Move(name, player=player.name))
                    found.extend(_trades(player, name, position, cards))
        elif kind == "slot" and gained and name in position.slots:
            found.extend(Empower(name, player=who) for who in _empowering(position, name, cards))
    return tuple(found)


def _trades(player: Player, space: str, position: Position, cards: Catalogue) -> Iterator[Move]:
    """Yield the trades of spaces that would bring a figure there, where its board has such an upgrade."""
    row = own_row(player, "move", cards)
    if trades_spaces(row, frozenset(upgrade.name for upgrade in row.upgrades)):
        for other in position.players.values():
            if other.at == space:
                yield Move(space, other.name, player=player.name)


def _empowering(position: Position, slot: str, cards: Catalogue) -> tuple[str, ...]:
    """Return who may be empowering there: the player to act, or else the players of the Emotion's team."""
    card = cards.cards[position.slots[slot].name]
    if card.team == position.actor.team:
        return (position.actor.name,)
    return tuple(name for name, player in position.players.items() if player.team == card.team)


def variants(
    shape: Recognised, position: Position, placing: Placing | None, cards: Catalogue
) -> Iterator[Recognised]:
    """Yield an action with each choice of upgrades that have a token, and each way to place a token."""
    player = position.players[shape.player or position.turn.player]
    board_row = own_row(player, ROW[type(shape)], cards)
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


def placements(shape: Recognised, player: Player, placing: Placing | None) -> tuple[Place | None, ...]:
    """Return where a waiting token could go with this action (R-VIBE-4); a single None where none waits."""
    if placing is None:
        return (None,)
    if placing.space is not None:
        return (Place(placing.discard, placing.space),) if placing.row == ROW[type(shape)] else (None,)
    row = player.row(ROW[type(shape)])
    if not row[0]:
        return (Place(placing.discard, 1),)
    free = tuple(Place(placing.discard, space) for space in (2, 3, 4) if not row[space - 1])
    return free or (Place(placing.discard, 2),)


def footprint(action: Recognised, position: Position, cards: Catalogue) -> Layout:
    """Return what an action changes on the table, whether it is legal or not: content by space afterwards."""
    name = action.player or position.turn.player
    player = position.players[name]
    left: dict[str, Content] = {}
    if action.place is not None:
        seat = list(position.players).index(name) + 1
        token = Piece("vibe", _vibe(action.place.discard, cards))
        left[f"vibe/{seat}/{ROW[type(action)]}/{action.place.space}"] = (token,)
    if isinstance(action, Move):
        figure = Piece("spirit", player.spirit or "")
        other = position.players[action.trade_with] if action.trade_with is not None else None
        back = (Piece("spirit", other.spirit),) if other is not None and other.spirit else ()
        if player.at is not None:
            stay = surplus(_figures(position, player.at), (figure,))
            left[f"spirit/{player.at}"] = tuple(sorted((*stay, *back)))
        there = surplus(_figures(position, action.to), back)
        left[f"spirit/{action.to}"] = tuple(sorted((*there, figure)))
        return left
    mild = position.slots.get(action.slot)
    card = cards.cards.get(mild.name) if mild else None
    if card is not None and card.strong is not None:
        left[f"slot/{action.slot}"] = (emotion_piece(card.strong, cards),)
    return left


def _figures(position: Position, space: str) -> Content:
    return tuple(
        sorted(Piece("spirit", p.spirit) for p in position.players.values() if p.at == space and p.spirit)
    )


def _vibe(name: str, cards: Catalogue) -> str:
    card = cards.cards.get(name)
    return (card.vibe if card else None) or ""


# Judging


def legal_meanings(
    actions: Iterable[Recognised], position: Position, cards: Catalogue
) -> tuple[Meaning[Recognised], ...]:
    """Return the legal ones, less those that another one beats, cheapest first."""
    judged = (Meaning(action, check(position, action, cards)) for action in actions)
    return unbeaten(meaning for meaning in judged if meaning.verdict.status == "legal")


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


def nearest(
    actions: Iterable[Recognised], position: Position, cards: Catalogue
) -> Meaning[Recognised] | None:
    """Return the one that the fewest rules forbid; None for none."""
    judged = [Meaning(action, check(position, action, cards)) for action in actions]
    return min(judged, key=lambda meaning: len(meaning.verdict.refusals), default=None)


# Words


def choice_words(meaning: Meaning[Recognised], cards: Catalogue) -> str:
    """Say on a button how the action is done and what that costs."""
    action = meaning.action
    parts = []
    if action.place is not None:
        where = _space_words(meaning, action.place.space, cards)
        token = vibe_words(_vibe(action.place.discard, cards))
        parts.append(f"give {title(action.place.discard)} for a {token} on {where}")
    if action.upgrades:
        parts.append("use " + " and ".join(title(upgrade) for upgrade in action.upgrades))
    words = ", ".join(parts) or f"just {ACTION_TITLES[ROW[type(action)]]}"
    return f"{words[0].upper()}{words[1:]}: {cost_words(meaning.verdict.cost)}"


def _space_words(meaning: Meaning[Recognised], space: int, cards: Catalogue) -> str:
    """Name a space of the player's own row by its upgrade, where somebody knows that."""
    if space == 1:
        return "the first space"
    row, after = ROW[type(meaning.action)], meaning.verdict.after
    player = None if after is None else after.players[meaning.action.player or after.turn.player]
    if player is None or not is_known(player, row, cards):
        return f"space {space}"
    return title(own_row(player, row, cards).upgrades[space - 2].name)
