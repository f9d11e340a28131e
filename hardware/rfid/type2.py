"""The memory of one tag in the field: NTAG21x and other NFC Forum Type 2 tags, read and written page by page.

Commands are those of the NTAG213/215/216 data sheet, section 10. Also runs on the MicroPython of the nodes.
"""

from hardware.rfid import ndef
from hardware.rfid.crc_a import crc_a, with_crc
from hardware.rfid.iso14443 import HLTA, HLTA_TIMEOUT_US, ActivationError, Answer, Fault, activate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hardware.rfid.ports import Transceiver

PAGE_BYTES = 4
_READ = 0x30
_WRITE = 0xA2
_READ_BYTES = 16
_ACK = 0x0A
READ_TIMEOUT_US = 5000
WRITE_TIMEOUT_US = 10_000
"""10.1, command timing."""
ATTEMPTS = 4
"""Tries of one command before a tag is given up."""
MAX_COMMANDS = 64
"""Commands in one job: the whole of an NTAG216 is 56 reads."""

_LOCKS_PAGE = 2
_CC_PAGE = 3
_AREA_PAGE = 4
_CC_MAGIC = 0xE1
_CC_BYTES_PER_UNIT = 8
_STATIC_LOCKS_TO_PAGE = 15
# Size byte of the capability container -> (page of the dynamic lock bytes, pages per lock bit); 8.5.3.
_DYNAMIC_LOCKS = {0x12: (0x28, 2), 0x3E: (0x82, 16), 0x6D: (0xE2, 16)}


class TagText:
    """What reading or writing a tag's text came to.

    Attributes:
        text: the text; None where there is none that can be used.
        reason: why there is none, in words; empty where there is one.
        sure: whether trying again would change nothing: False after a disturbance.
    """

    __slots__ = ("reason", "sure", "text")

    def __init__(self, text: "str | None", reason: str = "", *, sure: bool = True) -> None:
        self.text = text
        self.reason = reason
        self.sure = sure

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TagText) and (self.text, self.reason) == (other.text, other.reason)

    def __hash__(self) -> int:
        return hash((self.text, self.reason))

    def __repr__(self) -> str:
        return f"TagText({self.text!r}, {self.reason!r})"


class RefusedError(ActivationError):
    """The tag answered NAK: it does not do this, and asking again changes nothing."""


def read_text(radio: "Transceiver", uid: bytes, prefix: str = ndef.PREFIX) -> TagText:
    """The tag's NDEF text that begins with a prefix; bounded by its size and by `ATTEMPTS`."""
    try:
        _, area = _Memory(radio, uid).ndef_area()
        block = ndef.ndef_block(area, len(area))
        if block is None:
            return TagText(None, "no NDEF message")
        return TagText(ndef.text_of(area[block.start : block.end], prefix))
    except (ActivationError, ndef.NdefError) as error:
        return TagText(None, str(error), sure=isinstance(error, (RefusedError, ndef.NdefError)))
    finally:
        _hush(radio)


def write_text(radio: "Transceiver", uid: bytes, text: str) -> TagText:
    """Write the text as the tag's NDEF message, and read it back.

    Nothing is written to a tag with a locked page among those that are needed. The length comes last, so that
    a tag that is lifted half-way holds no text, not half of one.
    """
    try:
        memory = _Memory(radio, uid)
        size, area = memory.ndef_area()
        at = ndef.room_at(area)
        new = area[:at] + ndef.in_block(ndef.text_message(text))
        if len(new) > size:
            return TagText(None, f"{len(new)} bytes do not fit into the tag's {size}")
        first, last = at // PAGE_BYTES, (len(new) - 1) // PAGE_BYTES
        memory.check_unlocked(_AREA_PAGE + first, _AREA_PAGE + last)
        new += bytes(-len(new) % PAGE_BYTES)
        length_page = (at + 1) // PAGE_BYTES
        empty = new[: at + 1] + b"\x00" + new[at + 2 :]
        for page in [length_page] + [page for page in range(first, last + 1) if page != length_page]:
            memory.write(_AREA_PAGE + page, empty[page * PAGE_BYTES : (page + 1) * PAGE_BYTES])
        memory.write(_AREA_PAGE + length_page, new[length_page * PAGE_BYTES : (length_page + 1) * PAGE_BYTES])
    except (ActivationError, ndef.NdefError) as error:
        return TagText(None, str(error))
    finally:
        _hush(radio)
    written = read_text(radio, uid, text)
    if written.text == text:
        return written
    return TagText(None, f"written, but it does not read back: {written.reason or written.text}")


class _Memory:
    """One tag's pages: selected when it must be, each command tried again after a disturbance."""

    def __init__(self, radio: "Transceiver", uid: bytes) -> None:
        self._radio = radio
        self._uid = uid
        self._active = False
        self._size_unit = 0
        self._left = MAX_COMMANDS

    def ndef_area(self) -> "tuple[int, bytes]":
        """Size of the data area, and as much of it as its NDEF message needs.

        Raises:
            ActivationError: the tag has none, or can't be read.
        """
        first = self.read(_CC_PAGE)
        magic, version, self._size_unit, access = first[:PAGE_BYTES]
        if magic != _CC_MAGIC or version >> 4 != 1:
            raise RefusedError("a tag that is not set up for NDEF: format it once with a phone")
        if access >> 4:
            raise RefusedError("a tag whose memory may not be read without a password")
        size = self._size_unit * _CC_BYTES_PER_UNIT
        area = first[PAGE_BYTES:]
        while True:
            try:
                ndef.ndef_block(area[:size], size)
            except ndef.TooShortError:
                if len(area) >= size:
                    raise
                area += self.read(_AREA_PAGE + len(area) // PAGE_BYTES)
            else:
                return size, area[:size]

    def check_unlocked(self, first: int, last: int) -> None:
        """Refuse where a page from first to last can't be written.

        Raises:
            RefusedError: one is locked, or the tag says that it is read-only.
        """
        pages = self.read(_LOCKS_PAGE)
        if pages[PAGE_BYTES + 3] & 0x0F:
            raise RefusedError("a tag that says it is read-only")
        static = pages[2] | pages[3] << 8
        locked = [page for page in range(first, min(last, _STATIC_LOCKS_TO_PAGE) + 1) if static >> page & 1]
        if last > _STATIC_LOCKS_TO_PAGE and self._size_unit in _DYNAMIC_LOCKS:
            at, per_bit = _DYNAMIC_LOCKS[self._size_unit]
            dynamic = self.read(at)
            bits = dynamic[0] | dynamic[1] << 8
            beyond = range(max(first, _STATIC_LOCKS_TO_PAGE + 1), last + 1)
            locked += [page for page in beyond if bits >> (page - 16) // per_bit & 1]
        if locked:
            raise RefusedError(f"page {locked[0]} is locked: take another tag")

    def read(self, page: int) -> bytes:
        """Four pages from this one on (10.2)."""
        return self._try(bytes([_READ, page]), _READ_BYTES, READ_TIMEOUT_US)

    def write(self, page: int, data: bytes) -> None:
        """One page (10.4); again after a lost answer, which changes nothing."""
        self._try(bytes([_WRITE, page]) + data, 0, WRITE_TIMEOUT_US)

    def _try(self, command: bytes, answer_bytes: int, timeout_us: int) -> bytes:
        problem = ActivationError(f"still not done after {MAX_COMMANDS} commands")
        for _ in range(min(ATTEMPTS, self._left)):
            self._left -= 1
            try:
                if not self._active:
                    activate(self._radio, self._uid)
                    self._active = True
                return self._command(command, answer_bytes, timeout_us)
            except RefusedError:
                raise
            except ActivationError as error:
                problem = error
                self._active = False
                _hush(self._radio)
        raise problem

    def _command(self, command: bytes, answer_bytes: int, timeout_us: int) -> bytes:
        answer_bits = 8 * answer_bytes + 16 if answer_bytes else 0
        response = self._radio.transceive(with_crc(command), answer_bits=answer_bits, timeout_us=timeout_us)
        what = f"page {command[1]}"
        if isinstance(response, Answer) and response.last_bits == 4 and len(response.data) == 1:
            nibble = response.data[0] & 0x0F
            if nibble == _ACK and not answer_bytes:
                return b""
            if nibble == 0:
                raise RefusedError(f"{what}: the tag refuses it (NAK): locked, or beyond its memory")
            raise ActivationError(f"{what}: NAK {nibble:X}")
        if isinstance(response, Answer) and answer_bytes and response.last_bits == 0:
            data = response.data
            if len(data) == answer_bytes + 2 and crc_a(data[:-2]) == data[-2:]:
                return data[:-2]
            raise ActivationError(f"{what}: a CRC_A that does not fit")
        if isinstance(response, Fault):
            raise ActivationError(f"{what}: {response.kind}")
        raise ActivationError(f"{what}: no answer")


def _hush(radio: "Transceiver") -> None:
    radio.transceive(HLTA, answer_bits=0, timeout_us=HLTA_TIMEOUT_US)
