"""Points for Intentions and what the Wheel gives, counted anew step by step (R-INTENT-3 to R-INTENT-7)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.accounts import describe
from companion.rules.actions import EndTurn, Score
from companion.rules.engine import check, legal_actions
from companion.rules.position import Position
from companion.rules.words import naming
from tests.rules.tables import CARDS, table


def _scored(position: Position, *counts: int) -> Position:
    for count in counts:
        after = check(position, Score(count), CARDS).after
        assert after is not None
        position = after
    return position


def _start(points: int, *, ambition: int = 0, repeat: bool = False) -> Position:
    return table(
        players={"otto": {"team": "gloom", "at": "land"}},
        teams={"bliss": {"points": points, "ambition": ambition}},
        rulings={"wheel-bonuses-repeat": repeat},
    )


@given(
    points=st.integers(0, 45),
    counts=st.lists(st.integers(1, 5), min_size=1, max_size=5),
    repeat=st.booleans(),
)
def test_points_and_bonuses_equal_a_walk_along_the_wheel_point_by_point(
    points: int, counts: list[int], *, repeat: bool
) -> None:
    """R-INTENT-4, R-INTENT-5, R-INTENT-6: 1, then 2 each; 2, 4 and 6 give, on further laps by ruling."""
    before = _start(points, repeat=repeat)
    after = _scored(before, *counts)
    walked, given_ = points, []
    for number in range(sum(counts)):
        for _ in range(1 if number == 0 else 2):
            walked += 1
            lap, space = divmod(walked, 20)
            if space in (2, 4, 6) and (repeat or lap == 0):
                given_.append(space)
    assert after.teams["bliss"].points == walked
    assert after.turn.intentions == sum(counts)
    assert after.actor.essence - before.actor.essence == given_.count(2)
    assert len(after.actor.hand) - len(before.actor.hand) == given_.count(4)
    assert after.teams["bliss"].ambition == min(3, given_.count(6))


@given(st.lists(st.integers(1, 4), min_size=1, max_size=6))
def test_it_does_not_matter_how_intentions_are_grouped(counts: list[int]) -> None:
    """R-INTENT-4: some at once, or one after the other."""
    assert _scored(_start(0), *counts) == _scored(_start(0), sum(counts))


def test_ambition_that_is_all_available_stays_so() -> None:
    """R-INTENT-5: nothing happens at 6 points if all three are available."""
    assert _scored(_start(5, ambition=3), 1).teams["bliss"].ambition == 3


def test_the_list_of_legal_actions_has_one_intention_at_a_time() -> None:
    """R-INTENT-3: before or after any Action, so with none left as well."""
    for left in (0, 3):
        position = table(turn={"actions_left": left})
        scores = [action for action, _ in legal_actions(position, CARDS) if isinstance(action, Score)]
        assert scores == [Score()]
    basic = table(mode="basic")
    assert not any(isinstance(action, Score) for action, _ in legal_actions(basic, CARDS))


def test_the_next_turn_begins_with_one_point_again() -> None:
    """R-INTENT-4."""
    after = check(_scored(_start(0), 2), EndTurn("cards"), CARDS).after
    assert after is not None
    assert after.turn.intentions == 0
    assert _scored(after, 1).teams["gloom"].points == 1


@pytest.mark.parametrize(
    ("points", "count", "words"),
    [
        (10, 1, "Bliss scores an Intention: 1 point, 11 on the Wheel"),
        (1, 1, "Bliss scores an Intention: 1 point, 2 on the Wheel; Diana gets 1 Essence"),
        (
            1,
            3,
            (
                "Bliss scores 3 Intentions: 5 points, 6 on the Wheel; "
                "Diana gets 1 Essence and 1 Ambition and 1 card"
            ),
        ),
    ],
)
def test_it_is_told_what_was_scored_and_what_the_wheel_gave(points: int, count: int, words: str) -> None:
    before = _start(points)
    assert describe(before, Score(count), _scored(before, count), CARDS) == words
    assert naming(Score(), before) == "Score an Intention"
