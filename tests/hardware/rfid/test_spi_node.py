"""Readers from the entries of a table file, and the pollers of their buses."""

from dataclasses import replace
from typing import Any

import pytest

from hardware.errors import ReaderConfigError, SimulationError
from hardware.reader import Absent, Health, Present, ReaderState, Reading, Unknown
from hardware.rfid.poller import Poller
from hardware.rfid.spi_node import SpiNode, SpiReader, spi_node
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.chip import Chip
from hardware.simulated.clock import SimulatedClock
from hardware.simulated.field import Field
from tests.hardware.rig import NTAG, rig, uids

PAD = SpiReader("pad/1", bus=0, device=0)


def _board(*places: tuple[int, int]) -> tuple[SimulatedBoard, list[Field]]:
    board, fields = SimulatedBoard(), []
    for bus, device in places:
        fields.append(Field())
        board.attach(Chip(fields[-1]), bus, device)
    return board, fields


def test_readers_come_by_space_with_one_poller_per_bus() -> None:
    board, fields = _board((0, 0), (0, 1), (1, 0))
    entries = [PAD, SpiReader("pad/2", 0, 1, reset=18), SpiReader("pad/3", 1, 0, reset=16)]

    node = spi_node(entries, clock=board.clock, package=board.load_mfrc522())

    assert list(node.readers) == ["pad/1", "pad/2", "pad/3"]
    assert [[reader.name for reader in poller.readers] for poller in node.pollers] == [
        ["pad/1", "pad/2"],
        ["pad/3"],
    ]
    fields[1].place(NTAG)
    assert dict(node.pollers[0].sweep()) == {"pad/1": Absent(), "pad/2": Present(uids(NTAG))}
    node.close()
    assert board.open_devices == 0


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("gain", 8),
        ("gain", -1),
        ("bus", -1),
        ("device", -1),
        ("reset", 1),
        ("reset", 24),
        ("spi_hz", 11_000_000),
    ],
)
def test_an_entry_that_can_not_be_wired_names_space_and_key(key: str, value: int) -> None:
    changes: dict[str, Any] = {key: value}
    with pytest.raises(ReaderConfigError, match=f"pad/1: {key}:") as caught:
        spi_node([replace(PAD, **changes)], package=rig().package)
    assert caught.value.key == key


def test_f_19_two_readers_on_one_device_are_named_both() -> None:
    with pytest.raises(ReaderConfigError, match=r"pad/2.*pad/1"):
        spi_node([PAD, replace(PAD, space="pad/2")], package=rig().package)


def test_one_space_with_two_readers_is_refused() -> None:
    with pytest.raises(ReaderConfigError, match="pad/1: space"):
        spi_node([PAD, replace(PAD, device=1)], package=rig().package)


def test_a_missing_device_does_not_hold_up_the_others() -> None:
    board, fields = _board((0, 0))
    fields[0].place(NTAG)
    entries = [SpiReader("pad/2", 0, 1), PAD]
    node = spi_node(entries, clock=board.clock, package=board.load_mfrc522())

    readings = node.pollers[0].sweep()

    assert isinstance(readings["pad/2"], Unknown)
    assert readings["pad/1"] == Present(uids(NTAG))


class _Slow:
    """A reader that takes its time."""

    def __init__(self, name: str, clock: SimulatedClock, poll_s: float) -> None:
        self.name = name
        self.closed = False
        self._clock = clock
        self._poll_s = poll_s

    def poll(self) -> Reading:
        self._clock.sleep(self._poll_s)
        return Absent()

    def health(self) -> Health:
        return Health(ReaderState.OK, version=0x92, polls=0, errors=0, recoveries=0, reason="")

    def close(self) -> None:
        self.closed = True


def test_f_22_a_sweep_is_bounded_and_goes_on_where_it_was_cut() -> None:
    clock = SimulatedClock()
    readers = [_Slow(f"pad/{number}", clock, 0.4) for number in range(5)]
    poller = Poller(readers, clock, limit_us=1_000_000)

    visits = [list(poller.sweep()) for _ in range(3)]

    assert visits == [
        ["pad/0", "pad/1", "pad/2"],
        ["pad/3", "pad/4", "pad/0"],
        ["pad/1", "pad/2", "pad/3"],
    ]
    poller.close()
    assert all(reader.closed for reader in readers)


def test_a_sweep_of_no_readers_is_empty() -> None:
    assert dict(Poller([], SimulatedClock()).sweep()) == {}


def _by_pins(*pins: int | None, can_leave_cs: bool = True) -> tuple[SpiNode, list[Field], SimulatedBoard]:
    """Readers on bus 0, device 0, each with its chip select at a pin; None: the device's own."""
    board = SimulatedBoard()
    board.can_leave_cs = can_leave_cs
    fields, entries = [Field() for _ in pins], []
    for number, (pin, field) in enumerate(zip(pins, fields, strict=True)):
        board.attach(Chip(field), 0, 0, reset=22, cs=pin)
        entries.append(SpiReader(f"pad/{number + 1}", 0, 0, reset=22, cs=pin))
    return spi_node(entries, clock=board.clock, package=board.load_mfrc522()), fields, board


def test_f_22_more_readers_than_chip_selects_each_by_a_pin_of_its_own() -> None:
    node, fields, _ = _by_pins(29, 31, 32, 33, 35, 36)
    tags = [f"04A3C6112233{number:02X}" for number in range(6)]
    for field, tag in zip(fields, tags, strict=True):
        field.place(tag)

    for _ in range(3):
        readings = node.pollers[0].sweep()
        assert list(readings.values()) == [Present(uids(tag)) for tag in tags]
    assert len(node.pollers) == 1


def test_f_22_readers_with_and_without_a_pin_share_a_device() -> None:
    node, fields, _ = _by_pins(None, 29, 31)
    fields[0].place(NTAG)
    fields[2].place("01020304")

    for _ in range(3):
        assert list(node.pollers[0].sweep().values()) == [
            Present(uids(NTAG)),
            Absent(),
            Present(uids("01020304")),
        ]
    assert all(reader.health().errors == 0 for reader in node.readers.values())


def test_opening_a_reader_by_its_pin_leaves_the_reader_of_the_device_alone() -> None:
    node, fields, _ = _by_pins(None, 29)
    fields[0].place(NTAG)
    node.readers["pad/1"].poll()

    node.readers["pad/2"].poll()

    assert node.readers["pad/1"].poll() == Present(uids(NTAG))
    assert node.readers["pad/1"].health().recoveries == 0


def test_a_controller_that_moves_its_own_chip_select_serves_readers_by_pin_alone() -> None:
    node, fields, _ = _by_pins(29, 31, can_leave_cs=False)
    fields[1].place(NTAG)

    assert list(node.pollers[0].sweep().values()) == [Absent(), Present(uids(NTAG))]


def test_a_controller_that_moves_its_own_chip_select_is_named_where_a_reader_hangs_on_it() -> None:
    node, _, _ = _by_pins(None, 29, can_leave_cs=False)

    reading = node.pollers[0].sweep()["pad/2"]

    assert isinstance(reading, Unknown)
    assert "chip select" in reading.reason
    assert node.readers["pad/1"].poll() == Absent()


def test_a_device_that_another_program_left_without_its_chip_select_is_selected_again() -> None:
    board, fields = _board((0, 0))
    fields[0].place(NTAG)
    board.no_cs.add((0, 0))
    node = spi_node([PAD], clock=board.clock, package=board.load_mfrc522())

    assert node.readers["pad/1"].poll() == Present(uids(NTAG))


def test_a_pin_that_selects_another_reader_or_resets_one_is_refused() -> None:
    with pytest.raises(ReaderConfigError, match=r"pad/2: cs: pin 29 is that of pad/1"):
        spi_node([replace(PAD, cs=29), SpiReader("pad/2", 1, 0, cs=29)], package=rig().package)
    with pytest.raises(ReaderConfigError, match=r"pad/2: cs: pin 22 is the reset line of pad/1"):
        spi_node([PAD, SpiReader("pad/2", 0, 1, reset=18, cs=22)], package=rig().package)
    with pytest.raises(ReaderConfigError, match=r"pad/1: cs: physical pin 1 can't"):
        spi_node([replace(PAD, cs=1)], package=rig().package)


def test_two_chips_selected_at_once_are_a_fault_of_the_wiring_that_the_simulation_refuses() -> None:
    board = SimulatedBoard()
    board.attach(Chip(Field()), 0, 0)
    board.attach(Chip(Field()), 0, 0, cs=29)
    spi = board.modules()["spidev"].SpiDev(0, 0)

    with pytest.raises(SimulationError, match="2 chips are selected"):
        spi.xfer2([0x80 | 0x37 << 1, 0])
