"""The way out of a refusal, held against every way there is."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from companion.rules.actions import EndTurn, Move, Place, Quell, SpiritActionDone
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


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
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
    if found is None or isinstance(found.action, EndTurn):
        # Nothing helps in this turn, so no Move does.
        assert not _after_a_move(position, action)
    else:
        assert len(found.steps) > 1


def _after_a_move(position: Position, action: SpiritActionDone) -> bool:
    """Whether the action is legal in some form after one legal Move."""
    if position.turn.actions_left < 2:
        return False
    derived = Derived(position, CARDS)
    afters = (check(position, step, CARDS).after for step in spirit_choices(derived, "move", placing=False))
    return any(next(_ways(after, action), None) is not None for after in afters if after is not None)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(positions(), st.data())
def test_what_a_remedy_says_can_be_done_step_by_step(position: Position, data: st.DataObject) -> None:
    action = data.draw(actions(position))
    found = remedy(position, action, CARDS)
    if found is None:
        return
    assert check(position, action, CARDS).status == "illegal"
    assert found.action == found.steps[0]
    assert type(found.steps[-1]) is type(action)
    player, paid = position.turn.player, Cost()
    for step in found.steps:
        verdict = check(position, step, CARDS)
        assert verdict.after is not None, step
        if position.turn.player == player:
            paid = _sum(paid, verdict.cost)
        position = verdict.after
    assert found.cost == paid
    assert found.text[0].isupper()
    assert found.text.endswith(".")


def _sum(first: Cost, second: Cost) -> Cost:
    return Cost(*(getattr(first, part) + getattr(second, part) for part in Cost.__slots__))
