"""The app as `make run` starts it, with real touches: broker, bridge, simulated chips, journal, screen."""

from __future__ import annotations

import time
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from companion.app import Settings, start

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from companion.screen_link import ScreenLink
    from companion.ui.app import CompanionApp
    from tests.ui.looking import Point

SIZE = (1280, 800)
WAIT_S = 20.0


class Live:
    """One start of the app on a data folder."""

    def __init__(self, data: Path, stack: ExitStack) -> None:
        from companion.ui.app import CompanionApp
        from companion.ui.scenes import close_app

        self.link: ScreenLink = start(Settings(table=None, data=data, broker=None, headless=True), stack)
        self.app: CompanionApp = CompanionApp(self.link, size=SIZE)
        self.app.open_embedded()
        stack.callback(close_app, self.app)
        # The pieces are laid, the bridge has seen all of them, and they are where they belong.
        self.until(lambda: len(self.link.fields()) >= 29 and self.state.get("table_ok", False))

    @property
    def state(self) -> Mapping[str, Any]:
        return self.app.table.state

    @property
    def tray(self) -> Any:
        return self.app.screen.tray if self.app.screen is not None else None

    def texts(self) -> list[str]:
        from companion.ui.parts import Words

        assert self.app.screen is not None
        return [words.text for words in self.app.screen.walk() if isinstance(words, Words) and words.text]

    def until(self, wanted: Callable[[], bool]) -> None:
        deadline = time.monotonic() + WAIT_S
        while not wanted():
            assert time.monotonic() < deadline, (self.state, self.texts())
            self.app.frames()

    def slot(self, slot: str) -> Point:
        assert self.app.screen is not None
        return self.app.screen.board.card_rect(slot).middle

    def piece(self, component: str) -> Point:
        uid = next(piece.uid for piece in self.link.pieces() if piece.component == component)
        middle: Point = next(view.rect.middle for view in self.tray.views if view.tag == uid)
        return middle

    def drag(self, from_: Point, to: Point) -> None:
        from companion.ui.scenes import Finger

        finger = Finger(from_[0], from_[1], "finger")
        finger.to(*from_)
        finger.to((from_[0] + to[0]) / 2, (from_[1] + to[1]) / 2)
        finger.to(*to)
        finger.up()
        self.app.frames(2)

    def tap(self, at: Point) -> None:
        from companion.ui.scenes import Finger

        finger = Finger(*at, "finger")
        finger.to(*at)
        finger.up()
        self.app.frames(2)

    def tap_button(self, text: str) -> None:
        from companion.ui.parts import TapButton
        from companion.ui.scenes import Finger

        assert self.app.screen is not None
        self.until(lambda: text in self.texts())
        button = next(
            b for b in self.app.screen.walk() if isinstance(b, TapButton) and b.shown and b.first.text == text
        )
        finger = Finger(button.center_x, button.center_y, "finger")
        finger.to(*button.center)
        finger.up()

    def take_kindness_off_and_lay_benevolence(self) -> None:
        self.drag(self.slot("valley.1"), self.tray.zones["hand"].middle)
        # No hand is as quick; whether the readers see the slot empty in between must not matter.
        self.drag(self.piece("emotion/bliss/benevolence/1"), self.slot("valley.1"))


@pytest.fixture
def live(offscreen: None, tmp_path: Path) -> Iterator[Live]:
    del offscreen
    with ExitStack() as stack:
        yield Live(tmp_path / "data", stack)


def test_the_example_of_the_empower_page_plays_by_dragging_alone(live: Live) -> None:
    live.take_kindness_off_and_lay_benevolence()

    live.until(lambda: live.state["slots"]["valley.1"]["emotion"] == "benevolence")
    assert live.state["slots"]["valley.1"]["essence"] == 2
    assert live.state["players"]["diana"]["willpower"] == 2
    # The event comes after the state.
    live.until(lambda: any("becomes Benevolence with 2 Essence" in text for text in live.texts()))

    live.tap_button("Undo")
    live.until(
        lambda: live.state["slots"]["valley.1"]["emotion"] == "kindness" and not live.state["table_ok"]
    )
    assert live.state["players"]["diana"]["willpower"] == 5
    assert "Put Kindness back on the left Valley slot" in live.state["problems"][0]["mend"]

    live.drag(live.slot("valley.1"), live.tray.zones["hand"].middle)
    live.drag(live.piece("emotion/bliss/kindness/1"), live.slot("valley.1"))
    live.until(lambda: live.state["table_ok"])
    assert live.state["slots"]["valley.1"] == {"emotion": "kindness", "essence": 2, "intensity_token": 0}


def test_with_one_essence_it_is_refused_and_channeled_power_is_the_way_out(live: Live) -> None:
    live.link.send({"setup": {"start": "empower-refused"}})
    live.until(lambda: live.state["slots"]["valley.1"]["essence"] == 1 and live.state["table_ok"])
    live.take_kindness_off_and_lay_benevolence()

    live.until(lambda: any("threshold is 2" in text for text in live.texts()))
    assert any("R-EMP-2" in text for text in live.texts())
    assert any("Put Kindness back on the left Valley slot" in text for text in live.texts())
    assert live.state["players"]["diana"]["willpower"] == 5

    live.tap_button("Use Channeled Power")
    live.until(lambda: live.state["slots"]["valley.1"]["emotion"] == "benevolence")
    assert live.state["slots"]["valley.1"]["essence"] == 2
    assert live.state["teams"]["bliss"]["ambition"] == 1


def test_a_new_game_is_begun_and_set_up_by_dragging_alone(live: Live) -> None:
    """J1, J3: four taps, two pieces each, four tokens each; then it is the first player's turn."""
    from companion.ui.new_game import Plan, position_of

    assert live.app.screen is not None
    live.link.send({"setup": position_of(Plan(2), live.app.catalogue)})
    live.until(lambda: any("put your figure on a free Frontier" in text for text in live.texts()))
    live.until(lambda: not live.link.fields().get("slot/valley.1"))

    ring = live.app.screen.board.ring
    live.drag(live.piece("spirit/harmony"), ring.space("valley-cradle"))
    live.drag(live.piece("emotion/bliss/brightness/1"), live.slot("valley.2"))
    live.until(lambda: live.state["players"]["diana"].get("at") == "valley-cradle")
    live.drag(live.piece("emotion/gloom/bleakness/1"), live.slot("land.1"))
    live.drag(live.piece("spirit/hatred"), ring.space("network-land"))
    live.until(lambda: live.state["players"]["otto"].get("at") == "network-land")
    assert live.state["slots"]["land.1"]["emotion"] == "bleakness"

    def unlocked(seat: int, rows: int) -> bool:
        return len(list(live.state["players"].values())[seat]["vibes"]) == rows

    for seat in range(2):
        for row in range(4):
            place = live.app.screen.seats[seat].rows[row].rect
            live.tap((place.x + place.w * 0.47, place.middle[1]))
            live.until(partial(unlocked, seat, row + 1))
    live.until(lambda: "pending" not in live.state["turn"])
    assert live.state["undo"] == 10
    live.drag(ring.space("valley-cradle"), ring.space("cradle"))
    live.until(lambda: live.state["players"]["diana"]["at"] == "cradle")


def test_closing_and_starting_again_goes_on_where_it_was(offscreen: None, tmp_path: Path) -> None:
    del offscreen
    with ExitStack() as stack:
        live = Live(tmp_path, stack)
        live.take_kindness_off_and_lay_benevolence()
        live.until(lambda: live.state["slots"]["valley.1"]["emotion"] == "benevolence")
        seq = live.state["seq"]
    with ExitStack() as stack:
        live = Live(tmp_path, stack)
        assert live.state["seq"] == seq
        assert live.state["slots"]["valley.1"]["emotion"] == "benevolence"
