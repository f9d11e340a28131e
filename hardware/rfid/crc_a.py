"""CRC_A and BCC, the two check sums of ISO/IEC 14443-3 type A (6.2.4 and 6.5.3.3).

Also runs on the MicroPython of the nodes.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

PRESET = 0x6363
"""Start value (Annex B); the MFRC522 calls it CRC preset 01."""


def _row(index: int) -> int:
    """One byte's effect on the register: x^16 + x^12 + x^5 + 1, least significant bit first."""
    for _ in range(8):
        index = (index >> 1) ^ (0x8408 if index & 1 else 0)
    return index


_TABLE = tuple([_row(index) for index in range(256)])


def crc_a(data: "Iterable[int]", preset: int = PRESET) -> bytes:
    """The two check bytes in the order they are sent, low byte first."""
    register = preset
    for byte in data:
        register = (register >> 8) ^ _TABLE[(register ^ byte) & 0xFF]
    return register.to_bytes(2, "little")


def with_crc(data: bytes) -> bytes:
    """The frame with its CRC_A behind it."""
    return data + crc_a(data)


def bcc(uid_part: "Iterable[int]") -> int:
    """The check byte of one cascade level: XOR of its four bytes."""
    check = 0
    for byte in uid_part:
        check ^= byte
    return check
