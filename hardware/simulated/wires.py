"""The wires of one simulated chip by themselves, as a node holds them: no package, no device file."""

from collections.abc import Sequence
from typing import Final

from hardware.simulated.chip import Chip
from hardware.simulated.clock import SimulatedClock
from hardware.simulated.spidev import CALL_S

NODE_CALL_S: Final = 40e-6
"""What one transfer costs a microcontroller besides its bits: chip select down, call, chip select up, in
MicroPython on an RP2040. An estimate."""


class ChipWires:
    """One chip as a `Bus`.

    Args:
        chip: what hangs on the wires.
        clock: the time that they move.
        spi_hz: SPI clock.
        call_s: what one transfer costs besides its bits.

    Attributes:
        transfers: calls of `xfer`.
        bytes_sent: bytes over the wire in them.
    """

    def __init__(
        self, chip: Chip, clock: SimulatedClock, *, spi_hz: int = 1_000_000, call_s: float = CALL_S
    ) -> None:
        self.transfers = 0
        self.bytes_sent = 0
        self._chip = chip
        self._clock = clock
        self._byte_s = 8 / spi_hz
        self._call_s = call_s

    def open(self) -> None:
        """Nothing to open."""

    def xfer(self, sent: bytes) -> Sequence[int]:
        """One SPI transfer."""
        self.transfers += 1
        self.bytes_sent += len(sent)
        clock = self._clock
        got = self._chip.transfer(sent, clock.now_s() + self._call_s, self._byte_s)
        clock.sleep(self._call_s + len(sent) * self._byte_s)
        return got

    def reset(self, level: int) -> None:
        """Drive the chip's reset line."""
        self._chip.reset_pin(level, self._clock.now_s())

    def close(self) -> None:
        """Nothing to close."""
