"""A list judges declarations and targets once for many actions: it must say what `check` says of each."""

import random

import pytest

from companion.rules.choices import choices
from companion.rules.derived import Derived
from companion.rules.engine import check, legal_actions, legal_among
from companion.rules.position import Mode, Position
from companion.scenario.random_play import assumed, chosen, opening
from tests.strategies import CARDS

ACTIONS = 120
EVERY = 8
"""Of the positions of a game one in so many is looked at."""

KNOWN = assumed(CARDS)


def _positions(seed: int, players: int, mode: Mode) -> list[Position]:
    dice = random.Random(seed)  # noqa: S311
    position = opening(players, mode, dice, KNOWN)
    found = [position]
    while position.result is None and len(found) < ACTIONS:
        step = chosen(position, KNOWN, dice)
        assert step is not None
        position = step[1]
        found.append(position)
    return found[::EVERY]


@pytest.mark.parametrize(
    ("seed", "players", "mode"), [(1, 4, "full"), (2, 3, "full"), (3, 2, "full"), (4, 4, "basic")]
)
def test_a_list_has_the_verdicts_that_check_gives_one_by_one(seed: int, players: int, mode: Mode) -> None:
    listed = 0
    for position in _positions(seed, players, mode):
        tries = list(choices(Derived(position, KNOWN)))
        dice = random.Random(seed)  # noqa: S311
        dice.shuffle(tries)  # what was judged first must not colour what comes later
        few = tries[:400]
        legal = list(legal_among(Derived(position, KNOWN), few))
        alone = [(action, check(position, action, KNOWN)) for action in few]
        assert legal == [(action, verdict) for action, verdict in alone if verdict.status == "legal"]
        listed += len(legal)
    assert listed > 100


def test_a_list_is_as_long_as_what_check_finds_legal_among_its_tries() -> None:
    for position in _positions(5, 4, "full")[::4]:
        tries = choices(Derived(position, CARDS), placing=False)
        legal = [action for action in tries if check(position, action, CARDS).status == "legal"]
        assert [action for action, _ in legal_actions(position, CARDS, placing=False)] == legal
