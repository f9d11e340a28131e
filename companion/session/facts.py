"""What the bus says of the table: spaces and nodes, each kept as it was last heard."""

from collections.abc import Mapping
from typing import Literal

from companion.table.layout import Fact
from firmware_bridge.contract.errors import MessageError
from firmware_bridge.contract.messages import NodeMessage, SpaceMessage
from firmware_bridge.contract.spaces import is_space


class Facts:
    """The facts of one table; a node that is offline takes the word of its spaces with it."""

    def __init__(self) -> None:
        self._heard: dict[str, SpaceMessage] = {}
        self._offline: set[str] = set()
        self._current: dict[str, Fact] = {}
        self._nodes: dict[str, str] = {}

    @property
    def nodes(self) -> Mapping[str, str]:
        """Which node has a space, by space; replaced, never changed."""
        return self._nodes

    @property
    def current(self) -> Mapping[str, Fact]:
        """The facts by space; replaced, never changed."""
        return self._current

    def space(self, space: str, payload: bytes, now_s: float) -> SpaceMessage | None:
        """Take a `space/..` message.

        Returns:
            The message; None where the space is not instrumented any more.

        Raises:
            MessageError: it can't be used.
        """
        if not is_space(space):
            raise MessageError("", f"no space is called {space!r}")
        if not payload:
            self._heard.pop(space, None)  # A deleted topic: the space is not instrumented any more.
            self._current = {name: fact for name, fact in self._current.items() if name != space}
            self._nodes = {name: node for name, node in self._nodes.items() if name != space}
            return None
        message = SpaceMessage.from_json(payload)
        self._heard[space] = message
        if self._nodes.get(space) != message.node:
            self._nodes = {**self._nodes, space: message.node}
        self._current = {**self._current, space: self._shown(space, now_s)}
        return message

    def node(self, node: str, payload: bytes, now_s: float) -> None:
        """Take a `node/..` message; raises MessageError."""
        state: Literal["online", "offline"] = NodeMessage.from_json(payload).state if payload else "online"
        if (state == "offline") == (node in self._offline):
            return
        if state == "offline":
            self._offline.add(node)
        else:
            self._offline.discard(node)
        self._current = {space: self._shown(space, now_s) for space in self._heard}

    def _shown(self, space: str, now_s: float) -> Fact:
        """Return what counts for a space; what comes back with its node is new now, however long it lies."""
        message, before = self._heard[space], self._current.get(space)
        if message.node in self._offline:
            fact = Fact(message.tags, "fault", now_s, lost_node=message.node)
        else:
            fact = Fact(message.tags, message.state, now_s)
        return before if before is not None and before.says == fact.says else fact
