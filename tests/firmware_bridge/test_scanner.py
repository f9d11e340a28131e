"""The polling loop over simulated chips; time is passed in wherever no thread is the point."""

from collections.abc import Mapping

import pytest

from firmware_bridge.contract.messages import ReaderState
from firmware_bridge.presence.debounce import Fact
from firmware_bridge.scanner import IDLE_PERIOD_S, LIVELY_S, PERIOD_S, TROUBLE_PERIOD_S, Scanner
from hardware.reader import Reading
from hardware.simulated import VirtualNode, virtual_node
from tests.support.bus import wait_until

SPACES = ("slot/valley.1", "slot/valley.2", "pad/1")
KINDNESS = bytes.fromhex("04A3C6CAE26180")


class Notes:
    """What a listener was told."""

    def __init__(self) -> None:
        self.facts: list[tuple[str, Fact]] = []
        self.states: list[Mapping[str, ReaderState]] = []

    def fact(self, space: str, fact: Fact) -> None:
        self.facts.append((space, fact))

    def readers(self, states: Mapping[str, ReaderState]) -> None:
        self.states.append(states)


class Clock:
    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def node() -> VirtualNode:
    return virtual_node(SPACES)


@pytest.fixture
def notes() -> Notes:
    return Notes()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def scanner(node: VirtualNode, notes: Notes, clock: Clock) -> Scanner:
    return Scanner(list(node.readers.values()), node.sweep, [notes], clock=clock, idles=True)


def sweep(scanner: Scanner, clock: Clock, times: int) -> None:
    for _ in range(times):
        clock.now_s += PERIOD_S
        scanner.sweep_once()


def test_a_card_is_placed_and_removed_and_the_empty_spaces_are_known(
    node: VirtualNode, scanner: Scanner, notes: Notes, clock: Clock
) -> None:
    node.fields["pad/1"].place(KINDNESS)
    sweep(scanner, clock, 10)
    assert scanner.facts == {
        "slot/valley.1": Fact((), "ok"),
        "slot/valley.2": Fact((), "ok"),
        "pad/1": Fact((KINDNESS,), "ok"),
    }
    node.fields["pad/1"].remove(KINDNESS)
    sweep(scanner, clock, 10)
    assert notes.facts[-1] == ("pad/1", Fact((), "ok"))
    assert len(notes.facts) == 4


def test_a_reader_that_loses_its_supply_is_no_empty_space(
    node: VirtualNode, scanner: Scanner, notes: Notes, clock: Clock
) -> None:
    node.fields["pad/1"].place(KINDNESS)
    sweep(scanner, clock, 10)
    node.chips["pad/1"].unplug()
    sweep(scanner, clock, 20)
    assert scanner.facts["pad/1"] == Fact((KINDNESS,), "fault")
    assert notes.states[-1]["pad/1"] != "ok"
    assert notes.states[-1]["slot/valley.1"] == "ok"
    assert scanner.facts["slot/valley.1"] == Fact((), "ok")


def test_a_driver_that_fails_is_logged_once_and_is_trouble_not_absence(
    node: VirtualNode, notes: Notes, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    broken = False

    def sweep_or_fail() -> Mapping[str, Reading]:
        if broken:
            raise OSError("bus error")
        return node.sweep()

    scanner = Scanner(list(node.readers.values()), sweep_or_fail, [notes], clock=clock)
    node.fields["pad/1"].place(KINDNESS)
    sweep(scanner, clock, 10)
    broken = True
    sweep(scanner, clock, 20)
    assert scanner.facts["pad/1"] == Fact((KINDNESS,), "fault")
    assert scanner.facts["slot/valley.1"] == Fact((), "fault")
    assert caplog.text.count("readers can't be polled: bus error") == 1
    assert scanner._period_s() == TROUBLE_PERIOD_S
    broken = False
    sweep(scanner, clock, 10)
    assert scanner.facts["pad/1"] == Fact((KINDNESS,), "ok")
    assert scanner.facts["slot/valley.1"] == Fact((), "ok")


def test_simulated_readers_are_polled_less_while_nothing_is_touched(scanner: Scanner, clock: Clock) -> None:
    assert scanner._period_s() == PERIOD_S
    clock.now_s += LIVELY_S
    assert scanner._period_s() == IDLE_PERIOD_S
    scanner.touched("pad/1")
    assert scanner._period_s() == PERIOD_S


def test_real_readers_are_never_polled_less(node: VirtualNode, notes: Notes, clock: Clock) -> None:
    scanner = Scanner(list(node.readers.values()), node.sweep, [notes], clock=clock)
    clock.now_s += 10 * LIVELY_S
    assert scanner._period_s() == PERIOD_S


def test_a_touched_reader_is_heard_at_once_on_the_thread(node: VirtualNode, notes: Notes) -> None:
    scanner = Scanner(list(node.readers.values()), node.sweep, [notes], idles=True)
    scanner.start()
    scanner.start()
    try:
        wait_until(lambda: None not in scanner.facts.values(), "all spaces are known")
        node.fields["pad/1"].place(KINDNESS)
        scanner.touched("pad/1")
        scanner.touched("slot/elsewhere")
        wait_until(lambda: scanner.facts["pad/1"] == Fact((KINDNESS,), "ok"), "the card is placed")
    finally:
        scanner.stop()
        scanner.stop()


def test_a_scanner_that_is_stopped_never_starts(scanner: Scanner) -> None:
    scanner.stop()
    scanner.start()
    assert scanner._thread.ident is None


def test_a_space_that_another_node_has_is_not_spoken_of_any_more(
    node: VirtualNode, scanner: Scanner, notes: Notes, clock: Clock
) -> None:
    sweep(scanner, clock, 10)
    scanner.release(["pad/1"])
    notes.facts.clear()
    node.fields["pad/1"].place(KINDNESS)
    scanner.touched("pad/1")
    sweep(scanner, clock, 10)
    assert notes.facts == []
    assert "pad/1" not in scanner.facts
    assert "pad/1" not in notes.states[-1]
