"""The sheets of a new game: from what is planned to the rows of a list."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from companion.rules.cards import Catalogue
from companion.rules.words import person, title
from companion.ui import texts
from companion.ui.new_game import (
    Plan,
    aspirations_used,
    common_told,
    with_common,
    with_next_sphere,
    with_next_spirit,
    with_other_mode,
)
from companion.ui.sheets import Entry, Listing


def plan_listing(
    plan: Plan,
    cards: Catalogue,
    on_plan: Callable[[Plan], None],
    on_common: Callable[[], None],
    on_start: Callable[[], None],
) -> Listing:
    """List all that is chosen before a game; a tap on a row takes the next of what can be chosen there.

    Args:
        plan: what is chosen now.
        cards: the printed values.
        on_plan: called with the other plan that a tap makes of it.
        on_common: opens the row of Common Aspirations.
        on_start: begins the game.
    """
    seats = [_seat(plan, seat, cards, on_plan) for seat in range(plan.count)]
    swapped = replace(plan, first="gloom" if plan.first == "bliss" else "bliss")
    rows = [
        Entry(texts.begins(title(plan.first)), "", "", f"team/{plan.first}", partial(on_plan, swapped)),
        Entry(
            texts.FULL_GAME if plan.mode == "full" else texts.BASIC_GAME,
            "",
            texts.GAME_NOTES[plan.mode],
            "accepted",
            partial(on_plan, with_other_mode(plan)),
        ),
        *_boards(plan, on_plan),
        Entry(
            texts.VALLEY_FACED,
            texts.SPHERES[plan.facing],
            "",
            "accepted",
            partial(on_plan, with_next_sphere(plan)),
        ),
        Entry(
            texts.COMMON,
            texts.COMMON_TOLD if common_told(plan, cards) else texts.COMMON_UNKNOWN,
            "",
            "accepted",
            on_common,
        ),
    ]
    return Listing(
        texts.GAME_FOR[plan.count],
        texts.PLAN_NOTE,
        (*seats, *rows),
        ((texts.START, on_start),),
        compact=True,
    )


def _seat(plan: Plan, seat: int, cards: Catalogue, on_plan: Callable[[Plan], None]) -> Entry:
    team, nth = plan.order[seat]
    who, spirit = person(plan.names[team][nth]), title(plan.spirits[team][nth])
    other = with_next_spirit(plan, seat, cards)
    return Entry(f"{who}: {spirit}", title(team), "", f"team/{team}", partial(on_plan, other))


def _boards(plan: Plan, on_plan: Callable[[Plan], None]) -> tuple[Entry, ...]:
    """Return the rows of what differs between players of the basic and the full game (R-BASIC-4)."""
    decks = Entry(
        texts.EMOTION_DECKS,
        texts.DECKS[plan.beginners],
        "",
        "accepted",
        partial(on_plan, replace(plan, beginners=not plan.beginners)),
    )
    if plan.mode == "basic":
        return (decks,)
    turned = replace(plan, side_b=not plan.side_b)
    sides = Entry(texts.SPIRIT_BOARDS, texts.SIDES[plan.side_b], "", "accepted", partial(on_plan, turned))
    return sides, decks


def common_listing(
    plan: Plan, cards: Catalogue, on_plan: Callable[[Plan], None], on_done: Callable[[], None]
) -> Listing:
    """List the Common Aspirations, each with its place in the row as far as that was told."""
    entries = tuple(
        Entry(
            title(name),
            str(plan.common.index(name) + 1) if name in plan.common else "",
            "",
            "accepted" if name in plan.common else "quiet",
            partial(on_plan, with_common(plan, name, cards)),
        )
        for name in aspirations_used(plan, cards)
    )
    actions = (
        (texts.COMMON_FORGET, partial(on_plan, replace(plan, common=()))),
        (texts.COMMON_DONE, on_done),
    )
    return Listing(texts.COMMON, texts.COMMON_NOTE, entries, actions, compact=True)
