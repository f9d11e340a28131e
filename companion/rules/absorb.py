"""Absorb: Willpower out of a Sphere, its bonus, the turning Origin (R-ABS-1 to R-ABS-15)."""

from dataclasses import replace
from typing import Final

from companion.rules import following, revelation
from companion.rules.actions import Absorb
from companion.rules.attempt import Attempt, Facts, rule
from companion.rules.board import frontiers_of
from companion.rules.cards import Sphere
from companion.rules.control import Control
from companion.rules.effects import Gain
from companion.rules.frame import EVERY_ACTION
from companion.rules.gains import AMBITION_TOKENS, received
from companion.rules.position import Position
from companion.rules.powers import absorbed_more
from companion.rules.procedure import Plain
from companion.rules.reach import spheres_reached
from companion.rules.tokens import ADDING, added
from companion.rules.verdict import Cost, Missing
from companion.rules.words import person, title

Try = Attempt[Absorb]

ABSORBED: Final = 2
"""Willpower without any Frontier (R-ABS-5)."""

FRONTIER_ADDS: Final = 1
"""For each adjacent Frontier that the own team controls (R-ABS-5)."""


def _sphere(attempt: Try) -> Sphere:
    return attempt.cards.spheres[attempt.action.sphere]


def _frontiers(attempt: Try) -> tuple[Control, ...]:
    at = attempt.player.at
    if at is None:
        return ()
    return tuple(attempt.derived.frontier(f) for f in frontiers_of(at))


def _amounts(attempt: Try) -> tuple[int, int]:
    """Return the least and the most that could be taken; never more than the Sphere holds (R-ABS-6)."""
    held = [control.held_by(attempt.player.team) for control in _frontiers(attempt)]
    more = absorbed_more(attempt.position, attempt.player, attempt.action.sphere, attempt.cards).sphere
    least = max(0, ABSORBED + FRONTIER_ADDS * held.count(True) + more)
    most = max(0, ABSORBED + FRONTIER_ADDS * (len(held) - held.count(False)) + more)
    inside = attempt.position.origin.willpower[attempt.action.sphere]
    return min(least, inside), min(most, inside)


def _price(attempt: Try) -> int:
    """Return what the bonus costs, where it is taken."""
    return _sphere(attempt).willpower if attempt.action.bonus else 0


def _cost(attempt: Try) -> Cost:
    return Cost(willpower=_price(attempt))


@rule("R-ABS-1", "{player} has absorbed in this turn already.")
def absorbed_already(attempt: Try) -> Facts | None:
    """Once per turn."""
    return {"player": person(attempt.player.name)} if attempt.position.turn.absorbed else None


@rule("R-ABS-2", "Nobody absorbs in the first turn of the game.")
def first_turn(attempt: Try) -> Facts | None:
    """The starting player's Action Tracker lies on its inactive side."""
    return {} if attempt.position.turn.number == 1 else None


@rule("R-ABS-4", "{sphere} is not next to {player}'s figure.")
def out_of_reach(attempt: Try) -> Facts | None:
    """The Sphere faces the figure's Realm, or one of the two beside its Frontier (R-BOARD-12).

    Next to those lie the ones that a Spirit's power may add (R-POWER-6).
    """
    sphere = attempt.action.sphere
    if sphere in spheres_reached(attempt.position, attempt.player, attempt.cards):
        return None
    return {"sphere": title(sphere), "player": person(attempt.player.name)}


@rule("R-AMB-1", "All {tokens} Ambition tokens of {team} are available: leave the bonus.")
def no_used_token(attempt: Try) -> Facts | None:
    """Nobody pays for a token that can't be turned over."""
    team = attempt.player.team
    if not attempt.action.bonus or not _sphere(attempt).gain.ambition:
        return None
    if attempt.position.teams[team].ambition < AMBITION_TOKENS:
        return None
    return {"tokens": AMBITION_TOKENS, "team": title(team)}


@rule("R-ABS-8", "Knowledge adds a Vibe token: say which one and where, or leave the bonus.")
def no_token_named(attempt: Try) -> Facts | None:
    """The bonus that adds a token needs one."""
    action = attempt.action
    return {} if action.bonus and _sphere(attempt).gain.vibe_tokens and action.token is None else None


@rule("R-TURN-8", "The bonus costs {cost} Willpower; {player} has {has} then.")
def bonus_not_payable(attempt: Try) -> Facts | None:
    """The payment may come out of what was just absorbed (R-ABS-11)."""
    has = attempt.player.willpower + _amounts(attempt)[1]
    cost = _price(attempt)
    return {"cost": cost, "player": person(attempt.player.name), "has": has} if has < cost else None


def _empties(attempt: Try) -> bool:
    return _amounts(attempt)[1] == attempt.position.origin.willpower[attempt.action.sphere]


def _missing(attempt: Try) -> tuple[Missing, ...]:
    """Return what the amount hangs on, and where the Sphere is emptied what the Revelation hangs on."""
    least, most = _amounts(attempt)
    missing: tuple[Missing, ...] = ()
    if least != most:
        missing = tuple(item for control in _frontiers(attempt) for item in control.missing)
    if _empties(attempt):
        missing += attempt.derived.revelation()
    return tuple(dict.fromkeys(missing))


def _effect(attempt: Try, position: Position) -> Position:
    """Take, receive the bonus, resolve a Revelation, turn the Origin (R-ABS-3 to R-ABS-13)."""
    action, name = attempt.action, attempt.player.name
    taken, _ = _amounts(attempt)
    player = position.players[name]
    position = position.with_player(replace(player, willpower=player.willpower + taken))
    inside = position.origin.willpower[action.sphere] - taken
    willpower = {**position.origin.willpower, action.sphere: inside}
    position = replace(
        position,
        origin=replace(position.origin, willpower=willpower),
        turn=replace(position.turn, absorbed=True),
    )
    if action.bonus:
        position = added(received(position, name, _sphere(attempt).gain, attempt.cards), name, action.token)
    position = _powers_followed(attempt, position, taken)
    if inside == 0:
        return revelation.begun(position, attempt.cards)
    if position.rulings.get("origin-turns", "every-absorb") == "every-absorb":
        return revelation.origin_turned(position)
    return position


def _powers_followed(attempt: Try, position: Position, taken: int) -> Position:
    """Give what powers add from the supply (R-ABS-14), then what they give for the Absorb as a whole."""
    name = attempt.player.name
    supply = absorbed_more(attempt.position, attempt.player, attempt.action.sphere, attempt.cards).supply
    if supply:
        position = received(position, name, Gain(willpower=supply), attempt.cards)
    bonus = _sphere(attempt).gain.willpower if attempt.action.bonus else 0
    return following.absorbed(position, name, taken + bonus + supply, attempt.cards)


PROCEDURE: Plain[Absorb] = Plain(
    rules=(
        *EVERY_ACTION,
        absorbed_already,
        first_turn,
        out_of_reach,
        no_used_token,
        no_token_named,
        *ADDING,
        bonus_not_payable,
    ),
    effect=_effect,
    cost=_cost,
    missing=_missing,
)
"""Absorb, complete."""
