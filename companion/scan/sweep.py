"""What the bus says of a table's readers, gathered. No I/O; messages come from one thread, looks from any."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from firmware_bridge.contract.errors import MessageError
from firmware_bridge.contract.figures import ReaderFigures
from firmware_bridge.contract.messages import NodeMessage, ReaderState, SpaceMessage, SpaceState
from firmware_bridge.contract.spaces import VIBE_SPACES, VIRTUAL_SPACES
from firmware_bridge.contract.topics import Topics

ENOUGH: Final = {"polls": 20, "frames": 2}
"""Of so many a share says something: at twenty polls the bridge needs a second, and a node tells its states
once a second."""

GRACE_S: Final = 3.0
"""A node that is offline for the same reason for so long is not waited for: what was pulled comes back under
another name within that (hardware facts, D3)."""

_ORDER: Final = {space: number for number, space in enumerate(VIRTUAL_SPACES + VIBE_SPACES)}


@dataclass(frozen=True, slots=True)
class Row:
    """One reader.

    Args:
        space: what it stands below.
        tags: what lies there; with `fault` the last ones known.
        state: as on the bus; `fault` too where its node is offline, or nothing was said of it.
        node: whose reader it is.
        reader: how it does in a word.
        figures: how it does in figures; None: nobody said.
    """

    space: str
    tags: tuple[str, ...]
    state: SpaceState
    node: str
    reader: ReaderState
    figures: ReaderFigures | None

    @property
    def reason(self) -> str:
        """What is wrong with the reader; empty where nobody said."""
        return self.figures.reason if self.figures is not None else ""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What should be looked at."""
        return self.figures.warnings if self.figures is not None else ()

    @property
    def news(self) -> tuple[object, ...]:
        """All but what changes with each poll: rows with equal news look alike to people."""
        return self.tags, self.state, self.reader, self.reason, self.warnings

    def as_json(self) -> dict[str, Any]:
        """Return the row in the keys of the contracts, section 2."""
        figures = self.figures.as_json() if self.figures is not None else {}
        return {
            "space": self.space,
            "tags": list(self.tags),
            "state": self.state,
            "node": self.node,
            "health": {"state": self.reader, **figures},
        }


class Sweep:
    """The readers of one table.

    Args:
        topics: of the table.
        nodes: the names of its nodes.
        clock: seconds that only go up.
    """

    def __init__(
        self, topics: Topics, nodes: Sequence[str], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._clock = clock
        self._down_since_s: dict[str, tuple[str, float]] = {}
        self._topics = topics
        self._names = tuple(nodes)
        self._lock = threading.Lock()
        self._nodes: dict[str, NodeMessage] = {}
        self._spaces: dict[str, SpaceMessage] = {}
        self.changed = threading.Event()
        """Set at each message."""

    def message(self, topic: str, payload: bytes, _retained: bool = False) -> None:  # noqa: FBT001, FBT002
        """Take a message of the bus; what is of no use here is left out."""
        kind, name = self._topics.parse(topic) or ("", "")
        try:
            with self._lock:
                if kind == "node" and payload:
                    self._nodes[name] = node = NodeMessage.from_json(payload)
                    if self._down_since_s.get(name, ("", 0.0))[0] != node.problem:
                        self._down_since_s[name] = (node.problem, self._clock())
                elif kind == "space" and payload:
                    self._spaces[name] = SpaceMessage.from_json(payload)
        except MessageError:
            return
        self.changed.set()

    @property
    def is_served(self) -> bool:
        """Whether a bridge is at work: a node is online, or is said to be offline for a reason."""
        with self._lock:
            nodes = [self._nodes[name] for name in self._names if name in self._nodes]
        return any(node.state == "online" or node.problem for node in nodes)

    @property
    def is_complete(self) -> bool:
        """Whether each reader of each node was looked at often enough, or nothing more is to be expected."""
        with self._lock:
            settled = [name for name in self._names if self._is_lost(name)]
            here = {name for name, node in self._nodes.items() if node.state == "online"}
        return all(name in here or name in settled for name in self._names) and all(
            row.figures is not None and (row.reason or row.figures.over >= ENOUGH[row.figures.counted])
            for row in self.rows()
            if row.node not in settled
        )

    def _is_lost(self, name: str) -> bool:
        node = self._nodes.get(name)
        problem, since_s = self._down_since_s.get(name, ("", 0.0))
        is_offline = node is not None and node.state == "offline"
        return is_offline and bool(problem) and self._clock() - since_s >= GRACE_S

    @property
    def is_well(self) -> bool:
        """Whether each node is there and each of its readers can be relied on."""
        return not self.down() and all(row.state == "ok" for row in self.rows())

    def rows(self) -> list[Row]:
        """Return all readers, node by node, in the order of the ring."""
        with self._lock:
            return [row for name in self._names for row in self._rows_of(name)]

    def down(self) -> dict[str, str]:
        """Return why nodes are offline, by name."""
        with self._lock:
            return {name: why for name in self._names if (why := self._why_down(name)) is not None}

    def up(self) -> dict[str, NodeMessage]:
        """Return what nodes that are online say of themselves."""
        with self._lock:
            messages = {name: self._nodes.get(name) for name in self._names}
        return {name: node for name, node in messages.items() if node is not None and node.state == "online"}

    def _why_down(self, name: str) -> str | None:
        node = self._nodes.get(name)
        if node is None:
            return "nothing is said of it: start firmware-bridge anew with this table file, it says why"
        if node.state == "online":
            return None
        return node.problem or "no bridge serves it, or its first sweep is not over"

    def _rows_of(self, name: str) -> list[Row]:
        node = self._nodes.get(name)
        if node is None:
            return []
        is_online = node.state == "online"
        spaces = set(node.readers)
        if not is_online:
            # The will of a node does not know all its spaces, but what was said of them last is still there.
            spaces |= {space for space, said in self._spaces.items() if said.node == name}
        return [
            self._row(node, name, space, is_online=is_online)
            for space in sorted(spaces, key=lambda space: _ORDER.get(space, len(_ORDER)))
        ]

    def _row(self, node: NodeMessage, name: str, space: str, *, is_online: bool) -> Row:
        said = self._spaces.get(space)
        known = said is not None and said.node == name
        state: SpaceState = said.state if said is not None and known and is_online else "fault"
        tags = said.tags if said is not None and known else ()
        return Row(space, tags, state, name, node.readers.get(space, "silent"), node.health.get(space))
