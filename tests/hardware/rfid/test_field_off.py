"""Readers whose field is on only while they look: right readings, ISO's times, one field at a time."""

import pytest

from hardware.reader import Absent, Present, ReaderState, Unknown
from hardware.rfid.spi_node import SpiReader, spi_node
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.chip import Chip
from hardware.simulated.field import Field
from tests.hardware.rig import NTAG, rig, uids

FORGETS_AFTER_S = 0.0051
"""14443-3: a tag without a field for this long starts over."""


class _Watched(Field):
    """Counts the fields that are on at once, and how long this one was off."""

    on: set["_Watched"] = set()  # noqa: RUF012 shared by all on purpose
    most = 0

    def __init__(self) -> None:
        super().__init__()
        self.off_s: list[float] = []
        self._went_off_s: float | None = None

    def power(self, on: bool, now_s: float) -> None:  # noqa: FBT001 as in Field
        if on and not self.powered:
            _Watched.on.add(self)
            _Watched.most = max(_Watched.most, len(_Watched.on))
            if self._went_off_s is not None:
                self.off_s.append(now_s - self._went_off_s)
        elif self.powered and not on:
            _Watched.on.discard(self)
            self._went_off_s = now_s
        super().power(on, now_s)


@pytest.mark.parametrize("tags", [(), (NTAG,), (NTAG, "01020304", "04A3C611223344")])
def test_what_lies_there_is_seen_by_every_poll_and_the_field_is_off_after_each(tags: tuple[str, ...]) -> None:
    table = rig(*tags, field_off=True)
    expected = Present(uids(*tags)) if tags else Absent()

    for _ in range(10):
        assert table.poll() == expected
        assert not table.field.powered
    assert table.reader.health().errors == 0


def test_of_the_readers_of_a_bus_one_at_a_time_has_its_field_on_and_long_enough_off() -> None:
    board, fields = SimulatedBoard(), [_Watched() for _ in range(4)]
    for device, field in enumerate(fields):
        field.place(NTAG)
        board.attach(Chip(field), 0, device)
    entries = [SpiReader(f"pad/{n + 1}", 0, n, field_off=True) for n in range(4)]
    node = spi_node(entries, clock=board.clock, package=board.load_mfrc522())
    _Watched.on.clear()
    _Watched.most = 0

    for _ in range(5):
        assert set(node.pollers[0].sweep().values()) == {Present(uids(NTAG))}

    assert _Watched.most == 1
    assert all(off_s >= FORGETS_AFTER_S for field in fields for off_s in field.off_s)


def test_even_polled_without_a_pause_a_field_stays_off_until_every_tag_forgot() -> None:
    board, field = SimulatedBoard(), _Watched()
    board.attach(Chip(field), 0, 0)
    node = spi_node(
        [SpiReader("pad/1", 0, 0, field_off=True)], clock=board.clock, package=board.load_mfrc522()
    )

    for _ in range(5):
        node.readers["pad/1"].poll()

    assert len(field.off_s) >= 4
    assert min(field.off_s) >= FORGETS_AFTER_S


def test_a_reader_that_lost_its_settings_while_its_field_was_off_is_noticed_before_absent_is_said() -> None:
    table = rig(NTAG, field_off=True)
    table.poll()
    table.chip.glitch()

    readings = [table.poll() for _ in range(3)]

    assert Absent() not in readings
    assert isinstance(readings[0], Unknown)
    assert readings[-1] == Present(uids(NTAG))
    assert table.reader.health().state is ReaderState.OK
