"""What people choose in a power: who gets something, which of several gains, where Essence goes (R-POWER)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from companion.rules.actions import UsePower
from companion.rules.attempt import Attempt, Facts, rule
from companion.rules.cards import Catalogue
from companion.rules.effects import AddsEssence, Effect, Gain, Rewards
from companion.rules.following import essence_targets, recipients
from companion.rules.frame import figures_first, game_over, revelation_open, tokens_first
from companion.rules.gains import received
from companion.rules.position import Pending, Position
from companion.rules.procedure import Plain
from companion.rules.verdict import Cost, Missing
from companion.rules.words import gain_words, person, title

Try = Attempt[UsePower]


def effect_of(pending: Pending, cards: Catalogue) -> Effect | None:
    """Return the effect in which something is left to choose, None where no power has it (any more)."""
    name = pending.power or ""
    owner = cards.cards.get(name) or cards.spirits.get(name)
    power = None if owner is None else owner.power
    if power is None or not 1 <= pending.effect <= len(power.effects):
        return None
    return power.effects[pending.effect - 1]


def waits(position: Position, cards: Catalogue) -> Pending | None:
    """Return a choice that must be made before the turn can end: one in a power that is not optional."""
    for pending in position.turn.pending:
        if pending.action != "power":
            continue
        effect = effect_of(pending, cards)
        if isinstance(effect, Rewards) and not effect.optional and _recipients(position, pending, effect):
            return pending
    return None


def _recipients(position: Position, pending: Pending, effect: Rewards) -> tuple[str, ...]:
    return recipients(position, pending.team, effect, position.turn.player)


def _pending(attempt: Try) -> Pending | None:
    """Return the earliest open choice in the power; the same power may be open several times."""
    return next(
        (
            pending
            for pending in attempt.position.turn.pending
            if pending.action == "power" and pending.power == attempt.action.power
        ),
        None,
    )


def _effect(attempt: Try) -> Effect | None:
    pending = _pending(attempt)
    return None if pending is None else effect_of(pending, attempt.cards)


def _chosen(attempt: Try, effect: Rewards) -> Gain | None:
    """Return the gain that is meant: the only one, or the one named."""
    if len(effect.gains) == 1:
        return effect.gains[0]
    return next((gain for gain in effect.gains if gain.name == attempt.action.gain), None)


@rule("R-POWER-1", "Nothing is left to choose in the power of {power}.")
def nothing_to_choose(attempt: Try) -> Facts | None:
    """The power has come about, and something in it is open."""
    return {"power": title(attempt.action.power)} if _effect(attempt) is None else None


@rule("R-POWER-2", "The power of {power} is for {team} to use, not for {player}.")
def for_the_other_team(attempt: Try) -> Facts | None:
    """The owners choose; whoever's turn it is may say so for them."""
    pending, player = _pending(attempt), attempt.player
    if pending is None or player.team == pending.team or player.name == attempt.position.turn.player:
        return None
    return {"power": title(attempt.action.power), "team": title(pending.team), "player": person(player.name)}


@rule("R-POWER-2", "The power of {power} is {player}'s to use: it is that player's Essence.")
def not_the_one_who_acted(attempt: Try) -> Facts | None:
    """Whoever brought the card in gives the Essence."""
    acts = attempt.position.turn.player
    if not isinstance(_effect(attempt), AddsEssence) or attempt.player.name == acts:
        return None
    return {"power": title(attempt.action.power), "player": person(acts)}


@rule("R-POWER-1", "The power of {power} is not optional.")
def must_be_used(attempt: Try) -> Facts | None:
    """Only what a card says may be done can be left."""
    effect = _effect(attempt)
    if not attempt.action.decline or not isinstance(effect, Rewards) or effect.optional:
        return None
    return {"power": title(attempt.action.power)}


def _asked_for(attempt: Try) -> tuple[str, ...]:
    """Return what is to be named: `slot`, `to`, `gain`, each only where there is something to choose."""
    effect = None if attempt.action.decline else _effect(attempt)
    if isinstance(effect, AddsEssence):
        return ("slot",)
    if not isinstance(effect, Rewards):
        return ()
    return ("to",) * (effect.to == "one-of-team") + ("gain",) * (len(effect.gains) > 1)


@rule("R-POWER-1", "There is no {part} to choose in the power of {power}.")
def named_too_much(attempt: Try) -> Facts | None:
    """Nothing is named that the power does not ask for."""
    action, asked = attempt.action, _asked_for(attempt)
    if _effect(attempt) is None:
        return None
    named = {"slot": action.slot, "to": action.to, "gain": action.gain}
    part = next((part for part, value in named.items() if value is not None and part not in asked), None)
    return None if part is None else {"part": _PARTS[part], "power": title(action.power)}


_PARTS: Final = {"slot": "slot", "to": "player", "gain": "gain"}


@rule("R-POWER-1", "The power of {power} gives something to a player of {team}: say to whom.")
def wrong_recipient(attempt: Try) -> Facts | None:
    """A player of the team is named."""
    effect, pending, action = _effect(attempt), _pending(attempt), attempt.action
    if "to" not in _asked_for(attempt) or pending is None or not isinstance(effect, Rewards):
        return None
    if action.to in _recipients(attempt.position, pending, effect):
        return None
    return {"power": title(action.power), "team": title(pending.team)}


@rule("R-POWER-1", "The power of {power} gives {gains}: say which.")
def wrong_gain(attempt: Try) -> Facts | None:
    """One of the gains is named."""
    effect, action = _effect(attempt), attempt.action
    if "gain" not in _asked_for(attempt) or not isinstance(effect, Rewards) or _chosen(attempt, effect):
        return None
    return {"power": title(action.power), "gains": " or ".join(gain_words(gain) for gain in effect.gains)}


@rule("R-POWER-1", "The power of {power} puts Essence on an Emotion of {team} with a free space: say where.")
def wrong_slot(attempt: Try) -> Facts | None:
    """An own Emotion that the power reaches and that has the space is named."""
    effect, pending, action = _effect(attempt), _pending(attempt), attempt.action
    if "slot" not in _asked_for(attempt) or pending is None or not isinstance(effect, AddsEssence):
        return None
    if action.slot in essence_targets(attempt.position, pending.team, effect, pending.slot, attempt.cards):
        return None
    return {"power": title(action.power), "team": title(pending.team)}


@rule("R-TURN-8", "This takes {cost} Essence; {player} has {has}.")
def essence_short(attempt: Try) -> Facts | None:
    """The Essence is there to give."""
    cost = _cost(attempt).essence
    if attempt.player.essence >= cost:
        return None
    return {"cost": cost, "player": person(attempt.player.name), "has": attempt.player.essence}


def _cost(attempt: Try) -> Cost:
    effect = _effect(attempt)
    if attempt.action.decline or not isinstance(effect, AddsEssence) or effect.supply:
        return Cost()
    return Cost(essence=effect.essence)


def _missing(attempt: Try) -> tuple[Missing, ...]:
    """Return the track of the card on which Essence is put, where nobody knows its spaces."""
    target = attempt.position.slots.get(attempt.action.slot or "")
    if target is None or attempt.cards.cards[target.name].spaces is not None:
        return ()
    return (Missing(target.name, "intensity"),)


def _used(attempt: Try, position: Position) -> Position:
    """Settle the choice: it is open no more, and what was chosen comes about."""
    pending, effect, action = _pending(attempt), _effect(attempt), attempt.action
    if pending is None:
        return position
    left = list(position.turn.pending)
    left.remove(pending)
    position = position.with_pending(tuple(left))
    if action.decline:
        return position
    if isinstance(effect, AddsEssence) and action.slot is not None:
        emotion = position.slots[action.slot]
        return position.with_slot(action.slot, replace(emotion, essence=emotion.essence + effect.essence))
    gain = _chosen(attempt, effect) if isinstance(effect, Rewards) else None
    if gain is None:
        return position
    return received(position, action.to or position.turn.player, gain, attempt.cards)


PROCEDURE: Plain[UsePower] = Plain(
    rules=(
        game_over,
        figures_first,
        tokens_first,
        revelation_open,
        nothing_to_choose,
        for_the_other_team,
        not_the_one_who_acted,
        must_be_used,
        named_too_much,
        wrong_recipient,
        wrong_gain,
        wrong_slot,
        essence_short,
    ),
    effect=_used,
    cost=_cost,
    missing=_missing,
)
"""The choice in a power, complete."""


def power_choices(position: Position, cards: Catalogue) -> Iterator[UsePower]:
    """Yield the tries of what is open in powers: of each power the earliest choice."""
    seen = set()
    for pending in position.turn.pending:
        if pending.action != "power" or pending.power is None or pending.power in seen:
            continue
        seen.add(pending.power)
        yield from _ways(position, pending.power, pending, cards)


def _ways(position: Position, name: str, pending: Pending, cards: Catalogue) -> Iterator[UsePower]:
    effect = effect_of(pending, cards)
    if isinstance(effect, AddsEssence):
        for slot in essence_targets(position, pending.team, effect, pending.slot, cards):
            yield UsePower(name, slot=slot)
        yield UsePower(name, decline=True)
    elif isinstance(effect, Rewards):
        named = effect.to == "one-of-team"
        gains = [gain.name for gain in effect.gains] if len(effect.gains) > 1 else [None]
        for to in _recipients(position, pending, effect) if named else (None,):
            for gain in gains:
                yield UsePower(name, to=to, gain=gain)
        if effect.optional:
            yield UsePower(name, decline=True)
