"""What powers did because of an action, in words for the log."""

from collections.abc import Iterator

from companion.rules.actions import Absorb, Action, RealmActionDone, SpiritActionDone
from companion.rules.board import REALMS
from companion.rules.cards import Catalogue
from companion.rules.effects import AddsEssence, LowersFortress, TakesToken
from companion.rules.following import Deed, absorb_deeds, deeds, recipients
from companion.rules.position import Position
from companion.rules.powers import absorbed_more
from companion.rules.words import gain_words, person, space_words, title


def powers_told(before: Position, action: Action, after: Position, cards: Catalogue) -> str:
    """Say who got what from which card, one clause each, "" where no power did anything.

    Args:
        before: the position in which the action was taken.
        action: a legal action.
        after: the position after it.
        cards: the printed values.
    """
    said = [
        clause
        for deed in _came_about(before, action, after, cards)
        for clause in _clauses(deed, before, after)
    ]
    return "".join(f"; {clause}" for clause in said)


def _came_about(before: Position, action: Action, after: Position, cards: Catalogue) -> Iterator[Deed]:
    if isinstance(action, SpiritActionDone | RealmActionDone):
        yield from deeds(before, action, after, cards)
    elif isinstance(action, Absorb):
        name = action.player or before.turn.player
        paid = cards.spheres[action.sphere].willpower if action.bonus else 0
        brought = after.players[name].willpower - before.players[name].willpower + paid
        yield from absorb_deeds(after, name, brought, cards)


def _clauses(deed: Deed, before: Position, after: Position) -> Iterator[str]:
    name, effect, place = title(deed.source.name), deed.effect, deed.source.place or ""
    if isinstance(effect, TakesToken):
        yield f"{name} has an Intensity token of +{after.slots[place].intensity_token}"
    elif isinstance(effect, LowersFortress):
        realm = place.partition(".")[0]
        if realm in REALMS and before.fortresses.get(realm) != after.fortresses.get(realm):
            left = "a Minor Fragment is left" if realm in after.fortresses else "nothing is left of it"
            yield f"{name} lowers the Fortress in the {space_words(realm)}: {left}"
    elif isinstance(effect, AddsEssence):
        if _opened(deed, before, after):
            yield f"{name} lets {person(deed.actor)} add Essence to an Emotion"
    elif _opened(deed, before, after):
        gains = " or ".join(gain_words(gain) for gain in effect.gains)
        yield f"{name} offers {title(deed.source.team)} {gains}"
    else:
        for who in recipients(after, deed.source.team, effect, deed.actor)[:1]:
            yield f"{name} gives {person(who)} {gain_words(effect.gains[0])}"


def _opened(deed: Deed, before: Position, after: Position) -> bool:
    """Tell whether the deed left something to choose."""

    def count(position: Position) -> int:
        return sum(item.power == deed.source.name for item in position.turn.pending)

    return count(after) > count(before)


def supply_told(before: Position, action: Absorb, cards: Catalogue) -> int:
    """Return the Willpower that powers added to an Absorb from the supply (R-ABS-14)."""
    who = before.players[action.player or before.turn.player]
    return absorbed_more(before, who, action.sphere, cards).supply
