"""The MFRC522 as a transceiver, through the register access of the mfrc522 package.

Of the package only its SPI device and its register read and write are used. Its own request, anticollision
and wait loop are not: they can hand out a cascade byte as UID, see a lying tag at every other look, and spend
2000 transfers on an empty field.
"""

from collections.abc import Iterator
from typing import Any, Final

from hardware.clock import Clock
from hardware.rfid import registers as r
from hardware.rfid.iso14443 import ANSWER_TIMEOUT_S, Answer, Collision, Fault, Response, Silence
from hardware.rfid.package import PackageChip

BIT_S: Final = 128 / 13.56e6
"""One bit at 106 kbit/s (ISO/IEC 14443-2)."""
FRAME_DELAY_S: Final = 1236 / 13.56e6
"""From our last bit to the tag's first (14443-3, 6.2.1.1)."""
FIELD_OFF_S: Final = 0.006
"""A tag is sure to forget its state after 5.1 ms without a field (14443-3, operating field reset)."""
FIELD_START_UP_S: Final = 0.005
"""Tags may need this long after the antenna comes on (14443-3, 5.2)."""

_MARGIN_S: Final = 0.00005
"""Added to each wait, so that one look is enough: half a frame delay, our choice."""
_GRACE_S: Final = 0.010
"""How long after the timer should have run out the chip is still believed to be working."""
_LATE_LOOK_S: Final = 0.002
_MAX_LOOKS: Final = 12
"""Bounds the wait even where the clock stands still."""

_TICK_S: Final = (2 * 169 + 1) / 13.56e6
"""TPrescaler 169 (9.3.3.10): 25 us."""
_VERSIONS: Final = frozenset({0x91, 0x92, 0x88, 0x90, 0xB2, 0x12})
"""NXP's 1.0 and 2.0 (9.3.4.8), and what clones that work give (F-17)."""

# Written at each set-up, in this order (section 9; facts in the comments are the data sheet's).
_CONFIGURATION: Final = (
    (r.COMMAND, r.IDLE),
    (r.T_MODE, r.T_AUTO),  # the timer starts when a frame has been sent
    (r.T_PRESCALER, 169),
    (r.T_RELOAD_H, 0),
    (r.T_RELOAD_L, round(ANSWER_TIMEOUT_S / _TICK_S)),
    (r.TX_MODE, 0x00),  # 106 kbit/s, CRC in software: a disturbed one is then told from a missing one
    (r.RX_MODE, 0x00),
    (r.MOD_WIDTH, 0x26),
    (r.TX_ASK, r.FORCE_100_ASK),
    (r.MODE, 0x3D),  # CRC preset 6363
    (r.COLL, 0x00),  # bits behind a collision are cleared
    (r.BIT_FRAMING, 0x00),
)
_STATUS_BURST: Final = bytes(
    [r.read_address(reg) for reg in (r.COM_IRQ, r.ERROR, r.FIFO_LEVEL, r.CONTROL, r.COLL)] + [0]
)
_VERIFIED: Final = (r.T_MODE, r.T_PRESCALER, r.TX_MODE, r.RX_MODE, r.MOD_WIDTH, r.TX_ASK, r.MODE)
_VERIFY_BURST: Final = bytes(
    [r.read_address(reg) for reg in (*[r.VERSION] * 3, r.TX_CONTROL, r.RF_CFG, *_VERIFIED)] + [0]
)
_VALUES: Final = dict(_CONFIGURATION)
_EXPECTED: Final = tuple(_VALUES[reg] for reg in _VERIFIED)
_FIFO_WRITE: Final = r.write_address(r.FIFO_DATA)
_FIFO_READ: Final = r.read_address(r.FIFO_DATA)
_SILENCE: Final = Silence()


class Mfrc522Radio:
    """One chip as an ISO 14443-3 transceiver.

    Args:
        chip: an open `MFRC522` of the package.
        clock: what the waits are measured and slept on.
        gain: RxGain, 0 to 7 (RFCfgReg, 9.3.3.6); 4 is 33 dB.

    Attributes:
        version: VersionReg as last read; None before the first look.
        warnings: what works but should be looked at.
    """

    def __init__(self, chip: PackageChip, clock: Clock, *, gain: int = 4) -> None:
        self.version: int | None = None
        self.warnings: tuple[str, ...] = ()
        self._chip = chip
        self._clock = clock
        self._gain = gain
        self._timeout_ticks = 0

    # ---- setting up --------------------------------------------------------------------------------------

    def configure(self) -> None:
        """Write every register that this driver relies on; the field goes off and on, so tags start over."""
        write = self._chip.Write_MFRC522
        self.antenna_off()
        self._clock.sleep(FIELD_OFF_S)
        for register, value in _CONFIGURATION:
            write(register, value)
        self._timeout_ticks = _VALUES[r.T_RELOAD_L]
        write(r.RF_CFG, self._gain << 4 | 0x08)
        write(r.TX_CONTROL, 0x80 | r.ANTENNA_ON)
        self._clock.sleep(FIELD_START_UP_S)

    def soft_reset(self, *, limit_s: float = 0.05) -> bool:
        """Reset the chip by command and wait, within a bound, for it to come back (F-18)."""
        self._chip.Write_MFRC522(r.COMMAND, r.SOFT_RESET)
        return self.wait_ready(limit_s=limit_s)

    def wait_ready(self, *, limit_s: float = 0.05) -> bool:
        """Wait, within a bound, until CommandReg no longer says power-down."""
        for _ in range(max(1, round(limit_s / 0.005))):
            if not self._chip.Read_MFRC522(r.COMMAND) & r.POWER_DOWN:
                return True
            self._clock.sleep(0.005)
        return False

    def trouble(self) -> str:
        """Read version and configuration back in one transfer; what is wrong, or nothing.

        Sets `version` and `warnings`. A register that lost its value is trouble even where the version is
        right (F-14, F-15); an odd version is only a warning (F-17), 0x00 and 0xFF are no reader.
        """
        got = self._chip.spi.xfer2(_VERIFY_BURST)
        versions, tx_control, rf_cfg, config = got[1:4], got[4], got[5], tuple(got[6:])
        if set(versions) <= {0x00, 0xFF}:
            return (
                f"no reader answers (VersionReg reads {versions[0]:#04x}): "
                "check its 3.3 V supply, MISO, MOSI, SCK and chip select"
            )
        self.version = versions[-1]
        self.warnings = tuple(self._doubts(versions, rf_cfg))
        if tx_control & r.ANTENNA_ON != r.ANTENNA_ON:
            return "the antenna is off: the reader lost its settings, look at its 3.3 V supply"
        if config != _EXPECTED:
            return "the reader lost its settings: look at its 3.3 V supply and the length of its wires"
        return ""

    def _doubts(self, versions: Any, rf_cfg: int) -> Iterator[str]:
        if len(set(versions)) > 1:
            read = ", ".join(f"{version:#04x}" for version in versions)
            yield f"VersionReg is unsteady ({read}): shorten the wires or lower the SPI clock"
        elif versions[-1] not in _VERSIONS:
            yield f"VersionReg {versions[-1]:#04x} is unusual: a fake chip or a bad contact"
        if rf_cfg >> 4 & 0x07 != self._gain:
            yield f"the gain reads back as {rf_cfg >> 4 & 0x07}, not {self._gain}: try another gain"

    def trouble_after_setup(self) -> str:
        """Configure, read back; what is wrong, or nothing."""
        self.configure()
        return self.trouble()

    def not_ready(self) -> str:
        """Why the chip did not come back from a reset."""
        return self.trouble() or "the reader stays in power-down after a reset: check its RST wire and supply"

    def antenna_off(self) -> None:
        """Switch the field off."""
        self._chip.Write_MFRC522(r.TX_CONTROL, 0x80)

    # ---- frames ------------------------------------------------------------------------------------------

    def transceive(
        self,
        frame: bytes,
        *,
        tx_last_bits: int = 0,
        rx_align: int = 0,
        answer_bits: int = 16,
        timeout_s: float = ANSWER_TIMEOUT_S,
    ) -> Response:
        """Send one frame and wait for the answer (see `iso14443.Transceiver`)."""
        write = self._chip.Write_MFRC522
        self._set_timeout(timeout_s)
        framing = rx_align << 4 | tx_last_bits
        write(r.COMMAND, r.IDLE)
        write(r.COM_IRQ, r.ALL_IRQS)
        write(r.FIFO_LEVEL, r.FLUSH_BUFFER)
        self._chip.spi.xfer2(bytes([_FIFO_WRITE]) + frame)
        write(r.BIT_FRAMING, framing)
        write(r.COMMAND, r.TRANSCEIVE)
        write(r.BIT_FRAMING, r.START_SEND | framing)
        bits = len(frame) * 8 - (8 - tx_last_bits if tx_last_bits else 0)
        return self._await(_air_s(bits), answer_bits, timeout_s)

    def _set_timeout(self, timeout_s: float) -> None:
        ticks = round(timeout_s / _TICK_S)
        if ticks != self._timeout_ticks:
            if ticks >> 8 != self._timeout_ticks >> 8:
                self._chip.Write_MFRC522(r.T_RELOAD_H, ticks >> 8)
            self._chip.Write_MFRC522(r.T_RELOAD_L, ticks & 0xFF)
            self._timeout_ticks = ticks

    def _await(self, sending_s: float, answer_bits: int, timeout_s: float) -> Response:
        """Look when the answer is due, when the timer has run out, a few times more, then give up."""
        clock = self._clock
        started_s = clock.now_s()
        answer_s = sending_s + FRAME_DELAY_S + _air_s(answer_bits) + _MARGIN_S
        silent_s = sending_s + timeout_s + 2 * _TICK_S + _MARGIN_S
        look_s = answer_s if answer_bits > 0 and answer_s < silent_s else silent_s
        error = level = 0
        for _ in range(_MAX_LOOKS):
            waited_s = clock.now_s() - started_s
            if waited_s < look_s:
                clock.sleep(look_s - waited_s)
            _, irq, error, level, control, coll = self._chip.spi.xfer2(_STATUS_BURST)
            if irq & r.RX_IRQ:
                return self._received(irq, error, level, control, coll)
            if irq & r.TIMER_IRQ:
                return _SILENCE
            if clock.now_s() - started_s > silent_s + _GRACE_S:
                break
            look_s = silent_s if look_s < silent_s else look_s + _LATE_LOOK_S
        if error or 0 < level <= r.FIFO_BYTES:
            # Noise of a few bits stops the timer without being a frame.
            return Fault("an answer that never ends")
        return Fault("the reader neither answers nor times out: check its 3.3 V supply", reader=True)

    def _received(self, irq: int, error: int, level: int, control: int, coll: int) -> Response:
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
        return bytes(self._chip.spi.xfer2(bytes([_FIFO_READ] * count + [0]))[1:])


def _air_s(bits: int) -> float:
    """Seconds on air: start, data, a parity bit per whole byte, end."""
    return (bits + bits // 8 + 2) * BIT_S
