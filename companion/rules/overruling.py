"""What an action comes to that the rules refuse, where the table does it all the same.

Nothing here judges: the effect is the engine's own, with the rules left out. What can't be paid stays unpaid.
"""

from dataclasses import dataclass, replace
from typing import Any

from companion.rules.actions import (
    Absorb,
    Action,
    Ambition,
    EndTurn,
    Fortify,
    Land,
    Network,
    PlaceSpirit,
    RealmActionDone,
    Score,
    SetupStep,
    SpiritActionDone,
)
from companion.rules.attempt import Attempt, SpiritAttempt
from companion.rules.boards import earned, own_row
from companion.rules.cards import Catalogue
from companion.rules.derived import Derived
from companion.rules.engine import PLAIN, PROCEDURES
from companion.rules.following import follow
from companion.rules.frame import MUST
from companion.rules.gains import paid
from companion.rules.position import Player, Position
from companion.rules.starting import placer, setup_step
from companion.rules.upgrades import names_unknown_upgrade, total_cost
from companion.rules.verdict import Cost
from companion.rules.vibes import intended


@dataclass(frozen=True, slots=True)
class Overruled:
    """An action that was done against the rules."""

    settled: Position
    """With all paid that can be, and one Action less where it takes one; nothing else has changed."""
    after: Position | None
    """After its effect; None where it has none, or hangs on a printed value that nobody knows."""
    paid: Cost
    owed: Cost
    """What it costs beyond that: a resource is paid in full or not at all."""


def overruled(position: Position, action: Action, cards: Catalogue) -> Overruled | None:
    """Return what an action comes to, whatever the rules say of it; None for what can't be done like that.

    Args:
        position: what the table knows.
        action: refused.
        cards: the printed values.
    """
    player = position.players.get(action.player or position.turn.player)
    if player is None or position.result is not None:
        return None
    if any(step.action in MUST for step in position.turn.pending) and not isinstance(action, SetupStep):
        return None  # What people must show or place can't be passed over.
    if not _can_be_done(position, action):
        return None
    derived = Derived(position, cards)
    if isinstance(action, SpiritActionDone):
        return _spirit_action(derived, player, action)
    if isinstance(action, RealmActionDone | Absorb | Ambition | EndTurn | Score | SetupStep):
        return _plain(Attempt(position, action, cards, player, derived))
    return None


def _can_be_done(position: Position, action: Action) -> bool:
    """Tell whether what an action changes is there at all."""
    if isinstance(action, Land | Network):
        return action.slot in position.slots
    if isinstance(action, SetupStep):
        return _is_due(position, action)
    if isinstance(action, Fortify):
        # A Fortress in place of another one would lose a Fragment.
        changes = not {"exalt", "raze"}.isdisjoint(action.upgrades)
        return changes == (action.realm in position.fortresses)
    return True


def _is_due(position: Position, action: SetupStep) -> bool:
    """Tell whether it is the step of the set-up that comes next, with places for its pieces."""
    step = setup_step(position)
    if step is None or isinstance(action, PlaceSpirit) != (step.action == "place-spirit"):
        return False
    if isinstance(action, PlaceSpirit):
        stands = (placer(position, step).at, action.at) != (None, None)
        return stands and action.slot not in position.slots
    return not placer(position, step).row(action.row)[action.space - 1]


def _can_be(position: Position) -> bool:
    """Tell whether nothing is less than nothing: what an action takes may not be there."""
    players = (amount for p in position.players.values() for amount in (p.willpower, p.essence))
    teams = (amount for t in position.teams.values() for amount in (t.ambition, t.minor, t.major))
    return min(*players, *teams, *position.origin.willpower.values()) >= 0


def _spirit_action(derived: Derived, player: Player, action: SpiritActionDone) -> Overruled:
    name, procedure = PROCEDURES[type(action)]
    position, cards = derived.position, derived.cards
    board_row = own_row(player, name, cards)
    row, hand = intended(derived, player, action.place, name)
    upgrades = frozenset(u.name for u in board_row.upgrades if u.name in action.upgrades)
    attempt: SpiritAttempt[Any] = SpiritAttempt(
        *(position, action, cards, player, derived),
        *(board_row, row, hand, upgrades, total_cost(board_row, upgrades)),
    )
    cost = replace(attempt.cost, essence=procedure.essence(attempt))
    if action.place is not None:
        vibes = {**player.vibes, name: row}
        position = position.with_player(replace(player, hand=hand, vibes=vibes))
    settled, spent, owed = _settled(position, player, cost, takes_action=True)
    # The threshold of an Empower is no part of what it does.
    unknown = any(item.key != "empower_threshold" for item in procedure.missing(attempt))
    if unknown or names_unknown_upgrade(attempt):
        return Overruled(settled, None, spent, owed)
    done = procedure.effect(attempt, settled)
    if done == settled:
        return Overruled(settled, None, spent, owed)
    after = follow(derived.position, action, earned(attempt, done), cards)
    return Overruled(settled, after if _can_be(after) else None, spent, owed)


def _plain(attempt: Attempt[Any]) -> Overruled | None:
    procedure = PLAIN[type(attempt.action)]
    if procedure.missing(attempt):
        return None
    cost, position = procedure.cost(attempt), attempt.position
    settled, spent, owed = _settled(position, attempt.player, cost, takes_action=procedure.takes_action)
    after = procedure.effect(attempt, settled)
    if after == settled:
        return Overruled(settled, None, spent, owed)
    if procedure.takes_action:
        after = follow(position, attempt.action, after, attempt.cards)
    return Overruled(settled, after if _can_be(after) else None, spent, owed)


def _settled(
    position: Position, player: Player, cost: Cost, *, takes_action: bool
) -> tuple[Position, Cost, Cost]:
    """Return the position with everything paid that can be, and what was paid and what not."""
    ambition = position.teams[player.team].ambition
    spent = Cost(
        cost.willpower if cost.willpower <= player.willpower else 0,
        cost.essence if cost.essence <= player.essence else 0,
        cost.ambition if cost.ambition <= ambition else 0,
    )
    owed = Cost(
        cost.willpower - spent.willpower, cost.essence - spent.essence, cost.ambition - spent.ambition
    )
    after, turn = paid(position, player.name, spent), position.turn
    if takes_action and turn.player == player.name and turn.actions_left:
        after = replace(after, turn=replace(turn, actions_left=turn.actions_left - 1))
    return after, spent, owed
