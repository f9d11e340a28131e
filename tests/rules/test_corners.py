"""Corners of single rules that no game comes to every day."""

import math
from dataclasses import replace
from typing import Any

import pytest

from companion.rules.aspirations import count
from companion.rules.board import FRONTIERS, SPACES, neighbours, realm_faced
from companion.rules.cards import Catalogue
from companion.rules.effects import AddsEssence, Gain, Power, Reaches, Rewards
from companion.rules.engine import check, legal_actions
from companion.rules.position import Emotion, Position
from companion.rules.verdict import Missing
from companion.scenario.notation import action_from
from tests.rules.tables import CARDS, OTTO, after, judge, table

MEASURED = {aspiration.measure: name for name, aspiration in CARDS.aspirations.items()}


def _card(name: str, **values: Any) -> Catalogue:
    return replace(CARDS, cards={**CARDS.cards, name: replace(CARDS.cards[name], **values)})


# What Aspirations count


@pytest.mark.parametrize(("ruling", "vibes"), [({}, 1), ({"starting-emotions-show-vibe": True}, 2)])
def test_a_starting_emotion_shows_a_vibe_only_by_ruling(ruling: dict[str, Any], vibes: int) -> None:
    """R-ASP-7, R-ASP-11."""
    slots = {"valley.1": {"emotion": "kindness"}, "valley.2": {"emotion": "brightness"}}
    found = count(table(slots=slots, rulings=ruling), MEASURED["distinct-vibes"], CARDS)
    assert (found.bliss, found.gloom) == (vibes, 0)


def test_no_team_shows_more_vibes_than_there_are() -> None:
    """R-ASP-7."""
    names = ("kindness", "confidence", "desire", "cheerfulness", "brightness", "brightness")
    slots = {
        slot: {"emotion": name}
        for slot, name in zip(
            ("valley.1", "valley.2", "land.1", "land.2", "cradle.1", "cradle.2"), names, strict=True
        )
    }
    position = table(slots=slots, rulings={"starting-emotions-show-vibe": True})
    assert count(position, MEASURED["distinct-vibes"], CARDS).bliss == 4


@pytest.mark.parametrize(
    ("slots", "bliss", "gloom", "lead"),
    [
        ({}, 0, 0, 0),
        ({"valley.1": {"emotion": "fear"}}, 0, 1, -2),
        ({"valley.1": {"emotion": "kindness"}}, 1, 0, 2),
        ({"valley.1": {"emotion": "kindness", "intensity_token": 3}, "land.1": {"emotion": "fear"}}, 4, 1, 3),
    ],
)
def test_a_team_without_emotions_is_below_any_intensity(
    slots: dict[str, Any], bliss: int, gloom: int, lead: int
) -> None:
    """R-ASP-8: no Emotion is less than an Emotion with an Intensity of 0."""
    found = count(table(slots=slots), MEASURED["max-single-intensity"], CARDS)
    assert (found.bliss, found.gloom, found.least, found.most, found.missing) == (
        bliss,
        gloom,
        lead,
        lead,
        (),
    )


def test_an_unknown_intensity_leaves_its_side_of_the_comparison_open() -> None:
    """R-ASP-8: what lies on the card as a token is known."""
    slots = {"valley.1": {"emotion": "kindness"}, "land.1": {"emotion": "fear", "intensity_token": 2}}
    found = count(table(slots=slots), MEASURED["max-single-intensity"], _card("fear", intensity=None))
    assert (found.bliss, found.gloom, found.least, found.most) == (1, 2, -math.inf, -1)
    assert found.missing == (Missing("fear", "intensity"),)
    other = count(table(slots=slots), MEASURED["max-single-intensity"], _card("kindness", intensity=None))
    assert (other.least, other.most, other.missing) == (-3, math.inf, (Missing("kindness", "intensity"),))


def test_what_can_not_make_a_pair_any_more_is_not_asked_for() -> None:
    """R-ASP-9: a Realm that is Bliss's and a Frontier that is not make no pair, whoever's the Frontier is."""
    slots = {
        "valley.1": {"emotion": "kindness", "essence": 2},
        "network.2": {"emotion": "fear"},
        "network-land": {"emotion": "anger", "intensity_token": 6},
        "land.1": {"emotion": "trust"},
    }
    found = count(
        table(slots=slots), MEASURED["opposite-realm-frontier-pairs"], _card("anger", intensity=None)
    )
    assert found.missing == ()


@pytest.mark.parametrize(
    ("rulings", "steps"), [({}, []), ({"fortress-counts-as-major": True}, [("return-common", "gloom")])]
)
def test_a_fortress_is_no_major_fragment_of_an_aspiration_but_by_ruling(
    rulings: dict[str, Any], steps: list[tuple[str, str]]
) -> None:
    """R-REV-6, R-REV-12: the other team takes a Common Aspiration out after a Major Fragment."""
    position = table(
        slots={"willow-valley": {"emotion": "fear", "essence": 2}},
        fortresses={"valley": {"team": "bliss", "fragment": "major"}},
        origin={"facing": "commitment", "willpower": {"commitment": 1}},
        aspirations={"common": ["liveliness", "openness", "unity"]},
        teams={"bliss": {"aspiration": "sensibility"}, "gloom": {"aspiration": "fortitude"}},
        players={"otto": OTTO},
        rulings=rulings,
    )
    then = after(position, "absorb", sphere="commitment", bonus=False)
    assert then.identity == ("gloom minor", "bliss major")
    assert [(item.action, item.team) for item in then.turn.pending if item.action == "return-common"] == steps


# Places


@pytest.mark.parametrize("space", SPACES)
def test_the_neighbours_of_a_space_in_ring_order(space: str) -> None:
    """R-BOARD-6."""
    place = SPACES.index(space)
    assert neighbours(space) == (SPACES[(place + 9) % 10], SPACES[(place + 11) % 10])


# Actions


def test_nobody_at_the_table_is_refused_like_anybody_out_of_turn() -> None:
    """R-TURN-1."""
    verdict = judge(table(), "move", to="willow-valley", player="zoe")
    assert (verdict.status, verdict.after) == ("illegal", None)
    assert [refusal.text for refusal in verdict.refusals] == ["It is Diana's turn, not Zoe's."]


def test_gloom_razes_fortresses_of_bliss() -> None:
    """R-FORT-9."""
    otto = OTTO | {"at": "valley", "willpower": 9, "vibes": {"fortify": ["wild", "wild", "wild", "wild"]}}
    position = table(players={"otto": otto}, turn={"player": "otto"}, teams={"gloom": {"ambition": 3}})
    verdict = judge(position, "fortify", realm="valley", upgrades=["raze"])
    assert "There is no Fortress of Bliss in the Valley to raze." in [r.text for r in verdict.refusals]


@pytest.mark.parametrize(
    ("upgrades", "essence", "lies"), [([], 1, 2), (["bolster"], 1, 3), (["inner-force"], 3, 2)]
)
def test_a_card_that_starts_with_two_essence_takes_two(upgrades: list[str], essence: int, lies: int) -> None:
    """R-INVOKE-3, R-INVOKE-6, R-INVOKE-7."""
    position = table({"hand": ["kindness"], "essence": 3})
    do = action_from({"action": "invoke", "emotion": "kindness", "slot": "valley.1", "upgrades": upgrades})
    cards = _card("kindness", starting_essence=2)
    then = check(position, do, cards).after
    assert then is not None
    assert (then.players["diana"].essence, then.slots["valley.1"]) == (essence, Emotion("kindness", lies))
    poor = check(position.with_player(replace(position.players["diana"], essence=1)), do, cards)
    words = [refusal.text for refusal in poor.refusals]
    assert words == ([] if upgrades == ["inner-force"] else ["Invoking takes 2 Essence; Diana has 1."])


# Powers


def _enters(effect: Any, slots: dict[str, Any], **diana: Any) -> Position:
    """Diana invokes Kindness with a power into the left Valley slot."""
    cards = _card("kindness", power=Power(effects=(effect,)))
    position = table({"hand": ["kindness"]} | diana, slots=slots, players={"otto": OTTO})
    do = action_from({"action": "invoke", "emotion": "kindness", "slot": "valley.1"})
    then = check(position, do, cards).after
    assert then is not None
    return then


def test_cards_that_a_power_gives_come_off_the_own_deck() -> None:
    """R-POWER-1, R-DECK-5."""
    then = _enters(Rewards(on="enters", gains=(Gain(cards=2),)), {})
    assert then.players["diana"].hand == ("*", "*")
    assert then.turn.pending == ()


@pytest.mark.parametrize(
    ("area", "targets"),
    [
        ("anywhere", {"valley.1", "valley.2", "land.1"}),
        ("beside", {"valley.1", "valley.2", "willow-valley"}),
        ("realm", {"valley.1", "valley.2"}),
    ],
)
def test_where_a_power_puts_essence(area: Any, targets: set[str]) -> None:
    """R-POWER-1, R-DESIRE-3: the card itself counts, an Emotion of the other team never does."""
    slots: dict[str, Any] = {
        "valley.2": {"emotion": "trust"},
        "land.1": {"emotion": "trust"},
        "land.2": {"emotion": "fear"},
    }
    if area == "beside":
        slots["willow-valley"] = {"emotion": "courage"}
    then = _enters(AddsEssence(essence=1, area=area), slots)
    [pending] = then.turn.pending
    assert (pending.power, pending.slot) == ("kindness", None if area == "anywhere" else "valley.1")
    cards = _card("kindness", power=Power(effects=(AddsEssence(essence=1, area=area),)))
    for slot in (*then.slots, "cradle.1"):
        do = action_from({"action": "power", "power": "kindness", "slot": slot})
        assert (check(then, do, cards).status == "legal") == (slot in targets), slot


def test_no_essence_is_offered_to_whoever_has_none() -> None:
    """R-POWER-1: only a real choice is asked for."""
    assert _enters(AddsEssence(essence=1), {}, essence=1).turn.pending == ()
    assert len(_enters(AddsEssence(essence=1, supply=True), {}, essence=1).turn.pending) == 1


@pytest.mark.parametrize(
    ("action", "do"),
    [
        ("invoke", {"emotion": "kindness"}),
        ("quell", {"upgrades": ["extinguish"]}),
        ("empower", {}),
        ("land", {"essence": 1}),
    ],
)
def test_a_spirit_that_reaches_further_with_one_action_does_so_with_that_one_alone(
    action: str, do: dict[str, Any]
) -> None:
    """R-POWER-6, R-BOARD-10: from the Valley to the slots of the Frontiers beside it."""
    power = Power(effects=(Reaches(action, "near"),))
    cards = replace(
        CARDS, spirits={**CARDS.spirits, "harmony": replace(CARDS.spirits["harmony"], power=power)}
    )
    emotion = {"invoke": None, "quell": "fear"}.get(action, "kindness")
    slots = {} if emotion is None else {"valley-cradle": {"emotion": emotion, "essence": 2}}
    position = table({"hand": ["kindness"]}, slots=slots)
    asked = action_from({"action": action, "slot": "valley-cradle", **do})
    assert check(position, asked, CARDS).status == "illegal"
    assert check(position, asked, cards).status == "legal"
    listed = {
        getattr(one, "slot", "") for one, _ in legal_actions(position, cards) if type(one) is type(asked)
    }
    assert "valley-cradle" in listed
    assert check(table({"at": "land", "hand": ["kindness"]}, slots=slots), asked, cards).status == "illegal"


@pytest.mark.parametrize(("whose", "gets"), [("team", 0), ("opponents", 1), ("any", 1)])
def test_whose_emotion_must_leave_for_a_power_to_see_it(whose: Any, gets: int) -> None:
    """R-POWER-5: Trust of Bliss watches; an Emotion of Gloom leaves, quelled by Diana of Bliss."""
    watching = Rewards(on="leaves", gains=(Gain(essence=1),), whose=whose)
    cards = _card("trust", power=Power(effects=(watching,)))
    slots = {"land.1": {"emotion": "trust"}, "valley.1": {"emotion": "fear"}}
    position = table(slots=slots)
    do = action_from({"action": "quell", "slot": "valley.1", "upgrades": ["extinguish"]})
    then = check(position, do, cards).after
    assert then is not None
    assert then.players["diana"].essence == position.players["diana"].essence + gets


def test_every_card_that_watches_gives_something_when_an_emotion_leaves() -> None:
    """R-POWER-5: what leaves does not see itself leave, and keeps nobody else from seeing it."""
    watching = Rewards(on="leaves", gains=(Gain(essence=1),), whose="any")
    cards = _card("fear", power=Power(effects=(watching,)))
    slots = {slot: {"emotion": "fear"} for slot in ("valley.1", "land.1", "land.2")}
    position = table({"essence": 0}, slots=slots)
    do = action_from({"action": "quell", "slot": "valley.1", "upgrades": ["extinguish"]})
    then = check(position, do, cards).after
    assert then is not None
    assert then.players["diana"].essence == 2


@pytest.mark.parametrize(
    ("condition", "teams", "gets"),
    [
        (None, {"bliss": {"ambition": 3}}, 1),
        ("no-ambition", {"bliss": {"ambition": 3}}, 0),
        ("no-ambition", {"gloom": {"ambition": 3}}, 1),
    ],
)
def test_a_power_at_an_absorb_asks_for_its_condition(
    condition: Any, teams: dict[str, Any], gets: int
) -> None:
    """R-POWER-6: the condition holds of the team whose power it is."""
    power = Power(effects=(Rewards(on="absorb", gains=(Gain(essence=1),), condition=condition),))
    cards = _card("trust", power=power)
    position = table(slots={"land.1": {"emotion": "trust"}}, teams=teams)
    then = check(
        position, action_from({"action": "absorb", "sphere": "commitment", "bonus": False}), cards
    ).after
    assert then is not None
    assert then.players["diana"].essence == 3 + gets


@pytest.mark.parametrize(("theirs", "gets"), [(1, 0), (2, 1)])
def test_a_power_for_the_team_that_has_less_essence_on_the_board(theirs: int, gets: int) -> None:
    """R-POWER-5: level is not less; counted after the Action."""
    effect = Rewards(
        on="action", gains=(Gain(essence=1),), condition="opponents-lead-essence", actions=("move",)
    )
    cards = _card("trust", power=Power(effects=(effect,)))
    slots = {"land.1": {"emotion": "trust"}, "network.1": {"emotion": "fear", "essence": theirs}}
    then = check(table(slots=slots), action_from({"action": "move", "to": "valley-cradle"}), cards).after
    assert then is not None
    assert then.players["diana"].essence == 3 + gets


# Values


def test_a_position_to_come_equals_another_one_only() -> None:
    later = judge(table(), "move", to="valley-cradle").later
    again = judge(table(), "move", to="valley-cradle").later
    other = judge(table(), "move", to="willow-valley").later
    assert later == again
    assert later != other
    assert later != judge(table(), "move", to="valley-cradle").after


def test_in_the_basic_game_no_token_goes_on_the_lowest_row() -> None:
    """R-EMP-1: nor would a set-up step of some other print make it right."""
    pending = [{"action": "place-wild", "team": "bliss", "player": "diana"}]
    for mode, status in (("basic", "illegal"), ("full", "legal")):
        position = table({"vibes": {}}, mode=mode, turn={"pending": pending})
        assert judge(position, "place-wild", row="empower", space=1).status == status
        assert judge(position, "place-wild", row="move", space=1).status == "legal"


def test_the_upgrades_of_a_board_without_a_spirit_are_asked_for() -> None:
    """R-COMP-2: nobody has said whose side B it is."""
    position = table({"side": "b"})
    position = position.with_player(replace(position.players["diana"], spirit=None))
    verdict = judge(position, "move", to="valley-cradle", upgrades=["of-another-print"])
    assert (verdict.status, [item.name for item in verdict.missing]) == ("unknown", ["spirit.side_b"])


@pytest.mark.parametrize(("copies", "status"), [(1, "illegal"), (2, "legal"), (None, "legal")])
def test_as_many_copies_of_a_strong_card_as_are_printed(copies: int | None, status: str) -> None:
    """R-EMP-5, R-COMP-9: two where nobody says otherwise."""
    slots = {
        "valley.1": {"emotion": "kindness", "essence": 2},
        "land.1": {"emotion": "benevolence"},
    }
    do = action_from({"action": "empower", "slot": "valley.1"})
    cards = _card("benevolence", copies=copies)
    assert check(table(slots=slots), do, cards).status == status
    both = slots | {"land.2": {"emotion": "benevolence"}}
    assert check(table(slots=both), do, cards).rules == ("R-EMP-5",)


@pytest.mark.parametrize(("fortress", "identity"), [(True, True), (False, False)])
def test_a_fortress_beside_a_sphere_reached_from_afar(fortress: Any, identity: Any) -> None:
    """R-POWER-6, R-REV-6."""
    power = Power(effects=(Reaches("absorb", fortress=fortress),))
    harmony = replace(CARDS.spirits["harmony"], power=power)
    cards = replace(CARDS, spirits={**CARDS.spirits, "harmony": harmony})
    facing = {sphere: realm_faced(sphere, "commitment") for sphere in CARDS.spheres}
    near = next(sphere for sphere, realm in facing.items() if realm == "valley")
    far = next(sphere for sphere, realm in facing.items() if realm == "cradle")
    position = table(
        slots={"valley.1": {"emotion": "kindness"}, "valley-cradle": {"emotion": "trust"}},
        fortresses={"cradle": {"team": "bliss", "fragment": "minor"}},
        origin={"facing": "commitment", "willpower": {far: 1, near: 1}},
        aspirations={"common": ["sensibility", "openness", "unity"]},
        teams={"bliss": {"aspiration": "liveliness"}, "gloom": {"aspiration": "versatility"}},
        players={"otto": OTTO},
    )
    then = check(position, action_from({"action": "absorb", "sphere": far, "bonus": False}), cards).after
    assert then is not None
    assert ("cradle" not in then.fortresses) == identity


@pytest.mark.parametrize(("to", "gets"), [("valley-cradle", 1), ("willow-valley", 0)])
def test_a_move_is_aimed_at_the_slots_beside_the_space_it_ends_on(to: str, gets: int) -> None:
    """R-POWER-5: Trust watches for Moves beside it, from the left Cradle slot."""
    effect = Rewards(on="action", gains=(Gain(essence=1),), actions=("move",), area="beside")
    cards = _card("trust", power=Power(effects=(effect,)))
    position = table(slots={"cradle.1": {"emotion": "trust"}})
    then = check(position, action_from({"action": "move", "to": to}), cards).after
    assert then is not None
    assert then.players["diana"].essence == 3 + gets


def test_whose_step_of_the_set_up_it_is_is_said_whoever_has_the_turn() -> None:
    """R-SETUP-19, R-SETUP-23."""
    for kind, words in (
        ("place-spirit", "The set-up comes first: Otto places the figure and a Starting Emotion."),
        ("place-wild", "The set-up comes first: Otto places a wild Vibe token."),
    ):
        pending = [{"action": kind, "team": "gloom", "player": "otto"}]
        position = table(players={"otto": OTTO}, turn={"pending": pending, "player": "diana"})
        assert words in [refusal.text for refusal in judge(position, "valley").refusals]


def test_in_the_basic_game_a_figure_may_start_in_a_realm_in_the_full_one_on_a_frontier_only() -> None:
    """R-SETUP-19, R-BASIC-6."""
    pending = [{"action": "place-spirit", "team": "bliss", "player": "diana"}]
    for mode, spaces in (("full", FRONTIERS), ("basic", SPACES)):
        position = table(mode=mode, turn={"pending": pending})
        position = position.with_player(replace(position.players["diana"], at=None))
        listed = {getattr(action, "at", None) for action, _ in legal_actions(position, CARDS)}
        assert listed == set(spaces)
