"""Whole games step by step, forward and back: what holds of every position that play can reach."""

import json
import random
from collections.abc import Iterable

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.rules.actions import Action, Invoke, Quell, SpiritActionDone
from companion.rules.board import FRONTIERS, REALMS, TEAMS
from companion.rules.control import frontier_control, realm_control
from companion.rules.engine import legal_actions
from companion.rules.hands import possible_titles
from companion.rules.position import Mode, Position
from companion.scenario.invariants import fragments
from companion.scenario.notation import position_from, position_to
from companion.scenario.random_play import assumed, chosen, opening
from tests.rules.recount import frontier_by_number, realm_by_number
from tests.strategies import CARDS as PRINTED
from tests.whole_space import slow_legal, strangers

CARDS = assumed(PRINTED)
"""With an Intensity for the one card whose own nobody knows: control can be recounted everywhere."""


def _written(position: Position) -> str:
    return json.dumps(position_to(position))


def _named(action: Action) -> set[str]:
    """The titles that an action names off the hand."""
    found = {action.place.discard} if isinstance(action, SpiritActionDone) and action.place else set()
    if isinstance(action, Invoke):
        found.add(action.emotion)
    if isinstance(action, Quell) and action.reveal is not None:
        found.add(action.reveal)
    return found


def _on(titles: Iterable[str], position: Position) -> dict[str, Position | None]:
    """The legal list as far as it names nothing but these titles, with what follows."""
    allowed = set(titles)
    listed = [(a, v.after) for a, v in legal_actions(position, CARDS) if _named(a) <= allowed]
    assert len({repr(action) for action, _ in listed}) == len(listed)
    return {repr(action): after for action, after in listed}


class Table(RuleBasedStateMachine):
    """A game of chance at a table that goes back now and then."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[tuple[Position, str]] = []
        """Every position so far, and how it was written when it was reached."""
        self.dice = random.Random(0)  # noqa: S311

    @property
    def position(self) -> Position:
        return self.kept[-1][0]

    def _reached(self, position: Position) -> None:
        self.kept.append((position, _written(position)))

    @initialize(
        players=st.sampled_from((2, 3, 4)), mode=st.sampled_from(("full", "basic")), seed=st.integers(0, 999)
    )
    def set_up(self, players: int, mode: Mode, seed: int) -> None:
        self.dice = random.Random(seed)  # noqa: S311
        self._reached(opening(players, mode, self.dice, CARDS))
        while any(step.action.startswith("place") for step in self.position.turn.pending):
            self._act()

    def _act(self) -> None:
        done = chosen(self.position, CARDS, self.dice)
        assert done is not None, "something is always legal"
        self._reached(done[1])

    @precondition(lambda self: self.position.result is None)
    @rule(count=st.integers(1, 25))
    def act(self, count: int) -> None:
        for _ in range(count):
            if self.position.result is not None:
                return
            before = self.position
            self._act()
            _kept(before, self.position)

    @precondition(lambda self: len(self.kept) > 1)
    @rule(count=st.integers(1, 6))
    def undo(self, count: int) -> None:
        """Going back gives the identical position, whatever was done from there."""
        for _ in range(min(count, len(self.kept) - 1)):
            self.kept.pop()
            position, written = self.kept[-1]
            assert _written(position) == written
            assert position_from(json.loads(written), CARDS) == position

    @precondition(lambda self: self.position.result is None)
    @rule(pick=st.integers(0, 99))
    def compare_with_the_whole_space(self, pick: int) -> None:
        """An action is listed exactly if `check` finds it legal, and both lead to the same position."""
        position = self.position
        held = possible_titles(position, position.actor, CARDS)
        named = (*held, *held, *strangers(position, CARDS))
        titles = (named[pick % len(named)],)
        assert _on(titles, position) == {repr(a): then for a, then in slow_legal(position, CARDS, titles)}

    @invariant()
    def control_is_that_of_a_recount(self) -> None:
        for i, (realm, frontier) in enumerate(zip(REALMS, FRONTIERS, strict=True)):
            position = self.position
            assert realm_control(position, realm, CARDS).team == realm_by_number(position, i, CARDS)
            assert frontier_control(position, frontier, CARDS).team == frontier_by_number(position, i, CARDS)


def _kept(before: Position, after: Position) -> None:
    """Fragments, Ambition tokens and the Willpower of Spheres are kept (R-COMP-6, R-ORIGIN-4, R-RES-4)."""
    for team in TEAMS:
        assert fragments(after, team) == fragments(before, team)
        assert 0 <= after.teams[team].ambition <= 3
    absorbed = after.turn.absorbed and not before.turn.absorbed
    for sphere, inside in after.origin.willpower.items():
        was = before.origin.willpower[sphere]
        assert inside == was or (inside < was and absorbed) or (inside == 7 and (was == 0 or absorbed))


Table.TestCase.settings = settings(max_examples=8, stateful_step_count=10, deadline=None)
test_a_table_that_plays_and_goes_back = Table.TestCase
