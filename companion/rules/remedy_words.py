"""A way out in words of the game: one sentence, with what it costs."""

from collections.abc import Callable
from typing import Any, Final

from companion.rules.actions import (
    Absorb,
    Action,
    Ambition,
    Cradle,
    Empower,
    EndTurn,
    Fortify,
    Invoke,
    Land,
    Move,
    Network,
    Place,
    PlainDone,
    Quell,
    ReturnCommon,
    Reveal,
    SpiritActionDone,
    Token,
    Valley,
    Willow,
)
from companion.rules.boards import own_row
from companion.rules.cards import Catalogue
from companion.rules.engine import PROCEDURES
from companion.rules.position import Player, Position, Row
from companion.rules.verdict import Cost
from companion.rules.vibes import colour_of
from companion.rules.ways import Way
from companion.rules.words import (
    ACTION_TITLES,
    REALM_TITLES,
    cost_words,
    naming,
    person,
    slot_words,
    space_words,
    title,
)

_DOES: Final = {
    "haste": "Haste goes two steps",
    "surmount": "Surmount ends on an opponent's space",
    "bolster": "Bolster adds an Essence",
    "inner-force": "Inner Force takes the Essence from the supply",
    "subdue": "Subdue takes a second Essence",
    "extinguish": "Extinguish needs no card shown",
    "exalt": "Exalt makes the Fortress a Major Fragment",
    "raze": "Raze brings the Fortress down",
    "channeled-power": "Channeled Power adds the missing Essence",
    "emotional-outburst": "Emotional Outburst reaches any slot",
    "determination": "Determination saves 1 Willpower",
}
"""What an upgrade does for the action, as the reason to add it."""

_AS_IT_STANDS: Final = "if the table still stands like this"
"""What holds for the next turn only with this said."""


def way_words(position: Position, asked: Action, way: Way, cards: Catalogue) -> str:
    """Say what to do and what it costs, as one sentence with its full stop.

    Args:
        position: where the deed was refused.
        asked: what was refused.
        way: what was found.
        cards: the printed values.
    """
    changed = _difference(position, asked, way, cards)
    steps = way.node.steps
    if not steps and isinstance(asked, EndTurn):
        return f"{changed[:1].upper()}{changed[1:]}."
    if not steps:
        return _sentence(changed or "name each upgrade once", way.cost)
    if isinstance(steps[0], EndTurn):
        return _waiting(position, asked, way, changed)
    then = f", then {changed}" if changed else ""
    first = [_phrase(step, position) for step in steps]
    if isinstance(steps[0], Reveal | ReturnCommon):
        return _sentence(f"{' and '.join(first)} first{then}", way.cost)
    could = f"{person(position.turn.player)} could {' and '.join(first)} first"
    return _sentence(could + then, way.cost, " in all")


def _sentence(text: str, cost: Cost, ending: str = "") -> str:
    return f"{text[0].upper()}{text[1:]}: {_spent(cost)}{ending}."


def _spent(cost: Cost) -> str:
    """Return a cost as part of a sentence: "3 Willpower and 1 Ambition"."""
    return cost_words(cost).replace(", ", " and ") if cost != Cost() else "it costs nothing"


def _waiting(position: Position, asked: Action, way: Way, changed: str) -> str:
    """Say what the next turn would bring, one's own or another player's."""
    then = f", {changed}" if changed else ""
    steps = way.node.steps
    if asked.player not in (None, position.turn.player):
        ended = [step.player or position.turn.player for step in steps if isinstance(step, EndTurn)]
        others = " and ".join(f"{person(name)}'s" for name in dict.fromkeys(ended))
        text = f"{person(asked.player or '')}'s turn comes after {others}; {_AS_IT_STANDS}{then}"
        return _sentence(text, way.cost)
    first = [_phrase(step, position) for step in steps if not isinstance(step, EndTurn)]
    if first:
        then = f", {' and '.join(first)} first" + (f", then {changed}" if changed else "")
    end = "end the turn" if way.either else _phrase(steps[0], position)
    text = f"{person(position.turn.player)} could {end}; next turn, {_AS_IT_STANDS}{then}"
    return _sentence(text, way.cost, " in all" if first else "")


# What is different about the deed


def _difference(position: Position, asked: Action, way: Way, cards: Catalogue) -> str:
    """Say how the deed differs from what was asked for, "" where at most upgrades are named otherwise."""
    done = way.form.action
    if isinstance(asked, SpiritActionDone) and isinstance(done, SpiritActionDone):
        player = way.node.position.players[done.player or position.turn.player]
        return ", ".join(_changes(asked, done, player, cards))
    if done == asked or isinstance(done, SpiritActionDone):
        return ""
    if isinstance(done, EndTurn):
        return "draw cards instead" if done.gain == "cards" else "take 1 Ambition instead"
    return _phrase(done, position) if way.node.steps else naming(done, position)


def _changes(asked: SpiritActionDone, done: SpiritActionDone, player: Player, cards: Catalogue) -> list[str]:
    parts = []
    if done.place is not None and done.place != asked.place:
        parts.append(_placing_words(done, done.place, player, cards))
    parts += [_does(done, name, player, cards) for name in done.upgrades if name not in asked.upgrades]
    if isinstance(done, Quell) and isinstance(asked, Quell) and done.reveal not in (None, asked.reveal):
        parts.append(f"show {_card_words(done.reveal or '', player, cards)}")
    dropped = [name for name in dict.fromkeys(asked.upgrades) if name not in done.upgrades]
    if dropped:
        parts.append("do without " + " and ".join(title(name) for name in dropped))
    if asked.place is not None and done.place is None:
        parts.append("place no Vibe token")
    return parts


def _does(action: SpiritActionDone, name: str, player: Player, cards: Catalogue) -> str:
    """Say what an upgrade does: the standard ones in our words, those of a side B in the data's."""
    if name in _DOES:
        return _DOES[name]
    row = own_row(player, PROCEDURES[type(action)][0], cards)
    text = next((upgrade.text for upgrade in row.upgrades if upgrade.name == name), None)
    return f"{title(name)} {text}" if text else f"add {title(name)}"


def _card_words(name: str, player: Player, cards: Catalogue) -> str:
    """Name a card of the hand; of an unknown one only the colour is asked for."""
    return title(name) if name in player.hand else f"a {colour_of(name, cards)} card"


def _placing_words(action: SpiritActionDone, place: Place, player: Player, cards: Catalogue) -> str:
    row, _ = PROCEDURES[type(action)]
    card = title(place.discard) if place.discard in player.hand else _any_card(player.row(row), cards)
    if place.space == 1:
        return f"discard {card} to unlock {ACTION_TITLES[row]}"
    return f"discard {card} for a token on space {place.space} of {ACTION_TITLES[row]}"


def _any_card(tokens: Row, cards: Catalogue) -> str:
    """Say which colours an unknown card may have to bring a token into a row (R-VIBE-5)."""
    colours = dict.fromkeys(card.vibe for card in cards.cards.values() if card.vibe is not None)
    fitting = [colour for colour in colours if colour not in tokens]
    if len(fitting) == len(colours):
        return "any card"
    *more, last = fitting
    return f"a {', '.join(more)} or {last} card" if more else f"a {last} card"


# Steps


def _phrase(step: Action, position: Position) -> str:
    """Say what somebody could do: "take Willpower in the Valley of Motives"."""
    words = _PHRASES.get(type(step))
    if words is not None:
        return words(step, position)
    return naming(step, position) if isinstance(step, PlainDone) else ""


def _manner(action: SpiritActionDone) -> str:
    used = [title(name) for name in action.upgrades if name not in ("exalt", "raze")]
    *more, last = used or [""]
    return f" with {', '.join(more)}{' and ' if more else ''}{last}" if used else ""


def _emotion(slot: str, position: Position) -> str:
    lying = position.slots.get(slot)
    return title(lying.name) if lying else f"the Emotion in the {slot_words(slot)}"


def _fortifying(step: Fortify, _position: Position) -> str:
    verb = next((name for name in ("exalt", "raze") if name in step.upgrades), "fortify")
    return f"{verb} the {space_words(step.realm)}{_manner(step)}"


def _token(token: Token) -> str:
    return f"a Vibe token on space {token.space} of {ACTION_TITLES[token.row]}"


def _absorbing(step: Absorb, _position: Position) -> str:
    bonus = "" if step.bonus else " without the bonus"
    return f"absorb from {title(step.sphere)}{f' with {_token(step.token)}' if step.token else bonus}"


def _ability(step: Ambition, position: Position) -> str:
    if step.token is not None:
        return f"add {_token(step.token)} for Ambition"
    if step.ability == "extra-action":
        return "gain an extra Action for Ambition"
    return naming(step, position)


def _ending(step: EndTurn, _position: Position) -> str:
    return "end the turn and " + ("draw cards" if step.gain == "cards" else "take 1 Ambition")


_PHRASES: Final[dict[type, Callable[[Any, Position], str]]] = {
    Move: lambda step, _: f"move to the {space_words(step.to)}{_manner(step)}",
    Invoke: lambda step, _: f"invoke {title(step.emotion)} into the {slot_words(step.slot)}{_manner(step)}",
    Quell: lambda step, position: f"quell {_emotion(step.slot, position)}{_manner(step)}",
    Fortify: _fortifying,
    Empower: lambda step, position: f"empower {_emotion(step.slot, position)}{_manner(step)}",
    Valley: lambda _step, _: f"take Willpower in the {REALM_TITLES['valley']}",
    Cradle: lambda _step, _: f"draw cards in the {REALM_TITLES['cradle']}",
    Willow: lambda step, _: f"turn {step.amount} Willpower into Essence in the {REALM_TITLES['willow']}",
    Land: lambda step, position: (
        f"put {step.essence} Essence on {_emotion(step.slot, position)} by the {REALM_TITLES['land']}"
    ),
    Network: lambda step, position: (
        f"bring {_emotion(step.slot, position)} to the {slot_words(step.to)} by the {REALM_TITLES['network']}"
    ),
    Absorb: _absorbing,
    Ambition: _ability,
    Reveal: lambda step, _: f"{title(step.team)} shows its Hidden Aspiration",
    ReturnCommon: lambda step, _: f"{title(step.team)} takes a Common Aspiration out",
    EndTurn: _ending,
}
"""What each step is called."""
