"""What powers do once an Action is over: gains, tokens, Fortresses, and what is left to choose (R-POWER)."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from companion.rules.actions import Action, Empower, Invoke, Quell, SpiritActionDone
from companion.rules.board import REALMS, Team
from companion.rules.cards import Catalogue
from companion.rules.effects import AddsEssence, LowersFortress, Rewards, TakesToken
from companion.rules.fragments import lowered
from companion.rules.gains import received
from companion.rules.position import Pending, Player, Position
from companion.rules.powers import Source, aimed_at, concerns, holds, in_force

MOST_TOKEN: Final = 6
"""The highest bonus of an Intensity token (R-INT-3)."""

Happening = Rewards | TakesToken | LowersFortress | AddsEssence
"""The effects that come about at a moment; the others hold all the time."""


@dataclass(frozen=True, slots=True)
class Deed:
    """An effect that comes about now."""

    source: Source
    number: int
    """Which of the effects of that power, from 1."""
    effect: Happening
    actor: str
    """Who took the Action."""


def follow(before: Position, action: Action, after: Position, cards: Catalogue) -> Position:
    """Return the position after everything that powers do once an Action is over.

    Args:
        before: the position in which the Action was taken.
        action: one of the ten Actions.
        after: the position after it, costs paid and carried out.
        cards: the printed values.

    Returns:
        The position; where people have something to choose it stands in `turn.pending`.
    """
    # What comes about is settled before any of it is done: powers don't set off each other.
    for deed in tuple(deeds(before, action, after, cards)):
        after = done(after, deed, cards)
    return after


def deeds(before: Position, action: Action, after: Position, cards: Catalogue) -> Iterator[Deed]:
    """Yield what powers do because of an Action, those of the card that entered first; as of `follow`.

    A card that the Action brings in sees that Action (R-POWER-5), but not what left the board for it.
    """
    actor = before.players[action.player or before.turn.player]
    if isinstance(action, Invoke | Empower) and action.slot in after.slots:
        yield from _on_entering(action.slot, actor, after, cards)
    if isinstance(action, Quell | Empower):
        yield from _on_leaving(before, action.slot, actor, after, cards)
    yield from _on_finishing(action, actor, after, cards)


def _on_entering(slot: str, actor: Player, after: Position, cards: Catalogue) -> Iterator[Deed]:
    """Yield the entering powers of a card that was invoked or that replaced a Mild one (R-POWER-3)."""
    card = cards.cards[after.slots[slot].name]
    if card.power is None or not card.power.is_applied:
        return
    source = Source(card.name, card.team, slot)
    for number, effect in enumerate(card.power.effects, 1):
        if isinstance(effect, Rewards):
            comes = effect.on == "enters" and holds(effect.condition, card.team, after, cards)
        elif isinstance(effect, TakesToken):
            comes = holds(effect.condition, card.team, after, cards)
        else:
            comes = True
        if comes and isinstance(effect, Happening):
            yield Deed(source, number, effect, actor.name)


def _on_leaving(
    before: Position, slot: str, actor: Player, after: Position, cards: Catalogue
) -> Iterator[Deed]:
    watching = cards.powers.rewards("leaves")
    was, now = before.slots.get(slot), after.slots.get(slot)
    if not watching or was is None or (now is not None and now.name == was.name):
        return
    left = cards.cards[was.name].team
    for one in in_force(after, watching, cards):
        source, effect = one.source, one.effect
        if source.player is None and source.place == slot:
            continue
        theirs = effect.whose == "any" or (left == source.team) == (effect.whose == "team")
        there = theirs and source.reaches(effect.area, slot)
        if there and holds(effect.condition, source.team, after, cards):
            yield Deed(source, one.number, effect, actor.name)


def _on_finishing(action: Action, actor: Player, after: Position, cards: Catalogue) -> Iterator[Deed]:
    """Yield what is given for a finished Action by the cards that lie there now."""
    watching = cards.powers.rewards("action")
    if not watching:
        return
    name, targets = type(action).__name__.lower(), aimed_at(action)
    upgraded = isinstance(action, SpiritActionDone) and action.upgrades != ()
    for one in in_force(after, watching, cards):
        source, effect = one.source, one.effect
        if (
            (not effect.actions or name in effect.actions)
            and (upgraded or not effect.upgraded)
            and source.means(effect.whose, actor)
            and concerns(source, effect.area, targets)
            and holds(effect.condition, source.team, after, cards)
        ):
            yield Deed(source, one.number, effect, actor.name)


def absorbed(position: Position, name: str, brought: int, cards: Catalogue) -> Position:
    """Return the position after what powers give for an Absorb (R-POWER-6).

    Args:
        position: after the Willpower and the bonus, before a Revelation (R-ABS-15).
        name: who absorbed.
        brought: the Willpower that the Absorb brought, bonus and powers counted.
        cards: the printed values.
    """
    for deed in tuple(absorb_deeds(position, name, brought, cards)):
        position = done(position, deed, cards)
    return position


def absorb_deeds(position: Position, name: str, brought: int, cards: Catalogue) -> Iterator[Deed]:
    """Yield what powers give for an Absorb; arguments as of `absorbed`."""
    for one in in_force(position, cards.powers.rewards("absorb"), cards):
        source, effect = one.source, one.effect
        concerned = source.means(effect.whose, position.players[name]) and brought >= effect.least
        if concerned and holds(effect.condition, source.team, position, cards):
            yield Deed(source, one.number, effect, name)


def done(position: Position, deed: Deed, cards: Catalogue) -> Position:
    """Return the position after one effect came about, or with the choice in it left open."""
    effect, source = deed.effect, deed.source
    if isinstance(effect, TakesToken):
        return _token_taken(position, source, effect)
    if isinstance(effect, LowersFortress):
        return _fortress_lowered(position, source, effect)
    if isinstance(effect, AddsEssence):
        # Only a real choice is asked for: an own Essence, and a space for it.
        player = position.players[deed.actor]
        can = effect.supply or player.essence >= effect.essence
        if not can or not essence_targets(position, source.team, effect, source.place, cards):
            return position
        place = None if effect.area == "anywhere" else source.place
        return _asked(position, deed, place)
    who = recipients(position, source.team, effect, deed.actor)
    if not who:
        return position
    if effect.optional or len(effect.gains) > 1 or len(who) > 1:
        return _asked(position, deed)
    return received(position, who[0], effect.gains[0], cards)


def _asked(position: Position, deed: Deed, slot: str | None = None) -> Position:
    """Leave a choice open; it holds nobody up, and one that is optional lapses with the turn."""
    open_now = Pending("power", deed.source.team, power=deed.source.name, effect=deed.number, slot=slot)
    return position.with_pending((*position.turn.pending, open_now))


def _token_taken(position: Position, source: Source, effect: TakesToken) -> Position:
    emotion = position.slots.get(source.place or "")
    if source.place is None or emotion is None:
        return position
    bonus = min(MOST_TOKEN, emotion.intensity_token + effect.bonus)
    return position.with_slot(source.place, replace(emotion, intensity_token=bonus))


def _fortress_lowered(position: Position, source: Source, effect: LowersFortress) -> Position:
    """Lower an opposing Fortress of the Realm whose slot the card lies in; a Frontier slot has none."""
    realm = (source.place or "").partition(".")[0]
    for _ in range(effect.steps if realm in REALMS else 0):
        fortress = position.fortresses.get(realm)
        if fortress is None or fortress.team == source.team:
            break
        position = lowered(position, realm)
    return position


def recipients(position: Position, team: Team, effect: Rewards, actor: str) -> tuple[str, ...]:
    """Return the players of whom one receives what a power of `team` gives, in player order."""
    if effect.to == "actor":
        return (actor,)
    return tuple(player.name for player in position.players.values() if player.team == team)


def essence_targets(
    position: Position, team: Team, effect: AddsEssence, place: str | None, cards: Catalogue
) -> tuple[str, ...]:
    """Return the slots of the own Emotions that may take the Essence (R-DESIRE-3).

    Args:
        position: the position.
        team: whose power it is.
        effect: the effect.
        place: the slot in which the card entered.
        cards: the printed values; a card whose spaces nobody knows counts as one that may.
    """
    source = Source("", team, place)
    return tuple(
        slot
        for slot, emotion in position.slots.items()
        if (slot == place or source.reaches(effect.area, slot))
        and (card := cards.cards[emotion.name]).team == team
        and (card.spaces is None or emotion.essence + effect.essence <= card.spaces)
    )
