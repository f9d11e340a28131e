"""What one Spirit Action adds to the frame that all five share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from companion.rules.attempt import Rule, SpiritAttempt, SpiritDone_co
from companion.rules.position import Position
from companion.rules.verdict import Missing


def nothing_missing(_attempt: object) -> tuple[Missing, ...]:
    """Return no missing value: for Actions whose answer hangs on no printed one."""
    return ()


def no_essence(_attempt: object) -> int:
    """Return 0: for Actions that take no Essence off the own Spirit board."""
    return 0


@dataclass(frozen=True, slots=True)
class Procedure(Generic[SpiritDone_co]):
    """The rules and the effect of one Spirit Action."""

    mode: tuple[Rule[SpiritAttempt[SpiritDone_co]], ...]
    """Rules on whether the Action exists at all."""
    target: tuple[Rule[SpiritAttempt[SpiritDone_co]], ...]
    """Rules on what it is aimed at, Essence to pay included."""
    effect: Callable[[SpiritAttempt[SpiritDone_co], Position], Position]
    """From the position in which everything is paid to the one after the Action."""
    missing: Callable[[SpiritAttempt[SpiritDone_co]], tuple[Missing, ...]] = nothing_missing
    """Printed values that nobody knows and on which the answer hangs."""
    essence: Callable[[SpiritAttempt[SpiritDone_co]], int] = no_essence
    """Essence taken off the own Spirit board."""
