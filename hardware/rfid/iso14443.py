"""Reading every tag in a field by ISO/IEC 14443-3 type A, over anything that can send a frame and listen.

One poll wakes all tags (WUPA), walks the tree of their UIDs, selects each (the SAK decides whether the UID
goes on) and puts it to sleep (HLTA), so that the next poll finds every tag in a state that it knows.

Also runs on the MicroPython of the nodes: plain classes, whole microseconds, no typing.
"""

from hardware.reading import Absent, Present, Unknown
from hardware.rfid.crc_a import bcc, crc_a, with_crc

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hardware.rfid.ports import Reading, Response, Transceiver

WUPA = b"\x52"
"""Seven bits; wakes IDLE and HALT alike (6.4.1). REQA would leave a halted tag asleep."""
HLTA = with_crc(b"\x50\x00")
SELECT_CODES = (0x93, 0x95, 0x97)
"""One per cascade level (6.5.3.2)."""
CASCADE_TAG = 0x88
SAK_INCOMPLETE = 0x04

ANSWER_TIMEOUT_US = 1000
"""A tag answers after 91 us, no sooner and no later (6.2.1.1): ten times that. A longer wait is paid for at
every empty space (F-39)."""
HLTA_TIMEOUT_US = 1000
"""Silence for 1 ms is the right answer to HLTA (6.4.3)."""
ATTEMPTS = 2
"""Tries per poll: a disturbed frame is asked again before it counts (F-25)."""
WAKES = 2
"""A tag left READY or ACTIVE spends the first WUPA on falling back (F-159)."""
WAKES_EXPECTING = 8
"""Where a tag was just met. A lost ATQA leaves it READY, so only every other WUPA can be answered: eight are
four calls. With 30 % of the answers lost, 0.8 % of the polls of a lying tag are then silent, and four silent
ones in a row come once in 200 million polls."""
MAX_TAGS = 4
"""More than these on one antenna detune it; a walk that finds more is noise."""
MAX_FRAMES = 120
"""Frames in one poll, some 0.4 s. Four tags needed 74 at most in our runs; more is noise."""

_ATQA_BITS = 16
_LEVEL_BITS = 40
_SAK_BITS = 24


class Answer:
    """A whole frame came back.

    Attributes:
        data: its bytes.
        last_bits: valid bits of the last byte; 0 is all eight.
    """

    __slots__ = ("data", "last_bits")

    def __init__(self, data: bytes, last_bits: int = 0) -> None:
        self.data = data
        self.last_bits = last_bits


class Collision:
    """Several answers that differ.

    Attributes:
        position: where they first differ, 1 being the first bit; None where the reader can't tell.
        data: what was received; good up to the position.
    """

    __slots__ = ("data", "position")

    def __init__(self, position: "int | None", data: bytes) -> None:
        self.position = position
        self.data = data


class Silence:
    """Nothing came back in time, and the reader is well."""


class Fault:
    """Something came back that can't be used, or the reader itself is in trouble.

    Attributes:
        kind: what happened, in words.
        reader: True: the reader, not the frame.
    """

    __slots__ = ("kind", "reader")

    def __init__(self, kind: str, *, reader: bool = False) -> None:
        self.kind = kind
        self.reader = reader


class ActivationError(Exception):
    """Reading the field broke off half-way: something is there, but it can't be named this time.

    Never leaves this package: a poll turns it into `Unknown`. (On MicroPython an exception has one builtin
    base at most, so it stands outside the tree of `hardware.errors`.)
    """


class ReaderFaultError(ActivationError):
    """The reader, not the field, broke off the poll."""


def inventory(radio: "Transceiver", *, wakes: int = WAKES, attempts: int = ATTEMPTS) -> "Reading":
    """One poll: name every tag in the field.

    Args:
        radio: what sends and listens.
        wakes: WUPA sent before silence counts; `WAKES_EXPECTING` where the last poll met a tag.
        attempts: tries after something was heard but not understood.

    Returns:
        `Absent` only if so many WUPA in a row met silence and nothing else was heard in this poll; `Unknown`
        for whatever was heard but could not be resolved, and for a reader in trouble.
    """
    reason = ""
    frames = 0
    for _ in range(attempts):
        walk = _Walk(radio, wakes, frames)
        try:
            uids = walk.run()
        except ReaderFaultError as fault:
            return Unknown(str(fault), reader_fault=True)
        except ActivationError as error:
            reason = reason or str(error)
            walk.hush()
            frames = walk.frames
            continue
        if uids:
            return Present(tuple(sorted(uids)))
        return Unknown(reason) if reason else Absent()
    return Unknown(reason)


def activate(radio: "Transceiver", uid: bytes) -> None:
    """Wake the field and select this tag alone; the others fall asleep again at a name that is not theirs.

    Raises:
        ActivationError: it does not answer.
    """
    walk = _Walk(radio, WAKES_EXPECTING, 0)
    if not walk.wake():
        raise ActivationError(f"no answer: is {uid.hex().upper()} still there?")
    rest = uid
    for level in range(len(SELECT_CODES)):
        last = len(rest) == 4
        part = rest if last else bytes([CASCADE_TAG]) + rest[:3]
        sak = walk.select(level, part)
        if last:
            return
        if not sak & SAK_INCOMPLETE:
            raise ActivationError(f"SAK {sak:02X} ends a UID that goes on")
        rest = rest[3:]


class _Branch:
    """A place in the tree of UIDs: whole levels that are selected, and known bits of the next one.

    `guessed` tells that the last bit was chosen where the reader's collision position can be read in more
    than one way.
    """

    __slots__ = ("bits", "guessed", "selected", "value")

    def __init__(
        self, selected: "tuple[bytes, ...]" = (), value: int = 0, bits: int = 0, *, guessed: bool = False
    ) -> None:
        self.selected = selected
        self.value = value
        self.bits = bits
        self.guessed = guessed


class _Walk:
    """One try: wakes the tags, takes every branch, counts its frames."""

    __slots__ = ("found", "frames", "radio", "wakes")

    def __init__(self, radio: "Transceiver", wakes: int, frames: int) -> None:
        self.radio = radio
        self.wakes = wakes
        self.frames = frames
        self.found: list[bytes] = []

    def run(self) -> list[bytes]:
        if not self.wake():
            return []
        self._explore(_Branch())
        if len(self.found) > 1:
            # One more for a tag that missed its own HLTA: it would spend the next WUPA on falling back.
            self.hush()
        return self.found

    def hush(self) -> None:
        """Send every tag that is awake back to sleep: HLTA, or a frame that does not fit, does it alike."""
        self.frames += 1
        self.radio.transceive(HLTA, answer_bits=0, timeout_us=HLTA_TIMEOUT_US)

    # ---- the tree ----------------------------------------------------------------------------------------

    def _explore(self, branch: _Branch) -> int:
        """Find every tag of a branch whose tags are awake; how many there were."""
        response = self._anticollision(branch)
        if isinstance(response, (Silence, Fault)) and not branch.guessed:
            # Whoever is READY stays so whether it heard this or not: ask again before the walk is given up.
            response = self._anticollision(branch)
        if isinstance(response, Silence) and branch.guessed:
            self._wake_again(branch)
            response = self._anticollision(branch)
            if isinstance(response, Silence):
                return 0
        if isinstance(response, Collision):
            return self._split(branch, response)
        part = _level_bytes(branch, _answer(response, "anticollision"))
        sak = self.select(len(branch.selected), part)
        if sak & SAK_INCOMPLETE:
            if part[0] != CASCADE_TAG or len(branch.selected) + 1 == len(SELECT_CODES):
                raise ActivationError(f"SAK {sak:02X} says that the UID goes on after {part.hex().upper()}")
            return self._explore(_Branch(branch.selected + (part,)))  # noqa: RUF005 not on MicroPython
        self._note(branch, part)
        return 1

    def _split(self, branch: _Branch, collision: Collision) -> int:
        """Take both sides of a collision, the side of 1 first: its tags are awake already."""
        at, certain = _first_difference(branch, collision)
        value = branch.value | _received(branch, collision.data, at)
        ones = _Branch(branch.selected, value | 1 << at, at + 1, guessed=not certain)
        zeros = _Branch(branch.selected, value, at + 1, guessed=not certain)
        ones_found = self._explore(ones)
        self._wake_again(zeros)
        zeros_found = self._explore(zeros)
        if ones_found + zeros_found < 2:
            raise ActivationError("a collision that is not two tags")
        return ones_found + zeros_found

    def _wake_again(self, branch: _Branch) -> None:
        self.hush()
        if not self.wake(WAKES_EXPECTING):
            raise ActivationError("a tag left, or was not heard, while its field was read")
        for level, part in enumerate(branch.selected):
            self.select(level, part)

    def _note(self, branch: _Branch, part: bytes) -> None:
        if part[0] == CASCADE_TAG:
            raise ActivationError(f"{part.hex().upper()} begins like a longer UID, and its SAK ends it")
        uid = b"".join(level[1:] for level in branch.selected) + part
        if uid not in self.found:
            self.found.append(uid)
        if len(self.found) > MAX_TAGS:
            raise ActivationError(f"more than {MAX_TAGS} tags")
        # A tag that answers HLTA has not understood it; the next poll wakes it all the same.
        self.hush()

    # ---- frames ------------------------------------------------------------------------------------------

    def wake(self, times: int = 0) -> bool:
        """WUPA, again on silence: a tag left READY or ACTIVE spends the first on falling back (F-159)."""
        # A collision or a disturbed ATQA tells that something is awake, and that is all that is asked.
        return any(
            not isinstance(self._send(WUPA, tx_last_bits=7), Silence) for _ in range(times or self.wakes)
        )

    def _anticollision(self, branch: _Branch) -> "Response":
        whole, extra = divmod(branch.bits, 8)
        known = branch.value.to_bytes(whole + bool(extra), "little")
        nvb = 0x20 + (whole << 4) + extra
        frame = bytes([SELECT_CODES[len(branch.selected)], nvb]) + known
        return self._send(frame, tx_last_bits=extra, rx_align=extra, answer_bits=_LEVEL_BITS - branch.bits)

    def select(self, level: int, part: bytes) -> int:
        frame = with_crc(bytes([SELECT_CODES[level], 0x70]) + part + bytes([bcc(part)]))
        data = _answer(self._send(frame, answer_bits=_SAK_BITS), "SELECT")
        if len(data) != 3 or crc_a(data[:1]) != data[1:]:
            raise ActivationError("a SAK whose CRC_A does not fit")
        return data[0]

    def _send(
        self,
        frame: bytes,
        *,
        tx_last_bits: int = 0,
        rx_align: int = 0,
        answer_bits: int = _ATQA_BITS,
    ) -> "Response":
        self.frames += 1
        if self.frames > MAX_FRAMES:
            raise ActivationError(f"still not resolved after {MAX_FRAMES} frames")
        response = self.radio.transceive(
            frame, tx_last_bits=tx_last_bits, rx_align=rx_align, answer_bits=answer_bits
        )
        if isinstance(response, Fault) and response.reader:
            raise ReaderFaultError(response.kind)
        return response


def _answer(response: "Response", to: str) -> bytes:
    """The whole bytes of an answer.

    Raises:
        ActivationError: anything else came.
    """
    if isinstance(response, Answer) and response.last_bits == 0:
        return response.data
    if isinstance(response, Fault):
        raise ActivationError(f"{to}: {response.kind}")
    if isinstance(response, Silence):
        raise ActivationError(f"{to}: no answer from a tag that had answered before")
    raise ActivationError(f"{to}: an answer that is not whole")


def _level_bytes(branch: _Branch, data: bytes) -> bytes:
    """The four bytes of a level from known and received bits, its BCC checked."""
    whole, extra = divmod(branch.bits, 8)
    if len(data) != 5 - whole:
        raise ActivationError(f"anticollision: {len(data)} bytes where {5 - whole} were due")
    level = branch.value | int.from_bytes(data, "little") >> extra << branch.bits
    *part, check = level.to_bytes(5, "little")
    if bcc(part) != check:
        raise ActivationError("anticollision: a BCC that does not fit")
    return bytes(part)


def _first_difference(branch: _Branch, collision: Collision) -> tuple[int, bool]:
    """Index in the level's bits where the answers differ for sure or may differ, and whether it is sure.

    Behind known bits the data sheet (9.3.1.15) does not say from where CollPos counts. Every reading that is
    possible is kept in mind: bits before the nearest are good in all of them, so that one is split, and then
    a side on which nothing answers is no fault.
    """
    position, known = collision.position, branch.bits
    if position is None:
        raise ActivationError("a collision outside the UID")
    if not known:
        return position - 1, True
    # Counted from the first received bit, from the byte where reception begins, or from the UID's first bit.
    readings = {known + position, known - known % 8 + position, position}
    possible = [at for at in readings if known < at <= 32]
    if not possible:
        raise ActivationError("a collision outside the UID")
    return min(possible) - 1, len(possible) == 1


def _received(branch: _Branch, data: bytes, until: int) -> int:
    """Received bits, at their place in the level, up to but not including index `until`."""
    value = int.from_bytes(data, "little") >> branch.bits % 8 << branch.bits
    if len(data) * 8 - branch.bits % 8 + branch.bits < until:
        raise ActivationError("a collision in bits that did not arrive")
    return value & ((1 << until) - 1)
