"""Upgrades: which may be used, and what they cost (R-UPG-1 to R-UPG-6)."""

from collections.abc import Iterable
from itertools import combinations
from typing import Any

from companion.rules.attempt import Facts, SpiritAttempt, rule
from companion.rules.boards import is_known
from companion.rules.cards import SpiritAction
from companion.rules.position import Row
from companion.rules.verdict import Cost, Missing
from companion.rules.words import ACTION_TITLES, person, title

Try = SpiritAttempt[Any]


def total_cost(board_row: SpiritAction, used: Iterable[str]) -> Cost:
    """Add up base cost and upgrades, each once; Willpower never falls below 0 (R-UPG-3 to R-UPG-5)."""
    willpower, ambition = board_row.willpower, board_row.ambition
    for upgrade in board_row.upgrades:
        if upgrade.name in used:
            willpower += upgrade.willpower
            ambition += upgrade.ambition
    return Cost(willpower=max(0, willpower), ambition=ambition)


def with_tokens(board_row: SpiritAction, row: Row) -> tuple[str, ...]:
    """Return the upgrades of a row that have a token, left to right (R-UPG-1, R-UPG-6)."""
    return tuple(u.name for u, token in zip(board_row.upgrades, row[1:], strict=True) if token)


def subsets(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Return every choice among `names`, the empty one first, the order within kept (R-UPG-1)."""
    return tuple(chosen for n in range(len(names) + 1) for chosen in combinations(names, n))


def unknown_board(attempt: Try) -> tuple[Missing, ...]:
    """Return what nobody has told us about the upgrades named, of a Spirit board's side B (R-COMP-2)."""
    player, row = attempt.player, attempt.board_row.name
    if player.side == "a" or not attempt.action.upgrades or is_known(player, row, attempt.cards):
        return ()
    return (Missing(player.spirit or "spirit", "side_b"),)


def names_unknown_upgrade(attempt: Try) -> bool:
    """Tell whether an upgrade is named of which nobody knows what it does: any target could be right then."""
    return len(attempt.upgrades) < len(attempt.action.upgrades) and bool(unknown_board(attempt))


def _could_be_there(attempt: Try, name: str) -> bool:
    """Tell whether a row that nobody knows could have an upgrade: not a standard one of another row."""
    standard = (upgrade.name for row in attempt.cards.rows.values() for upgrade in row.upgrades)
    return bool(unknown_board(attempt)) and name not in standard


@rule("R-UPG-1", "{upgrade} is not an upgrade of {action}.")
def of_another_row(attempt: Try) -> Facts | None:
    """Only the upgrades of the Action's own row can be used."""
    for name in attempt.action.upgrades:
        if name not in attempt.upgrades and not _could_be_there(attempt, name):
            return {"upgrade": title(name), "action": ACTION_TITLES[attempt.board_row.name]}
    return None


@rule("R-UPG-1", "{upgrade} has no Vibe token.")
def without_token(attempt: Try) -> Facts | None:
    """An upgrade needs a token on its own space."""
    if unknown_board(attempt):
        return _more_than_tokens(attempt)
    for upgrade, token in zip(attempt.board_row.upgrades, attempt.row[1:], strict=True):
        if not token and upgrade.name in attempt.upgrades:
            return {"upgrade": title(upgrade.name)}
    return None


def _more_than_tokens(attempt: Try) -> Facts | None:
    """Where nobody knows the order of a row, only the number of its tokens can rule an upgrade out."""
    named, tokens = dict.fromkeys(attempt.action.upgrades), sum(bool(token) for token in attempt.row[1:])
    return {"upgrade": title(list(named)[tokens])} if len(named) > tokens else None


@rule("R-UPG-1", "{upgrade} counts once in an Action, not twice.")
def named_twice(attempt: Try) -> Facts | None:
    """Each upgrade is used at most once in an Action."""
    named = attempt.action.upgrades
    if len(set(named)) == len(named):
        return None
    return {"upgrade": title(next(name for name in named if named.count(name) > 1))}


@rule("R-TURN-8", "This costs {cost} Willpower; {player} has {has}.")
def willpower_short(attempt: Try) -> Facts | None:
    """An Action must be payable from the own Spirit board."""
    if attempt.player.willpower >= attempt.cost.willpower or unknown_board(attempt):
        return None
    return {
        "cost": attempt.cost.willpower,
        "player": person(attempt.player.name),
        "has": attempt.player.willpower,
    }


@rule("R-AMB-3", "This costs {cost} Ambition; {team} has {has} available.")
def ambition_short(attempt: Try) -> Facts | None:
    """Ambition belongs to the team; without an available token nothing that needs one can be done."""
    has = attempt.position.teams[attempt.player.team].ambition
    if has >= attempt.cost.ambition or unknown_board(attempt):
        return None
    return {"cost": attempt.cost.ambition, "team": title(attempt.player.team), "has": has}


CHOICE = (of_another_row, without_token, named_twice)
"""Whether the upgrades named can be used at all."""

PAYMENT = (willpower_short, ambition_short)
"""Whether base and upgrades can be paid."""
