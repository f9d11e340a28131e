from typing import Any

import pytest

from companion.content import catalogue, starts
from companion.rules.board import SLOTS
from companion.scenario.notation import position_from, position_to
from companion.ui import views
from companion.ui.derived import control

CARDS = catalogue()


def state(start: str = "empower-example") -> dict[str, Any]:
    return position_to(position_from(starts()[start].data, CARDS), public=True)


def test_a_card_shows_what_decides() -> None:
    slots = {
        view.slot: view for view in views.slot_views(state(), CARDS, None, {"slot/valley.1": "accepted"})
    }
    kindness = slots["valley.1"].game
    assert kindness is not None
    assert (kindness.title, kindness.vibe, kindness.essence, kindness.spaces) == ("Kindness", "green", 2, 3)
    assert kindness.intensity == CARDS.cards["kindness"].intensity[1]  # type: ignore[index]
    assert not kindness.strong
    assert slots["valley.1"].mark == "accepted"
    assert slots["willow.2"].game is not None
    assert slots["willow.2"].game.strong
    assert slots["network.2"].game is None
    assert tuple(slots) == SLOTS


def test_an_intensity_token_adds_to_the_number() -> None:
    plain = views.face("kindness", CARDS, 2)
    assert plain.intensity is not None
    assert views.face("kindness", CARDS, 2, 3).intensity == plain.intensity + 3


def test_a_card_that_nobody_knows_is_still_shown() -> None:
    face = views.face("home-made", CARDS, 1)
    assert (face.title, face.spaces, face.intensity, face.vibe) == ("Home Made", None, None, None)


def test_where_the_table_differs_the_view_says_so() -> None:
    lying = {"valley.1": ("benevolence",), "valley.2": ("courage",)}
    slots = {view.slot: view for view in views.slot_views(state(), CARDS, lying, {})}
    assert not slots["valley.1"].right
    assert [face.name for face in slots["valley.1"].lying] == ["benevolence"]
    assert slots["valley.2"].right
    assert not slots["land.1"].right


def test_seats_show_the_turn_the_counts_and_locked_rows() -> None:
    diana, otto, pia, nils = views.seat_views(state())
    assert [seat.title for seat in (diana, otto, pia, nils)] == ["Diana", "Otto", "Pia", "Nils"]
    assert diana.acting
    assert not otto.acting
    assert (diana.willpower, diana.essence, diana.hand, diana.actions_left) == (5, 1, 3, 3)
    rows = {row.action: row for row in diana.rows}
    assert rows["quell"].locked
    assert rows["move"].vibes == ("wild", "", "", "blue")


def test_the_basic_game_has_no_empower_row() -> None:
    basic = {**state(), "mode": "basic"}
    assert [row.action for row in views.seat_views(basic)[0].rows] == ["move", "invoke", "quell", "fortify"]


def test_what_is_left_out_has_its_default() -> None:
    seats = views.seat_views({"players": {"ada": {"team": "bliss"}}})
    assert (seats[0].willpower, seats[0].hand, seats[0].acting) == (0, 0, True)
    bliss, gloom = views.team_views({})
    assert (bliss.ambition, bliss.minor, gloom.major) == (0, 6, 3)
    assert [sphere.willpower for sphere in views.sphere_views({})] == [7] * 5


def test_an_empty_state_shows_an_empty_board() -> None:
    board = views.board_view({}, CARDS)
    assert all(slot.game is None for slot in board.slots)
    assert board.figures == ()


def test_two_figures_on_one_space_are_both_shown() -> None:
    data = state()
    data["players"]["pia"]["at"] = "valley"
    figures = views.figure_views(data, None)
    assert [figure.space for figure in figures].count("valley") == 2


def test_control_is_what_the_rules_derive() -> None:
    held = control({**state(), "seq": 4, "table_ok": True, "problems": [], "history": [], "undo": 0}, CARDS)
    assert held["valley"] == "bliss"
    assert held["network"] == "gloom"


@pytest.mark.parametrize("broken", [{}, {"players": {"ada": {"team": "nobody"}}}])
def test_a_state_that_can_not_be_read_has_no_control(broken: dict[str, Any]) -> None:
    assert control(broken, CARDS) == {}
