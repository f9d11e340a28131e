"""What follows from an action by itself: control at once, shared Emotions, what is unlimited.

Rules: R-ABS-14, R-AMB-2, R-AMB-5, R-CTRL-1, R-CTRL-F6, R-DESIRE-5, R-EMP-13, R-EOT-5, R-ESS-2, R-ESS-3,
R-INT-3, R-INVOKE-11, R-MOVE-9, R-RES-2 to R-RES-5, R-REV-14, R-REV-21, R-TEAM-1, R-TEAM-2, R-TEAM-4,
R-TURN-4, R-TURN-6.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings

from companion.content import aspirations
from companion.rules.actions import Absorb
from companion.rules.aspirations import count
from companion.rules.board import FRONTIERS, REALMS, TEAMS, Team
from companion.rules.control import frontier_control, intensity, realm_control
from companion.rules.engine import legal_actions
from companion.rules.position import Emotion, Position
from companion.rules.revelation import accomplished
from companion.scenario.errors import NotationError
from tests.rules.tables import CARDS, FULL_ROW, NILS, OTTO, PIA, after, judge, table
from tests.strategies import positions

ALL = {"otto": OTTO, "pia": PIA, "nils": NILS}


def _holders(position: Position) -> dict[str, Team | None]:
    realms = {realm: realm_control(position, realm, CARDS).team for realm in REALMS}
    return realms | {frontier: frontier_control(position, frontier, CARDS).team for frontier in FRONTIERS}


def _held(position: Position, team: Team) -> set[str]:
    return {place for place, holder in _holders(position).items() if holder == team}


# Control follows at once, and every use of it sees that (R-CTRL-1)


def test_r_move_9_moving_changes_no_control() -> None:
    slots = {"valley.1": {"emotion": "kindness"}, "cradle.1": {"emotion": "dislike"}}
    position = table(players=ALL, slots=slots)
    for to, upgrades in (("valley-cradle", []), ("willow-valley", []), ("cradle", ["haste"])):
        moved = after(position, "move", to=to, upgrades=upgrades)
        assert moved.actor.at == to
        assert _holders(moved) == _holders(position)
        assert judge(moved, "valley").cost == judge(position, "valley").cost


def test_r_ctrl_1_an_invoked_emotion_takes_control_before_the_next_action() -> None:
    position = table({"hand": ["desire"]})
    assert judge(position, "valley").cost.willpower == 1
    then = after(position, "invoke", emotion="desire", slot="valley.1")
    assert _held(then, "bliss") == {"valley", "willow-valley"}
    assert judge(then, "valley").cost.willpower == 0


def test_r_ctrl_1_a_quelled_emotion_loses_it() -> None:
    position = table(slots={"valley.1": {"emotion": "dislike"}})
    assert _held(position, "gloom") == {"valley", "willow-valley"}
    then = after(position, "quell", slot="valley.1", upgrades=["extinguish"])
    assert _held(then, "gloom") == set()


def test_r_ctrl_1_a_fortress_takes_a_realm_and_raze_gives_it_back() -> None:
    position = table()
    built = after(position, "fortify", realm="valley")
    assert _held(built, "bliss") == {"valley"}
    theirs = table(fortresses={"valley": {"team": "gloom", "fragment": "minor"}})
    assert _held(theirs, "gloom") == {"valley"}
    assert _held(after(theirs, "fortify", realm="valley", upgrades=["raze"]), "gloom") == set()


def test_r_emp_13_the_strong_card_is_compared_anew() -> None:
    # Kindness with 2 Essence has Intensity 1, Benevolence 2.
    slots = {"valley.1": {"emotion": "kindness", "essence": 2}, "valley.2": {"emotion": "dislike"}}
    position = table(slots=slots)
    assert _holders(position)["valley"] is None
    then = after(position, "empower", slot="valley.1")
    assert _holders(then)["valley"] == "bliss"
    assert judge(then, "valley").cost.willpower == 0


def test_r_desire_5_more_essence_can_mean_control() -> None:
    slots = {"valley.1": {"emotion": "kindness", "essence": 2}, "valley.2": {"emotion": "dislike"}}
    position = table(slots=slots)
    assert _holders(position)["valley"] is None
    then = after(position, "land", slot="valley.1", essence=1)
    assert _holders(then)["valley"] == "bliss"
    assert judge(then, "valley").cost.willpower == 0


def test_r_ctrl_f6_a_frontier_brings_1_willpower_more_and_counts_for_openness() -> None:
    bare = table({"at": "valley-cradle"})
    held = table({"at": "valley-cradle"}, slots={"valley-cradle": {"emotion": "kindness"}})
    theirs = table({"at": "valley-cradle"}, slots={"valley-cradle": {"emotion": "dislike"}})
    taken = [
        after(p, "absorb", sphere="commitment", bonus=False).actor.willpower for p in (bare, held, theirs)
    ]
    assert taken == [11, 12, 11]
    leads = [count(p, "openness", CARDS).led_by("bliss") for p in (bare, held, theirs)]
    assert leads == [False, True, False]


def _before_a_revelation() -> Position:
    return table(
        {"at": "valley"},
        teams={"bliss": {"aspiration": "unity"}, "gloom": {"aspiration": "openness"}},
        fortresses={"valley": {"team": "bliss", "fragment": "minor"}},
        origin={"willpower": {"commitment": 2}},
        aspirations={"common": ["awareness", "versatility"]},
    )


def test_r_rev_21_a_fortress_that_left_for_the_identity_holds_its_realm_no_longer() -> None:
    position = _before_a_revelation()
    assert (_held(position, "bliss"), judge(position, "valley").cost.willpower) == ({"valley"}, 0)
    then = after(position, "absorb", sphere="commitment", bonus=False)
    assert (then.identity, then.turn.player) == (("bliss minor",), "diana")
    assert (_held(then, "bliss"), judge(then, "valley").cost.willpower) == (set(), 1)


# A Revelation


@settings(deadline=None, max_examples=150)
@given(positions())
def test_r_rev_14_at_most_one_team_accomplishes_both_of_its_aspirations(position: Position) -> None:
    assert [accomplished(position, team, CARDS) for team in TEAMS].count(2) <= 1


@pytest.mark.parametrize("common", aspirations())
def test_r_rev_14_two_leading_teams_share_no_common_aspiration(common: str) -> None:
    # Bliss leads in Unity, Gloom in Fortitude: whoever leads in the Common one has a Major Fragment alone.
    position = table(
        teams={"bliss": {"aspiration": "unity"}, "gloom": {"aspiration": "fortitude"}},
        slots={"valley.1": {"emotion": "kindness"}, "valley.2": {"emotion": "desire"}},
        fortresses={"land": {"team": "gloom", "fragment": "major"}},
        origin={"willpower": {"commitment": 1}},
        aspirations={"common": [common, *(name for name in aspirations() if name != common)]},
    )
    then = after(position, "absorb", sphere="commitment", bonus=False)
    assert sum(fragment.endswith("major") for fragment in then.identity) <= 1
    assert len(then.identity) == 2
    assert sum(item.action == "return-common" for item in then.turn.pending) <= 1


def test_r_abs_14_willpower_from_the_supply_empties_no_sphere() -> None:
    # Diligence holds 4: 2 are taken, and the 2 of its bonus come from elsewhere.
    position = table({"willpower": 0}, origin={"facing": "diligence", "willpower": {"diligence": 4}})
    then = after(position, "absorb", sphere="diligence")
    assert (then.actor.willpower, then.origin.willpower["diligence"]) == (4, 2)
    assert (then.turn.pending, then.identity) == ((), ())


# What belongs to a team, and what to a player


def test_r_team_1_either_teammate_may_say_what_the_team_shows() -> None:
    position = table(players=ALL, origin={"willpower": {"commitment": 1}}, aspirations={"common": ["unity"]})
    begun = after(position, "absorb", sphere="commitment", bonus=False)
    for name in ("otto", "nils"):
        step = {"team": "gloom", "aspiration": "openness"}
        assert judge(begun, "reveal", **step, player=name).status == "legal"
    assert judge(begun, "reveal", team="bliss", aspiration="openness", player="pia").status == "legal"
    refused = judge(begun, "reveal", team="bliss", aspiration="openness", player="nils")
    assert refused.rules == ("R-TURN-1",)


def _rich(**parts: Any) -> Position:
    return table(
        {"hand": ["desire", "optimism"], "at": "valley", "essence": 2, "willpower": 5},
        players=ALL,
        slots={"valley.1": {"emotion": "kindness", "essence": 2}, "willow.1": {"emotion": "dislike"}},
        **parts,
    )


def test_r_team_2_no_action_gives_a_teammate_willpower_essence_or_cards() -> None:
    position = _rich()
    kinds = set()
    for action, verdict in legal_actions(position, CARDS):
        assert verdict.after is not None
        kinds.add(type(action))
        assert verdict.after.players["pia"] == position.players["pia"], action
    assert len(kinds) > 9


def test_r_team_4_a_teammate_may_intensify_empower_and_move_what_another_brought() -> None:
    vibes = {"empower": FULL_ROW}
    mate = PIA | {"at": "valley", "willpower": 9, "essence": 3, "vibes": vibes}
    players = {"pia": mate, "otto": OTTO}
    position = table({"hand": ["kindness"]}, players=players)
    brought = after(position, "invoke", emotion="kindness", slot="valley.1")
    others = brought
    while others.turn.player != "pia":
        others = after(others, "end-turn", gain="cards")
    assert judge(others, "land", slot="valley.1", essence=1).status == "legal"
    assert judge(others, "network", slot="valley.1", to="valley.2").status == "legal"
    full = after(others, "land", slot="valley.1", essence=1)
    assert after(full, "empower", slot="valley.1").slots["valley.1"] == Emotion("benevolence", 2)


def test_r_amb_2_nobody_has_ambition_at_the_start() -> None:
    position = table(teams={}, slots={"valley.1": {"emotion": "dislike"}})
    assert [team.ambition for team in position.teams.values()] == [0, 0]
    assert judge(position, "quell", slot="valley.1", upgrades=["extinguish"]).rules == ("R-AMB-3",)
    assert judge(position, "ambition", ability="extra-action").rules == ("R-AMB-3",)


def test_r_amb_5_ambition_comes_from_the_end_of_a_turn_and_from_commitment() -> None:
    position = table(players=ALL, teams={})
    assert after(position, "end-turn", gain="ambition").teams["bliss"].ambition == 1
    absorbed = after(position, "absorb", sphere="commitment")
    assert absorbed.teams["bliss"].ambition == 1
    assert after(absorbed, "end-turn", gain="ambition").teams["bliss"].ambition == 2
    assert after(position, "absorb", sphere="commitment", bonus=False).teams["bliss"].ambition == 0
    wheel = table(players=ALL, teams={"bliss": {"points": 5}})
    assert after(wheel, "score").teams["bliss"].ambition == 1


# The turn


def test_r_turn_4_each_action_moves_the_tracker_and_absorb_turns_it_over() -> None:
    position = table({"hand": ["desire"]})
    steps: list[tuple[str, dict[str, Any], int, bool]] = [
        ("move", {"to": "valley-cradle"}, 2, False),
        ("absorb", {"sphere": "commitment", "bonus": False}, 2, True),
        ("ambition", {"ability": "third"}, 2, True),
        ("valley", {}, 1, True),
        ("invoke", {"emotion": "desire", "slot": "valley-cradle"}, 0, True),
    ]
    for action, keys, left, absorbed in steps:
        position = after(position, action, **keys)
        assert (position.turn.actions_left, position.turn.absorbed) == (left, absorbed)
    ended = after(position, "end-turn", gain="cards")
    assert (ended.turn.actions_left, ended.turn.absorbed) == (3, False)


def test_r_turn_6_an_ability_buys_a_fourth_action_and_no_fifth() -> None:
    position = after(table(), "ambition", ability="extra-action")
    assert (position.turn.actions_left, position.teams["bliss"].ambition) == (4, 2)
    assert judge(position, "ambition", ability="extra-action").rules == ("R-AMB-4",)
    for _ in range(4):
        position = after(position, "valley")
    assert judge(position, "valley").rules == ("R-TURN-2",)


def _last_turns() -> Iterator[Position]:
    """Every trigger of the end: no Common Aspiration, a Capping Fragment, 20 points."""
    yield table(players=ALL, aspirations={"common": []})
    yield table(players=ALL, identity={"fragments": ["gloom capping"]}, aspirations={"common": ["unity"]})
    yield table(players=ALL, teams={"gloom": {"points": 20}}, aspirations={"common": ["unity"]})


@pytest.mark.parametrize("position", list(_last_turns()))
def test_r_eot_5_the_score_is_settled_at_the_end_of_the_turn_that_was_the_last(position: Position) -> None:
    played = after(position, "valley")
    assert played.result is None
    ended = after(played, "end-turn", gain="cards")
    assert ended.result is not None
    assert (ended.result.ended, ended.turn.player) == (True, "diana")
    assert judge(ended, "valley").rules[0] == "R-END-5"
    calm = table(players=ALL, aspirations={"common": ["unity"]})
    assert after(calm, "end-turn", gain="cards").result is None


def test_r_invoke_11_token_then_payment_then_card_then_essence() -> None:
    locked: dict[str, Any] = {"invoke": ["", "", "", ""]}
    position = table({"hand": ["courage", "desire"], "willpower": 2, "essence": 1, "vibes": locked})
    placed = {"discard": "courage", "space": 1}
    then = after(position, "invoke", emotion="desire", slot="valley.1", place=placed)
    assert then.actor.row("invoke") == ("red", "", "", "")
    assert (then.actor.willpower, then.actor.essence, then.actor.hand) == (0, 0, ())
    assert then.slots["valley.1"] == Emotion("desire", 1)
    # What went for the token is not there any more to be invoked; the token may be used at once.
    same = judge(position, "invoke", emotion="courage", slot="valley.1", place=placed)
    assert same.rules == ("R-INVOKE-1",)
    open_row: dict[str, Any] = {"invoke": ["wild", "", "", ""]}
    thrifty = table({"hand": ["courage", "desire"], "willpower": 1, "essence": 1, "vibes": open_row})
    at_once = {"upgrades": ["determination"], "place": {"discard": "courage", "space": 4}}
    assert judge(thrifty, "invoke", emotion="desire", slot="valley.1", **at_once).status == "legal"


# Willpower, Essence, Intensity


def test_r_res_2_and_r_res_3_no_maximum_and_any_number() -> None:
    position = table({"willpower": 5000, "essence": 5000})
    assert after(position, "willow", amount=5000 - 1).actor.essence == 9999
    assert after(position, "valley").actor.willpower == 5003


def test_r_res_4_spent_willpower_returns_to_no_sphere() -> None:
    position = _rich(origin={"willpower": {"commitment": 5, "humility": 1}})
    paid = 0
    for action, verdict in legal_actions(position, CARDS):
        assert verdict.after is not None
        if not isinstance(action, Absorb):
            assert verdict.after.origin == position.origin, action
            paid += verdict.cost.willpower
    assert paid > 0


def test_r_res_5_own_essence_goes_on_own_emotions() -> None:
    slots = {"valley.1": {"emotion": "kindness"}, "valley.2": {"emotion": "dislike"}}
    position = table(slots=slots)
    assert judge(position, "land", slot="valley.1", essence=1).status == "legal"
    assert judge(position, "land", slot="valley.2", essence=1).rules == ("R-DESIRE-1",)


def test_r_ess_2_the_rightmost_covered_space_counts_on_the_way_up_and_down() -> None:
    # Desire reads 1, 2, 3; Dislike the same.
    position = table({"essence": 2}, slots={"valley.1": {"emotion": "desire"}})
    up = [after(position, "land", slot="valley.1", essence=n).slots["valley.1"] for n in (1, 2)]
    assert [intensity(emotion, CARDS) for emotion in up] == [2, 3]
    theirs = table(slots={"valley.1": {"emotion": "dislike", "essence": 3}})
    down = [
        after(theirs, "quell", slot="valley.1", upgrades=upgrades).slots["valley.1"]
        for upgrades in (["extinguish"], ["subdue", "extinguish"])
    ]
    assert [intensity(emotion, CARDS) for emotion in down] == [2, 1]


def test_r_ess_3_without_essence_an_emotion_is_gone_at_once() -> None:
    position = table(slots={"valley.1": {"emotion": "dislike", "essence": 2}})
    once = after(position, "quell", slot="valley.1", upgrades=["extinguish"])
    assert once.slots == {"valley.1": Emotion("dislike", 1)}
    assert after(once, "quell", slot="valley.1", upgrades=["extinguish"]).slots == {}
    with pytest.raises(NotationError, match="essence"):
        table(slots={"valley.1": {"emotion": "dislike", "essence": 0}})


def test_r_int_3_an_intensity_token_counts_for_intensity_alone() -> None:
    slots = {
        "valley.1": {"emotion": "kindness", "intensity_token": 6},
        "valley.2": {"emotion": "dislike", "essence": 3, "intensity_token": 0},
    }
    position = table(slots=slots)
    assert realm_control(position, "valley", CARDS).bliss == 7
    assert judge(position, "empower", slot="valley.1").rules == ("R-EMP-2",)
    assert judge(position, "land", slot="valley.1", essence=2).status == "legal"
    assert judge(position, "land", slot="valley.1", essence=3).rules == ("R-DESIRE-3",)
    more = after(position, "land", slot="valley.1", essence=2)
    assert more.slots["valley.1"] == Emotion("kindness", 3, 6)
    assert after(more, "empower", slot="valley.1").slots["valley.1"] == Emotion("benevolence", 3, 0)
    theirs = table(slots={"valley.1": {"emotion": "dislike", "intensity_token": 2}})
    assert after(theirs, "quell", slot="valley.1", upgrades=["extinguish"]).slots == {}
    with pytest.raises(NotationError, match="0 to 6"):
        table(slots={"valley.1": {"emotion": "kindness", "intensity_token": 7}})
