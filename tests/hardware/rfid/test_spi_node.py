"""Readers from the entries of a table file, and the pollers of their buses."""

from dataclasses import replace
from typing import Any

import pytest

from hardware.errors import ReaderConfigError
from hardware.reader import Absent, Health, Present, ReaderState, Reading, Unknown
from hardware.rfid.poller import Poller
from hardware.rfid.spi_node import SpiReader, spi_node
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
    poller = Poller(readers, clock, limit_s=1.0)

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
