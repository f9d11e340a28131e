"""Powers of Emotions in the engine: areas, costs, what follows on an Action, what is left to choose."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.rules.accounts import describe
from companion.rules.actions import Action, EndTurn, Invoke, Quell, UsePower
from companion.rules.areas import AROUND_FIGURE, AROUND_SLOT
from companion.rules.board import FRONTIERS, REALMS, SLOTS, SPACES, triad
from companion.rules.engine import check, legal_actions
from companion.rules.position import HIDDEN, Mode, Pending, Position
from companion.rules.verdict import Cost
from companion.scenario.files import overlaid
from companion.scenario.invariants import broken
from companion.scenario.notation import action_from, position_from, position_to
from companion.scenario.random_play import assumed, chosen, opening
from tests.rules.tables import CARDS, FULL_ROW, NILS, OTTO, after, judge, table
from tests.strategies import actions, plain_space, positions

# Areas


@pytest.mark.parametrize("slot", SLOTS)
def test_areas_around_a_card(slot: str) -> None:
    """R-BOARD-7, R-BOARD-8: counted along the ring, worked out here by distance."""

    def apart(other: str) -> int:
        steps = abs(SLOTS.index(slot) - SLOTS.index(other))
        return min(steps, len(SLOTS) - steps)

    assert AROUND_SLOT["beside", slot] == {other for other in SLOTS if apart(other) == 1}
    assert AROUND_SLOT["near", slot] == {other for other in SLOTS if apart(other) <= 2}
    realm = slot.split(".", maxsplit=1)[0]
    assert AROUND_SLOT["realm", slot] == ({f"{realm}.1", f"{realm}.2"} if realm in REALMS else set())
    [own] = [frontier for frontier in FRONTIERS if slot in triad(frontier)]
    assert AROUND_SLOT["triad", slot] == set(triad(own))
    assert len(AROUND_SLOT["anywhere", slot]) == 15


@pytest.mark.parametrize("space", SPACES)
def test_areas_around_a_figure(space: str) -> None:
    """R-BOARD-10, R-POWER-6: from a Frontier its Triad is near, from a Realm its slots and two Frontiers."""
    near = AROUND_FIGURE["near", space]
    if space in FRONTIERS:
        assert AROUND_FIGURE["beside", space] == {space}
        assert near == AROUND_FIGURE["triad", space] == set(triad(space))
        assert AROUND_FIGURE["realm", space] == set()
    else:
        own = {f"{space}.1", f"{space}.2"}
        assert AROUND_FIGURE["beside", space] == AROUND_FIGURE["realm", space] == own
        assert near == own | {f for f in FRONTIERS if space in f.split("-")}


# Costs


def _quell(position: Position, slot: str = "valley.1", **more: Any) -> Any:
    return judge(position, "quell", slot=slot, upgrades=["extinguish", "determination"], **more)


def test_a_surcharge_is_added_after_determination_and_never_falls_below_nothing() -> None:
    """R-UPG-5: Determination takes 1 off the whole; a cheaper Action costs 0 at least (R-POWER-7)."""
    slots = {"valley.1": {"emotion": "dislike"}, "land.1": {"emotion": "kindness"}}
    cheap = {"kindness": {"power": {"effects": [_cost("quell", payer="team", willpower=-9)]}}}
    assert _quell(table(slots=slots)).cost == Cost(2, 0, 1)
    assert _quell(table(slots=slots), pack=cheap).cost == Cost(0, 0, 1)


def _cost(*actions: str, **keys: Any) -> dict[str, Any]:
    return {"kind": "cost", "actions": list(actions), **keys}


def test_what_a_power_makes_affordable_is_in_the_legal_list() -> None:
    """R-POWER-7: a player without Willpower quells for nothing."""
    slots = {"valley.1": {"emotion": "dislike"}, "land.1": {"emotion": "kindness"}}
    cards = overlaid(
        CARDS, {"kindness": {"power": {"effects": [_cost("quell", payer="team", willpower=-2)]}}}
    )
    position = table({"willpower": 0, "hand": ["kindness"]}, slots=slots)
    quells = [
        action for action, _ in legal_actions(position, cards, placing=False) if isinstance(action, Quell)
    ]
    assert Quell("valley.1", "kindness") in quells
    assert not any(isinstance(action, Quell) for action, _ in legal_actions(position, CARDS, placing=False))


def test_both_rules_are_named_and_the_sentence_says_which_card_it_is() -> None:
    """R-POWER-4 stands beside R-TURN-8; the card is named once, however many copies there are."""
    slots = {"valley.1": {"emotion": "kindness"}, "willow-valley": {"emotion": "safety"}}
    otto = OTTO | {"at": "valley", "willpower": 3, "vibes": {"quell": FULL_ROW}}
    teams = {"gloom": {"ambition": 1}}
    position = position_from({"players": {"otto": otto}, "slots": slots, "teams": teams}, CARDS)
    verdict = judge(position, "quell", slot="valley.1", upgrades=["extinguish"])
    assert verdict.rules == ("R-TURN-8", "R-POWER-4")
    assert verdict.refusals[-1].text == "Safety: this costs 2 Willpower more, and Otto can't pay it."


def test_essence_asked_for_at_another_action_is_short_by_the_general_rule() -> None:
    """R-TURN-8 and R-POWER-4, for a Move that costs opponents an Essence."""
    pack = {"anger": {"power": {"effects": [_cost("move", essence=1, ambition=1)]}}}
    position = table({"essence": 0}, slots={"land.1": {"emotion": "anger"}})
    assert set(judge(position, "move", to="valley-cradle", pack=pack).rules) == {"R-TURN-8", "R-POWER-4"}
    rich = table({"essence": 1}, slots={"land.1": {"emotion": "anger"}})
    verdict = judge(rich, "move", to="valley-cradle", pack=pack)
    assert verdict.cost == Cost(1, 1, 1)
    assert verdict.after is not None
    assert verdict.after.players["diana"].essence == 0


def test_the_unknown_power_of_a_card_makes_nothing_unknown() -> None:
    """Contracts, section 3: the table applies it by itself."""
    position = table({"hand": ["kindness"]}, slots={"valley.2": {"emotion": "anger"}})
    assert CARDS.cards["kindness"].power is CARDS.cards["anger"].power is None
    assert judge(position, "invoke", emotion="kindness", slot="valley.1").status == "legal"


def test_a_power_that_asks_for_essence_is_not_named_where_willpower_is_short() -> None:
    """R-POWER-4 is named for what the power asks for, and not for what is short without it."""
    slots = {"willow-valley": {"emotion": "fear"}}
    position = table({"willpower": 1, "essence": 2, "hand": ["kindness"]}, slots=slots)
    assert judge(position, "invoke", emotion="kindness", slot="valley.1").rules == ("R-TURN-8",)
    pack = {"fear": {"power": {"effects": [_cost("quell", willpower=1)]}}}
    enemy = slots | {"valley.1": {"emotion": "anger"}}
    poor = table({"hand": []}, slots=enemy, teams={"bliss": {"ambition": 0}})
    refused = judge(poor, "quell", slot="valley.1", upgrades=["extinguish"], pack=pack)
    assert refused.rules == ("R-AMB-3",)


def test_what_is_open_in_powers_is_listed_once_however_often_it_is_open() -> None:
    """R-POWER-1: the earliest of several is settled first, so there is one way to say it."""
    trust = {"action": "power", "team": "bliss", "power": "trust"}
    shame = {"action": "power", "team": "gloom", "power": "shame"}
    slots = {"land.1": {"emotion": "courage"}, "land.2": {"emotion": "anger"}}
    position = table(players={"otto": OTTO}, slots=slots, turn={"pending": [trust, shame, trust, shame]})
    listed = [action for action, _ in legal_actions(position, CARDS) if isinstance(action, UsePower)]
    assert listed == [
        UsePower("trust", slot="land.1"),
        UsePower("trust", decline=True),
        *(UsePower("shame", to="otto", gain=gain) for gain in ("essence", "willpower", "cards")),
        UsePower("shame", decline=True),
    ]


def test_a_choice_in_an_effect_that_the_power_does_not_have_is_none() -> None:
    """R-POWER-1: a card pack may have changed since; nothing is asked, nobody is held up."""
    pending = [{"action": "power", "team": "gloom", "power": "boredom", "effect": 2}]
    position = table(players={"otto": OTTO}, turn={"pending": pending})
    assert judge(position, "power", power="boredom", to="otto").rules == ("R-POWER-1",)
    assert judge(position, "end-turn", gain="cards").status == "legal"
    assert not any(isinstance(action, UsePower) for action, _ in legal_actions(position, CARDS))


# What follows


def test_two_effects_of_one_power_are_told_apart_while_they_are_open() -> None:
    """R-POWER-1: the second effect asks, and it is that one which is settled."""
    effects = [
        {"kind": "gain", "on": "enters", "gain": {"willpower": 5}},
        {"kind": "gain", "on": "enters", "optional": True, "choose": [{"cards": 1}, {"essence": 2}]},
    ]
    cards = overlaid(CARDS, {"kindness": {"power": {"effects": effects}}})
    position = table({"hand": ["kindness"]})
    then = check(position, Invoke("kindness", "valley.1"), cards).after
    assert then is not None
    assert then.turn.pending == (Pending("power", "bliss", power="kindness", effect=2),)
    assert then.players["diana"].willpower == 9 - 2 + 5
    assert position_from(position_to(then), cards) == then
    settled = check(then, UsePower("kindness", gain="essence"), cards).after
    assert settled is not None
    assert settled.players["diana"].essence == 3 - 1 + 2


def test_powers_do_not_set_off_each_other() -> None:
    """R-POWER-1: Craving looks at the Ambition when the Action is over, before any power gives some."""
    pack = {"anger": {"power": {"effects": [{"kind": "gain", "on": "action", "gain": {"ambition": 1}}]}}}
    otto = OTTO | {"willpower": 9, "essence": 2, "hand": ["craving"], "vibes": {"invoke": FULL_ROW}}
    position = position_from({"players": {"otto": otto}, "slots": {"cradle.1": {"emotion": "anger"}}}, CARDS)
    verdict = judge(position, "invoke", emotion="craving", slot="land.1", pack=pack)
    assert verdict.after is not None
    assert verdict.after.teams["gloom"].ambition == 1
    assert verdict.after.turn.actions_left == 3


def test_a_revelation_leaves_the_choices_in_powers_open() -> None:
    """R-TURN-7, R-POWER-1: Shame's choice is still there after the Revelation and its steps."""
    pending = [{"action": "power", "team": "gloom", "power": "shame"}]
    position = table(
        players={"otto": OTTO},
        turn={"pending": pending, "number": 5},
        origin={"willpower": {"commitment": 2}},
        aspirations={"common": ["unity", "attitude"]},
    )
    shown = after(position, "absorb", sphere="commitment", bonus=False)
    assert [item.action for item in shown.turn.pending] == ["reveal", "reveal", "power"]
    refused = judge(shown, "power", power="shame", to="otto", gain="essence")
    assert refused.rules == ("R-TURN-7",)
    for team in ("bliss", "gloom"):
        shown = after(shown, "reveal", team=team, aspiration="openness")
    assert shown.turn.pending[-1] == Pending("power", "gloom", power="shame")
    assert judge(shown, "power", power="shame", to="otto", gain="essence").status == "legal"


def test_a_choice_in_a_power_that_nobody_can_make_holds_up_nobody() -> None:
    """R-POWER-1: no Gloom player is listed, so there is nobody to give Boredom's Willpower to."""
    pending = [{"action": "power", "team": "gloom", "power": "boredom"}]
    assert judge(table(turn={"pending": pending}), "end-turn", gain="cards").status == "legal"
    waiting = table(players={"otto": OTTO}, turn={"pending": pending})
    assert judge(waiting, "end-turn", gain="cards").rules == ("R-POWER-1",)


def test_a_power_without_an_owner_at_the_table_gives_nothing() -> None:
    """R-POWER-1: Boredom lies there, and only Bliss is listed."""
    position = table(slots={"land.1": {"emotion": "boredom"}})
    assert after(position, "move", to="cradle", upgrades=["haste"]).turn.pending == ()


def test_essence_on_a_card_whose_spaces_nobody_knows_is_asked_for() -> None:
    """R-DESIRE-3: the printed track decides, so it is unknown and not illegal."""
    pack = {"anger": {"power": {"effects": [{"kind": "add-essence"}]}}}
    cards = overlaid(CARDS, pack)
    otto = OTTO | {"essence": 2}
    pending = [{"action": "power", "team": "gloom", "power": "anger"}]
    slots = {"valley.1": {"emotion": "suspicion"}}
    position = position_from({"players": {"otto": otto}, "slots": slots, "turn": {"pending": pending}}, cards)
    verdict = check(position, UsePower("anger", slot="valley.1"), cards)
    assert [item.name for item in verdict.missing] == ["suspicion.intensity"]


# Words

TOLD: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (
        {"slots": {"land.1": {"emotion": "boredom"}}, "players": {"otto": OTTO}},
        {"action": "move", "to": "cradle", "upgrades": ["haste"]},
        "Diana moves to the Cradle with Haste; Boredom gives Otto 1 Willpower",
    ),
    (
        {"slots": {"land.1": {"emotion": "boredom"}}, "players": {"otto": OTTO, "nils": NILS}},
        {"action": "move", "to": "cradle", "upgrades": ["haste"]},
        "Diana moves to the Cradle with Haste; Boredom offers Gloom 1 Willpower",
    ),
    (
        {
            "slots": {"valley.1": {"emotion": "anger"}, "land.1": {"emotion": "shame"}},
            "players": {"otto": OTTO},
        },
        {"action": "quell", "slot": "valley.1", "upgrades": ["extinguish"]},
        (
            "Diana quells Anger in the left Valley slot with Extinguish: it leaves the board; "
            "Shame offers Gloom 1 Essence or 2 Willpower or 1 card"
        ),
    ),
    (
        {"diana": {"hand": ["trust"]}},
        {"action": "invoke", "emotion": "trust", "slot": "valley.1"},
        (
            "Diana invokes Trust into the left Valley slot with 1 Essence; "
            "Trust lets Diana add Essence to an Emotion"
        ),
    ),
    (
        {"slots": {"valley.1": {"emotion": "kindness", "essence": 2}, "land.1": {"emotion": "faith"}}},
        {"action": "empower", "slot": "valley.1"},
        "Diana empowers Kindness: it becomes Benevolence with 2 Essence; Faith gives Diana 1 more Action",
    ),
]


@pytest.mark.parametrize(("parts", "do", "told"), TOLD)
def test_the_account_of_an_action_says_what_powers_did(
    parts: dict[str, Any], do: dict[str, Any], told: str
) -> None:
    parts = dict(parts)
    position = table(parts.pop("diana", None), **parts)
    action = action_from(do)
    then = check(position, action, CARDS).after
    assert then is not None
    assert describe(position, action, then, CARDS) == told


GLOOM_TOLD: list[tuple[str, dict[str, Any], str]] = [
    (
        "pessimism",
        {"land.1": {"emotion": "courage", "essence": 3}},
        "; Pessimism has an Intensity token of +1",
    ),
    ("pessimism", {}, ""),
    ("craving", {}, "; Craving gives Otto 1 more Action"),
]


@pytest.mark.parametrize(("emotion", "slots", "told"), GLOOM_TOLD)
def test_the_account_of_an_invoke_of_gloom(emotion: str, slots: dict[str, Any], told: str) -> None:
    otto = OTTO | {
        "at": "valley",
        "willpower": 9,
        "essence": 2,
        "hand": [emotion],
        "vibes": {"invoke": FULL_ROW},
    }
    position = position_from({"players": {"otto": otto}, "slots": slots}, CARDS)
    action = Invoke(emotion, "valley.1")
    then = check(position, action, CARDS).after
    assert then is not None
    said = describe(position, action, then, CARDS)
    assert said == f"Otto invokes {emotion.capitalize()} into the left Valley slot with 1 Essence{told}"


def test_the_account_of_a_fortress_that_lethargy_lowers() -> None:
    position = position_from(
        {
            "players": {"otto": OTTO | {"at": "valley", "willpower": 9, "vibes": {"empower": FULL_ROW}}},
            "slots": {"valley.1": {"emotion": "bitterness", "essence": 2}},
            "fortresses": {"valley": {"team": "bliss", "fragment": "major"}},
            "rulings": {"assumed-threshold": 2},
        },
        CARDS,
    )
    action = action_from({"action": "empower", "slot": "valley.1"})
    then = check(position, action, CARDS).after
    assert then is not None
    assert describe(position, action, then, CARDS).endswith(
        "; Lethargy lowers the Fortress in the Valley: a Minor Fragment is left"
    )


USED: list[tuple[dict[str, Any], str]] = [
    ({"power": "shame", "to": "otto", "gain": "willpower"}, "Shame gives Otto 2 Willpower"),
    ({"power": "shame", "to": "otto", "gain": "cards"}, "Shame gives Otto 1 card"),
    ({"power": "shame", "decline": True}, "Shame is left unused"),
    (
        {"power": "trust", "slot": "land.1"},
        "Trust puts 1 Essence on Courage in the left Land slot: 2 on it now",
    ),
]


@pytest.mark.parametrize(("do", "told"), USED)
def test_the_account_of_a_choice_in_a_power(do: dict[str, Any], told: str) -> None:
    pending = [{"action": "power", "team": "gloom", "power": "shame"}]
    pending += [{"action": "power", "team": "bliss", "power": "trust"}]
    slots = {"land.1": {"emotion": "courage"}}
    position = table(players={"otto": OTTO}, slots=slots, turn={"pending": pending})
    action = action_from({"action": "power", **do})
    assert describe(position, action, after(position, "power", **do), CARDS) == told


# Whole games and whole lists with powers of every kind

PACK: dict[str, dict[str, Any]] = {
    "kindness": {
        "power": {"effects": [{"kind": "gain", "on": "enters", "choose": [{"cards": 1}, {"ambition": 1}]}]}
    },
    "courage": {"power": {"effects": [_cost("quell", "empower", payer="team", willpower=-1)]}},
    "comfort": {"power": {"effects": [_cost("fortify", "move", payer="any", willpower=1, ambition=0)]}},
    "desire": {"power": {"effects": [{"kind": "add-essence", "area": "near", "from": "supply"}]}},
    "optimism": {"power": {"effects": [{"kind": "absorb", "sphere": 1, "supply": 1, "area": "triad"}]}},
    "affection": {
        "power": {
            "effects": [
                {
                    "kind": "gain",
                    "on": "leaves",
                    "whose": "opponents",
                    "area": "near",
                    "gain": {"essence": 1},
                },
                {"kind": "gain", "on": "absorb", "least": 3, "optional": True, "gain": {"cards": 1}},
            ]
        }
    },
    "anger": {"power": {"effects": [{"kind": "absorb", "sphere": -1, "whose": "opponents"}]}},
    "guilt": {"power": {"effects": [_cost("invoke", "quell", area="realm", essence=1, ambition=1)]}},
    "dislike": {
        "power": {"effects": [{"kind": "fortress-down", "steps": 2}, {"kind": "intensity-token", "bonus": 4}]}
    },
    "mistrust": {
        "power": {
            "effects": [
                {
                    "kind": "gain",
                    "on": "action",
                    "whose": "opponents",
                    "actions": ["valley", "land"],
                    "gain": {"cards": 1},
                }
            ]
        }
    },
}
RICH = overlaid(assumed(CARDS), PACK)


SETUPS: list[tuple[int, Mode]] = [(4, "full"), (3, "full"), (2, "full"), (3, "basic")]


def test_games_by_chance_with_powers_of_every_kind_break_nothing() -> None:
    """R-POWER-1, R-POWER-4, R-POWER-5: pieces are kept, and there is always something to do."""
    used = {
        power
        for players, mode in SETUPS
        for seed in range(4)
        for power in _powers_used_in_a_game(seed, players, mode)
    }
    assert len(used) > 4


def _powers_used_in_a_game(seed: int, players: int, mode: Mode) -> Iterator[str]:
    dice = random.Random(seed)  # noqa: S311 # not for secrets
    position = opening(players, mode, dice, RICH)
    # With more to spend than at the start of a real game, more cards come into play.
    for player in position.players.values():
        rich = replace(player, willpower=20, essence=8, hand=(HIDDEN,) * 6)
        position = position.with_player(rich)
    for _ in range(1500):
        if position.result is not None:
            return
        was, found = position_to(position), chosen(position, RICH, dice)
        assert found is not None
        action, then = found
        assert list(broken(position, then, RICH, was)) == []
        assert describe(position, action, then, RICH)
        if isinstance(action, UsePower):
            yield action.power
        position = then
    pytest.fail("the game came to no end")


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(positions(), st.data())
def test_the_legal_list_is_what_check_says_with_powers_of_every_kind(
    position: Position, data: st.DataObject
) -> None:
    """R-POWER-7."""
    listed = [repr(action) for action, _ in legal_actions(position, RICH)]
    assert len(listed) == len(set(listed))
    legal = set(listed)
    tries: list[Action] = [*plain_space(position), *(data.draw(actions(position)) for _ in range(10))]
    for action in tries:
        assert (check(position, action, RICH).status == "legal") == (repr(action) in legal)


def test_the_end_of_a_turn_drops_what_is_optional() -> None:
    """R-POWER-1."""
    pending = [{"action": "power", "team": "bliss", "power": "trust"}]
    position = table(players={"otto": OTTO}, turn={"pending": pending})
    then = check(position, EndTurn("cards"), CARDS).after
    assert then is not None
    assert then.turn.pending == ()
