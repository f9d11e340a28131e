"""The simulated MFRC522, register by register: what the data sheet promises, and what it forbids."""

import pytest

from hardware.errors import SimulationError
from hardware.rfid import registers as r
from hardware.rfid.crc_a import crc_a
from hardware.simulated.chip import Chip, CollPosCounts
from hardware.simulated.field import Field
from tests.hardware.rig import NTAG

BYTE_S = 8e-6


class _Wire:
    """SPI to one chip, with time passing only by it and by `wait`."""

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        self.now_s = 0.0

    def send(self, *sent: int) -> list[int]:
        got = self.chip.transfer(bytes(sent), self.now_s, BYTE_S)
        self.now_s += len(sent) * BYTE_S
        return got

    def write(self, register: int, *values: int) -> None:
        self.send(r.write_address(register), *values)

    def read(self, register: int) -> int:
        return self.send(r.read_address(register), 0)[1]

    def wait(self, duration_s: float) -> None:
        self.now_s += duration_s

    def set_up(self) -> None:
        for register, value in (
            (r.TX_ASK, 0x40), (r.MODE, 0x3D), (r.TX_CONTROL, 0x83), (r.T_MODE, 0x80), (r.T_PRESCALER, 169),
            (r.T_RELOAD_L, 80),
        ):  # fmt: skip
            self.write(register, value)
        self.wait(0.01)

    def ready_to_send(self, *frame: int, framing: int = 0) -> None:
        self.set_up()
        self.write(r.COM_IRQ, 0x7F)
        self.write(r.FIFO_DATA, *frame)
        self.write(r.BIT_FRAMING, framing)
        self.write(r.COMMAND, r.TRANSCEIVE)

    def transceive(self, *frame: int, framing: int = 0) -> list[int]:
        self.ready_to_send(*frame, framing=framing)
        self.write(r.BIT_FRAMING, framing | r.START_SEND)
        self.wait(0.01)
        level = self.read(r.FIFO_LEVEL)
        return self.send(*[r.read_address(r.FIFO_DATA)] * level, 0)[1:] if level else []


def _wire(*tags: str, counts: CollPosCounts = CollPosCounts.UID) -> _Wire:
    field = Field()
    field.lay(tags)
    wire = _Wire(Chip(field, coll_pos_counts=counts))
    wire.wait(0.01)
    return wire


def test_reset_values_are_those_of_the_data_sheet() -> None:
    wire = _wire()
    expected = {r.COMMAND: 0x20, r.COM_IRQ: 0x14, r.MODE: 0x3F, r.TX_CONTROL: 0x80, r.RF_CFG: 0x48}

    assert {register: wire.read(register) for register in expected} == expected
    assert wire.read(r.VERSION) == 0x92


def test_set1_tells_whether_marked_irq_bits_are_set_or_cleared() -> None:
    wire = _wire()
    wire.write(r.COM_IRQ, 0x7F)
    assert wire.read(r.COM_IRQ) == 0x00
    wire.write(r.COM_IRQ, r.SET1 | 0x21)
    assert wire.read(r.COM_IRQ) == 0x21
    wire.write(r.COM_IRQ, 0x01)
    assert wire.read(r.COM_IRQ) == 0x20


def test_the_fifo_keeps_order_counts_and_flushes() -> None:
    wire = _wire()
    wire.write(r.FIFO_DATA, 1, 2, 3)
    assert wire.read(r.FIFO_LEVEL) == 3
    assert wire.send(*[r.read_address(r.FIFO_DATA)] * 2, 0)[1:] == [1, 2]
    wire.write(r.FIFO_LEVEL, r.FLUSH_BUFFER)
    assert wire.read(r.FIFO_LEVEL) == 0


def test_the_65th_byte_overflows_and_a_flush_takes_the_error_back() -> None:
    wire = _wire()
    wire.write(r.FIFO_DATA, *range(65))

    assert wire.read(r.FIFO_LEVEL) == 64
    assert wire.read(r.ERROR) & r.BUFFER_OVFL
    assert wire.read(r.COM_IRQ) & r.ERR_IRQ
    assert wire.read(r.COM_IRQ) & r.HI_ALERT_IRQ
    wire.write(r.FIFO_LEVEL, r.FLUSH_BUFFER)
    assert not wire.read(r.ERROR) & r.BUFFER_OVFL


def test_one_transfer_reads_several_registers() -> None:
    wire = _wire()

    got = wire.send(r.read_address(r.VERSION), r.read_address(r.MODE), r.read_address(r.RF_CFG), 0)

    assert got == [0, 0x92, 0x3F, 0x48]


def test_calc_crc_follows_the_preset() -> None:
    wire = _wire()
    for mode, preset in ((0x3D, 0x6363), (0x3F, 0xFFFF), (0x3C, 0x0000)):
        wire.write(r.MODE, mode)
        wire.write(r.DIV_IRQ, 0x04)
        wire.write(r.FIFO_DATA, 0x12, 0x34)
        wire.write(r.COMMAND, r.CALC_CRC)

        assert wire.read(r.DIV_IRQ) & r.CRC_IRQ
        assert bytes([wire.read(r.CRC_RESULT_L), wire.read(r.CRC_RESULT_H)]) == crc_a(b"\x12\x34", preset)
        wire.write(r.COMMAND, r.IDLE)


def test_an_answer_is_there_when_its_last_bit_has_been_on_air_and_not_before() -> None:
    wire = _wire(NTAG)
    wire.ready_to_send(0x52, framing=7)
    wire.write(r.BIT_FRAMING, 0x87)
    wire.wait(0.0003)  # 85 us out, 91 us delay, 189 us in: 365 us
    assert not wire.read(r.COM_IRQ) & r.RX_IRQ
    assert wire.read(r.COM_IRQ) & r.TX_IRQ
    wire.wait(0.0001)

    assert wire.read(r.COM_IRQ) & (r.RX_IRQ | r.TIMER_IRQ) == r.RX_IRQ
    assert wire.read(r.FIFO_LEVEL) == 2


def test_the_timer_runs_out_on_silence_and_the_answer_stops_it() -> None:
    silent, answered = _wire(), _wire(NTAG)
    for wire in (silent, answered):
        wire.ready_to_send(0x52, framing=7)
        wire.write(r.BIT_FRAMING, 0x87)
        wire.wait(0.0015)
        assert not wire.read(r.COM_IRQ) & r.TIMER_IRQ
        wire.wait(0.01)

    assert silent.read(r.COM_IRQ) & (r.TIMER_IRQ | r.RX_IRQ) == r.TIMER_IRQ
    assert answered.read(r.COM_IRQ) & (r.TIMER_IRQ | r.RX_IRQ) == r.RX_IRQ


def test_without_tauto_the_timer_never_tells_of_silence() -> None:
    wire = _wire()
    wire.ready_to_send(0x52, framing=7)
    wire.write(r.T_MODE, 0x00)
    wire.write(r.BIT_FRAMING, 0x87)
    wire.wait(1.0)

    assert not wire.read(r.COM_IRQ) & r.TIMER_IRQ


def test_a_timer_started_by_hand_runs_and_stops() -> None:
    wire = _wire()
    wire.write(r.T_PRESCALER, 169)
    wire.write(r.T_RELOAD_L, 80)
    wire.write(r.CONTROL, 0x40)
    assert wire.read(r.STATUS1) & 0x08
    assert 0 < wire.read(r.T_COUNTER_L) <= 80
    wire.write(r.CONTROL, 0x80)
    wire.wait(0.1)

    assert not wire.read(r.COM_IRQ) & r.TIMER_IRQ


@pytest.mark.parametrize(
    ("register", "value"), [(r.TX_CONTROL, 0x80), (r.TX_ASK, 0x00)], ids=["no antenna", "no full ASK"]
)
def test_without_antenna_or_full_modulation_no_tag_hears_anything(register: int, value: int) -> None:
    wire = _wire(NTAG)
    wire.ready_to_send(0x52, framing=7)
    wire.write(register, value)
    wire.write(r.BIT_FRAMING, 0x87)
    wire.wait(0.01)

    assert not wire.read(r.COM_IRQ) & r.RX_IRQ


def test_hardware_crc_is_appended_checked_and_taken_off() -> None:
    wire = _wire(NTAG)
    wire.transceive(0x52, framing=7)
    wire.write(r.TX_MODE, r.CRC_EN)
    wire.write(r.RX_MODE, r.CRC_EN)

    assert wire.transceive(0x93, 0x70, 0x88, 0x04, 0xA3, 0xC6, 0xE9) == [0x04]
    assert not wire.read(r.ERROR)


def test_an_answer_without_crc_is_a_crc_error_where_one_is_due() -> None:
    wire = _wire(NTAG)
    wire.write(r.RX_MODE, r.CRC_EN)
    wire.transceive(0x52, framing=7)

    assert wire.read(r.ERROR) & r.CRC_ERR
    assert wire.read(r.COM_IRQ) & r.ERR_IRQ


# 04.. and 05.. differ in UID bit 0, 0x0C and 0x04 in bit 3, counted from 0.
PAIRS = [("04112233", "05112233", 1), ("04112233", "0C112233", 4), ("04112233", "04112273", 31)]


@pytest.mark.parametrize(("one", "other", "position"), PAIRS)
def test_a_collision_tells_its_place_and_clears_what_follows(one: str, other: str, position: int) -> None:
    wire = _wire(one, other)
    wire.transceive(0x52, framing=7)
    wire.write(r.COLL, 0x00)
    got = wire.transceive(0x93, 0x20)

    assert wire.read(r.ERROR) & r.COLL_ERR
    assert wire.read(r.COLL) == position
    assert int.from_bytes(bytes(got), "little") >> (position - 1) == 0


def test_a_collision_in_the_32nd_bit_reads_as_zero() -> None:
    wire = _wire("04112233", "041122B3")
    wire.transceive(0x52, framing=7)
    wire.write(r.COLL, 0x00)
    wire.transceive(0x93, 0x20)

    assert wire.read(r.COLL) & (r.COLL_POS | r.COLL_POS_NOT_VALID) == 0


def test_values_after_a_collision_stay_where_they_are_asked_for() -> None:
    wire = _wire("04112233", "05112233")
    wire.transceive(0x52, framing=7)
    wire.write(r.COLL, r.VALUES_AFTER_COLL)

    assert wire.transceive(0x93, 0x20)[1:4] == [0x11, 0x22, 0x33]


@pytest.mark.parametrize(
    ("counts", "position"), [(CollPosCounts.FRAME, 7), (CollPosCounts.ALIGNED, 9), (CollPosCounts.UID, 17)]
)
def test_collpos_behind_known_bits_counts_as_the_chip_is_built(counts: CollPosCounts, position: int) -> None:
    # Bits 0 to 9 known; the tags differ in bit 16.
    wire = _wire("04112233", "04112333", counts=counts)
    wire.transceive(0x52, framing=7)
    wire.write(r.COLL, 0x00)
    wire.transceive(0x93, 0x32, 0x04, 0x01, framing=0x22)

    assert wire.read(r.COLL) & r.COLL_POS == position


def test_rx_align_and_rx_last_bits_place_the_received_bits() -> None:
    wire = _wire("04112233")
    wire.transceive(0x52, framing=7)
    # 12 known bits; the rest begins in the middle of the second byte, and the frame ends on a byte.
    got = wire.transceive(0x93, 0x34, 0x04, 0x01, framing=0x44)

    assert bytes(got) == bytes.fromhex("10223304")
    assert wire.read(r.CONTROL) & 0x07 == 0


def test_soft_reset_forgets_everything_and_takes_a_moment() -> None:
    wire = _wire()
    wire.write(r.MODE, 0x3D)
    wire.write(r.COMMAND, r.SOFT_RESET)

    assert wire.read(r.COMMAND) & r.POWER_DOWN
    wire.wait(0.001)
    assert not wire.read(r.COMMAND) & r.POWER_DOWN
    assert wire.read(r.MODE) == 0x3F


def test_authentication_never_succeeds_and_ends_by_the_timer() -> None:
    wire = _wire("04112233")
    wire.set_up()
    wire.write(r.FIFO_DATA, 0x60, 11, *[0xFF] * 6, 4, 0x11, 0x22, 0x33)
    wire.write(r.COMMAND, r.MF_AUTHENT)
    wire.wait(0.1)

    assert wire.read(r.COM_IRQ) & r.TIMER_IRQ
    assert not wire.read(r.STATUS2) & 0x08


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ((0x03, 0x00), "lowest bit"),
        ((0x02,), "data must follow"),
        ((r.read_address(r.VERSION), 0x11), "asks for 00"),
        ((r.read_address(r.VERSION), 0x02, 0x00), "read address"),
        ((r.write_address(r.VERSION), 0x00), "read-only"),
        ((r.write_address(r.ERROR), 0x00), "read-only"),
        ((r.write_address(0x0F), 0x00), "reserved"),
        ((r.write_address(0x3C), 0x00), "reserved"),
        ((r.write_address(r.COMMAND), 0x05), "CommandReg"),
        ((r.write_address(r.COMMAND), 0x01), "CommandReg"),
        ((r.write_address(r.BIT_FRAMING), 0x08), "bit 3"),
    ],
)
def test_what_the_data_sheet_forbids_fails_loudly(sent: tuple[int, ...], why: str) -> None:
    wire = _wire()
    with pytest.raises(SimulationError, match=why):
        wire.send(*sent)


def test_sending_nothing_fails_loudly() -> None:
    wire = _wire()
    wire.write(r.COMMAND, r.TRANSCEIVE)
    with pytest.raises(SimulationError, match="nothing to send"):
        wire.write(r.BIT_FRAMING, r.START_SEND)


def test_a_chip_held_in_reset_reads_zeros_and_starts_over_when_let_go() -> None:
    wire = _wire()
    wire.write(r.MODE, 0x3D)
    wire.chip.reset_pin(0, wire.now_s)
    assert wire.read(r.VERSION) == 0
    wire.chip.reset_pin(1, wire.now_s)
    assert wire.read(r.COMMAND) & r.POWER_DOWN
    wire.wait(0.01)

    assert wire.read(r.MODE) == 0x3F
