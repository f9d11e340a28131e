"""Empower: R-EMP-1 to R-EMP-12."""

from typing import Any

import pytest

from companion.rules.position import Emotion, Position
from tests.rules.tables import OTTO, after, judge, table


def _kindness(essence: int = 2, **parts: Any) -> Position:
    slots = {"valley.1": {"emotion": "kindness", "essence": essence}}
    return table(slots=slots | parts.pop("slots", {}), **parts)


def test_r_emp_9_the_example_of_the_page() -> None:
    position = _kindness()
    verdict = judge(position, "empower", slot="valley.1")
    assert (verdict.status, verdict.cost.willpower, verdict.cost.ambition) == ("legal", 3, 0)
    then = after(position, "empower", slot="valley.1")
    assert then.slots["valley.1"] == Emotion("benevolence", 2)
    assert then.players["diana"].willpower == 6


def test_r_emp_9_one_essence_is_too_few_without_channeled_power() -> None:
    position = _kindness(1)
    refused = judge(position, "empower", slot="valley.1")
    assert refused.rules == ("R-EMP-2",)
    assert refused.refusals[0].text == "Kindness has 1 Essence; its Empower threshold is 2."
    then = after(position, "empower", slot="valley.1", upgrades=["channeled-power"])
    assert then.slots["valley.1"] == Emotion("benevolence", 2)


def test_r_emp_1_not_in_the_basic_game() -> None:
    assert judge(_kindness(mode="basic"), "empower", slot="valley.1").rules == ("R-EMP-1",)


@pytest.mark.parametrize("slot", ["valley-cradle", "willow-valley", "land.1"])
def test_r_emp_2_only_slots_next_to_the_figure(slot: str) -> None:
    position = _kindness(slots={slot: {"emotion": "kindness", "essence": 2}})
    assert judge(position, "empower", slot=slot).rules == ("R-EMP-2",)
    assert judge(position, "empower", slot=slot, upgrades=["emotional-outburst"]).status == "legal"


def test_r_emp_2_never_the_other_teams() -> None:
    position = _kindness(slots={"valley.2": {"emotion": "dislike", "essence": 3}})
    verdict = judge(position, "empower", slot="valley.2", pack={"dislike": {"empower_threshold": 1}})
    assert verdict.rules == ("R-EMP-2",)


def test_r_emp_2_never_a_strong_one() -> None:
    position = _kindness(slots={"valley.2": {"emotion": "hope", "essence": 3}})
    assert judge(position, "empower", slot="valley.2").rules == ("R-EMP-2",)


def test_r_emp_11_a_starting_emotion_has_no_counterpart() -> None:
    position = _kindness(slots={"valley.2": {"emotion": "brightness", "essence": 2}})
    assert judge(position, "empower", slot="valley.2").rules == ("R-EMP-2", "R-EMP-11")


def test_r_emp_2_an_empty_slot() -> None:
    assert judge(_kindness(), "empower", slot="valley.2").rules == ("R-EMP-2",)


def test_r_emp_2_several_reasons_are_one_rule_but_all_said() -> None:
    position = _kindness(slots={"land.1": {"emotion": "hope", "essence": 1}})
    verdict = judge(position, "empower", slot="land.1")
    assert verdict.rules == ("R-EMP-2",)
    assert len(verdict.refusals) == 2


def test_r_emp_4_other_tokens_are_lost() -> None:
    position = _kindness(slots={"valley.1": {"emotion": "kindness", "essence": 3, "intensity_token": 4}})
    assert after(position, "empower", slot="valley.1").slots["valley.1"] == Emotion("benevolence", 3)


def test_r_emp_5_both_strong_copies_in_play() -> None:
    strong = {"emotion": "benevolence", "essence": 1}
    one = _kindness(slots={"land.1": strong})
    assert judge(one, "empower", slot="valley.1").status == "legal"
    two = _kindness(slots={"land.1": strong, "land.2": strong})
    assert judge(two, "empower", slot="valley.1").rules == ("R-EMP-5",)


def test_r_emp_6_channeled_power_needs_an_empty_space() -> None:
    position = _kindness(3)
    verdict = judge(position, "empower", slot="valley.1", upgrades=["channeled-power"])
    assert verdict.rules == ("R-EMP-6",)


def test_r_emp_6_the_added_essence_is_carried_over_even_where_it_was_not_needed() -> None:
    then = after(_kindness(2), "empower", slot="valley.1", upgrades=["channeled-power"])
    assert then.slots["valley.1"].essence == 3
    assert then.players["diana"].essence == 3


def test_r_emp_7_outburst_on_a_slot_next_to_the_figure_is_allowed() -> None:
    verdict = judge(_kindness(), "empower", slot="valley.1", upgrades=["emotional-outburst"])
    assert (verdict.status, verdict.cost.willpower) == ("legal", 4)


def test_r_emp_8_both_upgrades_together() -> None:
    position = _kindness(slots={"land.2": {"emotion": "kindness", "essence": 1}})
    both = ["channeled-power", "emotional-outburst"]
    verdict = judge(position, "empower", slot="land.2", upgrades=both)
    assert (verdict.status, verdict.cost.willpower, verdict.cost.ambition) == ("legal", 4, 1)


def test_an_unknown_threshold_is_neither_yes_nor_no() -> None:
    position = _kindness(slots={"valley.2": {"emotion": "trust", "essence": 2}})
    verdict = judge(position, "empower", slot="valley.2")
    assert (verdict.status, [m.name for m in verdict.missing]) == ("unknown", ["trust.empower_threshold"])
    assert verdict.after is None


def test_an_unknown_threshold_does_not_hide_what_is_illegal_anyway() -> None:
    slots = {"land.1": {"emotion": "trust", "essence": 2}}
    assert judge(_kindness(slots=slots), "empower", slot="land.1").status == "illegal"
    poor = table({"willpower": 2}, slots={"valley.1": {"emotion": "trust", "essence": 2}})
    assert judge(poor, "empower", slot="valley.1").rules == ("R-TURN-8",)


def test_a_card_pack_answers_the_unknown_threshold() -> None:
    position = _kindness(slots={"valley.2": {"emotion": "trust", "essence": 2}})
    low, high = {"trust": {"empower_threshold": 2}}, {"trust": {"empower_threshold": 3}}
    assert judge(position, "empower", slot="valley.2", pack=low).status == "legal"
    assert judge(position, "empower", slot="valley.2", pack=high).rules == ("R-EMP-2",)


@pytest.mark.parametrize(("assumed", "status"), [(2, "legal"), (3, "illegal"), ("ask", "unknown")])
def test_an_assumed_threshold_stands_in_for_unknown_ones_only(assumed: int | str, status: str) -> None:
    slots = {"valley.2": {"emotion": "trust", "essence": 2}}
    position = _kindness(slots=slots, rulings={"assumed-threshold": assumed})
    assert judge(position, "empower", slot="valley.2").status == status
    assert judge(position, "empower", slot="valley.1").status == "legal"


def test_r_team_4_either_teammate_empowers_and_gloom_does_it_alike() -> None:
    otto = OTTO | {"at": "valley", "willpower": 3, "vibes": {"empower": ["blue", "", "", ""]}}
    position = table(
        players={"otto": otto}, turn={"player": "otto"}, slots={"valley.1": {"emotion": "fear", "essence": 2}}
    )
    pack = {"fear": {"empower_threshold": 2}}
    then = after(position, "empower", slot="valley.1", pack=pack)
    assert then.slots["valley.1"] == Emotion("panic", 2)
    assert then.players["otto"].willpower == 0


def test_r_emp_12_a_strong_card_never_holds_more_than_it_has_spaces() -> None:
    position = table(slots={"valley.1": {"emotion": "kindness", "essence": 3}})
    then = after(position, "empower", slot="valley.1", pack={"benevolence": {"intensity": [2, 2]}})
    assert then.slots["valley.1"] == Emotion("benevolence", 2)
