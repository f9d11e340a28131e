"""One node on the bus: its facts as retained topics, its presence as its will.

MQTT allows one will per connection, so each node has a connection of its own.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from firmware_bridge.contract.errors import MessageError
from firmware_bridge.contract.figures import ReaderFigures
from firmware_bridge.contract.link import Link, Will
from firmware_bridge.contract.messages import NodeMessage, NodeState, ReaderState, SpaceMessage, tag_text
from firmware_bridge.contract.topics import Topics
from firmware_bridge.contract.writing import Written
from firmware_bridge.presence.debounce import Fact

FIRMWARE: Final = "1.0.0"
"""Version of the bridge's own scanning, said for nodes that have no microcontroller."""

UNKNOWN_FIRMWARE: Final = "unknown"
"""Said for a node that has not been there yet."""


@dataclass(frozen=True, slots=True)
class Login:
    """Where and as whom to connect.

    Args:
        url: of the broker.
        username: None: as the URL says.
        password: None: as the URL says.
    """

    url: str
    username: str | None = None
    password: str | None = None


class NodePublisher:
    """Says what is known of one node, on each change, and all of it again at each connection (F-82).

    A node is online while all that is retained of its spaces is what its readers say now (F-66): at each
    connection it is offline until every space has been said. So whoever listens knows what was moved unseen.

    Its methods may be called from any thread; `on_message` and `on_up` are called on the connection's.

    Args:
        login: where to connect.
        topics: of the table.
        node: the node's name.
        spaces: the spaces of its readers.
        now_ms: unix time in ms.
        served: False for a node that is not there, or can't be served: it is offline until `meet`.
        filters: what else to read.
        on_message: gets topic, payload and whether it is a stored copy, of what `filters` bring.
        on_up: called at each connection.

    Raises:
        BrokerUrlError: `login.url` can't be used.
    """

    def __init__(
        self,
        login: Login,
        topics: Topics,
        node: str,
        spaces: Sequence[str],
        *,
        now_ms: Callable[[], int],
        served: bool = True,
        filters: Sequence[str] = (),
        on_message: Callable[[str, bytes, bool], None] = lambda _topic, _payload, _retain: None,
        on_up: Callable[[], None] = lambda: None,
    ) -> None:
        self.node = node
        self._topics = topics
        self._now_ms = now_ms
        self._lock = threading.Lock()
        self._unknown = set(spaces)
        self._served = served
        self._firmware = FIRMWARE if served else UNKNOWN_FIRMWARE
        self._said: dict[str, SpaceMessage] = {}
        self._closing = False
        self._on_message = on_message
        self._on_up = on_up
        silent: Mapping[str, ReaderState] = dict.fromkeys(spaces, "silent")
        self._message = gone = NodeMessage("offline", self._firmware, silent, now_ms())
        self._topic = topics.node(node)
        self.link = Link(
            login.url,
            login.username,
            login.password,
            f"{topics.table}-node-{node}",
            will=Will(self._topic, gone.to_json()),
            filters=(self._topic, *filters),
            on_message=self._arrived,
            on_link=self._linked,
        )

    def start(self) -> None:
        """Begin to connect; returns at once."""
        self.link.start()

    def fact(self, space: str, fact: Fact) -> None:
        """Say what is known of a space."""
        tags = tuple(sorted(tag_text(uid) for uid in fact.uids))
        with self._lock:
            before = self._said.get(space)
            known = before.texts if before is not None else {}
            texts = {tag: text for tag, text in known.items() if tag in tags}
            message = SpaceMessage(tags, fact.state, self.node, self._now_ms(), texts)
            self._said[space] = message
            self._unknown.discard(space)
            self._publish(self._topics.space(space), message)
            self._update(self._message.readers)

    def texts(self, space: str, texts: Mapping[bytes, str]) -> None:
        """Say what tags on a space say themselves."""
        with self._lock:
            message = self._said.get(space)
            if message is None:
                return
            said = {tag_text(uid): text for uid, text in texts.items()}
            known = {tag: text for tag, text in said.items() if tag in message.tags}
            if known != message.texts:
                self._said[space] = message = replace(message, texts=known)
                self._publish(self._topics.space(space), message)

    def written(self, result: Written) -> None:
        """Say what came of writing a tag."""
        if self.link.connected:
            self.link.publish(self._topics.written(self.node), result.to_json())

    def readers(self, states: Mapping[str, ReaderState]) -> None:
        """Say how the readers do; nothing is published unless one has changed."""
        with self._lock:
            self._update({**self._message.readers, **states})

    def tell(
        self, health: Mapping[str, ReaderFigures], problem: str = "", warnings: Sequence[str] = ()
    ) -> None:
        """Say how node and readers do in figures; nothing is published unless one has changed.

        Args:
            health: by space.
            problem: why the node as a whole is offline.
            warnings: what should be looked at on the way to it.
        """
        with self._lock:
            self._say_if_new(replace(self._message, health=health, problem=problem, warnings=tuple(warnings)))

    def meet(self, firmware: str, spaces: Sequence[str]) -> None:
        """Learn that the node is there, with these spaces; it is online when each new one has been said."""
        with self._lock:
            self._firmware = firmware
            before = self._message.readers if self._served else {}
            self._served = True
            self._unknown |= set(spaces) - before.keys()
            self._update({space: before.get(space, "ok") for space in spaces})

    def part(self) -> None:
        """Learn that the node is gone."""
        with self._lock:
            self._served = False
            self._update(self._message.readers)

    def release(self, spaces: Sequence[str]) -> None:
        """Say nothing more of these spaces: another node has them now."""
        with self._lock:
            self._unknown -= set(spaces)
            for space in spaces:
                self._said.pop(space, None)
            self._update({s: state for s, state in self._message.readers.items() if s not in spaces})

    def close(self) -> None:
        """Say offline, wait until that has arrived, and disconnect (F-79)."""
        with self._lock:
            self._closing = True
            last_words = self._offline().to_json()
        self.link.close(last_words=last_words)

    def _update(self, readers: Mapping[str, ReaderState]) -> None:
        """Say how node and readers do, if that is new."""
        state: NodeState = "online" if self._served and not self._unknown else "offline"
        message = replace(self._message, state=state, firmware=self._firmware, readers=readers)
        self._say_if_new(replace(message, problem="") if state == "online" else message)

    def _say_if_new(self, message: NodeMessage) -> None:
        if message != self._message:
            self._message = replace(message, at=self._now_ms())
            self._say_node()

    def _say_node(self) -> None:
        self._publish(self._topic, self._message)

    def _publish(self, topic: str, message: NodeMessage | SpaceMessage) -> None:
        # Without a connection nothing waits in the link: the next one begins with `_linked`, in its order.
        if self.link.connected:
            self.link.publish(topic, message.to_json(), retain=True)

    def _linked(self, up: bool) -> None:  # noqa: FBT001 - the link's own signature
        if not up:
            return
        with self._lock:
            self._publish(self._topic, self._offline())
            for space, message in self._said.items():
                self._publish(self._topics.space(space), message)
            self._say_node()
        self._on_up()

    def _offline(self) -> NodeMessage:
        return NodeMessage("offline", self._firmware, self._message.readers, self._now_ms())

    def _arrived(self, topic: str, payload: bytes, retain: bool) -> None:  # noqa: FBT001 - likewise
        if topic != self._topic:
            self._on_message(topic, payload, retain)
            return
        try:
            state = NodeMessage.from_json(payload).state if payload else None
        except MessageError:
            state = None
        with self._lock:
            if state != self._message.state and not self._closing:
                # An earlier connection's will came after this one's birth, or somebody wrote here (F-78).
                self._say_node()
