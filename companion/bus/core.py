"""The embedded broker's mind: who is connected, what is retained, who gets what. No I/O; time is passed in.

Section numbers are those of MQTT 5. What it leaves out and says so in its CONNACK: shared subscriptions,
subscription identifiers, topic aliases, enhanced authentication. Subscriptions are granted QoS 1 at most.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from companion.bus import packets, wire
from companion.bus.errors import PacketError
from companion.bus.packets import (
    Ack,
    Connect,
    Decoder,
    Disconnect,
    Message,
    Packet,
    Ping,
    Publish,
    Subscribe,
    Subscription,
    Unsubscribe,
)
from companion.bus.roles import matches
from companion.bus.sessions import MAX_SUBSCRIPTIONS, WINDOW, Connection, Outlet, Session

_LOG: Final = logging.getLogger(__name__)

CONNECT_WITHIN_S: Final = 5.0
"""Who has not sent a Connect by then is closed (3.1.4)."""

MAX_SESSIONS: Final = 200
"""Clients, those that are away included; a table has some ten."""

MAX_RETAINED: Final = 2_000
"""Retained topics; a table has some two hundred. A mistaken client must not fill the memory."""

MAX_KEEP_S: Final = 3_600.0
"""How long the session of a client that is away is kept at most."""

MAX_COMPLAINTS: Final = 50
"""Different refusals that are logged, each once."""

_NOT_AUTHORISED: Final = 0x87
_OFFERS: Final = ((wire.SUBSCRIPTION_IDS_AVAILABLE, 0), (wire.SHARED_AVAILABLE, 0))


@dataclass(frozen=True, slots=True)
class Rights:
    """Who may do what.

    Args:
        log_in: user name and password → whether the client is let in.
        read: role and topic → whether a message is delivered.
        write: role and topic → whether a message is taken.
    """

    log_in: Callable[[str | None, bytes | None], bool]
    read: Callable[[str, str], bool]
    write: Callable[[str, str], bool]


@dataclass(slots=True, eq=False)
class Client:
    """One connection, from its opening on."""

    connection: Connection
    decoder: Decoder = field(default_factory=Decoder)
    session: Session | None = None
    silent_until_s: float | None = None
    keepalive_s: float = 0
    open: bool = True


class BrokerCore:
    """The state of one broker. Not for several threads at once.

    Args:
        rights: asked at each login, publish and delivery.
    """

    def __init__(self, rights: Rights) -> None:
        self._rights = rights
        self._clients: set[Client] = set()
        self._sessions: dict[tuple[str, str], Session] = {}
        self._retained: dict[str, Message] = {}
        self._late_wills: list[tuple[float, Session, Message]] = []
        self._complaints: set[str] = set()
        self._given_ids = 0

    @property
    def client_count(self) -> int:
        """Connections that are open."""
        return len(self._clients)

    @property
    def retained_count(self) -> int:
        """Topics with a retained message."""
        return len(self._retained)

    def opened(self, connection: Connection, now_s: float) -> Client:
        """Take in a new connection."""
        client = Client(connection, silent_until_s=now_s + CONNECT_WITHIN_S)
        self._clients.add(client)
        return client

    def received(self, client: Client, data: bytes, now_s: float) -> None:
        """Take in bytes from a connection."""
        if client.keepalive_s:
            client.silent_until_s = now_s + 1.5 * client.keepalive_s  # 3.1.2.10
        try:
            for packet in client.decoder.feed(data):
                self._handle(client, packet, now_s)
                if not client.open:
                    return
        except PacketError as error:
            self._complain(f"a client sends what is no MQTT: {error}")
            self._drop(client, now_s, reason=error.reason)

    def lost(self, client: Client, now_s: float) -> None:
        """Learn that a connection is gone; says its will (3.1.2.5)."""
        self._drop(client, now_s)

    def tick(self, now_s: float) -> None:
        """Do what has come due; to be called about twice a second."""
        for client in [
            c for c in self._clients if c.silent_until_s is not None and c.silent_until_s <= now_s
        ]:
            self._drop(client, now_s, reason=0x8D)
        for key, session in list(self._sessions.items()):
            if session.outlet is None and session.gone_s + session.keep_s <= now_s:
                del self._sessions[key]
        due = [entry for entry in self._late_wills if entry[0] <= now_s]
        self._late_wills = [entry for entry in self._late_wills if entry[0] > now_s]
        for _, session, will in due:
            self._publish(session, will, now_s)
        for topic in [t for t, m in self._retained.items() if _expired(m, now_s)]:
            del self._retained[topic]

    def close(self, now_s: float) -> None:
        """Close every connection; wills are not said, for nobody is left to hear them."""
        for client in list(self._clients):
            if client.session is not None:
                client.session.will = None
            self._drop(client, now_s, reason=0x8B)

    def _handle(self, client: Client, packet: Packet, now_s: float) -> None:
        if isinstance(packet, Connect):
            self._connect(client, packet, now_s)
            return
        session = client.session
        if session is None or session.outlet is None:
            return
        match packet:
            case Publish():
                self._take(session, session.outlet, packet, now_s)
            case Ack():
                self._acknowledged(session, session.outlet, packet, now_s)
            case Subscribe():
                self._subscribe(session, session.outlet, packet, now_s)
            case Unsubscribe():
                found = [session.subscriptions.pop(name, None) for name in packet.filters]
                reasons = [0x11 if subscription is None else 0 for subscription in found]
                client.connection.send(packets.unsuback(session.outlet.version, packet.packet_id, reasons))
            case Ping():
                client.connection.send(packets.pingresp())
            case Disconnect():
                self._leave(client, session, packet, now_s)

    def _connect(self, client: Client, packet: Connect, now_s: float) -> None:
        refusal = self._refusal(packet)
        if refusal:
            client.connection.send(packets.connack(packet.version, refusal))
            self._drop(client, now_s)
            return
        role = packet.username or ""
        assigned: wire.Properties = ()
        client_id = packet.client_id
        if not client_id:
            self._given_ids += 1
            client_id = f"auto-{self._given_ids}"
            assigned = ((wire.ASSIGNED_CLIENT_ID, client_id),)
        session, present = self._session(role, client_id, packet, now_s)
        client.session = session
        client.keepalive_s = packet.keepalive_s
        client.silent_until_s = now_s + 1.5 * packet.keepalive_s if packet.keepalive_s else None
        properties = (*_OFFERS, *assigned)
        client.connection.send(packets.connack(packet.version, 0, present=present, properties=properties))
        session.resume(_outlet(client.connection, packet), now_s)

    def _refusal(self, packet: Connect) -> int:
        if any(number == wire.AUTHENTICATION_METHOD for number, _ in packet.properties):
            return 0x8C
        if not self._rights.log_in(packet.username, packet.password):
            self._complain(f"a client was refused: wrong user name or password (user {packet.username!r})")
            return _NOT_AUTHORISED
        if not packet.client_id and not packet.clean and packet.version == packets.V311:
            return 0x85
        known = (packet.username or "", packet.client_id) in self._sessions
        return 0 if known or len(self._sessions) < MAX_SESSIONS else 0x97

    def _session(self, role: str, client_id: str, packet: Connect, now_s: float) -> tuple[Session, bool]:
        # Ids are kept apart by role: a display can't push the app out by taking its id.
        key = (role, client_id)
        old = self._sessions.get(key)
        if old is not None:
            self._take_over(old, now_s)
        late = [entry for entry in self._late_wills if entry[1] is old]
        self._late_wills = [entry for entry in self._late_wills if entry[1] is not old]
        if old is not None and not packet.clean:
            session, present = old, True
        else:
            # 3.1.3.2.2: the old session ends here, so its will can't wait any longer.
            for _, ended, will in late:
                self._publish(ended, will, now_s)
            session, present = Session(role, client_id), False
        keep_s = wire.number_of(packet.properties, wire.SESSION_EXPIRY, 0)
        if packet.version == packets.V311 and not packet.clean:
            keep_s = round(MAX_KEEP_S)
        session.keep_s = min(keep_s, MAX_KEEP_S)
        session.will = packet.will
        session.will_delay_s = packet.will_delay_s
        self._sessions[key] = session
        return session, present

    def _take_over(self, session: Session, now_s: float) -> None:
        for client in [c for c in self._clients if c.session is session]:
            self._complain(f"a second client uses the id {session.client_id!r}: the first one is closed")
            self._drop(client, now_s, reason=0x8E)

    def _leave(self, client: Client, session: Session, packet: Disconnect, now_s: float) -> None:
        if packet.reason == 0:
            session.will = None
        if session.keep_s:
            keep_s = wire.number_of(packet.properties, wire.SESSION_EXPIRY, round(session.keep_s))
            session.keep_s = min(keep_s, MAX_KEEP_S)
        self._drop(client, now_s)

    def _drop(self, client: Client, now_s: float, *, reason: int | None = None) -> None:
        if client not in self._clients:
            return
        self._clients.remove(client)
        client.open = False
        if reason is not None and client.session is not None and client.decoder.version == packets.V5:
            client.connection.send(packets.disconnect(reason))
        client.connection.close()
        session = client.session
        if session is None:
            return
        session.outlet = None
        session.gone_s = now_s
        will, session.will = session.will, None
        if not session.keep_s:
            self._sessions.pop((session.role, session.client_id), None)
        if will is not None:
            delay_s = min(session.will_delay_s, session.keep_s)
            if delay_s:
                self._late_wills.append((now_s + delay_s, session, will))
            else:
                self._publish(session, will, now_s)

    def _take(self, session: Session, outlet: Outlet, packet: Publish, now_s: float) -> None:
        message, allowed = packet.message, self._rights.write(session.role, packet.message.topic)
        # 4.3.3: a QoS 2 message that comes again before its PUBREL is the same one.
        if message.qos != 2 or packet.packet_id not in session.received:
            life_s = wire.number_of(packet.properties, wire.MESSAGE_EXPIRY, -1)
            expires_s = now_s + life_s if life_s >= 0 else None
            self._publish(session, replace(message, expires_s=expires_s), now_s)
        if message.qos == 2 and allowed:
            session.received.add(packet.packet_id)
        if message.qos:
            kind = packets.PUBACK if message.qos == 1 else packets.PUBREC
            answer = Ack(kind, packet.packet_id, 0 if allowed else _NOT_AUTHORISED)
            outlet.connection.send(packets.ack(outlet.version, answer))

    def _acknowledged(self, session: Session, outlet: Outlet, packet: Ack, now_s: float) -> None:
        if packet.kind == packets.PUBACK:
            session.acknowledged(packet.packet_id, now_s)
        elif packet.kind == packets.PUBREL:
            session.received.discard(packet.packet_id)
            outlet.connection.send(packets.ack(outlet.version, Ack(packets.PUBCOMP, packet.packet_id)))

    def _publish(self, sender: Session, message: Message, now_s: float) -> None:
        if not self._rights.write(sender.role, message.topic):
            self._complain(f"{sender.role!r} may not publish on {message.topic}")
            return
        if message.retain:
            self._retain(message)
        for session in list(self._sessions.values()):
            subscription = session.match(message.topic, from_self=session is sender)
            if subscription is not None and self._rights.read(session.role, message.topic):
                keep_flag = message.retain and subscription.retain_as_published
                qos = min(message.qos, subscription.qos)
                session.deliver(packets.with_qos(message, qos, retain=keep_flag), now_s)

    def _retain(self, message: Message) -> None:
        if not message.payload:
            self._retained.pop(message.topic, None)
        elif message.topic in self._retained or len(self._retained) < MAX_RETAINED:
            self._retained[message.topic] = message
        else:
            self._complain(f"more than {MAX_RETAINED} retained topics: the newest ones are not kept")

    def _subscribe(self, session: Session, outlet: Outlet, packet: Subscribe, now_s: float) -> None:
        reasons: list[int] = []
        fresh: list[Subscription] = []
        for wanted in packet.subscriptions:
            reason = _subscribe_refusal(session, wanted)
            if not reason:
                granted = replace(wanted, qos=min(wanted.qos, 1))
                known = session.subscriptions.get(wanted.topic_filter)
                session.subscriptions[wanted.topic_filter] = granted
                if granted.retain_handling == 0 or (granted.retain_handling == 1 and known is None):
                    fresh.append(granted)
                reason = granted.qos
            reasons.append(reason)
        outlet.connection.send(packets.suback(outlet.version, packet.packet_id, reasons))
        for subscription in fresh:
            self._send_retained(session, subscription, now_s)

    def _send_retained(self, session: Session, subscription: Subscription, now_s: float) -> None:
        for topic, message in list(self._retained.items()):
            if (
                matches(subscription.topic_filter, topic)
                and not _expired(message, now_s)
                and self._rights.read(session.role, topic)
            ):
                qos = min(message.qos, subscription.qos)
                session.deliver(packets.with_qos(message, qos, retain=True), now_s)

    def _complain(self, text: str) -> None:
        if text not in self._complaints and len(self._complaints) < MAX_COMPLAINTS:
            self._complaints.add(text)
            _LOG.warning("broker: %s", text)


def _outlet(connection: Connection, packet: Connect) -> Outlet:
    return Outlet(
        connection,
        packet.version,
        window=min(WINDOW, wire.number_of(packet.properties, wire.RECEIVE_MAXIMUM, WINDOW)),
        max_packet_bytes=wire.number_of(
            packet.properties, wire.MAXIMUM_PACKET_SIZE, packets.MAX_PACKET_BYTES
        ),
    )


def _subscribe_refusal(session: Session, wanted: Subscription) -> int:
    if wanted.topic_filter.startswith("$share/"):
        return 0x9E
    if not packets.is_filter(wanted.topic_filter):
        return 0x8F
    known = wanted.topic_filter in session.subscriptions
    return 0 if known or len(session.subscriptions) < MAX_SUBSCRIPTIONS else 0x97


def _expired(message: Message, now_s: float) -> bool:
    return message.expires_s is not None and message.expires_s <= now_s
