"""Ways out in the middle of games by chance: each can be played, none that one step opens is overlooked."""

import random
from collections.abc import Iterator

import pytest

from companion.rules.actions import (
    Absorb,
    Action,
    Ambition,
    Cradle,
    Empower,
    EndTurn,
    Fortify,
    Invoke,
    Land,
    Move,
    Network,
    Quell,
    RevelationStep,
    Valley,
    Willow,
)
from companion.rules.board import REALMS, SLOTS, SPACES, SPHERES
from companion.rules.engine import check, legal_actions
from companion.rules.position import HIDDEN, Position
from companion.rules.remedy import remedy
from companion.scenario.random_play import assumed, chosen, opening
from tests.strategies import CARDS, MILD

KNOWN = assumed(CARDS)
"""With no printed value missing: the answers are legal or illegal."""


def _tries(position: Position, dice: random.Random) -> Iterator[Action]:
    """What people may try, mostly in vain."""
    title = dice.choice(MILD[position.actor.team])
    yield from (Move(space) for space in dice.sample(SPACES, 2))
    yield from (Empower(slot) for slot in dice.sample(SLOTS, 2))
    yield Quell(dice.choice(SLOTS), title)
    yield Invoke(title, dice.choice(SLOTS))
    yield Fortify(dice.choice(REALMS), upgrades=dice.choice(((), ("exalt",), ("raze",))))
    yield from (Valley(), Cradle(), Willow(dice.randint(1, 5)), Land(dice.choice(SLOTS), dice.randint(1, 2)))
    yield Network(*dice.sample(SLOTS, 2))
    yield from (Absorb(dice.choice(SPHERES)), Ambition("extra-action"))
    if len(position.players) > 1:
        yield Valley(player=dice.choice(list(position.players)))


def _refused(seed: int) -> Iterator[tuple[Position, Action]]:
    """One game by chance, and what was refused on the way."""
    dice = random.Random(seed)  # noqa: S311
    position = opening(dice.choice((2, 3, 4)), "full", dice, KNOWN)
    for number in range(120):
        if position.result is not None:
            return
        if number % 6 == 5:
            for action in _tries(position, dice):
                if check(position, action, KNOWN).status == "illegal":
                    yield position, action
        step = chosen(position, KNOWN, dice)
        assert step is not None
        position = step[1]


@pytest.mark.parametrize("seed", range(2))
def test_every_way_out_can_be_played(seed: int) -> None:
    found = 0
    for position, action in _refused(seed):
        way = remedy(position, action, KNOWN)
        if way is None:
            continue
        found += 1
        assert type(way.steps[-1]) is type(action)
        reached = position
        for step in way.steps:
            after = check(reached, step, KNOWN).after
            assert after is not None, (step, way)
            reached = after
    assert found > 10


def _opens(position: Position, action: Action) -> Action | None:
    """A single step that makes the deed legal as it was asked for, by going through all there are.

    Left out is what a way out never asks for: a Revelation, a turn's end, an unknown card.
    """
    hidden = position.actor.hand.count(HIDDEN)
    for step, verdict in legal_actions(position, KNOWN, placing=False):
        after = verdict.after
        if (
            after is None
            or isinstance(step, EndTurn | RevelationStep)
            or after.turn.pending != position.turn.pending
        ):
            continue
        if after.identity != position.identity or after.common != position.common:
            continue
        if after.actor.hand.count(HIDDEN) != hidden:
            continue
        if check(after, action, KNOWN).status == "legal":
            return step
    return None


def _stays(position: Position, action: Action) -> bool:
    """Whether it is a Move to where the figure stands: nobody goes away to come back."""
    return isinstance(action, Move) and action.to == position.actor.at


def test_no_single_step_that_helps_is_overlooked() -> None:
    opened = 0
    for position, action in _refused(7):
        if action.player not in (None, position.turn.player) or _stays(position, action):
            continue
        step = _opens(position, action)
        if step is not None:
            opened += 1
            way = remedy(position, action, KNOWN)
            assert way is not None, (action, step)
            assert len(way.steps) <= 2, (action, step, way)
    assert opened > 3
