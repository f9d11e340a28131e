"""An action under judgement, and the form in which a rule states what it forbids."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.rules.actions import Action, SpiritActionDone
from companion.rules.cards import Catalogue, SpiritAction
from companion.rules.derived import Derived
from companion.rules.position import Player, Position, Row
from companion.rules.surcharge import Surcharge
from companion.rules.verdict import Cost

Facts = Mapping[str, object]
"""What fills the `{names}` of a rule's sentence."""

Done_co = TypeVar("Done_co", bound=Action, covariant=True)
SpiritDone_co = TypeVar("SpiritDone_co", bound=SpiritActionDone, covariant=True)
Judged_contra = TypeVar("Judged_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Attempt(Generic[Done_co]):
    """Who tries what in which position."""

    position: Position
    action: Done_co
    cards: Catalogue
    player: Player
    """Who acts; not always the one whose turn it is."""
    derived: Derived
    """Control and hands in the position."""


@dataclass(frozen=True, slots=True)
class SpiritAttempt(Attempt[SpiritDone_co], Generic[SpiritDone_co]):
    """A Spirit Action with what its declaring and placing come to (R-VIBE-3)."""

    board_row: SpiritAction
    """The costs of the row and of its upgrades."""
    row: Row
    """The Vibe row with the placed token in the space meant for it, where that is empty."""
    hand: tuple[str, ...]
    """The hand without the card discarded for a token, where it was there to discard."""
    upgrades: frozenset[str]
    """The upgrades named that belong to the row."""
    cost: Cost
    """What base and upgrades cost together (R-UPG-3); Essence is the Action's own to add.

    With a surcharge it is the whole cost, Essence included.
    """
    surcharge: Surcharge | None = None
    """What powers add (R-POWER-4); None: nothing."""

    def can_show(self, title: str) -> bool:
        """Tell whether a card of this title is in the hand that is left after placing a token."""
        place = self.action.place
        gone = () if place is None else (place.discard,)
        return title in self.derived.titles(self.player.name, self.hand, gone)


@dataclass(frozen=True, slots=True)
class Rule(Generic[Judged_contra]):
    """One way in which a rule forbids an action: its id, its sentence, its test."""

    rule: str
    template: str
    """The sentence for players, with `{names}` for the facts."""
    broken: Callable[[Judged_contra], Facts | None]
    """The facts of the refusal, or None where the rule forbids nothing."""


def rule(
    rule_id: str, template: str
) -> Callable[[Callable[[Judged_contra], Facts | None]], Rule[Judged_contra]]:
    """Make a test into a rule: the decorator that puts id, sentence and test in one place."""

    def made(broken: Callable[[Judged_contra], Facts | None]) -> Rule[Judged_contra]:
        return Rule(rule_id, template, broken)

    return made
