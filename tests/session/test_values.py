"""Printed values that nobody knows: asked once, kept in the table's card pack, changed like that too."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.scenario.errors import NotationError
from companion.scenario.notation import position_to
from companion.scenario.replay import replayed
from companion.scenario.saved import game_from
from companion.session.errors import PackNotSaved
from companion.session.lines import StepRefused, entries_of
from companion.session.pack import FILE, Pack, Value
from tests.session.desk import CARDS, Desk
from tests.session.test_steps import START_POSITION

FAITH, TRUST = "emotion/bliss/faith/1", "emotion/bliss/trust/1"

THRESHOLD = Value("trust", "empower_threshold", 2)


def trusting(**slots: Any) -> dict[str, Any]:
    data = position_to(START_POSITION)
    data["slots"] = {"valley.1": {"emotion": "trust", "essence": 2}, **slots}
    data["players"]["diana"]["vibes"] = {"empower": ["red", "", "", ""]}
    return data


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Diana beside Trust, whose threshold nobody knows."""
    desk = Desk(tmp_path)
    desk.connect()
    assert desk.ask_for(id="new", setup=trusting())["verdict"] == "legal"
    desk.see_fields()
    yield desk
    desk.close()


def answer(desk: Desk, text: str) -> dict[str, Any]:
    choice = next(choice for choice in desk.ask["choices"] if choice["text"] == text)
    taps = len(desk.all("reply"))
    return desk.ask_for(id=f"tap-{taps}", answer={"ask": desk.ask["id"], "choice": choice["id"]})


def lay_faith(desk: Desk) -> None:
    desk.lies("slot/valley.1")
    desk.lies("slot/valley.1", FAITH)
    desk.advance(5)


def test_a_threshold_is_asked_and_the_game_goes_on_with_the_action(desk: Desk) -> None:
    """R-EMP-2."""
    lay_faith(desk)
    assert desk.ask["text"] == "What is the Empower threshold of Trust?"
    assert desk.ask["value"] == {"card": "trust", "key": "empower_threshold"}
    texts = [choice["text"] for choice in desk.ask["choices"]]
    assert texts[:3] == ["2 Essence", "1 Essence", "3 Essence"]
    assert texts[3].startswith("Put Trust back")
    assert answer(desk, "2 Essence")["verdict"] == "legal"
    assert desk.emotion("valley.1") == ("faith", 2)
    assert (desk.ask, desk.state["table_ok"]) == ({}, True)
    events = [event["do"] for event in desk.all("event")][-2:]
    assert events == [{"value": THRESHOLD.data}, {"action": "empower", "slot": "valley.1"}]


def test_it_is_asked_once(desk: Desk, tmp_path: Path) -> None:
    lay_faith(desk)
    answer(desk, "2 Essence")
    desk.ask_for(id="again", setup=trusting())
    desk.see_fields()
    lay_faith(desk)
    assert desk.ask == {}
    assert desk.emotion("valley.1") == ("faith", 2)
    assert Pack(tmp_path, CARDS).cards.cards["trust"].empower_threshold == 2


def test_a_threshold_that_is_not_reached_is_refused_then(desk: Desk) -> None:
    lay_faith(desk)
    answer(desk, "3 Essence")
    event = desk.last("event")
    assert (event["verdict"], event["rules"]) == ("illegal", ["R-EMP-2"])
    assert [choice["id"] for choice in desk.ask["choices"]][-2:] == ["put-back", "overrule"]


def test_looking_at_the_card_may_take_a_while(desk: Desk) -> None:
    lay_faith(desk)
    asked = desk.ask
    desk.advance(300)
    assert desk.ask == asked
    answer(desk, "2 Essence")
    assert desk.emotion("valley.1") == ("faith", 2)


def test_the_card_put_back_closes_the_question(desk: Desk) -> None:
    lay_faith(desk)
    desk.lies("slot/valley.1", TRUST)
    assert (desk.ask, desk.state["seq"]) == ({}, 2)


def test_a_command_that_hangs_on_a_value_is_carried_out_with_the_answer(desk: Desk) -> None:
    reply = desk.ask_for(id="e", do={"action": "empower", "slot": "valley.1"})
    assert reply["verdict"] == "unknown"
    assert answer(desk, "2 Essence")["message"].startswith("Diana empowers Trust")
    assert desk.emotion("valley.1") == ("faith", 2)


def test_a_question_of_a_command_can_be_left(desk: Desk) -> None:
    desk.ask_for(id="e", do={"action": "empower", "slot": "valley.1"})
    answer(desk, "Leave it")
    assert desk.ask == {}


def test_a_value_is_stated_by_command_and_changed_the_same_way(desk: Desk, tmp_path: Path) -> None:
    assert desk.ask_for(id="1", value={**THRESHOLD.data, "value": 3})["verdict"] == "legal"
    assert desk.ask_for(id="2", do={"action": "empower", "slot": "valley.1"})["verdict"] == "illegal"
    assert desk.ask_for(id="3", value=THRESHOLD.data)["message"] == "The Empower threshold of Trust is 2."
    assert desk.ask_for(id="4", do={"action": "empower", "slot": "valley.1"})["verdict"] == "legal"
    assert "empower_threshold = 2" in (tmp_path / FILE).read_text()


def test_an_answer_by_command_closes_the_question(desk: Desk) -> None:
    lay_faith(desk)
    assert desk.ask_for(id="v", value=THRESHOLD.data)["verdict"] == "legal"
    assert desk.ask == {}
    assert desk.emotion("valley.1") == ("faith", 2)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"card": "nobody", "key": "empower_threshold", "value": 2}, "value.card"),
        ({"card": "trust", "key": "colour", "value": 2}, "colour"),
        ({"card": "trust", "key": "empower_threshold", "value": 0}, "whole number"),
        ({"card": "trust", "key": "empower_threshold", "value": 4}, "3 Essence spaces"),
        ({"card": "trust", "value": 2}, "value.key"),
    ],
)
def test_a_value_that_cannot_be_is_refused_by_name(desk: Desk, value: dict[str, Any], said: str) -> None:
    reply = desk.ask_for(id="v", value=value)
    assert reply["verdict"] == "error"
    assert said in reply["message"]


def test_an_exported_game_carries_the_pack_and_replays(desk: Desk) -> None:
    lay_faith(desk)
    answer(desk, "2 Essence")
    desk.ask_for(id="x", games={"action": "export"})
    file = desk.last("reply")["file"]
    assert "[cards.trust]" in file
    assert [step.faults for step in replayed(game_from(file, "game.toml", CARDS))] == [()]


def test_four_spaces_ask_for_the_least_likely_one_with_another_tap(desk: Desk) -> None:
    """Confidence has four Essence spaces, and a question four choices."""
    desk.ask_for(id="c", setup=trusting(**{"valley.1": {"emotion": "confidence", "essence": 2}}))
    desk.see_fields()
    desk.ask_for(id="e", do={"action": "empower", "slot": "valley.1"})
    texts = [choice["text"] for choice in desk.ask["choices"]]
    assert texts == ["2 Essence", "1 Essence", "Another", "Leave it"]
    answer(desk, "Another")
    assert [choice["text"] for choice in desk.ask["choices"]] == ["3 Essence", "4 Essence", "Leave it"]
    answer(desk, "3 Essence")
    assert desk.last("event")["rules"] == ["R-EMP-2"]


# The file


def test_the_pack_is_loaded_over_the_printed_values(tmp_path: Path) -> None:
    Pack(tmp_path, CARDS).state(THRESHOLD)
    Pack(tmp_path, CARDS).state(Value("suspicion", "intensity", [2, 3, 4]))
    pack = Pack(tmp_path, CARDS)
    assert pack.notices == ()
    assert pack.cards.cards["trust"].empower_threshold == 2
    assert pack.cards.cards["suspicion"].intensity == (2, 3, 4)


@pytest.mark.parametrize(
    "text",
    [
        "[cards.trust",
        "[cards.trust]\nempower_threshold = 0\n",
        "[cards.nobody]\nvibe = 'red'\n",
        "\udc80\x00",
    ],
)
def test_a_damaged_pack_is_set_aside_with_a_word(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_bytes(text.encode(errors="surrogateescape"))
    pack = Pack(tmp_path, CARDS)
    assert "set aside as cards.damaged-1.toml" in pack.notices[0]
    assert pack.cards == CARDS
    assert not (tmp_path / FILE).exists()
    pack.state(THRESHOLD)
    assert Pack(tmp_path, CARDS).notices == ()


def test_a_pack_that_cannot_be_written_states_nothing(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    pack = Pack(tmp_path, CARDS)
    with pytest.raises(PackNotSaved):
        pack.state(THRESHOLD)
    assert pack.cards == CARDS


def test_a_slip_leaves_the_pack_as_it_was(tmp_path: Path) -> None:
    pack = Pack(tmp_path, CARDS)
    pack.state(THRESHOLD)
    with pytest.raises(NotationError):
        pack.state(Value("trust", "empower_threshold", "many"))
    assert pack.stated == {"trust": {"empower_threshold": 2}}


def test_what_is_written_by_hand_meanwhile_is_kept(tmp_path: Path) -> None:
    pack = Pack(tmp_path, CARDS)
    pack.state(THRESHOLD)
    (tmp_path / FILE).write_text('title = "Ours"\n[cards.optimism]\nempower_threshold = 3\n')
    pack.state(THRESHOLD)
    found = Pack(tmp_path, CARDS).stated
    assert found == {"optimism": {"empower_threshold": 3}, "trust": {"empower_threshold": 2}}


def test_a_track_is_asked_where_control_hangs_on_it(desk: Desk) -> None:
    """R-INT-1: nobody knows the Intensity of Suspicion, and the price of the Action hangs on it."""
    data = trusting()
    data["slots"] = {
        "willow-valley": {"emotion": "suspicion", "essence": 1},
        "valley-cradle": {"emotion": "kindness", "essence": 1},
    }
    desk.ask_for(id="s", setup=data)
    desk.see_fields()
    reply = desk.ask_for(id="v", do={"action": "valley"})
    assert reply["verdict"] == "unknown"
    assert desk.ask["text"] == "Which Intensity does Suspicion show?"
    assert len(desk.ask["choices"]) == 4
    answer(desk, "Another")
    assert desk.ask["value"] == {"card": "suspicion", "key": "intensity"}
    reply = desk.ask_for(id="t", value={"card": "suspicion", "key": "intensity", "value": [5, 5, 6]})
    assert reply["verdict"] == "legal"
    assert desk.last("event")["do"] == {"action": "valley"}


def test_a_game_of_another_table_brings_the_values_it_was_played_with(desk: Desk, tmp_path: Path) -> None:
    lay_faith(desk)
    answer(desk, "2 Essence")
    file = desk.ask_for(id="x", games={"action": "export"})["file"]
    other = Desk(tmp_path / "other")
    other.connect()
    assert other.ask_for(id="i", games={"action": "import", "file": file})["verdict"] == "legal"
    assert other.emotion("valley.1") == ("faith", 2)
    assert other.ask_for(id="u", undo=1)["verdict"] == "legal"
    assert other.ask_for(id="e", do={"action": "empower", "slot": "valley.1"})["verdict"] == "legal"
    other.close()
    assert Pack(tmp_path / "other", CARDS).stated == {"trust": {"empower_threshold": 2}}


def test_a_value_of_the_table_counts_before_that_of_a_saved_game(desk: Desk, tmp_path: Path) -> None:
    lay_faith(desk)
    answer(desk, "2 Essence")
    file = desk.ask_for(id="x", games={"action": "export"})["file"]
    other = Desk(tmp_path / "other")
    other.connect()
    other.ask_for(id="v", value={**THRESHOLD.data, "value": 3})
    reply = other.ask_for(id="i", games={"action": "import", "file": file})
    assert reply["verdict"] == "error"
    assert "Empower threshold is 3" in reply["message"]
    other.close()


def test_a_restart_goes_on_with_the_tables_values(desk: Desk, tmp_path: Path) -> None:
    """Undone steps are judged again: with the values of the pack, none is lost."""
    lay_faith(desk)
    answer(desk, "2 Essence")
    desk.close()
    again = Desk(tmp_path)
    again.connect()
    assert again.emotion("valley.1") == ("faith", 2)
    assert again.ask_for(id="u", undo=1)["verdict"] == "legal"
    assert again.ask_for(id="r", redo=1)["verdict"] == "legal"
    assert again.emotion("valley.1") == ("faith", 2)
    again.close()


def test_a_copy_is_taken_whole_though_a_threshold_was_put_right_since(desk: Desk) -> None:
    """A saved game of elsewhere is judged; what this table accepted itself stands."""
    lay_faith(desk)
    answer(desk, "2 Essence")
    desk.ask_for(id="v", value={**THRESHOLD.data, "value": 3})
    file = desk.ask_for(id="x", games={"action": "export"})["file"]
    saved = game_from(file, "copy.toml", CARDS)
    with pytest.raises(StepRefused):
        entries_of(saved, saved.cards, game=9, seq=1, at_ms=0)
    line, after = entries_of(saved, saved.cards, game=9, seq=1, at_ms=0, ours=True)
    assert after == desk.referee.session.position
    assert [entry.cost for entry in line][1:] == ['{"willpower": 3}']


def _restarted(folder: Path) -> Desk:
    desk = Desk(folder)
    desk.connect()
    return desk


@pytest.mark.parametrize("later", ["changed", "lost"])
def test_what_was_accepted_by_an_earlier_value_is_done_again_all_the_same(
    desk: Desk, tmp_path: Path, later: str
) -> None:
    lay_faith(desk)
    answer(desk, "2 Essence")
    if later == "changed":
        desk.ask_for(id="v", value={**THRESHOLD.data, "value": 3})
    desk.ask_for(id="u", undo=1)
    desk.close()
    if later == "lost":
        (tmp_path / FILE).unlink()
    again = _restarted(tmp_path)
    assert again.ask_for(id="r", redo=1)["verdict"] == "legal"
    assert again.emotion("valley.1") == ("faith", 2)
    assert again.state["players"]["diana"]["willpower"] == 2
    again.close()
