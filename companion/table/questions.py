"""Questions and their buttons: each meaning with how it is done, cost and effect; and the way back."""

from dataclasses import replace
from typing import TypeVar

from companion.rules.actions import Action, Empower, EndTurn, Invoke, Move, Quell, SpiritActionDone
from companion.rules.position import Position
from companion.rules.words import person, title
from companion.table.decisions import PUT_BACK, Choice
from companion.table.game import Table
from companion.table.meanings import MOST_CHOICES, Meaning, choice_words, deed_words, effect_words
from companion.table.mends import mend_words

Acting = TypeVar("Acting", bound=Action)


def by_actor(action: Acting, position: Position) -> Acting:
    """Leave out who acts where it is the player to act."""
    return replace(action, player=None) if action.player == position.turn.player else action


def choices_of(
    meanings: tuple[Meaning[Action], ...], table: Table, most: int = MOST_CHOICES
) -> tuple[Choice, ...]:
    """Return a button for each meaning; where they are not one deed in several ways, the deed is named."""
    position, cards = table.game.position, table.game.cards
    alike = len({type(meaning.action) for meaning in meanings}) == 1
    found = []
    for number, meaning in enumerate(meanings[:most], 1):
        action = by_actor(meaning.action, position)
        if alike and isinstance(action, SpiritActionDone):
            text = choice_words(Meaning(action, meaning.verdict), cards)
        else:
            text = deed_words(meaning, position, cards)
        found.append(Choice(str(number), text, action, effect_words(meaning, position, cards)))
    return tuple(found)


def back(table: Table) -> Choice:
    """Return the choice that does nothing but say what goes back where."""
    return Choice(PUT_BACK, put_back_words(table), None)


def put_back_words(table: Table) -> str:
    """Say what goes back where; a figure is named once, where it belongs."""
    missing = [space for space in table.open if table.expected(space)]
    return " ".join(
        mend_words(
            space,
            table.seen.content(space),
            table.expected(space),
            players=tuple(table.game.position.players),
        )
        for space in missing or table.open
    )


def question_of(action: Action, table: Table) -> str:
    """Ask in which way an action is meant, or whether."""
    position = table.game.position
    if isinstance(action, EndTurn):
        return f"Does {person(position.turn.player)}'s turn end?"
    if isinstance(action, Move):
        return "How does the figure move?"
    if isinstance(action, Invoke):
        return f"How is {title(action.emotion)} invoked?"
    if isinstance(action, Empower):
        return f"How is {title(position.slots[action.slot].name)} empowered?"
    if isinstance(action, Quell):
        return f"Is {title(position.slots[action.slot].name)} quelled?"
    return "What is meant?"
