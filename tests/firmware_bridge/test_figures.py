"""Shares of polls over a sliding window, and what of them stands on the bus."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from companion.bus.broker import EmbeddedBroker
from firmware_bridge.contract.figures import ReaderFigures
from firmware_bridge.contract.messages import NodeMessage, SimField
from firmware_bridge.contract.topics import Topics
from firmware_bridge.figures import MAX_SAMPLES, FrameTally, Marks, Tally, Window, figures_of
from firmware_bridge.presence.debounce import Fact
from hardware.reader import Health
from tests.firmware_bridge.test_command import running, table_file
from tests.support.bus import ear, wait_until
from tests.support.nodes import Notes

TAG = bytes.fromhex("04A3C6CAE26180")
HEALTH = Health("ok", version=0x92, polls=500, errors=20, recoveries=1, reason="", warnings=("w",), gain=4)


def test_a_window_covers_the_newest_hundred_polls() -> None:
    window = Window(100)
    for n in range(1, 20):
        newest = window.look(Tally(20 * n, 20 * n if n < 10 else 180, 0), Tally())
    assert newest == Tally(100, 0, 0), "the answers of long ago no longer count"


def test_a_window_begins_anew_when_other_tags_are_laid() -> None:
    window = Window(100)
    assert window.look(Tally(50, 0, 0), Tally()) == Tally(50, 0, 0)
    laid = Tally(57, 1, 0)
    assert window.look(Tally(60, 4, 0), laid) == Tally(3, 3, 0)
    assert window.look(Tally(80, 24, 0), laid) == Tally(23, 23, 0)


def test_only_other_tags_are_a_mark_and_not_another_state() -> None:
    tally = Tally(5, 0, 0)
    marks = Marks(lambda _space: tally)
    marks.fact("pad/1", Fact((TAG,), "ok"))
    tally = Tally(9, 4, 0)
    marks.fact("pad/1", Fact((TAG,), "unreadable"))
    assert (marks.of("pad/1"), marks.of("pad/2")) == (Tally(5, 0, 0), Tally())
    marks.fact("pad/1", Fact((), "ok"))
    assert marks.of("pad/1") == tally


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50), st.integers(0, 50)), max_size=400))
def test_a_window_is_never_more_than_it_was_given_and_stays_small(
    steps: list[tuple[int, int, int]],
) -> None:
    window, total = Window(100), Tally()
    for hits, errors, silences in steps:
        total = Tally(total.asked + hits + errors + silences, total.hits + hits, total.errors + errors)
        newest = window.look(total, Tally())
        assert 0 <= newest.hits + newest.errors <= newest.asked <= total.asked
        assert newest.asked >= min(100, total.asked)
        assert len(window._samples) <= MAX_SAMPLES


def test_an_empty_space_has_no_hit_rate_and_one_never_asked_has_no_share_at_all() -> None:
    empty = figures_of(Tally(100, 0, 5), (), HEALTH, counted="polls")
    assert (empty.hit_rate, empty.noise, empty.over) == (None, 0.05, 100)
    assert (empty.version, empty.gain, empty.recoveries, empty.warnings) == (0x92, 4, 1, ("w",))
    never = figures_of(Tally(), (TAG,), HEALTH, counted="polls")
    assert (never.hit_rate, never.noise) == (None, None)


def test_of_a_node_on_a_serial_line_only_what_its_frames_say_is_known() -> None:
    found = figures_of(Tally(10, 9, 1), (TAG,), HEALTH, counted="frames")
    assert found == ReaderFigures("frames", 10, 0.9, 0.1)
    assert found.polls is found.version is found.gain is found.poll_us is None


def test_frames_are_counted_by_space_and_everything_is_handed_on() -> None:
    notes = Notes()
    frames = FrameTally(notes)
    frames.meet("1.0.0", ["pad/1", "pad/2"])
    frames.fact("pad/1", Fact((TAG,), "ok"))
    frames.fact("pad/2", Fact((), "ok"))
    frames.readers({"pad/1": "ok", "pad/2": "ok"})
    frames.fact("pad/1", Fact((TAG,), "unreadable"))
    frames.readers({"pad/1": "ok", "pad/2": "ok"})
    assert (frames.tally("pad/1"), frames.tally("pad/2")) == (Tally(2, 1, 1), Tally(2, 0, 0))
    assert notes.online
    assert len(notes.said) == 3
    frames.release(["pad/1"])
    frames.part()
    assert (notes.released, notes.online) == (["pad/1"], False)
    assert frames.tally("pad/1") == Tally()


def test_the_bus_says_how_readers_do_and_faults_of_simulated_ones_show(tmp_path: Path) -> None:
    topics = Topics("home")
    node, slot, other = topics.node("virtual"), "slot/valley.1", "slot/valley.2"

    with (
        EmbeddedBroker("home") as broker,
        ear(broker, "app", "app", [topics.all_nodes]) as app,
        running(
            tmp_path / "log",
            *(
                "--table",
                table_file(tmp_path),
                "--broker",
                broker.url_for("bridge"),
                "--figures-every",
                "0.2",
            ),
        ),
    ):

        def figures(space: str) -> ReaderFigures:
            health = NodeMessage.from_json(app.state[node]).health if node in app.state else {}
            return health.get(space, ReaderFigures())

        app.publish(topics.sim_field(slot), SimField((TAG.hex().upper(),), "noise").to_json(), retain=True)
        app.publish(topics.sim_field(other), SimField((), "dead").to_json(), retain=True)
        wait_until(lambda: figures(slot).over >= 20, "twenty polls with a tag")
        noisy, dead, well = figures(slot), figures(other), figures("pad/1")
        assert noisy.hit_rate is not None
        assert noisy.noise is not None
        assert 0.1 < noisy.hit_rate < 0.8
        assert noisy.noise > 0.2
        assert "check its 3.3 V supply" in dead.reason
        assert (well.noise, well.hit_rate, well.reason, well.version, well.gain) == (0.0, None, "", 0x92, 4)
        app.publish(topics.sim_field(other), SimField(()).to_json(), retain=True)
        wait_until(lambda: not figures(other).reason, "mended")
        assert (figures(other).recoveries or 0) >= 1
