"""How the pieces lie: as a position has them, as the readers see them, and what differs.

Spaces are named as on the bus (`slot/valley.1`, `spirit/valley`, `vibe/1/move/1`, `pad/1`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Literal

from companion.rules.board import SLOTS, SPACES
from companion.rules.cards import Catalogue
from companion.rules.position import ROWS, Position
from companion.rules.words import person, slot_words, space_words, title
from companion.table.pieces import Piece
from companion.table.registry import Registry

Content = tuple[Piece, ...]
"""Pieces on one space, sorted; two copies of a title are two equal pieces."""

Layout = Mapping[str, Content]
"""Content by space; a space left out holds nothing."""

NOTHING: Final[Content] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """What the bridge says of one space, and since when."""

    tags: tuple[str, ...]
    state: Literal["ok", "unreadable", "fault"]
    """Anything but `ok`: the tags are what lay there last, what lies there now is not known."""
    since_s: float
    """On the host's clock: when the content became what it is."""
    lost_node: str = ""
    """The node whose silence makes it a fault; "" where the node itself says so."""

    @property
    def says(self) -> tuple[tuple[str, ...], str, str]:
        """All but the time."""
        return self.tags, self.state, self.lost_node


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known to lie where."""

    layout: Layout
    """Every space that is known, empty ones included; spaces without a reader or in trouble are left out."""
    since_s: Mapping[str, float]
    trouble: Mapping[str, Fact]
    """Spaces whose reader is in trouble."""
    twice: frozenset[str] = frozenset()
    """Spaces with a tag that is seen elsewhere as well: a piece on its way from one to the other."""
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By known space, foreign ones included: two cards of one title are two tags."""

    def content(self, space: str) -> Content:
        """Return what lies on a space, nothing where that is not known."""
        return self.layout.get(space, NOTHING)


def see(facts: Mapping[str, Fact], registry: Registry) -> Seen:
    """Tell what lies where, in pieces."""
    layout, since_s, trouble, tags = {}, {}, {}, {}
    at: dict[str, str] = {}
    twice: set[str] = set()
    for space, fact in facts.items():
        if fact.state == "ok":
            layout[space] = registry.content(fact.tags)
            since_s[space] = fact.since_s
            tags[space] = fact.tags
            for tag in fact.tags:
                if (other := at.setdefault(tag, space)) != space:
                    twice |= {other, space}
        else:
            trouble[space] = fact
    return Seen(layout, since_s, trouble, frozenset(twice), tags)


def layout_of(position: Position, cards: Catalogue) -> Layout:
    """Return how the pieces of a position lie: Emotions, figures, and Vibe tokens by seat."""
    found: dict[str, Content] = {
        f"slot/{slot}": (emotion_piece(emotion.name, cards),) for slot, emotion in position.slots.items()
    }
    for seat, player in enumerate(position.players.values(), 1):
        if player.at is not None and player.spirit is not None:
            space = f"spirit/{player.at}"
            found[space] = tuple(sorted((*found.get(space, NOTHING), Piece("spirit", player.spirit))))
        for row, tokens in player.vibes.items():
            for space, token in zip(_row_spaces(seat, row), tokens, strict=True):
                if token:
                    found[space] = _token(token)
    return found


@cache
def _row_spaces(seat: int, row: str) -> tuple[str, ...]:
    return tuple(f"vibe/{seat}/{row}/{place}" for place in (1, 2, 3, 4))


@cache
def _token(colour: str) -> Content:
    return (Piece("vibe", colour),)


def emotion_piece(name: str, cards: Catalogue) -> Piece:
    """Return the card with this title as a piece."""
    card = cards.cards.get(name)
    return Piece("emotion", name, card.team if card else "")


def surplus(content: Content, other: Content) -> Content:
    """Return what `content` holds and `other` does not, copies counted."""
    if not content or content == other:
        return NOTHING
    return tuple(sorted((Counter(content) - Counter(other)).elements())) if other else content


def differing(seen: Seen, expected: Layout) -> tuple[str, ...]:
    """Return the known spaces, pads left out, whose content is not the expected one, in board order."""
    wrong = [space for space, content in seen.layout.items() if content != expected.get(space, NOTHING)]
    return tuple(sorted((space for space in wrong if not space.startswith("pad/")), key=board_order))


def board_order(space: str) -> tuple[int, int, str]:
    """Return a sort key: slots along their ring, then Spirit spaces, then the rest by name."""
    kind, _, name = space.partition("/")
    if kind == "slot" and name in SLOTS:
        return 0, SLOTS.index(name), ""
    if kind == "spirit" and name in SPACES:
        return 1, SPACES.index(name), ""
    return 2, 0, space


def place_words(space: str, players: Sequence[str] = ()) -> str:
    """Name a space of the bus for people, in the middle of a sentence: "the left Valley slot", "Otto's pad".

    Args:
        space: as on the bus.
        players: their names in player order: seat 1 is the first one's.
    """
    kind, _, name = space.partition("/")
    seat = name.partition("/")[0]
    owner = person(players[int(seat) - 1]) if seat.isdecimal() and 1 <= int(seat) <= len(players) else ""
    if kind == "slot":
        return f"the {slot_words(name)}"
    if kind == "spirit":
        return f"the Spirit space of the {space_words(name)}"
    if kind == "pad":
        return f"{owner}'s pad" if owner else f"the pad of seat {name}"
    parts = name.split("/")
    if len(parts) == 3 and parts[1] in ROWS:
        board = f"{owner}'s Spirit board" if owner else f"the Spirit board of seat {parts[0]}"
        return f"space {parts[2]} of {title(parts[1])} on {board}"
    return space


def belongs(piece: Piece, space: str) -> bool:
    """Tell whether this kind of piece can ever lie on this kind of space."""
    kind = space.partition("/")[0]
    fitting = {
        "slot": ("emotion",),
        "spirit": ("spirit",),
        "vibe": ("vibe",),
        "pad": ("emotion", "vibe", "staff"),
    }
    return piece.kind in fitting.get(kind, ())


def words_of(pieces: Iterable[Piece]) -> str:
    """Name pieces for people: "Kindness and a red Vibe token", "nothing"."""
    names = [piece.words for piece in pieces]
    if not names:
        return "nothing"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
