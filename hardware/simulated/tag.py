"""ISO/IEC 14443-3 type A tags at bit level: states, cascade levels, and silence where silence is due.

The states and what leads from one to the other are those of 14443-3, 6.3 (PICC type A state diagram).
"""

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final

from hardware.rfid.crc_a import bcc, crc_a, with_crc
from hardware.simulated.air import bits_of
from hardware.simulated.memory import NtagMemory

Frame = tuple[int, int]
"""(value, bits), first bit on air in bit 0."""

CASCADE_TAG: Final = 0x88
SELECT_CODES: Final = {0x93: 0, 0x95: 1, 0x97: 2}
UID_LENGTHS: Final = (4, 7, 10)
# ATQA with the UID size in bits 7 and 8 of the first byte and one anticollision bit (14443-3, 6.5.2).
_ATQA: Final = {4: b"\x04\x00", 7: b"\x44\x00", 10: b"\x84\x00"}
# SAK of the last level: MIFARE Classic 1K for 4 bytes, NTAG21x for 7; 10 has no usual type, 0 is legal.
_SAK: Final = {4: 0x08, 7: 0x00, 10: 0x00}
_SAK_INCOMPLETE: Final = 0x04
_HLTA: Final = b"\x50\x00"
# Four bits (NTAG data sheet, 9.3).
_ACK: Final = (0x0A, 4)
_NAK: Final = (0x00, 4)


class TagState(Enum):
    """Where a tag stands; the starred states are those entered from HALT."""

    POWER_OFF = "power-off"
    IDLE = "idle"
    READY = "ready"
    ACTIVE = "active"
    HALT = "halt"
    READY_STAR = "ready*"
    ACTIVE_STAR = "active*"


class Verb(Enum):
    """What a reader's frame asks for."""

    REQA = 1
    WUPA = 2
    ANTICOLL = 3
    SELECT = 4
    HLTA = 5
    READ = 6
    WRITE = 7
    OTHER = 8
    """Well-formed or not, nothing that these tags answer."""


@dataclass(frozen=True, slots=True)
class Command:
    """One frame of the reader, understood."""

    verb: Verb
    level: int = 0
    known: Frame = (0, 0)
    """The UID bits (of this level) that the reader names."""
    page: int = 0
    data: bytes = b""


_REQA = Command(Verb.REQA)
_WUPA = Command(Verb.WUPA)
_HALT = Command(Verb.HLTA)
UNINTELLIGIBLE: Final = Command(Verb.OTHER)
"""What a tag makes of a disturbed frame."""


@lru_cache(maxsize=1024)
def understand(value: int, bits: int) -> Command:
    """Read a reader's frame as a tag would."""
    if bits == 7:
        return _REQA if value == 0x26 else _WUPA if value == 0x52 else UNINTELLIGIBLE
    if bits < 16:
        return UNINTELLIGIBLE
    level = SELECT_CODES.get(value & 0xFF)
    if level is not None:
        return _cascade(level, value, bits)
    return _with_crc(value.to_bytes(bits // 8, "little")) if bits in {32, 64} else UNINTELLIGIBLE


def _with_crc(frame: bytes) -> Command:
    body = frame[:-2]
    if crc_a(body) != frame[-2:]:
        return UNINTELLIGIBLE
    if body == _HLTA:
        return _HALT
    if body[0] == 0x30 and len(body) == 2:
        return Command(Verb.READ, page=body[1])
    if body[0] == 0xA2 and len(body) == 6:
        return Command(Verb.WRITE, page=body[1], data=body[2:])
    return UNINTELLIGIBLE


def _cascade(level: int, value: int, bits: int) -> Command:
    nvb = (value >> 8) & 0xFF
    if nvb == 0x70:
        if bits != 72:
            return UNINTELLIGIBLE
        frame = value.to_bytes(9, "little")
        good = crc_a(frame[:7]) == frame[7:]
        return Command(Verb.SELECT, level, (value >> 16 & 0xFF_FFFF_FFFF, 40)) if good else UNINTELLIGIBLE
    # NVB counts whole bytes with SEL and NVB in the high half, further bits in the low half.
    known_bits = ((nvb >> 4) - 2) * 8 + (nvb & 0x07)
    if nvb & 0x08 or not 0 <= known_bits < 40 or bits != 16 + known_bits:
        return UNINTELLIGIBLE
    return Command(Verb.ANTICOLL, level, (value >> 16, known_bits))


class Tag:
    """One tag.

    Args:
        uid: the whole UID, 4, 7 or 10 bytes, without cascade bytes.
        atqa: two bytes; the usual ones for this UID size by default.
        sak: SAK of the last level; bit 0x04 must be clear.

    Attributes:
        memory: of a tag with seven bytes, an NTAG213; None: it answers neither READ nor WRITE.
    """

    __slots__ = ("_atqa", "_level", "_levels", "_saks", "memory", "state", "uid")

    def __init__(self, uid: bytes, *, atqa: bytes | None = None, sak: int | None = None) -> None:
        _check_uid(uid)
        final = _SAK[len(uid)] if sak is None else sak
        if final & _SAK_INCOMPLETE:
            raise ValueError(
                f"SAK {final:#04x}: bit 0x04 says that the UID goes on, so the last level clears it"
            )
        self.uid = uid
        self.memory = NtagMemory(uid) if len(uid) == 7 else None
        self.state = TagState.POWER_OFF
        self._level = 0
        self._atqa: Frame = bits_of(atqa or _ATQA[len(uid)])
        parts = cascade_parts(uid)
        self._levels = tuple(int.from_bytes((*part, bcc(part)), "little") for part in parts)
        saks = [_SAK_INCOMPLETE] * (len(parts) - 1) + [final]
        self._saks = tuple(bits_of(with_crc(bytes([sak]))) for sak in saks)

    def power(self, on: bool) -> None:  # noqa: FBT001 the field is on or off, there is no third
        """The field comes or goes; a tag forgets everything without it."""
        self.state = TagState.IDLE if on else TagState.POWER_OFF

    def hear(self, command: Command) -> Frame | None:
        """Take one frame; the answer, or None for silence."""
        state = self.state
        if state is TagState.IDLE or state is TagState.HALT:
            return self._wake(command)
        if state is TagState.READY or state is TagState.READY_STAR:
            return self._cascade(command)
        if state is TagState.POWER_OFF:
            return None
        if self.memory is not None and command.verb in {Verb.READ, Verb.WRITE}:
            return self._access(self.memory, command)
        self._leave_active(command)
        return None

    def _access(self, memory: NtagMemory, command: Command) -> Frame:
        """READ or WRITE; a refusal throws the tag back (NTAG data sheet, 9.3)."""
        if command.verb is Verb.READ:
            data = memory.read(command.page)
            if data is not None:
                return bits_of(with_crc(data))
        elif memory.write(command.page, command.data):
            return _ACK
        self._fall_back()
        return _NAK

    def _wake(self, command: Command) -> Frame | None:
        verb = command.verb
        halted = self.state is TagState.HALT
        if verb is Verb.WUPA or (verb is Verb.REQA and not halted):
            self.state = TagState.READY_STAR if halted else TagState.READY
            self._level = 0
            return self._atqa
        return None

    def _cascade(self, command: Command) -> Frame | None:
        level = self._level
        if command.level == level:
            own = self._levels[level]
            value, bits = command.known
            if command.verb is Verb.ANTICOLL and own & ((1 << bits) - 1) == value:
                return own >> bits, 40 - bits
            if command.verb is Verb.SELECT and own == value:
                return self._selected()
        # Anything else, also an anticollision frame that names another tag's bits: back, without a word.
        self._fall_back()
        return None

    def _selected(self) -> Frame:
        answer = self._saks[self._level]
        if self._level + 1 < len(self._levels):
            self._level += 1
        else:
            self.state = TagState.ACTIVE if self.state is TagState.READY else TagState.ACTIVE_STAR
        return answer

    def _leave_active(self, command: Command) -> None:
        if command.verb is Verb.HLTA:
            self.state = TagState.HALT
        else:
            self._fall_back()

    def _fall_back(self) -> None:
        starred = self.state in {TagState.READY_STAR, TagState.ACTIVE_STAR}
        self.state = TagState.HALT if starred else TagState.IDLE


def cascade_parts(uid: bytes) -> tuple[bytes, ...]:
    """The four bytes of each cascade level; all but the last begin with the cascade tag (14443-3, 6.5.4)."""
    parts: list[bytes] = []
    rest = uid
    while len(rest) > 4:
        parts.append(bytes([CASCADE_TAG]) + rest[:3])
        rest = rest[3:]
    return (*parts, rest)


def _check_uid(uid: bytes) -> None:
    if len(uid) not in UID_LENGTHS:
        raise ValueError(f"UID {uid.hex().upper()}: {len(uid)} bytes, and tags have 4, 7 or 10")
    if cascade_parts(uid)[-1][0] == CASCADE_TAG:
        raise ValueError(
            f"UID {uid.hex().upper()}: 88 opens its last level, which the standard keeps for the cascade tag"
        )
