"""What powers add to the cost of a Spirit Action (R-POWER-4)."""

from dataclasses import dataclass

from companion.rules.actions import Action
from companion.rules.cards import Catalogue
from companion.rules.position import Player, Position
from companion.rules.powers import aimed_at, concerns, in_force
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


def surcharge(
    position: Position, player: Player, name: str, action: Action, cards: Catalogue
) -> Surcharge | None:
    """Return what powers add to the cost of a Spirit Action, None where no power does (R-POWER-4).

    Args:
        position: the position.
        player: who acts.
        name: the row of the Spirit board.
        action: the Action.
        cards: the printed values.
    """
    found = cards.powers.dearer(name)
    if not found:
        return None
    targets = aimed_at(action)
    asked = [
        one
        for one in in_force(position, found, cards)
        if one.source.means(one.effect.payer, player) and concerns(one.source, one.effect.area, targets)
    ]
    if not asked:
        return None
    cost = Cost(
        sum(one.effect.willpower for one in asked),
        sum(one.effect.essence for one in asked),
        sum(one.effect.ambition for one in asked),
    )
    return Surcharge(cost, tuple(one.source.name for one in asked))


def saving(position: Position, player: Player, name: str, cards: Catalogue) -> int:
    """Return the most Willpower that powers could take off a Spirit Action, wherever it is aimed at."""
    found = cards.powers.dearer(name)
    if not found:
        return 0
    return sum(
        max(0, -one.effect.willpower)
        for one in in_force(position, found, cards)
        if one.source.means(one.effect.payer, player)
    )
