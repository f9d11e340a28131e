"""Cards and Vibe tokens shown on a seat's pad, or laid on an instrumented Spirit board (R-VIBE-3, R-VIBE-4).

A card that is shown is nothing yet. A Vibe token of its colour after it makes the pair wait for the next
Spirit Action of that player; lifting them changes nothing, for the token belongs on the Spirit board and the
card below its deck.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.rules.cards import Catalogue
from companion.rules.position import Position
from companion.table.layout import NOTHING, Content, Layout, Seen, surplus
from companion.table.meanings import Placing
from companion.table.pieces import Piece


@dataclass(frozen=True, slots=True)
class Pads:
    """What is remembered of the pads."""

    used: Mapping[str, Content] = field(default_factory=dict)
    """Pieces that lie on a pad and are done with, until they are taken away."""
    known: frozenset[str] = frozenset()
    """Pads that could be read at the last look."""
    shown: str | None = None
    """Title of the card that the player to act showed last."""
    shown_s: float = 0.0
    """Since when."""
    waiting: Placing | None = None
    pad: str = ""
    """Of the player to act at the last look."""


def look(pads: Pads, seen: Seen, position: Position, cards: Catalogue) -> Pads:
    """Return what is remembered after a look; what lay there before a pad could be read is no input."""
    known = frozenset(space for space in seen.layout if space.startswith("pad/"))
    used = {}
    for space in known:
        content = seen.layout[space]
        if space in pads.known:
            left = _both(content, pads.used.get(space, NOTHING))
        else:
            # A card is nothing by itself, so it may have come unseen; a Vibe token may be one that was used.
            mine = space == pad_of_actor(position)
            left = tuple(piece for piece in content if not (mine and piece.kind == "emotion"))
        if left:
            used[space] = left
    pads = replace(pads, used=used, known=known, pad=pad_of_actor(position))
    return _shown(pads, seen, position, cards)


def _shown(pads: Pads, seen: Seen, position: Position, cards: Catalogue) -> Pads:
    pad = pad_of_actor(position)
    fresh = surplus(seen.content(pad), pads.used.get(pad, NOTHING))
    titles = [piece.name for piece in fresh if piece.kind == "emotion" and piece.team == position.actor.team]
    colours = [piece.name for piece in fresh if piece.kind == "vibe"]
    shown, shown_s, waiting = pads.shown, pads.shown_s, pads.waiting
    if len(titles) == 1 and titles[0] != shown:
        shown, shown_s, waiting = titles[0], seen.since_s[pad], None
    if shown is not None and len(titles) < 2 and colours == [vibe_of(shown, cards)]:
        waiting = Placing(shown, colours[0])
    return replace(pads, shown=shown, shown_s=shown_s, waiting=waiting)


def placing(
    pads: Pads, laid: tuple[str, Piece] | None, position: Position, cards: Catalogue
) -> Placing | None:
    """Return the token for the next Spirit Action: the one laid on the Spirit board, else the one shown."""
    if laid is None:
        return pads.waiting
    space, token = laid
    _, row, number = space.removeprefix("vibe/").split("/")
    title = discard_for(token.name, pads, position, cards)
    return None if title is None else Placing(title, token.name, row, int(number))


def promised(pads: Pads, seen: Seen, position: Position, cards: Catalogue) -> str | None:
    """Return the card on the pad of the player to act for which a Vibe token may still come."""
    pad = pad_of_actor(position)
    fresh = surplus(seen.content(pad), pads.used.get(pad, NOTHING))
    lies_there = any(piece.kind == "emotion" and piece.name == pads.shown for piece in fresh)
    return pads.shown if lies_there and pads.shown and vibe_of(pads.shown, cards) else None


def laid_token(
    seen: Seen, wrong: tuple[str, ...], expected: Layout, position: Position
) -> tuple[str, Piece] | None:
    """Return the one token that newly lies on the Spirit board of the player to act, with its space.

    Args:
        seen: what lies where.
        wrong: the spaces that differ.
        expected: how the pieces of the position lie.
        position: the game.
    """
    board = f"vibe/{_seat(position)}/"
    found = [
        (space, piece)
        for space in wrong
        if space.startswith(board)
        for piece in surplus(seen.layout[space], expected.get(space, NOTHING))
    ]
    return found[0] if len(found) == 1 else None


def discard_for(colour: str, pads: Pads, position: Position, cards: Catalogue) -> str | None:
    """Return the card given for a token of this colour: the one shown, else the only known one in hand."""
    if pads.shown is not None and vibe_of(pads.shown, cards) == colour:
        return pads.shown
    titles = {title for title in position.actor.hand if vibe_of(title, cards) == colour}
    return titles.pop() if len(titles) == 1 else None


def done_with(pads: Pads, seen: Seen) -> Pads:
    """Return what is remembered once everything on the pad of whoever acted is used or cancelled.

    The next player may have laid down a card already, where nobody said that the turn ends.
    """
    used = {space: content for space, content in pads.used.items() if space != pads.pad}
    if pads.pad in pads.known and seen.content(pads.pad):
        used[pads.pad] = seen.content(pads.pad)
    return Pads(used=used, known=pads.known, pad=pads.pad)


def pad_of_actor(position: Position) -> str:
    """Return the pad of the player to act."""
    return f"pad/{_seat(position)}"


def vibe_of(title: str, cards: Catalogue) -> str | None:
    """Return the colour of a card, None for an unknown one or one without a colour."""
    card = cards.cards.get(title)
    return card.vibe if card else None


def _seat(position: Position) -> int:
    return list(position.players).index(position.turn.player) + 1


def _both(one: Content, two: Content) -> Content:
    return surplus(one, surplus(one, two))
