"""The node's end of its USB serial line: nothing here waits for the other end.

Also runs on CPython, over anything that reads, writes and polls like MicroPython's standard streams.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_RECEIVE_BYTES = 256
"""Taken in one go, so that a flood can't keep the node from its readers."""

PIECE_BYTES = 64
"""Written at a time: a packet of USB at full speed. Where somebody has the port open and does not read,
MicroPython waits up to half a second for a piece (MICROPY_HW_USB_CDC_TX_TIMEOUT), and then it is cut."""

STUCK_US = 1_000_000
"""A frame that can't be sent for so long is old: the next one says what is true by then."""


class Line:
    """Bytes in, frames out.

    Args:
        source: read from, one byte at a time: more would wait for more.
        sink: written to; tells how much it took.
        can_read: a poll object of the source.
        can_write: a poll object of the sink.

    Attributes:
        given_up: frames that were not taken in time.
    """

    def __init__(self, source: "Any", sink: "Any", can_read: "Any", can_write: "Any") -> None:
        self.given_up = 0
        self._source = source
        self._sink = sink
        self._can_read = can_read
        self._can_write = can_write
        self._rest = b""
        self._cut = False
        self._since_us = 0

    def receive(self) -> bytes:
        """What has come, or a first part of it."""
        got = bytearray()
        while len(got) < MAX_RECEIVE_BYTES and self._can_read.poll(0):
            try:
                byte = self._source.read(1)
            except OSError:
                break  # ready, and yet nothing there
            if not byte:
                break
            got += byte
        return bytes(got)

    def wait(self, duration_us: int) -> None:
        """Wait for bytes, but no longer than this; in whole milliseconds."""
        self._can_read.poll((duration_us + 999) // 1000)

    @property
    def is_free(self) -> bool:
        """Whether all is sent."""
        return not self._rest

    def send(self, frame: bytes, now_us: int) -> None:
        """Begin to send a frame; only when `is_free`."""
        # The newline ends what is left of a frame that was given up.
        self._rest = b"\n" + frame if self._cut else frame
        self._cut = False
        self._since_us = now_us
        self.work(now_us)

    def work(self, now_us: int) -> None:
        """Send as much as is taken at once."""
        while self._rest and self._can_write.poll(0):
            piece = self._rest[:PIECE_BYTES]
            try:
                taken = self._sink.write(piece) or 0
            except OSError:
                taken = 0
            if taken:
                self._since_us = now_us
                self._cut = True
                self._rest = self._rest[taken:]
            if taken < len(piece):
                break
        if not self._rest:
            self._cut = False
        elif now_us - self._since_us >= STUCK_US:
            self.given_up += 1
            self._rest = b""
