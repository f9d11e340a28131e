"""What a card on the pad is shown for where the board can't tell: a Quell, an Invoke where no reader is.

The card that a Quell shows goes back into the hand, and the Essence that it takes can't be seen.
"""

from companion.rules.actions import Action, Invoke, Quell
from companion.rules.words import person, title
from companion.table.decisions import Ask, Choice
from companion.table.game import Table
from companion.table.layout import surplus
from companion.table.legal import Group
from companion.table.meanings import MOST_CHOICES, Meaning, deed_words, effect_words, unbeaten

FOR_A_TOKEN = "for-a-token"  # noqa: S105 - a piece of the game
"""Id of the choice that the card is given for a Vibe token, or was shown for nothing."""


def asked_of_the_pad(table: Table) -> Ask | None:
    """Ask what the card on the pad is shown for; None where nothing can be meant but a Vibe token."""
    meanings = _meanings(table)
    if not meanings or table.shown is None:
        return None
    position, cards = table.game.position, table.game.cards
    choices = tuple(
        Choice(
            str(number),
            deed_words(meaning, position, cards),
            meaning.action,
            effect_words(meaning, position, cards),
        )
        for number, meaning in enumerate(meanings[: MOST_CHOICES - 1], 1)
    )
    token = Choice(FOR_A_TOKEN, "For a Vibe token, or just to look at", None)
    who = person(position.turn.player)
    return Ask(f"What does {who} show {title(table.shown)} for?", (*choices, token))


def _meanings(table: Table) -> tuple[Meaning[Action], ...]:
    legal = table.legal
    found = [meaning for meaning in legal.unseen if _names(meaning.action, table)]
    for group in legal.groups:
        if not _would_be_seen(group, table):
            found += [meaning for meaning in group.meanings if _names(meaning.action, table)]
    return unbeaten(found)


def _names(action: Action, table: Table) -> bool:
    if isinstance(action, Quell):
        return action.reveal == table.shown
    return isinstance(action, Invoke) and action.emotion == table.shown


def _would_be_seen(group: Group, table: Table) -> bool:
    """Tell whether an action brings a piece where a reader sees it: then the piece says so."""
    return any(
        space in table.seen.layout and surplus(content, table.expected(space))
        for space, content in group.left.items()
    )
