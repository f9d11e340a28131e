"""Several readers in turn, marginal ones, and readers that no interrupt line is wired to."""

import warnings

import pytest

from hardware.reader import Absent, Present, Unknown
from hardware.simulated.field import RandomDisturbance
from tests.hardware.rig import NTAG, dice, rig, uids
from tests.hardware.wired import Wired, wired


def test_f_39_five_empty_readers_in_turn_take_less_than_one_did_with_the_usual_timeout() -> None:
    table = Wired()
    for _ in range(5):
        table.add()
    poller = table.poller
    for _ in range(12):
        poller.sweep()
    start_s = table.clock.now_s()

    assert set(poller.sweep().values()) == {Absent()}
    assert table.clock.now_s() - start_s < 0.025


@pytest.mark.parametrize("disturbed", [0.0, 0.2, 0.6])
def test_f_27_the_hit_rate_of_100_polls_tells_a_good_place_from_a_bad_one(disturbed: float) -> None:
    table = wired(NTAG)
    reader = table.readers[0]
    reader.poll()
    table.fields[0].disturbance = RandomDisturbance(disturbed, dice(27))
    before = reader.health()
    seen = sum(isinstance(reader.poll(), Present) for _ in range(100))
    after = reader.health()

    assert after.hits - before.hits == seen
    assert after.polls - before.polls == 100
    low, high = {0.0: (100, 100), 0.2: (70, 99), 0.6: (0, 30)}[disturbed]
    assert low <= seen <= high


def test_f_34_f_35_no_interrupt_line_is_asked_for_and_a_tag_there_before_the_first_poll_is_seen() -> None:
    table = rig(NTAG)
    assert not hasattr(table.board.modules()["RPi.GPIO"], "add_event_detect")

    assert table.poll() == Present(uids(NTAG))


def test_f_35_a_reader_that_is_not_wired_says_so_with_its_first_poll_and_in_bounded_time() -> None:
    table = rig()
    table.chip.unplug(0xFF)
    start_s = table.board.clock.now_s()

    reading = table.poll()

    assert isinstance(reading, Unknown)
    assert "MISO" in reading.reason
    assert table.board.clock.now_s() - start_s < 0.1


def test_f_37_readers_on_lines_of_their_own_know_nothing_of_a_line_that_is_stuck() -> None:
    nodes = [wired(NTAG), wired(NTAG)]
    for node in nodes:
        node.readers[0].poll()
    nodes[0].chips[0].unplug(0xFF)

    for _ in range(10):
        assert isinstance(nodes[0].readers[0].poll(), Unknown)
        assert nodes[1].readers[0].poll() == Present(uids(NTAG))


def test_f_46_polls_raise_no_warning_where_warnings_are_errors() -> None:
    table = rig(NTAG)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert table.poll(3) == Present(uids(NTAG))
        table.field.lay(())
        assert table.poll(3) == Absent()
