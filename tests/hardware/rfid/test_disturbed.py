"""Disturbed frames: what can't be read is unknown, seldom absent, and never another tag."""

from collections.abc import Sequence
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.reader import Absent, Present, ReaderState, Reading, Unknown
from hardware.rfid import registers as r
from hardware.rfid.mfrc522 import SET_UP_AFTER_ERRORS
from hardware.simulated.chip import Chip
from hardware.simulated.field import RandomDisturbance, Reception, ScriptedDisturbance, Strike
from tests.hardware.rig import NTAG, dice, rig, uids

EVERY_STRIKE = list(Strike)
TAGS = (NTAG, "04A3C6CAE26181", "01020304", "04A3C6112233445566AA")


def _share(readings: Sequence[Reading], kind: type) -> float:
    return sum(isinstance(reading, kind) for reading in readings) / len(readings)


def _longest_run(readings: Sequence[Reading], kind: type) -> int:
    runs = groupby(readings, key=lambda reading: isinstance(reading, kind))
    return max((len(list(run)) for hit, run in runs if hit), default=0)


@pytest.mark.parametrize(
    ("disturbed", "present", "absent", "run"), [(0.05, 0.94, 0.002, 1), (0.30, 0.38, 0.02, 2)]
)
def test_f_159_a_tag_among_disturbed_frames(
    disturbed: float, present: float, absent: float, run: int
) -> None:
    table = rig(NTAG)
    table.poll()
    table.field.disturbance = RandomDisturbance(disturbed, dice(1))

    readings = [table.poll() for _ in range(1500)]

    assert _share(readings, Present) >= present
    assert _share(readings, Absent) <= absent
    assert _longest_run(readings, Absent) <= run
    assert {reading for reading in readings if isinstance(reading, Present)} == {Present(uids(NTAG))}


@pytest.mark.parametrize("disturbed", [0.05, 0.30])
def test_several_tags_among_disturbed_frames_are_never_others(disturbed: float) -> None:
    lying = (NTAG, "04A3C611223344", "01020304")
    table = rig(*lying)
    table.field.disturbance = RandomDisturbance(disturbed, dice(2))

    readings = [table.poll() for _ in range(400)]

    seen = {uid for reading in readings if isinstance(reading, Present) for uid in reading.uids}
    assert seen == set(uids(*lying))
    assert _share(readings, Absent) <= 0.02


@pytest.mark.parametrize("strike", EVERY_STRIKE, ids=[strike.name for strike in EVERY_STRIKE])
@pytest.mark.parametrize("frame", range(6))
def test_f_10_f_25_f_29_one_disturbed_frame_is_asked_again_in_the_same_poll(
    frame: int, strike: Strike
) -> None:
    table = rig(NTAG)
    table.poll()
    table.field.disturbance = ScriptedDisturbance(*[None] * frame, strike)

    assert table.poll() == Present(uids(NTAG))
    assert table.poll() == Present(uids(NTAG))


def test_f_29_answers_that_never_get_through_are_unknown_and_the_tag_is_seen_right_after() -> None:
    table = rig(NTAG)
    table.poll()
    table.field.disturbance = ScriptedDisturbance(*[Strike.ANSWER_GARBLED] * 40)

    reading = table.poll()

    assert isinstance(reading, Unknown)
    assert not reading.reader_fault
    assert table.reader.health().state is ReaderState.OK
    table.field.disturbance = None
    assert table.poll() == Present(uids(NTAG))


def test_f_10_a_tag_that_wakes_and_then_falls_silent_is_unknown_not_absent() -> None:
    table = rig(NTAG)
    table.poll()
    lost = [Strike.ANSWER_LOST] * 30
    table.field.disturbance = ScriptedDisturbance(None, *lost)

    assert isinstance(table.poll(), Unknown)


class _AlwaysGarbled:
    def strike(self) -> Strike:
        return Strike.ANSWER_GARBLED


def test_f_14_many_disturbed_polls_in_a_row_set_the_reader_up_again() -> None:
    table = rig(NTAG)
    table.poll()
    table.chip._regs[r.MOD_WIDTH] = 0x00
    table.field.disturbance = _AlwaysGarbled()

    table.poll(SET_UP_AFTER_ERRORS - 1)
    assert table.chip._regs[r.MOD_WIDTH] == 0x00
    table.poll()

    assert table.chip._regs[r.MOD_WIDTH] == 0x26
    assert table.reader.health().state is ReaderState.OK


@given(
    tags=st.lists(st.sampled_from(TAGS), min_size=1, max_size=4, unique=True),
    strikes=st.lists(st.none() | st.sampled_from(EVERY_STRIKE), max_size=60),
)
@settings(max_examples=120, deadline=None)
def test_whatever_is_disturbed_no_other_tag_is_named_and_all_are_found_after_it(
    tags: list[str], strikes: list[Strike | None]
) -> None:
    table = rig(*tags)
    table.field.disturbance = ScriptedDisturbance(*strikes)

    for _ in range(6):
        reading = table.poll()
        if isinstance(reading, Present):
            assert set(reading.uids) <= set(uids(*tags))
    table.field.disturbance = None
    table.poll()

    assert table.poll() == Present(uids(*tags))


def test_f_13_a_poll_is_bounded_whatever_is_disturbed() -> None:
    table = rig(*TAGS)
    table.poll()
    table.field.disturbance = RandomDisturbance(0.1, dice(4))
    longest_s = 0.0
    for _ in range(300):
        start_s = table.board.clock.now_s()
        table.poll()
        longest_s = max(longest_s, table.board.clock.now_s() - start_s)

    assert longest_s < 0.6


def test_more_tags_than_an_antenna_can_feed_are_unknown() -> None:
    table = rig(*TAGS, "04A3C6CAE26182")

    reading = table.poll()

    assert isinstance(reading, Unknown)
    assert "more than 4 tags" in reading.reason


class _NeverEnding(Chip):
    """Hears bits enough to stop its timer, and never the end of a frame."""

    def _receive(self, reception: Reception) -> None:
        self._regs[r.ERROR] |= r.PROTOCOL_ERR if reception.bits else 0
        self._regs[r.COM_IRQ] |= r.ERR_IRQ


def test_noise_that_stops_the_timer_is_unknown_and_not_the_readers_fault() -> None:
    table = rig(NTAG, chip_class=_NeverEnding)

    reading = table.poll()

    assert isinstance(reading, Unknown)
    assert not reading.reader_fault
    assert table.reader.health().state is ReaderState.OK


@pytest.mark.parametrize("frame", range(16))
def test_one_lost_frame_among_two_tags_hides_neither_from_the_next_poll(frame: int) -> None:
    table = rig(NTAG, "01020304")
    table.poll()
    table.field.disturbance = ScriptedDisturbance(*[None] * frame, Strike.COMMAND_LOST)
    table.poll()
    table.field.disturbance = None

    assert table.poll() == Present(uids(NTAG, "01020304"))
