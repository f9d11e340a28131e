"""Positions, actions and verdicts as plain data and back."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.engine import check
from companion.rules.position import Position
from companion.scenario.notation import (
    NotationError,
    action_from,
    action_to,
    position_from,
    position_to,
    verdict_to,
)
from tests.strategies import CARDS, actions, positions

DIANA = {"diana": {"team": "bliss"}}


@settings(deadline=None, max_examples=60)
@given(positions())
def test_a_position_comes_back_through_json(position: Position) -> None:
    assert position_from(json.loads(json.dumps(position_to(position))), CARDS) == position


@settings(deadline=None, max_examples=60)
@given(positions(), st.data())
def test_an_action_comes_back_through_json(position: Position, data: st.DataObject) -> None:
    action = data.draw(actions(position))
    assert action_from(json.loads(json.dumps(action_to(action))), CARDS) == action


@settings(deadline=None, max_examples=60)
@given(positions())
def test_the_public_position_shows_neither_hands_nor_hidden_aspirations(position: Position) -> None:
    public = position_to(position, public=True)
    for name, player in public["players"].items():
        assert "hand" not in player
        assert player["hand_size"] == len(position.players[name].hand)
    assert all("aspiration" not in team for team in public["teams"].values())


def test_defaults_of_what_is_left_out() -> None:
    position = position_from({"players": DIANA}, CARDS)
    diana = position.players["diana"]
    assert (diana.willpower, diana.essence, diana.hand, diana.top, diana.side) == (0, 0, (), None, "a")
    assert (position.mode, position.turn.player, position.turn.actions_left) == ("full", "diana", 3)
    assert (position.teams["bliss"].ambition, position.teams["bliss"].minor) == (0, 6)
    assert (position.origin.facing, position.origin.willpower["diligence"]) == ("commitment", 7)
    assert (position.common, position.identity) == (None, ())


def test_fragments_left_are_all_less_those_in_use() -> None:
    position = position_from(
        {
            "players": DIANA,
            "fortresses": {"valley": {"team": "bliss", "fragment": "minor"}},
            "identity": {"fragments": ["bliss minor", "bliss major", "gloom minor"]},
        },
        CARDS,
    )
    assert (position.teams["bliss"].minor, position.teams["bliss"].major) == (4, 2)
    assert (position.teams["gloom"].minor, position.teams["gloom"].major) == (5, 3)


def test_fragments_follow_the_ruling() -> None:
    position = position_from({"players": DIANA, "rulings": {"fragments": [5, 2]}}, CARDS)
    assert (position.teams["gloom"].minor, position.teams["gloom"].major) == (5, 2)


@pytest.mark.parametrize(
    ("names", "player", "number"),
    [
        (["bliss"], "p0", 2),
        (["bliss", "gloom"], "p1", 4),
        (["bliss", "gloom", "bliss"], "p0", 5),
        (["bliss", "gloom", "bliss"], "p1", 6),
        (["bliss", "gloom", "bliss"], "p2", 7),
        (["bliss", "gloom", "bliss", "gloom"], "p2", 7),
    ],
)
def test_the_number_of_the_turn_is_the_players_in_the_second_round(
    names: list[str], player: str, number: int
) -> None:
    players = {f"p{i}": {"team": team} for i, team in enumerate(names)}
    assert position_from({"players": players, "turn": {"player": player}}, CARDS).turn.number == number


@pytest.mark.parametrize(
    ("change", "key", "problem"),
    [
        ({"mod": "full"}, "mod", "unknown key"),
        ({"mode": "ful"}, "mode", '"ful" is not one of full, basic'),
        ({"players": {}}, "players", "at least the player to act"),
        ({"players": {"d": {}}}, "players.d.team", "is missing"),
        ({"players": {"d": {"team": "bliss", "spirit": "malice"}}}, "players.d.spirit", "of gloom"),
        ({"players": {"d": {"team": "bliss", "hand": ["courge"]}}}, "players.d.hand[1]", "title"),
        ({"players": {"d": {"team": "bliss", "at": "valley.1"}}}, "players.d.at", "one of valley"),
        (
            {"players": {"d": {"team": "bliss", "willpower": -1}}},
            "players.d.willpower",
            "whole number from 0",
        ),
        ({"players": {"d": {"team": "bliss", "willpower": True}}}, "players.d.willpower", "true is not"),
        ({"players": {"d": {"team": "bliss", "willpower": 2.0}}}, "players.d.willpower", "whole number"),
        ({"players": {"d": {"team": "bliss", "vibes": {"mov": []}}}}, "players.d.vibes.mov", "no such row"),
        ({"players": {"d": {"team": "bliss", "vibes": {"move": [""]}}}}, "players.d.vibes.move", "4 items"),
        ({"players": {n: {"team": "bliss"} for n in "abc"}}, "players", "one or two"),
        ({"slots": {"valley.3": {"emotion": "trust"}}}, 'slots."valley.3"', "no such slot"),
        ({"slots": {"valley.1": {}}}, 'slots."valley.1".emotion', "is missing"),
        (
            {"slots": {"valley.1": {"emotion": "trust", "essence": 4}}},
            'slots."valley.1".essence',
            "3 Essence",
        ),
        (
            {"slots": {"valley.1": {"emotion": "trust", "essence": 0}}},
            'slots."valley.1".essence',
            "whole number from 1",
        ),
        ({"teams": {"bliss": {"ambition": 4}}}, "teams.bliss.ambition", "from 0 to 3"),
        ({"teams": {"balance": {}}}, "teams.balance", "no such team"),
        ({"fortresses": {"valley": {"team": "bliss"}}}, "fortresses.valley.fragment", "is missing"),
        ({"origin": {"willpower": {"dilligence": 1}}}, "origin.willpower.dilligence", "no such Sphere"),
        ({"aspirations": {"common": ["unitiy"]}}, "aspirations.common[1]", "Aspiration"),
        ({"identity": {"fragments": ["minor bliss"]}}, "identity.fragments[1]", "bliss minor"),
        ({"turn": {"player": "otto"}}, "turn.player", "not among the players"),
        ({"turn": {"number": 0}}, "turn.number", "whole number from 1"),
        ({"rulings": {"cradle-draw": "two"}}, "rulings.cradle-draw", "whole number"),
        ({"rulings": {"assumed-threshold": 0}}, "rulings.assumed-threshold", '"ask" or'),
        ({"turn": 3}, "turn", "not a table"),
    ],
)
def test_what_can_not_be_is_named_by_its_key(change: dict[str, Any], key: str, problem: str) -> None:
    with pytest.raises(NotationError) as raised:
        position_from({"players": DIANA} | change, CARDS)
    assert raised.value.key == key
    assert problem in raised.value.problem


@pytest.mark.parametrize(
    ("do", "key", "problem"),
    [
        ({}, "action", "missing"),
        ({"action": "fly"}, "action", 'does not know the action "fly"'),
        ({"action": "absorb"}, "sphere", "is missing"),
        ({"action": "absorb", "sphere": "humility", "row": "move"}, "row", 'only with sphere = "knowledge"'),
        ({"action": "absorb", "sphere": "knowledge", "bonus": False, "space": 1}, "space", "no Vibe token"),
        ({"action": "absorb", "sphere": "knowledge", "row": "move", "vibe": "red"}, "space", "is missing"),
        ({"action": "ambition", "ability": "vibe", "row": "move"}, "space", "is missing"),
        ({"action": "ambition", "ability": "extra-action", "row": "move"}, "row", "no Vibe token"),
        ({"action": "ambition", "ability": "fly"}, "ability", "one of extra-action, vibe, third"),
        ({"action": "willow"}, "amount", "is missing"),
        ({"action": "willow", "amount": -1}, "amount", "a whole number"),
        ({"action": "land", "slot": "valley.1"}, "essence", "is missing"),
        ({"action": "network", "slot": "valley.1", "to": "valley"}, "to", "one of valley.1"),
        ({"action": "reveal", "team": "bliss", "aspiration": "joy"}, "aspiration", "name of an Aspiration"),
        ({"action": "return-common", "aspiration": "unity"}, "team", "is missing"),
        ({"action": "move"}, "to", "is missing"),
        ({"action": "move", "to": "valley.1"}, "to", "one of valley"),
        ({"action": "move", "to": "valley", "slot": "valley.1"}, "slot", "unknown key"),
        ({"action": "move", "to": "valley", "upgrades": ["hast"]}, "upgrades[1]", "an upgrade"),
        ({"action": "move", "to": "valley", "upgrades": "haste"}, "upgrades", "not a list"),
        ({"action": "move", "to": "valley", "place": {"space": 1}}, "place.discard", "is missing"),
        (
            {"action": "move", "to": "valley", "place": {"discard": "trust", "space": "5"}},
            "place.space",
            "a whole number",
        ),
        ({"action": "invoke", "emotion": "trst", "slot": "valley.1"}, "emotion", "title"),
        ({"action": "end-turn"}, "gain", "is missing"),
        ({"action": "end-turn", "gain": "card"}, "gain", "one of ambition, cards"),
    ],
)
def test_an_action_that_can_not_be_is_named_by_its_key(do: dict[str, Any], key: str, problem: str) -> None:
    with pytest.raises(NotationError) as raised:
        action_from(do, CARDS)
    assert raised.value.key == key
    assert problem in raised.value.problem


def test_a_verdict_leaves_out_what_is_not_spent() -> None:
    position = position_from(
        {
            "players": {
                "diana": {
                    "team": "bliss",
                    "at": "valley",
                    "willpower": 1,
                    "vibes": {"move": ["red", "", "", ""]},
                }
            }
        },
        CARDS,
    )
    legal = verdict_to(check(position, action_from({"action": "move", "to": "valley-cradle"}), CARDS))
    assert legal == {
        "verdict": "legal",
        "rules": [],
        "message": "",
        "cost": {"willpower": 1},
        "missing": [],
    }
    refused = verdict_to(check(position, action_from({"action": "move", "to": "land"}), CARDS))
    assert (refused["verdict"], refused["rules"], refused["cost"]) == ("illegal", ["R-MOVE-1"], {})
    assert "steps away" in refused["message"]
