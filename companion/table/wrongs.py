"""What pieces that nothing legal explains were meant to be: deeds by what came, went and moved."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.rules.actions import Action, Empower, Invoke, Move, Network, Quell
from companion.rules.boards import own_row, trades_spaces
from companion.rules.position import Player
from companion.table.game import Table
from companion.table.layout import NOTHING, Content, Layout, surplus
from companion.table.pieces import Piece


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that people can have meant, whether it is allowed or not."""

    action: Action
    left: Layout
    """How the pieces lie after it."""


def deeds(table: Table) -> Iterator[Deed]:
    """Yield what would bring pieces where they newly lie, by whoever can have done it."""
    for space in table.open:
        kind, _, name = space.partition("/")
        if kind == "spirit":
            for piece in table.gained(space):
                yield from _moves(piece, name, table)
        elif kind == "slot":
            gained = table.gained(space)
            if len(gained) == 1 and gained[0].kind == "emotion":
                yield from _laid(gained[0], name, table)
            elif not gained:
                yield from _taken(name, table)


def _moves(piece: Piece, space: str, table: Table) -> Iterator[Deed]:
    players = table.game.position.players.values()
    for player in players:
        if player.spirit != piece.name or player.at in (None, space):
            continue
        start, figure = f"spirit/{player.at}", (piece,)
        yield Deed(
            Move(space, player=player.name),
            {
                start: surplus(table.expected(start), figure),
                f"spirit/{space}": _with(table.expected(f"spirit/{space}"), figure),
            },
        )
        yield from _trades(player, figure, space, table)


def _trades(player: Player, figure: Content, space: str, table: Table) -> Iterator[Deed]:
    """Yield the trades of spaces that would bring a figure there, where its board has such an upgrade."""
    row = own_row(player, "move", table.game.cards)
    if not trades_spaces(row, frozenset(upgrade.name for upgrade in row.upgrades)):
        return
    start, end = f"spirit/{player.at}", f"spirit/{space}"
    for other in table.game.position.players.values():
        if other.at == space and other.spirit is not None:
            back = (Piece("spirit", other.spirit),)
            yield Deed(
                Move(space, other.name, player=player.name),
                {
                    start: _with(surplus(table.expected(start), figure), back),
                    end: _with(surplus(table.expected(end), back), figure),
                },
            )


def _laid(piece: Piece, slot: str, table: Table) -> Iterator[Deed]:
    """Yield what a card that newly lies in a slot can be: moved there, exchanged, or out of a hand."""
    space, cards = f"slot/{slot}", table.game.cards
    came_from = [
        other
        for other in table.open
        if other != space and other.startswith("slot/") and piece in table.lost(other)
    ]
    players = _players(piece.team, table)
    if came_from:
        for start in came_from:
            # Two cards that changed places were a swap.
            back = table.expected(space) if table.gained(start) == table.expected(space) else NOTHING
            left = {start: back, space: (piece,)}
            movers = dict.fromkeys((table.game.position.actor.name, *players))
            yield from (Deed(Network(start.removeprefix("slot/"), slot, player=who), left) for who in movers)
        return
    there = table.game.position.slots.get(slot)
    was = None if there is None else cards.cards.get(there.name)
    for who in players:
        if was is not None and was.strong == piece.name:
            yield Deed(Empower(slot, player=who), {space: (piece,)})
        elif not is_wrong_counterpart(slot, piece, table):
            yield Deed(Invoke(piece.name, slot, player=who), {space: (piece,)})


def is_wrong_counterpart(slot: str, piece: Piece, table: Table) -> bool:
    """Tell whether a Mild Emotion lies exchanged for a Strong one of its team that it does not become."""
    cards, there = table.game.cards.cards, table.game.position.slots.get(slot)
    was = None if there is None else cards.get(there.name)
    laid = cards.get(piece.name)
    if was is None or laid is None or was.strong is None:
        return False
    return laid.strength == "strong" and laid.team == was.team and laid.name != was.strong


def _taken(slot: str, table: Table) -> Iterator[Deed]:
    """Yield the Quell that a card taken away can be, where another one was shown for it."""
    there = table.game.position.slots.get(slot)
    card = None if there is None else table.game.cards.cards.get(there.name)
    actor = table.game.position.actor
    if card is not None and card.team != actor.team and table.shown is not None:
        yield Deed(Quell(slot, table.shown), {f"slot/{slot}": NOTHING})


def _players(team: str, table: Table) -> tuple[str, ...]:
    """Return who may have handled a card of a team: the player to act, or else the players of the team."""
    actor = table.game.position.actor
    if team == actor.team:
        return (actor.name,)
    return tuple(player.name for player in table.game.position.players.values() if player.team == team)


def _with(content: Content, more: Content) -> Content:
    return tuple(sorted((*content, *more)))
