"""The legal actions of one position by what they change on the table.

Derived from the positions before and after: whatever an action does, its footprint is what lies differently.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from companion.rules.actions import Action, SpiritActionDone
from companion.rules.cards import Catalogue
from companion.rules.choices import choices
from companion.rules.derived import Derived
from companion.rules.engine import PROCEDURES, legal_among
from companion.rules.position import Position
from companion.table.layout import NOTHING, Layout, layout_of
from companion.table.meanings import Meaning, Placing

_NO_FOOTPRINT: Final[Layout] = {}


@dataclass(frozen=True, slots=True)
class Group:
    """Legal actions that look alike on the table."""

    left: Layout
    """Their footprint: content by space afterwards, of every space that is another one then."""
    meanings: tuple[Meaning[Action], ...]


class Legal:
    """The legal actions of a position, looked up by the spaces that they change.

    Args:
        position: the game.
        layout: how its pieces lie.
        cards: the printed values.
        placing: a Vibe token that goes with the next Spirit Action.
        boards: whether Spirit boards can be read. Where not, the many actions that add a Vibe token without a
            discard, and do nothing else to be seen, need not be looked into.
    """

    def __init__(
        self,
        position: Position,
        layout: Layout,
        cards: Catalogue,
        placing: Placing | None = None,
        *,
        boards: bool = True,
    ) -> None:
        groups: dict[frozenset[tuple[str, object]], tuple[Layout, list[Meaning[Action]]]] = {}
        self.unseen: list[Meaning[Action]] = []
        """Those that change nothing that could ever be seen."""
        for meaning in _legal(position, cards, placing):
            adds_token = getattr(meaning.action, "token", None) is not None
            left = {} if adds_token and not boards else footprint(position, meaning.after, layout, cards)
            if left:
                key = frozenset(left.items())
                groups.setdefault(key, (left, []))[1].append(meaning)
            else:
                self.unseen.append(meaning)
        self.groups = tuple(Group(left, tuple(meanings)) for left, meanings in groups.values())
        """The others, by footprint."""
        self._by_space: dict[str, list[int]] = {}
        for number, group in enumerate(self.groups):
            for space in group.left:
                self._by_space.setdefault(space, []).append(number)

    def touching(self, spaces: Iterable[str]) -> tuple[Group, ...]:
        """Return the groups that change one of these spaces, in the order of the rules."""
        numbers = {number for space in spaces for number in self._by_space.get(space, ())}
        return tuple(self.groups[number] for number in sorted(numbers))


def footprint(before: Position, after: Position, layout: Layout, cards: Catalogue) -> Layout:
    """Return what lies differently after an action: content by space, of the spaces that change.

    Args:
        before: the position before.
        after: the position after.
        layout: how the pieces of the one before lie.
        cards: the printed values.
    """
    if after.slots == before.slots and all(
        was.at == now.at and was.vibes == now.vibes
        for was, now in zip(before.players.values(), after.players.values(), strict=True)
    ):
        return _NO_FOOTPRINT
    then = layout_of(after, cards)
    return {
        space: then.get(space, NOTHING)
        for space in {*layout, *then}
        if layout.get(space, NOTHING) != then.get(space, NOTHING)
    }


def _legal(position: Position, cards: Catalogue, placing: Placing | None) -> Iterator[Meaning[Action]]:
    derived = Derived(position, cards)
    discard = None if placing is None else placing.discard
    tries = choices(derived, placing=placing is not None, discard=discard)
    for action, verdict in legal_among(derived, (t for t in tries if goes_with(t, placing))):
        yield Meaning(action, verdict)


def goes_with(action: Action, placing: Placing | None) -> bool:
    """Tell whether an action places the Vibe token that waits for it, where one does."""
    if not isinstance(action, SpiritActionDone):
        return True
    row, place = PROCEDURES[type(action)][0], action.place
    if placing is None:
        return place is None
    if placing.space is None:
        return place is not None
    if placing.row != row:
        return place is None  # It lies in the row of another action and goes on waiting.
    return place is not None and place.space == placing.space
