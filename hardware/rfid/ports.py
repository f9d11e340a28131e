"""What the chip driver stands on, as types; read by the type checker only, so that nodes need no typing."""

from collections.abc import Sequence
from typing import Protocol

from hardware.reading import Absent, Present, Unknown
from hardware.rfid.iso14443 import Answer, Collision, Fault, Silence

Reading = Present | Absent | Unknown
Response = Answer | Collision | Silence | Fault


class Clock(Protocol):
    """Time in whole microseconds: the floats of a microcontroller are too short for it."""

    def now_us(self) -> int:
        """Microseconds since some fixed moment; never goes back, never wraps."""
        ...

    def sleep_us(self, duration_us: int) -> None:
        """Let at least this long pass."""
        ...


class Bus(Protocol):
    """The wires of one reader. Every method raises OSError for what a wire or a system can cause."""

    def open(self) -> None:
        """Take the wires, reset line high; opening an open one changes nothing.

        Raises:
            OSError: they can't be had; its text names the mend.
        """
        ...

    def xfer(self, sent: bytes) -> Sequence[int]:
        """One SPI transfer, chip select low all through; as many bytes back."""
        ...

    def reset(self, level: int) -> None:
        """Drive NRSTPD low (0: power-down) or high (1)."""
        ...

    def close(self) -> None:
        """Let go of what this reader alone holds."""
        ...


class Transceiver(Protocol):
    """Anything that sends a type A frame and listens."""

    def transceive(
        self,
        frame: bytes,
        *,
        tx_last_bits: int = 0,
        rx_align: int = 0,
        answer_bits: int = 16,
        timeout_us: int = 1000,
    ) -> Response:
        """Send one frame and wait for the answer, never longer than a bound.

        Args:
            frame: the bytes, CRC included where the standard asks for one.
            tx_last_bits: bits of the last byte that are sent; 0 is all eight.
            rx_align: bit of the first byte where the first received bit goes.
            answer_bits: bits expected, so that the wait can be timed; a hint, not a limit.
            timeout_us: silence from the end of the frame that counts as no answer.
        """
        ...
