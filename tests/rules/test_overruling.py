"""What an action comes to that the rules refuse, and the difference that an adjustment states."""

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from companion import content
from companion.rules.actions import (
    Absorb,
    Action,
    Adjust,
    Cradle,
    Empower,
    EndTurn,
    Fortify,
    Invoke,
    Land,
    Move,
    Network,
    Quell,
    Valley,
    Willow,
)
from companion.rules.adjust import adjusted
from companion.rules.board import REALMS, SLOTS, SPACES, SPHERES
from companion.rules.difference import difference
from companion.rules.engine import check
from companion.rules.overruling import overruled
from companion.rules.position import Position
from companion.rules.verdict import Cost
from companion.scenario.notation import action_from, action_to, position_from
from companion.scenario.random_play import assumed, chosen, opening

CARDS = assumed(content.catalogue())

MOST_KINDS = 9
"""Kinds of actions, of twelve, of which in each of these games at least one is overruled."""

TABLE: dict[str, Any] = {
    "teams": {"bliss": {"ambition": 1}},
    "players": {
        "diana": {
            "team": "bliss",
            "spirit": "harmony",
            "at": "valley",
            "willpower": 5,
            "essence": 1,
            "hand": ["courage", "*"],
            "vibes": {"move": ["wild", "", "", ""], "empower": ["red", "", "", ""]},
        },
        "otto": {"team": "gloom", "spirit": "hatred", "at": "land", "willpower": 5},
    },
    "slots": {
        "valley.1": {"emotion": "kindness", "essence": 1},
        "cradle.2": {"emotion": "anger", "essence": 1},
    },
}


def position(**diana: Any) -> Position:
    players = {**TABLE["players"], "diana": {**TABLE["players"]["diana"], **diana}}
    return position_from({**TABLE, "players": players}, CARDS)


def test_an_empower_below_the_threshold_is_done_and_paid_for() -> None:
    """R-EMP-2, R-EMP-4."""
    before = position()
    done = overruled(before, Empower("valley.1"), CARDS)
    assert done is not None
    assert done.after is not None
    assert done.after.slots["valley.1"].name == "benevolence"
    assert (done.after.slots["valley.1"].essence, done.after.players["diana"].willpower) == (1, 2)
    assert done.after.turn.actions_left == 2
    assert (done.paid, done.owed) == (Cost(willpower=3), Cost())


def test_what_cannot_be_paid_stays_unpaid() -> None:
    """R-TURN-8."""
    done = overruled(position(willpower=2), Empower("valley.1"), CARDS)
    assert done is not None
    assert done.settled.players["diana"].willpower == 2
    assert (done.paid, done.owed) == (Cost(), Cost(willpower=3))


def test_an_action_of_another_player_costs_the_one_to_act_nothing() -> None:
    """R-TURN-1."""
    done = overruled(position(), Move("network", player="otto"), CARDS)
    assert done is not None
    assert done.after is not None
    assert done.after.players["otto"].at == "network"
    assert done.after.turn == position().turn


def test_a_fourth_action_leaves_none() -> None:
    """R-TURN-2."""
    before = replace(position(), turn=replace(position().turn, actions_left=0))
    done = overruled(before, Move("cradle"), CARDS)
    assert done is not None
    assert done.settled.turn.actions_left == 0


def test_what_changes_nothing_has_no_effect_to_state() -> None:
    done = overruled(position(), Quell("land.1", "courage"), CARDS)
    assert done is not None
    assert done.after is None


def wild_tries(dice: random.Random) -> list[Action]:
    """Actions of every kind, aimed anywhere."""
    titles = list(CARDS.cards)
    who = dice.choice([None, None, "ada", "ben"])
    upgrades = tuple(dice.sample(sorted(CARDS.upgrade_names), dice.randrange(3)))
    slot, to, title = dice.choice(SLOTS), dice.choice(SLOTS), dice.choice(titles)
    return [
        Move(dice.choice(SPACES), player=who, upgrades=upgrades),
        Invoke(title, slot, player=who, upgrades=upgrades),
        Quell(slot, title, player=who, upgrades=upgrades),
        Fortify(dice.choice(REALMS), player=who, upgrades=upgrades),
        Empower(slot, player=who, upgrades=upgrades),
        Valley(player=who),
        Cradle(player=who),
        Willow(dice.randrange(4), player=who),
        Land(slot, dice.randrange(4), player=who),
        Network(slot, to, player=who),
        Absorb(dice.choice(SPHERES), player=who),
        EndTurn("cards", who),
    ]


@pytest.mark.parametrize("seed", range(3))
def test_whatever_is_overruled_can_be_stated_as_an_adjustment(seed: int) -> None:
    """In games by chance, with actions of every kind aimed anywhere: stated, it gives the same position."""
    dice = random.Random(seed)  # noqa: S311 - games, repeatable
    game = opening(2 + seed % 3, "full", dice, CARDS)
    told: Counter[str] = Counter()
    for _ in range(50):
        for action in wild_tries(dice):
            if check(game, action, CARDS).status != "illegal":
                continue
            done = overruled(game, action, CARDS)
            if done is None or done.after is None:
                continue
            assert adjusted(game, difference(game, done.after)) == done.after
            adjust = Adjust(difference(game, done.after), "overruled")
            assert action_from(action_to(adjust), CARDS) == adjust
            if check(game, adjust, CARDS).status == "legal":
                told[type(action).__name__] += 1
        step = chosen(game, CARDS, dice)
        if step is None or step[1].result is not None:
            break
        game = step[1]
    assert len(told) >= MOST_KINDS


@pytest.mark.parametrize("seed", range(3))
def test_the_difference_of_two_positions_makes_one_the_other(seed: int) -> None:
    """Of every two that follow each other in games by chance."""
    dice = random.Random(100 + seed)  # noqa: S311 - games, repeatable
    game = opening(2 + seed, "full", dice, CARDS)
    for _ in range(80):
        step = chosen(game, CARDS, dice)
        if step is None:
            break
        after = step[1]
        assert adjusted(game, difference(game, after)) == after
        if after.result is not None:
            break
        game = after
