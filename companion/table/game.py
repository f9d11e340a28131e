"""The game and the facts of one look side by side: what differs, and what a footprint explains of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from companion.rules.cards import Catalogue
from companion.rules.position import Position
from companion.table.layout import NOTHING, Content, Layout, Seen, differing, layout_of, surplus
from companion.table.legal import Group, Legal
from companion.table.meanings import Placing
from companion.table.patience import Patience
from companion.table.registry import Registry


@dataclass(frozen=True)
class Game:
    """What facts are compared with. One position's: what follows from it is worked out once."""

    position: Position
    cards: Catalogue
    registry: Registry
    patience: Patience = field(default_factory=Patience)
    _legal: dict[tuple[Placing | None, bool], Legal] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def layout(self) -> Layout:
        """How the pieces of the position lie."""
        return layout_of(self.position, self.cards)

    def legal(self, placing: Placing | None, *, boards: bool) -> Legal:
        """Return the legal actions by footprint, with a Vibe token that waits for the next Spirit Action.

        Args:
            placing: the token.
            boards: whether Spirit boards can be read.
        """
        found = self._legal.get((placing, boards))
        if found is None:
            found = Legal(self.position, self.layout, self.cards, placing, boards=boards)
            self._legal[placing, boards] = found
        return found

    def at(self, position: Position) -> "Game":
        """Return what facts are compared with in another position of this game."""
        return Game(position, self.cards, self.registry, self.patience)


@dataclass(frozen=True, slots=True)
class Table:
    """The facts of one look, side by side."""

    game: Game
    everything: Seen
    seen: Seen
    """Without foreign pieces."""
    wrong: tuple[str, ...]
    """Known spaces that differ from the position, in board order."""
    held: frozenset[str]
    """Those of them that are no input."""
    placing: Placing | None
    """A Vibe token that goes with the next Spirit Action."""
    shown: str | None = None
    """Title of the card that the player to act has shown on the pad."""
    lay: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By space, the tags that lay there when it was last right."""
    promised: str | None = None
    """That card, as long as it lies there and no Vibe token came for it."""

    @property
    def legal(self) -> Legal:
        """The legal actions by footprint."""
        boards = any(space.startswith("vibe/") for space in self.seen.layout)
        return self.game.legal(self.placing, boards=boards)

    @property
    def open(self) -> tuple[str, ...]:
        """The differences that may be input."""
        return tuple(space for space in self.wrong if space not in self.held)

    def expected(self, space: str) -> Content:
        """Return what the position has on a space."""
        return self.game.layout.get(space, NOTHING)

    def gained(self, space: str) -> Content:
        """Return what newly lies on a space."""
        return surplus(self.seen.content(space), self.expected(space))

    def lost(self, space: str) -> Content:
        """Return what no longer lies on a space."""
        return surplus(self.expected(space), self.seen.content(space))

    def moved_on(self, space: str) -> bool:
        """Tell whether all that a space has lost newly lies on other ones."""
        lost = self.lost(space)
        there = [piece for other in self.open if other != space for piece in self.gained(other)]
        return bool(lost) and not surplus(lost, tuple(sorted(there)))

    def fits(self, left: Layout, *, but: frozenset[str] = frozenset()) -> bool:
        """Tell whether a footprint explains all that differs, spaces that are held or in `but` left out."""
        seen = self.seen.layout
        return all(
            space not in seen or seen[space] == left.get(space, self.expected(space))
            for space in {*self.wrong, *left}
            if space not in self.held and space not in but
        )

    def shows(self, left: Layout) -> bool:
        """Tell whether every piece that a footprint has anew is really seen, alone, with no hold on it."""
        return all(
            self._shown(space, content)
            for space, content in left.items()
            if surplus(content, self.expected(space))
        )

    def _shown(self, space: str, content: Content) -> bool:
        if space.startswith("vibe/") and space not in self.everything.layout:
            return True  # Spirit boards need not be instrumented: the pad has shown the token.
        return space not in self.held and self.everything.layout.get(space) == content

    def candidates(self) -> tuple[Group, ...]:
        """Return the legal actions that change a space that differs, by what can be seen of them."""
        seen = self.seen.layout
        found: dict[frozenset[tuple[str, Content]], Group] = {}
        for group in self.legal.touching(self.open):
            left = {space: content for space, content in group.left.items() if space in seen}
            key = frozenset(left.items())
            if not self.by_its_tag(left):
                continue
            alike = found[key].meanings if key in found else ()
            found[key] = Group(left, alike + group.meanings)
        return tuple(found.values())

    def by_its_tag(self, left: Layout) -> bool:
        """Tell whether a card that goes to another slot is the one that lay there, not a copy."""
        for space, content in left.items():
            gained = surplus(content, self.expected(space)) if space.startswith("slot/") else NOTHING
            for piece in gained:
                came_from = [s for s, c in left.items() if piece in surplus(self.expected(s), c)]
                tags = {tag for other in came_from for tag in self.lay.get(other, ())}
                if came_from and tags and tags.isdisjoint(self.everything.tags.get(space, ())):
                    return False
        return True

    def explaining(self) -> Group | None:
        """Return the legal actions whose footprint is all that differs."""
        fitting = [group for group in self.candidates() if self.shows(group.left) and self.fits(group.left)]
        if not fitting:
            return None
        # Footprints that differ on a held space alone are told apart by nothing.
        return Group(fitting[0].left, tuple(meaning for group in fitting for meaning in group.meanings))

    def with_game(self, game: Game, *, placing: Placing | None) -> "Table":
        """Return the same pieces beside another position of the game."""
        return replace(
            self,
            game=game,
            wrong=differing(self.seen, game.layout),
            placing=placing,
            shown=None,
            promised=None,
        )

    def newest_s(self, spaces: Iterable[str]) -> float:
        """Return when the latest of these spaces became what it is."""
        return max(self.seen.since_s[space] for space in spaces)
