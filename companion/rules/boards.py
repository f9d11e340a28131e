"""The rows of a player's own Spirit board: side A's, alike for all, or side B's of one Spirit (R-COMP-2)."""

from typing import Any, TypeVar

from companion.rules.attempt import SpiritAttempt
from companion.rules.cards import Catalogue, SpiritAction
from companion.rules.effects import Earns, Swaps, UpgradeEffect
from companion.rules.gains import received
from companion.rules.position import Player, Position

Used = TypeVar("Used", bound=UpgradeEffect)


def is_known(player: Player, row: str, cards: Catalogue) -> bool:
    """Tell whether somebody has told us what a row of a player's board says."""
    if player.side == "a":
        return True
    spirit = cards.spirits.get(player.spirit or "")
    return spirit is not None and row in spirit.side_b


def own_row(player: Player, row: str, cards: Catalogue) -> SpiritAction:
    """Return a row of a player's board; side A's where nobody knows that of side B."""
    if player.side == "b" and is_known(player, row, cards):
        return cards.spirits[player.spirit or ""].side_b[row]
    return cards.rows[row]


def effects_of(board_row: SpiritAction, used: frozenset[str], kind: type[Used]) -> tuple[Used, ...]:
    """Return the effects of one kind that the upgrades used have; the standard ones have none."""
    return tuple(
        effect
        for upgrade in board_row.upgrades
        if upgrade.effects and upgrade.name in used
        for effect in upgrade.effects
        if isinstance(effect, kind)
    )


def trades_spaces(board_row: SpiritAction, used: frozenset[str]) -> bool:
    """Tell whether an upgrade used lets two figures trade spaces in place of a move."""
    return bool(effects_of(board_row, used, Swaps))


def used_effects(attempt: SpiritAttempt[Any], kind: type[Used]) -> tuple[Used, ...]:
    """Return the effects of one kind that the upgrades named in an Action have."""
    return effects_of(attempt.board_row, attempt.upgrades, kind) if attempt.upgrades else ()


def earned(attempt: SpiritAttempt[Any], after: Position) -> Position:
    """Return the position after whoever acted got what the upgrades used earn.

    Args:
        attempt: the Action.
        after: the position right after it.
    """
    left = not attempt.position.slots.keys() <= after.slots.keys()
    for effect in used_effects(attempt, Earns):
        if left or not effect.leaving:
            after = received(after, attempt.player.name, effect.gain, attempt.cards)
    return after
