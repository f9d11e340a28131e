"""Invoke: a hand card enters play (R-INVOKE-1 to R-INVOKE-11)."""

from dataclasses import replace

from companion.rules.actions import Invoke
from companion.rules.attempt import Facts, SpiritAttempt, rule
from companion.rules.boards import used_effects
from companion.rules.cards import Card
from companion.rules.effects import Reaches, StartsWith
from companion.rules.hands import without
from companion.rules.position import Emotion, Position
from companion.rules.procedure import Procedure
from companion.rules.reach import slots_reached, supplied
from companion.rules.verdict import Missing
from companion.rules.words import person, slot_words, title

Try = SpiritAttempt[Invoke]


def _card(attempt: Try) -> Card | None:
    return attempt.cards.cards.get(attempt.action.emotion)


def _starting_essence(attempt: Try) -> int:
    """Count the Essence that the card enters with, what upgrades add included (R-INVOKE-3, R-INVOKE-6)."""
    card = _card(attempt)
    more = sum(effect.essence for effect in used_effects(attempt, StartsWith))
    return (1 if card is None else card.starting_essence) + ("bolster" in attempt.upgrades) + more


def _own_essence(attempt: Try) -> int:
    """Count the Essence off the own board: Inner Force and Bolster take from the supply (R-INVOKE-7)."""
    more = sum(effect.essence for effect in used_effects(attempt, StartsWith) if not effect.supply)
    if "inner-force" in attempt.upgrades:
        return more
    card = _card(attempt)
    return (1 if card is None else card.starting_essence) + more


def _starts_fuller(attempt: Try) -> bool:
    """Tell whether an upgrade used adds to the Essence that the card enters with."""
    return "bolster" in attempt.upgrades or bool(used_effects(attempt, StartsWith))


def _from_supply(attempt: Try) -> int | None:
    """Return how many may lie on the board, where the card comes out of the supply (R-POWER-6)."""
    return supplied(attempt.position, attempt.player, attempt.cards).get(attempt.action.emotion)


@rule("R-POWER-6", "{count} {emotion} are on the board: no more than {most} can be.")
def supply_used_up(attempt: Try) -> Facts | None:
    """What a Spirit's power takes out of the supply is limited."""
    emotion, most = attempt.action.emotion, _from_supply(attempt)
    count = sum(there.name == emotion for there in attempt.position.slots.values())
    return None if most is None or count < most else {"count": count, "emotion": title(emotion), "most": most}


@rule("R-INVOKE-10", "{emotion} is not a Mild Emotion: only those can be invoked.")
def not_mild(attempt: Try) -> Facts | None:
    """Strong Emotions enter by Empower only, Starting ones at set-up, or by a Spirit's power."""
    card = _card(attempt)
    if card is None or card.strength == "mild" or _from_supply(attempt) is not None:
        return None
    return {"emotion": title(card.name)}


@rule("R-INVOKE-1", "{player} can't invoke {emotion}: that card is not in the hand.")
def not_in_hand(attempt: Try) -> Facts | None:
    """The card leaves the hand that is left after placing a token."""
    emotion = attempt.action.emotion
    if attempt.can_show(emotion) or _from_supply(attempt) is not None:
        return None
    return {"player": person(attempt.player.name), "emotion": title(emotion)}


@rule("R-INVOKE-1", "The {slot} is not next to {player}'s figure.")
def out_of_reach(attempt: Try) -> Facts | None:
    """The slot is adjacent to the figure (R-BOARD-10), or as near as the Spirit's power asks."""
    used = used_effects(attempt, Reaches)
    if attempt.action.slot in slots_reached(attempt.position, attempt.player, "invoke", attempt.cards, used):
        return None
    return {"slot": slot_words(attempt.action.slot), "player": person(attempt.player.name)}


@rule("R-INVOKE-9", "{emotion} lies in the {slot} already.")
def slot_taken(attempt: Try) -> Facts | None:
    """The slot is empty."""
    there = attempt.position.slots.get(attempt.action.slot)
    if there is None:
        return None
    return {"emotion": title(there.name), "slot": slot_words(attempt.action.slot)}


@rule("R-INVOKE-6", "{emotion} has no Essence space for what Bolster adds.")
def no_space_for_bolster(attempt: Try) -> Facts | None:
    """Never more Essence than the card has spaces (R-DESIRE-3)."""
    return _no_space(attempt) if "bolster" in attempt.upgrades else None


@rule("R-DESIRE-3", "{emotion} has no Essence space for what the upgrade adds.")
def no_space_for_more(attempt: Try) -> Facts | None:
    """The same of an upgrade of side B."""
    return _no_space(attempt) if used_effects(attempt, StartsWith) else None


def _no_space(attempt: Try) -> Facts | None:
    card = _card(attempt)
    if card is None or card.spaces is None or _starting_essence(attempt) <= card.spaces:
        return None
    return {"emotion": title(card.name)}


@rule("R-INVOKE-2", "Invoking takes {cost} Essence; {player} has {has}.")
def essence_short(attempt: Try) -> Facts | None:
    """The shaded space is filled from the own Spirit board, and what powers ask for is paid from it."""
    cost = _own_essence(attempt) if attempt.surcharge is None else attempt.cost.essence
    if attempt.player.essence >= cost:
        return None
    return {"cost": cost, "player": person(attempt.player.name), "has": attempt.player.essence}


def _missing(attempt: Try) -> tuple[Missing, ...]:
    card = _card(attempt)
    if card is None or card.spaces is not None or not _starts_fuller(attempt):
        return ()
    return (Missing(card.name, "intensity"),)


def _effect(attempt: Try, position: Position) -> Position:
    action = attempt.action
    player = position.players[attempt.player.name]
    if _from_supply(attempt) is None:
        player = replace(player, hand=without(player.hand, action.emotion))
    emotion = Emotion(action.emotion, _starting_essence(attempt))
    return position.with_player(player).with_slot(action.slot, emotion)


PROCEDURE: Procedure[Invoke] = Procedure(
    mode=(),
    target=(
        not_mild,
        supply_used_up,
        not_in_hand,
        out_of_reach,
        slot_taken,
        no_space_for_bolster,
        no_space_for_more,
        essence_short,
    ),
    effect=_effect,
    in_hand=not_in_hand,
    missing=_missing,
    essence=_own_essence,
)
"""Invoke, complete."""
