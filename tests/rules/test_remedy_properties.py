"""The way out of a refusal, held against every way there is."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from companion.rules.actions import Move, Place, Quell, SpiritActionDone
from companion.rules.choices import spirit_choices
from companion.rules.derived import Derived
from companion.rules.engine import PROCEDURES, check
from companion.rules.hands import possible_titles
from companion.rules.position import HIDDEN, Position
from companion.rules.remedy import remedy
from companion.rules.upgrades import subsets
from companion.rules.verdict import Cost
from tests.strategies import CARDS, actions, positions

Price = tuple[int, int, int, int]
"""Ambition, cards discarded, Willpower, Essence: what a remedy saves first, second, ..."""


def _price(action: SpiritActionDone, cost: Cost) -> Price:
    return cost.ambition, int(action.place is not None), cost.willpower, cost.essence


def _titles(position: Position) -> tuple[str, ...]:
    """The known cards of the hand, and of each colour two that an unknown card could be."""
    hand = position.actor.hand
    guesses: dict[str | None, list[str]] = {}
    for title in possible_titles(position, position.actor, CARDS):
        if title not in hand:
            guesses.setdefault(CARDS.cards[title].vibe, []).append(title)
    known = [title for title in dict.fromkeys(hand) if title != HIDDEN]
    return (*known, *(title for titles in guesses.values() for title in titles[:2]))


def _ways(position: Position, action: SpiritActionDone) -> Iterator[tuple[Price, SpiritActionDone, Cost]]:
    """Every legal action of the same kind on the same target, by going through all there are."""
    row, _ = PROCEDURES[type(action)]
    titles = _titles(position)
    places = [None, *(Place(title, space) for title in titles for space in (1, 2, 3, 4))]
    deed = {"exalt", "raze"}.intersection(action.upgrades)
    for upgrades, place in product(subsets(tuple(u.name for u in CARDS.rows[row].upgrades)), places):
        chosen = {"exalt", "raze"}.intersection(upgrades)
        if chosen != deed and (len(deed) < 2 or len(chosen) != 1):
            continue
        tries: list[SpiritActionDone] = [replace(action, upgrades=upgrades, place=place)]
        if isinstance(action, Quell):
            shown = (None,) if "extinguish" in upgrades else titles
            tries = [replace(action, upgrades=upgrades, place=place, reveal=title) for title in shown]
        for one in tries:
            verdict = check(position, one, CARDS)
            if verdict.status == "legal":
                yield _price(one, verdict.cost), one, verdict.cost


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(positions(), st.data())
def test_a_remedy_is_the_cheapest_way_there_is(position: Position, data: st.DataObject) -> None:
    action = data.draw(actions(position))
    assume(isinstance(action, SpiritActionDone))
    assert isinstance(action, SpiritActionDone)
    assume(check(position, action, CARDS).status == "illegal")
    assume(not (isinstance(action, Move) and action.to == position.actor.at))
    found = remedy(position, action, CARDS)
    ways = list(_ways(position, action))
    if ways:
        assert found is not None
        assert type(found.action) is type(action)
        assert isinstance(found.action, SpiritActionDone)
        assert _price(found.action, found.cost) == min(price for price, _, _ in ways)
        assert check(position, found.action, CARDS).cost == found.cost
        return
    first = []
    if position.turn.actions_left > 1:
        for step in spirit_choices(Derived(position, CARDS), "move", placing=False):
            moved = check(position, step, CARDS)
            if moved.after is not None:
                first += [
                    (price[0], price[1], price[2] + moved.cost.willpower, price[3])
                    for price, _, _ in _ways(moved.after, action)
                ]
    if found is None:
        assert not first
        return
    assert check(position, found.action, CARDS).status == "legal"
    ambition, _, *rest = min(first)
    assert (found.cost.ambition, found.cost.willpower, found.cost.essence) == (ambition, *rest)
    assert found.text.endswith(" in all.")
