"""What is in the box, and what is not: the expansion's third side.

Rules: R-COMP-2, R-COMP-3, R-COMP-6, R-COMP-14, R-COMP-15, R-BAL-1, R-BAL-2, R-BAL-4, R-BAL-6.
"""

from itertools import product
from typing import Any

import pytest

from companion.content import aspirations, catalogue, components
from companion.rules.board import FRONTIERS, REALMS, TEAMS, triad
from companion.rules.control import frontier_control, realm_control
from companion.rules.engine import check
from companion.rules.position import Position
from companion.scenario.errors import NotationError
from companion.scenario.notation import action_from, position_from

CARDS = catalogue()
ONE = {"diana": {"team": "bliss"}}


def _position(**parts: Any) -> Position:
    return position_from({"players": ONE, **parts}, CARDS)


def _refusal(**parts: Any) -> str:
    with pytest.raises(NotationError) as refused:
        _position(**parts)
    return f"{refused.value.key}: {refused.value.problem}"


def test_r_comp_2_four_spirits_a_team_each_with_a_figure_and_a_two_sided_board() -> None:
    assert {t: {s.name for s in CARDS.spirits.values() if s.team == t} for t in TEAMS} == {
        "bliss": {"delight", "empathy", "harmony", "love"},
        "gloom": {"anxiety", "hatred", "malice", "misery"},
    }
    for spirit in CARDS.spirits.values():
        assert f"spirit/{spirit.name}" in components()
        for side in ("a", "b"):
            player = {"team": spirit.team, "spirit": spirit.name, "side": side}
            assert _position(players={"diana": player}).actor.side == side
    assert "side" in _refusal(players={"diana": {"team": "bliss", "side": "c"}})
    assert "Spirit of gloom" in _refusal(players={"diana": {"team": "bliss", "spirit": "malice"}})


def test_r_comp_3_the_team_board_has_three_abilities_and_a_hidden_aspiration_of_the_team() -> None:
    assert len(CARDS.abilities) == 3
    position = _position(teams={"bliss": {"aspiration": "unity"}, "gloom": {"aspiration": "attitude"}})
    assert [position.teams[team].aspiration for team in TEAMS] == ["unity", "attitude"]
    assert "no such" in _refusal(teams={"delight": {}})


def test_r_comp_6_three_ambition_tokens_a_team_each_available_or_used() -> None:
    for available, team in product(range(4), TEAMS):
        assert _position(teams={team: {"ambition": available}}).teams[team].ambition == available
    assert "0 to 3" in _refusal(teams={"bliss": {"ambition": 4}})
    full = _position(teams={"bliss": {"ambition": 3}})
    assert check(full, action_from({"action": "end-turn", "gain": "ambition"}), CARDS).status == "illegal"


@pytest.mark.parametrize("team", TEAMS)
def test_r_comp_14_any_team_can_hold_all_five_realms_and_all_five_frontiers_at_once(team: str) -> None:
    title = {"bliss": "brightness", "gloom": "bleakness"}[team]
    slots = {slot: {"emotion": title} for frontier in FRONTIERS for slot in triad(frontier)}
    held, free = _position(slots=slots), _position()
    assert [realm_control(held, realm, CARDS).team for realm in REALMS] == [team] * 5
    assert [frontier_control(held, frontier, CARDS).team for frontier in FRONTIERS] == [team] * 5
    assert [realm_control(free, realm, CARDS).team for realm in REALMS] == [None] * 5
    assert [frontier_control(free, frontier, CARDS).team for frontier in FRONTIERS] == [None] * 5


def test_r_comp_15_a_tracker_for_each_player_and_a_point_counter_for_each_team() -> None:
    players = {name: {"team": team} for name, team in zip("abcd", TEAMS * 2, strict=True)}
    teams = {"bliss": {"points": 3}, "gloom": {"points": 5}}
    position = _position(players=players, teams=teams, turn={"player": "a", "number": 5, "absorbed": True})
    seen = []
    for _ in range(5):
        turn = position.turn
        seen.append((turn.player, turn.number, turn.actions_left, turn.absorbed))
        after = check(position, action_from({"action": "end-turn", "gain": "cards"}), CARDS).after
        assert after is not None
        position = after
    order = ("a", "b", "c", "d", "a")
    assert seen == [(name, 5 + i, 3, i == 0) for i, name in enumerate(order)]
    assert [position.teams[team].points for team in TEAMS] == [3, 5]


# Forces of Balance is another box: whoever names its pieces hears that they are not known.


def test_r_bal_1_a_third_side_its_spirits_and_a_third_player_of_a_team_are_refused() -> None:
    assert _refusal(players={"diana": {"team": "balance"}}).endswith('"balance" is not one of bliss, gloom')
    for spirit in ("reason", "intuition"):
        assert spirit not in CARDS.spirits
        assert "is not the name of a Spirit" in _refusal(
            players={"diana": {"team": "bliss", "spirit": spirit}}
        )
    for count in (5, 6):
        seats = {f"p{i}": {"team": TEAMS[i % 2]} for i in range(count)}
        assert "a team has one or two" in _refusal(players=seats)


def test_r_bal_2_no_piece_of_the_expansion_is_in_the_box() -> None:
    assert {card.team for card in CARDS.cards.values()} == set(TEAMS)
    assert not any("balance" in component for component in components())
    assert "bliss, gloom" in _refusal(fortresses={"valley": {"team": "balance", "fragment": "minor"}})
    assert "is not one of" in _refusal(identity={"fragments": ["balance capping"]})
    assert "no such team" in _refusal(teams={"balance": {"ambition": 1}})


@pytest.mark.parametrize("step", ["reveal", "return-common", "keep-hidden"])
def test_r_bal_4_no_third_side_takes_part_in_a_revelation(step: str) -> None:
    with pytest.raises(NotationError, match='"balance" is not one of bliss, gloom'):
        action_from({"action": step, "team": "balance", "aspiration": aspirations()[0]}, CARDS)


def test_r_bal_6_no_third_side_wins() -> None:
    assert "bliss, gloom, draw" in _refusal(result={"ended": True, "winner": "balance"})
    assert "no such team" in _refusal(result={"ended": True, "score": {"balance": 30}})
    last = _position(aspirations={"common": []})
    after = check(last, action_from({"action": "end-turn", "gain": "cards"}), CARDS).after
    assert after is not None
    assert after.result is not None
    assert set(after.result.score) == set(TEAMS)
