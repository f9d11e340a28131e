"""Aspirations (R-ASP-1 to R-ASP-11), and control, recounted from the numbering of R-BOARD-9."""

from typing import Any

import pytest
from hypothesis import given, settings

from companion.rules.aspirations import count
from companion.rules.board import FRONTIERS, REALMS, SLOTS, TEAMS, Team, opposite
from companion.rules.control import frontier_control, realm_control
from companion.rules.position import Position
from tests.rules.tables import CARDS, table
from tests.strategies import positions

GLOOM_CARDS = ("anger", "dislike", "mistrust", "jealousy", "bitterness")
BLISS_CARDS = ("kindness", "optimism", "courage", "desire", "trust")


def counted(aspiration: str, position: Position) -> tuple[int, int]:
    found = count(position, aspiration, CARDS)
    assert (found.least, found.most) == (found.bliss - found.gloom,) * 2
    return found.bliss, found.gloom


def on(bliss: tuple[str, ...] = (), gloom: tuple[str, ...] = (), **parts: Any) -> Position:
    """A table with one Essence on a card of each team in the slots named."""
    slots = {slot: {"emotion": name} for slot, name in zip(bliss, BLISS_CARDS, strict=False)}
    slots |= {slot: {"emotion": name} for slot, name in zip(gloom, GLOOM_CARDS, strict=False)}
    return table(slots=slots, **parts)


def test_r_asp_ex_the_printed_example() -> None:
    position = on(
        ("valley.2", "valley-cradle", "cradle.1", "cradle.2", "willow.1"),
        ("network-land", "land.1", "land.2", "willow.2"),
        fortresses={"cradle": {"team": "bliss", "fragment": "minor"}},
    )
    assert counted("unity", position) == (4, 3)
    assert counted("awareness", position) == (3, 3)
    assert counted("attitude", position) == (2, 2)


def test_r_asp_1_attitude_counts_realms_and_a_fortress_alone_holds_one() -> None:
    position = on(("valley.1",), fortresses={"land": {"team": "gloom", "fragment": "minor"}})
    assert counted("attitude", position) == (1, 1)


def test_r_asp_2_awareness_counts_a_triad_for_both_teams() -> None:
    assert counted("awareness", on(("valley.2", "cradle.1"), ("valley-cradle", "land.2"))) == (1, 2)


@pytest.mark.parametrize(
    ("slots", "length"),
    [
        (("valley.1", "valley.2"), 2),
        (("willow-valley", "valley.1"), 2),
        (("willow.2", "willow-valley", "valley.1", "valley.2"), 4),
        (("valley.1", "valley-cradle"), 1),
        (("valley.1", "cradle.1", "cradle.2"), 2),
        ((), 0),
    ],
)
def test_r_asp_3_unity_counts_the_longest_chain_round_the_ring(slots: tuple[str, ...], length: int) -> None:
    assert counted("unity", on(slots)) == (length, 0)


def test_r_asp_3_a_whole_ring_is_a_chain_of_fifteen() -> None:
    assert counted("unity", table(slots={slot: {"emotion": "trust"} for slot in SLOTS})) == (15, 0)


def test_r_asp_4_openness_counts_frontiers_without_fortresses() -> None:
    position = on(
        ("valley.2", "cradle.1"), ("land.1",), fortresses={"willow": {"team": "bliss", "fragment": "major"}}
    )
    assert counted("openness", position) == (1, 1)


def test_r_asp_5_fortitude_counts_a_major_fortress_twice() -> None:
    fortresses = {
        "valley": {"team": "bliss", "fragment": "major"},
        "land": {"team": "gloom", "fragment": "minor"},
    }
    assert counted("fortitude", table(fortresses=fortresses)) == (2, 1)


def test_r_asp_6_liveliness_counts_essence_on_emotions_only() -> None:
    slots = {"valley.1": {"emotion": "kindness", "essence": 3}, "land.1": {"emotion": "anger", "essence": 2}}
    assert counted("liveliness", table({"essence": 9}, slots=slots)) == (3, 2)


@pytest.mark.parametrize(("ruling", "shown"), [(False, 2), (True, 4)])
def test_r_asp_7_versatility_counts_colours_and_starting_emotions_by_ruling(ruling: bool, shown: int) -> None:  # noqa: FBT001
    slots = {
        "valley.1": {"emotion": "kindness"},
        "valley.2": {"emotion": "desire"},
        "land.1": {"emotion": "courage"},
        "land.2": {"emotion": "brightness"},
        "willow.1": {"emotion": "brightness"},
    }
    position = table(slots=slots, rulings={"starting-emotions-show-vibe": ruling})
    assert counted("versatility", position) == (shown, 0)


def test_r_asp_8_sensibility_counts_the_strongest_emotion_its_token_included() -> None:
    slots = {
        "valley.1": {"emotion": "kindness", "essence": 1, "intensity_token": 3},
        "land.1": {"emotion": "dislike", "essence": 3},
        "land.2": {"emotion": "mistrust", "essence": 3},
    }
    assert counted("sensibility", table(slots=slots)) == (4, 3)


def test_r_asp_8_any_emotion_is_more_than_none() -> None:
    slots = {"valley.1": {"emotion": "kindness"}}
    position = table(slots=slots)
    assert count(position, "sensibility", CARDS).led_by("bliss") is True
    assert count(table(), "sensibility", CARDS).led_by("bliss") is False


def test_r_asp_9_reflection_counts_a_realm_with_the_frontier_across() -> None:
    assert [opposite(realm) for realm in REALMS] == [
        "network-land", "land-willow", "willow-valley", "valley-cradle", "cradle-network",
    ]  # fmt: skip
    assert counted("reflection", on(("valley.1", "network-land"), ("willow.1",))) == (2, 0)
    assert counted("reflection", on(("valley.1",), ("network-land",))) == (0, 0)


def test_r_rev_3_a_tie_is_led_by_nobody() -> None:
    found = count(on(("valley.1",), ("land.1",)), "attitude", CARDS)
    assert [found.led_by(team) for team in TEAMS] == [False, False]


def test_an_unknown_intensity_leaves_open_only_what_hangs_on_it() -> None:
    slots = {"valley.1": {"emotion": "kindness"}, "valley.2": {"emotion": "suspicion"}}
    found = count(table(slots=slots), "attitude", CARDS)
    assert [found.led_by(team) for team in TEAMS] == [None, None]
    assert [missing.name for missing in found.missing] == ["suspicion.intensity"]
    lead = {
        "cradle.1": {"emotion": "trust"},
        "land.1": {"emotion": "trust"},
    }
    sure = count(table(slots=slots | lead), "attitude", CARDS)
    assert [sure.led_by(team) for team in TEAMS] == [True, False]


# A second count, from the slot numbers of R-BOARD-9 and nothing else


def _number(slot: int, position: Position, team: Team) -> int | None:
    """The Intensity of a team's card in a slot by its number; None without one."""
    emotion = position.slots.get(SLOT_BY_NUMBER[slot % 15])
    if emotion is None or CARDS.cards[emotion.name].team != team:
        return None
    printed = CARDS.cards[emotion.name].intensity
    assert printed is not None
    return printed[emotion.essence - 1] + emotion.intensity_token


# Frontier f owns number 3f + 1, Realm r the numbers 3r - 1 and 3r.
SLOT_BY_NUMBER = {3 * f + 1: name for f, name in enumerate(FRONTIERS)}
SLOT_BY_NUMBER |= {(3 * r - 1) % 15: f"{name}.1" for r, name in enumerate(REALMS)}
SLOT_BY_NUMBER |= {3 * r: f"{name}.2" for r, name in enumerate(REALMS)}


def _holder(sums: dict[Team, int]) -> Team | None:
    if sums["bliss"] == sums["gloom"]:
        return None
    return "bliss" if sums["bliss"] > sums["gloom"] else "gloom"


def recounted_realm(r: int, position: Position) -> Team | None:
    sums: dict[Team, int] = {"bliss": 0, "gloom": 0}
    for team, enemy in (TEAMS, TEAMS[::-1]):
        for inner, outer in ((3 * r - 1, 3 * r - 2), (3 * r, 3 * r + 1)):
            sums[team] += _number(inner, position, team) or 0
            if _number(inner, position, enemy) is None:
                sums[team] += _number(outer, position, team) or 0
    fortress = position.fortresses.get(REALMS[r])
    if fortress is not None:
        sums[fortress.team] += 2 if fortress.fragment == "major" else 1
    return _holder(sums)


def recounted_frontier(f: int, position: Position) -> Team | None:
    found = {team: [_number(3 * f + i, position, team) for i in range(3)] for team in TEAMS}
    there = [team for team in TEAMS if found[team] != [None] * 3]
    if len(there) == 1:
        return there[0]
    return _holder({team: sum(n or 0 for n in numbers) for team, numbers in found.items()})


def _recounted(aspiration: str, position: Position, team: Team) -> int:
    realms = [recounted_realm(r, position) == team for r in range(5)]
    frontiers = [recounted_frontier(f, position) == team for f in range(5)]
    held = [_number(slot, position, team) is not None for slot in range(15)]
    own = [e for e in position.slots.values() if CARDS.cards[e.name].team == team]
    if aspiration == "attitude":
        return sum(realms)
    if aspiration == "openness":
        return sum(frontiers)
    if aspiration == "reflection":
        return sum(realms[r] and frontiers[(r + 2) % 5] for r in range(5))
    if aspiration == "awareness":
        return sum(any(held[3 * f : 3 * f + 3]) for f in range(5))
    if aspiration == "unity":
        runs = ((n, start) for n in range(16) for start in range(15))
        return max(n for n, start in runs if all(held[(start + i) % 15] for i in range(n)))
    if aspiration == "liveliness":
        return sum(emotion.essence for emotion in own)
    if aspiration == "versatility":
        return len({CARDS.cards[e.name].vibe for e in own} - {None})
    if aspiration == "fortitude":
        return sum(1 + (f.fragment == "major") for f in position.fortresses.values() if f.team == team)
    return max((_number(slot, position, team) or 0 for slot in range(15)), default=0)


def _known(position: Position) -> bool:
    return all(CARDS.cards[emotion.name].intensity for emotion in position.slots.values())


@settings(deadline=None, max_examples=150)
@given(positions())
def test_control_and_aspirations_equal_a_recount_by_slot_numbers(position: Position) -> None:
    if not _known(position):
        return
    for i in range(5):
        assert realm_control(position, REALMS[i], CARDS).team == recounted_realm(i, position)
        assert frontier_control(position, FRONTIERS[i], CARDS).team == recounted_frontier(i, position)
    for aspiration in CARDS.aspirations:
        found = count(position, aspiration, CARDS)
        assert (found.bliss, found.gloom) == tuple(_recounted(aspiration, position, team) for team in TEAMS)


@settings(deadline=None, max_examples=100)
@given(positions())
def test_whoever_is_sure_to_hold_a_place_is_the_only_one_who_could(position: Position) -> None:
    for control in (
        *(realm_control(position, realm, CARDS) for realm in REALMS),
        *(frontier_control(position, frontier, CARDS) for frontier in FRONTIERS),
    ):
        if control.missing:
            assert len(control.possible) > 1
            assert control.team is None
        else:
            assert control.possible == (control.team,)
