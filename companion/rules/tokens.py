"""Vibe tokens that need no discard: the Knowledge Sphere's and the Ambition Ability's (R-VIBE-10)."""

from dataclasses import replace

from companion.rules.actions import Absorb, Ambition, Token
from companion.rules.attempt import Attempt, Facts, rule
from companion.rules.position import Position, Row
from companion.rules.vibes import BOARD_SPACES, UNLOCK_SPACE, WILD, is_unlocked, with_token
from companion.rules.words import ACTION_TITLES

Try = Attempt[Absorb] | Attempt[Ambition]


def _token(attempt: Try) -> Token | None:
    return attempt.action.token


def _row(attempt: Try, token: Token) -> Row:
    return attempt.player.row(token.row)


@rule("R-EMP-1", "The basic game has no Empower, so its row takes no token.")
def row_not_used(attempt: Try) -> Facts | None:
    """The lowest row of the Spirit board is not used in the basic game."""
    token = _token(attempt)
    return {} if token and token.row == "empower" and attempt.position.mode == "basic" else None


@rule("R-VIBE-10", "This token has one of the four colours: wild ones come at the start of the game only.")
def wild(attempt: Try) -> Facts | None:
    """A token added this way is never a wild one."""
    token = _token(attempt)
    return {} if token and token.vibe == WILD else None


@rule("R-VIBE-10", "The {action} row is locked: only its leftmost space takes a token.")
def upgrade_of_a_locked_row(attempt: Try) -> Facts | None:
    """No token on an upgrade while the row is locked."""
    token = _token(attempt)
    if token is None or token.space == UNLOCK_SPACE or is_unlocked(_row(attempt, token)):
        return None
    return {"action": ACTION_TITLES[token.row]}


@rule("R-VIBE-4", "The {action} row has the spaces 1 to 4, and no space {space}.")
def no_such_space(attempt: Try) -> Facts | None:
    """A row has four spaces."""
    token = _token(attempt)
    if token is None or token.space in BOARD_SPACES:
        return None
    return {"space": token.space, "action": ACTION_TITLES[token.row]}


@rule("R-VIBE-4", "Space {space} of the {action} row holds a token already.")
def space_taken(attempt: Try) -> Facts | None:
    """A token goes on an empty space."""
    token = _token(attempt)
    if token is None or token.space not in BOARD_SPACES or not _row(attempt, token)[token.space - 1]:
        return None
    return {"space": token.space, "action": ACTION_TITLES[token.row]}


@rule("R-VIBE-5", "The {action} row has a {colour} token already.")
def colour_twice(attempt: Try) -> Facts | None:
    """No two tokens of one colour in a row."""
    token = _token(attempt)
    if token is None or token.vibe == WILD or token.vibe not in _row(attempt, token):
        return None
    return {"action": ACTION_TITLES[token.row], "colour": token.vibe}


ADDING = (row_not_used, no_such_space, upgrade_of_a_locked_row, space_taken, wild, colour_twice)
"""Whether a token can be added as it is meant."""


def added(position: Position, name: str, token: Token | None) -> Position:
    """Return the position with a token on a player's board; None adds nothing."""
    if token is None:
        return position
    player = position.players[name]
    row = with_token(player.row(token.row), token.space, token.vibe)
    return position.with_player(replace(player, vibes={**player.vibes, token.row: row}))
