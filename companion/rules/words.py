"""English words for players: titles, places, costs and what an action did."""

from collections.abc import Iterable
from typing import Final

from companion.rules.actions import Action, EndTurn, Fortify, Invoke, Move, Quell, SpiritActionDone
from companion.rules.board import FRONTIERS
from companion.rules.cards import Catalogue
from companion.rules.position import Player, Position
from companion.rules.verdict import Cost, Missing

_HYPHENATED: Final = "Self"
"""The one word that stays joined to the next: Self-Esteem, Self-Respect."""

_DEEDS: Final = ("exalt", "raze")
"""Upgrades that are said by the verb."""

_PRINTED: Final = {
    "empower_threshold": "the Empower threshold printed on {}",
    "intensity": "the Intensity printed on {}",
    "strong": "the Strong Emotion named on {}",
    "side_b": "the upgrades on side B of {}'s Spirit board",
}
"""Values that the card data may lack, by their key in a card pack."""

ACTION_TITLES: Final = {
    "move": "Move",
    "invoke": "Invoke",
    "quell": "Quell",
    "fortify": "Fortify",
    "empower": "Empower",
}
"""The Spirit Actions as players say them."""


def title(name: str) -> str:
    """Return a name of the contracts as it is printed: `self-esteem` is `Self-Esteem`."""
    words = [word.capitalize() for word in name.split("-")]
    if words[0] == _HYPHENATED:
        return "-".join(words)
    return " ".join(words)


def person(name: str) -> str:
    """Return a player's name with a capital letter, otherwise as it was typed."""
    return name[:1].upper() + name[1:]


def space_words(name: str) -> str:
    """Name a Spirit space or an Emotion slot for players.

    Args:
        name: `valley`, `valley-cradle` or a Realm's slot such as `valley.1`. A Frontier and its slot have the
            same name; `slot_words` says "slot" for both kinds.

    Returns:
        "Valley", "Valley-Cradle Frontier" or "left Valley slot": left and right as seen from the Origin,
        where the ring runs to the right, so `.1` is left.
    """
    realm, dot, number = name.partition(".")
    if dot:
        return f"{'left' if number == '1' else 'right'} {realm.capitalize()} slot"
    if name in FRONTIERS:
        return "-".join(word.capitalize() for word in name.split("-")) + " Frontier"
    return name.capitalize()


def standing_words(space: str) -> str:
    """Say where a figure stands: "in the Valley", "on the Valley-Cradle Frontier"."""
    return f"{'on' if space in FRONTIERS else 'in'} the {space_words(space)}"


def slot_words(slot: str) -> str:
    """Name an Emotion slot for players: "left Valley slot", "Valley-Cradle Frontier slot"."""
    words = space_words(slot)
    return words if words.endswith("slot") else f"{words} slot"


def cost_words(cost: Cost) -> str:
    """Return a cost as "3 Willpower, 1 Ambition", or "nothing"."""
    parts = [
        f"{amount} {word}"
        for amount, word in (
            (cost.willpower, "Willpower"),
            (cost.essence, "Essence"),
            (cost.ambition, "Ambition"),
        )
        if amount
    ]
    return ", ".join(parts) or "nothing"


def missing_words(missing: Iterable[Missing]) -> str:
    """Ask in one sentence for the printed values on which a verdict hangs."""
    names = " and ".join(_PRINTED.get(item.key, item.key).format(title(item.card)) for item in missing)
    return f"This hangs on {names}: look it up and tell the table."


def vibe_words(vibe: str) -> str:
    """Name a Vibe token: "red Vibe token", "wild Vibe token"."""
    return f"{vibe} Vibe token"


def _manner(action: SpiritActionDone, cards: Catalogue) -> str:
    """Say which upgrades were used and which token was placed, "" for neither."""
    used = [title(name) for name in action.upgrades if name not in _DEEDS]
    words = f" with {' and '.join(used)}" if used else ""
    if action.place is None:
        return words
    card = cards.cards[action.place.discard]
    return f"{words} after discarding {title(card.name)} for a {vibe_words(card.vibe or '')}"


def _moved(who: Player, action: Move) -> str:
    return f"{person(who.name)} moves to the {space_words(action.to)}"


def _invoked(who: Player, action: Invoke, after: Position) -> str:
    essence = after.slots[action.slot].essence
    return (
        f"{person(who.name)} invokes {title(action.emotion)} into the {slot_words(action.slot)} "
        f"with {essence} Essence"
    )


def _quelled(who: Player, action: Quell, before: Position, after: Position, manner: str) -> str:
    name = title(before.slots[action.slot].name)
    left = after.slots.get(action.slot)
    outcome = f"{left.essence} Essence left" if left else "it leaves the board"
    return f"{person(who.name)} quells {name} in the {slot_words(action.slot)}{manner}: {outcome}"


def _fortified(who: Player, action: Fortify, after: Position, manner: str) -> str:
    realm = space_words(action.realm)
    if "raze" in action.upgrades:
        stands = after.fortresses.get(action.realm)
        outcome = "a Minor Fragment is left" if stands else "nothing is left of it"
        return f"{person(who.name)} razes the Fortress in the {realm}{manner}: {outcome}"
    if "exalt" in action.upgrades:
        return f"{person(who.name)} exalts the Fortress in the {realm}{manner}"
    return f"{person(who.name)} fortifies the {realm}{manner}"


def _turn_ended(who: Player, action: EndTurn, after: Position) -> str:
    drawn = len(after.players[who.name].hand) - len(who.hand)
    cards = f"draws {drawn} card{'' if drawn == 1 else 's'}"
    gain = cards if action.gain == "cards" else "takes 1 Ambition"
    return f"{person(who.name)} ends the turn and {gain}; {person(after.turn.player)} is next"


def describe(before: Position, action: Action, after: Position, cards: Catalogue) -> str:
    """Say in one line what a legal action did, without a full stop.

    Args:
        before: the position in which it was taken.
        action: a legal action.
        after: the position after it.
        cards: the printed values of the game at hand.
    """
    who = before.players[action.player or before.turn.player]
    if isinstance(action, EndTurn):
        return _turn_ended(who, action, after)
    manner = _manner(action, cards)
    if isinstance(action, Move):
        return _moved(who, action) + manner
    if isinstance(action, Invoke):
        return _invoked(who, action, after) + manner
    if isinstance(action, Quell):
        return _quelled(who, action, before, after, manner)
    if isinstance(action, Fortify):
        return _fortified(who, action, after, manner)
    mild, strong = before.slots[action.slot], after.slots[action.slot]
    return (
        f"{person(who.name)} empowers {title(mild.name)}{manner}: "
        f"it becomes {title(strong.name)} with {strong.essence} Essence"
    )
