"""Readers in trouble: noticed before they say "nothing there", mended, and bounded in what they cost."""

from itertools import pairwise

import pytest

from hardware.reader import Absent, Present, ReaderState, Unknown
from hardware.rfid import registers as r
from hardware.rfid.mfrc522 import LONGEST_PAUSE_US, Mfrc522Reader
from hardware.rfid.pi_bus import PiBus, Wiring
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.chip import Chip
from hardware.simulated.field import Field
from tests.hardware.rig import NTAG, Rig, rig, uids

LONGEST_PAUSE_S = LONGEST_PAUSE_US / 1e6


def _polls_until_well(table: Rig, limit: int = 10) -> int:
    for count in range(1, limit + 1):
        reading = table.poll()
        assert not isinstance(reading, Absent)
        if isinstance(reading, Present):
            return count
    raise AssertionError(f"not well after {limit} polls: {table.reader.health()}")


def test_f_15_registers_back_at_their_reset_values_are_never_no_tag_and_are_set_up_again() -> None:
    table = rig(NTAG)
    table.poll()
    table.chip.glitch()

    assert _polls_until_well(table) <= 2
    assert table.reader.health().recoveries == 1


def test_f_09_f_15_an_empty_reader_that_lost_its_settings_is_unknown_not_absent() -> None:
    table = rig()
    table.poll()
    table.chip.glitch()

    reading = table.poll()

    assert isinstance(reading, Unknown)
    assert reading.reader_fault
    assert table.reader.health().state is ReaderState.RECOVERING
    assert table.poll() == Absent()
    assert table.reader.health().state is ReaderState.OK


@pytest.mark.parametrize(
    ("register", "value"),
    [(r.TX_CONTROL, 0x80), (r.TX_ASK, 0x00), (r.MODE, 0x3F), (r.T_MODE, 0x00), (r.TX_MODE, 0x80)],
)
def test_f_14_f_41_one_lost_register_is_noticed_before_absent_is_said(register: int, value: int) -> None:
    table = rig(NTAG)
    table.poll()
    table.bus.xfer(bytes([r.write_address(register), value]))

    assert _polls_until_well(table) <= 3


@pytest.mark.parametrize("level", [0x00, 0xFF])
def test_f_17_a_line_that_reads_all_zeros_or_ones_is_no_reader(level: int) -> None:
    table = rig(NTAG)
    table.poll()
    table.chip.unplug(level)

    for _ in range(10):
        reading = table.poll()
        assert isinstance(reading, Unknown)
        assert reading.reader_fault

    assert table.reader.health().state is ReaderState.SILENT
    assert "no reader answers" in table.reader.health().reason


@pytest.mark.parametrize("level", [0x00, 0xFF])
def test_f_15_a_reader_plugged_in_again_comes_back_without_a_restart(level: int) -> None:
    table = rig(NTAG)
    table.poll()
    table.chip.unplug(level)
    table.poll(10)
    table.chip.replug()
    table.board.clock.sleep(LONGEST_PAUSE_S)

    assert _polls_until_well(table) <= 2
    assert table.reader.health().state is ReaderState.OK


def test_a_reader_that_is_missing_at_the_start_stops_nothing_and_is_found_later() -> None:
    table = rig(NTAG)
    table.chip.unplug(0x00)
    assert isinstance(table.poll(5), Unknown)

    table.chip.replug()
    table.board.clock.sleep(LONGEST_PAUSE_S)

    assert _polls_until_well(table) <= 2


def test_a_silent_reader_costs_nothing_between_its_tries() -> None:
    table = rig()
    table.poll()
    table.chip.unplug()
    table.poll(10)
    transfers, now_s = table.transfers, table.board.clock.now_s()

    table.poll(100)

    assert table.transfers == transfers
    assert table.board.clock.now_s() == now_s


def test_the_pauses_of_a_silent_reader_grow_to_a_bound() -> None:
    table = rig()
    table.poll()
    table.chip.unplug()
    tries = []
    for _ in range(4000):
        before = table.transfers
        table.poll()
        if table.transfers != before:
            tries.append(table.board.clock.now_s())
        table.board.clock.sleep(0.05)

    pauses = [round(later - earlier) for earlier, later in pairwise(tries)]
    assert pauses == sorted(pauses)
    assert pauses[-1] == LONGEST_PAUSE_S


def test_f_18_power_down_that_sticks_is_waited_for_within_a_bound() -> None:
    table = rig(NTAG)
    table.poll()
    table.chip.stuck_power_down = True
    longest_s = 0.0
    states = set()
    for _ in range(3):
        start_s = table.board.clock.now_s()
        assert isinstance(table.poll(), Unknown)
        longest_s = max(longest_s, table.board.clock.now_s() - start_s)
        states.add(table.reader.health().state)

    assert longest_s <= 0.15
    assert _polls_until_well(table) <= 2  # the third step pulls the reset line, which frees this chip


def test_a_chip_that_only_its_reset_line_can_free_is_freed_by_it() -> None:
    table = rig(NTAG)
    table.poll()
    table.chip.stuck_power_down = True

    assert _polls_until_well(table, limit=6) >= 3
    assert table.reader.health().recoveries == 1


@pytest.mark.parametrize("version", [0x91, 0x92, 0x88, 0x90, 0xB2, 0x12])
def test_f_17_usual_versions_raise_no_warning(version: int) -> None:
    table = rig(NTAG)
    table.chip.version = version

    assert table.poll() == Present(uids(NTAG))
    assert table.reader.health().version == version
    assert table.reader.health().warnings == ()


@pytest.mark.parametrize("version", [0x89, 0x15, 0x1C, 0xEE, 0x50])
def test_f_17_odd_versions_warn_and_read_on(version: int) -> None:
    table = rig(NTAG)
    table.chip.version = version

    assert table.poll() == Present(uids(NTAG))
    assert f"{version:#04x}" in table.reader.health().warnings[0]


def test_f_38_an_unsteady_version_is_a_warning_about_the_wires() -> None:
    table = rig()
    answers = iter([0x92, 0x82, 0x92] * 2)
    table.chip._readers[r.VERSION] = lambda: next(answers)

    assert table.poll() == Absent()
    assert "wires" in table.reader.health().warnings[0]


def test_f_21_a_gain_that_does_not_hold_is_a_warning() -> None:
    table = rig(NTAG, gain=7)
    table.chip.gain_held = False

    assert table.poll() == Present(uids(NTAG))
    assert "gain" in table.reader.health().warnings[0]


@pytest.mark.parametrize("gain", range(8))
def test_f_31_every_gain_can_be_set(gain: int) -> None:
    table = rig(NTAG, gain=gain)
    table.poll()

    assert table.chip._regs[r.RF_CFG] >> 4 & 0x07 == gain
    assert table.reader.health().warnings == ()


def test_a_device_file_that_is_missing_is_named_with_its_mend() -> None:
    table = rig()
    reader = Mfrc522Reader("pad/1", PiBus(table.package.MFRC522, Wiring(bus=1, device=2)), table.board.clock)

    reading = reader.poll()

    assert isinstance(reading, Unknown)
    assert "/dev/spidev1.2 is not there" in reading.reason
    assert reader.health().state is ReaderState.SILENT


def test_pins_numbered_another_way_by_the_rest_of_the_program_are_refused() -> None:
    table = rig()
    table.board.gpio.setmode(11)

    reading = table.poll()

    assert isinstance(reading, Unknown)
    assert "BCM" in reading.reason


def test_f_19_two_readers_of_one_bus_do_not_know_of_each_other() -> None:
    board = SimulatedBoard()
    fields = [Field(), Field()]
    chips = [Chip(field) for field in fields]
    for device, chip in enumerate(chips):
        board.attach(chip, 0, device, reset=(22, 18)[device])
    package = board.load_mfrc522()
    readers = [
        Mfrc522Reader(f"pad/{n}", PiBus(package.MFRC522, Wiring(0, n, reset=(22, 18)[n])), board.clock)
        for n in (0, 1)
    ]
    fields[1].place(NTAG)

    assert [reader.poll() for reader in readers] == [Absent(), Present(uids(NTAG))]

    chips[0].unplug()
    for _ in range(8):
        assert isinstance(readers[0].poll(), Unknown)
        assert readers[1].poll() == Present(uids(NTAG))
    readers[0].close()
    assert readers[1].poll() == Present(uids(NTAG))
    assert board.gpio.cleanups == 0


def test_a_reset_line_shared_by_two_readers_costs_the_other_no_false_absence() -> None:
    board = SimulatedBoard()
    fields = [Field(), Field()]
    chips = [Chip(field) for field in fields]
    for device, chip in enumerate(chips):
        board.attach(chip, 0, device)
    package = board.load_mfrc522()
    readers = [Mfrc522Reader(f"pad/{n}", PiBus(package.MFRC522, Wiring(0, n)), board.clock) for n in (0, 1)]
    fields[1].place(NTAG)
    for reader in readers:
        reader.poll()
    chips[0].unplug()

    readings = []
    for _ in range(200):
        readers[0].poll()
        readings.append(readers[1].poll())
        board.clock.sleep(0.05)

    assert Absent() not in readings
    assert readings.count(Present(uids(NTAG))) >= 190


def test_closing_lets_go_of_the_own_device_only_and_twice_is_harmless() -> None:
    table = rig(NTAG)
    table.poll()
    assert table.board.open_devices == 1

    table.reader.close()
    table.reader.close()

    assert table.board.open_devices == 0
    assert table.board.gpio.cleanups == 0
    assert not table.field.powered
    assert isinstance(table.poll(), Unknown)


def test_a_clock_that_stands_still_can_not_make_a_poll_endless() -> None:
    table = rig()
    table.poll()
    table.chip.stuck_power_down = True
    table.reader._radio._clock = _StoppedClock()
    before = table.transfers

    assert isinstance(table.poll(), Unknown)
    assert table.transfers - before <= 40


class _StoppedClock:
    def now_us(self) -> int:
        return 0

    def sleep_us(self, duration_us: int) -> None:
        pass


def test_f_31_gains_can_be_tried_one_after_the_other_while_a_tag_lies_there() -> None:
    table = rig(NTAG)
    table.poll()

    for gain in range(8):
        assert table.reader.set_gain(gain) == ""
        assert table.chip._regs[r.RF_CFG] >> 4 & 0x07 == gain
        assert table.poll() == Present(uids(NTAG))
    assert table.reader.health().errors == 0


def test_f_21_a_gain_that_does_not_hold_is_said_when_it_is_tried() -> None:
    table = rig(NTAG)
    table.chip.gain_held = False
    table.poll()

    assert "reads back as 4, not 6" in table.reader.set_gain(6)


def test_a_reader_started_again_by_hand_pulls_its_reset_line_and_reads_on() -> None:
    table = rig(NTAG)
    table.poll()

    table.reader.restart()

    assert table.poll() == Present(uids(NTAG))
    assert table.reader.health().state is ReaderState.OK
