"""MQTT 3.1.1 and 5 as a broker sees it: bytes in, packets out, and packets back into bytes. No I/O.

Section numbers are those of MQTT 5.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from companion.bus import wire
from companion.bus.errors import PacketError
from companion.bus.wire import Cursor, Properties

MAX_PACKET_BYTES: Final = 1_048_576
"""The largest packet taken from a client; a whole game state is some 20 kB."""

MAX_CONNECT_BYTES: Final = 65_536
"""The largest packet taken from somebody who has not shown a password."""

V311: Final = 4
V5: Final = 5
"""Protocol levels (3.1.2.2)."""

CONNECT, CONNACK, PUBLISH, PUBACK, PUBREC, PUBREL, PUBCOMP, SUBSCRIBE = range(1, 9)
SUBACK, UNSUBSCRIBE, UNSUBACK, PINGREQ, PINGRESP, DISCONNECT, AUTH = range(9, 16)

_RETURN_CODES_311: Final = {0x00: 0, 0x84: 1, 0x85: 2, 0x86: 4, 0x87: 5, 0x88: 3, 0x97: 3}
"""What a CONNACK of 3.1.1 says for a reason code of MQTT 5."""


@dataclass(frozen=True, slots=True)
class Message:
    """An application message on its way.

    Args:
        topic: without wildcards.
        payload: any bytes.
        qos: 0 to 2.
        retain: as the sender set it.
        properties: those that go on to the receivers.
        expires_s: on the broker's clock; None: never.
    """

    topic: str
    payload: bytes
    qos: int
    retain: bool = False
    properties: Properties = ()
    expires_s: float | None = None


@dataclass(frozen=True, slots=True)
class Connect:
    """A client's first packet (3.1)."""

    version: int
    client_id: str
    clean: bool
    keepalive_s: int
    username: str | None
    password: bytes | None = field(repr=False)
    will: Message | None = None
    will_delay_s: int = 0
    properties: Properties = ()


@dataclass(frozen=True, slots=True)
class Publish:
    """A message from a client (3.3); `packet_id` is 0 with QoS 0."""

    message: Message
    packet_id: int
    properties: Properties = ()


@dataclass(frozen=True, slots=True)
class Ack:
    """PUBACK, PUBREC, PUBREL or PUBCOMP, told apart by `kind` (3.4 to 3.7)."""

    kind: int
    packet_id: int
    reason: int = 0


@dataclass(frozen=True, slots=True)
class Subscription:
    """What a client asks for (3.8.3.1)."""

    topic_filter: str
    qos: int
    no_local: bool = False
    retain_as_published: bool = False
    retain_handling: int = 0


@dataclass(frozen=True, slots=True)
class Subscribe:
    """A client's new subscriptions (3.8)."""

    packet_id: int
    subscriptions: tuple[Subscription, ...]
    properties: Properties = ()


@dataclass(frozen=True, slots=True)
class Unsubscribe:
    """Subscriptions that a client gives up (3.10)."""

    packet_id: int
    filters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ping:
    """A client that has nothing to say (3.12)."""


@dataclass(frozen=True, slots=True)
class Disconnect:
    """A client that leaves (3.14)."""

    reason: int = 0
    properties: Properties = ()


Packet = Connect | Publish | Ack | Subscribe | Unsubscribe | Ping | Disconnect


class Decoder:
    """Puts the packets of one connection together from pieces of any size; the first one is a Connect."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self.version = 0
        """Protocol level, known after the Connect."""

    def feed(self, data: bytes) -> Iterator[Packet]:
        """Take in bytes and give out each packet that is complete.

        Raises:
            PacketError: what came is no MQTT; nothing more can be read from this connection.
        """
        self._buffer += data
        while (packet := self._next()) is not None:
            yield packet

    def _next(self) -> Packet | None:
        if not self._buffer:
            return None
        first = self._buffer[0]
        kind = first >> 4
        # Looked at before the rest has come: who speaks something else is not waited for.
        if (self.version == 0) != (kind == CONNECT):
            raise PacketError("CONNECT must come first, and once", 0x82)
        if kind not in _DECODERS:
            raise PacketError(f"packet type {kind} is not for a broker", 0x82)
        header = self._header()
        if header is None or len(self._buffer) < header[0] + header[1]:
            return None
        start, length = header
        body = Cursor(bytes(self._buffer[start : start + length]))
        del self._buffer[: start + length]
        packet = _DECODERS[kind](first & 0x0F, body, self.version)
        if body.left:
            raise PacketError("packet has bytes too many")
        if isinstance(packet, Connect):
            self.version = packet.version
        return packet

    def _header(self) -> tuple[int, int] | None:
        length = 0
        for i, byte in enumerate(self._buffer[1:5]):
            length |= (byte & 0x7F) << (7 * i)
            if byte < 0x80:
                if length > (MAX_PACKET_BYTES if self.version else MAX_CONNECT_BYTES):
                    raise PacketError("packet too large", 0x95)
                return i + 2, length
        if len(self._buffer) >= 5:
            raise PacketError("a length of more than four bytes")
        return None


def _connect(flags: int, body: Cursor, _version: int) -> Connect:
    _flags_are(flags, 0)
    if body.text() != "MQTT":
        raise PacketError("unknown protocol name", 0x84)
    version, bits, keepalive_s = body.byte(), body.byte(), body.u16()
    if version not in (V311, V5):
        raise PacketError("unknown protocol version", 0x84)
    if bits & 0x01 or (bits >> 3) & 0x03 == 3 or (not bits & 0x04 and bits & 0x38):
        raise PacketError("bad connect flags")
    properties = body.properties() if version == V5 else ()
    client_id = body.text()
    will, delay_s = _will(bits, body, version) if bits & 0x04 else (None, 0)
    return Connect(
        version=version,
        client_id=client_id,
        clean=bool(bits & 0x02),
        keepalive_s=keepalive_s,
        username=body.text() if bits & 0x80 else None,
        password=body.binary() if bits & 0x40 else None,
        will=will,
        will_delay_s=delay_s,
        properties=properties,
    )


def _will(bits: int, body: Cursor, version: int) -> tuple[Message, int]:
    properties = body.properties() if version == V5 else ()
    topic = body.text()
    if not is_topic(topic):
        raise PacketError("a will on what is no topic", 0x90)
    message = Message(topic, body.binary(), (bits >> 3) & 0x03, bool(bits & 0x20), _forwarded(properties))
    return message, wire.number_of(properties, wire.WILL_DELAY, 0)


def _publish(flags: int, body: Cursor, version: int) -> Publish:
    qos = (flags >> 1) & 0x03
    if qos == 3:
        raise PacketError("QoS 3 is none")
    topic = body.text()
    if not is_topic(topic):
        raise PacketError("not a topic to publish on", 0x90)
    packet_id = _packet_id(body) if qos else 0
    properties = body.properties() if version == V5 else ()
    if any(number == wire.TOPIC_ALIAS for number, _ in properties):
        raise PacketError("topic aliases were not offered", 0x94)
    message = Message(topic, body.rest(), qos, bool(flags & 0x01), _forwarded(properties))
    return Publish(message, packet_id, properties)


def _ack(kind: int) -> Callable[[int, Cursor, int], Ack]:
    def decode(flags: int, body: Cursor, version: int) -> Ack:
        _flags_are(flags, 2 if kind == PUBREL else 0)
        packet_id = _packet_id(body)
        reason = body.byte() if version == V5 and body.left else 0
        if version == V5 and body.left:
            body.properties()
        return Ack(kind, packet_id, reason)

    return decode


def _subscribe(flags: int, body: Cursor, version: int) -> Subscribe:
    _flags_are(flags, 2)
    packet_id = _packet_id(body)
    properties = body.properties() if version == V5 else ()
    wanted: list[Subscription] = []
    while body.left or not wanted:
        topic_filter, options = body.text(), body.byte()
        # 3.8.3.1 and, for 3.1.1, its own 3.8.3: the upper bits are reserved.
        if options & (0xC0 if version == V5 else 0xFC) or options & 0x03 == 3 or options & 0x30 == 0x30:
            raise PacketError("bad subscription options")
        wanted.append(
            Subscription(
                topic_filter, options & 0x03, bool(options & 0x04), bool(options & 0x08), options >> 4
            )
        )
    return Subscribe(packet_id, tuple(wanted), properties)


def _unsubscribe(flags: int, body: Cursor, version: int) -> Unsubscribe:
    _flags_are(flags, 2)
    packet_id = _packet_id(body)
    if version == V5:
        body.properties()
    filters = [body.text()]
    while body.left:
        filters.append(body.text())
    return Unsubscribe(packet_id, tuple(filters))


def _ping(flags: int, _body: Cursor, _version: int) -> Ping:
    _flags_are(flags, 0)
    return Ping()


def _disconnect(flags: int, body: Cursor, version: int) -> Disconnect:
    _flags_are(flags, 0)
    if version != V5 or not body.left:
        return Disconnect()
    return Disconnect(body.byte(), body.properties() if body.left else ())


_DECODERS: Final[dict[int, Callable[[int, Cursor, int], Packet]]] = {
    CONNECT: _connect,
    PUBLISH: _publish,
    **{kind: _ack(kind) for kind in (PUBACK, PUBREC, PUBREL, PUBCOMP)},
    SUBSCRIBE: _subscribe,
    UNSUBSCRIBE: _unsubscribe,
    PINGREQ: _ping,
    DISCONNECT: _disconnect,
}


def _flags_are(flags: int, expected: int) -> None:
    if flags != expected:
        raise PacketError("bad flags in the fixed header")


def _packet_id(body: Cursor) -> int:
    packet_id = body.u16()
    if packet_id == 0:
        raise PacketError("packet id 0 is none", 0x82)
    return packet_id


def _forwarded(properties: Properties) -> Properties:
    return tuple(entry for entry in properties if entry[0] in wire.FORWARDED)


def is_topic(name: str) -> bool:
    """Tell whether a message can be published on `name` (4.7)."""
    return bool(name) and "+" not in name and "#" not in name


def is_filter(name: str) -> bool:
    """Tell whether `name` can be subscribed to (4.7)."""
    levels = name.split("/")
    return (
        bool(name)
        and all(level in ("+", "#") or ("+" not in level and "#" not in level) for level in levels)
        and "#" not in levels[:-1]
    )


def connack(version: int, reason: int, *, present: bool = False, properties: Properties = ()) -> bytes:
    """Write the answer to a Connect (3.2)."""
    code = reason if version == V5 else _RETURN_CODES_311.get(reason, 3)
    tail = wire.properties(properties) if version == V5 else b""
    return _packet(CONNACK, bytes((present, code)) + tail)


def publish(version: int, message: Message, packet_id: int, *, dup: bool, now_s: float) -> bytes:
    """Write a message to a subscriber (3.3); what is left of its life goes with it."""
    properties = message.properties
    if message.expires_s is not None:
        left_s = max(0, round(message.expires_s - now_s))
        properties = (*properties, (wire.MESSAGE_EXPIRY, left_s))
    return _packet(
        PUBLISH,
        wire.text(message.topic)
        + (wire.u16(packet_id) if message.qos else b"")
        + (wire.properties(properties) if version == V5 else b"")
        + message.payload,
        flags=(0x08 if dup else 0) | message.qos << 1 | message.retain,
    )


def ack(version: int, answer: Ack) -> bytes:
    """Write a PUBACK, PUBREC, PUBREL or PUBCOMP."""
    reason = bytes((answer.reason,)) if version == V5 and answer.reason else b""
    flags = 2 if answer.kind == PUBREL else 0
    return _packet(answer.kind, wire.u16(answer.packet_id) + reason, flags=flags)


def suback(version: int, packet_id: int, reasons: list[int]) -> bytes:
    """Write the answer to a Subscribe (3.9)."""
    codes = reasons if version == V5 else [min(reason, 0x80) for reason in reasons]
    return _packet(SUBACK, wire.u16(packet_id) + (b"\0" if version == V5 else b"") + bytes(codes))


def unsuback(version: int, packet_id: int, reasons: list[int]) -> bytes:
    """Write the answer to an Unsubscribe (3.11)."""
    return _packet(UNSUBACK, wire.u16(packet_id) + (b"\0" + bytes(reasons) if version == V5 else b""))


def pingresp() -> bytes:
    """Write the answer to a Ping (3.13)."""
    return _packet(PINGRESP, b"")


def disconnect(reason: int) -> bytes:
    """Write why the connection is closed; only MQTT 5 has this from a broker (3.14)."""
    return _packet(DISCONNECT, bytes((reason,)))


def with_qos(message: Message, qos: int, *, retain: bool) -> Message:
    """Return the message as it goes to one subscriber."""
    return replace(message, qos=qos, retain=retain)


def _packet(kind: int, body: bytes, flags: int = 0) -> bytes:
    return bytes((kind << 4 | flags,)) + wire.varint(len(body)) + body
