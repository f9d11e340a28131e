"""Powers of Spirits and sides B: what is in reach, what is kept, what an upgrade of one's own does."""

from dataclasses import replace
from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.rules.accounts import describe
from companion.rules.actions import Invoke, Move, Quell
from companion.rules.board import FRONTIERS, REALMS, SLOTS, SPACES, SPHERES, slots_beside, triad
from companion.rules.derived import Derived
from companion.rules.engine import check, judged, legal_actions
from companion.rules.position import Emotion, Position
from companion.rules.reach import protector, slots_reached, spheres_reached
from companion.rules.remedy import remedy
from companion.scenario.notation import action_from, action_to
from tests.rules.tables import CARDS, judge, table
from tests.strategies import positions
from tests.whole_space import whole_space

SLOW = settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
KNOWN = {"bliss": ("delight", "empathy", "empathy"), "gloom": ("misery", "anxiety", "malice")}


@st.composite
def spirited(draw: st.DrawFn) -> Position:
    """Positions with Spirits whose powers are known, sides B, and little in the hand: a small whole space."""
    position = draw(positions())
    for player in position.players.values():
        spirit = draw(st.sampled_from(KNOWN[player.team]))
        side: Literal["a", "b"] = "b" if draw(st.booleans()) else "a"
        position = position.with_player(replace(player, spirit=spirit, side=side, hand=player.hand[:1]))
    rulings = {"spirit-powers-in-basic": draw(st.booleans()), "assumed-threshold": 2}
    return replace(position, rulings=rulings)


@SLOW
@given(spirited())
def test_the_legal_list_is_the_whole_space_less_what_is_illegal(position: Position) -> None:
    """R-POWER-6, R-COMP-2."""
    titles = tuple(title for title in position.actor.hand if title != "*") or ("anger", "courage")
    listed = [a for a, _ in legal_actions(position, CARDS) if _names_only(a, (*titles, "bleakness"))]
    assert len(set(map(repr, listed))) == len(listed)
    derived = Derived(position, CARDS)
    space = whole_space(position, CARDS, (*titles, "bleakness"))
    legal = {repr(action) for action in space if judged(derived, action).status == "legal"}
    assert {repr(action) for action in listed} == legal


def _names_only(action: object, titles: tuple[str, ...]) -> bool:
    named = [getattr(action, "emotion", None), getattr(action, "reveal", None)]
    named.append(getattr(getattr(action, "place", None), "discard", None))
    return all(title is None or title in titles for title in named)


@SLOW
@given(spirited())
def test_no_trade_of_spaces_loses_a_figure(position: Position) -> None:
    """R-COMP-2: the figures stand on the same spaces afterwards, and no third one moves."""
    for action, verdict in legal_actions(position, CARDS, placing=False):
        if not isinstance(action, Move) or "switcheroo" not in action.upgrades:
            continue
        then = verdict.after
        assert then is not None
        before = sorted(str(player.at) for player in position.players.values())
        assert sorted(str(player.at) for player in then.players.values()) == before
        moved = [n for n, player in position.players.items() if then.players[n].at != player.at]
        assert len(moved) == 2
        assert position.turn.player in moved
        assert "trades spaces with" in describe(position, action, then, CARDS)
        assert action_from(action_to(action), CARDS) == action


# Reach


def _of(spirit: str, at: str | None) -> Position:
    team = CARDS.spirits[spirit].team
    return table({"team": team, "spirit": spirit, "at": at} if at else {"team": team, "spirit": spirit})


@pytest.mark.parametrize("frontier", FRONTIERS)
def test_r_power_6_malice_reaches_the_whole_triad_from_a_frontier(frontier: str) -> None:
    position = _of("malice", frontier)
    assert set(slots_reached(position, position.actor, "quell", CARDS)) == set(triad(frontier))


@pytest.mark.parametrize("realm", REALMS)
def test_r_power_6_malice_reaches_the_frontier_slots_beside_its_realm(realm: str) -> None:
    position = _of("malice", realm)
    i = SLOTS.index(f"{realm}.1")
    around = {SLOTS[i - 1], SLOTS[i], SLOTS[i + 1], SLOTS[(i + 2) % len(SLOTS)]}
    assert set(slots_reached(position, position.actor, "quell", CARDS)) == around
    for action in ("invoke", "empower", "land"):
        assert slots_reached(position, position.actor, action, CARDS) == slots_beside(realm)


@pytest.mark.parametrize("space", SPACES)
def test_r_power_6_misery_reaches_three_or_four_spheres(space: str) -> None:
    position = _of("misery", space)
    reached = spheres_reached(position, position.actor, CARDS)
    adjacent = [sphere for sphere, fortress in reached.items() if fortress]
    assert len(adjacent) == (2 if space in FRONTIERS else 1)
    assert len(reached) == len(adjacent) + 2
    places = sorted(SPHERES.index(sphere) for sphere in reached)
    gaps = [(b - a) % 5 for a, b in zip(places, [*places[1:], places[0]], strict=True)]
    assert gaps.count(1) == len(reached) - 1


def test_who_is_not_on_the_board_reaches_nothing() -> None:
    for spirit in ("malice", "misery"):
        player = replace(_of(spirit, "valley").actor, at=None)
        position = _of(spirit, "valley").with_player(player)
        assert slots_reached(position, player, "quell", CARDS) == ()
        assert spheres_reached(position, player, CARDS) == {}


@pytest.mark.parametrize("space", SPACES)
def test_r_power_6_empathy_keeps_bliss_and_nobody_else(space: str) -> None:
    eve = {"team": "bliss", "spirit": "empathy", "at": space}
    position = table({"team": "gloom", "spirit": "hatred", "at": "valley"}, players={"eve": eve})
    here = slots_beside(space)
    places = {SLOTS.index(slot) for slot in here}
    near = {SLOTS[(i + step) % 15] for i in places for step in (-1, 0, 1)}
    for slot in SLOTS:
        lying = position.with_slot(slot, Emotion("brightness"))
        assert (protector(lying, lying.actor, "quell", slot, CARDS) is not None) == (slot in near)
        own = position.with_slot(slot, Emotion("bleakness"))
        assert protector(own, own.actor, "quell", slot, CARDS) is None
        assert protector(lying, lying.actor, "empower", slot, CARDS) is None


def test_spirit_powers_in_the_basic_game_are_the_tables_ruling() -> None:
    """R-BASIC-8, OQ-15."""
    position = replace(_of("malice", "valley"), mode="basic")
    assert len(slots_reached(position, position.actor, "quell", CARDS)) == 4
    off = replace(position, rulings={"spirit-powers-in-basic": False})
    assert slots_reached(off, off.actor, "quell", CARDS) == ("valley.1", "valley.2")
    full = replace(off, mode="full")
    assert len(slots_reached(full, full.actor, "quell", CARDS)) == 4


def test_invoking_bleakness_takes_no_card_and_shows_none() -> None:
    """R-POWER-6: an unknown card in the hand is not the Bleakness that comes out of the supply."""
    position = _of("anxiety", "valley")
    verdict = check(position, Invoke("bleakness", "valley.1"), CARDS)
    assert verdict.after is not None
    assert verdict.after.actor.hand == position.actor.hand
    assert verdict.cost.essence == 1


def test_a_refused_quell_near_empathy_says_who_keeps_it() -> None:
    eve = {"team": "bliss", "spirit": "empathy", "at": "valley"}
    otto = {"team": "gloom", "spirit": "hatred", "at": "valley", "hand": ["*"]}
    position = table(otto, players={"eve": eve}, teams={"gloom": {"ambition": 3}})
    lying = position.with_slot("valley.1", Emotion("brightness"))
    verdict = check(lying, Quell("valley.1", "anger"), CARDS)
    assert verdict.rules == ("R-POWER-6",)
    text = "Brightness lies too near to Empathy's figure: nobody can quell it there."
    assert verdict.refusals[0].text == text


# Side B


def _eve(**parts: object) -> Position:
    eve = {"team": "bliss", "spirit": "empathy", "side": "b", "at": "valley", "willpower": 9, **parts}
    otto = {"team": "gloom", "spirit": "hatred", "at": "network"}
    return table(eve, players={"otto": otto}, teams={"bliss": {"ambition": 3}})


def test_a_way_out_says_what_an_upgrade_of_side_b_does() -> None:
    """R-COMP-2."""
    position = _eve(vibes={"move": ["wild", "", "", "red"]}, hand=[])
    way = remedy(position, Move("network"), CARDS)
    assert way is not None
    assert way.action == Move("network", upgrades=("switcheroo",))
    assert way.text == "Switcheroo trades spaces with another Spirit: 2 Willpower."


def test_the_account_of_a_trade_names_both() -> None:
    position = _eve(vibes={"move": ["wild", "", "", "red"]})
    action = Move("network", upgrades=("switcheroo",))
    after = check(position, action, CARDS).after
    assert after is not None
    name = position.turn.player.capitalize()
    words = f"{name} trades spaces with Otto and stands in the Network with Switcheroo"
    assert describe(position, action, after, CARDS) == words


def test_side_b_costs_are_its_own_and_a_token_pays_none_of_side_as() -> None:
    """R-COMP-2, R-UPG-1: the second space of Quell is Subdue on both sides, the last one Conversion."""
    position = _eve(vibes={"quell": ["wild", "", "", "red"]}, at="valley", hand=["*"])
    position = position.with_slot("valley.1", Emotion("bleakness"))
    quells = [a for a, _ in legal_actions(position, CARDS, placing=False) if isinstance(a, Quell)]
    assert {upgrade for quell in quells for upgrade in quell.upgrades} == {"conversion"}
    verdict = judge(position, "quell", slot="valley.1", reveal="courage", upgrades=["conversion"])
    assert verdict.cost.willpower == 2
