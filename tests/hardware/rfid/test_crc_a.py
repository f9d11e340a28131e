"""CRC_A and BCC against vectors that are not our own."""

import pytest

from hardware.rfid.crc_a import bcc, crc_a, with_crc


@pytest.mark.parametrize(
    ("data", "check"),
    [
        ("0000", "A01E"),  # ISO/IEC 14443-3, annex B, example 1
        ("1234", "26CF"),  # the same, example 2
        ("5000", "57CD"),  # HLTA, as every data sheet of a type A tag prints it
        ("3000", "02A8"),  # READ of page 0, NTAG213 traces
    ],
)
def test_crc_a_fits_the_published_vectors(data: str, check: str) -> None:
    assert crc_a(bytes.fromhex(data)).hex().upper() == check
    assert with_crc(bytes.fromhex(data)).hex().upper() == data + check


@pytest.mark.parametrize(("part", "check"), [("8804A3C6", 0xE9), ("CAE26180", 0xC9)])
def test_bcc_of_both_levels_of_04a3c6cae26180(part: str, check: int) -> None:
    assert bcc(bytes.fromhex(part)) == check


def test_a_frame_with_its_own_crc_checks_to_nothing() -> None:
    assert crc_a(with_crc(b"\x93\x70\x88\x04\xa3\xc6\xe9")) == b"\0\0"
