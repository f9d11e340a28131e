"""Two or three quick actions that explain the table together, done in some order before the first was seen.

The turn of whoever acted may have ended in between: nothing shows that but the next player's action (F-127).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion.rules.actions import Action, EndTurn, SpiritActionDone
from companion.rules.engine import check
from companion.table.game import Table
from companion.table.layout import Layout, surplus
from companion.table.meanings import Meaning, Placing, price, unbeaten, variants
from companion.table.readings import only_tokens, readings
from companion.table.wrongs import deeds

MOST_STEPS = 3
"""Actions of one turn."""
MOST_POSITIONS = 12
"""Positions in between that one search may look at, a bound on its time."""


@dataclass(slots=True)
class _Left:
    positions: int = MOST_POSITIONS


Firsts = tuple[Meaning[Action], ...]
"""What the first of several actions can have been, by alike looks; the likeliest first."""


def first_of_several(table: Table) -> Firsts:
    """Return what the first action is, where several explain all that differs; () where none do.

    Where they are legal in several orders, the one that leaves the fewest questions.
    """
    found = tuple(_firsts(table, MOST_STEPS, _Left()))
    return min(found, key=lambda firsts: (len(firsts), price(firsts[0])), default=())


def after_the_turn(table: Table) -> Firsts:
    """Return the ends of the turn after which one action of the next player explains all that differs."""
    return _ends(table, 2, _Left())


def ends_before(player: str | None, table: Table) -> Firsts:
    """Return the ends of the turn where no Action is left in it and this player, who acted, is next."""
    if player is None or table.game.position.turn.actions_left > 0:
        return ()
    ends = unbeaten(m for m in table.legal.unseen if isinstance(m.action, EndTurn))
    return ends if ends and ends[0].after.turn.player == player else ()


def _firsts(table: Table, steps: int, left: _Left) -> Iterator[Firsts]:
    for group in table.candidates():
        if not table.shows(group.left) or not _is_under_way(group.left, table):
            continue
        firsts = readings(group, table)
        if firsts and _goes_on(firsts[0], table, steps, left):
            yield firsts
    if table.game.position.turn.actions_left == 0 and (ends := _ends(table, steps, left)):
        yield ends


def _is_under_way(left: Layout, table: Table) -> bool:
    """Tell whether what a footprint takes away has really gone from there."""
    return all(
        not surplus(surplus(table.expected(space), content), table.lost(space))
        for space, content in left.items()
        if space in table.seen.layout
    )


def _ends(table: Table, steps: int, left: _Left) -> Firsts:
    ends = [m for m in table.legal.unseen if isinstance(m.action, EndTurn)]
    return unbeaten(meaning for meaning in ends if _goes_on(meaning, table, steps, left))


def _goes_on(first: Meaning[Action], table: Table, steps: int, left: _Left) -> bool:
    """Tell whether what the first action leaves unexplained is explained by others."""
    if left.positions < 1:
        return False
    left.positions -= 1
    then = table.with_game(table.game.at(first.after), placing=_waiting_still(first.action, table.placing))
    if _one_explains(then):
        return True
    more = sum(bool(then.gained(space)) for space in then.open) > 1
    return more and steps > 2 and any(True for _ in _firsts(then, steps - 1, left))


def _one_explains(table: Table) -> bool:
    """Tell whether one legal action explains all that differs.

    Its deed is tried alone: to list all that is legal in each position in between would take too long. Where
    a card has gone the list tells which one could be shown for it.
    """
    if any(
        table.lost(space) and not table.gained(space) for space in table.open if space.startswith("slot/")
    ):
        group = table.explaining()
        if group is not None and not only_tokens(group):  # A token alone may wait for a Spirit Action.
            return True
    return any(
        table.shows(deed.left) and table.fits(deed.left) and _is_legal(deed.action, table)
        for deed in deeds(table)
    )


def _is_legal(action: Action, table: Table) -> bool:
    game = table.game
    forms: Iterable[Action] = (action,)
    if isinstance(action, SpiritActionDone):
        forms = variants(action, game.position, table.placing, game.cards)
    return any(check(game.position, form, game.cards).status == "legal" for form in forms)


def _waiting_still(action: Action, placing: Placing | None) -> Placing | None:
    """Return the Vibe token that waits after an action."""
    if isinstance(action, EndTurn) or (isinstance(action, SpiritActionDone) and action.place is not None):
        return None
    return placing
