"""The wires of readers on this machine's own SPI buses, opened by the mfrc522 package.

Of the package its SPI device, its pin module and its constructor are used. Its own request, anticollision and
wait loop are not: they can hand out a cascade byte as UID, see a lying tag at every other look, and spend
2000 transfers on an empty field.
"""

import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from hardware.rfid.package import PackageChip, gpio_of

_BOARD: Final = 10
_BCM: Final = 11
_OUT: Final = 0
"""RPi.GPIO's numbers for its two ways to count pins, and for an output; rpi-lgpio has the same."""

_opening: Final = threading.Lock()
"""The package's constructor sets process-wide things: one reader at a time, whatever its bus."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """How a reader hangs on the board."""

    bus: int = 0
    device: int = 0
    reset: int = 22
    """Physical pin of its reset line, as the mfrc522 package counts; the package drives one in any case."""
    cs: int | None = None
    """Physical pin of a GPIO as chip select; None: the device's own."""
    spi_hz: int = 1_000_000


class SharedSelects:
    """The software chip selects of one SPI bus: all are high before the first of them may go low.

    The kernel keeps "no chip select" per device, not per open file, and after the last file is closed: it is
    set before a device is used first, and again whenever a reader of the other kind comes to speak.

    Args:
        wirings: of every reader of the bus.
    """

    def __init__(self, wirings: Sequence[Wiring]) -> None:
        self._pins = tuple(wiring.cs for wiring in wirings if wiring.cs is not None)
        self._own_used = frozenset(wiring.device for wiring in wirings if wiring.cs is None)
        self._high = False
        self._still: dict[int, bool] = {}

    def all_high(self, gpio: Any) -> None:
        """Drive every pin high, once: a line left floating may select a chip that was not meant."""
        if not self._high:
            for pin in self._pins:
                gpio.setup(pin, _OUT, initial=1)
            self._high = True

    def own_select(self, spi: Any, device: int, *, still: bool) -> None:
        """Keep the device's own chip select still, or let it move."""
        if self._still.get(device) != still:
            try:
                spi.no_cs = still
            except OSError as error:
                # Some controllers can't; harmless as long as no chip hangs on the device's own line.
                if device in self._own_used:
                    raise OSError(
                        "this SPI controller can't keep its own chip select still: wire no reader to it "
                        "beside readers with a cs pin"
                    ) from error
            self._still[device] = still


class PiBus:
    """One reader's wires.

    Args:
        chip_class: `MFRC522` of the verified package.
        wiring: where it hangs.
        selects: those of its bus, shared with its neighbours.
    """

    def __init__(self, chip_class: Any, wiring: Wiring, selects: SharedSelects | None = None) -> None:
        self._wiring = wiring
        self._gpio = gpio_of(chip_class)
        self._chip_class = _opens_only(chip_class)
        self._selects = selects or SharedSelects((wiring,))
        self._chip: PackageChip | None = None

    @property
    def spi(self) -> Any:
        """The open SPI device; None while it is closed."""
        return None if self._chip is None else self._chip.spi

    def open(self) -> None:
        """Open the SPI device, set the reset line high (see `ports.Bus`)."""
        if self._chip is not None:
            return
        if self._gpio.getmode() == _BCM:
            raise OSError(
                "another part of this program numbers pins as BCM: readers need physical pins (BOARD)"
            )
        wiring = self._wiring
        try:
            with _without_new_handlers():
                chip = self._chip_class(
                    bus=wiring.bus,
                    device=wiring.device,
                    spd=wiring.spi_hz,
                    pin_mode=_BOARD,
                    pin_rst=wiring.reset,
                )
            self._selects.all_high(self._gpio)
        except (OSError, RuntimeError, ValueError) as error:
            raise self._in_words(error) from error
        self._chip = chip

    def xfer(self, sent: bytes) -> Sequence[int]:
        """One SPI transfer."""
        chip, cs = self._chip, self._wiring.cs
        if chip is None:
            raise OSError(f"{self._path}: closed")
        try:
            self._selects.own_select(chip.spi, self._wiring.device, still=cs is not None)
            if cs is not None:
                self._gpio.output(cs, 0)
            try:
                got: Sequence[int] = chip.spi.xfer2(sent)
            finally:
                if cs is not None:
                    self._gpio.output(cs, 1)
        except (OSError, RuntimeError) as error:
            raise self._in_words(error) from error
        return got

    def reset(self, level: int) -> None:
        """Drive the reset line."""
        try:
            self._gpio.output(self._wiring.reset, level)
        except (OSError, RuntimeError) as error:
            raise self._in_words(error) from error

    def close(self) -> None:
        """Close this reader's own SPI device; the pins stay as they are."""
        chip, self._chip = self._chip, None
        if chip is not None:
            chip.spi.close()

    @property
    def _path(self) -> str:
        return f"/dev/spidev{self._wiring.bus}.{self._wiring.device}"

    def _in_words(self, error: Exception) -> OSError:
        """Whatever the system says, as an OSError that names device and mend."""
        if isinstance(error, FileNotFoundError):
            return OSError(f"{self._path} is not there: enable SPI (raspi-config) or mend bus and device")
        if isinstance(error, PermissionError):
            return OSError(f"{self._path} may not be opened: add this user to the groups spi and gpio")
        return OSError(f"{self._path}: {error}")


def _opens_only(chip_class: Any) -> Any:
    """The package's class without its set-up of the chip: that goes to whichever chip the device selects.

    With chip selects by pins this may be a neighbour in the middle of its work, and it would be reset.
    """
    return type("OpenedMfrc522", (chip_class,), {"MFRC522_Init": lambda _: None})


@contextmanager
def _without_new_handlers() -> Iterator[None]:
    """Take back the log handler that the package adds for each reader it makes."""
    logger = logging.getLogger("mfrc522Logger")
    with _opening:
        before = list(logger.handlers)
        try:
            yield
        finally:
            for handler in logger.handlers[:]:
                if handler not in before:
                    logger.removeHandler(handler)
                    handler.close()
