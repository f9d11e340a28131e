"""The cheapest change that makes an illegal action legal, found by search over what a player can do.

Cheapest means, in this order: not waiting for another turn, nothing else first rather than one step or two,
fewest Actions used for that, least given up of what was asked for, least Ambition, fewest hand cards
discarded, least Willpower, least Essence, no card that would have to turn out to be the right one, fewest
changes.
Ambition comes before cards because a team has three at most; a card comes before Willpower because nobody
gives one away to save 1 Willpower. Waiting comes last because the others play in between.
"""

from companion.rules.actions import Action
from companion.rules.cards import Catalogue
from companion.rules.engine import check
from companion.rules.position import Position
from companion.rules.remedy_words import way_words
from companion.rules.search import Search
from companion.rules.verdict import Remedy


def remedy(position: Position, action: Action, cards: Catalogue) -> Remedy | None:
    """Find the cheapest way to do what an illegal action was meant to do.

    Args:
        position: the position.
        action: what was refused; for an action that is not illegal there is nothing to mend.
        cards: the printed values.

    Returns:
        The way, or None where none was found: no way of two steps at most and no more than the search may
        spend. What it says to do now is legal now, and the deed is legal after the steps. A way through the
        next turn holds if the table then still stands as it does now, and says so.
    """
    if check(position, action, cards).status != "illegal":
        return None
    if (action.player or position.turn.player) not in position.players:
        return None
    way = Search(position, action, cards).way()
    if way is None:
        return None
    steps = (*way.node.steps, way.form.action)
    return Remedy(steps[0], way.cost, way_words(position, action, way, cards), steps)
