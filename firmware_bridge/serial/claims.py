"""Who has which name and which space, over all nodes of a table. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firmware_bridge.serial.sayings import Hello


@dataclass(slots=True)
class _Owner:
    node: str
    yields: bool
    """Whether it gives the space up to a node that is there: a simulated reader, or a node that is gone."""
    release: Callable[[Sequence[str]], None]


class Claims:
    """Refuses the second of two nodes with one name, or with one space, and names both.

    Args:
        nodes: the names of all nodes of the table file.
    """

    def __init__(self, nodes: Sequence[str]) -> None:
        self._nodes = frozenset(nodes)
        self._places: dict[str, str] = {}
        self._owners: dict[str, _Owner] = {}

    def own(
        self,
        node: str,
        spaces: Sequence[str],
        *,
        yields: bool = False,
        release: Callable[[Sequence[str]], None] = lambda _spaces: None,
    ) -> None:
        """Give spaces to a node, as the table file does.

        Args:
            node: its name.
            spaces: what its readers stand below.
            yields: True: a serial node that has one of them takes it.
            release: called with the spaces that another node takes.
        """
        for space in spaces:
            self._owners[space] = _Owner(node, yields, release)

    def admit(
        self, expected: str, place: str, hello: Hello, release: Callable[[Sequence[str]], None]
    ) -> str | None:
        """Decide on a node that said who it is.

        Args:
            expected: the node that is looked for.
            place: its port.
            hello: what it said.
            release: called with the spaces that another node takes later.

        Returns:
            Why it is refused, with everybody who has a part in it named; None: all of it is its own now.
        """
        refusal = self._name_trouble(expected, place, hello) or self._space_trouble(place, hello)
        if refusal is not None:
            return refusal
        for space in [space for space, owner in self._owners.items() if owner.node == hello.node]:
            del self._owners[space]
        taken: dict[str, list[str]] = {}
        for space in hello.spaces:
            if space in self._owners:
                taken.setdefault(self._owners[space].node, []).append(space)
        for spaces in taken.values():
            self._owners[spaces[0]].release(spaces)
        self._places[hello.node] = place
        self.own(hello.node, hello.spaces, release=release)
        return None

    def leave(self, node: str) -> None:
        """Note that a node is gone: its spaces stay its own until another node has one of them."""
        self._places.pop(node, None)
        for owner in self._owners.values():
            if owner.node == node:
                owner.yields = True

    def _name_trouble(self, expected: str, place: str, hello: Hello) -> str | None:
        elsewhere = self._places.get(hello.node)
        if elsewhere is not None and elsewhere != place:
            return (
                f'two nodes say that they are "{hello.node}": {elsewhere} is served, {place} is refused; give'
                " one of them another name in its configuration"
            )
        if hello.node == expected:
            return None
        mend = "" if hello.node in self._nodes else "; correct the name in the table file, or in the node"
        return f'node "{hello.node}" is at {place}, where "{expected}" was looked for{mend}'

    def _space_trouble(self, place: str, hello: Hello) -> str | None:
        for space in hello.spaces:
            owner = self._owners.get(space)
            if owner is not None and owner.node != hello.node and not owner.yields:
                where = self._places.get(owner.node, "the table file")
                return (
                    f'two nodes have {space}: "{owner.node}" ({where}) is served, "{hello.node}" ({place})'
                    " is refused; correct the spaces of one of them"
                )
        return None
