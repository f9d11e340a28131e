"""English words for players: titles, places, costs, and the names of actions that are still to be taken."""

from collections.abc import Iterable
from typing import Final

from companion.rules.actions import (
    Absorb,
    Adjust,
    Ambition,
    Cradle,
    EndTurn,
    KeepHidden,
    Land,
    PlaceSpirit,
    PlaceWild,
    PlainDone,
    RealmActionDone,
    ReturnCommon,
    Reveal,
    Score,
    SetupStep,
    Token,
    UsePower,
    Valley,
    Willow,
)
from companion.rules.board import FRONTIERS
from companion.rules.effects import Gain
from companion.rules.position import Position, Result
from companion.rules.verdict import Cost, Missing

_HYPHENATED: Final = "Self"
"""The one word that stays joined to the next: Self-Esteem, Self-Respect."""

_SMALL: Final = ("is",)
"""Words that stay small inside a title: Sharing is Caring."""


_PRINTED: Final = {
    "empower_threshold": "the Empower threshold printed on {}",
    "intensity": "the Intensity printed on {}",
    "strong": "the Strong Emotion named on {}",
    "side_b": "the upgrades on side B of {}'s Spirit board",
    "common": "the Common Aspirations that lie open",
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

REALM_TITLES: Final = {
    "valley": "Valley of Motives",
    "cradle": "Cradle of Senses",
    "network": "Network of Thoughts",
    "land": "Land of Desires",
    "willow": "Willow of Values",
}
"""The Realms with their printed names, by which their Actions are called."""

_ABILITIES: Final = {
    "extra-action": "The extra Action",
    "vibe": "The Vibe token",
    "third": "The third Ability",
}
"""The Ambition Abilities at the beginning of a sentence; their printed names were not found."""


def title(name: str) -> str:
    """Return a name of the contracts as it is printed: `self-esteem` is `Self-Esteem`."""
    words = [word if word in _SMALL else word.capitalize() for word in name.split("-")]
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


def ability_words(ability: str) -> str:
    """Name an Ambition Ability at the beginning of a sentence."""
    return _ABILITIES.get(ability, title(ability))


def cards_words(count: int) -> str:
    """Count cards: "1 card", "2 cards"."""
    return f"{count} card{'' if count == 1 else 's'}"


def result_words(result: Result) -> str:
    """Say how a game ended: "the game is over: Bliss wins, 20 to 17"."""
    first, second = result.score.get("bliss", 0), result.score.get("gloom", 0)
    if result.winner in (None, "draw"):
        return f"the game is over: a draw, {first} to {second}"
    higher, lower = (first, second) if result.winner == "bliss" else (second, first)
    return f"the game is over: {title(str(result.winner))} wins, {higher} to {lower}"


def token_words(token: Token) -> str:
    """Say which Vibe token goes where: "a red Vibe token on space 2 of Move"."""
    return f"a {vibe_words(token.vibe)} on space {token.space} of {ACTION_TITLES[token.row]}"


def intentions_words(count: int) -> str:
    """Say how many Intentions: "an Intention", "2 Intentions"."""
    return "an Intention" if count == 1 else f"{count} Intentions"


def naming(action: PlainDone, position: Position) -> str:
    """Name an action that is no Spirit Action, before it is taken: for a button, or a way out."""
    if isinstance(action, EndTurn):
        return "End the turn: " + ("1 Ambition" if action.gain == "ambition" else "draw cards")
    if isinstance(action, Absorb):
        bonus = f", with {token_words(action.token)}" if action.token else ""
        return f"Absorb from {title(action.sphere)}{bonus if action.bonus else ', without the bonus'}"
    if isinstance(action, Ambition):
        if action.token is not None:
            return f"Ambition: add {token_words(action.token)}"
        return f"Ambition: {ability_words(action.ability).removeprefix('The ')}"
    if isinstance(action, Reveal):
        return f"{title(action.team)} shows {title(action.aspiration)}"
    if isinstance(action, ReturnCommon):
        return f"{title(action.team)} takes {title(action.aspiration)} out"
    if isinstance(action, KeepHidden):
        return f"{title(action.team)} chooses {title(action.aspiration)}"
    return _other_naming(action, position)


def _other_naming(action: SetupStep | Score | Adjust | UsePower | RealmActionDone, position: Position) -> str:
    if isinstance(action, PlaceSpirit):
        where = "" if action.at is None else f"Start {standing_words(action.at)}: "
        return f"{where}Starting Emotion into the {slot_words(action.slot)}"
    if isinstance(action, PlaceWild):
        return f"Wild Vibe token on space {action.space} of {ACTION_TITLES[action.row]}"
    if isinstance(action, UsePower):
        return _power_naming(action, position)
    if isinstance(action, Score):
        return f"Score {intentions_words(action.intentions)}"
    if isinstance(action, Adjust):
        return f"Put the table right{': ' if action.reason else ''}{action.reason}"
    return _realm_naming(action, position)


def gain_words(gain: Gain) -> str:
    """Return a gain as "2 Willpower", "1 card" or "1 more Action"."""
    parts = [
        f"{amount} {word}"
        for amount, word in (
            (gain.willpower, "Willpower"),
            (gain.essence, "Essence"),
            (gain.ambition, "Ambition"),
            (gain.actions, "more Action" if gain.actions == 1 else "more Actions"),
        )
        if amount
    ]
    if gain.cards:
        parts.append(cards_words(gain.cards))
    return " and ".join(parts) or "nothing"


def _power_naming(action: UsePower, position: Position) -> str:
    words = f"{title(action.power)}: "
    if action.decline:
        return f"{words}leave it"
    if action.slot is not None:
        lying = position.slots.get(action.slot)
        what = title(lying.name) if lying else f"the {slot_words(action.slot)}"
        return f"{words}Essence on {what} in the {slot_words(action.slot)}"
    chosen = [part for part in (_kinds_words(action.gain), person(action.to) if action.to else "") if part]
    return words + (" for ".join(chosen) or "take it")


def _kinds_words(gain: str | None) -> str:
    """Name a gain by its kinds, as `UsePower.gain` states it: "Willpower and a card"."""
    return " and ".join(_KINDS.get(kind, kind) for kind in gain.split("-")) if gain else ""


_KINDS: Final = {
    "willpower": "Willpower",
    "essence": "Essence",
    "ambition": "Ambition",
    "cards": "cards",
    "actions": "an Action",
}


def _realm_naming(action: RealmActionDone, position: Position) -> str:
    if isinstance(action, Valley):
        return f"{REALM_TITLES['valley']}: take Willpower"
    if isinstance(action, Cradle):
        return f"{REALM_TITLES['cradle']}: draw cards"
    if isinstance(action, Willow):
        return f"{REALM_TITLES['willow']}: turn {action.amount} Willpower into Essence"
    lying = position.slots.get(action.slot)
    emotion = title(lying.name) if lying else f"the {slot_words(action.slot)}"
    if isinstance(action, Land):
        return f"{REALM_TITLES['land']}: {action.essence} Essence on {emotion}"
    return f"{REALM_TITLES['network']}: {emotion} to the {slot_words(action.to)}"
