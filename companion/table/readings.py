"""What legal actions that look alike leave to tell apart: by their prices, and by the card on the pad."""

from companion.rules.actions import Action, Quell
from companion.rules.position import HIDDEN
from companion.table.game import Table
from companion.table.layout import surplus
from companion.table.legal import Group
from companion.table.meanings import Meaning, unbeaten


def readings(group: Group, table: Table) -> tuple[Meaning[Action], ...]:
    """Return the meanings of one footprint, the likeliest first, none that another one beats."""
    meanings = group.meanings
    if table.shown is not None:
        # The card that lies on the pad is the one that is shown.
        showing = tuple(m for m in meanings if getattr(m.action, "reveal", table.shown) == table.shown)
        meanings = showing or meanings
    elif any(isinstance(meaning.action, Quell) for meaning in meanings):
        meanings = _known_first(meanings, table)
    found = unbeaten(meanings)
    if table.shown is None and any(space.startswith("pad/") for space in table.seen.layout):
        # A card to show would be on the pad: whoever needs none comes first.
        return tuple(sorted(found, key=lambda meaning: getattr(meaning.action, "reveal", None) is not None))
    return found


def _known_first(meanings: tuple[Meaning[Action], ...], table: Table) -> tuple[Meaning[Action], ...]:
    """Put the cards that are known to be in the hand before those that could be."""
    hand = table.game.position.actor.hand
    if HIDDEN not in hand:
        return meanings
    return tuple(sorted(meanings, key=lambda meaning: getattr(meaning.action, "reveal", None) not in hand))


def only_takes(group: Group, table: Table) -> bool:
    """Tell whether a footprint brings nothing: a card that has gone may just be in somebody's hand."""
    return not any(surplus(content, table.expected(space)) for space, content in group.left.items())


def only_tokens(group: Group) -> bool:
    """Tell whether a footprint is nothing but Vibe tokens: they may wait for a Spirit Action."""
    return all(space.startswith("vibe/") for space in group.left)
