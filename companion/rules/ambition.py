"""The Ambition Abilities of the Team board (R-AMB-3, R-AMB-4, R-AMB-6 to R-AMB-10)."""

from dataclasses import replace

from companion.rules.actions import Ambition
from companion.rules.attempt import Attempt, Facts, rule
from companion.rules.cards import Ability
from companion.rules.frame import EVERY_ACTION
from companion.rules.gains import received
from companion.rules.position import Position
from companion.rules.procedure import Plain
from companion.rules.tokens import ADDING, added
from companion.rules.verdict import Cost
from companion.rules.words import ability_words, title

Try = Attempt[Ambition]


def _ability(attempt: Try) -> Ability | None:
    return attempt.cards.abilities.get(attempt.action.ability)


def _cost(attempt: Try) -> Cost:
    ability = _ability(attempt)
    return Cost(ambition=0 if ability is None else ability.ambition)


@rule("R-AMB-4", "The Team board has no Ambition Ability of that name.")
def no_such_ability(attempt: Try) -> Facts | None:
    """There are three of them."""
    return {} if _ability(attempt) is None else None


@rule("R-AMB-4", "{ability} was used in this turn already: each Ambition Ability once.")
def used_already(attempt: Try) -> Facts | None:
    """Each Ability at most once in a turn."""
    ability = attempt.action.ability
    return {"ability": ability_words(ability)} if ability in attempt.position.turn.ambition_used else None


@rule("R-AMB-3", "This costs {cost} Ambition; {team} has {has} available.")
def ambition_short(attempt: Try) -> Facts | None:
    """Ambition belongs to the team; without an available token nothing that needs one can be done."""
    cost, has = _cost(attempt).ambition, attempt.position.teams[attempt.player.team].ambition
    return {"cost": cost, "team": title(attempt.player.team), "has": has} if has < cost else None


@rule("R-AMB-7", "Say which Vibe token is added, and where.")
def no_token_named(attempt: Try) -> Facts | None:
    """The Ability that adds a token needs one."""
    ability = _ability(attempt)
    gain = None if ability is None else ability.gain
    return {} if gain is not None and gain.vibe_tokens and attempt.action.token is None else None


def _effect(attempt: Try, position: Position) -> Position:
    """Give what the Ability gives; what nobody knows is the table's own to do (R-AMB-8)."""
    ability, name = _ability(attempt), attempt.player.name
    turn = replace(position.turn, ambition_used=(*position.turn.ambition_used, attempt.action.ability))
    position = replace(position, turn=turn)
    if ability is not None and ability.gain is not None:
        position = received(position, name, ability.gain, attempt.cards)
    return added(position, name, attempt.action.token)


PROCEDURE: Plain[Ambition] = Plain(
    rules=(*EVERY_ACTION, no_such_ability, used_already, no_token_named, *ADDING, ambition_short),
    effect=_effect,
    cost=_cost,
)
"""The Ambition Abilities, complete."""
