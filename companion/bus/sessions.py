"""What the broker keeps of one client: subscriptions, messages on their way, the will. No I/O, no clock."""

from collections import OrderedDict, deque
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from companion.bus import packets
from companion.bus.packets import Message, Subscription
from companion.bus.roles import matches

WINDOW: Final = 20
"""Messages that may wait for a client's acknowledgement at once; as in Mosquitto."""

MAX_QUEUED: Final = 4_000
"""Messages kept for a client that is slow or away; the oldest go first. More than all that is retained."""

MAX_SUBSCRIPTIONS: Final = 100
"""Per client; one or two are what a client of this bus needs (F-95)."""

MAX_BACKLOG_BYTES: Final = 4_194_304
"""Bytes that a client has not yet read; beyond that QoS 0 messages are dropped, as the standard allows."""


class Connection(Protocol):
    """The transport of one client, as the broker uses it."""

    def send(self, data: bytes) -> None:
        """Send without waiting."""

    def close(self) -> None:
        """Close after what was sent is out."""

    def backlog_bytes(self) -> int:
        """Bytes sent that are not out yet."""


@dataclass(slots=True)
class Outlet:
    """One connection's side of a session.

    Args:
        connection: where to send.
        version: protocol level.
        window: messages that may be unacknowledged at once.
        max_packet_bytes: the largest packet that the client takes.
    """

    connection: Connection
    version: int
    window: int = WINDOW
    max_packet_bytes: int = packets.MAX_PACKET_BYTES


@dataclass(slots=True)
class Session:
    """One client of one role; outlives its connection if the client asked for that (MQTT 5, 4.1)."""

    role: str
    client_id: str
    keep_s: float = 0
    subscriptions: dict[str, Subscription] = field(default_factory=dict)
    received: set[int] = field(default_factory=set)
    will: Message | None = None
    will_delay_s: float = 0
    outlet: Outlet | None = None
    gone_s: float = 0
    _in_flight: OrderedDict[int, Message] = field(default_factory=OrderedDict)
    _queue: deque[Message] = field(default_factory=lambda: deque(maxlen=MAX_QUEUED))
    _last_id: int = 0

    def match(self, topic: str, *, from_self: bool) -> Subscription | None:
        """Return how `topic` is delivered, if it is; several subscriptions that match count once (3.3.4)."""
        found = [
            subscription
            for topic_filter, subscription in self.subscriptions.items()
            if matches(topic_filter, topic) and not (subscription.no_local and from_self)
        ]
        if not found:
            return None
        return replace(
            found[0],
            qos=max(subscription.qos for subscription in found),
            retain_as_published=any(subscription.retain_as_published for subscription in found),
        )

    def deliver(self, message: Message, now_s: float) -> None:
        """Send a message, or keep it until there is a connection and room."""
        if message.qos == 0:
            outlet = self.outlet
            if outlet is not None and outlet.connection.backlog_bytes() < MAX_BACKLOG_BYTES:
                self._send(outlet, message, 0, dup=False, now_s=now_s)
        else:
            self._queue.append(message)
            self.pump(now_s)

    def acknowledged(self, packet_id: int, now_s: float) -> None:
        """Forget a message that has arrived, and send what waited behind it."""
        self._in_flight.pop(packet_id, None)
        self.pump(now_s)

    def resume(self, outlet: Outlet, now_s: float) -> None:
        """Begin a connection: send again what was not acknowledged, then what waited (4.4)."""
        self.outlet = outlet
        for packet_id, message in self._in_flight.items():
            self._send(outlet, message, packet_id, dup=True, now_s=now_s)
        self.pump(now_s)

    def pump(self, now_s: float) -> None:
        """Send of the queue what the client has room for."""
        outlet = self.outlet
        while outlet is not None and self._queue and len(self._in_flight) < outlet.window:
            message = self._queue.popleft()
            if message.expires_s is not None and message.expires_s <= now_s:
                continue
            packet_id = self._next_id()
            self._in_flight[packet_id] = message
            self._send(outlet, message, packet_id, dup=False, now_s=now_s)

    def _next_id(self) -> int:
        while True:
            self._last_id = self._last_id % 65_535 + 1
            if self._last_id not in self._in_flight:
                return self._last_id

    def _send(self, outlet: Outlet, message: Message, packet_id: int, *, dup: bool, now_s: float) -> None:
        data = packets.publish(outlet.version, message, packet_id, dup=dup, now_s=now_s)
        if len(data) <= outlet.max_packet_bytes:
            outlet.connection.send(data)
        else:
            # 3.1.2.11.4: what a client can't take counts as delivered.
            self._in_flight.pop(packet_id, None)
