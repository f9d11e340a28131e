"""People overrule a refusal, in two taps: the position follows, and the history says so."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.scenario.notation import position_to
from companion.session.overrule import OVERRULE
from companion.table.decisions import BOARD_RIGHT, PUT_BACK
from tests.session.desk import BENEVOLENCE, KINDNESS, Desk
from tests.session.test_steps import START_POSITION, two

SERENITY = "emotion/bliss/serenity/1"


@pytest.fixture
def short(tmp_path: Path) -> Iterator[Desk]:
    """Kindness is one Essence short of its threshold."""
    desk = Desk(tmp_path, "empower-refused")
    desk.connect()
    yield desk
    desk.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Diana in the valley beside Kindness, Otto's figure in the network; no Vibe tokens."""
    desk = Desk(tmp_path)
    desk.connect()
    assert desk.ask_for(id="new", setup=position_to(START_POSITION))["verdict"] == "legal"
    desk.see_fields()
    yield desk
    desk.close()


def tap(desk: Desk, choice: str) -> dict[str, Any]:
    """Answer the open question; each tap is a command of its own."""
    taps = len(desk.all("reply"))
    return desk.ask_for(id=f"tap-{taps}", answer={"ask": desk.ask["id"], "choice": choice})


def test_two_taps_let_a_refused_empower_count(short: Desk) -> None:
    """R-EMP-2: the card stays, it is paid for as it would be, and the history says what was done."""
    willpower = short.state["players"]["diana"]["willpower"]
    short.lies("slot/valley.1", BENEVOLENCE)
    assert short.ask["choices"][-1]["id"] == OVERRULE
    assert tap(short, OVERRULE)["verdict"] == "legal"
    assert short.ask["text"] == "Against the rules: Empower Kindness?"
    assert [choice["id"] for choice in short.ask["choices"]] == ["yes", PUT_BACK]
    assert tap(short, "yes")["verdict"] == "legal"
    assert short.emotion("valley.1") == ("benevolence", 1)
    assert short.state["players"]["diana"]["willpower"] == willpower - 3
    assert short.state["turn"]["actions_left"] == 2
    assert short.last("event")["do"]["reason"] == "overruled: R-EMP-2; Empower Kindness"
    assert "overruled: R-EMP-2" in short.state["history"][-1]["message"]
    assert (short.ask, short.state["table_ok"], short.state["problems"]) == ({}, True, [])


def test_what_was_overruled_can_be_taken_back(short: Desk) -> None:
    short.lies("slot/valley.1", BENEVOLENCE)
    tap(short, OVERRULE)
    tap(short, "yes")
    assert short.ask_for(id="u", undo=1)["verdict"] == "legal"
    assert short.emotion("valley.1") == ("kindness", 1)
    assert short.mends == ["Put Kindness back on the left Valley slot in place of Benevolence."]
    short.lies("slot/valley.1", KINDNESS)
    assert short.state["table_ok"] is True
    assert short.ask_for(id="r", redo=1)["verdict"] == "legal"
    assert short.emotion("valley.1") == ("benevolence", 1)


def test_the_second_question_goes_when_the_card_goes_back(short: Desk) -> None:
    short.lies("slot/valley.1", BENEVOLENCE)
    tap(short, OVERRULE)
    short.lies("slot/valley.1", KINDNESS)
    assert (short.ask, short.state["seq"]) == ({}, 1)


def test_an_old_tap_does_not_answer_the_second_question(short: Desk) -> None:
    short.lies("slot/valley.1", BENEVOLENCE)
    first = short.ask["id"]
    tap(short, OVERRULE)
    assert short.ask_for(id="old", answer={"ask": first, "choice": "yes"})["verdict"] == "error"
    assert short.state["seq"] == 1


def test_another_card_than_the_counterpart_keeps_the_essence(desk: Desk) -> None:
    """R-EMP-3, R-EMP-4: where the pieces lie otherwise than the rules would have them, the pieces count."""
    desk.lies("slot/valley.1", SERENITY)
    desk.advance(10)
    assert desk.last("event")["verdict"] == "illegal"
    tap(desk, OVERRULE)
    tap(desk, "yes")
    assert desk.emotion("valley.1") == ("serenity", 2)
    assert desk.state["table_ok"] is True


def test_a_figure_moved_out_of_turn_may_stay(desk: Desk) -> None:
    """R-TURN-1."""
    left = desk.state["turn"]["actions_left"]
    desk.lies("spirit/network")
    desk.lies("spirit/network-land", "spirit/hatred")
    desk.advance(10)
    assert desk.last("event")["verdict"] == "illegal"
    tap(desk, OVERRULE)
    tap(desk, "yes")
    assert desk.state["players"]["otto"]["at"] == "network-land"
    assert desk.state["turn"]["player"] == "diana"
    assert desk.state["turn"]["actions_left"] == left
    assert desk.state["table_ok"] is True


def test_no_refusal_asks_with_more_than_four_choices(short: Desk) -> None:
    short.lies("slot/valley.1", BENEVOLENCE)
    assert len(short.ask["choices"]) <= 4
    assert {choice["id"] for choice in short.ask["choices"]} >= {PUT_BACK, OVERRULE}


def test_a_refusal_can_be_overruled_however_long_the_pieces_stay(short: Desk) -> None:
    short.lies("slot/valley.1", BENEVOLENCE)
    short.advance(120)
    ids = [choice["id"] for choice in short.ask["choices"]]
    assert ids[-3:] == [PUT_BACK, OVERRULE, BOARD_RIGHT]
    assert len(ids) <= 4
    tap(short, OVERRULE)
    assert tap(short, "yes")["verdict"] == "legal"
    assert short.last("event")["cost"] == {}
    assert short.state["players"]["diana"]["willpower"] == 2


def test_nothing_comes_between_the_two_taps(short: Desk) -> None:
    short.lies("slot/valley.1", BENEVOLENCE)
    tap(short, OVERRULE)
    sure = short.ask
    short.advance(120)
    assert short.ask == sure
    assert tap(short, "yes")["verdict"] == "legal"


def test_a_figure_may_start_where_it_must_not(desk: Desk) -> None:
    """R-SETUP-20: the step is done with it, and the next one follows."""
    desk.ask_for(id="setup", setup=two())
    desk.see_fields()
    desk.lies("spirit/valley-cradle", "spirit/harmony")
    desk.lies("slot/land.1", "emotion/bliss/brightness/1")
    desk.advance(10)
    assert desk.last("event")["rules"] == ["R-SETUP-20"]
    tap(desk, OVERRULE)
    assert tap(desk, "yes")["verdict"] == "legal"
    assert desk.state["players"]["diana"]["at"] == "valley-cradle"
    assert desk.state["slots"]["land.1"]["emotion"] == "brightness"
    assert desk.ask["text"].startswith("Otto: put your figure")
    assert desk.state["table_ok"] is True
    desk.ask_for(id="u", undo=1)
    assert desk.ask["text"].startswith("Diana")


# By command


def test_a_refused_command_says_the_way_out_and_what_overruling_would_do(short: Desk) -> None:
    reply = short.ask_for(id="e", do={"action": "empower", "slot": "valley.1"})
    assert reply["verdict"] == "illegal"
    assert reply["remedy"].startswith("Channeled Power")
    assert "overruled: R-EMP-2" in reply["overrule"]
    assert short.ask == {}


def test_a_refused_command_can_be_overruled(short: Desk) -> None:
    do = {"action": "empower", "slot": "valley.1"}
    reply = short.ask_for(id="o", overrule=do)
    assert reply["verdict"] == "legal"
    assert short.emotion("valley.1") == ("benevolence", 1)
    again = short.ask_for(id="o", overrule=do)
    assert (again["verdict"], again["seq"]) == ("legal", reply["seq"])
    # The pieces follow.
    assert short.mends == ["Put Benevolence on the left Valley slot in place of Kindness."]
    short.lies("slot/valley.1", BENEVOLENCE)
    assert short.state["table_ok"] is True


def test_what_is_allowed_is_simply_done(desk: Desk) -> None:
    assert desk.ask_for(id="o", overrule={"action": "valley"})["verdict"] == "legal"
    assert desk.last("event")["do"] == {"action": "valley"}


def test_what_would_change_nothing_cannot_be_overruled(desk: Desk) -> None:
    reply = desk.ask_for(id="o", overrule={"action": "land", "slot": "cradle.1", "essence": 1})
    assert reply["verdict"] == "illegal"
    assert reply["message"].startswith("Nothing would come of it")


def test_costs_that_cannot_be_paid_are_left_out_and_said(desk: Desk) -> None:
    """R-TURN-8."""
    poor = position_to(START_POSITION)
    poor["players"]["diana"]["willpower"] = 2
    desk.ask_for(id="poor", setup=poor)
    reply = desk.ask_for(id="o", overrule={"action": "empower", "slot": "valley.1"})
    assert reply["verdict"] == "legal"
    assert "3 Willpower not paid" in reply["message"]
    assert desk.state["players"]["diana"]["willpower"] == 2


def test_an_overruling_tells_no_hand(desk: Desk) -> None:
    """The card that is invoked is shown; the others are nobody's business."""
    secret = position_to(START_POSITION)
    secret["players"]["diana"]["hand"] = ["courage", "tranquility"]
    desk.ask_for(id="s", setup=secret)
    before = len(desk.said)
    do = {"action": "invoke", "emotion": "courage", "slot": "valley.2"}
    assert desk.ask_for(id="o", overrule=do)["verdict"] == "legal"
    assert "tranquility" not in str(desk.said[before:]).lower()


def test_a_question_tells_no_hand(desk: Desk) -> None:
    """The choice that counts all the same states the whole hand: only its size is said."""
    secret = position_to(START_POSITION)
    secret["players"]["diana"]["hand"] = ["courage", "tranquility"]
    secret["players"]["diana"]["vibes"] = {"invoke": ["wild", "", "", ""]}
    secret["slots"] |= {"valley.2": {"emotion": "anger", "essence": 1}}
    desk.ask_for(id="s", setup=secret)
    desk.see_fields()
    before = len(desk.said)
    desk.lies("slot/cradle.2", "emotion/bliss/courage/1")
    desk.advance(10)
    assert desk.last("event")["rules"] == ["R-INVOKE-1"]
    tap(desk, OVERRULE)
    assert desk.ask["choices"][0]["do"]["set"]["players"]["diana"]["hand_size"] == 1
    assert tap(desk, "yes")["verdict"] == "legal"
    assert desk.referee.session.position.players["diana"].hand == ("tranquility",)
    assert "tranquility" not in str(desk.said[before:]).lower()
