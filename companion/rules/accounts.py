"""What an action did, in one line for the log."""

from typing import Final

from companion.rules.actions import (
    Absorb,
    Action,
    Adjust,
    Ambition,
    Cradle,
    EndTurn,
    Fortify,
    Invoke,
    Land,
    Move,
    PlaceWild,
    PlainDone,
    Quell,
    RealmActionDone,
    ReturnCommon,
    Reveal,
    RevelationStep,
    Score,
    SetupStep,
    SpiritActionDone,
    UsePower,
    Valley,
    Willow,
)
from companion.rules.adjust_words import adjusted_words
from companion.rules.cards import Catalogue
from companion.rules.effects import Gain
from companion.rules.position import Player, Position
from companion.rules.power_words import powers_told, supply_told
from companion.rules.words import (
    ACTION_TITLES,
    ability_words,
    cards_words,
    gain_words,
    intentions_words,
    person,
    result_words,
    slot_words,
    space_words,
    standing_words,
    title,
    token_words,
    vibe_words,
)

_DEEDS: Final = ("exalt", "raze")
"""Upgrades that are said by the verb."""


def _manner(action: SpiritActionDone, cards: Catalogue) -> str:
    """Say which upgrades were used and which token was placed, "" for neither."""
    used = [title(name) for name in action.upgrades if name not in _DEEDS]
    words = f" with {' and '.join(used)}" if used else ""
    if action.place is None:
        return words
    card = cards.cards[action.place.discard]
    return f"{words} after discarding {title(card.name)} for a {vibe_words(card.vibe or '')}"


def _moved(who: Player, action: Move, before: Position, after: Position) -> str:
    for other in before.players.values():
        if other.name != who.name and after.players[other.name].at != other.at:
            traded = f"{person(who.name)} trades spaces with {person(other.name)}"
            return f"{traded} and stands {standing_words(action.to)}"
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


def _drawn(who: Player, after: Position) -> str:
    return cards_words(len(after.players[who.name].hand) - len(who.hand))


def _turn_ended(who: Player, action: EndTurn, after: Position) -> str:
    gain = f"draws {_drawn(who, after)}" if action.gain == "cards" else "takes 1 Ambition"
    ended = f"{person(who.name)} ends the turn and {gain}"
    if after.result is not None:
        return f"{ended}; {result_words(after.result)}"
    return f"{ended}; {person(after.turn.player)} is next"


def _realm_used(who: Player, action: RealmActionDone, before: Position, after: Position) -> str:
    name = person(who.name)
    if isinstance(action, Valley):
        has = after.players[who.name].willpower
        return f"{name} takes Willpower in the Valley of Motives and has {has} now"
    if isinstance(action, Cradle):
        return f"{name} draws {_drawn(who, after)} in the Cradle of Senses"
    if isinstance(action, Willow):
        return f"{name} turns {action.amount} Willpower into Essence in the Willow of Values"
    if isinstance(action, Land):
        emotion = after.slots[action.slot]
        where = f"{title(emotion.name)} in the {slot_words(action.slot)}"
        return f"{name} puts {action.essence} Essence on {where}: {emotion.essence} on it now"
    moved = title(before.slots[action.slot].name)
    return f"{name} moves {moved} from the {slot_words(action.slot)} to the {slot_words(action.to)}"


def _absorbed(who: Player, action: Absorb, before: Position, after: Position, cards: Catalogue) -> str:
    sphere = cards.spheres[action.sphere]
    bonus = sphere.gain if action.bonus else Gain()
    paid = sphere.willpower if action.bonus else 0
    supply = supply_told(before, action, cards)
    revelation = _steps(before) != _steps(after) or before.common != after.common
    was, now = before.origin.willpower[action.sphere], after.origin.willpower[action.sphere]
    words = (
        f"{person(who.name)} absorbs {was if revelation else was - now} Willpower from {title(action.sphere)}"
    )
    gifts = [
        f"{amount} {kind}"
        for amount, kind in (
            (bonus.willpower, "Willpower more"),
            (bonus.essence, "Essence"),
            (bonus.ambition, "Ambition"),
        )
        if amount
    ]
    if bonus.cards:
        gifts.append(_drawn(who, after))
    if action.token is not None:
        gifts.append(token_words(action.token))
    if gifts:
        words += f", {'pays ' + str(paid) + ' and ' if paid else 'and '}gets {' and '.join(gifts)}"
    if supply:
        words += f", and {supply} more by powers from the supply"
    if not revelation:
        return words
    return f"{words}: a Revelation{_revealed(before, after)}"


def _steps(position: Position) -> int:
    """Count the open steps of a Revelation."""
    return sum(item.action != "power" for item in position.turn.pending)


def _revealed(before: Position, after: Position) -> str:
    """Say what a Revelation brought into the Identity, or what it still waits for."""
    waiting = [title(item.team) for item in after.turn.pending if item.action == "reveal"]
    if waiting:
        return f"; {' and '.join(waiting)} must show the Hidden Aspiration"
    new = [_fragment_words(fragment) for fragment in after.identity[len(before.identity) :]]
    return f"; into the Identity: {', '.join(new)}" if new else "; nothing comes into the Identity"


def _fragment_words(fragment: str) -> str:
    team, _, kind = fragment.partition(" ")
    return f"a {title(kind)} Fragment of {title(team)}"


def _ability_used(who: Player, action: Ambition) -> str:
    name = person(who.name)
    if action.token is not None:
        return f"{name} adds {token_words(action.token)} for Ambition"
    if action.ability == "extra-action":
        return f"{name} gains an Action for Ambition"
    return f"{name} uses an Ambition Ability: {ability_words(action.ability).lower()}"


def _step_taken(action: RevelationStep, before: Position, after: Position) -> str:
    team, aspiration = title(action.team), title(action.aspiration)
    if isinstance(action, Reveal):
        words = f"{team} shows its Hidden Aspiration {aspiration}"
        more = any(item.action == "reveal" for item in after.turn.pending)
        return words if more else words + _revealed(before, after)
    if isinstance(action, ReturnCommon):
        return f"{team} takes {aspiration} out of the Common Aspirations"
    # The log is for everybody's eyes, and this card is not.
    return f"{team} has chosen its next Hidden Aspiration"


def _set_up(action: SetupStep, before: Position, after: Position) -> str:
    """Say what was placed at set-up; the step that was due tells whose it is."""
    who = before.players[before.turn.pending[0].player or before.turn.player]
    name = person(who.name)
    if isinstance(action, PlaceWild):
        return f"{name} places a {vibe_words('wild')} on space {action.space} of {ACTION_TITLES[action.row]}"
    emotion, slot = title(after.slots[action.slot].name), slot_words(action.slot)
    if action.at is None:
        return f"{name} puts another {emotion} into the {slot}"
    return f"{name} starts {standing_words(action.at)} and puts {emotion} into the {slot}"


def _scored(action: Score, before: Position, after: Position) -> str:
    """Say how many points a team got, and what the Wheel gave the active player."""
    was, who = before.actor, after.actor
    team = was.team
    points = after.teams[team].points
    more = points - before.teams[team].points
    words = (
        f"{title(team)} scores {intentions_words(action.intentions)}: "
        f"{more} point{'' if more == 1 else 's'}, {points} on the Wheel"
    )
    ambition = after.teams[team].ambition - before.teams[team].ambition
    gifts = [
        f"{n} {what}" for n, what in ((who.essence - was.essence, "Essence"), (ambition, "Ambition")) if n
    ]
    if len(who.hand) > len(was.hand):
        gifts.append(_drawn(was, after))
    return f"{words}; {person(who.name)} gets {' and '.join(gifts)}" if gifts else words


def _power_used(action: UsePower, before: Position, after: Position) -> str:
    """Say what was chosen in a power, from what it changed."""
    name = title(action.power)
    if action.decline:
        return f"{name} is left unused"
    if action.slot is not None and action.slot in after.slots:
        emotion = after.slots[action.slot]
        more = emotion.essence - before.slots[action.slot].essence
        where = f"{title(emotion.name)} in the {slot_words(action.slot)}"
        return f"{name} puts {more} Essence on {where}: {emotion.essence} on it now"
    who = action.to or before.turn.player
    was, now = before.players[who], after.players[who]
    gain = Gain(
        now.willpower - was.willpower,
        now.essence - was.essence,
        after.teams[was.team].ambition - before.teams[was.team].ambition,
        len(now.hand) - len(was.hand),
        after.turn.actions_left - before.turn.actions_left,
    )
    return f"{name} gives {person(who)} {gain_words(gain)}"


def _plain_words(action: PlainDone, before: Position, after: Position, cards: Catalogue) -> str:
    if isinstance(action, SetupStep):
        return _set_up(action, before, after)
    if isinstance(action, UsePower):
        return _power_used(action, before, after)
    if isinstance(action, Score):
        return _scored(action, before, after)
    who = before.players[action.player or before.turn.player]
    if isinstance(action, Adjust):
        return adjusted_words(who, action, after)
    if isinstance(action, EndTurn):
        return _turn_ended(who, action, after)
    if isinstance(action, Absorb):
        return _absorbed(who, action, before, after, cards)
    if isinstance(action, Ambition):
        return _ability_used(who, action)
    if isinstance(action, RealmActionDone):
        return _realm_used(who, action, before, after)
    return _step_taken(action, before, after)


def describe(before: Position, action: Action, after: Position, cards: Catalogue) -> str:
    """Say in one line what a legal action did, and what powers did then, without a full stop.

    Args:
        before: the position in which it was taken.
        action: a legal action.
        after: the position after it.
        cards: the printed values of the game at hand.
    """
    if isinstance(action, SpiritActionDone):
        words = _spirit_words(action, before, after, cards)
    else:
        words = _plain_words(action, before, after, cards)
    return words + powers_told(before, action, after, cards)


def _spirit_words(action: SpiritActionDone, before: Position, after: Position, cards: Catalogue) -> str:
    who = before.players[action.player or before.turn.player]
    manner = _manner(action, cards)
    if isinstance(action, Move):
        return _moved(who, action, before, after) + manner
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
