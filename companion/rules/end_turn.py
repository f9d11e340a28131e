"""The end of a turn (R-EOT-1 to R-EOT-4)."""

from dataclasses import replace
from typing import Final

from companion.rules.actions import EndTurn
from companion.rules.attempt import Attempt, Facts, rule
from companion.rules.frame import EVERY_ACTION
from companion.rules.position import HIDDEN, Player, Position, Turn, order_of_turns
from companion.rules.words import title

ACTIONS_PER_TURN: Final = 3
"""R-TURN-2."""

AMBITION_TOKENS: Final = 3
"""Per team (R-AMB-1)."""

DRAWN: Final = 2
"""Cards drawn instead of the Ambition (R-EOT-1)."""

DECK_SIZE: Final = 16
"""Mild Emotions of one player, hand included (R-SETUP-7): nobody can hold more (R-DECK-6)."""


@rule("R-EOT-2", "All {tokens} Ambition tokens of {team} are available already: take the cards.")
def no_used_token(attempt: Attempt[EndTurn]) -> Facts | None:
    """There must be a used token to turn over."""
    team = attempt.position.teams[attempt.player.team]
    if attempt.action.gain != "ambition" or team.ambition < AMBITION_TOKENS:
        return None
    return {"tokens": AMBITION_TOKENS, "team": title(attempt.player.team)}


RULES = (*EVERY_ACTION, no_used_token)
"""What can forbid the end of a turn."""


def drawn(player: Player, count: int) -> Player:
    """Return the player with up to `count` cards drawn (R-DECK-1, R-DECK-6).

    The open top card comes first where it is known; the next top is not known, nor are further cards.
    """
    count = min(count, max(0, DECK_SIZE - len(player.hand)))
    if count == 0:
        return player
    cards = (player.top or HIDDEN, *([HIDDEN] * (count - 1)))
    return replace(player, hand=tuple(sorted((*player.hand, *cards))), top=None)


def next_player(position: Position) -> str:
    """Return who plays after the current turn (R-TURN-1, R-SHAPER-3).

    The number of the turn tells which of a Shaper's two turns this is; where it does not fit the player (a
    file that lists some of the players only), the player's first place in the order counts.
    """
    order = order_of_turns(position)
    place = (position.turn.number - 1) % len(order)
    if order[place] != position.turn.player:
        place = order.index(position.turn.player)
    return order[(place + 1) % len(order)]


def after_turn(attempt: Attempt[EndTurn]) -> Position:
    """Return the position in which the next player's turn begins."""
    position, player = attempt.position, attempt.player
    if attempt.action.gain == "ambition":
        team = position.teams[player.team]
        position = position.with_team(player.team, replace(team, ambition=team.ambition + 1))
    else:
        player = drawn(player, DRAWN)
    if player.willpower == 0:
        player = replace(player, willpower=1)
    fortresses = position.fortresses
    if any(fortress.this_turn for fortress in fortresses.values()):
        fortresses = {realm: replace(f, this_turn=False) for realm, f in fortresses.items()}
    turn = Turn(next_player(position), position.turn.number + 1, ACTIONS_PER_TURN)
    return replace(position.with_player(player), turn=turn, fortresses=fortresses)
