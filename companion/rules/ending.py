"""The end of the game: what triggers it, and the final score (R-END-1 to R-END-6, R-SCORE-1 to R-SCORE-5)."""

from typing import Final, Literal

from companion.rules.board import TEAMS, Team, other_team
from companion.rules.position import Position, Result

POINTS_TO_END: Final = 20
"""On the Wheel of Intentions (R-END-4)."""

FRAGMENT_POINTS: Final = {"minor": 3, "major": 5, "capping": 4}
"""By kind of Fragment in the Identity (R-SCORE-1)."""

CAPPED_AFTER_ALL: Final = 4
"""Points for the team that can't cap because the other one does in the same Revelation (R-END-3)."""


def capping_of(position: Position) -> Team | None:
    """Return the team whose Capping Fragment closes the Identity, if any."""
    return next((team for team in TEAMS if f"{team} capping" in position.identity), None)


def is_triggered(position: Position) -> bool:
    """Tell whether the current turn is the last one (R-END-1, R-END-2, R-END-4).

    That no Common Aspiration is known is no trigger: none must be left.
    """
    if position.common == () or capping_of(position) is not None:
        return True
    if position.mode == "basic":
        return False
    return any(team.points >= POINTS_TO_END for team in position.teams.values())


def score(position: Position, team: Team) -> int:
    """Add up what a team has: the Wheel, and its Fragments in the Identity (R-SCORE-1, R-SCORE-2).

    The basic game has no Intentions (R-SCORE-4), so nothing on the Wheel counts there but the points for a
    Capping Fragment that could not be added, and those come only with the other team's (R-END-3).
    """
    points = position.teams[team].points
    if position.mode == "basic":
        points = min(points, CAPPED_AFTER_ALL) if capping_of(position) == other_team(team) else 0
    return points + sum(
        value * position.identity.count(f"{team} {kind}") for kind, value in FRAGMENT_POINTS.items()
    )


def final_result(position: Position) -> Result:
    """Return how the game ends: more points win, then the Capping Fragment, else a draw (R-SCORE-3)."""
    bliss, gloom = score(position, "bliss"), score(position, "gloom")
    winner: Literal["bliss", "gloom", "draw"] = capping_of(position) or "draw"
    if bliss != gloom:
        winner = "bliss" if bliss > gloom else "gloom"
    return Result(ended=True, winner=winner, score={"bliss": bliss, "gloom": gloom})
