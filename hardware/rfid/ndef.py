"""NDEF text in the memory of an NFC Forum Type 2 tag: bytes in, text or a reason out.

Type 2 Tag Operation 1.1 (TLV blocks, 2.3), NDEF 1.0 (records, 3.2), Text RTD 1.0 (3.2). Only what is needed
to find one text: records before it are stepped over whatever they are. Also runs on the MicroPython of the
nodes.
"""

PREFIX = "companion:"
"""How the text begins that names a component (contracts, section 6)."""
LANGUAGE = b"en"

NULL_TLV = 0x00
LOCK_CONTROL_TLV = 0x01
MEMORY_CONTROL_TLV = 0x02
NDEF_TLV = 0x03
TERMINATOR_TLV = 0xFE
_LONG_LENGTH = 0xFF

# Header of a record: flags and Type Name Format.
_FIRST = 0x80
_LAST = 0x40
_CHUNK = 0x20
_SHORT = 0x10
_HAS_ID = 0x08
_TNF = 0x07
_WELL_KNOWN = 0x01

_UTF_16 = 0x80
_LANGUAGE_BYTES = 0x3F


class NdefError(Exception):
    """Data that is no NDEF text; the message is the reason."""


class TooShortError(NdefError):
    """The data breaks off; more of the memory may mend it.

    Attributes:
        bytes_needed: how much of the memory there must be at least.
    """

    def __init__(self, bytes_needed: int) -> None:
        super().__init__("the data breaks off")
        self.bytes_needed = bytes_needed


class Block:
    """A TLV block.

    Attributes:
        tag: its kind.
        at: index of its first byte in the area.
        start: index of its value.
        end: index behind its value.
    """

    __slots__ = ("at", "end", "start", "tag")

    def __init__(self, tag: int, at: int, start: int, end: int) -> None:
        self.tag = tag
        self.at = at
        self.start = start
        self.end = end


def ndef_block(area: bytes, size: int) -> "Block | None":
    """The first NDEF block of a data area, whole; None where a terminator or the end comes first.

    Lock and memory control blocks are stepped over: on NTAG21x they name bytes behind the data area.

    Args:
        area: as much of the data area as was read.
        size: how long the data area is.

    Raises:
        TooShortError: not enough was read.
        NdefError: the block is longer than the data area.
    """
    at = 0
    while at < size:
        block = _block(area, at)
        if block.tag == TERMINATOR_TLV:
            return None
        if block.tag == NDEF_TLV:
            if block.end > size:
                raise NdefError("an NDEF message longer than the tag")
            if len(area) < block.end:
                raise TooShortError(block.end)
            return block
        at = block.end
    return None


def room_at(area: bytes) -> int:
    """Index at which an NDEF block is to be written: behind the control blocks of an area.

    Raises:
        TooShortError: the area ends before the control blocks do.
    """
    at = 0
    while True:
        block = _block(area, at)
        if block.tag not in {NULL_TLV, LOCK_CONTROL_TLV, MEMORY_CONTROL_TLV}:
            return at
        if block.tag == NULL_TLV and not any(area[at:]):
            return at
        at = block.end


def _block(area: bytes, at: int) -> Block:
    if at >= len(area):
        raise TooShortError(at + 1)
    tag = area[at]
    if tag in {NULL_TLV, TERMINATOR_TLV}:
        return Block(tag, at, at + 1, at + 1)
    if at + 1 >= len(area):
        raise TooShortError(at + 2)
    if area[at + 1] != _LONG_LENGTH:
        return Block(tag, at, at + 2, at + 2 + area[at + 1])
    if at + 4 > len(area):
        raise TooShortError(at + 4)
    return Block(tag, at, at + 4, at + 4 + (area[at + 2] << 8 | area[at + 3]))


def text_of(message: bytes, prefix: str = PREFIX) -> str:
    """The first text of an NDEF message that begins like this.

    Raises:
        NdefError: there is none, or the message is broken before it.
    """
    at = 0
    problem = f"no text record that begins with {prefix}"
    while at < len(message):
        header, kind, payload, at = _record(message, at)
        if header & _CHUNK:
            raise NdefError("a record in chunks")
        if header & _TNF == _WELL_KNOWN and kind == b"T":
            text = _text(payload)
            if text.startswith(prefix):
                return text
        if header & _LAST:
            break
    raise NdefError(problem)


def _record(message: bytes, at: int) -> "tuple[int, bytes, bytes, int]":
    """Header, type and payload of a record, and where the next one begins."""
    header = message[at]
    lengths = at + (3 if header & _SHORT else 6) + (1 if header & _HAS_ID else 0)
    if lengths > len(message):
        raise NdefError("a record that breaks off")
    kind_bytes = message[at + 1]
    payload_bytes = int.from_bytes(message[at + 2 : at + (3 if header & _SHORT else 6)], "big")
    id_bytes = message[lengths - 1] if header & _HAS_ID else 0
    payload_at = lengths + kind_bytes + id_bytes
    end = payload_at + payload_bytes
    if end > len(message):
        raise NdefError("a record that breaks off")
    return header, message[lengths : lengths + kind_bytes], message[payload_at:end], end


def _text(payload: bytes) -> str:
    if not payload or 1 + (payload[0] & _LANGUAGE_BYTES) > len(payload):
        raise NdefError("a text record that breaks off")
    if payload[0] & _UTF_16:
        raise NdefError("a text in UTF-16: write it in UTF-8")
    try:
        return str(payload[1 + (payload[0] & _LANGUAGE_BYTES) :], "utf-8")
    except ValueError:
        raise NdefError("a text that is no UTF-8") from None


def text_message(text: str) -> bytes:
    """An NDEF message of one short text record.

    Raises:
        NdefError: the text is longer than a short record takes.
    """
    payload = bytes([len(LANGUAGE)]) + LANGUAGE + text.encode()
    if len(payload) > 0xFF:
        raise NdefError(f"{len(payload)} bytes are too many for one short record")
    return bytes([_FIRST | _LAST | _SHORT | _WELL_KNOWN, 1, len(payload)]) + b"T" + payload


def in_block(message: bytes) -> bytes:
    """A message as NDEF block with a terminator behind it."""
    size = len(message)
    length = bytes([size]) if size < _LONG_LENGTH else bytes([_LONG_LENGTH, size >> 8, size & 0xFF])
    return bytes([NDEF_TLV]) + length + message + bytes([TERMINATOR_TLV])
