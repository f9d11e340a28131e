"""Fields: tags laid over each other, power, and hands that move while readers poll."""

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.reader import Absent, Present
from hardware.simulated.field import Field, superpose
from hardware.simulated.tag import Tag, TagState
from tests.hardware.rig import NTAG, rig, uids


def test_answers_that_differ_collide_where_they_differ_and_nowhere_else() -> None:
    reception = superpose([(0b1100, 8), (0b1010, 8)])

    assert reception.collided == 0b0110


@given(st.lists(st.binary(min_size=5, max_size=5), min_size=1, max_size=5))
def test_a_field_collides_exactly_where_not_all_answers_agree(answers: list[bytes]) -> None:
    values = [int.from_bytes(answer, "little") for answer in answers]

    reception = superpose([(value, 40) for value in values])

    for bit in range(40):
        agree = len({value >> bit & 1 for value in values}) == 1
        assert bool(reception.collided >> bit & 1) is not agree


def test_the_longer_answer_is_heard_to_its_end() -> None:
    assert superpose([(0b1, 1), (0b111, 3)]).bits == 3


def test_a_field_that_goes_off_makes_every_tag_start_over() -> None:
    field = Field()
    tag = Tag(bytes.fromhex(NTAG))
    field.place(tag)
    field.power(on=True, now_s=0.0)
    assert field.exchange(0x52, 7, 0.001) is None  # the tag is still starting up
    assert field.exchange(0x52, 7, 0.006) is not None
    awake = tag.state

    field.power(on=False, now_s=0.007)

    assert (awake, tag.state) == (TagState.READY, TagState.POWER_OFF)
    assert field.exchange(0x52, 7, 0.1) is None


def test_atqas_of_different_uid_sizes_collide() -> None:
    field = Field()
    field.lay((NTAG, "01020304"))
    field.power(on=True, now_s=0.0)

    reception = field.exchange(0x52, 7, 1.0)

    assert reception is not None
    assert reception.collided == 0x40


def test_laying_twice_and_lifting_what_is_not_there_change_nothing() -> None:
    field = Field()
    field.place(NTAG)
    field.place(bytes.fromhex(NTAG))
    field.remove("01020304")

    assert field.uids == uids(NTAG)


def test_laying_a_set_keeps_the_state_of_the_tags_that_stay() -> None:
    table = rig(NTAG)
    table.poll()
    kept = table.field._tags[0]

    table.field.lay([NTAG, "01020304"])

    assert kept in table.field._tags
    assert kept.state is TagState.HALT
    assert table.field.uids == uids(NTAG, "01020304")


@pytest.mark.parametrize("uid", ["0102", "88010203"])
def test_a_uid_that_no_tag_can_have_is_not_laid(uid: str) -> None:
    field = Field()
    with pytest.raises(ValueError, match=uid):
        field.place(uid)
    assert field.uids == ()


def test_a_hand_may_move_tags_while_the_reader_polls() -> None:
    table = rig()
    done = threading.Event()

    def hand() -> None:
        for _ in range(500):
            table.field.place(NTAG)
            table.field.place("01020304")
            table.field.remove(NTAG)
            table.field.remove("01020304")
        table.field.place(NTAG)
        done.set()

    thread = threading.Thread(target=hand)
    thread.start()
    deadline_s = time.monotonic() + 20
    seen = set()
    while not done.is_set() and time.monotonic() < deadline_s:
        reading = table.poll()
        if isinstance(reading, Present):
            seen |= set(reading.uids)
    thread.join()

    assert seen <= set(uids(NTAG, "01020304"))
    assert table.poll() in {Present(uids(NTAG)), Absent()}
    assert table.poll() == Present(uids(NTAG))
