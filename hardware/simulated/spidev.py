"""`SpiDev` with the interface of the spidev package, its wires ending in simulated chips."""

import errno
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Self

from hardware.errors import SimulationError
from hardware.rfid.registers import MAX_SPI_HZ

if TYPE_CHECKING:
    from hardware.simulated.board import SimulatedBoard

CALL_S: Final = 20e-6
"""What one transfer costs besides its bits: ioctl, kernel queue, chip select. An estimate for a Pi 4."""
_DEFAULT_HZ: Final = 500_000
"""What the kernel sets for a device that asks for nothing."""


class SpiDev:
    """One open SPI device. Subclasses are bound to a board; this class is never made by itself.

    Attributes:
        transfers: calls of xfer, xfer2 and xfer3 since it was made.
        bytes_sent: bytes over the wire in them.
    """

    board: "SimulatedBoard"

    def __init__(self, bus: int | None = None, client: int | None = None) -> None:
        self.transfers = 0
        self.bytes_sent = 0
        self.bits_per_word = 8
        self.lsbfirst = False
        self.cshigh = False
        self.threewire = False
        self.loop = False
        self.read0 = False
        self._mode = 0
        self._max_speed_hz = _DEFAULT_HZ
        self._place = (0, 0)
        self._is_open = False
        if bus is not None and client is not None:
            self.open(bus, client)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def mode(self) -> int:
        """Clock polarity and phase."""
        return self._mode

    @mode.setter
    def mode(self, mode: int) -> None:
        if not 0 <= mode <= 3:
            raise TypeError("The mode attribute must be an integer between 0 and 3.")
        self._mode = mode

    @property
    def max_speed_hz(self) -> int:
        """SPI clock."""
        return self._max_speed_hz

    @max_speed_hz.setter
    def max_speed_hz(self, hz: int) -> None:
        self._max_speed_hz = hz

    @property
    def no_cs(self) -> bool:
        """Whether the device's own chip select stays still; the same for every open file of the device."""
        return self._place in self.board.no_cs

    @no_cs.setter
    def no_cs(self, still: bool) -> None:
        if still and not self.board.can_leave_cs:
            raise OSError(errno.EINVAL, "Invalid argument")
        (self.board.no_cs.add if still else self.board.no_cs.discard)(self._place)

    def open(self, bus: int, device: int) -> None:
        """Open /dev/spidev<bus>.<device>; like the real one, it does not mind being open already."""
        if not self.board.has(bus, device):
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", f"/dev/spidev{bus}.{device}")
        if not self._is_open:
            self.board.open_devices += 1
        self._place = (bus, device)
        self._is_open = True

    def open_path(self, path: str) -> None:
        """Open by the device's path."""
        bus, _, device = path.removeprefix("/dev/spidev").partition(".")
        self.open(int(bus), int(device))

    def close(self) -> None:
        """Close; closing twice is harmless."""
        if self._is_open:
            self.board.open_devices -= 1
        self._is_open = False

    def fileno(self) -> int:
        """A number that is no descriptor of this process; -1 when closed."""
        return -1 if not self._is_open else 1000 + 100 * self._place[0] + self._place[1]

    def xfer2(
        self, values: Sequence[int], speed_hz: int = 0, delay_usec: int = 0, bits_per_word: int = 0
    ) -> Sequence[int]:
        """One transfer, chip select held; a list is overwritten with what came back, as by the real one."""
        if not self._is_open:
            raise OSError(errno.EBADF, "Bad file descriptor")
        hz = speed_hz or self._max_speed_hz
        sent = self._checked(values, hz, bits_per_word or self.bits_per_word)
        self.transfers += 1
        self.bytes_sent += len(sent)
        byte_s = 8 / hz
        clock = self.board.clock
        got = self.board.transfer(self._place, sent, clock.now_s() + CALL_S, byte_s)
        clock.sleep(CALL_S + len(sent) * byte_s + delay_usec * 1e-6)
        if isinstance(values, list):
            values[:] = got
            return values
        return tuple(got) if isinstance(values, tuple) else got

    def xfer(
        self, values: Sequence[int], speed_hz: int = 0, delay_usec: int = 0, bits_per_word: int = 0
    ) -> Sequence[int]:
        """As `xfer2` for one block."""
        return self.xfer2(values, speed_hz, delay_usec, bits_per_word)

    def xfer3(
        self, values: Sequence[int], speed_hz: int = 0, delay_usec: int = 0, bits_per_word: int = 0
    ) -> tuple[int, ...]:
        """As `xfer2`, and what is given stays as it is."""
        return tuple(self.xfer2(tuple(values), speed_hz, delay_usec, bits_per_word))

    def writebytes(self, values: Sequence[int]) -> None:
        """Send and forget what comes back."""
        self.xfer3(values)

    def writebytes2(self, values: Sequence[int]) -> None:
        """Send and forget what comes back."""
        self.xfer3(values)

    def readbytes(self, count: int) -> list[int]:
        """Clock in bytes while sending zeros."""
        return list(self.xfer3([0] * count))

    def _checked(self, values: Sequence[int], hz: int, bits_per_word: int) -> bytes:
        if not values:
            raise TypeError("Empty argument list.")
        if hz > MAX_SPI_HZ:
            raise SimulationError(f"SPI at {hz} Hz: the MFRC522 takes {MAX_SPI_HZ} Hz at most")
        if self._mode or self.lsbfirst or self.cshigh or bits_per_word != 8:
            raise SimulationError("the MFRC522 speaks SPI mode 0, 8 bits, high bit first, chip select low")
        try:
            return bytes(values)
        except ValueError as error:
            # The real one cuts each number to a byte without a word; no driver means that.
            raise SimulationError(f"{values!r} in an SPI transfer: not all are bytes") from error
