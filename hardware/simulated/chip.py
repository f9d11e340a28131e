"""A register-level MFRC522 (NXP data sheet): SPI bytes in, SPI bytes out, a field on the other side.

Events lie in time: an answer is in the FIFO when its last bit has been on air, the timer flag rises when the
timer has run out, and a driver that looks earlier sees neither. What the data sheet forbids or leaves open
raises `SimulationError`; what it allows, however unwise, works.

Not modelled, and refused loudly: Mem, Generate RandomID, Transmit, Receive. MFAuthent runs, but no simulated
tag knows Crypto1, so it never succeeds.
"""

import math
from collections.abc import Callable
from enum import Enum
from typing import Final

from hardware.errors import SimulationError
from hardware.rfid import registers as r
from hardware.rfid.crc_a import crc_a
from hardware.simulated.air import BIT_S, CARRIER_HZ, FRAME_DELAY_S, air_s, bits_of
from hardware.simulated.field import Field, Reception

# Reset values, data sheet tables 20 to 136; CollReg's low bits are undefined there, 0x20 says "not valid".
_RESET: Final = {
    r.COMMAND: 0x20, r.COM_IEN: 0x80, r.COM_IRQ: 0x14, r.STATUS1: 0x21, r.WATER_LEVEL: 0x08, r.CONTROL: 0x10,
    r.COLL: 0xA0, r.MODE: 0x3F, r.TX_CONTROL: 0x80, 0x16: 0x10, 0x17: 0x84, 0x18: 0x84, 0x19: 0x4D,
    0x1C: 0x62, 0x1F: 0xEB, r.CRC_RESULT_H: 0xFF, r.CRC_RESULT_L: 0xFF, r.MOD_WIDTH: 0x26, r.RF_CFG: 0x48,
    0x27: 0x88, 0x28: 0x20, 0x29: 0x20, 0x33: 0x80, 0x36: 0x40,
}  # fmt: skip
_RESERVED: Final = frozenset({0x00, 0x0F, 0x10, 0x1A, 0x1B, 0x1E, 0x20, 0x23, 0x25, 0x30, *range(0x3C, 0x40)})
_READ_ONLY: Final = frozenset({
    r.ERROR, r.STATUS1, r.CRC_RESULT_H, r.CRC_RESULT_L, r.T_COUNTER_H, r.T_COUNTER_L, 0x35, r.VERSION, 0x3B,
})  # fmt: skip
_CRC_PRESETS: Final = (0x0000, 0x6363, 0xA671, 0xFFFF)
"""ModeReg CRCPreset (9.3.2.2)."""
_SOFT_RESET_S: Final = 1024 / 27.12e6
"""8.8.2: 1024 clocks after the oscillator is steady."""
_OSCILLATOR_S: Final = 0.001
"""Start of the crystal after power-down; depends on the crystal, our estimate."""
_NEVER: Final = math.inf
_NO_ANSWER: Final = Reception(0, 0)


class CollPosCounts(Enum):
    """From where CollPos counts once part of the UID was sent; the data sheet leaves it open."""

    FRAME = "from the first received bit"
    ALIGNED = "from the start of the byte in which reception begins"
    UID = "from the first bit of the UID"


class Chip:
    """One MFRC522 with its antenna in a field.

    Args:
        field: what its antenna reaches.
        version: VersionReg; 0x92 is NXP's 2.0.
        coll_pos_counts: how CollPos counts behind known bits.
    """

    def __init__(
        self, field: Field, *, version: int = 0x92, coll_pos_counts: CollPosCounts = CollPosCounts.UID
    ) -> None:
        self.field = field
        self.version = version
        self.stuck_power_down = False
        """A fault: CommandReg says power-down for ever, and nothing is sent."""
        self.gain_held = True
        """A fault when False: RFCfgReg keeps its reset value whatever is written."""
        self._coll_pos_counts = coll_pos_counts
        self._dead_level: int | None = None
        self._reset_low = False
        self._lost_its_fifo = False
        self._regs = bytearray(64)
        self._fifo = bytearray()
        self._now_s = 0.0
        self._readers, self._writers = self._register_table()
        self._reset(0.0)

    # ---- faults ------------------------------------------------------------------------------------------

    def unplug(self, level: int = 0x00) -> None:
        """The line goes dead: every byte read is `level` (0x00 or 0xFF), and what is written is lost."""
        self._dead_level = level
        self.field.power(False, self._now_s)

    def replug(self) -> None:
        """The chip is back, as after power-on."""
        self._dead_level = None
        self._reset(_OSCILLATOR_S)

    def glitch(self) -> None:
        """The supply drops for a moment: every register goes back to its reset value."""
        self._reset(_SOFT_RESET_S)
        self._lost_its_fifo = True

    def reset_pin(self, level: int, now_s: float) -> None:
        """NRSTPD (8.8.1): low is hard power-down; the rising edge resets the chip."""
        self._now_s = max(self._now_s, now_s)
        rising = self._reset_low and bool(level)
        self._reset_low = not level
        if self._reset_low:
            self.field.power(False, now_s)
        elif rising:
            self.stuck_power_down = False
            self._reset(_OSCILLATOR_S)

    # ---- SPI ---------------------------------------------------------------------------------------------

    def transfer(self, sent: bytes, start_s: float, byte_s: float) -> list[int]:
        """One SPI transfer, chip select low all through (8.1.2).

        Args:
            sent: the address byte and what follows it.
            start_s: when the first bit goes out.
            byte_s: how long one byte takes.
        """
        if self._dead_level is not None:
            return [self._dead_level] * len(sent)
        if self._reset_low:
            return [0] * len(sent)
        address = sent[0]
        if address & 0x01:
            raise SimulationError(f"SPI address byte {address:#04x}: the lowest bit must be 0")
        if len(sent) < 2:
            raise SimulationError(f"SPI transfer of the address {address:#04x} alone: data must follow")
        at_s = start_s + byte_s
        if address & 0x80:
            return self._read(sent, at_s, byte_s)
        register = address >> 1
        writer = self._writers[register]
        for value in sent[1:]:
            at_s += byte_s
            self._now_s = at_s
            if at_s >= self._due_s:
                self._catch_up()
            if writer is None:
                self._regs[register] = value
            else:
                writer(value)
        return [0] * len(sent)

    def _read(self, sent: bytes, at_s: float, byte_s: float) -> list[int]:
        got = [0]
        address = sent[0]
        for following in sent[1:]:
            self._now_s = at_s
            if at_s >= self._due_s:
                self._catch_up()
            register = (address & 0x7E) >> 1
            reader = self._readers[register]
            got.append(self._regs[register] if reader is None else reader())
            address = following
            at_s += byte_s
            if not address & 0x80 and len(got) < len(sent):
                raise SimulationError(f"SPI read burst: {address:#04x} is no read address (bit 7 must be 1)")
        if sent[-1] != 0:
            raise SimulationError(f"SPI read ends with {sent[-1]:#04x}: the data sheet asks for 00")
        return got

    # ---- registers ---------------------------------------------------------------------------------------

    def _register_table(self) -> tuple[list[Callable[[], int] | None], list[Callable[[int], None] | None]]:
        readers: list[Callable[[], int] | None] = [None] * 64
        writers: list[Callable[[int], None] | None] = [None] * 64
        for register in _READ_ONLY:
            writers[register] = _refuse(register, "is read-only")
        for register in _RESERVED:
            writers[register] = _refuse(register, "is reserved")
        readers[r.COMMAND], writers[r.COMMAND] = self._read_command, self._write_command
        writers[r.COM_IRQ] = self._write_com_irq
        writers[r.DIV_IRQ] = self._write_div_irq
        writers[r.STATUS2] = self._write_status2
        readers[r.STATUS1] = self._read_status1
        readers[r.FIFO_DATA], writers[r.FIFO_DATA] = self._read_fifo, self._write_fifo
        readers[r.FIFO_LEVEL], writers[r.FIFO_LEVEL] = self._read_fifo_level, self._write_fifo_level
        writers[r.CONTROL] = self._write_control
        readers[r.BIT_FRAMING], writers[r.BIT_FRAMING] = self._read_bit_framing, self._write_bit_framing
        writers[r.COLL] = self._write_coll
        writers[r.TX_CONTROL] = self._write_tx_control
        writers[r.RF_CFG] = self._write_rf_cfg
        readers[r.T_COUNTER_H] = lambda: self._timer_count() >> 8
        readers[r.T_COUNTER_L] = lambda: self._timer_count() & 0xFF
        readers[r.VERSION] = lambda: self.version
        return readers, writers

    def _reset(self, start_up_s: float) -> None:
        for register in range(64):
            self._regs[register] = _RESET.get(register, 0)
        self._fifo.clear()
        self._tx_end_s = self._rx_start_s = self._rx_end_s = self._timer_s = self._due_s = _NEVER
        self._ready_s = self._now_s + start_up_s
        self._reception = _NO_ANSWER
        self._sent_uid_bits = 0
        self.field.power(False, self._now_s)

    def _read_command(self) -> int:
        starting = self._now_s < self._ready_s or self.stuck_power_down
        return self._regs[r.COMMAND] | (r.POWER_DOWN if starting else 0)

    def _write_command(self, value: int) -> None:
        command = value & 0x0F
        if command == r.NO_CMD_CHANGE:
            command = self._regs[r.COMMAND] & 0x0F
        elif command not in _COMMANDS:
            raise SimulationError(f"CommandReg = {value:#04x}: {command:#x} is reserved or not simulated")
        if command == r.SOFT_RESET:
            self._reset(_SOFT_RESET_S)
            return
        self._cancel()
        self._regs[r.COMMAND] = value & 0x30 | command
        if command == r.CALC_CRC:
            self._calculate_crc()
        elif command == r.MF_AUTHENT:
            self._send(self._take_fifo())
        elif command == r.TRANSCEIVE and self._regs[r.BIT_FRAMING] & r.START_SEND:
            self._transceive()

    def _cancel(self) -> None:
        """A new command breaks off what was running; what is on air is not heard by anyone."""
        self._tx_end_s = self._rx_start_s = self._rx_end_s = _NEVER
        self._plan()

    def _write_com_irq(self, value: int) -> None:
        marked = value & r.ALL_IRQS
        if value & r.SET1:
            self._regs[r.COM_IRQ] |= marked
        else:
            self._regs[r.COM_IRQ] &= ~marked & 0xFF

    def _write_div_irq(self, value: int) -> None:
        marked = value & 0x14
        if value & 0x80:
            self._regs[r.DIV_IRQ] |= marked
        else:
            self._regs[r.DIV_IRQ] &= ~marked & 0xFF

    def _write_status2(self, value: int) -> None:
        # MFCrypto1On can only be cleared by software (9.3.1.9).
        crypto = self._regs[r.STATUS2] & value & 0x08
        self._regs[r.STATUS2] = value & 0xC0 | crypto

    def _read_status1(self) -> int:
        regs = self._regs
        level, water = len(self._fifo), regs[r.WATER_LEVEL] & 0x3F
        wanted = regs[r.COM_IRQ] & regs[r.COM_IEN] & r.ALL_IRQS or regs[r.DIV_IRQ] & regs[r.DIV_IEN] & 0x14
        return (
            0x20 * bool(regs[r.DIV_IRQ] & r.CRC_IRQ or regs[r.COMMAND] & 0x0F != r.CALC_CRC)
            | 0x10 * bool(wanted)
            | 0x08 * (self._timer_s < _NEVER)
            | 0x02 * (r.FIFO_BYTES - level <= water)
            | 0x01 * (level <= water)
        )

    def _read_fifo(self) -> int:
        # An empty buffer has no defined content; drivers do read it.
        value = self._fifo.pop(0) if self._fifo else 0
        if len(self._fifo) <= self._regs[r.WATER_LEVEL] & 0x3F:
            self._regs[r.COM_IRQ] |= r.LO_ALERT_IRQ
        return value

    def _write_fifo(self, value: int) -> None:
        self._lost_its_fifo = False
        if len(self._fifo) >= r.FIFO_BYTES:
            self._regs[r.ERROR] |= r.BUFFER_OVFL
            self._regs[r.COM_IRQ] |= r.ERR_IRQ
            return
        self._fifo.append(value)
        if r.FIFO_BYTES - len(self._fifo) <= self._regs[r.WATER_LEVEL] & 0x3F:
            self._regs[r.COM_IRQ] |= r.HI_ALERT_IRQ

    def _read_fifo_level(self) -> int:
        return len(self._fifo)

    def _write_fifo_level(self, value: int) -> None:
        if value & r.FLUSH_BUFFER:
            self._fifo.clear()
            self._regs[r.ERROR] &= ~r.BUFFER_OVFL & 0xFF

    def _write_control(self, value: int) -> None:
        if value & 0x80:
            self._timer_s = _NEVER
        elif value & 0x40:
            self._timer_s = self._now_s + self._timer_period_s()
        self._plan()

    def _read_bit_framing(self) -> int:
        return self._regs[r.BIT_FRAMING]

    def _write_bit_framing(self, value: int) -> None:
        if value & 0x08:
            raise SimulationError(f"BitFramingReg = {value:#04x}: bit 3 is reserved")
        rising = value & r.START_SEND and not self._regs[r.BIT_FRAMING] & r.START_SEND
        self._regs[r.BIT_FRAMING] = value
        if rising and self._regs[r.COMMAND] & 0x0F == r.TRANSCEIVE:
            self._transceive()

    def _write_coll(self, value: int) -> None:
        self._regs[r.COLL] = value & r.VALUES_AFTER_COLL | self._regs[r.COLL] & 0x3F

    def _write_tx_control(self, value: int) -> None:
        self._regs[r.TX_CONTROL] = value
        self.field.power(bool(value & r.ANTENNA_ON), self._now_s)

    def _write_rf_cfg(self, value: int) -> None:
        if self.gain_held:
            self._regs[r.RF_CFG] = value & 0x70 | 0x08

    # ---- CRC ---------------------------------------------------------------------------------------------

    def _preset(self) -> int:
        return _CRC_PRESETS[self._regs[r.MODE] & 0x03]

    def _calculate_crc(self) -> None:
        low, high = crc_a(self._take_fifo(), self._preset())
        self._regs[r.CRC_RESULT_L], self._regs[r.CRC_RESULT_H] = low, high
        self._regs[r.DIV_IRQ] |= r.CRC_IRQ

    # ---- air ---------------------------------------------------------------------------------------------

    def _take_fifo(self) -> bytes:
        data = bytes(self._fifo)
        self._fifo.clear()
        self._regs[r.COM_IRQ] |= r.LO_ALERT_IRQ
        return data

    def _transceive(self) -> None:
        if not self._fifo and self._lost_its_fifo:
            return
        if not self._fifo:
            raise SimulationError("StartSend with an empty FIFO: there is nothing to send")
        data = self._take_fifo()
        if self._regs[r.TX_MODE] & r.CRC_EN:
            data += crc_a(data, self._preset())
        self._send(data)

    def _send(self, data: bytes) -> None:
        if self.stuck_power_down:
            return
        value, bits = bits_of(data)
        last = self._regs[r.BIT_FRAMING] & 0x07
        if last:
            bits -= 8 - last
            value &= (1 << bits) - 1
        self._regs[r.ERROR] &= r.BUFFER_OVFL | r.TEMP_ERR
        self._sent_uid_bits = max(0, bits - 16)
        self._tx_end_s = self._now_s + air_s(bits)
        reception = None
        if self._regs[r.TX_CONTROL] & r.ANTENNA_ON and self._regs[r.TX_ASK] & r.FORCE_100_ASK:
            reception = self.field.exchange(value, bits, self._now_s)
        if reception is not None:
            self._reception = reception
            self._rx_start_s = self._tx_end_s + FRAME_DELAY_S + reception.late_s
            self._rx_end_s = self._rx_start_s + air_s(reception.bits)
        self._plan()

    def _timer_period_s(self) -> float:
        regs = self._regs
        prescaler = (regs[r.T_MODE] & 0x0F) << 8 | regs[r.T_PRESCALER]
        reload = regs[r.T_RELOAD_H] << 8 | regs[r.T_RELOAD_L]
        return (reload + 1) * (2 * prescaler + 1) / CARRIER_HZ

    def _timer_count(self) -> int:
        reload = self._regs[r.T_RELOAD_H] << 8 | self._regs[r.T_RELOAD_L]
        if self._timer_s == _NEVER:
            return reload
        return max(0, round((self._timer_s - self._now_s) / self._timer_period_s() * (reload + 1)))

    # ---- events ------------------------------------------------------------------------------------------

    def _plan(self) -> None:
        self._due_s = min(self._tx_end_s, self._rx_start_s, self._rx_end_s, self._timer_s)

    def _catch_up(self) -> None:
        """Let everything happen that lies in the past, in its order."""
        now_s = self._now_s
        while self._due_s <= now_s:
            due_s = self._due_s
            if due_s == self._tx_end_s:
                self._tx_end_s = _NEVER
                self._regs[r.COM_IRQ] |= r.TX_IRQ
                if self._regs[r.T_MODE] & r.T_AUTO:
                    self._timer_s = due_s + self._timer_period_s()
            elif due_s == self._timer_s:
                self._regs[r.COM_IRQ] |= r.TIMER_IRQ
                restarts = self._regs[r.T_MODE] & 0x10
                self._timer_s = due_s + self._timer_period_s() if restarts else _NEVER
            elif due_s == self._rx_start_s:
                # TAuto (9.3.3.10): the fifth received bit stops the timer.
                self._rx_start_s = _NEVER
                if self._regs[r.T_MODE] & r.T_AUTO and self._timer_s > due_s + 5 * BIT_S:
                    self._timer_s = _NEVER
            else:
                self._rx_end_s = _NEVER
                self._receive(self._reception)
            self._plan()

    def _receive(self, reception: Reception) -> None:
        regs = self._regs
        value, bits = reception.value, reception.bits
        error = r.PARITY_ERR if reception.parity_error else 0
        coll = r.COLL_POS_NOT_VALID
        if reception.collided:
            error |= r.COLL_ERR
            first = (reception.collided & -reception.collided).bit_length() - 1
            coll = self._coll_pos(first)
            if not regs[r.COLL] & r.VALUES_AFTER_COLL:
                value &= (1 << first) - 1
        regs[r.COLL] = regs[r.COLL] & r.VALUES_AFTER_COLL | coll
        align = regs[r.BIT_FRAMING] >> 4 & 0x07
        bits += align
        data = (value << align).to_bytes((bits + 7) // 8, "little")
        regs[r.CONTROL] = regs[r.CONTROL] & 0xF8 | bits % 8
        if regs[r.RX_MODE] & r.CRC_EN:
            data, good = data[:-2], crc_a(data[:-2], self._preset()) == data[-2:]
            error |= 0 if good else r.CRC_ERR
        for byte in data:
            self._write_fifo(byte)
        regs[r.ERROR] |= error
        regs[r.COM_IRQ] |= r.RX_IRQ | (r.ERR_IRQ if error else 0)

    def _coll_pos(self, first: int) -> int:
        counts = self._coll_pos_counts
        position = first + 1
        if counts is CollPosCounts.UID:
            position += self._sent_uid_bits
        elif counts is CollPosCounts.ALIGNED:
            position += self._sent_uid_bits % 8
        return position & r.COLL_POS if position <= 32 else r.COLL_POS_NOT_VALID


_COMMANDS: Final = frozenset({r.IDLE, r.CALC_CRC, r.TRANSCEIVE, r.MF_AUTHENT, r.SOFT_RESET})


def _refuse(register: int, why: str) -> Callable[[int], None]:
    def refuse(value: int) -> None:
        raise SimulationError(f"register {register:#04x} = {value:#04x}: it {why}")

    return refuse
