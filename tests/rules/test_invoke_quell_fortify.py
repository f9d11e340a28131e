"""Invoke, Quell and Fortify: R-INVOKE-*, R-QUELL-*, R-FORT-*."""

from typing import Any

import pytest

from companion.rules.position import Emotion, Fortress, Position
from tests.rules.tables import FULL_ROW, OTTO, after, judge, table

MINOR, MAJOR = {"fragment": "minor"}, {"fragment": "major"}
BLISS, GLOOM = {"team": "bliss"}, {"team": "gloom"}


def test_r_invoke_1_a_hand_card_enters_next_to_the_figure_with_one_essence() -> None:
    position = table({"hand": ["desire", "*"]})
    verdict = judge(position, "invoke", emotion="desire", slot="valley.2")
    assert (verdict.status, verdict.cost.willpower, verdict.cost.essence) == ("legal", 2, 1)
    then = after(position, "invoke", emotion="desire", slot="valley.2")
    assert then.slots["valley.2"] == Emotion("desire", 1)
    assert (then.players["diana"].hand, then.players["diana"].essence) == (("*",), 2)


@pytest.mark.parametrize("slot", ["valley-cradle", "willow-valley", "cradle.1"])
def test_r_invoke_1_out_of_reach(slot: str) -> None:
    assert judge(table({"hand": ["desire"]}), "invoke", emotion="desire", slot=slot).rules == ("R-INVOKE-1",)


def test_r_invoke_1_an_unknown_card_may_turn_out_to_be_it() -> None:
    then = after(table({"hand": ["*", "*"]}), "invoke", emotion="trust", slot="valley.1")
    assert then.players["diana"].hand == ("*",)


def test_r_invoke_2_and_r_invoke_7_essence_or_inner_force() -> None:
    position = table({"hand": ["desire"], "essence": 0})
    assert judge(position, "invoke", emotion="desire", slot="valley.1").rules == ("R-INVOKE-2",)
    inner = judge(position, "invoke", emotion="desire", slot="valley.1", upgrades=["inner-force"])
    assert (inner.status, inner.cost.willpower, inner.cost.essence) == ("legal", 4, 0)


def test_r_invoke_8_bolster_and_inner_force_take_both_from_the_supply() -> None:
    position = table({"hand": ["desire"], "essence": 0})
    both = {"upgrades": ["bolster", "inner-force"]}
    then = after(position, "invoke", emotion="desire", slot="valley.1", **both)
    assert then.slots["valley.1"] == Emotion("desire", 2)
    assert then.players["diana"].essence == 0


def test_r_invoke_9_a_taken_slot() -> None:
    position = table({"hand": ["desire"]}, slots={"valley.1": {"emotion": "dislike"}})
    assert judge(position, "invoke", emotion="desire", slot="valley.1").rules == ("R-INVOKE-9",)


@pytest.mark.parametrize("title", ["longing", "brightness"])
def test_r_invoke_10_only_mild_emotions(title: str) -> None:
    position = table({"hand": [title]})
    assert judge(position, "invoke", emotion=title, slot="valley.1").rules == ("R-INVOKE-10",)


def _against(emotion: str, essence: int = 2, **diana: Any) -> Position:
    return table(
        {"hand": ["desire", "*"]} | diana, slots={"valley.1": {"emotion": emotion, "essence": essence}}
    )


def test_r_quell_2_a_card_of_the_same_vibe_is_shown_and_kept() -> None:
    position = _against("dislike")
    verdict = judge(position, "quell", slot="valley.1", reveal="desire")
    assert (verdict.status, verdict.cost.willpower, verdict.cost.ambition) == ("legal", 2, 1)
    then = after(position, "quell", slot="valley.1", reveal="desire")
    assert then.slots["valley.1"] == Emotion("dislike", 1)
    assert then.players["diana"].hand == ("*", "desire")


def test_r_quell_2_a_shown_unknown_card_is_known_from_then_on() -> None:
    then = after(_against("dislike", hand=["*"]), "quell", slot="valley.1", reveal="kindness")
    assert then.players["diana"].hand == ("kindness",)


def test_r_quell_2_another_vibe_or_no_card() -> None:
    position = _against("anger", hand=["desire"])
    assert judge(position, "quell", slot="valley.1", reveal="desire").rules == ("R-QUELL-2",)
    assert judge(position, "quell", slot="valley.1").rules == ("R-QUELL-2",)
    assert judge(position, "quell", slot="valley.1", reveal="courage").rules == ("R-QUELL-2",)


def test_r_quell_4_without_essence_it_leaves_the_board() -> None:
    assert "valley.1" not in after(_against("dislike", 1), "quell", slot="valley.1", reveal="desire").slots


def test_r_quell_5_any_card_matches_a_starting_emotion_but_one_is_needed() -> None:
    assert judge(_against("bleakness"), "quell", slot="valley.1", reveal="desire").status == "legal"
    empty = _against("bleakness", hand=[])
    assert judge(empty, "quell", slot="valley.1").rules == ("R-QUELL-2",)


def test_r_quell_6_and_r_quell_7_subdue_takes_two_where_there_are_two() -> None:
    for essence, left in ((3, 1), (2, None), (1, None)):
        position = _against("dislike", essence)
        then = after(position, "quell", slot="valley.1", reveal="desire", upgrades=["subdue"])
        found = then.slots.get("valley.1")
        assert (found and found.essence) == left


def test_r_quell_8_extinguish_needs_no_card() -> None:
    position = _against("anger", hand=[])
    verdict = judge(position, "quell", slot="valley.1", upgrades=["extinguish"])
    assert (verdict.status, verdict.cost.willpower) == ("legal", 3)


def test_r_quell_1_own_empty_or_out_of_reach() -> None:
    position = table(
        {"hand": ["desire"]}, slots={"valley.1": {"emotion": "trust"}, "land.1": {"emotion": "dislike"}}
    )
    for slot in ("valley.1", "valley.2", "land.1"):
        assert "R-QUELL-1" in judge(position, "quell", slot=slot, reveal="desire").rules


def test_r_quell_11_an_intensity_token_stays_until_the_card_goes() -> None:
    position = table(
        {"hand": ["desire"]}, slots={"valley.1": {"emotion": "dislike", "essence": 2, "intensity_token": 3}}
    )
    then = after(position, "quell", slot="valley.1", reveal="desire")
    assert then.slots["valley.1"] == Emotion("dislike", 1, 3)
    assert "valley.1" not in after(then, "quell", slot="valley.1", reveal="desire").slots


@pytest.mark.parametrize(
    ("at", "realms"),
    [("valley", {"valley"}), ("willow-valley", {"willow", "valley"}), ("cradle", {"cradle"})],
)
def test_r_fort_2_the_realm_and_from_a_frontier_both(at: str, realms: set[str]) -> None:
    position = table({"at": at})
    for realm in ("valley", "cradle", "network", "land", "willow"):
        verdict = judge(position, "fortify", realm=realm)
        assert verdict.rules == (() if realm in realms else ("R-FORT-2",))


def test_r_fort_4_a_minor_fragment_is_used_and_marked_as_new() -> None:
    then = after(table(), "fortify", realm="valley")
    assert then.fortresses["valley"] == Fortress("bliss", "minor", this_turn=True)
    assert then.teams["bliss"].minor == 5


def test_r_fort_3_not_where_the_opponent_controls() -> None:
    position = table(slots={"valley-cradle": {"emotion": "dislike"}})
    assert judge(position, "fortify", realm="valley").rules == ("R-FORT-3",)


def test_r_fort_6_a_tie_is_no_control() -> None:
    position = table(slots={"valley-cradle": {"emotion": "dislike"}, "valley.1": {"emotion": "trust"}})
    assert judge(position, "fortify", realm="valley").status == "legal"


def test_r_fort_3_an_unknown_intensity_leaves_it_open_only_where_it_matters() -> None:
    alone = table(slots={"valley.1": {"emotion": "suspicion"}})
    verdict = judge(alone, "fortify", realm="valley")
    assert (verdict.status, [m.name for m in verdict.missing]) == ("unknown", ["suspicion.intensity"])
    beaten = table(
        slots={"valley.1": {"emotion": "suspicion"}, "valley.2": {"emotion": "panic", "essence": 3}}
    )
    assert judge(beaten, "fortify", realm="valley").rules == ("R-FORT-3",)


def test_an_unknown_intensity_of_the_own_team_is_asked_for_only_where_the_other_team_leads() -> None:
    otto = OTTO | {"at": "valley", "willpower": 9, "vibes": {"fortify": FULL_ROW}}
    board: dict[str, Any] = {"players": {"otto": otto}, "turn": {"player": "otto"}}
    suspicion = {"valley.1": {"emotion": "suspicion"}}
    assert judge(table(slots=suspicion, **board), "fortify", realm="valley").status == "legal"
    both = table(slots=suspicion | {"valley.2": {"emotion": "trust"}}, **board)
    assert judge(both, "fortify", realm="valley").status == "unknown"


def test_r_fort_7_exalt_turns_minor_into_major() -> None:
    position = table(fortresses={"valley": BLISS | MINOR})
    verdict = judge(position, "fortify", realm="valley", upgrades=["exalt"])
    assert (verdict.cost.willpower, verdict.cost.ambition) == (3, 1)
    then = after(position, "fortify", realm="valley", upgrades=["exalt"])
    assert then.fortresses["valley"] == Fortress("bliss", "major", this_turn=True)
    assert (then.teams["bliss"].minor, then.teams["bliss"].major) == (6, 2)


@pytest.mark.parametrize("fortress", [None, GLOOM | MINOR, BLISS | MAJOR])
def test_r_fort_7_nothing_to_exalt(fortress: dict[str, str] | None) -> None:
    position = table(fortresses={} if fortress is None else {"valley": fortress})
    assert judge(position, "fortify", realm="valley", upgrades=["exalt"]).rules[0] == "R-FORT-7"


def test_r_fort_7_no_exalt_under_the_opponents_control() -> None:
    position = table(
        fortresses={"valley": BLISS | MINOR}, slots={"valley.1": {"emotion": "panic", "essence": 3}}
    )
    assert judge(position, "fortify", realm="valley", upgrades=["exalt"]).rules == ("R-FORT-7", "R-FORT-3")


@pytest.mark.parametrize(
    ("fragment", "ruling", "left", "minor", "major"),
    [
        ("minor", "to-minor", None, 6, 3),
        ("major", "to-minor", "minor", 5, 3),
        ("major", "remove", None, 6, 3),
    ],
)
def test_r_fort_10_raze_takes_it_one_step_down(
    fragment: str, ruling: str, left: str | None, minor: int, major: int
) -> None:
    position = table(fortresses={"valley": GLOOM | {"fragment": fragment}}, rulings={"raze-major": ruling})
    then = after(position, "fortify", realm="valley", upgrades=["raze"])
    found = then.fortresses.get("valley")
    assert (found and found.fragment) == left
    assert (then.teams["gloom"].minor, then.teams["gloom"].major) == (minor, major)
    assert then.teams["bliss"].ambition == 2


def test_r_fort_12_a_major_one_goes_away_where_its_owner_has_no_minor_left() -> None:
    position = table(
        fortresses={"valley": GLOOM | MAJOR},
        teams={"bliss": {"ambition": 1}, "gloom": {"minor": 0, "major": 2}},
    )
    then = after(position, "fortify", realm="valley", upgrades=["raze"])
    assert "valley" not in then.fortresses
    assert (then.teams["gloom"].minor, then.teams["gloom"].major) == (0, 3)


def test_r_fort_11_raze_asks_nobody_who_controls() -> None:
    slots = {"valley.1": {"emotion": "panic", "essence": 3}}
    position = table(fortresses={"valley": GLOOM | MINOR}, slots=slots)
    assert judge(position, "fortify", realm="valley", upgrades=["raze"]).status == "legal"


def test_r_fort_9_nothing_of_the_opponents_to_raze() -> None:
    for fortresses in ({}, {"valley": BLISS | MINOR}):
        position = table(fortresses=fortresses)
        assert judge(position, "fortify", realm="valley", upgrades=["raze"]).rules == ("R-FORT-9",)


def test_r_fort_14_without_a_fragment_left() -> None:
    teams = {"bliss": {"ambition": 1, "minor": 0, "major": 0}}
    assert judge(table(teams=teams), "fortify", realm="valley").rules == ("R-FORT-14",)
    position = table(teams=teams, fortresses={"valley": BLISS | MINOR})
    assert judge(position, "fortify", realm="valley", upgrades=["exalt"]).rules == ("R-FORT-14",)


def test_r_fort_15_the_mark_of_a_new_fortress_is_gone_at_the_end_of_the_turn() -> None:
    built = after(table(players={"otto": OTTO}), "fortify", realm="valley")
    ended = after(built, "end-turn", gain="cards")
    assert ended.fortresses["valley"] == Fortress("bliss", "minor", this_turn=False)


def test_an_unknown_card_has_to_be_named() -> None:
    position = _against("bleakness", hand=["*"])
    assert judge(position, "invoke", emotion="*", slot="valley.2").rules == ("R-INVOKE-1",)
    assert judge(position, "quell", slot="valley.1", reveal="*").rules == ("R-QUELL-2",)
    place = {"discard": "*", "space": 2}
    locked = table({"hand": ["*"], "vibes": {"move": ["wild", "", "", ""]}})
    assert "R-VIBE-4" in judge(locked, "move", to="valley-cradle", place=place).rules
