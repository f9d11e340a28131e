"""What one Spirit Action adds to the frame that all five share, and what anything else consists of."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from companion.rules.attempt import Attempt, Done_co, Rule, SpiritAttempt, SpiritDone_co
from companion.rules.position import Position
from companion.rules.verdict import Cost, Missing


def nothing_missing(_attempt: object) -> tuple[Missing, ...]:
    """Return no missing value: for Actions whose answer hangs on no printed one."""
    return ()


def no_essence(_attempt: object) -> int:
    """Return 0: for Actions that take no Essence off the own Spirit board."""
    return 0


def free(_attempt: object) -> Cost:
    """Return no cost."""
    return Cost()


@dataclass(frozen=True, slots=True)
class Procedure(Generic[SpiritDone_co]):
    """The rules and the effect of one Spirit Action."""

    mode: tuple[Rule[SpiritAttempt[SpiritDone_co]], ...]
    """Rules on whether the Action exists at all."""
    target: tuple[Rule[SpiritAttempt[SpiritDone_co]], ...]
    """Rules on what it is aimed at, Essence to pay included.

    Of the token placed and the hand that it leaves none of them knows anything but `in_hand`: a list judges a
    target once for all tokens.
    """
    effect: Callable[[SpiritAttempt[SpiritDone_co], Position], Position]
    """From the position in which everything is paid to the one after the Action."""
    in_hand: Rule[SpiritAttempt[SpiritDone_co]] | None = None
    """The one among `target` that asks for a card in the hand that is left."""
    missing: Callable[[SpiritAttempt[SpiritDone_co]], tuple[Missing, ...]] = nothing_missing
    """Printed values that nobody knows and on which the answer hangs."""
    essence: Callable[[SpiritAttempt[SpiritDone_co]], int] = no_essence
    """Essence taken off the own Spirit board."""


@dataclass(frozen=True, slots=True)
class Plain(Generic[Done_co]):
    """The rules and the effect of whatever is no Spirit Action."""

    rules: tuple[Rule[Attempt[Done_co]], ...]
    """All that can forbid it, in the order in which people should hear of it."""
    effect: Callable[[Attempt[Done_co], Position], Position]
    """From the position in which everything is paid to the one afterwards."""
    cost: Callable[[Attempt[Done_co]], Cost] = free
    """What it costs; the least that it could where that hangs on `missing`."""
    missing: Callable[[Attempt[Done_co]], tuple[Missing, ...]] = nothing_missing
    """Printed values that nobody knows and on which the answer hangs."""
    takes_action: bool = False
    """Whether it is one of the three Actions of a turn (R-TURN-2)."""
