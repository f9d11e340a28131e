"""The five Realm Actions (R-REALM-*, R-VALLEY-1, R-WILLOW-1, R-DESIRE-*, R-NETWORK-*, R-CRADLE-*)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from companion.rules.actions import Cradle, Land, Network, RealmActionDone, Valley, Willow
from companion.rules.attempt import Attempt, Facts, rule
from companion.rules.effects import Gain
from companion.rules.frame import EVERY_ACTION, no_actions_left
from companion.rules.gains import received
from companion.rules.position import Emotion, Position
from companion.rules.procedure import Plain
from companion.rules.reach import slots_reached
from companion.rules.verdict import Cost, Missing
from companion.rules.words import person, slot_words, title

REALM_OF: Final[Mapping[type, str]] = {
    Valley: "valley",
    Cradle: "cradle",
    Network: "network",
    Land: "land",
    Willow: "willow",
}
"""Where each Realm Action is printed."""

CONTROL_SAVES: Final = 1
"""Willpower that a Realm's Action costs less under own control (R-REALM-4)."""


# The price


def _held(attempt: Attempt[RealmActionDone]) -> bool | None:
    """Tell whether the own team controls the Realm; None where nobody knows."""
    realm = REALM_OF[type(attempt.action)]
    return attempt.derived.realm(realm).held_by(attempt.player.team)


def _price(attempt: Attempt[RealmActionDone]) -> int:
    """Return the Willpower that the Action itself costs, the least it could (R-REALM-3 to R-REALM-5)."""
    full = attempt.cards.realms[REALM_OF[type(attempt.action)]].willpower
    return full if _held(attempt) is False else max(0, full - CONTROL_SAVES)


def _cost(attempt: Attempt[RealmActionDone]) -> Cost:
    action = attempt.action
    if isinstance(action, Willow):
        return Cost(willpower=_price(attempt) + action.amount)
    if isinstance(action, Land):
        # The first Essence comes with the Action, each further one costs 1 (R-DESIRE-2).
        return Cost(willpower=_price(attempt) + action.essence - 1, essence=action.essence)
    return Cost(willpower=_price(attempt))


def _missing(attempt: Attempt[RealmActionDone]) -> tuple[Missing, ...]:
    """Return the unknown Intensities on which the price hangs."""
    if _held(attempt) is not None:
        return ()
    return attempt.derived.realm(REALM_OF[type(attempt.action)]).missing


@rule("R-TURN-8", "This costs {cost} Willpower; {player} has {has}.")
def willpower_short(attempt: Attempt[RealmActionDone]) -> Facts | None:
    """An Action must be payable; without control and Willpower there is no Action (R-VALLEY-1)."""
    cost, has = _cost(attempt).willpower, attempt.player.willpower
    return {"cost": cost, "player": person(attempt.player.name), "has": has} if has < cost else None


@rule("R-TURN-8", "This takes {cost} Essence; {player} has {has}.")
def essence_short(attempt: Attempt[Land]) -> Facts | None:
    """The Essence comes off the own Spirit board."""
    cost, has = attempt.action.essence, attempt.player.essence
    return {"cost": cost, "player": person(attempt.player.name), "has": has} if has < cost else None


_FRAME = (*EVERY_ACTION, no_actions_left)


# Valley of Motives, Cradle of Senses


def _gain(attempt: Attempt[Any]) -> Gain:
    """Return what the Action gives; how many cards is the table's ruling (R-CRADLE-2)."""
    gain = attempt.cards.realms[REALM_OF[type(attempt.action)]].gain
    ruled = attempt.position.rulings.get("cradle-draw")
    return replace(gain, cards=ruled) if gain.cards and isinstance(ruled, int) else gain


def _receive(attempt: Attempt[Any], position: Position) -> Position:
    return received(position, attempt.player.name, _gain(attempt), attempt.cards)


# Willow of Values


@rule("R-WILLOW-1", "Exchange 1 Willpower at least.")
def nothing_exchanged(attempt: Attempt[Willow]) -> Facts | None:
    """An Action has an effect."""
    return {} if attempt.action.amount < 1 else None


def _exchange(attempt: Attempt[Willow], position: Position) -> Position:
    return received(position, attempt.player.name, Gain(essence=attempt.action.amount), attempt.cards)


# Land of Desires


def _target(attempt: Attempt[Any]) -> Emotion | None:
    return attempt.position.slots.get(attempt.action.slot)


def _foreign(attempt: Attempt[Any]) -> Facts | None:
    target = _target(attempt)
    if target is None or attempt.cards.cards[target.name].team == attempt.player.team:
        return None
    return {"emotion": title(target.name), "team": title(attempt.cards.cards[target.name].team)}


def _nothing_there(attempt: Attempt[Any]) -> Facts | None:
    return {"slot": slot_words(attempt.action.slot)} if _target(attempt) is None else None


def _not_reached(attempt: Attempt[Any], slot: str) -> Facts | None:
    """Return the facts of a slot that is too far from the figure (R-BOARD-10, R-POWER-6)."""
    realm = REALM_OF[type(attempt.action)]
    if slot in slots_reached(attempt.position, attempt.player, realm, attempt.cards):
        return None
    return {"slot": slot_words(slot), "player": person(attempt.player.name)}


@rule("R-DESIRE-1", "There is no Emotion in the {slot}.")
def no_emotion_to_intensify(attempt: Attempt[Land]) -> Facts | None:
    """An Emotion must lie there."""
    return _nothing_there(attempt)


@rule("R-DESIRE-1", "{emotion} belongs to {team}: Essence goes on the own team's Emotions.")
def intensify_the_other_team(attempt: Attempt[Land]) -> Facts | None:
    """The Emotion must be of the own team."""
    return _foreign(attempt)


@rule("R-DESIRE-4", "The {slot} is not next to {player}'s figure.")
def intensify_out_of_reach(attempt: Attempt[Land]) -> Facts | None:
    """The Emotion must be adjacent to the figure."""
    return _not_reached(attempt, attempt.action.slot)


@rule("R-DESIRE-1", "Put 1 Essence on it at least.")
def nothing_put(attempt: Attempt[Land]) -> Facts | None:
    """The Action begins with one Essence."""
    return {} if attempt.action.essence < 1 else None


@rule("R-DESIRE-3", "{emotion} has {spaces} Essence spaces and {essence} Essence on them.")
def more_than_its_spaces(attempt: Attempt[Land]) -> Facts | None:
    """Never more Essence than the card has spaces."""
    target = _target(attempt)
    spaces = None if target is None else attempt.cards.cards[target.name].spaces
    if target is None or spaces is None or target.essence + attempt.action.essence <= spaces:
        return None
    return {"emotion": title(target.name), "spaces": spaces, "essence": target.essence}


def _missing_at_land(attempt: Attempt[Land]) -> tuple[Missing, ...]:
    target, missing = _target(attempt), _missing(attempt)
    if target is None or attempt.cards.cards[target.name].spaces is not None:
        return missing
    return tuple(dict.fromkeys((Missing(target.name, "intensity"), *missing)))


def _intensify(attempt: Attempt[Land], position: Position) -> Position:
    target = position.slots[attempt.action.slot]
    more = replace(target, essence=target.essence + attempt.action.essence)
    return position.with_slot(attempt.action.slot, more)


# Network of Thoughts


@rule("R-NETWORK-1", "There is no Emotion in the {slot}.")
def no_emotion_to_move(attempt: Attempt[Network]) -> Facts | None:
    """An Emotion must lie there."""
    return _nothing_there(attempt)


@rule("R-NETWORK-1", "{emotion} belongs to {team}: only the own team's Emotions can be moved.")
def move_the_other_team(attempt: Attempt[Network]) -> Facts | None:
    """The Emotion must be of the own team."""
    return _foreign(attempt)


@rule("R-NETWORK-1", "The {slot} is not next to {player}'s figure.")
def moved_out_of_reach(attempt: Attempt[Network]) -> Facts | None:
    """It goes to a slot that is adjacent to the figure."""
    return _not_reached(attempt, attempt.action.to)


@rule("R-NETWORK-1", "{emotion} lies in the {slot} already.")
def slot_taken(attempt: Attempt[Network]) -> Facts | None:
    """A slot holds one Emotion at most (R-BOARD-4)."""
    there = attempt.position.slots.get(attempt.action.to)
    if there is None:
        return None
    return {"emotion": title(there.name), "slot": slot_words(attempt.action.to)}


@rule("R-NETWORK-3", "{emotion} lies in the {slot} already: no swap.")
def no_swap(attempt: Attempt[Network]) -> Facts | None:
    """The slot it goes to is empty: the same refusal by the rule that asks for that."""
    return slot_taken.broken(attempt)


@rule("R-NETWORK-1", "By this table's ruling the Emotion comes from next to the figure, not from the {slot}.")
def comes_from_afar(attempt: Attempt[Network]) -> Facts | None:
    """Where the table ruled so, the Emotion must be adjacent to the figure too (OQ-3)."""
    if attempt.position.rulings.get("network-from", "anywhere") == "anywhere":
        return None
    facts = _not_reached(attempt, attempt.action.slot)
    return None if facts is None else {"slot": facts["slot"]}


def _rearrange(attempt: Attempt[Network], position: Position) -> Position:
    """Move the card with all that lies on it (R-NETWORK-2)."""
    moved = position.slots[attempt.action.slot]
    return position.with_slot(attempt.action.slot, None).with_slot(attempt.action.to, moved)


PROCEDURES: Final[Mapping[type, Plain[Any]]] = {
    Valley: Plain((*_FRAME, willpower_short), _receive, _cost, _missing, takes_action=True),
    Cradle: Plain((*_FRAME, willpower_short), _receive, _cost, _missing, takes_action=True),
    Willow: Plain(
        (*_FRAME, nothing_exchanged, willpower_short), _exchange, _cost, _missing, takes_action=True
    ),
    Land: Plain(
        (
            *_FRAME,
            no_emotion_to_intensify,
            intensify_the_other_team,
            intensify_out_of_reach,
            nothing_put,
            more_than_its_spaces,
            willpower_short,
            essence_short,
        ),
        _intensify,
        _cost,
        _missing_at_land,
        takes_action=True,
    ),
    Network: Plain(
        (
            *_FRAME,
            no_emotion_to_move,
            move_the_other_team,
            moved_out_of_reach,
            slot_taken,
            no_swap,
            comes_from_afar,
            willpower_short,
        ),
        _rearrange,
        _cost,
        _missing,
        takes_action=True,
    ),
}
"""The Realm Actions, complete."""
