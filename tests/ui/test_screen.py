from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

from companion.ui.errors import WrongThreadError
from companion.ui.theme import DAY, Look

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.ui.looking import Shown

    Show = Callable[..., Shown]

EMPOWER = {"action": "empower", "slot": "valley.1"}
MEND = "Put Kindness back on the left Valley slot in place of Benevolence."
PROBLEM = {"space": "slot/valley.1", "found": ["benevolence"], "expected": ["kindness"], "mend": MEND}


@pytest.mark.parametrize("size", [(1280, 800), (800, 480)], ids=str)
def test_kindness_is_taken_off_and_benevolence_laid_in_its_place(show: Show, size: tuple[int, int]) -> None:
    shown = show(virtual=True, size=size)
    stage = shown.stage
    (kindness,) = stage.fields()["slot/valley.1"]
    shown.drag(shown.slot("valley.1"), shown.zone("hand"))
    assert stage.laid == [("slot/valley.1", ())]
    assert shown.piece("emotion/bliss/kindness/1") != shown.slot("valley.1")
    benevolence = stage.uid("emotion/bliss/benevolence/1")
    shown.drag(shown.piece("emotion/bliss/benevolence/1"), shown.slot("valley.1"))
    assert stage.laid[1:] == [("slot/valley.1", (benevolence,))]
    assert kindness not in {uid for uids in stage.fields().values() for uid in uids}
    stage.play(EMPOWER)
    shown.hear()
    assert "Diana empowers Kindness: it becomes Benevolence with 2 Essence" in shown.texts()


def test_a_figure_slides_to_the_next_space(show: Show) -> None:
    shown = show(virtual=True)
    (figure,) = shown.stage.fields()["spirit/valley"]
    shown.drag(shown.board.ring.space("valley"), shown.board.ring.space("valley-cradle"))
    assert shown.stage.laid == [("spirit/valley", ()), ("spirit/valley-cradle", (figure,))]


def test_a_card_and_a_token_go_onto_the_acting_players_pad(show: Show) -> None:
    shown = show(virtual=True)
    shown.tap_button("Vibes")
    shown.drag(shown.piece("vibe/red/1"), shown.zone("pad"))
    assert shown.stage.laid == [("pad/1", (shown.stage.uid("vibe/red/1"),))]
    shown.tap_button("Mild")
    shown.drag(shown.piece("emotion/bliss/affection/2"), shown.zone("pad"))
    assert len(shown.stage.fields()["pad/1"]) == 2


def test_a_piece_let_go_beside_everything_stays_where_it_was(show: Show) -> None:
    shown = show(virtual=True)
    shown.drag(shown.slot("valley.1"), (shown.board.ring.x, shown.board.ring.y))
    assert shown.stage.laid == []
    assert shown.screen.carry is None


def test_on_a_real_table_there_is_nothing_to_drag(show: Show) -> None:
    shown = show()
    shown.drag(shown.slot("valley.1"), shown.slot("network.2"))
    assert shown.stage.laid == []
    assert shown.screen.tray is None


def test_a_tap_on_a_card_shows_what_could_be_done_and_why_not(show: Show) -> None:
    shown = show(virtual=True)
    shown.tap(shown.slot("valley.1"))
    texts = shown.texts()
    assert "Left Valley slot" in texts
    assert any("becomes Benevolence" in text for text in texts)
    shown.tap(shown.slot("cradle-network"))
    assert any("Quell is locked" in text for text in shown.texts())
    assert shown.stage.laid == []


def test_what_can_be_done_is_done_by_a_tap_and_what_can_not_is_not(show: Show) -> None:
    shown = show()
    shown.screen.show_options("row/empower")
    rows = [row for row in shown.screen.sheet.rows if row.entry is not None]
    live = [row for row in rows if row.entry is not None and row.entry.tap is not None]
    dead = [row for row in rows if row not in live]
    shown.tap(dead[0].rect.middle)
    assert shown.stage.sent == []
    shown.tap(live[0].rect.middle)
    assert shown.stage.sent == [{"do": {"action": "empower", "slot": "valley.1"}}]
    assert not shown.screen.sheet.is_open


def test_a_tap_on_a_row_asks_about_that_spirit_action(show: Show) -> None:
    shown = show()
    shown.tap(shown.screen.seats[0].rows[0].rect.middle)
    assert shown.screen.sheet.listing is not None
    assert shown.screen.sheet.listing.title == "Move"
    shown.tap_button("Empower")
    assert shown.screen.sheet.listing.title == "Empower"


def test_undo_is_one_tap_from_what_was_done(show: Show) -> None:
    shown = show()
    shown.stage.play(EMPOWER)
    shown.hear()
    shown.tap_button("Undo")
    assert shown.stage.sent == [{"undo": 1}]


def test_the_end_of_a_turn_is_one_tap_away(show: Show) -> None:
    shown = show()
    shown.tap_button("End turn")
    assert shown.screen.sheet.listing is not None
    assert shown.screen.sheet.listing.title == "End turn"


def test_a_tap_outside_everything_does_nothing(show: Show) -> None:
    shown = show()
    shown.stage.play(EMPOWER)
    shown.hear()
    shown.tap((shown.board.ring.x, shown.board.ring.y))
    shown.tap((shown.screen.frame.band.x + 4, shown.screen.frame.band.top + 3))
    assert shown.stage.sent == []
    assert not shown.screen.sheet.is_open


def test_a_finger_that_leaves_a_button_does_not_press_it(show: Show) -> None:
    shown = show()
    shown.stage.play(EMPOWER)
    shown.hear()
    button = next(b for b in shown.buttons() if b.first.text == "Undo")
    shown.drag(button.center, (shown.board.ring.x, shown.board.ring.y))
    assert shown.stage.sent == []


def test_one_finger_from_two_providers_undoes_once(show: Show) -> None:
    shown = show()
    shown.stage.play(EMPOWER)
    shown.hear()
    button = next(b for b in shown.buttons() if b.first.text == "Undo")
    shown.tap(button.center, "mouse")
    shown.tap((button.center[0] + 2, button.center[1]), "mtdev")
    assert shown.stage.sent == [{"undo": 1}]


def test_a_choice_of_a_question_is_answered(show: Show) -> None:
    shown = show()
    shown.stage.ask("Which way?", shown.stage.meanings("valley.1"))
    shown.hear()
    shown.tap_button("Just Empower")
    assert shown.stage.sent == [{"answer": {"ask": "a1", "choice": "0"}}]


def test_putting_back_lays_the_board_as_the_game_has_it(show: Show) -> None:
    shown = show("empower-refused", virtual=True)
    before = shown.stage.fields()
    shown.drag(shown.slot("valley.1"), shown.zone("hand"))
    shown.drag(shown.piece("emotion/bliss/benevolence/1"), shown.slot("valley.1"))
    shown.stage.play(EMPOWER, [PROBLEM])
    shown.hear()
    shown.tap_button(MEND.removesuffix("."))
    assert shown.stage.sent == [{"answer": {"ask": "a1", "choice": "put-back"}}]
    assert shown.stage.fields()["slot/valley.1"] == before["slot/valley.1"]
    assert all(shown.stage.fields()[space] == uids for space, uids in before.items())


def test_misplaced_pieces_are_ticked_off_as_they_return(show: Show) -> None:
    shown = show()
    other = {**PROBLEM, "space": "slot/land.1", "mend": "Put Excitement back on the left Land slot."}
    shown.stage.tell([PROBLEM, other])
    shown.hear()
    shown.tap_button("Show where")
    shown.stage.tell([other])
    shown.hear()
    listing = shown.screen.sheet.listing
    assert listing is not None
    assert [(entry.detail, entry.icon) for entry in listing.entries] == [(other["mend"], ""), (MEND, "check")]


def test_a_starting_position_is_two_taps_away(show: Show) -> None:
    shown = show()
    shown.tap(shown.screen.corners[1].center)
    shown.tap_entry(shown.stage.starts()[0].title)
    assert shown.stage.sent == [{"setup": {"start": shown.stage.starts()[0].name}}]


def test_a_long_history_is_read_page_by_page(show: Show) -> None:
    shown = show()
    shown.stage.play({"action": "move", "to": "valley-cradle"})
    for _ in range(12):
        shown.stage.play({"action": "move", "to": "network"})
    shown.hear()
    shown.tap(shown.screen.corners[0].center)
    assert any(text.startswith("1 of ") for text in shown.texts())
    assert "Diana moves to the Valley-Cradle Frontier" not in shown.texts()
    while "Diana moves to the Valley-Cradle Frontier" not in shown.texts():
        before = shown.screen.sheet.page
        shown.tap(next(b for b in shown.buttons() if b.icon is not None and b.icon.name == "on").center)
        assert shown.screen.sheet.page == before + 1
    shown.tap(next(b for b in shown.buttons() if b.first.text == "Undo").center)
    assert shown.stage.sent == [{"undo": 1}]


def test_day_colours_and_a_flat_screen_are_chosen_by_touch(show: Show) -> None:
    shown = show()
    shown.tap(shown.screen.corners[3].center)
    shown.tap(shown.screen.sheet.rows[0].rect.middle)
    assert shown.app.look == Look(DAY)
    shown.tap(shown.screen.corners[3].center)
    shown.tap(shown.screen.sheet.rows[1].rect.middle)
    assert shown.app.look == Look(DAY, flat=True)
    assert shown.screen.seats[0].turned
    assert not shown.screen.seats[2].turned


def test_a_widget_refuses_another_thread(show: Show) -> None:
    shown = show()
    caught: list[BaseException] = []

    def change() -> None:
        try:
            shown.screen.band.show(shown.app.table.say())
            shown.screen.teams[0].show(type(shown.screen.teams[0].view)("bliss", "Bliss", 0, 99, 6, 3))  # type: ignore[misc]
        except WrongThreadError as error:
            caught.append(error)

    thread = threading.Thread(target=change)
    thread.start()
    thread.join()
    assert caught


def test_another_thread_may_feed_the_queue_at_any_time(show: Show) -> None:
    shown = show()
    stop = threading.Event()

    def feed() -> None:
        for _ in range(50):
            shown.stage.tell()
        stop.set()

    thread = threading.Thread(target=feed)
    thread.start()
    while not stop.is_set():
        shown.app.drain()
    thread.join()
    shown.hear()
    assert "Diana" in shown.texts()


def test_a_day_of_messages_makes_no_new_widgets(show: Show) -> None:
    shown = show(virtual=True)
    shown.stage.play(EMPOWER)
    shown.hear()
    count = sum(1 for _ in shown.screen.walk())
    for _ in range(100):
        shown.stage.tell()
        shown.app.drain()
    assert sum(1 for _ in shown.screen.walk()) == count


def test_when_nothing_arrives_nothing_is_drawn(show: Show) -> None:
    from kivy.core.window import Window

    shown = show(virtual=True)
    shown.app.frames(3)
    drawn: list[int] = []
    Window.bind(on_draw=lambda *_: drawn.append(1))
    shown.app.frames(5)
    assert drawn == []
    # The same state once more changes nothing either.
    shown.stage.tell()
    shown.hear()
    shown.app.frames(5)
    assert drawn == []


@pytest.mark.usefixtures("offscreen")
def test_there_is_one_input_provider_beside_the_window() -> None:
    from kivy.base import EventLoop

    names = [type(provider).__name__ for provider in EventLoop.input_providers]
    assert sorted(names) in (
        ["MouseMotionEventProvider", "SDL2MotionEventProvider"],
        ["MouseMotionEventProvider"],
    )


def test_other_players_build_another_screen(show: Show) -> None:
    shown = show()
    first = shown.screen
    players = dict(list(shown.stage.state["players"].items())[:2])
    shown.stage.queue.append(("game/state", {**shown.stage.state, "players": players}))
    shown.hear()
    assert shown.screen is not first
    assert len(shown.screen.seats) == 2


def test_offscreen_is_no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.ui.window import display_available

    monkeypatch.setitem(os.environ, "SDL_VIDEODRIVER", "offscreen")
    assert not display_available()
    monkeypatch.delenv("SDL_VIDEODRIVER")
    monkeypatch.setenv("DISPLAY", ":0")
    assert display_available()


def test_a_second_finger_takes_nothing_out_of_the_first_ones_hand(show: Show) -> None:
    from companion.ui.scenes import Finger

    shown = show(virtual=True)
    (figure,) = shown.stage.fields()["spirit/valley"]
    start, end = shown.board.ring.space("valley"), shown.board.ring.space("valley-cradle")
    first = Finger(*start, device="finger")
    first.to(*start)
    first.to(*end)
    shown.tap(shown.slot("network.1"))
    assert shown.stage.laid == []
    assert shown.screen.carry is not None
    first.to(*end)
    first.up()
    assert shown.stage.laid == [("spirit/valley", ()), ("spirit/valley-cradle", (figure,))]
    assert shown.screen.carry is None
    assert not shown.screen.sheet.is_open


def test_put_it_right_clears_the_pad_too(show: Show) -> None:
    shown = show(virtual=True)
    courage = shown.stage.uid("emotion/bliss/courage/1")
    shown.stage.lay("pad/1", (courage,))
    problem = {"space": "pad/1", "found": ["courage"], "expected": [], "mend": "Take Courage off the pad."}
    shown.stage.tell([problem], in_step=True)
    shown.hear()
    shown.tap_button("Show where")
    assert "Diana's pad" in shown.texts()
    shown.tap_button("Put it right")
    assert shown.stage.fields().get("pad/1", ()) == ()


def test_a_game_that_is_played_is_left_only_when_people_say_so_twice(show: Show) -> None:
    shown = show(virtual=True)
    shown.stage.play(EMPOWER)
    shown.hear()
    shown.screen.show_starts()
    rows, title = shown.screen.sheet.rows, shown.stage.starts()[1].title
    shown.tap_entry(title)
    assert shown.stage.sent == []
    shown.tap(rows[0].rect.middle)
    assert not shown.screen.sheet.is_open
    shown.screen.show_starts()
    shown.tap_entry(title)
    shown.tap(rows[1].rect.middle)
    assert [command for command in shown.stage.sent if "setup" in command]


def test_a_long_reason_gets_a_higher_row_not_smaller_letters(show: Show) -> None:
    from companion.ui.sheets import Entry, Listing

    shown = show()
    long = Entry("Empower Kindness", "R-EMP-2", "Why it can't be done now, at some length. " * 6)
    shown.screen.sheet.open(shown.screen.frame.sheets[1], Listing("Slot", "", (long,)), from_right=True)
    row = shown.screen.sheet.rows[0]
    (detail,) = [words for words in shown.words() if words.text == long.detail]
    assert detail.font_size == detail.base_px
    assert row.rect.y <= detail.y
    assert detail.top <= row.rect.top


def test_the_spirit_actions_are_labelled_in_one_size(show: Show) -> None:
    shown = show()
    shown.screen.show_options("row/empower")
    tabs = [button for button in shown.screen.sheet.tabs if button.shown]
    assert len({round(button.first.font_size, 1) for button in tabs}) == 1


def test_a_card_and_a_token_lie_side_by_side_on_the_pad(show: Show) -> None:
    shown = show(virtual=True)
    shown.stage.lay("pad/1", (shown.stage.uid("vibe/red/1"), shown.stage.uid("emotion/bliss/courage/1")))
    shown.hear()
    assert shown.screen.tray is not None
    uids = shown.stage.fields()["pad/1"]
    card, token = (
        view.rect
        for view in sorted(shown.screen.tray.views, key=lambda view: view.rect.x)
        if view.tag in uids
    )
    assert card.right <= token.x
    assert token.right <= shown.screen.tray.zones["pad"].right


def test_where_one_page_holds_all_there_is_nothing_to_turn(show: Show) -> None:
    shown = show(virtual=True, size=(1920, 1080))
    tray = shown.screen.tray
    assert tray is not None
    shown.tap_button("Vibes")
    assert (tray.pages > 1) == tray.on.shown


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_cards_on_a_slot_the_wrong_one_is_on_top_and_comes_off(show: Show, order: int) -> None:
    shown = show(virtual=True)
    (kindness,) = shown.stage.fields()["slot/valley.1"]
    valor = shown.stage.uid("emotion/bliss/valor/1")
    shown.stage.lay("slot/valley.1", (kindness, valor)[::order])
    shown.hear()
    face = shown.board.cards["valley.1"].face
    assert face is not None
    assert face.name == "valor"
    shown.drag(shown.slot("valley.1"), shown.zone("hand"))
    assert shown.stage.fields()["slot/valley.1"] == (kindness,)


def test_the_end_of_a_turn_is_offered_even_where_the_options_leave_it_out(
    show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = show()
    monkeypatch.setattr(shown.stage, "options", lambda _: [])
    shown.tap_button("End turn")
    rows = [row for row in shown.screen.sheet.rows if row.entry is not None]
    assert [row.entry.text for row in rows if row.entry] == [
        "End the turn: 1 Ambition",
        "End the turn: draw cards",
    ]
    shown.tap(rows[1].rect.middle)
    assert shown.stage.sent == [{"do": {"action": "end-turn", "gain": "cards"}}]
