"""Hands: cards known and unknown, and what an unknown one can be."""

from dataclasses import replace

from companion.rules.cards import Catalogue
from companion.rules.position import HIDDEN, Player, Position

COPIES_PER_PLAYER = 2
"""Copies of a title in one player's deck (R-COMP-8, R-SETUP-7)."""

DECK_SIZE = 16
"""Mild Emotions of one player, hand included (R-SETUP-7): nobody can hold more (R-DECK-6)."""


def _known_copies(player: Player, title: str) -> int:
    return player.hand.count(title) + (player.top == title)


def _in_deck(player: Player, title: str) -> bool:
    """Tell whether a deck can have a title: where nobody has told what it is made of, any."""
    return player.deck is None or title in player.deck


def _teammates_capacity(position: Position, player: Player, title: str) -> int:
    """Count the copies on the board that may have come out of a teammate's deck, at most.

    A file may list only some of the players, so a teammate who is not listed may exist, unless three are
    listed and this one is alone (R-SHAPER-3).
    """
    mates = [p for p in position.players.values() if p.team == player.team and p.name != player.name]
    if mates:
        return sum(
            max(0, COPIES_PER_PLAYER - _known_copies(mate, title)) for mate in mates if _in_deck(mate, title)
        )
    return 0 if len(position.players) == 3 else COPIES_PER_PLAYER


def unknown_could_be(
    position: Position, player: Player, title: str, cards: Catalogue, gone: tuple[str, ...] = ()
) -> bool:
    """Tell whether an unknown card of the player can be a given title, copies counted (R-COMP-8).

    Args:
        position: where copies lie open.
        player: whose card it is; the hand is the one at this moment.
        title: the title in question.
        cards: the printed values.
        gone: titles that this player put under the deck in the same action: not back yet (R-DECK-2).
    """
    card = cards.cards.get(title)
    if card is None or card.strength != "mild" or card.team != player.team or not _in_deck(player, title):
        return False
    seen = _known_copies(player, title) + gone.count(title)
    if seen >= COPIES_PER_PLAYER:
        return False
    on_board = [emotion.name for emotion in position.slots.values()].count(title)
    if on_board:
        seen += max(0, on_board - _teammates_capacity(position, player, title))
    return seen < COPIES_PER_PLAYER


def without(hand: tuple[str, ...], title: str) -> tuple[str, ...]:
    """Return the hand after a card of this title left it: the known one, else an unknown one.

    A hand that has neither comes back as it is.
    """
    leaving = title if title in hand else HIDDEN
    if leaving not in hand:
        return hand
    i = hand.index(leaving)
    return hand[:i] + hand[i + 1 :]


def with_shown(hand: tuple[str, ...], title: str) -> tuple[str, ...]:
    """Return the hand after a card of this title was shown and kept: an unknown one is known from now on."""
    return hand if title in hand else tuple(sorted((*without(hand, title), title)))


def possible_titles(
    position: Position, player: Player, cards: Catalogue, gone: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Return every title that the player can show, the known ones first."""
    known = tuple(dict.fromkeys(card for card in player.hand if card != HIDDEN))
    if HIDDEN not in player.hand:
        return known
    return known + tuple(
        title
        for title, card in cards.cards.items()
        if card.team == player.team
        and title not in known
        and unknown_could_be(position, player, title, cards, gone)
    )


def deck_size(position: Position, player: Player, cards: Catalogue) -> int:
    """Count the cards in a player's Emotion deck, at most: 16 less the hand and what lies on the board.

    What lies there may have come out of a teammate's deck. Where one player alone is listed nobody knows who
    else plays; two or more are taken to be all there are.
    """
    mates = [p for p in position.players.values() if p.team == player.team and p.name != player.name]
    theirs = sum(DECK_SIZE - len(mate.hand) - (mate.top is not None) for mate in mates)
    if len(position.players) == 1:
        theirs = DECK_SIZE
    played = [cards.cards[emotion.name] for emotion in position.slots.values()]
    out = sum(card.team == player.team and card.strength == "mild" for card in played)
    return max(0, DECK_SIZE - len(player.hand) - max(0, out - theirs))


def drawn(position: Position, player: Player, count: int, cards: Catalogue) -> Player:
    """Return the player with up to `count` cards drawn, as far as there are any (R-DECK-1, R-DECK-6).

    The open top card comes first where it is known; the next top is not known, nor are further cards.
    """
    count = min(count, deck_size(position, player, cards)) if count else 0
    if count == 0:
        return player
    new = (player.top or HIDDEN, *([HIDDEN] * (count - 1)))
    return replace(player, hand=tuple(sorted((*player.hand, *new))), top=None)
