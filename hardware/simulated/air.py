"""How long frames of ISO/IEC 14443 type A take at 106 kbit/s, and how they look bit by bit.

A frame is a pair (value, bits): the data bits without parity, the first bit on air being bit 0.
"""

CARRIER_HZ = 13.56e6
BIT_S = 128 / CARRIER_HZ
"""One bit at 106 kbit/s (14443-2, 8.1.1)."""
FRAME_DELAY_S = 1236 / CARRIER_HZ
"""From the end of the reader's frame to the tag's answer, last bit 1 (14443-3, 6.2.1.1, n = 9)."""
TAG_START_UP_S = 0.005
"""A tag may need this long in an unmodulated field before it hears anything (14443-3, 5.2)."""


def air_s(bits: int) -> float:
    """Seconds on air of a frame: start bit, data, a parity bit for every whole byte, end of frame."""
    return (bits + bits // 8 + 2) * BIT_S


def bits_of(data: bytes) -> tuple[int, int]:
    """A frame of whole bytes."""
    return int.from_bytes(data, "little"), 8 * len(data)
