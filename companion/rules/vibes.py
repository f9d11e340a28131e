"""Vibe rows: placing a token and unlocking (R-VIBE-1 to R-VIBE-8)."""

from typing import Any, Final

from companion.rules.actions import Place
from companion.rules.attempt import Facts, SpiritAttempt, rule
from companion.rules.cards import Catalogue
from companion.rules.derived import Derived
from companion.rules.hands import without
from companion.rules.position import Player, Row
from companion.rules.words import ACTION_TITLES, person, title

WILD: Final = "wild"
"""The token without a colour (R-VIBE-6)."""

UNLOCK_SPACE: Final = 1
"""The leftmost space of a row (R-VIBE-1)."""

BOARD_SPACES: Final = range(1, 5)
"""The spaces of a row: the leftmost one and three upgrades (R-VIBE-4)."""

Try = SpiritAttempt[Any]


def with_token(row: Row, space: int, colour: str) -> Row:
    """Return the row with a token of `colour` on `space`, unless that space is taken or not there."""
    if space not in BOARD_SPACES or row[space - 1]:
        return row
    tokens = list(row)
    tokens[space - 1] = colour
    return tokens[0], tokens[1], tokens[2], tokens[3]


def is_unlocked(row: Row) -> bool:
    """Tell whether the leftmost space holds a token (R-VIBE-1)."""
    return bool(row[UNLOCK_SPACE - 1])


def open_spaces(row: Row) -> tuple[int, ...]:
    """Return the spaces that may take a token: a locked row's leftmost, else the free upgrades (R-VIBE-4)."""
    if not is_unlocked(row):
        return (UNLOCK_SPACE,)
    return tuple(space for space in (2, 3, 4) if not row[space - 1])


def colour_of(title_: str, cards: Catalogue) -> str | None:
    """Return the colour of the token for a discarded card, or None where the card has none."""
    card = cards.cards.get(title_)
    return None if card is None else card.vibe


def intended(derived: Derived, player: Player, place: Place | None, row: str) -> tuple[Row, tuple[str, ...]]:
    """Return Vibe row and hand as the player means them after placing, as far as that can be done.

    Args:
        derived: what follows from the position.
        player: who acts.
        place: the placing.
        row: the Spirit Action.

    Returns:
        The row with the token where its space is empty, and the hand without the card where it was there.
        Whatever is wrong with the placing is refused by the rules below; the rest of the action is then
        judged as it was meant.
    """
    tokens, hand = player.row(row), player.hand
    if place is None:
        return tokens, hand
    tokens = with_token(tokens, place.space, colour_of(place.discard, derived.cards) or WILD)
    if place.discard in derived.titles(player.name, hand):
        hand = without(hand, place.discard)
    return tokens, hand


@rule("R-VIBE-4", "The {action} row is locked: the first token goes on its leftmost space.")
def first_token_elsewhere(attempt: Try) -> Facts | None:
    """A locked row takes a token on the leftmost space only."""
    place = attempt.action.place
    row = attempt.player.row(attempt.board_row.name)
    if place is None or is_unlocked(row) or place.space == UNLOCK_SPACE:
        return None
    return {"action": ACTION_TITLES[attempt.board_row.name]}


@rule("R-VIBE-4", "The {action} row has the spaces 1 to 4, and no space {space}.")
def no_such_space(attempt: Try) -> Facts | None:
    """A row has four spaces."""
    place = attempt.action.place
    if place is None or place.space in BOARD_SPACES:
        return None
    return {"space": place.space, "action": ACTION_TITLES[attempt.board_row.name]}


@rule("R-VIBE-4", "Space {space} of the {action} row holds a token already.")
def space_taken(attempt: Try) -> Facts | None:
    """A token goes on an empty space."""
    place = attempt.action.place
    row = attempt.player.row(attempt.board_row.name)
    if place is None or place.space not in BOARD_SPACES or not row[place.space - 1]:
        return None
    return {"space": place.space, "action": ACTION_TITLES[attempt.board_row.name]}


@rule("R-VIBE-4", "{player} can't discard {card}: that card is not in the hand.")
def discard_not_in_hand(attempt: Try) -> Facts | None:
    """The card for a token comes from the own hand."""
    place = attempt.action.place
    player = attempt.player
    if place is None or place.discard in attempt.derived.titles(player.name, player.hand):
        return None
    return {"player": person(player.name), "card": title(place.discard)}


@rule("R-VIBE-4", "{card} has no Vibe, so there is no token for it.")
def discard_without_colour(attempt: Try) -> Facts | None:
    """The token has the colour of the card."""
    place = attempt.action.place
    if place is None or colour_of(place.discard, attempt.cards) is not None:
        return None
    return {"card": title(place.discard)}


@rule("R-VIBE-5", "The {action} row has a {colour} token already; {card} would bring a second one.")
def colour_twice(attempt: Try) -> Facts | None:
    """No two tokens of one colour in a row; wild tokens have none (R-VIBE-6)."""
    place = attempt.action.place
    if place is None:
        return None
    colour = colour_of(place.discard, attempt.cards)
    if colour is None or colour not in attempt.player.row(attempt.board_row.name):
        return None
    return {
        "action": ACTION_TITLES[attempt.board_row.name],
        "colour": colour,
        "card": title(place.discard),
    }


@rule("R-VIBE-2", "{action} is locked: first place a Vibe token on its leftmost space.")
def row_locked(attempt: Try) -> Facts | None:
    """A Spirit Action needs a token on the leftmost space of its row."""
    if is_unlocked(attempt.row):
        return None
    return {"action": ACTION_TITLES[attempt.board_row.name]}


PLACING = (
    no_such_space,
    first_token_elsewhere,
    space_taken,
    discard_not_in_hand,
    discard_without_colour,
    colour_twice,
)
"""Whether a token can be placed as it is meant, in the order in which people should hear of it."""
