"""The node's logic over simulated chips, in simulated time."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest

from hardware.firmware.frames import MAX_LINE_BYTES, decode, encode
from hardware.firmware.node import DARK_AFTER_US, SAY_EVERY_US, SWEEP_EVERY_US, Node
from hardware.reader import ReaderState
from hardware.rfid.mfrc522 import Mfrc522Reader
from hardware.simulated.chip import Chip
from hardware.simulated.clock import SimulatedClock
from hardware.simulated.field import Field
from hardware.simulated.wires import NODE_CALL_S, ChipWires

SPACES = ("slot/valley.1", "slot/valley.2", "slot/valley-cradle", "spirit/valley", "spirit/valley-cradle")
SLOT = SPACES[0]
KINDNESS, COURAGE, DIANA = "04A3C6CAE26180", "04A3C611223344", "04B00100000001"

Said = tuple[int, str, int, dict[str, Any]]


class Line:
    """A line whose other end listens, or does not."""

    def __init__(self) -> None:
        self.incoming = b""
        self.frames: list[Said] = []
        self.lines: list[bytes] = []
        self.taken = True
        self.is_free = True

    def receive(self) -> bytes:
        data, self.incoming = self.incoming[:256], self.incoming[256:]
        return data

    def send(self, frame: bytes, now_us: int) -> None:
        self.lines.append(frame)
        self.frames.append((now_us, *decode(frame)))
        self.is_free = self.taken

    def work(self, now_us: int) -> None:  # noqa: ARG002
        self.is_free = self.taken


class Lights:
    def __init__(self) -> None:
        self.shown: list[Mapping[str, object]] = []

    def show(self, colours: Mapping[str, object]) -> None:
        self.shown.append(colours)


class Table:
    def __init__(
        self, spaces: tuple[str, ...] = SPACES, chip_class: type[Chip] = Chip, *, field_off: bool = False
    ) -> None:
        self.clock = SimulatedClock()
        self.fields = {space: Field(seed=n) for n, space in enumerate(spaces)}
        self.chips = {space: chip_class(field) for space, field in self.fields.items()}
        self.readers = {
            space: Mfrc522Reader(
                space, ChipWires(chip, self.clock, call_s=NODE_CALL_S), self.clock, field_off=field_off
            )
            for space, chip in self.chips.items()
        }
        self.line = Line()
        self.lights = Lights()
        hello = {"node": "realm-valley", "boot": "7f3a", "spaces": list(spaces)}
        self.node = Node(hello, list(self.readers.values()), self.line, self.lights, self.clock)

    def run(self, duration_s: float) -> None:
        end_us = self.clock.now_us() + round(duration_s * 1e6)
        while self.clock.now_us() < end_us:
            self.clock.sleep_us(max(self.node.step(), 1))

    def hear(self, verb: str, payload: dict[str, object]) -> None:
        self.line.incoming += encode(verb, 1, payload)

    def said(self, verb: str) -> list[Said]:
        return [frame for frame in self.line.frames if frame[1] == verb]

    @property
    def states(self) -> dict[str, Any]:
        return self.said("S")[-1][3]


@pytest.fixture
def table() -> Table:
    table = Table()
    table.fields[SLOT].place(KINDNESS)
    table.run(1.2)
    return table


def test_it_says_who_it_is_first_and_what_lies_there_once_every_reader_was_heard() -> None:
    table = Table()
    for _ in range(len(SPACES)):
        table.node.step()
    assert [frame[1] for frame in table.line.frames] == ["H"]
    table.run(1.0)
    assert table.said("S")[0][3] == {space: {"tags": [], "state": "ok"} for space in SPACES}
    assert 300_000 <= table.said("S")[0][0] < 500_000, "an empty space is one that was silent for 300 ms"


def test_a_table_full_of_tags_is_told_after_the_first_sweep() -> None:
    table = Table()
    for field in table.fields.values():
        field.place(KINDNESS)
    for _ in range(len(SPACES)):
        assert not table.said("S")
        table.node.step()
    assert table.node.sweeps == 1
    assert all(state["tags"] == [KINDNESS] for state in table.states.values())


def test_a_change_is_said_at_once_and_nothing_new_once_a_second(table: Table) -> None:
    table.line.frames.clear()
    table.run(5.0)
    times = [frame[0] for frame in table.said("S")]
    assert len(times) == 5
    assert all(SAY_EVERY_US <= b - a < SAY_EVERY_US + SWEEP_EVERY_US for a, b in pairwise(times))
    laid_us = table.clock.now_us()
    table.fields["spirit/valley"].place(DIANA)
    table.run(0.2)
    assert table.said("S")[-1][0] - laid_us < 2 * SWEEP_EVERY_US
    assert table.states["spirit/valley"] == {"tags": [DIANA], "state": "ok"}


def test_a_lifted_tag_is_gone_within_half_a_second(table: Table) -> None:
    lifted_us = table.clock.now_us()
    table.fields[SLOT].remove(KINDNESS)
    table.run(1.0)
    gone = next(frame for frame in table.said("S") if frame[0] > lifted_us and not frame[3][SLOT]["tags"])
    assert gone[0] - lifted_us <= 500_000


def test_with_fields_only_while_polling_no_two_are_on_and_a_removal_is_still_seen_in_time() -> None:
    """F-20 and the power budget: what one regulator for five readers has to give."""
    table = Table(field_off=True)
    table.fields[SLOT].place(KINDNESS)
    for _ in range(200):
        table.clock.sleep_us(max(table.node.step(), 1))
        assert not any(field.powered for field in table.fields.values())
    assert table.states[SLOT]["tags"] == [KINDNESS]
    lifted_us = table.clock.now_us()
    table.fields[SLOT].remove(KINDNESS)
    table.run(1.0)
    gone = next(frame for frame in table.said("S") if frame[0] > lifted_us and not frame[3][SLOT]["tags"])
    assert gone[0] - lifted_us <= 500_000


def test_frames_are_counted_and_fit_in_a_line(table: Table) -> None:
    for number, field in enumerate(table.fields.values()):
        field.lay([f"04A3C6CAE261{n}{number}" for n in range(4)])
    table.run(3.0)
    assert [frame[2] for frame in table.line.frames] == list(range(1, len(table.line.frames) + 1))
    assert all(len(state["tags"]) == 4 for state in table.states.values())
    assert max(map(len, table.line.lines)) <= MAX_LINE_BYTES


def test_asked_it_says_who_it_is_and_then_what_lies_there(table: Table) -> None:
    table.line.frames.clear()
    table.hear("Q", {})
    table.node.step()
    assert [frame[1] for frame in table.line.frames] == ["H", "S"]
    assert table.line.frames[0][3]["node"] == "realm-valley"


def test_asked_before_it_knows_anything_it_says_only_who_it_is() -> None:
    table = Table()
    table.hear("Q", {})
    table.node.step()
    assert [frame[1] for frame in table.line.frames] == ["H"]


@pytest.mark.parametrize("level", [0x00, 0xFF])
def test_f_51_a_dead_reader_is_a_fault_with_its_last_tags_and_the_others_go_on(
    table: Table, level: int
) -> None:
    dead_us = table.clock.now_us()
    table.chips[SLOT].unplug(level)
    table.run(1.0)
    first = next(f for f in table.said("S") if f[0] > dead_us and f[3][SLOT]["state"] == "fault")
    assert first[0] - dead_us < 3_000_000
    table.fields["slot/valley.2"].place(COURAGE)
    table.run(0.5)
    assert table.states[SLOT] == {"tags": [KINDNESS], "state": "fault"}
    assert table.states["slot/valley.2"]["tags"] == [COURAGE]


def test_a_reader_that_browned_out_is_set_up_again_and_nothing_is_said_to_be_gone(table: Table) -> None:
    table.line.frames.clear()
    table.chips[SLOT].glitch()
    table.run(2.0)
    assert all(frame[3][SLOT] == {"tags": [KINDNESS], "state": "ok"} for frame in table.said("S"))
    assert table.readers[SLOT].health().recoveries == 1


def test_r_starts_a_silent_reader_at_once_whatever_its_pause(table: Table) -> None:
    table.chips[SLOT].unplug()
    table.run(20.0)
    assert table.readers[SLOT].health().state is ReaderState.SILENT
    table.chips[SLOT].replug()
    table.hear("R", {"space": SLOT})
    table.run(0.2)
    assert table.states[SLOT] == {"tags": [KINDNESS], "state": "ok"}


def test_lights_are_shown_and_go_dark_when_nobody_says_them_any_more(table: Table) -> None:
    assert table.lights.shown == [{}], "dark at the start"
    for _ in range(4):
        table.hear("L", {SLOT: "green"})
        table.run(5.0)
    assert table.lights.shown[1:] == [{SLOT: "green"}] * 4
    table.run(DARK_AFTER_US / 1e6)
    assert table.lights.shown[-1] == {}
    assert len(table.lights.shown) == 6


@pytest.mark.parametrize(
    "noise",
    [
        b"AT\r\n",
        b"\xff\x00\x95\xed\n",
        b"x" * 5000 + b"\n",
        b"Q 1 {} *00000000\n",
        encode("Z", 1, {}),
        encode("R", 1, {"space": "slot/none"}),
        encode("R", 1, {"space": ["slot/valley.1"]}),
        encode("R", 1, {}),
    ],
)
def test_f_57_f_62_what_is_no_frame_or_asks_for_nothing_is_skipped_and_counted(
    table: Table, noise: bytes
) -> None:
    table.line.incoming += noise
    table.run(1.5)
    assert table.node.refused + table.node.overlong == 1
    table.hear("Q", {})
    table.line.frames.clear()
    table.run(0.1)
    assert [frame[1] for frame in table.line.frames[:2]] == ["H", "S"]


def test_lights_that_make_no_sense_are_no_reason_to_fall(table: Table) -> None:
    table.hear("L", {SLOT: ["green"], "no/space": 7, "slot/valley.2": None})
    table.run(0.1)
    assert table.node.refused == 0


def test_f_59_a_flood_is_taken_in_bites_and_the_readers_are_still_visited(table: Table) -> None:
    sweeps = table.node.sweeps
    table.line.incoming += b"\x55" * 100_000
    table.run(1.0)
    assert table.node.sweeps - sweeps >= 18


def test_while_nobody_takes_its_frames_it_goes_on_and_then_says_what_is_true_by_then(table: Table) -> None:
    table.line.taken = table.line.is_free = False
    sweeps = table.node.sweeps
    table.fields[SLOT].lay([COURAGE])
    table.line.frames.clear()
    table.run(10.0)
    assert table.line.frames == []
    assert table.node.sweeps - sweeps >= 190
    table.line.taken = True
    table.run(0.1)
    assert table.said("S")[0][3][SLOT]["tags"] == [COURAGE]


class _Hung:
    """A reader whose poll never comes back, as far as one step can tell."""

    name = "slot/valley.2"

    def poll(self) -> Any:
        raise TimeoutError

    def health(self) -> Any: ...
    def restart(self) -> None: ...


def test_the_watchdog_has_nothing_to_be_fed_for_while_a_poll_does_not_come_back() -> None:
    table = Table((SLOT,))
    node = Node({}, [*table.readers.values(), _Hung()], table.line, table.lights, table.clock)
    node.step()
    for _ in range(5):
        with pytest.raises(TimeoutError):
            node.step()
    assert node.sweeps == 0


class _Hopeless(Chip):
    """A chip that not even its reset line frees, once it is stuck."""

    def reset_pin(self, level: int, now_s: float) -> None:
        stuck = self.stuck_power_down
        super().reset_pin(level, now_s)
        self.stuck_power_down = stuck


def test_five_hung_chips_cost_a_bounded_time_and_every_sweep_comes_to_its_end() -> None:
    """F-13, F-18: the longest that a watchdog of 8 s has to wait."""
    table = Table(chip_class=_Hopeless)
    table.fields[SLOT].place(KINDNESS)
    table.run(1.2)
    for chip in table.chips.values():
        chip.stuck_power_down = True
    longest_us, fed_us, sweeps = 0, table.clock.now_us(), table.node.sweeps
    end_us = fed_us + 120_000_000
    while table.clock.now_us() < end_us:
        table.clock.sleep_us(max(table.node.step(), 1))
        if table.node.sweeps != sweeps:
            sweeps = table.node.sweeps
            longest_us = max(longest_us, table.clock.now_us() - fed_us)
            fed_us = table.clock.now_us()
    assert sweeps > 1000
    assert longest_us < 1_000_000
    assert all(state["state"] == "fault" for state in table.states.values())
    assert table.states[SLOT]["tags"] == [KINDNESS]
