"""The real mfrc522 package over simulated chips: it runs unmodified, and its known faults show."""

import logging
import sys
from typing import Any

import pytest

from hardware.reader import Present
from tests.hardware.rig import NTAG, Rig, rig, uids


def _simple(table: Rig) -> Any:
    return table.package.SimpleMFRC522()


def _transfers(simple: Any) -> int:
    return int(simple.READER.spi.transfers)


def test_f_11_the_package_needs_about_2000_transfers_for_an_empty_field_and_ours_30_at_most() -> None:
    table = rig()
    simple = _simple(table)
    before = _transfers(simple)
    assert simple.read_id_no_block() is None
    theirs = _transfers(simple) - before

    table.poll(2)
    before = table.transfers
    table.poll()

    assert theirs == 2013
    assert table.transfers - before <= 30


def test_f_01_the_package_hands_out_a_cascade_byte_three_uid_bytes_and_the_bcc() -> None:
    table = rig(NTAG)
    simple = _simple(table)
    simple.read_id_no_block()  # the field has just come on, and the tag starts up meanwhile

    theirs = _first_hit(simple)

    assert theirs == 0x8804A3C6E9
    assert table.poll(2) == Present(uids(NTAG))


def test_f_03_the_package_sees_one_id_where_two_tags_are_two() -> None:
    tags = (NTAG, "04A3C611223344")
    assert {_first_hit(_simple(rig(uid))) for uid in tags} == {0x8804A3C6E9}
    assert {rig(uid).poll() for uid in tags} == {Present(uids(uid)) for uid in tags}


def test_f_07_the_package_sees_a_still_tag_at_every_other_look_only() -> None:
    table = rig(NTAG)
    simple = _simple(table)
    _first_hit(simple)

    looks = [simple.read_id_no_block() is not None for _ in range(6)]

    assert looks == [False, True, False, True, False, True]


def test_the_package_can_not_authenticate_a_tag_without_crypto1() -> None:
    table = rig("01020304")
    simple = _simple(table)
    logging.getLogger("mfrc522Logger").setLevel(logging.CRITICAL)
    simple.read_id_no_block()

    for _ in range(2):
        number, text = simple.read_no_block()

    assert (number, text) in {(0x0102030404, ""), (None, None)}


def test_the_package_computes_crc_by_the_chip_as_we_do_by_table() -> None:
    table = rig()
    chip = table.package.MFRC522()

    assert chip.CalulateCRC([0x50, 0x00]) == [0x57, 0xCD]


def test_the_package_selects_a_four_byte_tag() -> None:
    table = rig("01020304")
    chip = table.package.MFRC522()
    table.board.clock.sleep(0.01)

    assert chip.MFRC522_Request(chip.PICC_REQIDL) == (chip.MI_OK, 16)
    status, uid = chip.MFRC522_Anticoll()
    assert (status, uid) == (chip.MI_OK, [1, 2, 3, 4, 4])
    assert chip.MFRC522_SelectTag(uid) == 0x08


def test_loading_the_package_leaves_the_modules_of_the_process_as_they_were() -> None:
    before = {name: id(module) for name, module in sys.modules.items()}

    rig()

    after = {name: id(module) for name, module in sys.modules.items() if name in before}
    assert after == before
    assert not {"mfrc522", "spidev", "RPi", "RPi.GPIO"} & (sys.modules.keys() - before.keys())


def _first_hit(simple: Any) -> int:
    for _ in range(3):
        number = simple.read_id_no_block()
        if number is not None:
            return int(number)
    pytest.fail("no hit in three looks")
