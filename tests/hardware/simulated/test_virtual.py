"""The virtual table's node: 29 readers, their fields, in simulated time and little of the real one."""

import logging
import time

from hardware.reader import Absent, Present, ReaderState, Unknown
from hardware.simulated import virtual_node
from tests.hardware.rig import NTAG, uids

SPACES = [f"slot/{number}" for number in range(29)]
SWEEP_CPU_S = 0.030
"""Measured at 2 ms empty and 6 ms with 15 tags; the bound leaves room for slow machines."""


def test_what_lies_in_a_field_is_read_at_its_space_and_nowhere_else() -> None:
    node = virtual_node(SPACES)
    node.fields["slot/7"].place(NTAG)
    node.fields["slot/9"].lay(("01020304", NTAG.replace("04A3", "04A4")))

    readings = node.sweep()

    assert list(readings) == SPACES
    assert readings["slot/7"] == Present(uids(NTAG))
    assert readings["slot/9"] == Present(uids("01020304", "04A4C6CAE26180"))
    assert sum(reading == Absent() for reading in readings.values()) == 27
    node.close()


def test_every_reader_is_well_after_its_first_poll() -> None:
    node = virtual_node(SPACES)
    node.sweep()

    assert {reader.health().state for reader in node.readers.values()} == {ReaderState.OK}
    assert {reader.health().version for reader in node.readers.values()} == {0x92}


def test_a_sweep_of_29_readers_costs_a_few_milliseconds_of_cpu() -> None:
    node = virtual_node(SPACES)
    for number in range(15):
        node.fields[SPACES[number]].place(f"04A3C6CAE261{number:02X}")
    node.sweep()
    costs_s = []
    for _ in range(20):
        start_s = time.thread_time()
        node.sweep()
        costs_s.append(time.thread_time() - start_s)

    assert min(costs_s) < SWEEP_CPU_S


def test_a_chip_that_fails_in_a_virtual_node_is_one_unknown_space() -> None:
    node = virtual_node(SPACES)
    node.sweep()
    node.chips["slot/3"].unplug()

    for _ in range(6):
        readings = node.sweep()

    assert isinstance(readings["slot/3"], Unknown)
    assert node.readers["slot/3"].health().state is ReaderState.SILENT


def test_closing_a_virtual_node_closes_every_device() -> None:
    node = virtual_node(SPACES)
    node.sweep()
    assert node.board.open_devices == len(SPACES)

    node.close()

    assert node.board.open_devices == 0


def test_the_package_leaves_no_log_handlers_behind() -> None:
    before = list(logging.getLogger("mfrc522Logger").handlers)

    virtual_node(SPACES).sweep()

    assert logging.getLogger("mfrc522Logger").handlers == before
