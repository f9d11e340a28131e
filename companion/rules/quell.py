"""Quell: an opposing Emotion loses its last Essence (R-QUELL-1 to R-QUELL-11)."""

from dataclasses import replace

from companion.rules.actions import Quell
from companion.rules.attempt import Facts, SpiritAttempt, rule
from companion.rules.boards import used_effects
from companion.rules.cards import Card
from companion.rules.effects import Reaches
from companion.rules.hands import with_shown
from companion.rules.position import Emotion, Position
from companion.rules.powers import Source
from companion.rules.procedure import Procedure
from companion.rules.reach import protector, slots_reached
from companion.rules.words import person, slot_words, title

Try = SpiritAttempt[Quell]


def _target(attempt: Try) -> Emotion | None:
    return attempt.position.slots.get(attempt.action.slot)


def fits(shown: Card, target: Card) -> bool:
    """Tell whether a card has the Vibe that a target asks for: a Starting Emotion takes any (R-QUELL-5)."""
    return target.vibe is None or shown.vibe == target.vibe


@rule("R-QUELL-1", "There is no Emotion in the {slot}.")
def empty_slot(attempt: Try) -> Facts | None:
    """An Emotion must lie there."""
    return {"slot": slot_words(attempt.action.slot)} if _target(attempt) is None else None


@rule("R-QUELL-1", "{emotion} belongs to {team}, {player}'s own team.")
def of_the_own_team(attempt: Try) -> Facts | None:
    """The Emotion must be of the other team."""
    target = _target(attempt)
    if target is None or attempt.cards.cards[target.name].team != attempt.player.team:
        return None
    return {
        "emotion": title(target.name),
        "team": title(attempt.player.team),
        "player": person(attempt.player.name),
    }


@rule("R-QUELL-1", "The {slot} is not next to {player}'s figure.")
def out_of_reach(attempt: Try) -> Facts | None:
    """The slot is adjacent to the figure (R-BOARD-10), or as near as the Spirit's power asks (R-POWER-6)."""
    used = used_effects(attempt, Reaches)
    if attempt.action.slot in slots_reached(attempt.position, attempt.player, "quell", attempt.cards, used):
        return None
    return {"slot": slot_words(attempt.action.slot), "player": person(attempt.player.name)}


def _protector(attempt: Try) -> Source | None:
    return protector(attempt.position, attempt.player, "quell", attempt.action.slot, attempt.cards)


@rule("R-POWER-6", "{emotion} lies too near to {spirit}'s figure: nobody can quell it there.")
def protected_by_a_spirit(attempt: Try) -> Facts | None:
    """A Spirit keeps the Emotions of its team around it."""
    target, source = _target(attempt), _protector(attempt)
    if target is None or source is None or source.player is None:
        return None
    return {"emotion": title(target.name), "spirit": title(source.name)}


@rule("R-POWER-4", "{emotion} lies too near to {card}: nobody can quell it there.")
def protected_by_a_card(attempt: Try) -> Facts | None:
    """A card keeps the Emotions of its team around it."""
    target, source = _target(attempt), _protector(attempt)
    if target is None or source is None or source.player is not None:
        return None
    return {"emotion": title(target.name), "card": title(source.name)}


@rule("R-QUELL-2", "A hand card of the same Vibe must be shown; only Extinguish does without.")
def nothing_shown(attempt: Try) -> Facts | None:
    """Without Extinguish a card is shown (R-QUELL-8)."""
    return {} if attempt.action.reveal is None and "extinguish" not in attempt.upgrades else None


@rule("R-QUELL-2", "{player} can't show {card}: that card is not in the hand.")
def not_in_hand(attempt: Try) -> Facts | None:
    """The card is in the hand that is left after placing a token."""
    reveal = attempt.action.reveal
    if reveal is None or attempt.can_show(reveal):
        return None
    return {"player": person(attempt.player.name), "card": title(reveal)}


@rule("R-QUELL-2", "{card} is {shown}; {emotion} asks for a {vibe} card.")
def another_vibe(attempt: Try) -> Facts | None:
    """The card shown has the target's Vibe."""
    there, reveal = _target(attempt), attempt.action.reveal
    if there is None or reveal is None or "extinguish" in attempt.upgrades:
        return None
    card, target = attempt.cards.cards.get(reveal), attempt.cards.cards[there.name]
    if card is None or fits(card, target):
        return None
    return {
        "card": title(reveal),
        "shown": card.vibe or "without a Vibe",
        "emotion": title(target.name),
        "vibe": target.vibe,
    }


def _effect(attempt: Try, position: Position) -> Position:
    action, target = attempt.action, _target(attempt)
    if action.reveal is not None:
        player = position.players[attempt.player.name]
        position = position.with_player(replace(player, hand=with_shown(player.hand, action.reveal)))
    if target is None:
        return position
    left = target.essence - 1 - ("subdue" in attempt.upgrades)
    return position.with_slot(action.slot, replace(target, essence=left) if left > 0 else None)


PROCEDURE: Procedure[Quell] = Procedure(
    mode=(),
    target=(
        empty_slot,
        of_the_own_team,
        out_of_reach,
        protected_by_a_spirit,
        protected_by_a_card,
        nothing_shown,
        not_in_hand,
        another_vibe,
    ),
    effect=_effect,
    in_hand=not_in_hand,
)
"""Quell, complete."""
