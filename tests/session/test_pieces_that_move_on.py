"""What pieces made and unmade, through the referee and the journal: history, events and replay agree."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.session.journal import Journal
from companion.session.session import Session
from tests.session.desk import CARDS, Desk

HARMONY = "spirit/harmony"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    desk.connect()
    yield desk
    desk.close()


def carried(desk: Desk, start: str, end: str, *, rest_s: float = 0.6) -> None:
    """Carry Diana's figure, and let it rest."""
    desk.lies(f"spirit/{start}")
    desk.lies(f"spirit/{end}", HARMONY)
    desk.advance(rest_s)


def said(desk: Desk) -> list[str]:
    """Return where each event moved a figure to, or that it was an undo."""
    return [event["do"].get("to", "undo") for event in desk.all("event")]


def test_a_figure_that_goes_back_at_once_has_not_moved(desk: Desk) -> None:
    at = desk.state["players"]["diana"]["at"]
    carried(desk, at, "valley-cradle")
    assert desk.state["players"]["diana"]["at"] == "valley-cradle"
    carried(desk, "valley-cradle", at)
    assert desk.state["players"]["diana"]["at"] == at
    assert said(desk) == ["valley-cradle", "undo"]
    assert desk.state["problems"] == []
    assert desk.state["turn"]["actions_left"] == 3


def test_a_move_corrected_is_an_undo_and_another_move_and_stays_so_after_a_restart(
    desk: Desk, tmp_path: Path
) -> None:
    at = desk.state["players"]["diana"]["at"]
    carried(desk, at, "valley-cradle")
    carried(desk, "valley-cradle", "willow-valley")
    assert desk.state["players"]["diana"]["at"] == "willow-valley"
    assert desk.state["turn"]["actions_left"] == 2
    assert said(desk) == ["valley-cradle", "undo", "willow-valley"]
    assert [step["message"] for step in desk.state["history"]][-1].startswith(
        "Diana moves to the Willow-Valley"
    )
    position = desk.session.position
    desk.journal.close()
    journal = Journal(tmp_path)
    again = Session(journal, CARDS, lambda: position, now_ms=9)
    assert again.position == position
    journal.close()


def test_after_a_command_nothing_is_corrected_any_more(desk: Desk) -> None:
    at = desk.state["players"]["diana"]["at"]
    carried(desk, at, "valley-cradle")
    assert desk.ask_for(id=1, undo=1)["verdict"] == "legal"
    carried(desk, "valley-cradle", at)
    assert said(desk) == ["valley-cradle", "undo"]
    assert desk.state["problems"] == []


def test_that_the_board_is_right_is_an_adjustment_in_the_history(desk: Desk) -> None:
    desk.lies("slot/valley.1")
    desk.lies("slot/land.1", "emotion/bliss/desire/1")
    desk.advance(21)
    right = next(choice for choice in desk.ask["choices"] if choice["id"] == "board-right")
    assert right["do"]["action"] == "adjust"
    answer = {"ask": desk.ask["id"], "choice": right["id"]}
    assert desk.ask_for(id=1, answer=answer)["verdict"] == "legal"
    assert desk.state["problems"] == []
    assert desk.state["table_ok"] is True
    assert set(desk.state["slots"]) & {"valley.1", "land.1"} == {"land.1"}
    assert "the board is right" in desk.state["history"][-1]["message"]
    assert desk.ask_for(id=2, undo=1)["verdict"] == "legal"
    assert len(desk.state["problems"]) == 2
