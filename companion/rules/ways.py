"""Ways to what was refused: the positions on them, and which one is the cheapest."""

from dataclasses import dataclass

from companion.rules.actions import Action
from companion.rules.derived import Derived
from companion.rules.forms import NOTHING, Form
from companion.rules.position import Position
from companion.rules.verdict import Cost, Refusal

Rank = tuple[int, ...]
"""What is compared, the weightiest first; less is cheaper."""

Refused = tuple[tuple[Refusal, ...], ...]
"""Why each of some forms of a deed is refused; () for one against which nothing speaks."""


@dataclass(frozen=True, slots=True)
class Node:
    """A position that a player can bring about, or that waiting brings about."""

    derived: Derived
    steps: tuple[Action, ...] = ()
    cost: Cost = NOTHING
    actions: int = 0
    """Actions of the turn that the steps use."""
    turns: int = 0
    """1 after waiting, else 0."""
    refused: Refused = ()
    """Why each form that stands for the others is refused here."""

    @property
    def position(self) -> Position:
        """The position."""
        return self.derived.position

    @property
    def least(self) -> Rank:
        """The rank that no way on from here falls below."""
        return self.turns, len(self.steps), self.actions, 0, self.cost.ambition, 0, self.cost.willpower

    @property
    def open(self) -> int:
        """How many refusals are left against the form that is nearest to being legal."""
        return min((len(why) for why in self.refused), default=0)

    def nearer_than(self, start: "Node") -> bool:
        """Tell whether the steps took away a refusal, or changed one, and brought no more of them."""
        return self.refused != start.refused and self.open <= start.open


@dataclass(frozen=True, slots=True)
class Way:
    """What to do, step by step, and the form of the deed that is legal then."""

    node: Node
    form: Form
    cost: Cost
    """Of the steps and the deed together."""
    rank: Rank
    either: bool = False
    """Whether it does not matter what is gained at the end of the turn."""


def way_by(node: Node, form: Form, cost: Cost) -> Way:
    """Return the way on which a form of the deed is legal after some steps.

    Args:
        node: where the steps lead.
        form: the form.
        cost: what the deed costs there.
    """
    both = added(node.cost, cost)
    rank = (
        *(node.turns, len(node.steps), node.actions, form.lost),
        *(both.ambition, form.cards, both.willpower, both.essence, form.guesses, form.changes),
    )
    return Way(node, form, both, rank)


def added(first: Cost, second: Cost) -> Cost:
    """Return what two actions cost together."""
    return Cost(
        first.willpower + second.willpower, first.essence + second.essence, first.ambition + second.ambition
    )
