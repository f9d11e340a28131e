"""Where every piece lies: what people can see, which the readers must find out."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.table.layout import NOTHING, Content, Layout, surplus
from companion.table.pieces import Piece
from companion.table.registry import Registry


@dataclass(frozen=True, slots=True)
class Carry:
    """One piece that goes from one place to another."""

    uid: str
    start: str | None
    """Space it is taken from, None: the box or a hand of cards."""
    end: str | None
    """Space it is laid on, None: back into the box."""


class Pieces:
    """The pieces of one table.

    Args:
        registry: the stickers.
        spaces: with a reader.
    """

    def __init__(self, registry: Registry, spaces: Iterable[str]) -> None:
        self._registry = registry
        self._box: dict[Piece, list[str]] = {}
        for uid in sorted(registry.components, key=lambda uid: registry.components[uid]):
            self._box.setdefault(registry.piece(uid), []).append(uid)
        self.spaces = tuple(spaces)
        self.fields: dict[str, tuple[str, ...]] = dict.fromkeys(self.spaces, ())
        """What lies in each field now, by tag."""
        self._planned: dict[str, tuple[str, ...]] = dict(self.fields)
        """What lies there when all hands have done what they are about to do."""

    def piece(self, uid: str) -> Piece:
        """Return what a tag sticks to."""
        return self._registry.piece(uid)

    @property
    def layout(self) -> Layout:
        """What lies where once all hands are done; pads are left out."""
        return {
            space: self._registry.content(uids)
            for space, uids in self._planned.items()
            if uids and not space.startswith("pad/")
        }

    def lying(self, space: str) -> tuple[str, ...]:
        """Return the tags that lie on a space once all hands are done."""
        return self._planned[space]

    def goal(self, layout: Layout) -> Layout:
        """Return the part of a layout that lies on spaces with a reader."""
        return {space: content for space, content in layout.items() if space in self._planned}

    def lay(self, layout: Layout) -> None:
        """Lay everything as a layout has it, at once, before anybody watches."""
        for carry in self.carries(layout):
            if carry.end is not None:
                self.fields[carry.end] = tuple(sorted((*self.fields[carry.end], carry.uid)))

    def carries(self, layout: Layout) -> tuple[Carry, ...]:
        """Return what has to be carried for the table to be as a layout has it; it counts as done."""
        goal, now = self.goal(layout), self.layout
        gone: list[tuple[str, str]] = []
        for space in self.spaces:
            if not space.startswith("pad/"):
                for piece in surplus(now.get(space, NOTHING), goal.get(space, NOTHING)):
                    taken = {uid for where, uid in gone if where == space}
                    uid = next(u for u in self._planned[space] if self.piece(u) == piece and u not in taken)
                    gone.append((space, uid))
        found: list[Carry] = []
        for space in self.spaces:
            if not space.startswith("pad/"):
                for piece in surplus(goal.get(space, NOTHING), now.get(space, NOTHING)):
                    source = next(((s, u) for s, u in gone if self.piece(u) == piece), None)
                    if source is None:
                        found.append(Carry(self._out_of_box(piece), None, space))
                    else:
                        gone.remove(source)
                        found.append(Carry(source[1], source[0], space))
        found += [Carry(uid, space, None) for space, uid in gone]
        for carry in found:
            self.plan(carry)
        return tuple(found)

    def shown(self, piece: Piece, pad: str) -> Carry:
        """Return a piece out of a hand or the box laid on a pad."""
        carry = Carry(self._out_of_box(piece), None, pad)
        self.plan(carry)
        return carry

    def plan(self, carry: Carry) -> None:
        """Count on a piece being carried."""
        if carry.start is not None:
            self._planned[carry.start] = tuple(u for u in self._planned[carry.start] if u != carry.uid)
        if carry.end is not None:
            self._planned[carry.end] = tuple(sorted((*self._planned[carry.end], carry.uid)))
        else:
            self._box[self.piece(carry.uid)].append(carry.uid)

    def other_copy(self, uid: str) -> str:
        """Exchange a tag for another copy of the same piece, where the box has one."""
        copies = self._box[self.piece(uid)]
        if not copies:
            return uid
        copies.append(uid)
        return copies.pop(0)

    def as_laid(self) -> Mapping[str, Content]:
        """Return what really lies where now, in pieces."""
        return {space: self._registry.content(uids) for space, uids in self.fields.items() if uids}

    def _out_of_box(self, piece: Piece) -> str:
        copies = self._box.get(piece)
        if not copies:
            raise LookupError(f"the box has no {piece.words} left")
        return copies.pop(0)
