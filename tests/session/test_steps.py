"""What people must still place, show or choose: asked on the bus, answered, taken back, gone on with."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.rules.position import Mode, Position
from companion.rules.setup import Seat, new_game
from companion.scenario.notation import action_from, position_from, position_to
from companion.scenario.replay import replayed
from companion.scenario.saved import game_from, game_text
from companion.session.journal import FILE, Journal
from companion.session.options import options
from companion.session.session import Session
from companion.session.steps import step_question
from tests.session.desk import CARDS, Desk

DIANA, OTTO = Seat("diana", "bliss", "harmony"), Seat("otto", "gloom", "hatred")
ROWS = ("move", "invoke", "quell", "empower")
UNLOCKED = [{"action": "place-wild", "row": row, "space": 1} for row in ROWS]
START = {"action": "place-spirit", "at": "valley-cradle", "slot": "valley.2"}


START_POSITION: Position = position_from(
    {
        "players": {
            "diana": {"team": "bliss", "spirit": "harmony", "at": "valley", "willpower": 5, "essence": 2},
            "otto": {"team": "gloom", "spirit": "hatred", "at": "network", "willpower": 5},
        },
        "slots": {"valley.1": {"emotion": "kindness", "essence": 2}},
        "aspirations": {"common": ["unity", "attitude", "awareness"]},
    },
    CARDS,
)


def two(**more: Any) -> dict[str, Any]:
    return position_to(new_game((DIANA, OTTO), CARDS, **more))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    desk.connect()
    yield desk
    desk.close()


def begin(desk: Desk, data: dict[str, Any] | None = None) -> None:
    assert desk.ask_for(id="new", setup=data or two())["verdict"] == "legal"
    desk.see_fields()


def place(desk: Desk, spirit: str, at: str, card: str, slot: str) -> None:
    desk.lies(f"spirit/{at}", f"spirit/{spirit}")
    desk.lies(f"slot/{slot}", f"emotion/{card}")
    desk.advance(1)


def test_a_new_game_says_who_places_what(desk: Desk) -> None:
    """R-SETUP-19, R-SETUP-23: figures in player order, then four tokens each."""
    begin(desk)
    assert desk.ask["text"] == "Diana: put your figure on a free Frontier, and Brightness beside it"
    assert desk.ask["step"] == "place-spirit"
    place(desk, "harmony", "valley-cradle", "bliss/brightness/1", "valley.2")
    assert desk.ask["text"].startswith("Otto: put your figure")
    assert desk.state["problems"] == []
    place(desk, "hatred", "network-land", "gloom/bleakness/1", "land.1")
    assert desk.ask["text"] == "Diana: place 4 wild Vibe tokens on your Spirit board"
    for n, row in enumerate(("move", "invoke", "quell", "empower")):
        desk.ask_for(id=f"t{n}", do={"action": "place-wild", "row": row, "space": 1})
    assert desk.ask["text"] == "Otto: place 4 wild Vibe tokens on your Spirit board"
    assert desk.last("event")["player"] == "diana"
    for n, row in enumerate(("move", "invoke", "quell")):
        desk.ask_for(id=f"o{n}", do={"action": "place-wild", "row": row, "space": 1})
    assert desk.ask["text"] == "Otto: place the last wild Vibe token on your Spirit board"
    desk.ask_for(id="o3", do={"action": "place-wild", "row": "move", "space": 2})
    assert desk.ask == {}
    assert desk.state["players"]["otto"]["vibes"]["move"] == ["wild", "wild", "", ""]


def test_the_event_of_a_step_names_whose_it_was(desk: Desk) -> None:
    begin(desk)
    place(desk, "harmony", "valley-cradle", "bliss/brightness/1", "valley.2")
    place(desk, "hatred", "network-land", "gloom/bleakness/1", "land.1")
    placed = [event for event in desk.all("event") if event["do"].get("action") == "place-spirit"]
    assert [event["player"] for event in placed] == ["diana", "otto"]
    assert [step["player"] for step in desk.state["history"]] == ["diana", "otto"]


def test_a_step_can_be_answered_taken_back_and_is_asked_again(desk: Desk) -> None:
    begin(desk)
    first = desk.ask
    choice = first["choices"][0]
    reply = desk.ask_for(id="1", answer={"ask": first["id"], "choice": choice["id"]})
    assert reply["verdict"] == "legal"
    assert desk.state["players"]["diana"]["at"] == choice["do"]["at"]
    assert desk.ask["text"].startswith("Otto")
    assert desk.ask_for(id="2", undo=1)["verdict"] == "legal"
    assert desk.ask["text"] == first["text"]
    assert desk.ask["id"] != first["id"]
    late = desk.ask_for(id="3", answer={"ask": first["id"], "choice": choice["id"]})
    assert late["verdict"] == "error"


def test_what_comes_before_the_first_turn_comes_first(desk: Desk) -> None:
    begin(desk)
    reply = desk.ask_for(id="1", do={"action": "valley"})
    assert (reply["verdict"], reply["rules"]) == ("illegal", ["R-SETUP-19"])


def test_a_step_with_too_many_choices_names_none(desk: Desk) -> None:
    """R-SETUP-21: in the basic game figure and card go wherever the picture has them."""
    begin(desk, two(mode="basic"))
    assert desk.ask["choices"] == []
    assert "rule book" in desk.ask["text"]


def test_a_game_with_its_set_up_is_gone_on_with_after_a_stop(tmp_path: Path) -> None:
    """Also where no position but the first was kept: every step is played again."""
    with closing(Journal(tmp_path)) as journal:
        session = Session(journal, CARDS, lambda: position_from(two(), CARDS), now_ms=1)
        moves: list[dict[str, Any]] = [
            START,
            {"action": "place-spirit", "at": "network-land", "slot": "land.1", "player": "otto"},
            *(
                {"action": "place-wild", "row": row, "space": 1}
                for row in ("move", "invoke", "quell", "empower")
            ),
            *(
                {"action": "place-wild", "row": row, "space": 1}
                for row in ("move", "invoke", "quell", "empower")
            ),
            {"action": "score"},
            {"action": "adjust", "reason": "a mistake", "set": {"players": {"otto": {"willpower": 9}}}},
            {"action": "move", "to": "cradle"},
        ]
        positions = [session.position]
        for do in moves:
            outcome = session.do(action_from(do, CARDS), at_ms=5)
            assert outcome.verdict == "legal", outcome.message
            positions.append(session.position)
        session.undo(2, at_ms=6)
        assert session.position == positions[-3]
        session.redo(2, at_ms=7)
    with closing(Journal(tmp_path)) as journal:
        again = Session(journal, CARDS, lambda: pytest.fail("there is a game"), now_ms=9)
        assert again.position == positions[-1]
        again.undo(len(moves), at_ms=10)
        assert again.position == positions[0]
    assert (tmp_path / FILE).exists()


def test_a_saved_game_replays_its_set_up() -> None:
    """What the journal holds can be written as a file that replays to the same position."""
    start = position_from(two(), CARDS)
    otto = {"action": "place-spirit", "at": "network-land", "slot": "land.1", "player": "otto"}
    done: list[dict[str, Any]] = [START, otto, *UNLOCKED, *UNLOCKED, {"action": "score"}]
    moves = [action_from(do, CARDS) for do in done]
    game = game_from(game_text("With its set-up", start, moves), "game.toml", CARDS)
    steps = list(replayed(game))
    assert [step.faults for step in steps] == [()] * len(moves)
    assert (
        steps[0].words
        == "Diana starts on the Valley-Cradle Frontier and puts Brightness into the right Valley slot"
    )
    assert steps[-1].position.teams["bliss"].points == 1


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("mode", ["full", "basic"])
def test_every_choice_that_is_asked_can_be_taken_to_the_first_turn(
    tmp_path: Path, count: int, mode: Mode
) -> None:
    """Each question's choices are legal; without any, what the table can be asked about the step is."""
    seats = (DIANA, OTTO, Seat("pia", "bliss", "love"), Seat("nils", "gloom", "malice"))[:count]
    desk = Desk(tmp_path)
    desk.connect()
    begin(desk, position_to(new_game(seats, CARDS, mode=mode)))
    chance = Random(count)  # noqa: S311 - a game, repeatable
    asked = 0
    while desk.ask:
        asked += 1
        game = desk.referee.session.position
        ways = desk.ask["choices"] or [{"do": dict(o.do)} for o in options(game, CARDS, "step")]
        reply = desk.ask_for(id=f"n{asked}", do=chance.choice(ways)["do"])
        assert reply["verdict"] == "legal", reply
    assert asked == count + (count == 3) + (4 * count if mode == "full" else 0)
    assert desk.ask_for(id="turn", do={"action": "end-turn", "gain": "cards"})["verdict"] == "legal"
    desk.close()


# Powers and Revelations


def with_power() -> dict[str, Any]:
    data = position_to(START_POSITION)
    data["turn"]["pending"] = [{"action": "power", "team": "gloom", "power": "shame"}]
    data["slots"]["network.1"] = {"emotion": "shame", "essence": 1}
    return data


def test_a_power_is_a_question_that_can_be_declined_and_holds_nobody_up(desk: Desk) -> None:
    """R-POWER-1."""
    begin(desk, with_power())
    assert desk.ask["text"] == "Gloom uses the power of Shame"
    texts = {choice["text"] for choice in desk.ask["choices"]}
    assert texts == {"Willpower for Otto", "Essence for Otto", "Cards for Otto", "Leave it"}
    assert desk.ask_for(id="m", do={"action": "valley"})["verdict"] == "legal"
    assert desk.ask["step"] == "power"
    leave = next(choice for choice in desk.ask["choices"] if choice["text"] == "Leave it")
    desk.ask_for(id="l", answer={"ask": desk.ask["id"], "choice": leave["id"]})
    assert desk.ask == {}
    assert desk.last("event")["message"] == "Shame is left unused"


def test_a_power_gives_what_was_chosen(desk: Desk) -> None:
    begin(desk, with_power())
    essence = next(choice for choice in desk.ask["choices"] if choice["do"].get("gain") == "essence")
    desk.ask_for(id="e", answer={"ask": desk.ask["id"], "choice": essence["id"]})
    assert desk.state["players"]["otto"]["essence"] == 1


def test_a_revelation_asks_what_a_team_shows(desk: Desk) -> None:
    """R-REV-2: what was unknown is shown, and the Revelation goes on."""
    data = position_to(START_POSITION)
    data["origin"]["willpower"]["commitment"] = 1
    begin(desk, data)
    desk.ask_for(id="a", do={"action": "absorb", "sphere": "commitment", "bonus": False})
    assert desk.ask["text"] == "Revelation: which Hidden Aspiration does Bliss show?"
    assert "Unity" not in [choice["text"] for choice in desk.ask["choices"]], "R-REV-19"
    assert len(desk.ask["choices"]) == 8
    desk.ask_for(id="b", answer={"ask": desk.ask["id"], "choice": "1"})
    assert "Gloom" in desk.ask["text"]


# What is nobody else's business


def test_a_hidden_aspiration_that_is_chosen_is_told_to_nobody(desk: Desk) -> None:
    """R-REV-17: only the team knows it."""
    data = position_to(START_POSITION)
    data["turn"]["pending"] = [{"action": "keep-hidden", "team": "gloom", "aspiration": "openness"}]
    begin(desk, data)
    assert desk.ask == {}
    said_before = len(desk.said)
    reply = desk.ask_for(id="k", do={"action": "keep-hidden", "team": "gloom", "aspiration": "openness"})
    assert reply["verdict"] == "legal"
    assert desk.last("event")["do"] == {"action": "keep-hidden", "team": "gloom"}
    said = json.dumps([payload for _, payload in desk.said[said_before:]])
    assert "openness" not in said.lower()
    assert "openness" not in json.dumps(desk.state)
    assert desk.referee.session.position.teams["gloom"].aspiration == "openness"
    desk.ask_for(id="u", undo=1)
    assert "openness" not in json.dumps([payload for _, payload in desk.said]).lower()
    for target in ("player/diana", "step"):
        position = desk.referee.session.position
        assert not [o for o in options(position, CARDS, target) if "Openness" in o.text]


def test_an_adjustment_tells_no_hand_deck_or_hidden_aspiration(desk: Desk) -> None:
    begin(desk, position_to(START_POSITION))
    stated = {
        "players": {"diana": {"hand": ["courage", "optimism"], "deck": ["courage"], "willpower": 6}},
        "teams": {"gloom": {"aspiration": "openness", "points": 3}},
        "turn": {"pending": [{"action": "reveal", "team": "gloom", "aspiration": "openness"}]},
    }
    before = len(desk.said)
    reply = desk.ask_for(id="a", do={"action": "adjust", "reason": "a mistake", "set": stated})
    assert reply["verdict"] == "legal", reply
    assert desk.last("event")["do"]["set"] == {
        "players": {"diana": {"hand_size": 2, "willpower": 6}},
        "teams": {"gloom": {"points": 3}},
        "turn": {"pending": [{"action": "reveal", "team": "gloom", "effect": 1}]},
    }
    # The question names all that it could be.
    said = json.dumps([payload for kind, payload in desk.said[before:] if kind != "ask"]).lower()
    assert not [secret for secret in ("courage", "optimism", "openness") if secret in said]
    assert desk.referee.session.position.players["diana"].hand == ("courage", "optimism")


def test_a_hidden_aspiration_shown_too_early_was_not_shown(desk: Desk) -> None:
    begin(desk, position_to(START_POSITION))
    reply = desk.ask_for(id="r", do={"action": "reveal", "team": "bliss", "aspiration": "openness"})
    assert reply["verdict"] == "illegal"
    assert "openness" not in json.dumps(desk.all("event")).lower()


# Asking the table


def test_a_team_is_asked_for_its_intentions() -> None:
    """R-INTENT-3, R-INTENT-4."""
    found = options(START_POSITION, CARDS, "team/bliss")
    assert [(option.text, option.verdict) for option in found] == [
        ("Score an Intention", "legal"),
        ("Score 2 Intentions", "legal"),
    ]
    assert "1 point" in found[0].message
    assert {option.rules[0] for option in options(START_POSITION, CARDS, "team/gloom")} == {"R-TURN-1"}


def test_at_set_up_a_place_a_row_and_a_player_offer_what_goes_there() -> None:
    start = position_from(two(), CARDS)
    for target in ("spirit/valley-cradle", "slot/valley.2", "player/diana", "step"):
        found = [option for option in options(start, CARDS, target) if option.verdict == "legal"]
        assert found, target
        assert all(option.do["action"] == "place-spirit" for option in found)
    (refused,) = options(start, CARDS, "player/otto")
    assert refused.verdict == "illegal"


def test_where_nothing_is_open_nothing_is_asked() -> None:
    assert step_question(START_POSITION, CARDS) is None
    assert options(START_POSITION, CARDS, "step") == []
