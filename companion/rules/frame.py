"""The frame around every action: whose turn it is, and what is left of it (R-TURN-1, R-TURN-2)."""

from typing import Any, Final

from companion.rules.attempt import Attempt, Facts, rule
from companion.rules.words import person, title


@rule("R-END-5", "The game is over.")
def game_over(attempt: Attempt[Any]) -> Facts | None:
    """Nobody acts after the last turn."""
    result = attempt.position.result
    return {} if result is not None and result.ended else None


@rule("R-TURN-1", "It is {player}'s turn, not {other}'s.")
def another_turn(attempt: Attempt[Any]) -> Facts | None:
    """Players take whole turns in order."""
    to_act = attempt.position.turn.player
    if attempt.player.name == to_act:
        return None
    return {"player": person(to_act), "other": person(attempt.player.name)}


@rule("R-TURN-7", "The Revelation comes first: {what} for {team}.")
def revelation_open(attempt: Attempt[Any]) -> Facts | None:
    """A Revelation is finished before the turn goes on."""
    for pending in attempt.position.turn.pending:
        if pending.action in _REVELATION:
            return {"what": _REVELATION[pending.action], "team": title(pending.team)}
    return None


_REVELATION: Final = {
    "reveal": "show the Hidden Aspiration",
    "return-common": "choose a Common Aspiration to take out",
}
"""Choosing the next Hidden Aspiration is optional (R-REV-17), so it holds nobody up."""

SETUP: Final = ("place-spirit", "place-wild")
"""The steps of a set-up."""

MUST: Final = (*_REVELATION, *SETUP)
"""What comes before anything else."""


def _set_up(attempt: Attempt[Any], step: str) -> Facts | None:
    pending = attempt.position.turn.pending
    if not pending or pending[0].action != step:
        return None
    return {"player": person(pending[0].player or attempt.position.turn.player)}


@rule("R-SETUP-19", "The set-up comes first: {player} places the figure and a Starting Emotion.")
def figures_first(attempt: Attempt[Any]) -> Facts | None:
    """Nobody acts before the figures and the Starting Emotions are placed."""
    return _set_up(attempt, "place-spirit")


@rule("R-SETUP-23", "The set-up comes first: {player} places a wild Vibe token.")
def tokens_first(attempt: Attempt[Any]) -> Facts | None:
    """The wild Vibe tokens are placed just before the first turn."""
    return _set_up(attempt, "place-wild")


@rule("R-TURN-2", "{player} has no Action left in this turn.")
def no_actions_left(attempt: Attempt[Any]) -> Facts | None:
    """A turn has three Actions, and what Abilities add."""
    if attempt.position.turn.actions_left >= 1:
        return None
    return {"player": person(attempt.player.name)}


EVERY_ACTION = (game_over, another_turn, figures_first, tokens_first, revelation_open)
"""For whatever a player does; `no_actions_left` comes on top for what counts as an Action."""
