"""NDEF bytes in, text or a reason out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.rfid.ndef import NdefError, TooShortError, in_block, ndef_block, room_at, text_message, text_of

TEXT = "companion:emotion/bliss/kindness/1"
MESSAGE = text_message(TEXT)


def _read(area: bytes) -> str | None:
    block = ndef_block(area, len(area))
    return None if block is None else text_of(area[block.start : block.end])


def test_the_text_record_of_the_contract_is_these_bytes() -> None:
    assert b"\xd1\x01\x25T\x02en" + TEXT.encode() == MESSAGE
    assert in_block(MESSAGE) == b"\x03\x29" + MESSAGE + b"\xfe"


@pytest.mark.parametrize(
    "before",
    [
        b"",
        b"\x00\x00",
        bytes.fromhex("0103A00C34"),  # lock control, as delivered
        bytes.fromhex("0203000102"),  # memory control
        bytes.fromhex("FD02AABB"),  # proprietary
        bytes.fromhex("0103A00C34") + b"\x00" + bytes.fromhex("0203000102"),
    ],
    ids=["nothing", "null", "lock", "memory", "proprietary", "several"],
)
def test_blocks_before_the_message_are_stepped_over(before: bytes) -> None:
    assert _read(before + in_block(MESSAGE)) == TEXT


def test_a_length_of_three_bytes_is_read() -> None:
    assert _read(b"\x03\xff\x00" + bytes([len(MESSAGE)]) + MESSAGE) == TEXT


def test_other_records_before_the_text_are_stepped_over() -> None:
    link = b"\x91\x01\x0cU\x04example.org"
    other = b"\x11\x01\x08T\x02enhello"
    with_id = b"\x19\x01\x04\x02Uid\x04a.b"
    last = b"\x51" + MESSAGE[1:]

    assert text_of(link + other + with_id + last) == TEXT


def test_a_record_that_is_not_short_is_read() -> None:
    payload = b"\x02en" + TEXT.encode()
    assert text_of(b"\xc1\x01\x00\x00\x00" + bytes([len(payload)]) + b"T" + payload) == TEXT


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (b"", "no text record"),
        (b"\xd1\x01\x08T\x02enhello", "no text record"),
        (b"\xd1\x01\x25T\x02en", "breaks off"),
        (b"\xd1", "breaks off"),
        (b"\xd1\x01\x00T", "breaks off"),
        (b"\xd1\x01\x01T\x05", "breaks off"),
        (b"\xd1\x01\x05T\x82en\x00a", "UTF-16"),
        (b"\xd1\x01\x05T\x02en\xff\xfe", "no UTF-8"),
        (b"\xf1\x01\x03T\x02en", "chunks"),
    ],
)
def test_a_message_without_a_text_of_ours_says_why(message: bytes, reason: str) -> None:
    with pytest.raises(NdefError, match=reason):
        text_of(message)


def test_an_area_without_a_message_is_none_and_not_an_error() -> None:
    assert _read(b"\xfe") is None
    assert _read(bytes(144)) is None


def test_a_message_longer_than_the_tag_is_an_error() -> None:
    with pytest.raises(NdefError, match="longer than the tag"):
        ndef_block(b"\x03\xfe" + bytes(20), 144)


def test_an_area_read_in_part_says_how_much_more_there_must_be() -> None:
    area = bytes.fromhex("0103A00C34") + in_block(MESSAGE)
    with pytest.raises(TooShortError) as caught:
        ndef_block(area[:12], 144)
    assert caught.value.bytes_needed == 5 + 2 + len(MESSAGE)


def test_room_for_a_message_is_behind_the_control_blocks() -> None:
    assert room_at(bytes.fromhex("0103A00C340300FE")) == 5
    assert room_at(bytes(12)) == 0
    assert room_at(b"\xfe") == 0


def test_a_text_that_is_too_long_for_a_short_record_is_refused() -> None:
    with pytest.raises(NdefError, match="too many"):
        text_message("x" * 253)


@given(st.binary(max_size=200))
@settings(max_examples=400, deadline=None)
def test_whatever_lies_in_a_memory_is_text_nothing_or_a_reason(area: bytes) -> None:
    try:
        text = _read(area)
    except NdefError:
        text = None
    assert text is None or text.startswith("companion:")


@given(st.text(max_size=60), st.binary(max_size=3).map(lambda noise: b"\x00" * len(noise)))
def test_what_is_written_is_read(text: str, before: bytes) -> None:
    area = before + in_block(text_message("companion:" + text))

    assert _read(area) == "companion:" + text
