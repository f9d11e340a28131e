"""Questions: at most four choices with what they would do; what the pieces say later answers them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.scenario.notation import position_to
from tests.session.desk import Desk
from tests.session.test_steps import START_POSITION

COURAGE = "emotion/bliss/courage/1"
ROWS = ("move", "invoke", "quell", "fortify", "empower")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Diana beside Anger, a red Emotion, with a hand that nobody has seen."""
    desk = Desk(tmp_path)
    desk.connect()
    data = position_to(START_POSITION)
    data["players"]["diana"] |= {
        "willpower": 9,
        "essence": 3,
        "hand": ["*", "*"],
        "vibes": {row: ["wild", "", "", ""] for row in ROWS},
    }
    data["teams"]["bliss"]["ambition"] = 3
    data["slots"]["valley.2"] = {"emotion": "anger", "essence": 1}
    assert desk.ask_for(id="new", setup=data)["verdict"] == "legal"
    desk.see_fields()
    yield desk
    desk.close()


def test_a_card_that_has_gone_is_asked_about_with_at_most_four_choices(desk: Desk) -> None:
    desk.lies("slot/valley.2")
    desk.advance(5)
    assert desk.ask["text"] == "Is Anger quelled?"
    assert 2 <= len(desk.ask["choices"]) <= 4
    for choice in desk.ask["choices"]:
        if choice["do"]:
            assert "Willpower" in choice["text"]
            assert choice["effect"].startswith("Diana quells Anger")


def test_the_card_shown_on_the_pad_answers_which_card_was_meant(desk: Desk) -> None:
    """R-QUELL-2: what can be seen is not asked any more; only whether it is worth the team's Ambition."""
    desk.lies("slot/valley.2")
    desk.advance(5)
    assert sum("Show" in choice["text"] for choice in desk.ask["choices"]) > 1
    desk.lies("pad/1", COURAGE)
    desk.advance(5)
    deeds = [choice["do"] for choice in desk.ask["choices"] if choice["do"]]
    assert deeds == [{"action": "quell", "slot": "valley.2", "reveal": "courage"}]


def test_the_card_put_back_answers_that_it_was_only_lifted(desk: Desk) -> None:
    desk.lies("slot/valley.2")
    desk.advance(5)
    desk.lies("slot/valley.2", "emotion/gloom/anger/1")
    desk.advance(5)
    assert (desk.ask, desk.state["seq"], desk.state["table_ok"]) == ({}, 2, True)


def test_an_action_by_touch_answers_an_open_question(desk: Desk) -> None:
    desk.lies("slot/valley.2")
    desk.advance(5)
    do = {"action": "quell", "slot": "valley.2", "reveal": "courage"}
    assert desk.ask_for(id="q", do=do)["verdict"] == "legal"
    assert (desk.ask, desk.state["table_ok"]) == ({}, True)


def test_no_question_tells_what_a_hand_holds(desk: Desk) -> None:
    """Only what was shown is named: the choices of an unseen hand are all that it could be."""
    desk.lies("slot/valley.2")
    desk.advance(5)
    assert "hand" not in str(desk.ask["choices"])


def test_the_token_laid_on_the_spirit_board_answers_where_it_goes(desk: Desk) -> None:
    """R-VIBE-4: with an instrumented Spirit board nobody is asked which upgrade the token is for."""
    known = position_to(START_POSITION)
    known["players"]["diana"] |= {
        "willpower": 9,
        "hand": ["courage", "*"],
        "vibes": {"move": ["wild", "", "", ""]},
    }
    desk.ask_for(id="known", setup=known)
    desk.see_fields()
    for space in (2, 3, 4):
        desk.lies(f"vibe/1/move/{space}")
    desk.advance(2)
    desk.lies("pad/1", COURAGE, "vibe/red/1")
    desk.lies("spirit/valley")
    desk.lies("spirit/valley-cradle", "spirit/harmony")
    desk.advance(5)
    assert (desk.ask, desk.state["seq"]) == ({}, 3)
    desk.lies("pad/1", COURAGE)
    desk.lies("vibe/1/move/3", "vibe/red/1")
    desk.advance(5)
    assert desk.ask == {}
    assert desk.state["players"]["diana"]["vibes"]["move"] == ["wild", "", "red", ""]
    assert desk.state["players"]["diana"]["at"] == "valley-cradle"
