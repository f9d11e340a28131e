"""Intentions: points on the Wheel, entered by the table, and what the Wheel gives (R-INTENT-1 to R-INTENT-8).

Which Intentions a Team board shows is not known (OQ-4), so the table says when one is accomplished.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from companion.rules.actions import Score
from companion.rules.attempt import Attempt, Facts, rule
from companion.rules.effects import Gain
from companion.rules.frame import figures_first, game_over, revelation_open, tokens_first
from companion.rules.gains import received
from companion.rules.position import Position
from companion.rules.procedure import Plain
from companion.rules.words import person, title

FIRST: Final = 1
FURTHER: Final = 2
"""Points for the first Intention of a turn, and for each further one (R-INTENT-4)."""

LAP: Final = 20
"""Spaces of the Wheel, 0 to 19 (R-INTENT-6)."""

BONUSES: Final[Mapping[int, Gain]] = {2: Gain(essence=1), 4: Gain(cards=1), 6: Gain(ambition=1)}
"""What the marked spaces of the Wheel give (R-INTENT-5)."""

Try = Attempt[Score]


def points_for(intentions: int, scored: int) -> int:
    """Return the points for some more Intentions in a turn that has had `scored` of them (R-INTENT-4)."""
    return FURTHER * intentions - (FURTHER - FIRST if intentions and not scored else 0)


def bonuses(before: int, after: int, *, repeat: bool) -> Iterator[Gain]:
    """Yield what the Wheel gives on the way from one number of points to another (R-INTENT-5).

    Args:
        before: the points there were.
        after: the points there are; the marked space may be landed on or passed.
        repeat: whether the marked spaces give again on each lap (the ruling `wheel-bonuses-repeat`).
    """
    for points in range(before + 1, after + 1):
        space = points % LAP if repeat else points
        if space in BONUSES:
            yield BONUSES[space]


@rule("R-INTENT-1", "The basic game has no Intentions.")
def not_in_the_basic_game(attempt: Try) -> Facts | None:
    """The Wheel is used for the final score only."""
    return {} if attempt.position.mode == "basic" else None


@rule("R-TURN-1", "It is {player}'s turn, not {other}'s.")
def another_teams_turn(attempt: Try) -> Facts | None:
    """Whoever of the team says it, the turn must be the team's."""
    to_act = attempt.position.actor
    if attempt.player.team == to_act.team:
        return None
    return {"player": person(to_act.name), "other": person(attempt.player.name)}


@rule("R-INTENT-3", "{team} scores Intentions in its own turns only.")
def not_the_own_turn(attempt: Try) -> Facts | None:
    """An Intention is scored in a turn of the own team, of either teammate."""
    if attempt.player.team == attempt.position.actor.team:
        return None
    return {"team": title(attempt.player.team)}


@rule("R-INTENT-4", "Say how many Intentions were accomplished: at least one.")
def none_scored(attempt: Try) -> Facts | None:
    """There is nothing to score for none."""
    return {} if attempt.action.intentions < 1 else None


def _effect(attempt: Try, position: Position) -> Position:
    """Move the counter and give the bonuses to the active player (R-INTENT-7)."""
    turn, actor = position.turn, position.actor
    team = position.teams[actor.team]
    points = team.points + points_for(attempt.action.intentions, turn.intentions)
    position = position.with_team(actor.team, replace(team, points=points))
    turn = replace(turn, intentions=turn.intentions + attempt.action.intentions)
    position = replace(position, turn=turn)
    repeat = position.rulings.get("wheel-bonuses-repeat", False) is True
    for gain in bonuses(team.points, points, repeat=repeat):
        position = received(position, actor.name, gain, attempt.cards)
    return position


PROCEDURE: Plain[Score] = Plain(
    rules=(
        game_over,
        not_in_the_basic_game,
        another_teams_turn,
        not_the_own_turn,
        figures_first,
        tokens_first,
        revelation_open,
        none_scored,
    ),
    effect=_effect,
)
"""Scoring Intentions, complete."""
