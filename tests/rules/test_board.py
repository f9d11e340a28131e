"""The map and the Origin against what the rules say of them.

Rules: R-BOARD-1, R-BOARD-2, R-BOARD-4, R-BOARD-8, R-BOARD-15, R-COMP-1, R-ORIGIN-1,
R-ORIGIN-2, R-ORIGIN-4, R-ORIGIN-7.
"""

from collections import Counter
from typing import Any

import pytest

from companion.rules.board import (
    FRONTIERS,
    REALMS,
    SLOTS,
    SPACES,
    SPHERES,
    neighbours,
    realm_faced,
    realms_of,
    slots_beside,
    spheres_beside,
    triad,
    turned,
)
from companion.rules.position import Origin
from companion.scenario.errors import NotationError
from companion.scenario.notation import position_from
from tests.rules.tables import CARDS, FULL_ROW, after, judge, table


def test_r_board_1_five_realms_in_a_ring_and_a_frontier_between_each_two_neighbours() -> None:
    assert (len(REALMS), len(FRONTIERS)) == (5, 5)
    assert {frozenset(realms_of(f)) for f in FRONTIERS} == {
        frozenset((realm, REALMS[(i + 1) % 5])) for i, realm in enumerate(REALMS)
    }
    space, walked = "valley", []
    for _ in range(10):
        walked.append(space)
        space = next(n for n in reversed(neighbours(space)) if n not in walked[-2:])
    assert (space, sorted(walked)) == ("valley", sorted(SPACES))


def test_r_board_2_the_realms_and_r_board_15_each_with_an_action_and_its_price() -> None:
    assert set(REALMS) == {"valley", "willow", "network", "cradle", "land"}
    assert {name: realm.willpower for name, realm in CARDS.realms.items()} == {
        "valley": 1, "cradle": 1, "network": 2, "land": 1, "willow": 1,
    }  # fmt: skip
    position = table(slots={"valley.1": {"emotion": "kindness"}}, fortresses={})
    tries: dict[str, dict[str, Any]] = {
        "valley": {}, "cradle": {}, "willow": {"amount": 1}, "land": {"slot": "valley.1", "essence": 1},
        "network": {"slot": "valley.1", "to": "valley.2"},
    }  # fmt: skip
    own = {realm: 1 if realm == "willow" else 0 for realm in REALMS}
    for realm, keys in tries.items():
        held = realm == "valley"
        price = CARDS.realms[realm].willpower - held + own[realm]
        assert judge(position, realm, **keys).cost.willpower == price, realm


def test_r_board_4_two_slots_in_a_realm_one_on_a_frontier_each_for_one_emotion() -> None:
    assert len(set(SLOTS)) == 15
    assert Counter(slot.partition(".")[0] for slot in SLOTS) == dict.fromkeys(REALMS, 2) | dict.fromkeys(
        FRONTIERS, 1
    )
    for slot in SLOTS:
        at = slot.partition(".")[0]
        position = table({"hand": ["desire"], "at": at}, slots={slot: {"emotion": "kindness"}})
        assert judge(position, "invoke", emotion="desire", slot=slot).rules == ("R-INVOKE-9",)


def test_r_board_8_each_slot_belongs_to_the_triad_of_one_frontier() -> None:
    assert Counter(slot for frontier in FRONTIERS for slot in triad(frontier)) == Counter(SLOTS)
    for frontier in FRONTIERS:
        before, after_it = realms_of(frontier)
        assert set(triad(frontier)) == {f"{before}.2", frontier, f"{after_it}.1"}
        assert slots_beside(frontier) == (frontier,)


@pytest.mark.parametrize("facing", SPHERES)
def test_r_origin_1_each_of_the_five_spheres_faces_one_realm(facing: str) -> None:
    assert len(SPHERES) == 5
    assert sorted(realm_faced(sphere, facing) for sphere in SPHERES) == sorted(REALMS)
    position = table(origin={"facing": facing})
    for sphere in SPHERES:
        for at in SPACES:
            position = position.with_player(table({"at": at}).actor)
            reached = realm_faced(sphere, facing) in realms_of(at)
            verdict = judge(position, "absorb", sphere=sphere, bonus=False)
            assert (verdict.status == "legal") == reached
            assert (sphere in spheres_beside(at, facing)) == reached


def test_r_origin_2_the_spheres_and_their_bonuses() -> None:
    bonuses: dict[str, dict[str, Any]] = {
        "commitment": {"ambition": (1, 2), "willpower": 10},
        "humility": {"essence": 4},
        "diligence": {"willpower": 13},
        "knowledge": {"vibes": ("red", "green", "yellow", "blue")},
        "creativity": {"hand": ("*",)},
    }
    assert set(bonuses) == set(SPHERES)
    vibes = dict.fromkeys(("move", "invoke", "quell", "fortify"), FULL_ROW)
    for sphere, gained in bonuses.items():
        keys = {"row": "empower", "space": 2, "vibe": "red"} if sphere == "knowledge" else {}
        rows = vibes | {"empower": ["wild", "", "", ""]}
        position = table({"vibes": rows}, teams={"bliss": {"ambition": 1}}, origin={"facing": sphere})
        then = after(position, "absorb", sphere=sphere, **keys)
        assert then.actor.willpower == gained.get("willpower", 11)
        assert then.actor.essence == gained.get("essence", 3)
        assert then.actor.hand == gained.get("hand", ())
        assert then.teams["bliss"].ambition == (2 if "ambition" in gained else 1)
        assert then.actor.row("empower") == ("wild", "red" if keys else "", "", "")


def test_r_origin_4_seven_willpower_at_the_start_and_again_after_a_revelation() -> None:
    assert Origin().willpower == dict.fromkeys(SPHERES, 7)
    hidden = {"bliss": {"aspiration": "unity"}, "gloom": {"aspiration": "openness"}}
    parts: dict[str, Any] = {"teams": hidden, "aspirations": {"common": ["attitude", "awareness"]}}
    for inside in (1, 2):
        position = table(origin={"willpower": {"commitment": inside}}, **parts)
        then = after(position, "absorb", sphere="commitment", bonus=False)
        assert then.actor.willpower == 9 + inside
        assert then.origin.willpower == dict.fromkeys(SPHERES, 7)
    position = table(origin={"willpower": {"commitment": 3}}, **parts)
    assert after(position, "absorb", sphere="commitment", bonus=False).origin.willpower["commitment"] == 1


def test_r_origin_7_the_identity_is_empty_at_first_and_a_stack_of_both_teams_fragments() -> None:
    position = table(
        teams={"bliss": {"aspiration": "unity"}, "gloom": {"aspiration": "fortitude"}},
        slots={"valley.1": {"emotion": "kindness"}},
        fortresses={"land": {"team": "gloom", "fragment": "minor"}},
        aspirations={"common": ["openness", "awareness", "attitude"]},
        origin={"willpower": {"commitment": 1, "knowledge": 1}},
    )
    assert position.identity == ()
    once = after(position, "absorb", sphere="commitment", bonus=False)
    assert once.identity == ("bliss major", "gloom minor")
    with pytest.raises(NotationError):
        position_from({"players": {"diana": {"team": "bliss"}}, "identity": {"fragments": ["minor"]}}, CARDS)


def test_the_origin_turns_and_the_main_board_stays() -> None:
    # R-COMP-1: two boards; after five turns the Origin lies as it lay.
    facing = "humility"
    for _ in range(5):
        facing = turned(facing)
    assert facing == "humility"
    parts: dict[str, Any] = {"slots": {"valley.1": {"emotion": "kindness"}}, "origin": {"facing": "humility"}}
    position = table(fortresses={"land": {"team": "gloom", "fragment": "minor"}}, **parts)
    then = after(position, "absorb", sphere="humility", bonus=False)
    assert (position.origin.facing, then.origin.facing) == ("humility", "creativity")
    assert (then.slots, then.fortresses, then.actor.at) == (position.slots, position.fortresses, "valley")
