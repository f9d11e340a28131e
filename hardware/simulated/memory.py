"""The memory of a simulated NTAG213: pages, lock bits, capability container (NXP data sheet, section 8.5)."""

from typing import Final

from hardware.rfid.crc_a import bcc

PAGE_BYTES: Final = 4
PAGES: Final = 45
USER_PAGES: Final = range(4, 40)
_LOCKS, _CC, _DYNAMIC_LOCKS, _CONFIGURATION = 2, 3, 40, 41
_READ_PAGES: Final = 4
# As delivered: a lock control block that names the dynamic lock bytes, an empty message, the end (8.5.6).
_AS_DELIVERED: Final = bytes.fromhex("0103A00C340300FE")
_OTP: Final = frozenset({_CC, _DYNAMIC_LOCKS})
"""Bits that are set stay set (8.5.2 to 8.5.4)."""


class NtagMemory:
    """Pages of one tag.

    Args:
        uid: its seven bytes.

    Attributes:
        pages: the whole memory; tests may put anything here.
        writes: pages in the order in which they were written.
    """

    __slots__ = ("pages", "writes")

    def __init__(self, uid: bytes) -> None:
        self.pages = bytearray(PAGES * PAGE_BYTES)
        self.writes: list[int] = []
        self._put(0, bytes([*uid[:3], bcc((0x88, *uid[:3]))]) + uid[3:] + bytes([bcc(uid[3:]), 0x48, 0, 0]))
        self._put(_CC, b"\xe1\x10\x12\x00" + _AS_DELIVERED)
        self._put(_DYNAMIC_LOCKS, b"\x00\x00\x00\xbd")
        self._put(_CONFIGURATION, b"\x04\x00\x00\xff")

    def _put(self, page: int, data: bytes) -> None:
        self.pages[page * PAGE_BYTES : page * PAGE_BYTES + len(data)] = data

    @property
    def area(self) -> bytes:
        """The data area."""
        return bytes(self.pages[USER_PAGES.start * PAGE_BYTES : USER_PAGES.stop * PAGE_BYTES])

    def fill(self, area: bytes) -> None:
        """Put bytes at the start of the data area and zeros behind them."""
        self._put(USER_PAGES.start, area.ljust(len(USER_PAGES) * PAGE_BYTES, b"\x00"))

    def read(self, page: int) -> bytes | None:
        """Four pages, going on at page 0 behind the last (10.2); None: refused."""
        if page >= PAGES:
            return None
        rolled = self.pages + self.pages[: _READ_PAGES * PAGE_BYTES]
        return bytes(rolled[page * PAGE_BYTES : (page + _READ_PAGES) * PAGE_BYTES])

    def write(self, page: int, data: bytes) -> bool:
        """One page (10.4); False: refused."""
        if not _LOCKS <= page < PAGES or self.locked(page):
            return False
        at = page * PAGE_BYTES
        old = self.pages[at : at + PAGE_BYTES]
        if page == _LOCKS:
            data = bytes([old[0], old[1], old[2] | data[2], old[3] | data[3]])
        elif page in _OTP:
            data = bytes(before | now for before, now in zip(old, data, strict=True))
        self._put(page, data)
        self.writes.append(page)
        return True

    def lock(self, page: int) -> None:
        """Set the lock bit of a page of the user's, as a phone does that makes a tag read-only."""
        byte, bit = _lock_bit(page)
        self.pages[byte] |= 1 << bit

    def locked(self, page: int) -> bool:
        """Whether a page's lock bit is set."""
        if page != _CC and page not in USER_PAGES:
            return False
        byte, bit = _lock_bit(page)
        return bool(self.pages[byte] >> bit & 1)


def _lock_bit(page: int) -> tuple[int, int]:
    """Byte of the memory and bit of it that lock a page: static bytes up to page 15, then dynamic ones."""
    if page <= 15:
        return _LOCKS * PAGE_BYTES + 2 + page // 8, page % 8
    bit = (page - 16) // 2
    return _DYNAMIC_LOCKS * PAGE_BYTES + bit // 8, bit % 8
