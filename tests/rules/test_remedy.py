"""The way out of a refusal."""

from typing import Any

import pytest

from companion.content import catalogue, starts
from companion.rules.actions import Empower, Move
from companion.rules.position import Position
from companion.rules.remedy import remedy
from companion.rules.verdict import Cost, Remedy
from companion.scenario.notation import action_from, position_from
from tests.rules.tables import CARDS, WILD_ROW, table


def _way(position: Position, action: str, **do: Any) -> Remedy | None:
    return remedy(position, action_from({"action": action, **do}), CARDS)


def _text(position: Position, action: str, **do: Any) -> str:
    way = _way(position, action, **do)
    return "" if way is None else way.text


def test_the_refused_example_names_channeled_power() -> None:
    position = position_from(starts()["empower-refused"].data, catalogue())
    way = _way(position, "empower", slot="valley.1")
    assert way is not None
    assert way.text == "Channeled Power adds the missing Essence: 3 Willpower and 1 Ambition."
    assert way.action == Empower("valley.1", upgrades=("channeled-power",))
    assert way.cost == Cost(willpower=3, ambition=1)


def test_the_way_out_names_the_player_if_the_action_did() -> None:
    position = position_from(starts()["empower-refused"].data, catalogue())
    way = _way(position, "empower", slot="valley.1", player="diana")
    assert way is not None
    assert way.action == Empower("valley.1", upgrades=("channeled-power",), player="diana")


def test_what_is_legal_needs_no_mending() -> None:
    assert _way(table(), "move", to="valley-cradle") is None


def test_a_known_card_comes_before_an_unknown_one() -> None:
    slots = {"valley.1": {"emotion": "kindness", "essence": 2}}
    known = table({"vibes": {}, "hand": ["*", "optimism"]}, slots=slots)
    assert _text(known, "empower", slot="valley.1") == "Discard Optimism to unlock Empower: 3 Willpower."
    unknown = table({"vibes": {}, "hand": ["*"]}, slots=slots)
    assert _text(unknown, "empower", slot="valley.1") == "Discard any card to unlock Empower: 3 Willpower."


def test_willpower_that_determination_saves() -> None:
    position = table({"willpower": 2}, slots={"valley.1": {"emotion": "kindness", "essence": 2}})
    text = _text(position, "empower", slot="valley.1")
    assert text == "Determination saves 1 Willpower: 2 Willpower."


def test_moving_first_where_nothing_else_helps() -> None:
    position = table({"vibes": {"move": WILD_ROW, "fortify": WILD_ROW}})
    way = _way(position, "fortify", realm="cradle")
    assert way is not None
    assert (way.action, way.cost) == (Move("valley-cradle"), Cost(willpower=4))
    assert way.text == "Diana could move to the Valley-Cradle Frontier first: 4 Willpower in all."


@pytest.mark.parametrize("change", [{"actions_left": 1}, {"actions_left": 0}])
def test_no_move_first_without_an_action_for_it(change: dict[str, int]) -> None:
    position = table({"vibes": {"move": WILD_ROW, "fortify": WILD_ROW}}, turn=change, teams={})
    assert _way(position, "fortify", realm="cradle") is None


def test_no_move_first_that_can_not_be_paid() -> None:
    vibes = {"move": WILD_ROW, "fortify": WILD_ROW}
    position = table({"willpower": 3, "vibes": vibes}, turn={"absorbed": True, "actions_left": 2})
    assert _way(position, "fortify", realm="cradle") is None


def test_nothing_is_suggested_for_staying() -> None:
    assert _way(table(), "move", to="valley") is None


def test_fortify_is_not_offered_in_place_of_exalt() -> None:
    position = table(teams={"bliss": {"ambition": 3, "minor": 0}})
    assert _way(position, "fortify", realm="valley", upgrades=["exalt"]) is None


def test_cards_in_place_of_ambition_that_is_all_there() -> None:
    assert _text(table(), "end-turn", gain="ambition") == "Draw cards instead."


def test_the_right_card_to_show() -> None:
    position = table({"hand": ["courage", "desire"]}, slots={"valley.1": {"emotion": "dislike"}})
    text = _text(position, "quell", slot="valley.1", reveal="courage")
    assert text.startswith("Determination saves 1 Willpower, show Desire")


def test_an_upgrade_to_leave_away() -> None:
    position = table({"vibes": {"move": WILD_ROW}})
    assert _text(position, "move", to="valley-cradle", upgrades=["surmount"]) == (
        "Do without Surmount: 1 Willpower."
    )


def test_what_else_changes_after_a_move_is_said() -> None:
    move = {"move": ["wild", "wild", "", ""], "fortify": ["", "", "", ""]}
    position = table({"at": "network-land", "vibes": move, "hand": ["courage"]})
    way = _way(position, "fortify", realm="cradle", upgrades=["determination"])
    assert way is not None
    assert way.text == (
        "Diana could move to the Cradle-Network Frontier with Haste first, "
        "then discard Courage to unlock Fortify, do without Determination: 5 Willpower in all."
    )


def test_a_way_that_costs_nothing_says_so() -> None:
    position = table({"willpower": 0, "vibes": {"move": ["wild", "", "", "wild"]}})
    assert _text(position, "move", to="valley-cradle") == "Determination saves 1 Willpower: it costs nothing."


def test_an_upgrade_that_nobody_knows_hides_no_way_without_it() -> None:
    row = ["wild", "", "", "wild"]
    position = table(
        {"spirit": "harmony", "side": "b", "willpower": 2, "vibes": {"move": row}}, turn={"actions_left": 0}
    )
    assert _text(position, "move", to="valley-cradle").startswith("Diana could gain an extra Action")
