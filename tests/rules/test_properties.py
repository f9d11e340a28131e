"""What holds of every position and action."""

import copy
from dataclasses import replace
from itertools import product
from string import Formatter

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from companion.rules.accounts import describe
from companion.rules.actions import (
    Action,
    Empower,
    EndTurn,
    Fortify,
    Invoke,
    Land,
    Move,
    Network,
    Place,
    Quell,
    SpiritActionDone,
)
from companion.rules.board import REALMS, SLOTS, SPACES
from companion.rules.choices import choices
from companion.rules.derived import Derived
from companion.rules.engine import check, judged, legal_actions
from companion.rules.frame import MUST
from companion.rules.position import ROWS, Position
from companion.rules.remedy import remedy
from companion.rules.upgrades import subsets
from companion.rules.verdict import Cost, Verdict
from companion.scenario.notation import position_from, position_to
from tests.rules.tables import CARDS, table
from tests.strategies import actions, plain_space, positions

SLOW = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


@SLOW
@given(positions(), st.data())
def test_an_action_is_in_the_legal_list_exactly_if_check_says_so(
    position: Position, data: st.DataObject
) -> None:
    legal = {repr(action) for action, _ in legal_actions(position, CARDS)}
    for _ in range(12):
        action = data.draw(actions(position))
        assert (check(position, action, CARDS).status == "legal") == (repr(action) in legal)
    for plain in plain_space(position):
        assert (check(position, plain, CARDS).status == "legal") == (repr(plain) in legal)


def _whole_space(position: Position, titles: tuple[str, ...]) -> list[Action]:
    """Every action there is on these titles."""
    found: list[Action] = [*plain_space(position)]
    places = [None, *(Place(title, space) for title in titles for space in (1, 2, 3, 4))]
    for row in ROWS:
        targets: list[Move | Invoke | Quell | Fortify | Empower] = {
            "move": [Move(space) for space in SPACES],
            "invoke": [Invoke(title, slot) for title in titles for slot in SLOTS],
            "quell": [Quell(slot, title) for title in (None, *titles) for slot in SLOTS],
            "fortify": [Fortify(realm) for realm in REALMS],
            "empower": [Empower(slot) for slot in SLOTS],
        }[row]  # type: ignore[assignment]
        for place, upgrades in product(places, subsets(tuple(u.name for u in CARDS.rows[row].upgrades))):
            found += [replace(target, upgrades=upgrades, place=place) for target in targets]
    return [a for a in found if not (isinstance(a, Quell) and a.reveal and "extinguish" in a.upgrades)]


def test_the_legal_list_is_the_whole_space_less_what_is_illegal() -> None:
    wild = ["wild", "wild", "", ""]
    vibes = {"move": ["wild", "", "", ""], "quell": ["red", "", "wild", ""], "empower": wild}
    position = table(
        {"hand": ["desire", "courage"], "vibes": vibes | {"fortify": ["wild", "wild", "wild", ""]}},
        slots={"valley.1": {"emotion": "kindness", "essence": 1}, "valley.2": {"emotion": "dislike"}},
        fortresses={"valley": {"team": "gloom", "fragment": "major"}},
        teams={"bliss": {"ambition": 2}},
    )
    listed = [repr(action) for action, _ in legal_actions(position, CARDS)]
    assert len(listed) == len(set(listed))
    space = _whole_space(position, ("desire", "courage", "optimism"))
    legal = {repr(action) for action in space if check(position, action, CARDS).status == "legal"}
    assert set(listed) == legal
    assert len(legal) > 40


def _judged(position: Position, data: st.DataObject) -> tuple[Action, Verdict]:
    action = data.draw(actions(position))
    return action, check(position, action, CARDS)


@settings(deadline=None, max_examples=60)
@given(positions(), st.data())
def test_check_changes_nothing(position: Position, data: st.DataObject) -> None:
    before = copy.deepcopy(position)
    action, verdict = _judged(position, data)
    assert position == before
    assert check(position, action, CARDS) == verdict


@settings(deadline=None, max_examples=60)
@given(positions(), st.data())
def test_a_verdict_is_whole(position: Position, data: st.DataObject) -> None:
    _, verdict = _judged(position, data)
    assert (verdict.after is not None) == (verdict.status == "legal")
    assert bool(verdict.refusals) == (verdict.status == "illegal")
    assert bool(verdict.missing) == (verdict.status == "unknown")
    for refusal in verdict.refusals:
        named = {field for _, field, _, _ in Formatter().parse(refusal.template) if field}
        assert set(refusal.facts) == named


@SLOW
@given(positions())
def test_what_follows_a_legal_action_is_a_position_again_and_pays_its_cost(position: Position) -> None:
    for i, (action, verdict) in enumerate(legal_actions(position, CARDS)):
        if i > 200:
            break
        then = verdict.after
        assert then is not None
        player = then.players[position.turn.player]
        assert min(player.willpower, player.essence, then.turn.actions_left) >= 0
        assert 0 <= then.teams[player.team].ambition <= 3
        assert min(n for t in then.teams.values() for n in (t.minor, t.major)) >= 0
        assert all(0 <= inside <= 7 for inside in then.origin.willpower.values())
        for emotion in then.slots.values():
            assert 1 <= emotion.essence <= (CARDS.cards[emotion.name].spaces or emotion.essence)
        assert describe(position, action, then, CARDS)
        assert position_from(position_to(then), CARDS) == then
        if isinstance(action, SpiritActionDone | Land | Network):
            _check_that_only_the_cost_is_gone(position, action, then, verdict.cost)


def _actions_given(action: Action, then: Position) -> int:
    """Count the Actions that Craving and Faith give for this one: the powers that take nobody's choice."""
    if isinstance(action, Invoke) and action.emotion == "craving":
        return int(then.teams["gloom"].ambition == 0)
    if isinstance(action, Empower) and then.actor.team == "bliss":
        return sum(emotion.name == "faith" for emotion in then.slots.values())
    return 0


def _check_that_only_the_cost_is_gone(position: Position, action: Action, then: Position, cost: Cost) -> None:
    before, player = position.actor, then.players[position.turn.player]
    team, team_then = position.teams[player.team], then.teams[player.team]
    assert before.willpower - player.willpower == cost.willpower
    assert before.essence - player.essence == cost.essence
    assert team.ambition - team_then.ambition == cost.ambition
    assert then.turn.actions_left == position.turn.actions_left - 1 + _actions_given(action, then)


@SLOW
@given(positions())
def test_the_end_of_a_turn_waits_only_for_what_must_be_shown_or_chosen(position: Position) -> None:
    waits = any(pending.action in MUST for pending in position.turn.pending)
    gloom = any(player.team == "gloom" for player in position.players.values())
    waits |= gloom and any(pending.power == "boredom" for pending in position.turn.pending)
    assert check(position, EndTurn("cards"), CARDS).status == ("illegal" if waits else "legal")


@SLOW
@given(positions())
def test_something_is_always_legal_or_hangs_on_a_printed_value(position: Position) -> None:
    assume(all(item.action != "return-common" or position.common for item in position.turn.pending))
    assume(position.common is not None)
    derived = Derived(position, CARDS)
    tries = choices(derived, placing=False)
    assert any(judged(derived, action).status != "illegal" for action in tries)


@SLOW
@given(positions(), st.data())
def test_a_remedy_is_legal_and_costs_what_it_says(position: Position, data: st.DataObject) -> None:
    action, verdict = _judged(position, data)
    assume(verdict.status == "illegal")
    way = remedy(position, action, CARDS)
    if way is None:
        return
    mended = check(position, way.action, CARDS)
    assert mended.status == "legal"
    assert way.text.endswith(".")
    if type(way.action) is type(action) and not isinstance(action, Move):
        assert mended.cost == way.cost
