"""A piece that was taken for put down and moved on: the first guess is taken back (F-126)."""

from dataclasses import dataclass, replace

from companion.rules.actions import Action
from companion.table.decisions import Ask, Decision, Done, TakenBack
from companion.table.game import Game, Table
from companion.table.judge import meant, several
from companion.table.layout import differing
from companion.table.meanings import Placing


@dataclass(frozen=True, slots=True)
class Accepted:
    """An action that pieces made."""

    before: Game
    """The game that it was accepted in."""
    action: Action
    placing: Placing | None
    """The Vibe token that waited then."""
    at_s: float
    """When its last piece came to lie where it was taken for put down."""
    ended: bool = False
    """Whether the turn before was taken for ended by this very action."""


def corrected(accepted: Accepted, table: Table) -> Decision | None:
    """Return what the pieces say in place of the last action, where they went on before they came to rest.

    Args:
        accepted: the last action.
        table: the facts beside the game after it.

    Returns:
        The same kind of action done otherwise, or that it is taken back; None where it stands.
    """
    limit_s = accepted.at_s + table.game.patience.correct_s
    if min(table.seen.since_s[space] for space in table.open) > limit_s:
        return None
    before = accepted.before
    touched = {
        space
        for space in {*before.layout, *table.game.layout}
        if before.layout.get(space) != table.game.layout.get(space)
    }
    if touched.isdisjoint(table.open):
        return None
    then = replace(table, game=before, wrong=differing(table.seen, before.layout), placing=accepted.placing)
    if not then.open:
        return TakenBack(2 if accepted.ended else 1)
    decision = meant(then)
    if isinstance(decision, Done) and type(decision.action) is type(accepted.action):
        return replace(decision, corrects=True)
    if isinstance(decision, Ask) and type(decision.choices[0].action) is type(accepted.action):
        choices = (replace(choice, corrects=choice.action is not None) for choice in decision.choices)
        return replace(decision, choices=tuple(choices))
    went_on = _went_on(touched, table) and meant(table) is None and several(table) is None
    return TakenBack() if went_on else None


def _went_on(touched: set[str], table: Table) -> bool:
    """Tell whether a piece that the action brought lies on another space now."""
    left = {piece for space in touched.intersection(table.open) for piece in table.lost(space)}
    return any(not left.isdisjoint(table.gained(space)) for space in table.open)
