"""What scenario files can't say of Absorb, Revelations and the end: order, rulings, corners."""

from typing import Any

import pytest

from companion.rules.actions import Absorb, KeepHidden, ReturnCommon, Reveal
from companion.rules.engine import legal_actions
from companion.rules.position import Position
from companion.scenario.notation import position_to
from tests.rules.tables import CARDS, OTTO, after, judge, table


def empty(diana: dict[str, Any] | None = None, **parts: Any) -> Position:
    """Commitment with 2 Willpower beside Diana; Unity and Attitude for Bliss by one card."""
    parts.setdefault("slots", {"valley.1": {"emotion": "kindness"}})
    parts.setdefault("aspirations", {"common": ["attitude", "openness", "versatility"]})
    parts.setdefault("origin", {"willpower": {"commitment": 2}})
    hidden = {"bliss": {"aspiration": "unity"}, "gloom": {"aspiration": "fortitude"}}
    parts.setdefault("teams", hidden)
    return table(diana, players={"otto": OTTO}, **parts)


def absorbed(position: Position) -> Position:
    return after(position, "absorb", sphere="commitment", bonus=False)


def pending(position: Position) -> list[tuple[str, str]]:
    return [(item.action, item.team) for item in position.turn.pending]


def test_r_rev_5_both_aspirations_bring_a_major_fragment_instead_of_a_minor_one() -> None:
    then = absorbed(empty())
    assert then.identity == ("bliss major",)
    assert (then.teams["bliss"].minor, then.teams["bliss"].major) == (6, 2)
    assert pending(then) == [("return-common", "gloom"), ("keep-hidden", "gloom")]


def test_r_rev_16_both_hidden_aspirations_are_unknown_afterwards() -> None:
    then = absorbed(empty())
    assert [team.aspiration for team in then.teams.values()] == [None, None]


def test_r_rev_5_nothing_accomplished_adds_nothing_and_both_may_choose() -> None:
    then = absorbed(empty(slots={}))
    assert then.identity == ()
    assert then.common == ("openness", "versatility")
    assert pending(then) == [("keep-hidden", "bliss"), ("keep-hidden", "gloom")]


def test_r_rev_4_the_other_teams_hidden_aspiration_is_not_ones_own() -> None:
    teams = {"bliss": {"aspiration": "fortitude"}, "gloom": {"aspiration": "unity"}}
    assert absorbed(empty(teams=teams)).identity == ("bliss minor",)


def test_r_rev_7_a_fortress_of_this_turn_stays_and_goes_in_a_later_one() -> None:
    fortress = {"team": "gloom", "fragment": "major", "this_turn": True}
    position = empty(fortresses={"valley": fortress}, slots={})
    assert absorbed(position).fortresses["valley"].fragment == "major"
    later = empty(fortresses={"valley": fortress | {"this_turn": False}}, slots={})
    assert absorbed(later).identity == ("gloom major", "gloom major")


def test_r_rev_22_the_fortress_counts_for_the_aspirations_before_it_leaves() -> None:
    teams = {"bliss": {"aspiration": "fortitude"}, "gloom": {"aspiration": "unity"}}
    fortress = {"valley": {"team": "bliss", "fragment": "minor"}}
    then = absorbed(empty(teams=teams, fortresses=fortress, slots={}))
    assert then.identity == ("bliss major", "bliss minor")
    assert then.fortresses == {}


@pytest.mark.parametrize(
    ("ruling", "facing"), [("every-absorb", "knowledge"), ("after-revelation", "commitment")]
)
def test_r_origin_6_the_origin_turns_by_ruling(ruling: str, facing: str) -> None:
    calm = empty(origin={}, rulings={"origin-turns": ruling})
    assert absorbed(calm).origin.facing == facing
    assert absorbed(empty(rulings={"origin-turns": ruling})).origin.facing == "knowledge"


def test_r_rev_20_the_sphere_is_refilled_and_the_others_stay() -> None:
    position = empty(origin={"willpower": {"commitment": 1, "humility": 3}})
    then = absorbed(position)
    assert then.origin.willpower == dict.fromkeys(position.origin.willpower, 7) | {"humility": 3}
    assert then.players["diana"].willpower == 10


def test_r_abs_11_the_payment_may_come_out_of_what_was_absorbed() -> None:
    position = empty({"willpower": 0}, origin={})
    then = after(position, "absorb", sphere="commitment")
    assert then.players["diana"].willpower == 2
    assert then.teams["bliss"].ambition == 1


def test_r_turn_8_an_empty_sphere_pays_for_no_bonus() -> None:
    position = empty({"willpower": 0}, origin={"willpower": {"commitment": 0}})
    assert judge(position, "absorb", sphere="commitment").rules == ("R-TURN-8",)


def test_r_rev_12_without_another_open_common_aspiration_nothing_is_taken_out() -> None:
    then = absorbed(empty(aspirations={"common": ["attitude"]}))
    assert then.common == ()
    assert pending(then) == []


def test_r_end_1_taking_out_the_last_common_aspiration_ends_the_choices() -> None:
    then = absorbed(empty(aspirations={"common": ["attitude", "openness"]}))
    assert pending(then) == [("return-common", "gloom"), ("keep-hidden", "gloom")]
    last = after(then, "return-common", team="gloom", aspiration="openness")
    assert last.common == ()
    assert pending(last) == []
    ended = after(last, "end-turn", gain="cards")
    assert ended.result is not None
    assert dict(ended.result.score) == {"bliss": 5, "gloom": 0}


def test_r_rev_10_without_a_major_fragment_the_capping_one_closes_the_identity() -> None:
    teams = {"bliss": {"aspiration": "unity", "major": 0}, "gloom": {"aspiration": "fortitude"}}
    then = absorbed(
        empty(
            teams=teams,
            fortresses={"valley": {"team": "gloom", "fragment": "minor"}},
            slots={
                "valley.1": {"emotion": "kindness"},
                "valley.2": {"emotion": "trust"},
                "land.1": {"emotion": "trust"},
            },
        )
    )
    assert then.identity == ("gloom minor", "gloom minor", "bliss capping")
    assert pending(then) == []


def test_what_people_must_show_is_all_that_is_listed() -> None:
    teams: dict[str, Any] = {"bliss": {}, "gloom": {"aspiration": "fortitude"}}
    then = absorbed(empty(teams=teams))
    listed = [action for action, _ in legal_actions(then, CARDS)]
    assert all(isinstance(action, Reveal) and action.team == "bliss" for action in listed)
    assert len(listed) == 8, "every title but the current Common one"
    shown = after(then, "reveal", team="bliss", aspiration="unity")
    returns = [action for action, _ in legal_actions(shown, CARDS)]
    assert returns == [ReturnCommon("gloom", "openness"), ReturnCommon("gloom", "versatility")]


def test_a_goal_that_may_be_chosen_is_listed_beside_everything_else() -> None:
    kinds = {type(action) for action, _ in legal_actions(absorbed(empty(slots={})), CARDS)}
    assert KeepHidden in kinds
    assert Absorb not in kinds
    assert len(kinds) > 5


def test_an_open_revelation_is_part_of_the_position_for_everybody() -> None:
    teams: dict[str, Any] = {"bliss": {}, "gloom": {"aspiration": "fortitude"}}
    public = position_to(absorbed(empty(teams=teams)), public=True)
    assert public["turn"]["pending"] == [{"action": "reveal", "team": "bliss"}]
    assert "aspiration" not in public["teams"]["gloom"]


def test_which_card_is_shown_may_be_settled_already() -> None:
    waits = [{"action": "reveal", "team": "bliss", "aspiration": "unity"}]
    position = empty(teams={"gloom": {"aspiration": "fortitude"}}, turn={"pending": waits})
    verdict = judge(position, "reveal", team="bliss", aspiration="liveliness")
    assert verdict.rules == ("R-REV-2",)
    assert judge(position, "reveal", team="bliss", aspiration="unity").status == "legal"


def test_a_revelation_that_a_file_only_claims_harms_nothing() -> None:
    waits = [{"action": "reveal", "team": "bliss"}]
    position = empty(origin={}, turn={"pending": waits})
    then = after(position, "reveal", team="bliss", aspiration="unity")
    assert set(then.origin.willpower.values()) == {7}
