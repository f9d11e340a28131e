"""Our reader over the real mfrc522 package and simulated chips: what a poll says, and what it costs."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.reader import Absent, Present, ReaderState
from hardware.simulated.chip import CollPosCounts
from hardware.simulated.tag import TagState
from tests.hardware.rig import NTAG, rig, uids

EVERY_SIZE = ["01020304", "04A3C6CAE26180", "04A3C6CAE2618011223344"[:20]]


def test_an_empty_field_is_absent_and_costs_at_most_30_transfers() -> None:
    table = rig()
    table.poll()
    before = table.transfers

    assert table.poll() == Absent()
    assert table.transfers - before <= 20


@pytest.mark.parametrize("uid", EVERY_SIZE)
def test_f_01_f_02_f_05_every_uid_size_is_read_whole(uid: str) -> None:
    table = rig(uid)

    assert table.poll() == Present(uids(uid))
    assert table.reader.health().state is ReaderState.OK


def test_a_whole_read_of_seven_bytes_with_hlta_costs_at_most_80_transfers() -> None:
    table = rig(NTAG)
    table.poll()
    before = table.transfers

    table.poll()

    assert table.transfers - before <= 60
    assert table.field._tags[0].state is TagState.HALT


@pytest.mark.parametrize("uid", EVERY_SIZE)
def test_f_07_f_33_a_tag_that_lies_still_is_seen_by_every_poll(uid: str) -> None:
    table = rig(uid)

    assert {table.poll() for _ in range(50)} == {Present(uids(uid))}


def test_f_03_two_tags_with_the_same_first_bytes_are_two_tags() -> None:
    table = rig("04A3C611223344")
    other = rig(NTAG)

    assert table.poll() != other.poll()


def test_f_30_a_card_swapped_for_another_between_two_polls_is_the_other() -> None:
    table = rig(NTAG)
    table.poll()
    table.field.lay(("04A3C611223344",))

    assert table.poll() == Present(uids("04A3C611223344"))


def test_a_lifted_tag_is_absent_at_once() -> None:
    table = rig(NTAG)
    table.poll()
    table.field.remove(NTAG)

    assert table.poll() == Absent()


def _uid(size: int) -> st.SearchStrategy[bytes]:
    """Few different bytes, so that tags share long beginnings."""
    byte = st.sampled_from([0x04, 0x05, 0x84, 0xA3, 0x00, 0xFF])
    return st.lists(byte, min_size=size, max_size=size).map(bytes)


def _fields() -> st.SearchStrategy[list[bytes]]:
    uid = st.one_of(_uid(4), _uid(7), _uid(10), st.binary(min_size=7, max_size=7))
    usable = uid.filter(lambda uid: (uid[0], uid[3], uid[6] if len(uid) == 10 else 0).count(0x88) == 0)
    return st.lists(usable, min_size=1, max_size=4, unique=True)


@pytest.mark.parametrize("counts", list(CollPosCounts))
@given(tags=_fields())
@settings(max_examples=60, deadline=None)
def test_f_158_every_tag_of_a_field_is_named_by_every_poll(counts: CollPosCounts, tags: list[bytes]) -> None:
    table = rig(*(uid.hex() for uid in tags), counts=counts)

    for _ in range(3):
        assert table.poll() == Present(tuple(sorted(tags)))
