"""What powers add to the cost of a Spirit Action (R-POWER-4)."""

from dataclasses import dataclass

from companion.rules.actions import Action
from companion.rules.derived import Derived
from companion.rules.position import Player
from companion.rules.powers import aimed_at, concerns
from companion.rules.verdict import Cost


@dataclass(frozen=True, slots=True)
class Surcharge:
    """What powers add to the cost of one Action."""

    cost: Cost
    by: tuple[str, ...]
    """The cards and Spirits that ask for it, one name per copy."""

    def added_to(self, cost: Cost) -> Cost:
        """Return a cost with the surcharge on top; nothing falls below 0."""
        return Cost(
            max(0, cost.willpower + self.cost.willpower),
            cost.essence + self.cost.essence,
            cost.ambition + self.cost.ambition,
        )


def surcharge(derived: Derived, player: Player, name: str, action: Action) -> Surcharge | None:
    """Return what powers add to the cost of a Spirit Action, None where no power does (R-POWER-4).

    Args:
        derived: what follows from the position.
        player: who acts.
        name: the row of the Spirit board.
        action: the Action.
    """
    dearer = derived.dearer(name, player)
    if not dearer:
        return None
    targets = aimed_at(action)
    asked = [one for one in dearer if concerns(one.source, one.effect.area, targets)]
    if not asked:
        return None
    cost = Cost(
        sum(one.effect.willpower for one in asked),
        sum(one.effect.essence for one in asked),
        sum(one.effect.ambition for one in asked),
    )
    return Surcharge(cost, tuple(one.source.name for one in asked))


def saving(derived: Derived, player: Player, name: str) -> int:
    """Return the most Willpower that powers could take off a Spirit Action, wherever it is aimed at."""
    return sum(max(0, -one.effect.willpower) for one in derived.dearer(name, player))
