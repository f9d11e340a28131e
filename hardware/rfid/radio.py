"""The MFRC522 as a transceiver, over the wires of a `Bus`.

One frame is seven short writes, one look when the answer is due, and one read of the FIFO: no register is
polled. Also runs on the MicroPython of the nodes.
"""

from hardware.rfid import registers as r
from hardware.rfid.iso14443 import ANSWER_TIMEOUT_US, Answer, Collision, Fault, Silence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hardware.rfid.ports import Bus, Clock, Response

BIT_NS = 9440
"""One bit at 106 kbit/s: 128 periods of 13.56 MHz (ISO/IEC 14443-2)."""
FRAME_DELAY_US = 92
"""From our last bit to the tag's first: 1236 periods (14443-3, 6.2.1.1)."""
FIELD_OFF_US = 6000
"""A tag is sure to forget its state after 5.1 ms without a field (14443-3, operating field reset)."""
FIELD_START_UP_US = 5000
"""Tags may need this long after the antenna comes on (14443-3, 5.2)."""
READY_LIMIT_US = 50_000
"""How long a chip may stay in power-down after a reset (F-18); its oscillator needs about 1 ms."""

_MARGIN_US = 25
"""Added to each wait, so that one look is enough: between two and three bits, our choice."""
_GRACE_US = 10_000
"""How long after the timer should have run out the chip is still believed to be working."""
_LATE_LOOK_US = 2000
_READY_LOOK_US = 5000
_MAX_LOOKS = 12
"""Bounds the wait even where the clock stands still."""

_TICK_US = 25
"""TPrescaler 169 (9.3.3.10): (2 x 169 + 1) / 13.56 MHz."""
_USUAL_VERSIONS = (0x91, 0x92, 0x88, 0x90, 0xB2, 0x12)
"""NXP's 1.0 and 2.0 (9.3.4.8), and what clones that work give (F-17)."""

# Written at each set-up, in this order (section 9; facts in the comments are the data sheet's).
_CONFIGURATION = (
    (r.COMMAND, r.IDLE),
    (r.T_MODE, r.T_AUTO),  # the timer starts when a frame has been sent
    (r.T_PRESCALER, 169),
    (r.T_RELOAD_H, 0),
    (r.T_RELOAD_L, ANSWER_TIMEOUT_US // _TICK_US),
    (r.TX_MODE, 0x00),  # 106 kbit/s, CRC in software: a disturbed one is then told from a missing one
    (r.RX_MODE, 0x00),
    (r.MOD_WIDTH, 0x26),
    (r.TX_ASK, r.FORCE_100_ASK),
    (r.MODE, 0x3D),  # CRC preset 6363
    (r.COLL, 0x00),  # bits behind a collision are cleared
    (r.BIT_FRAMING, 0x00),
)


def _read_burst(registers: "Sequence[int]") -> bytes:
    """The transfer that reads these registers one after the other (8.1.2.1)."""
    return bytes([r.read_address(register) for register in registers] + [0])


_VALUES = dict(_CONFIGURATION)
_VERIFIED = (r.T_MODE, r.T_PRESCALER, r.TX_MODE, r.RX_MODE, r.MOD_WIDTH, r.TX_ASK, r.MODE)
_EXPECTED = [_VALUES[register] for register in _VERIFIED]
_LOOKED_AT = (r.VERSION, r.VERSION, r.VERSION, r.TX_CONTROL, r.RF_CFG)
_VERIFY_BURST = _read_burst(_LOOKED_AT + _VERIFIED)
_STATUS_BURST = _read_burst((r.COM_IRQ, r.ERROR, r.FIFO_LEVEL, r.CONTROL, r.COLL))
_GAIN_READ = _read_burst((r.RF_CFG,))
_COMMAND_READ = _read_burst((r.COMMAND,))
_FIFO_WRITE = bytes([r.write_address(r.FIFO_DATA)])
_FIFO_READ = bytes([r.read_address(r.FIFO_DATA)])
_SILENCE = Silence()


class Mfrc522Radio:
    """One chip as an ISO 14443-3 transceiver.

    Args:
        bus: its wires, open.
        clock: what the waits are measured and slept on.
        gain: RxGain, 0 to 7 (RFCfgReg, 9.3.3.6); 4 is 33 dB.

    Attributes:
        version: VersionReg as last read; None before the first look.
        warnings: what works but should be looked at.
        field_on: whether the antenna was switched on last.
    """

    def __init__(self, bus: "Bus", clock: "Clock", *, gain: int = 4) -> None:
        self.version: int | None = None
        self.warnings: tuple[str, ...] = ()
        self._bus = bus
        self._clock = clock
        self._gain = gain
        self.field_on = False
        self._timeout_ticks = 0
        self._off_since_us = clock.now_us()

    @property
    def gain(self) -> int:
        """RxGain as it was last set."""
        return self._gain

    # ---- setting up --------------------------------------------------------------------------------------

    def configure(self) -> None:
        """Write every register that this driver relies on; the field goes off and on, so tags start over."""
        self.antenna_off()
        for register, value in _CONFIGURATION:
            self._write(register, value)
        self._timeout_ticks = _VALUES[r.T_RELOAD_L]
        self.set_gain(self._gain)
        self.antenna_on()

    def soft_reset(self) -> bool:
        """Reset the chip by command and wait, within a bound, for it to come back (F-18)."""
        self._write(r.COMMAND, r.SOFT_RESET)
        return self.wait_ready()

    def wait_ready(self) -> bool:
        """Wait, within a bound, until CommandReg no longer says power-down."""
        for _ in range(READY_LIMIT_US // _READY_LOOK_US):
            if not self._bus.xfer(_COMMAND_READ)[1] & r.POWER_DOWN:
                return True
            self._clock.sleep_us(_READY_LOOK_US)
        return False

    def trouble(self) -> str:
        """Read version and configuration back in one transfer; what is wrong, or nothing.

        Sets `version` and `warnings`. A register that lost its value is trouble even where the version is
        right (F-14, F-15); an odd version is only a warning (F-17), 0x00 and 0xFF are no reader.
        """
        got = list(self._bus.xfer(_VERIFY_BURST))
        versions, tx_control, rf_cfg, config = got[1:4], got[4], got[5], got[6:]
        if all(version in {0x00, 0xFF} for version in versions):
            return (
                f"no reader answers (VersionReg reads {versions[0]:#04x}): "
                "check its 3.3 V supply, MISO, MOSI, SCK and chip select"
            )
        self.version = versions[-1]
        self.warnings = tuple(self._doubts(versions, rf_cfg >> 4 & 0x07))
        if tx_control & r.ANTENNA_ON != r.ANTENNA_ON:
            return "the antenna is off: the reader lost its settings, look at its 3.3 V supply"
        if config != _EXPECTED:
            return "the reader lost its settings: look at its 3.3 V supply and the length of its wires"
        return ""

    def _doubts(self, versions: "Sequence[int]", gain: int) -> "Iterator[str]":
        if len(set(versions)) > 1:
            read = ", ".join([f"{version:#04x}" for version in versions])
            yield f"VersionReg is unsteady ({read}): shorten the wires or lower the SPI clock"
        elif versions[-1] not in _USUAL_VERSIONS:
            yield f"VersionReg {versions[-1]:#04x} is unusual: a fake chip or a bad contact"
        if gain != self._gain:
            yield self._gain_reads(gain)

    def trouble_after_setup(self) -> str:
        """Configure, read back; what is wrong, or nothing."""
        self.configure()
        return self.trouble()

    def not_ready(self) -> str:
        """Why the chip did not come back from a reset."""
        return self.trouble() or "the reader stays in power-down after a reset: check its RST wire and supply"

    def set_gain(self, gain: int) -> None:
        """Use another RxGain from now on; it needs no new start of the field."""
        self._gain = gain
        self._write(r.RF_CFG, gain << 4 | 0x08)

    def gain_trouble(self) -> str:
        """Read the gain back; what is wrong, or nothing (F-21)."""
        gain = self._bus.xfer(_GAIN_READ)[1] >> 4 & 0x07
        return "" if gain == self._gain else self._gain_reads(gain)

    def _gain_reads(self, gain: int) -> str:
        return f"the gain reads back as {gain}, not {self._gain}: try another gain"

    def antenna_off(self) -> None:
        """Switch the field off."""
        self._write(r.TX_CONTROL, 0x80)
        self._off_since_us = self._clock.now_us()
        self.field_on = False

    def antenna_on(self) -> None:
        """Switch the field on: never before every tag has forgotten its state, and wait for them to start."""
        left_us = self._off_since_us + FIELD_OFF_US - self._clock.now_us()
        if left_us > 0:
            self._clock.sleep_us(left_us)
        self._write(r.TX_CONTROL, 0x80 | r.ANTENNA_ON)
        self.field_on = True
        self._clock.sleep_us(FIELD_START_UP_US)

    # ---- frames ------------------------------------------------------------------------------------------

    def transceive(
        self,
        frame: bytes,
        *,
        tx_last_bits: int = 0,
        rx_align: int = 0,
        answer_bits: int = 16,
        timeout_us: int = ANSWER_TIMEOUT_US,
    ) -> "Response":
        """Send one frame and wait for the answer (see `ports.Transceiver`)."""
        write = self._write
        self._set_timeout(timeout_us)
        framing = rx_align << 4 | tx_last_bits
        write(r.COMMAND, r.IDLE)
        write(r.COM_IRQ, r.ALL_IRQS)
        write(r.FIFO_LEVEL, r.FLUSH_BUFFER)
        self._bus.xfer(_FIFO_WRITE + frame)
        write(r.BIT_FRAMING, framing)
        write(r.COMMAND, r.TRANSCEIVE)
        write(r.BIT_FRAMING, r.START_SEND | framing)
        bits = len(frame) * 8 - (8 - tx_last_bits if tx_last_bits else 0)
        return self._await(air_us(bits), answer_bits, timeout_us)

    def _write(self, register: int, value: int) -> None:
        self._bus.xfer(bytes((register << 1, value)))

    def _set_timeout(self, timeout_us: int) -> None:
        ticks = timeout_us // _TICK_US
        if ticks != self._timeout_ticks:
            if ticks >> 8 != self._timeout_ticks >> 8:
                self._write(r.T_RELOAD_H, ticks >> 8)
            self._write(r.T_RELOAD_L, ticks & 0xFF)
            self._timeout_ticks = ticks

    def _await(self, sending_us: int, answer_bits: int, timeout_us: int) -> "Response":
        """Look when the answer is due, when the timer has run out, a few times more, then give up."""
        clock = self._clock
        started_us = clock.now_us()
        answer_us = sending_us + FRAME_DELAY_US + air_us(answer_bits) + _MARGIN_US
        silent_us = sending_us + timeout_us + 2 * _TICK_US + _MARGIN_US
        look_us = answer_us if answer_bits > 0 and answer_us < silent_us else silent_us
        error = level = 0
        for _ in range(_MAX_LOOKS):
            waited_us = clock.now_us() - started_us
            if waited_us < look_us:
                clock.sleep_us(look_us - waited_us)
            _, irq, error, level, control, coll = self._bus.xfer(_STATUS_BURST)
            if irq & r.RX_IRQ:
                return self._received(irq, error, level, control, coll)
            if irq & r.TIMER_IRQ:
                return _SILENCE
            if clock.now_us() - started_us > silent_us + _GRACE_US:
                break
            look_us = silent_us if look_us < silent_us else look_us + _LATE_LOOK_US
        if error or 0 < level <= r.FIFO_BYTES:
            # Noise of a few bits stops the timer without being a frame.
            return Fault("an answer that never ends")
        return Fault("the reader neither answers nor times out: check its 3.3 V supply", reader=True)

    def _received(self, irq: int, error: int, level: int, control: int, coll: int) -> "Response":
        if irq & r.SET1 or level > r.FIFO_BYTES:
            # Set1 always reads 0 (9.3.1.5): this is a line that is stuck high, not a chip.
            return Fault("the SPI line reads all ones: check supply, MISO and chip select", reader=True)
        if error & r.BUFFER_OVFL:
            return Fault("an answer longer than any tag gives")
        if error & r.COLL_ERR:
            position = None if coll & r.COLL_POS_NOT_VALID else coll & r.COLL_POS or 32
            return Collision(position, self._fifo(level))
        if error & r.PARITY_ERR:
            return Fault("an answer with a parity error")
        if error & (r.PROTOCOL_ERR | r.CRC_ERR):
            return Fault("an answer that is no frame")
        if not level:
            return Fault("an answer of no bytes")
        return Answer(self._fifo(level), control & 0x07)

    def _fifo(self, count: int) -> bytes:
        if not count:
            return b""
        return bytes(self._bus.xfer(_FIFO_READ * count + b"\x00")[1:])


def air_us(bits: int) -> int:
    """Microseconds on air: start, data, a parity bit per whole byte, end; rounded up."""
    return ((bits + bits // 8 + 2) * BIT_NS + 999) // 1000
