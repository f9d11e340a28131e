"""Long runs: nothing grows, nothing is opened again, every reading is right (F-14, F-23, F-45)."""

import gc
import logging
import resource
import tracemalloc

import pytest

from hardware.reader import Absent, Present
from tests.hardware.rig import NTAG, Rig, rig, uids
from tests.hardware.wired import LONG, Wired, wired

POLLS = 1200
LONG_POLLS = 100_000 if LONG else 2000
GROWTH_BYTES = 50_000
GROWTH_KIB = 2048


def _poll_a_lot(table: Rig, times: int) -> None:
    for count in range(times):
        if count % 5 == 0:
            table.field.lay((NTAG,) if count % 10 else ())
        expected = Present(uids(NTAG)) if table.field.uids else Absent()
        assert table.poll() == expected


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


def _lay_and_lift(table: Wired, times: int) -> None:
    for count in range(times):
        table.fields[0].lay((NTAG,) if count % 3 else ())
        assert table.readers[0].poll() == (Present(uids(NTAG)) if count % 3 else Absent())


def _held() -> tuple[int, int]:
    """Objects that are alive, and the most memory the process ever had, in KiB."""
    gc.collect()
    return len(gc.get_objects()), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


@pytest.mark.timeout(900)
def test_f_45_after_100_000_polls_the_process_holds_no_more_than_before() -> None:
    table = wired()
    _lay_and_lift(table, 300)
    objects, kib = _held()

    _lay_and_lift(table, LONG_POLLS)

    objects_after, kib_after = _held()
    assert objects_after - objects < 100
    assert kib_after - kib < GROWTH_KIB
    assert table.readers[0].health().errors == 0


def test_f_45_recovery_again_and_again_opens_the_device_once() -> None:
    table = rig(NTAG)
    for _ in range(100):
        table.chip.glitch()
        table.poll(3)

    assert table.poll() == Present(uids(NTAG))
    assert table.board.open_devices == 1
    assert table.reader.health().recoveries >= 99
