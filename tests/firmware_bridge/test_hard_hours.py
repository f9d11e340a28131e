"""Chips, driver and debounce together, in simulated time: what a table in trouble must not report."""

from collections.abc import Callable

import pytest

from firmware_bridge.presence.debounce import Fact, Presence
from firmware_bridge.scanner import PERIOD_S
from hardware.reader import Absent, ReaderState
from hardware.simulated.chip import Chip
from hardware.simulated.field import Disturbance, RandomDisturbance, Strike
from tests.hardware.rig import NTAG, dice, uids
from tests.hardware.wired import LONG, Wired, wired

SLOW_PERIOD_S = 0.1
"""A bus whose sweep takes longer than the scanner's period."""
LYING = Fact(uids(NTAG), "ok")
EMPTY = Fact((), "ok")


class _LostAnswers:
    """So many of the answers never arrive; the tags have heard the question."""

    def __init__(self, share: float, seed: int) -> None:
        self._share = share
        self._dice = dice(seed)

    def strike(self) -> Strike | None:
        return Strike.ANSWER_LOST if self._dice.random() < self._share else None


class _Watch:
    """Sweeps the readers of a table at a period and keeps every fact with its time."""

    def __init__(self, table: Wired, period_s: float = PERIOD_S) -> None:
        self.table = table
        self.facts: list[tuple[float, int, Fact]] = []
        self.absences = 0
        self._period_s = period_s
        self._presence = [Presence() for _ in table.readers]

    def run(self, for_s: float, until: Callable[[], bool] = lambda: False) -> None:
        clock = self.table.clock
        end_s = clock.now_s() + for_s
        while clock.now_s() < end_s and not until():
            start_s = clock.now_s()
            for number, reader in enumerate(self.table.readers):
                reading = reader.poll()
                self.absences += reading == Absent()
                fact = self._presence[number].feed(reading, clock.now_s())
                if fact is not None:
                    self.facts.append((clock.now_s(), number, fact))
            clock.sleep(max(0.0, start_s + self._period_s - clock.now_s()))

    def now(self, number: int = 0) -> Fact | None:
        return self._presence[number].fact


HOURS: list[tuple[str, float, Callable[[], Disturbance]]] = [
    ("answers-lost-slow-bus", SLOW_PERIOD_S, lambda: _LostAnswers(0.30, 1)),
    ("answers-lost", PERIOD_S, lambda: _LostAnswers(0.30, 2)),
    ("all-kinds", PERIOD_S, lambda: RandomDisturbance(0.30, dice(3))),
]


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("period_s", "disturbance"), [hour[1:] for hour in HOURS], ids=[hour[0] for hour in HOURS]
)
def test_f_09_f_29_f_159_a_tag_lying_still_for_an_hour_is_never_reported_as_removed(
    period_s: float, disturbance: Callable[[], Disturbance]
) -> None:
    table = wired(NTAG)
    table.readers[0].poll()
    table.fields[0].disturbance = disturbance()
    watch = _Watch(table, period_s)

    watch.run(3600 if LONG else 150)

    assert [fact for _, _, fact in watch.facts] == [LYING]


def test_a_real_removal_is_seen_within_500_ms_also_where_answers_get_lost() -> None:
    rng = dice(7)
    table = wired()
    table.fields[0].disturbance = _LostAnswers(0.30, 8)
    watch = _Watch(table)
    watch.run(1)
    latest_s = 0.0
    for _ in range(25):
        table.fields[0].place(NTAG)
        watch.run(2, until=lambda: watch.now() == LYING)
        watch.run(rng.uniform(0.2, 0.6))
        table.fields[0].lay(())
        lifted_s = table.clock.now_s()
        watch.run(2, until=lambda: watch.now() == EMPTY)
        latest_s = max(latest_s, table.clock.now_s() - lifted_s)
        assert watch.now() == EMPTY

    assert latest_s <= 0.5


def test_five_readers_of_a_node_lifted_at_once_are_all_seen_within_500_ms() -> None:
    table = Wired()
    for _ in range(5):
        table.add(NTAG)
    watch = _Watch(table)
    watch.run(1)
    for field in table.fields:
        field.lay(())

    watch.run(0.5)

    assert [watch.now(number) for number in range(5)] == [EMPTY] * 5


@pytest.mark.parametrize("level", [0x00, 0xFF])
@pytest.mark.parametrize("tags", [(), (NTAG,)], ids=["empty", "with-a-tag"])
def test_f_51_a_dead_reader_is_named_within_3_s_and_is_never_an_empty_space(
    tags: tuple[str, ...], level: int
) -> None:
    for start_s in (0.5, 1.0, 1.01, 1.49):
        table = wired(*tags)
        watch = _Watch(table)
        watch.run(start_s)
        before = watch.now()
        watch.absences = 0
        watch.facts.clear()
        table.chips[0].unplug(level)
        dead_s = table.clock.now_s()

        watch.run(60)

        assert before is not None
        assert [fact for _, _, fact in watch.facts] == [Fact(before.uids, "fault")]
        assert watch.facts[0][0] - dead_s <= 3.0
        assert watch.absences == 0
        health = table.readers[0].health()
        assert health.state == ReaderState.SILENT
        assert "no reader answers" in health.reason


def test_a_dead_reader_holds_up_its_neighbours_by_less_than_a_removal_takes() -> None:
    table = Wired()
    for _ in range(5):
        table.add(NTAG)
    watch = _Watch(table)
    watch.run(1)
    table.chips[2].unplug()
    watch.run(5)
    table.fields[4].lay(())
    lifted_s = table.clock.now_s()

    watch.run(2, until=lambda: watch.now(4) == EMPTY)

    assert table.clock.now_s() - lifted_s <= 0.5


class _GlitchingChip(Chip):
    """Loses its registers in the middle of whatever it is asked, when its time has come."""

    transfers_left = -1

    def transfer(self, sent: bytes, start_s: float, byte_s: float) -> list[int]:
        self.transfers_left -= 1
        if self.transfers_left == 0:
            self.glitch()
        return super().transfer(sent, start_s, byte_s)


@pytest.mark.parametrize("tags", [(), (NTAG,), (NTAG, "01020304")], ids=["empty", "one", "two"])
def test_f_14_f_15_a_power_glitch_at_any_moment_of_a_poll_removes_nothing_and_is_mended(
    tags: tuple[str, ...],
) -> None:
    table = wired(*tags, chip_class=_GlitchingChip)
    chip = table.chips[0]
    assert isinstance(chip, _GlitchingChip)
    watch = _Watch(table)
    watch.run(1)
    watch.facts.clear()
    rng = dice(15)
    for _ in range(200 if LONG else 60):
        chip.transfers_left = rng.randint(1, 150)
        recoveries, start_s = table.readers[0].health().recoveries, table.clock.now_s()
        while table.readers[0].health().recoveries == recoveries and table.clock.now_s() < start_s + 5:
            watch.run(PERIOD_S)
        assert table.readers[0].health().recoveries == recoveries + 1
        assert watch.facts == []


def test_a_glitch_is_over_within_a_second() -> None:
    table = wired(NTAG)
    watch = _Watch(table)
    watch.run(1)
    table.chips[0].glitch()

    watch.run(1)

    assert table.readers[0].health().state == ReaderState.OK
    assert [fact for _, _, fact in watch.facts] == [LYING]


def test_f_42_a_card_left_on_a_reader_for_ten_minutes_is_laid_down_once() -> None:
    table = wired(NTAG)
    watch = _Watch(table)

    watch.run(600 if LONG else 60)

    assert [fact for _, _, fact in watch.facts] == [LYING]


def test_f_43_the_same_card_laid_again_is_news_as_soon_as_it_was_gone_for_sure() -> None:
    table = wired(NTAG)
    watch = _Watch(table)
    for _ in range(3):
        watch.run(0.2)
        table.fields[0].lay(())
        watch.run(0.5)
        table.fields[0].place(NTAG)
    watch.run(0.2)

    assert [fact for _, _, fact in watch.facts] == [LYING, EMPTY] * 3 + [LYING]


def test_f_43_the_same_card_put_back_at_once_is_no_news() -> None:
    table = wired(NTAG)
    watch = _Watch(table)
    for _ in range(5):
        watch.run(0.3)
        table.fields[0].lay(())
        watch.run(0.15)
        table.fields[0].place(NTAG)
    watch.run(0.3)

    assert [fact for _, _, fact in watch.facts] == [LYING]
