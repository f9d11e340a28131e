"""The turn frame: R-TURN-1, R-TURN-2, R-TURN-7, R-TURN-8, R-EOT-1 to R-EOT-4, R-SHAPER-3."""

from typing import Any

import pytest

from tests.rules.tables import NILS, OTTO, PIA, after, judge, table


def test_r_turn_1_only_the_player_whose_turn_it_is_acts() -> None:
    position = table(players={"otto": OTTO})
    verdict = judge(position, "move", to="network-land", player="otto")
    assert verdict.status == "illegal"
    assert verdict.rules[0] == "R-TURN-1"
    assert verdict.refusals[0].text == "It is Diana's turn, not Otto's."


def test_r_turn_1_ending_somebody_elses_turn_is_refused() -> None:
    position = table(players={"otto": OTTO})
    assert judge(position, "end-turn", gain="cards", player="otto").rules == ("R-TURN-1",)


def test_r_turn_1_a_stranger_is_refused() -> None:
    assert judge(table(), "move", to="willow-valley", player="zoe").rules == ("R-TURN-1",)


def test_r_turn_1_naming_the_player_to_act_changes_nothing() -> None:
    assert judge(table(), "move", to="willow-valley", player="diana").status == "legal"


def test_r_turn_2_without_an_action_left_only_the_turn_can_end() -> None:
    position = table(turn={"actions_left": 0})
    assert judge(position, "move", to="willow-valley").rules == ("R-TURN-2",)
    assert judge(position, "end-turn", gain="cards").status == "legal"


def test_r_turn_2_each_action_takes_one_of_those_left() -> None:
    position = table()
    for left in (2, 1, 0):
        goal = "willow-valley" if position.players["diana"].at == "valley" else "valley"
        position = after(position, "move", to=goal)
        assert position.turn.actions_left == left


def test_r_turn_7_an_open_revelation_comes_first() -> None:
    position = table(turn={"pending": [{"action": "reveal", "team": "gloom"}]})
    verdict = judge(position, "move", to="willow-valley")
    assert verdict.rules == ("R-TURN-7",)
    assert "Gloom" in verdict.refusals[0].text
    assert judge(position, "end-turn", gain="cards").rules == ("R-TURN-7",)


def test_r_rev_17_an_optional_choice_holds_nobody_up() -> None:
    position = table(turn={"pending": [{"action": "keep-hidden", "team": "bliss"}]})
    assert judge(position, "move", to="willow-valley").status == "legal"


def test_r_end_5_nothing_is_done_after_the_end() -> None:
    position = table(result={"ended": True, "winner": "bliss"})
    assert judge(position, "move", to="willow-valley").rules[0] == "R-END-5"


def test_r_turn_8_every_rule_that_forbids_is_named_the_most_fundamental_first() -> None:
    position = table({"willpower": 0, "vibes": {}}, turn={"actions_left": 0}, mode="basic")
    rules = judge(position, "empower", slot="land.1", upgrades=["channeled-power"]).rules
    assert rules == ("R-EMP-1", "R-TURN-2", "R-VIBE-2", "R-UPG-1", "R-EMP-2", "R-TURN-8")


def test_r_eot_1_ambition_goes_to_the_team() -> None:
    position = table(players={"otto": OTTO}, teams={"bliss": {"ambition": 2}})
    ended = after(position, "end-turn", gain="ambition")
    assert (ended.teams["bliss"].ambition, ended.teams["gloom"].ambition) == (3, 0)
    assert ended.players["diana"].hand == ()


def test_r_eot_2_with_all_ambition_available_only_drawing_is_left() -> None:
    position = table(teams={"bliss": {"ambition": 3}})
    assert judge(position, "end-turn", gain="ambition").rules == ("R-EOT-2", "R-AMB-1")
    assert judge(position, "end-turn", gain="cards").status == "legal"


def test_r_deck_1_the_open_card_is_drawn_first_and_the_next_one_is_unknown() -> None:
    ended = after(table({"top": "courage", "hand": ["desire"]}), "end-turn", gain="cards")
    assert ended.players["diana"].hand == ("*", "courage", "desire")
    assert ended.players["diana"].top is None


def test_r_deck_1_without_a_known_top_both_cards_are_unknown() -> None:
    ended = after(table({"hand": ["desire"]}), "end-turn", gain="cards")
    assert ended.players["diana"].hand == ("*", "*", "desire")


@pytest.mark.parametrize(("held", "then"), [(14, 16), (15, 16), (16, 16)])
def test_r_deck_6_nobody_holds_more_than_the_deck_has(held: int, then: int) -> None:
    ended = after(table({"hand": ["*"] * held}), "end-turn", gain="cards")
    assert len(ended.players["diana"].hand) == then


@pytest.mark.parametrize(("before", "then"), [(0, 1), (1, 1), (5, 5)])
def test_r_eot_3_whoever_has_no_willpower_gains_one(before: int, then: int) -> None:
    ended = after(table({"willpower": before}), "end-turn", gain="cards")
    assert ended.players["diana"].willpower == then


def test_r_eot_4_the_next_turn_starts_fresh() -> None:
    position = table(
        players={"otto": OTTO},
        fortresses={"cradle": {"team": "bliss", "fragment": "minor", "this_turn": True}},
        turn={"number": 7, "actions_left": 1, "absorbed": True, "ambition_used": ["vibe"]},
    )
    ended = after(position, "end-turn", gain="cards")
    assert (ended.turn.player, ended.turn.number, ended.turn.actions_left) == ("otto", 8, 3)
    assert (ended.turn.absorbed, ended.turn.ambition_used) == (False, ())
    assert not ended.fortresses["cradle"].this_turn


def _order(players: dict[str, Any], turns: int) -> list[str]:
    position = table(players=players, turn={"number": 1})
    seen = []
    for _ in range(turns):
        seen.append(position.turn.player)
        position = after(position, "end-turn", gain="cards")
    return seen


def test_r_turn_1_four_players_take_turns_in_their_order() -> None:
    players = {"otto": OTTO, "pia": PIA, "nils": NILS}
    assert _order(players, 6) == ["diana", "otto", "pia", "nils", "diana", "otto"]


def test_r_shaper_3_the_lone_player_of_three_plays_after_each_other_one() -> None:
    assert _order({"otto": OTTO, "pia": PIA}, 6) == ["diana", "otto", "pia", "otto", "diana", "otto"]


def test_r_shaper_3_the_lone_player_may_be_listed_anywhere() -> None:
    players = {"otto": OTTO, "nils": NILS}
    position = table(players=players, turn={"player": "otto", "number": 1})
    seen = []
    for _ in range(5):
        seen.append(position.turn.player)
        position = after(position, "end-turn", gain="cards")
    assert seen == ["otto", "diana", "nils", "diana", "otto"]


def test_a_file_that_lists_some_players_only_passes_the_turn_among_them() -> None:
    position = table(players={"otto": OTTO}, turn={"player": "otto", "number": 9})
    assert after(position, "end-turn", gain="cards").turn.player == "diana"
