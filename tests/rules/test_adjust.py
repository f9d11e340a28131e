"""Adjustments: what is stated is there afterwards, and nothing else has changed."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from companion.rules.accounts import describe
from companion.rules.actions import Adjust, EndTurn
from companion.rules.engine import check, legal_actions
from companion.rules.parts import Part, PlayerPart, TeamPart
from companion.rules.position import EMPTY_ROW, HIDDEN, ROWS, Position
from companion.scenario.errors import NotationError
from companion.scenario.notation import action_from, action_to, position_to
from tests.rules.tables import CARDS, table
from tests.strategies import positions

SLOW = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


def _whole(target: Position, start: Position) -> dict[str, Any]:
    """Everything about a position as a `set` table, with what it does not have said to be gone."""
    data = position_to(target)
    data.pop("rulings", None)
    for table_ in ("slots", "fortresses"):
        there = getattr(start, table_)
        data[table_] = {**{name: {} for name in there}, **data[table_]}
    for name, player in data["players"].items():
        player["vibes"] = {row: list(target.players[name].row(row)) for row in ROWS}
        player.setdefault("top", HIDDEN)
        player.setdefault("at", target.players[name].at)
    for team in data["teams"].values():
        team.setdefault("aspiration", HIDDEN)
    data["turn"].setdefault("pending", [])
    return data


@SLOW
@given(positions(), positions())
def test_a_whole_position_can_be_laid_over_another_one(start: Position, other: Position) -> None:
    """Every part can be stated, and comes out as it is stated; it is written and read again unchanged."""
    players = {
        name: player if name not in other.players else _at(other, name, player.at)
        for name, player in start.players.items()
    }
    turn = other.turn if other.turn.player in players else start.turn
    common = start.common if other.common is None else other.common
    target = replace(other, players=players, turn=turn, common=common, rulings=start.rulings, result=None)
    data = _whole(target, start)
    for part in data["players"].values():
        if part["at"] is None:
            del part["at"]
    do = {"action": "adjust", "set": data}
    action = action_from(do, CARDS)
    assert action_from(action_to(action), CARDS) == action
    verdict = check(start, action, CARDS)
    assert verdict.refusals == ()
    assert verdict.after == target
    assert describe(start, action, target, CARDS)


def _at(other: Position, name: str, at: str | None) -> Any:
    player = other.players[name]
    return player if player.at is not None else replace(player, at=at)


@SLOW
@given(positions())
def test_an_adjustment_that_states_nothing_changes_nothing(position: Position) -> None:
    assert check(position, Adjust(Part()), CARDS).after == position
    assert not any(isinstance(action, Adjust) for action, _ in legal_actions(position, CARDS))


def test_a_row_that_is_stated_empty_is_as_if_it_had_never_been() -> None:
    part = Part(players={"diana": PlayerPart(vibes={"move": EMPTY_ROW})})
    after = check(table(), Adjust(part), CARDS).after
    assert after is not None
    assert "move" not in after.players["diana"].vibes


def test_undo_is_to_go_back_to_the_position_before() -> None:
    before = table()
    was = position_to(before)
    part = Part(teams={"bliss": TeamPart(ambition=0)}, willpower={"humility": 1}, facing="humility")
    assert check(before, Adjust(part), CARDS).after != before
    assert position_to(before) == was


@pytest.mark.parametrize(
    ("rule", "data"),
    [
        ("R-AMB-1", Part(teams={"bliss": TeamPart(ambition=4)})),
        ("R-COMP-8", Part(players={"diana": PlayerPart(hand=("joy",))})),
        ("R-COMP-8", Part(players={"diana": PlayerPart(top="joy")})),
        ("R-COMP-7", Part(common=("joy",))),
        ("R-COMP-7", Part(teams={"bliss": TeamPart(aspiration="joy")})),
    ],
)
def test_what_no_file_could_state_is_refused_by_the_rules_too(rule: str, data: Part) -> None:
    """R-AMB-1, R-COMP-7, R-COMP-8: an adjustment may be made of anything, not of a file alone."""
    verdict = check(table(), Adjust(data), CARDS)
    assert rule in verdict.rules
    assert "{" not in verdict.refusals[0].text


@pytest.mark.parametrize(
    ("data", "key"),
    [
        ({"players": {"diana": {"willpower": -1}}}, "set.players.diana.willpower"),
        ({"players": {"diana": {"at": "moon"}}}, "set.players.diana.at"),
        ({"slots": {"moon": {}}}, "set.slots.moon"),
        ({"slots": {"valley.1": {"emotion": "joy"}}}, 'set.slots."valley.1".emotion'),
        ({"teams": {"bliss": {"ambition": 4}}}, "set.teams.bliss.ambition"),
        ({"turns": {}}, "set.turns"),
    ],
)
def test_a_key_or_value_that_can_not_be_is_named(data: dict[str, Any], key: str) -> None:
    with pytest.raises(NotationError) as raised:
        action_from({"action": "adjust", "set": data}, CARDS)
    assert raised.value.key == key


def test_what_is_hidden_is_not_told_to_everybody() -> None:
    """The log is read by both teams: cards in hands and Hidden Aspirations are not in it (R-TEAM-1)."""
    part = Part(
        players={"diana": PlayerPart(hand=("courage",))}, teams={"bliss": TeamPart(aspiration="unity")}
    )
    before = table()
    after = check(before, Adjust(part, "a secret"), CARDS).after
    assert after is not None
    words = describe(before, Adjust(part, "a secret"), after, CARDS)
    assert words == (
        "Diana puts the table right (a secret): Diana: 1 card in the hand; Bliss: the Hidden Aspiration"
    )


def test_after_an_adjustment_the_game_goes_on_by_the_rules() -> None:
    """R-END-4: twenty points that were forgotten end the game with the turn."""
    after = check(table(), Adjust(Part(teams={"bliss": TeamPart(points=20)})), CARDS).after
    assert after is not None
    ended = check(after, EndTurn("cards"), CARDS).after
    assert ended is not None
    assert ended.result is not None
    assert ended.result.winner == "bliss"
