"""A new game chosen by touch: every plan can be set up, four taps begin it, each step is placed by touch."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.content import catalogue
from companion.rules.words import title
from companion.scenario.notation import position_from
from companion.ui.new_game import (
    COUNTS,
    Plan,
    aspirations_used,
    common_told,
    plan_for,
    position_of,
    with_common,
    with_next_sphere,
    with_next_spirit,
    with_other_mode,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.ui.looking import Shown

    Show = Callable[..., Shown]

CARDS = catalogue()


@given(
    st.sampled_from(COUNTS),
    st.lists(
        st.sampled_from(["spirit 0", "spirit 1", "spirit -1", "mode", "first", "side", "decks", "sphere"]),
        max_size=12,
    ),
)
def test_whatever_people_tap_it_is_a_game_that_can_be_set_up(count: int, taps: list[str]) -> None:
    plan = Plan(count)
    for tap in taps:
        if tap.startswith("spirit"):
            plan = with_next_spirit(plan, int(tap.split()[1]) % count, CARDS)
        elif tap == "mode":
            plan = with_other_mode(plan)
        elif tap == "first":
            plan = replace(plan, first="gloom" if plan.first == "bliss" else "bliss")
        elif tap == "side" and plan.mode == "full":
            plan = replace(plan, side_b=not plan.side_b)
        elif tap == "decks":
            plan = replace(plan, beginners=not plan.beginners)
        elif tap == "sphere":
            plan = with_next_sphere(plan)
    position = position_from(position_of(plan, CARDS), CARDS)
    assert len(position.players) == count
    assert position.turn.pending[0].action == "place-spirit"
    assert position.mode == plan.mode
    assert position.actor.team == plan.first
    assert len({player.spirit for player in position.players.values()}) == count


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("seat", [0, 1, -1])
def test_a_tap_offers_every_spirit_that_no_teammate_plays(count: int, seat: int) -> None:
    """R-SETUP-6: each Spirit is there once."""
    plan, seat = Plan(count), seat % count
    team, nth = plan.order[seat]
    mates = [plan.spirits[t][n] for t, n in plan.order if t == team and n != nth]
    seen = []
    for _ in range(10):
        plan = with_next_spirit(plan, seat, CARDS)
        seen.append(plan.spirits[team][nth])
    free = [name for name, spirit in CARDS.spirits.items() if spirit.team == team and name not in mates]
    assert set(seen) == set(free)


def test_of_three_the_team_that_begins_has_two() -> None:
    """R-SHAPER-3: the lone one plays second and fourth."""
    plan = plan_for(3, {})
    assert [team for team, _ in plan.order] == ["bliss", "gloom", "bliss"]
    other = replace(plan, first="gloom")
    position = position_from(position_of(other, CARDS), CARDS)
    assert list(position.players) == ["otto", "diana", "nils"]


def test_the_players_of_now_play_again() -> None:
    state: dict[str, Any] = {
        "players": {
            "zoe": {"team": "gloom", "spirit": "misery"},
            "ben": {"team": "bliss", "spirit": "delight"},
        }
    }
    position = position_from(position_of(plan_for(2, state), CARDS), CARDS)
    assert [(p.name, p.spirit) for p in position.players.values()] == [("zoe", "misery"), ("ben", "delight")]
    assert list(position_of(plan_for(4, state), CARDS)["players"]) == ["diana", "otto", "pia", "nils"]


def test_what_the_table_has_ruled_stays_so() -> None:
    rulings = {"assumed-threshold": 2, "fragments": [7, 4]}
    for state in ({"rulings": rulings}, {"rulings": rulings, "players": {"ann": {"team": "bliss"}}}):
        position = position_from(position_of(plan_for(2, state), CARDS), CARDS)
        assert position.rulings == {"assumed-threshold": 2, "fragments": (7, 4)}
        assert position.teams["bliss"].minor == 7


def test_the_row_of_common_aspirations_is_told_by_tapping_it_in_order() -> None:
    """R-SETUP-13: nine of them, seven in the basic game; half a row is not used."""
    for start, count in ((Plan(2), 9), (with_other_mode(Plan(2)), 7)):
        plan = start
        names = aspirations_used(plan, CARDS)[::-1]
        assert len(names) == count
        for name in names[:-2]:
            plan = with_common(plan, name, CARDS)
        assert not common_told(plan, CARDS)
        assert "common" not in position_of(plan, CARDS)["aspirations"]
        plan = with_common(plan, names[-2], CARDS)
        assert position_of(plan, CARDS)["aspirations"]["common"] == list(names)
        assert with_common(plan, names[2], CARDS).common == names[:2]


def test_four_taps_begin_a_game(show: Show) -> None:
    shown = show()
    shown.tap(shown.screen.corners[1].center)
    shown.tap_entry("Four players")
    shown.tap_button("Start")
    (command,) = shown.stage.sent
    position = position_from(command["setup"], CARDS)
    assert len(position.players) == 4
    assert position.turn.pending[0].player == "diana"
    assert not shown.screen.sheet.is_open


def test_a_spirit_the_game_and_the_sphere_are_changed_by_a_tap(show: Show) -> None:
    shown = show()
    shown.tap(shown.screen.corners[1].center)
    shown.tap_entry("Two players")
    shown.tap_entry("Diana: Harmony")
    assert "Diana: Delight" in shown.entries()
    shown.tap_entry("Full game")
    assert "Spirit boards" not in shown.entries()
    shown.tap_entry("Facing the Valley")
    shown.tap_entry("Emotion decks")
    shown.tap_entry("Common Aspirations")
    used = aspirations_used(with_other_mode(Plan(2)), CARDS)
    for name in used[:-1]:
        shown.tap_entry(title(name))
        while shown.screen.sheet.page:
            shown.tap(next(b for b in shown.buttons() if b.icon is not None and b.icon.name == "back").center)
    shown.tap_button("Done")
    shown.tap_button("Start")
    position = position_from(shown.stage.sent[0]["setup"], CARDS)
    assert (position.mode, position.origin.facing, position.common) == ("basic", "creativity", used)
    assert position.actor.spirit == "delight"
    assert position.actor.deck is not None


def test_a_game_that_is_played_is_not_left_by_a_slip(show: Show) -> None:
    shown = show()
    shown.stage.play({"action": "valley"})
    shown.hear()
    shown.screen.show_plan(Plan(3))
    shown.tap_button("Start")
    assert shown.stage.sent == []
    shown.tap_entry("Start")
    assert "setup" in shown.stage.sent[0]


# The steps


def begun(show: Show, plan: Plan | None = None, **more: Any) -> Shown:
    shown = show(**more)
    shown.stage.begin(position_of(plan or Plan(2), CARDS))
    shown.hear()
    return shown


@pytest.mark.parametrize("size", [(1280, 800), (800, 480)], ids=str)
def test_figure_and_card_are_dragged_from_the_tray(show: Show, size: tuple[int, int]) -> None:
    """R-SETUP-19."""
    shown = begun(show, virtual=True, size=size)
    assert "TO BE PLACED" in shown.texts()
    assert "Diana: put your figure on a free Frontier, and Brightness beside it" in shown.texts()
    shown.drag(shown.piece("spirit/harmony"), shown.board.ring.space("valley-cradle"))
    shown.drag(shown.piece("emotion/bliss/brightness/1"), shown.slot("valley.2"))
    laid = dict(shown.stage.laid)
    assert laid["spirit/valley-cradle"] == (shown.stage.uid("spirit/harmony"),)
    assert laid["slot/valley.2"] == (shown.stage.uid("emotion/bliss/brightness/1"),)
    shown.stage.play({"action": "place-spirit", "at": "valley-cradle", "slot": "valley.2"})
    shown.hear()
    assert shown.piece("spirit/hatred")
    assert shown.piece("emotion/gloom/bleakness/1")


def test_without_pieces_it_is_said_by_touch(show: Show) -> None:
    shown = begun(show)
    shown.tap_button("By touch")
    shown.tap_entry("Start on the Cradle-Network Frontier")
    do = shown.stage.sent[0]["do"]
    assert (do["action"], do["at"]) == ("place-spirit", "cradle-network")


def test_in_the_basic_game_the_space_is_tapped(show: Show) -> None:
    """R-SETUP-21: any space and slot can be entered."""
    shown = begun(show, with_other_mode(Plan(2)))
    assert not any(button.first.text == "By touch" for button in shown.buttons())
    shown.tap(shown.board.ring.space("valley"))
    shown.tap_entry("Start in the Valley: Starting Emotion into the left Land slot")
    assert shown.stage.sent[0]["do"] == {"action": "place-spirit", "at": "valley", "slot": "land.1"}


def test_wild_tokens_are_placed_by_tapping_the_spaces_that_shine(show: Show) -> None:
    """R-SETUP-23: a locked row takes its first token on the leftmost space."""
    shown = begun(show)
    for at, slot in (("valley-cradle", "valley.2"), ("network-land", "land.1")):
        shown.stage.play({"action": "place-spirit", "at": at, "slot": slot})
    shown.hear()
    row = shown.screen.seats[0].rows[1].rect
    shown.tap((row.x + row.w * 0.95, row.middle[1]))
    assert shown.stage.sent == []
    shown.screen.close_sheet()
    shown.tap((row.x + row.w * 0.47, row.middle[1]))
    assert shown.stage.sent == [{"do": {"action": "place-wild", "row": "invoke", "space": 1}}]
    other = shown.screen.seats[1].rows[1].rect
    shown.tap((other.x + other.w * 0.47, other.middle[1]))
    assert len(shown.stage.sent) == 1


def test_each_step_says_whose_it_is_and_can_be_taken_back(show: Show) -> None:
    shown = begun(show)
    shown.stage.play({"action": "place-spirit", "at": "valley-cradle", "slot": "valley.2"})
    shown.hear()
    assert any(text.startswith("Otto: put your figure") for text in shown.texts())
    assert [seat.view.acting for seat in shown.screen.seats if seat.view] == [False, True]
    shown.tap_button("Undo")
    assert shown.stage.sent == [{"undo": 1}]
