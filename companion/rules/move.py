"""Move: one step round the ring of Spirit spaces, and what the upgrades add (R-MOVE-1 to R-MOVE-8)."""

from dataclasses import replace

from companion.rules.actions import Move
from companion.rules.attempt import Facts, SpiritAttempt, rule
from companion.rules.board import steps_between
from companion.rules.position import Position
from companion.rules.procedure import Procedure
from companion.rules.words import person, space_words, standing_words

Try = SpiritAttempt[Move]


def _steps(attempt: Try) -> int | None:
    return None if attempt.player.at is None else steps_between(attempt.player.at, attempt.action.to)


@rule("R-MOVE-1", "{player}'s figure is not on the board.")
def not_on_the_board(attempt: Try) -> Facts | None:
    """A move starts from a Spirit space."""
    return {"player": person(attempt.player.name)} if attempt.player.at is None else None


@rule("R-MOVE-1", "{player}'s figure stands {there} already.")
def stays(attempt: Try) -> Facts | None:
    """A move ends on another space."""
    if _steps(attempt) != 0:
        return None
    return {"player": person(attempt.player.name), "there": standing_words(attempt.action.to)}


@rule("R-MOVE-1", "The {space} is {steps} steps away; a move goes one step, with Haste two.")
def too_far(attempt: Try) -> Facts | None:
    """One step to a neighbouring space; Haste adds exactly one."""
    steps = _steps(attempt) or 0
    reach = 2 if "haste" in attempt.upgrades else 1
    return {"space": space_words(attempt.action.to), "steps": steps} if steps > reach else None


@rule("R-MOVE-4", "With Haste the figure goes exactly two steps; the {space} is {steps} away.")
def not_two_with_haste(attempt: Try) -> Facts | None:
    """Haste makes it two steps, no more and no fewer."""
    steps = _steps(attempt)
    if steps in (None, 0, 2) or "haste" not in attempt.upgrades:
        return None
    away = "1 step" if steps == 1 else f"{steps} steps"
    return {"space": space_words(attempt.action.to), "steps": away}


@rule("R-MOVE-2", "{opponent} stands {there}; only Surmount may end there.")
def ends_on_an_opponent(attempt: Try) -> Facts | None:
    """Opponents are passed with Haste (R-MOVE-5), joined with Surmount only (R-MOVE-6)."""
    if "surmount" in attempt.upgrades:
        return None
    for other in attempt.position.players.values():
        if other.team != attempt.player.team and other.at == attempt.action.to:
            return {"opponent": person(other.name), "there": standing_words(attempt.action.to)}
    return None


def _effect(attempt: Try, position: Position) -> Position:
    player = position.players[attempt.player.name]
    return position.with_player(replace(player, at=attempt.action.to))


PROCEDURE: Procedure[Move] = Procedure(
    mode=(),
    target=(not_on_the_board, stays, too_far, not_two_with_haste, ends_on_an_opponent),
    effect=_effect,
)
"""Move, complete."""
