"""Empower: a Mild Emotion becomes its Strong counterpart (R-EMP-1 to R-EMP-12)."""

from typing import Final

from companion.rules.actions import Empower
from companion.rules.attempt import Facts, SpiritAttempt, rule
from companion.rules.boards import used_effects
from companion.rules.cards import Card
from companion.rules.effects import Reaches
from companion.rules.position import Emotion, Position
from companion.rules.procedure import Procedure
from companion.rules.reach import slots_reached
from companion.rules.verdict import Missing
from companion.rules.words import person, slot_words, title

Try = SpiritAttempt[Empower]

STRONG_COPIES: Final = 2
"""Copies of a Strong title per team, where the card data doesn't say (R-COMP-9)."""


def _target(attempt: Try) -> Emotion | None:
    return attempt.position.slots.get(attempt.action.slot)


def _card(attempt: Try) -> Card | None:
    target = _target(attempt)
    return None if target is None else attempt.cards.cards[target.name]


def _mild(attempt: Try) -> Card | None:
    card = _card(attempt)
    return card if card is not None and card.strength == "mild" else None


def _channeled(attempt: Try) -> bool:
    return "channeled-power" in attempt.upgrades


def _essence(attempt: Try) -> int:
    """Count the Essence on the target with what Channeled Power adds (R-EMP-6)."""
    target = _target(attempt)
    return 0 if target is None else target.essence + _channeled(attempt)


def _threshold(attempt: Try, card: Card) -> int | None:
    """Return the printed threshold, or the one the table agreed on for cards whose own is unknown."""
    if card.empower_threshold is not None:
        return card.empower_threshold
    assumed = attempt.position.rulings.get("assumed-threshold")
    return assumed if isinstance(assumed, int) else None


@rule("R-EMP-1", "The basic game has no Empower.")
def basic_game(attempt: Try) -> Facts | None:
    """The lowest row of the Spirit board is not used in the basic game."""
    return {} if attempt.position.mode == "basic" else None


@rule("R-EMP-2", "There is no Emotion in the {slot}.")
def empty_slot(attempt: Try) -> Facts | None:
    """An Emotion must lie there."""
    return {"slot": slot_words(attempt.action.slot)} if _target(attempt) is None else None


@rule("R-EMP-2", "{emotion} belongs to {team}: only the own team's Emotions can be empowered.")
def of_the_other_team(attempt: Try) -> Facts | None:
    """The Emotion must be of the own team."""
    card = _card(attempt)
    if card is None or card.team == attempt.player.team:
        return None
    return {"emotion": title(card.name), "team": title(card.team)}


@rule("R-EMP-2", "{emotion} is a Strong Emotion: only a Mild one can be empowered.")
def already_strong(attempt: Try) -> Facts | None:
    """The Emotion must be Mild."""
    card = _card(attempt)
    return {"emotion": title(card.name)} if card is not None and card.strength == "strong" else None


@rule("R-EMP-11", "{emotion} is a Starting Emotion: it has no Strong counterpart.")
def starting_emotion(attempt: Try) -> Facts | None:
    """Starting Emotions have no counterpart."""
    card = _card(attempt)
    return {"emotion": title(card.name)} if card is not None and card.strength == "starting" else None


@rule("R-EMP-2", "{emotion} is a Starting Emotion: only a Mild one can be empowered.")
def not_mild(attempt: Try) -> Facts | None:
    """The same refusal by the rule that asks for a Mild Emotion."""
    return starting_emotion.broken(attempt)


@rule("R-EMP-2", "The {slot} is not next to {player}'s figure.")
def out_of_reach(attempt: Try) -> Facts | None:
    """The slot is adjacent to the figure (R-BOARD-10), or Emotional Outburst is used (R-EMP-7)."""
    if "emotional-outburst" in attempt.upgrades:
        return None
    used = used_effects(attempt, Reaches)
    if attempt.action.slot in slots_reached(attempt.position, attempt.player, "empower", attempt.cards, used):
        return None
    return {"slot": slot_words(attempt.action.slot), "player": person(attempt.player.name)}


@rule("R-EMP-2", "{emotion} has {essence} Essence; its Empower threshold is {threshold}.")
def below_threshold(attempt: Try) -> Facts | None:
    """Its Essence reaches the threshold; an unknown one forbids nothing."""
    card = _mild(attempt)
    threshold = None if card is None else _threshold(attempt, card)
    if card is None or threshold is None or _essence(attempt) >= threshold:
        return None
    return {"emotion": title(card.name), "essence": _essence(attempt), "threshold": threshold}


@rule("R-EMP-6", "All Essence spaces of {emotion} are full: Channeled Power has no place for its Essence.")
def no_empty_space(attempt: Try) -> Facts | None:
    """Channeled Power needs an empty Essence space."""
    card, target = _card(attempt), _target(attempt)
    if card is None or target is None or not _channeled(attempt):
        return None
    full = card.spaces is not None and target.essence >= card.spaces
    return {"emotion": title(card.name)} if full else None


@rule("R-EMP-5", "Both copies of {strong} are on the board.")
def no_copy_left(attempt: Try) -> Facts | None:
    """A copy of the Strong card must be in the team's stock."""
    card = _mild(attempt)
    if card is None or card.strong is None:
        return None
    copies = attempt.cards.cards[card.strong].copies or STRONG_COPIES
    on_board = sum(emotion.name == card.strong for emotion in attempt.position.slots.values())
    return {"strong": title(card.strong)} if on_board >= copies else None


def _missing(attempt: Try) -> tuple[Missing, ...]:
    card = _mild(attempt)
    if card is None:
        return ()
    missing = []
    if _threshold(attempt, card) is None:
        missing.append(Missing(card.name, "empower_threshold"))
    if card.strong is None:
        missing.append(Missing(card.name, "strong"))
    if _channeled(attempt) and card.spaces is None:
        missing.append(Missing(card.name, "intensity"))
    return tuple(missing)


def _effect(attempt: Try, position: Position) -> Position:
    card = _mild(attempt)
    if card is None or card.strong is None:
        return position
    spaces = attempt.cards.cards[card.strong].spaces
    # Printed cards have room for all of it (R-EMP-12); the values that a table states for itself may not.
    essence = _essence(attempt) if spaces is None else min(_essence(attempt), spaces)
    return position.with_slot(attempt.action.slot, Emotion(card.strong, essence))


PROCEDURE: Procedure[Empower] = Procedure(
    mode=(basic_game,),
    target=(
        empty_slot,
        of_the_other_team,
        already_strong,
        not_mild,
        starting_emotion,
        out_of_reach,
        below_threshold,
        no_empty_space,
        no_copy_left,
    ),
    effect=_effect,
    missing=_missing,
)
"""Empower, complete."""
