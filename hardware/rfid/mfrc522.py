"""One MFRC522 as a reader: opened by the mfrc522 package, watched, and set up again when it falls over.

A reader in trouble says `Unknown`, never `Absent`: before it says that nothing is there, it reads its own
settings back.
"""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from hardware.clock import Clock
from hardware.reader import Absent, Health, ReaderState, Reading, Unknown
from hardware.rfid.iso14443 import WAKES, WAKES_EXPECTING, inventory
from hardware.rfid.package import PackageChip, gpio_of
from hardware.rfid.radio import Mfrc522Radio

CHECK_EVERY_POLLS: Final = 50
"""Occupied readers, which never say `Absent`, read their settings back this often (F-14)."""
SET_UP_AFTER_ERRORS: Final = 10
"""So many disturbed polls in a row set the reader up again, as ESPHome's driver does."""
FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 30.0
"""A silent reader is tried again after 1, 2, 4 ... 30 s, so that it does not hold up its neighbours."""
RESET_LOW_S: Final = 0.001
"""NRSTPD needs 100 ns (data sheet 8.8.1); a pin moved from Python can't be that fast."""

# Steps of the ladder; the first, below these, is to write the settings again.
_SOFT_RESET: Final = 1
_HARD_RESET: Final = 2

_BOARD: Final = 10
_BCM: Final = 11
"""RPi.GPIO's numbers for its two ways to count pins."""

_opening: Final = threading.Lock()
"""The package's constructor sets process-wide things: one reader at a time, whatever its bus."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """How a reader hangs on the board."""

    bus: int = 0
    device: int = 0
    reset: int = 22
    """Physical pin of its reset line, as the mfrc522 package counts; the package drives one in any case."""
    gain: int = 4
    """RxGain 0..7 (RFCfgReg); 4 is 33 dB."""
    spi_hz: int = 1_000_000


class Mfrc522Reader:
    """A reader on SPI. It is opened by its first poll, so that a missing one stops nothing.

    Args:
        name: the space it watches.
        chip_class: `MFRC522` of the verified package.
        wiring: where it hangs.
        clock: time for waits and pauses.
    """

    def __init__(self, name: str, chip_class: Any, wiring: Wiring, clock: Clock) -> None:
        self._name = name
        self._chip_class = chip_class
        self._wiring = wiring
        self._clock = clock
        self._chip: PackageChip | None = None
        self._radio: Mfrc522Radio | None = None
        self._state = ReaderState.RECOVERING
        self._reason = "not opened yet"
        self._rung = 0
        self._retry_s = 0.0
        self._pause_s = FIRST_PAUSE_S
        self._polls = self._errors = self._errors_in_a_row = self._recoveries = 0
        self._was_well = False
        self._was_empty = True
        self._closed = False

    @property
    def name(self) -> str:
        """The space that this reader watches."""
        return self._name

    @property
    def bus(self) -> int:
        """The SPI bus it shares with others."""
        return self._wiring.bus

    def poll(self) -> Reading:
        """Look once: about 5 ms for an empty field, 10 ms for a tag; never over 0.6 s, recovery included."""
        if self._closed:
            return Unknown("this reader is closed", reader_fault=True)
        self._polls += 1
        try:
            reading = self._poll()
        except (OSError, RuntimeError) as error:
            reading = self._fail(self._in_words(error))
        if isinstance(reading, Unknown):
            self._errors += 1
        return reading

    def health(self) -> Health:
        """Tell how the reader is."""
        radio = self._radio
        return Health(
            state=self._state,
            version=radio.version if radio else None,
            polls=self._polls,
            errors=self._errors,
            recoveries=self._recoveries,
            reason=self._reason,
            warnings=radio.warnings if radio else (),
        )

    def close(self) -> None:
        """Switch the antenna off and close this reader's own SPI device; the pins stay as they are."""
        self._closed = True
        chip, self._chip = self._chip, None
        if chip is None:
            return
        try:
            if self._radio is not None:
                self._radio.antenna_off()
        except OSError:
            pass  # a reader that is gone has no antenna to switch off
        finally:
            chip.spi.close()

    # ---- one poll ----------------------------------------------------------------------------------------

    def _poll(self) -> Reading:
        if self._state is not ReaderState.OK and not self._recover():
            return Unknown(self._reason, reader_fault=True)
        radio = self._radio
        assert radio is not None  # noqa: S101 recovery has made it
        reading = inventory(radio, wakes=WAKES if self._was_empty else WAKES_EXPECTING)
        self._was_empty = isinstance(reading, Absent)
        broken = isinstance(reading, Unknown) and reading.reader_fault
        self._errors_in_a_row = self._errors_in_a_row + 1 if isinstance(reading, Unknown) else 0
        trouble = ""
        if self._errors_in_a_row and self._errors_in_a_row % SET_UP_AFTER_ERRORS == 0:
            trouble = radio.trouble_after_setup()
        elif broken or isinstance(reading, Absent) or self._polls % CHECK_EVERY_POLLS == 0:
            trouble = radio.trouble()
        if trouble:
            return self._fail(trouble)
        if isinstance(reading, Unknown) and reading.reader_fault:
            return self._fail(reading.reason)
        self._is_well()
        return reading

    def _is_well(self) -> None:
        if self._state is not ReaderState.OK:
            self._recoveries += self._was_well
        self._was_well = True
        self._state, self._reason, self._rung, self._pause_s = ReaderState.OK, "", 0, FIRST_PAUSE_S

    def _fail(self, reason: str) -> Unknown:
        """Note the trouble; the ladder is climbed by the polls that follow, and at its end comes silence."""
        self._reason = reason
        if self._rung <= _HARD_RESET and self._chip is not None:
            self._state = ReaderState.RECOVERING
        else:
            self._state = ReaderState.SILENT
            self._retry_s = self._clock.now_s() + self._pause_s
            self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)
        return Unknown(reason, reader_fault=True)

    # ---- recovery ----------------------------------------------------------------------------------------

    def _recover(self) -> bool:
        """Take the next step of the ladder: set up again, soft reset, hard reset, then silent with pauses."""
        now_s = self._clock.now_s()
        if self._state is ReaderState.SILENT and now_s < self._retry_s:
            return False
        rung = self._rung
        self._rung = min(rung + 1, _HARD_RESET + 1)
        try:
            trouble = self._step(rung)
        except (OSError, RuntimeError) as error:
            trouble = self._in_words(error)
        if trouble:
            self._fail(trouble)
        return not trouble

    def _step(self, rung: int) -> str:
        if self._chip is None:
            trouble = self._open()
            if trouble:
                return trouble
        radio = self._radio
        assert radio is not None  # noqa: S101 opening has made it
        if rung >= _HARD_RESET:
            self._pulse_reset()
        ready = radio.soft_reset() if rung >= _SOFT_RESET else radio.wait_ready()
        return radio.trouble_after_setup() if ready else radio.not_ready()

    def _open(self) -> str:
        wiring = self._wiring
        if gpio_of(self._chip_class).getmode() == _BCM:
            return "another part of this program numbers pins as BCM: readers need physical pins (BOARD)"
        with _without_new_handlers():
            self._chip = self._chip_class(
                bus=wiring.bus, device=wiring.device, spd=wiring.spi_hz, pin_mode=_BOARD, pin_rst=wiring.reset
            )
        self._radio = Mfrc522Radio(self._chip, self._clock, gain=wiring.gain)
        return ""

    def _pulse_reset(self) -> None:
        gpio = gpio_of(self._chip_class)
        gpio.output(self._wiring.reset, 0)
        self._clock.sleep(RESET_LOW_S)
        gpio.output(self._wiring.reset, 1)

    def _in_words(self, error: Exception) -> str:
        device = f"/dev/spidev{self._wiring.bus}.{self._wiring.device}"
        if isinstance(error, FileNotFoundError):
            return f"{device} is not there: enable SPI (raspi-config) or mend bus and device"
        if isinstance(error, PermissionError):
            return f"{device} may not be opened: add this user to the groups spi and gpio"
        return f"{device}: {error}"


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
