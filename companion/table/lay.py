"""Laying a virtual table: which tags belong in which simulated field for a position."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from typing import Final

from companion.rules.board import SLOTS, SPACES
from companion.rules.cards import Catalogue
from companion.rules.position import Position
from companion.table.layout import Content, layout_of
from companion.table.pieces import Piece
from companion.table.registry import Registry

FIELDS: Final = (
    *(f"slot/{slot}" for slot in SLOTS),
    *(f"spirit/{space}" for space in SPACES),
    *(f"pad/{seat}" for seat in (1, 2, 3, 4)),
)
"""The simulated readers of the virtual table (contracts, sections 4 and 7)."""


def lay_table(
    position: Position, cards: Catalogue, registry: Registry, *, lying: Iterable[str] = ()
) -> Mapping[str, tuple[str, ...]]:
    """Return what lies in every simulated field when the table matches the position.

    Args:
        position: the game; pads are empty.
        cards: the printed values.
        registry: which tag sticks to which component.
        lying: tags that are not to be used, since they lie elsewhere already.

    Returns:
        Tags by space, for all of `FIELDS`. A piece of which no free tag is known is left out.
    """
    box = _box(registry, frozenset(lying))
    layout = layout_of(position, cards)
    return {
        space: tuple(sorted(box[piece].pop(0) for piece in layout.get(space, ()) if box.get(piece)))
        for space in FIELDS
    }


def beyond_the_box(position: Position, cards: Catalogue) -> Content:
    """Return the Emotions and figures of which a position has more than the game: it can't be laid."""
    counts = Counter(piece for content in layout_of(position, cards).values() for piece in content)
    there = {name: card.copies or 1 for name, card in cards.cards.items()}
    return tuple(
        piece
        for piece, count in sorted(counts.items())
        if piece.kind in ("emotion", "spirit") and count > there.get(piece.name, 1)
    )


def _box(registry: Registry, taken: Container[str]) -> dict[Piece, list[str]]:
    """Return the free tags by piece, the first copy first."""
    box: dict[Piece, list[str]] = {}
    for uid in sorted(registry.components, key=lambda uid: registry.components[uid]):
        if uid not in taken:
            box.setdefault(registry.piece(uid), []).append(uid)
    return box
