"""One MFRC522 as a reader: opened by its first poll, watched, and set up again when it falls over.

A reader in trouble says `Unknown`, never `Absent`: before it says that nothing is there, it reads its own
settings back. Also runs on the MicroPython of the nodes.
"""

from hardware.reading import Absent, Health, Present, ReaderState, Unknown
from hardware.rfid.iso14443 import WAKES, WAKES_EXPECTING, inventory
from hardware.rfid.radio import Mfrc522Radio
from hardware.rfid.type2 import TagText, read_text, write_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.rfid.ports import Bus, Clock, Reading

CHECK_EVERY_POLLS = 50
"""Occupied readers, which never say `Absent`, read their settings back this often (F-14)."""
SET_UP_AFTER_ERRORS = 10
"""So many disturbed polls in a row set the reader up again, as ESPHome's driver does."""
EXPECTING_POLLS = 10
"""So many silent polls after something was heard, WUPA is sent more often: a removal is decided in them."""
FIRST_PAUSE_US = 1_000_000
LONGEST_PAUSE_US = 30_000_000
"""A silent reader is tried again after 1, 2, 4 ... 30 s, so that it does not hold up its neighbours."""
RESET_LOW_US = 1000
"""NRSTPD needs 100 ns (data sheet 8.8.1); a pin moved from Python can't be that fast."""

# Steps of the ladder; the first, below these, is to write the settings again.
_SOFT_RESET = 1
_HARD_RESET = 2


class Mfrc522Reader:
    """A reader on SPI. It is opened by its first poll, so that a missing one stops nothing.

    Args:
        name: the space it watches.
        bus: its wires.
        clock: time for waits and pauses.
        gain: RxGain 0..7 (RFCfgReg); 4 is 33 dB.
        field_off: switch the field off between polls: 5 ms more for each, and of the readers of one poller
            never two draw current for their fields at once.
    """

    def __init__(
        self, name: str, bus: "Bus", clock: "Clock", *, gain: int = 4, field_off: bool = False
    ) -> None:
        self._name = name
        self._bus = bus
        self._clock = clock
        self._field_off = field_off
        self._radio = Mfrc522Radio(bus, clock, gain=gain)
        self._opened = False
        self._closed = False
        self._state = ReaderState.RECOVERING
        self._reason = "not opened yet"
        self._rung = 0
        self._retry_us = 0
        self._pause_us = FIRST_PAUSE_US
        self._polls = self._errors = self._errors_in_a_row = self._recoveries = self._hits = 0
        self._poll_us = 0
        self._was_well = False
        self._silent_polls = EXPECTING_POLLS

    @property
    def name(self) -> str:
        """The space that this reader watches."""
        return self._name

    def poll(self) -> "Reading":
        """Look once: about 4 ms for an empty field, 8 ms for a tag; never over 0.6 s, recovery included."""
        if self._closed:
            return Unknown("this reader is closed", reader_fault=True)
        started_us = self._clock.now_us()
        self._polls += 1
        reading: Reading
        try:
            reading = self._poll()
        except OSError as error:
            reading = self._fail(str(error))
        if isinstance(reading, Unknown):
            self._errors += 1
        elif isinstance(reading, Present):
            self._hits += 1
        self._poll_us = self._clock.now_us() - started_us
        return reading

    def health(self) -> Health:
        """Tell how the reader is."""
        return Health(
            state=self._state,
            version=self._radio.version,
            polls=self._polls,
            errors=self._errors,
            recoveries=self._recoveries,
            reason=self._reason,
            warnings=self._radio.warnings,
            hits=self._hits,
            poll_us=self._poll_us,
            gain=self._radio.gain,
        )

    def read_text(self, uid: bytes) -> TagText:
        """The text of a tag that lies here (contracts, section 6); as the poller's thread only.

        Costs about 20 ms for a component's name, and is bounded however disturbed (`type2.MAX_COMMANDS`).
        """
        return self._with_tag(lambda radio: read_text(radio, uid))

    def write_text(self, uid: bytes, text: str) -> TagText:
        """Write a tag's text and read it back; as the poller's thread only."""
        return self._with_tag(lambda radio: write_text(radio, uid, text))

    def _with_tag(self, job: "Callable[[Mfrc522Radio], TagText]") -> TagText:
        if self._state != ReaderState.OK:
            return TagText(None, self._reason, sure=False)
        try:
            if not self._radio.field_on:
                self._radio.antenna_on()
            result = job(self._radio)
            if self._field_off:
                self._radio.antenna_off()
        except OSError as error:
            return TagText(None, str(error), sure=False)
        else:
            return result

    def set_gain(self, gain: int) -> str:
        """Use another gain, 0 to 7, to find the one with the best hit rate; as the poller's thread only.

        Returns:
            What is wrong, or nothing: the reader is not well, or the gain reads back otherwise.
        """
        if self._state != ReaderState.OK:
            return self._reason
        try:
            self._radio.set_gain(gain & 0x07)
            return self._radio.gain_trouble()
        except OSError as error:
            return str(error)

    def restart(self) -> None:
        """Start the reader again with its next poll, by its reset line: for a person who asks for it."""
        self._state, self._reason = ReaderState.RECOVERING, "started again by hand"
        self._rung, self._pause_us = _HARD_RESET, FIRST_PAUSE_US

    def close(self) -> None:
        """Switch the antenna off and let go of this reader's own wires; the pins stay as they are."""
        self._closed = True
        if not self._opened:
            return
        self._opened = False
        try:
            self._radio.antenna_off()
        except OSError:
            pass  # a reader that is gone has no antenna to switch off
        finally:
            self._bus.close()

    # ---- one poll ----------------------------------------------------------------------------------------

    def _poll(self) -> "Reading":
        if self._state != ReaderState.OK and not self._recover():
            return Unknown(self._reason, reader_fault=True)
        radio = self._radio
        if not radio.field_on:
            radio.antenna_on()
        reading = inventory(radio, wakes=WAKES_EXPECTING if self._silent_polls < EXPECTING_POLLS else WAKES)
        trouble = self._looked_at(reading)
        if self._field_off:
            radio.antenna_off()
        if trouble:
            return self._fail(trouble)
        self._is_well()
        return reading

    def _looked_at(self, reading: "Reading") -> str:
        """Count what a poll said, and read the chip's settings back where it must be known to be well."""
        radio = self._radio
        absent, unknown = isinstance(reading, Absent), isinstance(reading, Unknown)
        self._silent_polls = min(self._silent_polls + 1, EXPECTING_POLLS) if absent else 0
        self._errors_in_a_row = self._errors_in_a_row + 1 if unknown else 0
        fault = reading.reason if isinstance(reading, Unknown) and reading.reader_fault else ""
        if unknown and self._errors_in_a_row % SET_UP_AFTER_ERRORS == 0:
            return radio.trouble_after_setup() or fault
        if fault or absent or self._polls % CHECK_EVERY_POLLS == 0:
            return radio.trouble() or fault
        return ""

    def _is_well(self) -> None:
        if self._state != ReaderState.OK:
            self._recoveries += int(self._was_well)
        self._was_well = True
        self._state, self._reason, self._rung, self._pause_us = ReaderState.OK, "", 0, FIRST_PAUSE_US

    def _fail(self, reason: str) -> Unknown:
        """Note the trouble; the ladder is climbed by the polls that follow, and at its end comes silence."""
        self._reason = reason
        if self._rung <= _HARD_RESET and self._opened:
            self._state = ReaderState.RECOVERING
        else:
            self._state = ReaderState.SILENT
            self._retry_us = self._clock.now_us() + self._pause_us
            self._pause_us = min(2 * self._pause_us, LONGEST_PAUSE_US)
        return Unknown(reason, reader_fault=True)

    # ---- recovery ----------------------------------------------------------------------------------------

    def _recover(self) -> bool:
        """Take the next step of the ladder: set up again, soft reset, hard reset, then silent with pauses."""
        if self._state == ReaderState.SILENT and self._clock.now_us() < self._retry_us:
            return False
        rung = self._rung
        self._rung = min(rung + 1, _HARD_RESET + 1)
        try:
            trouble = self._step(rung)
        except OSError as error:
            trouble = str(error)
        if trouble:
            self._fail(trouble)
        return not trouble

    def _step(self, rung: int) -> str:
        if not self._opened:
            self._bus.open()
            self._opened = True
        radio = self._radio
        if rung >= _HARD_RESET:
            self._bus.reset(0)
            self._clock.sleep_us(RESET_LOW_US)
            self._bus.reset(1)
        ready = radio.soft_reset() if rung >= _SOFT_RESET else radio.wait_ready()
        return radio.trouble_after_setup() if ready else radio.not_ready()
