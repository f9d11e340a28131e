"""What the bus says of the table: spaces and nodes, each kept as it was last heard."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from companion.table.layout import Fact
from firmware_bridge.contract.errors import MessageError
from firmware_bridge.contract.messages import NodeMessage, SpaceMessage
from firmware_bridge.contract.spaces import is_space


class Facts:
    """The facts of one table; a node that is offline takes the word of its spaces with it."""

    def __init__(self) -> None:
        self._heard: dict[str, tuple[str, Fact]] = {}
        self._offline: set[str] = set()
        self._current: dict[str, Fact] = {}

    @property
    def current(self) -> Mapping[str, Fact]:
        """The facts by space; replaced, never changed."""
        return self._current

    def space(self, space: str, payload: bytes, now_s: float) -> tuple[str, ...]:
        """Take a `space/..` message.

        Returns:
            The tags that are said to lie there.

        Raises:
            MessageError: it can't be used.
        """
        if not is_space(space):
            raise MessageError("", f"no space is called {space!r}")
        if not payload:
            self._heard.pop(space, None)  # A deleted topic: the space is not instrumented any more.
            self._renew(now_s)
            return ()
        message = SpaceMessage.from_json(payload)
        node, before = self._heard.get(space, (None, None))
        same = before is not None and (before.tags, before.state) == (message.tags, message.state)
        if before is None or not same or node != message.node:
            since_s = before.since_s if before is not None and same else now_s
            self._heard[space] = (message.node, Fact(message.tags, message.state, since_s))
            self._renew(now_s)
        return message.tags

    def node(self, node: str, payload: bytes, now_s: float) -> None:
        """Take a `node/..` message; raises MessageError."""
        state: Literal["online", "offline"] = NodeMessage.from_json(payload).state if payload else "online"
        if (state == "offline") == (node in self._offline):
            return
        if state == "offline":
            self._offline.add(node)
        else:
            self._offline.discard(node)
        self._renew(now_s)

    def _renew(self, now_s: float) -> None:
        current: dict[str, Fact] = {}
        for space, (node, fact) in self._heard.items():
            shown = replace(fact, state="fault", lost_node=node) if node in self._offline else fact
            before = self._current.get(space)
            if before is not None and replace(shown, since_s=before.since_s) == before:
                current[space] = before
            else:
                # What comes back with its node is new now, however long it has lain there.
                current[space] = replace(shown, since_s=now_s)
        self._current = current
