"""People overrule a refusal: the position follows what was done, as an adjustment that says so."""

from collections.abc import Mapping
from dataclasses import replace

from companion.rules.actions import Action, Adjust, Empower, SetupStep
from companion.rules.adjust import adjusted
from companion.rules.difference import difference
from companion.rules.engine import check
from companion.rules.overruling import Overruled, overruled
from companion.rules.parts import Part
from companion.rules.position import Position
from companion.rules.verdict import Verdict
from companion.rules.words import cost_words
from companion.table.game import Game, Table
from companion.table.layout import NOTHING, Fact, differing, layout_of, see
from companion.table.mends import board_only
from companion.table.restating import restated

REASON = "overruled"
"""How the reason of such an adjustment begins."""


def beside(facts: Mapping[str, Fact], game: Game, held: frozenset[str]) -> Table:
    """Return what lies there now beside the game."""
    everything = see(facts, game.registry)
    seen = board_only(everything, game.position)
    return Table(game, everything, seen, differing(seen, game.layout), held, None)


def all_the_same(
    action: Action, verdict: Verdict, words: str, game: Game, table: Table | None = None
) -> Adjust | None:
    """Return the adjustment with which a refused action counts; None where it can't be made one.

    What the action costs is paid as far as it can be. Where the pieces lie otherwise than after the action,
    the position is made what lies there.

    Args:
        action: refused.
        verdict: of the rules on it.
        words: name the action.
        game: the position, and the printed values.
        table: the pieces that were refused; None: it was asked for by touch or command.
    """
    done = overruled(game.position, action, game.cards)
    after = None if done is None else done.after
    if table is not None and (after is None or not _lies_there(after, table)):
        after = _as_it_lies(done, action, table)
    if after is None:
        return None
    part = difference(game.position, after)
    adjust = Adjust(part, _reason(verdict, words, done), player=action.player)
    sound = part != Part() and check(game.position, adjust, game.cards).status == "legal"
    return adjust if sound else None


def _lies_there(after: Position, table: Table) -> bool:
    """Tell whether the pieces lie as in that position."""
    left = layout_of(after, table.game.cards)
    return table.fits({space: left.get(space, NOTHING) for space in {*left, *table.game.layout}})


def _as_it_lies(done: Overruled | None, action: Action, table: Table) -> Position | None:
    """Return the position with what lies there in place of what the action would do."""
    follow = None if isinstance(action, SetupStep) else restated(table)
    if follow is None:
        return None  # A step of the set-up would stay open.
    settled = table.game.position if done is None else done.settled
    after = adjusted(settled, follow.part)
    if isinstance(action, Empower) and action.slot in settled.slots and action.slot in after.slots:
        # Another card than its counterpart: the Essence goes over to it all the same (R-EMP-4).
        essence = settled.slots[action.slot].essence
        after = after.with_slot(action.slot, replace(after.slots[action.slot], essence=essence))
    return after


def _reason(verdict: Verdict, words: str, done: Overruled | None) -> str:
    grounds = ", ".join(verdict.rules) or ", ".join(item.name for item in verdict.missing)
    reason = f"{REASON}: {grounds}; {words}"
    if done is not None and any((done.owed.willpower, done.owed.essence, done.owed.ambition)):
        reason += f", {cost_words(done.owed)} not paid"
    return reason
