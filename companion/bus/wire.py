"""Fields of MQTT packets: numbers, texts, properties (MQTT 5, 1.5 and 2.2.2)."""

from dataclasses import dataclass, field
from typing import Final, Literal

from companion.bus.errors import PacketError

PropertyValue = int | str | bytes | tuple[str, str]
Properties = tuple[tuple[int, PropertyValue], ...]

MESSAGE_EXPIRY: Final = 0x02
SESSION_EXPIRY: Final = 0x11
ASSIGNED_CLIENT_ID: Final = 0x12
AUTHENTICATION_METHOD: Final = 0x15
WILL_DELAY: Final = 0x18
RECEIVE_MAXIMUM: Final = 0x21
TOPIC_ALIAS: Final = 0x23
USER_PROPERTY: Final = 0x26
MAXIMUM_PACKET_SIZE: Final = 0x27
SUBSCRIPTION_ID: Final = 0x0B
SUBSCRIPTION_IDS_AVAILABLE: Final = 0x29
SHARED_AVAILABLE: Final = 0x2A

FORWARDED: Final = frozenset({0x01, 0x03, 0x08, 0x09, USER_PROPERTY})
"""Properties of a message that go on to its receivers as they came (MQTT 5, 3.3.2.3)."""

_Type = Literal["byte", "u16", "u32", "varint", "text", "binary", "pair"]
_TYPES: Final[dict[int, _Type]] = {
    # MQTT 5, table 2-4.
    **dict.fromkeys((0x01, 0x17, 0x19, 0x24, 0x25, 0x28, 0x29, 0x2A), "byte"),
    **dict.fromkeys((0x13, 0x21, 0x22, 0x23), "u16"),
    **dict.fromkeys((0x02, 0x11, 0x18, 0x27), "u32"),
    0x0B: "varint",
    **dict.fromkeys((0x03, 0x08, 0x12, 0x15, 0x1A, 0x1C, 0x1F), "text"),
    **dict.fromkeys((0x09, 0x16), "binary"),
    0x26: "pair",
}


@dataclass(slots=True)
class Cursor:
    """Reads one packet's body from front to back; PacketError where it is too short or malformed."""

    data: bytes
    at: int = field(default=0)

    @property
    def left(self) -> int:
        """Bytes that have not been read."""
        return len(self.data) - self.at

    def take(self, count: int) -> bytes:
        """Read `count` bytes."""
        if count > self.left:
            raise PacketError("packet ends early")
        self.at += count
        return self.data[self.at - count : self.at]

    def rest(self) -> bytes:
        """Read all that is left."""
        return self.take(self.left)

    def byte(self) -> int:
        """Read a number of one byte."""
        return self.take(1)[0]

    def u16(self) -> int:
        """Read a number of two bytes."""
        return int.from_bytes(self.take(2), "big")

    def u32(self) -> int:
        """Read a number of four bytes."""
        return int.from_bytes(self.take(4), "big")

    def varint(self) -> int:
        """Read a number of one to four bytes, seven bits in each (MQTT 5, 1.5.5)."""
        value = 0
        for shift in (0, 7, 14, 21):
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
        raise PacketError("a length of more than four bytes")

    def binary(self) -> bytes:
        """Read bytes behind their length."""
        return self.take(self.u16())

    def text(self) -> str:
        """Read UTF-8 behind its length (MQTT 5, 1.5.4)."""
        try:
            text = self.binary().decode("utf-8")
        except UnicodeDecodeError:
            raise PacketError("a text that is not UTF-8") from None
        if "\0" in text:
            raise PacketError("a text with a NUL")
        return text

    def properties(self) -> Properties:
        """Read a list of properties behind its length."""
        inner = Cursor(self.take(self.varint()))
        found: list[tuple[int, PropertyValue]] = []
        seen: set[int] = set()
        while inner.left:
            number = inner.varint()
            if number not in _TYPES:
                raise PacketError(f"property {number:#04x} is none")
            if number in seen and number not in (USER_PROPERTY, SUBSCRIPTION_ID):
                raise PacketError(f"property {number:#04x} twice", 0x82)
            seen.add(number)
            found.append((number, inner.property_value(_TYPES[number])))
        return tuple(found)

    def property_value(self, kind: _Type) -> PropertyValue:
        """Read the value of one property."""
        match kind:
            case "byte":
                return self.byte()
            case "u16":
                return self.u16()
            case "u32":
                return self.u32()
            case "varint":
                return self.varint()
            case "text":
                return self.text()
            case "binary":
                return self.binary()
            case "pair":
                return self.text(), self.text()


def number_of(properties: Properties, wanted: int, default: int) -> int:
    """Return the value of a property that is a number."""
    for number, value in properties:
        if number == wanted and isinstance(value, int):
            return value
    return default


def varint(value: int) -> bytes:
    """Write a number in one to four bytes."""
    out = bytearray()
    while True:
        value, low = divmod(value, 0x80)
        out.append(low | 0x80 if value else low)
        if not value:
            return bytes(out)


def u16(value: int) -> bytes:
    """Write a number in two bytes."""
    return value.to_bytes(2, "big")


def binary(value: bytes) -> bytes:
    """Write bytes behind their length."""
    return u16(len(value)) + value


def text(value: str) -> bytes:
    """Write UTF-8 behind its length."""
    return binary(value.encode())


def properties(values: Properties) -> bytes:
    """Write a list of properties behind its length."""
    body = b"".join(varint(number) + _property(number, value) for number, value in values)
    return varint(len(body)) + body


def _property(number: int, value: PropertyValue) -> bytes:
    if isinstance(value, tuple):
        return text(value[0]) + text(value[1])
    if isinstance(value, str):
        return text(value)
    if isinstance(value, bytes):
        return binary(value)
    size = {"byte": 1, "u16": 2, "u32": 4}.get(_TYPES[number])
    return varint(value) if size is None else value.to_bytes(size, "big")
