"""Long runs: nothing grows, nothing is opened again, every reading is right (F-14, F-23, F-45)."""

import gc
import logging
import tracemalloc

import pytest

from hardware.reader import Absent, Present
from tests.hardware.rig import NTAG, Rig, rig, uids
from tests.hardware.wired import LONG

POLLS = 100_000 if LONG else 1200
GROWTH_BYTES = 50_000


def _poll_a_lot(table: Rig, times: int) -> None:
    for count in range(times):
        if count % 5 == 0:
            table.field.lay((NTAG,) if count % 10 else ())
        expected = Present(uids(NTAG)) if table.field.uids else Absent()
        assert table.poll() == expected


@pytest.mark.timeout(900)
def test_f_14_f_23_f_45_thousands_of_polls_open_nothing_and_grow_nothing() -> None:
    table = rig()
    _poll_a_lot(table, 200)
    handlers = len(logging.getLogger("mfrc522Logger").handlers)
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()

    _poll_a_lot(table, POLLS)

    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < GROWTH_BYTES
    assert table.board.open_devices == 1
    assert len(logging.getLogger("mfrc522Logger").handlers) == handlers
    assert table.reader.health().errors == 0


def test_f_45_recovery_again_and_again_opens_the_device_once() -> None:
    table = rig(NTAG)
    for _ in range(100):
        table.chip.glitch()
        table.poll(3)

    assert table.poll() == Present(uids(NTAG))
    assert table.board.open_devices == 1
    assert table.reader.health().recoveries >= 99
