"""What newly laid pieces come to as the step of the set-up that is due (R-SETUP-19, R-SETUP-23)."""

from collections.abc import Iterable
from dataclasses import replace

from companion.rules.actions import PlaceSpirit
from companion.rules.board import SLOTS
from companion.rules.engine import check
from companion.table.decisions import Done, Refused
from companion.table.game import Game, Table
from companion.table.layout import Layout
from companion.table.questions import by_actor, put_back_words
from companion.table.setting_up import (
    Placed,
    awaited,
    mate_to_place,
    only_awaited,
    step_footprint,
    step_shapes,
)


def step_meant(table: Table) -> Done | None:
    """Decide what newly laid pieces come to as the step of the set-up that is due."""
    game = table.game
    pieces = awaited(game.position, game.cards)
    later = frozenset(
        space
        for space in table.open
        if only_awaited(table.seen.content(space), table.expected(space), pieces)
    )
    # Where a picture decides (R-SETUP-21), any card might be anybody's.
    loose = later if game.position.mode == "full" else frozenset()
    for shape, left in _steps(table):
        verdict = check(game.position, shape, game.cards)
        if verdict.status == "legal" and table.fits(left, but=loose.difference(left)):
            return Done(by_actor(shape, game.position), verdict)
    return None


def step_refused(table: Table) -> Refused | None:
    """Decide whether newly laid pieces are surely meant as the step that is due, and why it can't be."""
    game = table.game
    for shape, left in _steps(table):
        verdict = check(game.position, shape, game.cards)
        if verdict.status == "illegal" and table.fits(left) and _surely_meant(shape, game):
            return Refused(by_actor(shape, game.position), verdict, (), "", put_back_words(table))
    return None


def _steps(table: Table) -> Iterable[tuple[Placed, Layout]]:
    game = table.game
    for shape in step_shapes(game.position, table.seen, table.open, game.layout, game.cards):
        left = _readable(step_footprint(shape, game.position, game.cards), table)
        if table.shows(left):
            yield shape, left


def _readable(left: Layout, table: Table) -> Layout:
    """Leave out the figure of a footprint where no Spirit space can be read."""
    if any(space.startswith("spirit/") for space in table.seen.layout):
        return left
    return {space: content for space, content in left.items() if not space.startswith("spirit/")}


def _surely_meant(shape: Placed, game: Game) -> bool:
    """Tell whether a step that is not legal can be called wrong: the card may be a teammate's, laid early."""
    if not isinstance(shape, PlaceSpirit) or not mate_to_place(game.position):
        return True
    other_slots = (replace(shape, slot=slot) for slot in SLOTS)
    return not any(check(game.position, other, game.cards).status == "legal" for other in other_slots)
