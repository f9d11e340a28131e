"""The end of a turn (R-EOT-1 to R-EOT-5)."""

from dataclasses import replace
from typing import Final

from companion.rules.actions import EndTurn
from companion.rules.attempt import Attempt, Facts, rule
from companion.rules.effects import Gain
from companion.rules.ending import final_result, is_triggered
from companion.rules.frame import EVERY_ACTION
from companion.rules.gains import AMBITION_TOKENS, received
from companion.rules.position import Position, Turn, order_of_turns
from companion.rules.procedure import Plain
from companion.rules.use_power import waits
from companion.rules.words import title

ACTIONS_PER_TURN: Final = 3
"""R-TURN-2."""

GAINS: Final = {"ambition": Gain(ambition=1), "cards": Gain(cards=2)}
"""What there is to choose from (R-EOT-1)."""


@rule("R-EOT-2", "All {tokens} Ambition tokens of {team} are available already: take the cards.")
def no_used_token(attempt: Attempt[EndTurn]) -> Facts | None:
    """There must be a used token to turn over."""
    team = attempt.position.teams[attempt.player.team]
    if attempt.action.gain != "ambition" or team.ambition < AMBITION_TOKENS:
        return None
    return {"tokens": AMBITION_TOKENS, "team": title(attempt.player.team)}


@rule("R-AMB-1", "A team has {tokens} Ambition tokens: {team} can't have another one available.")
def no_token_more(attempt: Attempt[EndTurn]) -> Facts | None:
    """There are never more than three available."""
    return no_used_token.broken(attempt)


@rule("R-POWER-1", "The power of {power} comes first: {team} chooses in it.")
def power_open(attempt: Attempt[EndTurn]) -> Facts | None:
    """What a power gives is given before the turn is over, unless it may be left."""
    pending = waits(attempt.position, attempt.cards)
    return None if pending is None else {"power": title(pending.power or ""), "team": title(pending.team)}


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


def _effect(attempt: Attempt[EndTurn], position: Position) -> Position:
    name = attempt.player.name
    position = received(position, name, GAINS[attempt.action.gain], attempt.cards)
    player = position.players[name]
    if player.willpower == 0:
        position = position.with_player(replace(player, willpower=1))
    fortresses = position.fortresses
    if any(fortress.this_turn for fortress in fortresses.values()):
        fortresses = {realm: replace(f, this_turn=False) for realm, f in fortresses.items()}
    position = replace(position, fortresses=fortresses)
    if is_triggered(position):
        return replace(position, turn=replace(position.turn, pending=()), result=final_result(position))
    turn = Turn(next_player(position), position.turn.number + 1, ACTIONS_PER_TURN)
    return replace(position, turn=turn)


PROCEDURE: Plain[EndTurn] = Plain(
    rules=(*EVERY_ACTION, no_used_token, no_token_more, power_open), effect=_effect
)
"""The end of a turn, complete."""
