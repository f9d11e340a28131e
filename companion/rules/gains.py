"""Receiving: what Realm Actions, Sphere bonuses and Abilities give, in one place."""

from dataclasses import replace
from typing import Final

from companion.rules.cards import Catalogue
from companion.rules.effects import Gain
from companion.rules.hands import drawn
from companion.rules.position import Position
from companion.rules.verdict import Cost

AMBITION_TOKENS: Final = 3
"""Per team (R-AMB-1)."""


def received(position: Position, name: str, gain: Gain, cards: Catalogue) -> Position:
    """Return the position after a player got something; a Vibe token is placed by `tokens.added`.

    Args:
        position: the position before.
        name: the player.
        gain: what comes from the general supply.
        cards: the printed values: whose the Emotions on the board are tells what a deck still has.
    """
    player = position.players[name]
    player = replace(
        drawn(position, player, gain.cards, cards),
        willpower=player.willpower + gain.willpower,
        essence=player.essence + gain.essence,
    )
    position = position.with_player(player)
    if gain.ambition:
        team = position.teams[player.team]
        available = min(AMBITION_TOKENS, team.ambition + gain.ambition)
        position = position.with_team(player.team, replace(team, ambition=available))
    if gain.actions:
        turn = replace(position.turn, actions_left=position.turn.actions_left + gain.actions)
        position = replace(position, turn=turn)
    return position


def paid(position: Position, name: str, cost: Cost) -> Position:
    """Return the position after a player paid; that it can be paid is for the rules to say (R-TURN-8)."""
    player = position.players[name]
    if cost.willpower or cost.essence:
        left = replace(
            player, willpower=player.willpower - cost.willpower, essence=player.essence - cost.essence
        )
        position = position.with_player(left)
    if cost.ambition:
        team = position.teams[player.team]
        position = position.with_team(player.team, replace(team, ambition=team.ambition - cost.ambition))
    return position
