"""The way out that needs something else first, or another turn."""

from typing import Any

import pytest

from companion.rules.engine import check
from companion.rules.position import Position
from companion.rules.remedy import remedy
from companion.scenario.notation import action_from, action_to
from tests.rules.tables import CARDS, NILS, OTTO, PIA, WILD_ROW, table

KINDNESS = {"valley.1": {"emotion": "kindness", "essence": 2}}
FAR = {"move": WILD_ROW, "fortify": WILD_ROW}
AS_NOW = "next turn, if the table still stands like this"


def way(position: Position, **do: Any) -> str | None:
    """What people are told; each step of it is played first."""
    found = remedy(position, action_from(do, CARDS), CARDS)
    if found is None:
        return None
    for step in found.steps:
        after = check(position, step, CARDS).after
        assert after is not None, action_to(step)
        position = after
    return found.text


# Willpower, Essence, tokens, cards


def test_willpower_from_a_sphere_comes_before_the_valley_because_it_uses_no_action() -> None:
    position = table({"willpower": 1, "vibes": {"empower": WILD_ROW}}, slots=KINDNESS)
    assert way(position, action="empower", slot="valley.1") == (
        "Diana could absorb from Commitment without the bonus first: 3 Willpower in all."
    )


def test_willpower_from_the_valley() -> None:
    position = table(
        {"willpower": 1, "vibes": {"empower": WILD_ROW}}, slots=KINDNESS, turn={"absorbed": True}
    )
    assert way(position, action="empower", slot="valley.1") == (
        "Diana could take Willpower in the Valley of Motives first: 3 Willpower in all."
    )


def test_essence_from_the_willow_or_from_a_sphere() -> None:
    player = {"essence": 0, "hand": ["kindness"], "vibes": {"invoke": WILD_ROW}}
    do = {"action": "invoke", "emotion": "kindness", "slot": "valley.1"}
    assert way(table(player, turn={"absorbed": True}, teams={}), **do) == (
        "Diana could turn 1 Willpower into Essence in the Willow of Values first: "
        "4 Willpower and 1 Essence in all."
    )
    humble = table(player, origin={"facing": "humility"}, teams={})
    assert way(humble, **do) == "Diana could absorb from Humility first: 2 Willpower and 1 Essence in all."


def test_the_missing_essence_on_the_card_from_the_land() -> None:
    slots = {"valley.1": {"emotion": "kindness", "essence": 1}}
    position = table({"vibes": {"empower": WILD_ROW}}, slots=slots, teams={})
    assert way(position, action="empower", slot="valley.1") == (
        "Diana could put 1 Essence on Kindness by the Land of Desires first: "
        "4 Willpower and 1 Essence in all."
    )


def test_a_token_by_an_ability_where_there_is_no_card_for_one() -> None:
    position = table({"vibes": {}})
    assert way(position, action="fortify", realm="valley") == (
        "Diana could add a Vibe token on space 1 of Fortify for Ambition first: "
        "3 Willpower and 1 Ambition in all."
    )


def test_a_token_from_knowledge_costs_nothing() -> None:
    position = table({"vibes": {}}, origin={"facing": "knowledge"})
    assert way(position, action="fortify", realm="valley") == (
        "Diana could absorb from Knowledge with a Vibe token on space 1 of Fortify first: 3 Willpower in all."
    )


def test_cards_from_the_cradle_unlock_a_row_whatever_they_are() -> None:
    position = table({"vibes": {}}, teams={}, turn={"absorbed": True})
    assert way(position, action="fortify", realm="valley") == (
        "Diana could draw cards in the Cradle of Senses first, then discard any card to unlock Fortify: "
        "4 Willpower in all."
    )


def test_no_card_is_drawn_in_the_hope_of_a_certain_one() -> None:
    assert way(table({"hand": ["kindness"]}), action="invoke", emotion="trust", slot="valley.2") is None
    row = {"quell": ["red", "", "", ""]}
    position = table(
        {"vibes": row}, slots={"valley.1": {"emotion": "fear"}}, teams={"bliss": {"ambition": 1}}
    )
    assert way(position, action="quell", slot="valley.1") is None


def test_an_unknown_card_is_asked_for_by_the_colours_that_fit() -> None:
    row = ["red", "", "blue", ""]
    position = table({"vibes": {"move": row}, "hand": ["*"]})
    assert way(position, action="move", to="cradle") == (
        "Discard a yellow or green card for a token on space 2 of Move, Haste goes two steps: 2 Willpower."
    )


# The board


def test_the_slot_that_an_emotion_goes_to_is_cleared_by_moving_the_one_in_it() -> None:
    slots = {"valley.1": {"emotion": "trust"}, "land.1": {"emotion": "kindness"}}
    assert way(table(slots=slots), action="network", slot="land.1", to="valley.1") == (
        "Diana could bring Trust to the right Valley slot by the Network of Thoughts first: "
        "4 Willpower in all."
    )


def test_the_slot_is_cleared_by_a_quell_first() -> None:
    slots = {"valley.1": {"emotion": "fear", "essence": 1}}
    hand = ["confidence", "kindness"]
    position = table({"vibes": {"invoke": WILD_ROW, "quell": WILD_ROW}, "hand": hand}, slots=slots)
    assert way(position, action="invoke", emotion="kindness", slot="valley.1") == (
        "Diana could quell Fear first: 4 Willpower and 1 Essence and 1 Ambition in all."
    )


def test_what_is_exalted_is_fortified_first() -> None:
    position = table({"vibes": {"fortify": ["wild", "red", "", ""]}})
    assert way(position, action="fortify", realm="valley", upgrades=["exalt"]) == (
        "Diana could fortify the Valley first: 6 Willpower and 1 Ambition in all."
    )


def test_two_moves_where_one_is_too_short() -> None:
    position = table({"vibes": FAR}, teams={})
    assert way(position, action="move", to="cradle-network") == (
        "Diana could move to the Valley-Cradle Frontier and move to the Cradle first: 3 Willpower in all."
    )
    assert way(position, action="move", to="network") is None


# Actions and turns


@pytest.mark.parametrize(
    ("left", "told"),
    [
        (0, "Diana could gain an extra Action for Ambition first: 1 Willpower and 1 Ambition in all."),
        (1, None),
    ],
)
def test_an_extra_action_where_none_is_left(left: int, told: str | None) -> None:
    """R-TURN-2, R-AMB-6."""
    position = table(turn={"actions_left": left})
    assert way(position, action="valley") == told


def test_a_move_and_an_extra_action_for_it() -> None:
    position = table({"vibes": FAR}, turn={"actions_left": 1})
    assert way(position, action="fortify", realm="cradle") == (
        "Diana could move to the Valley-Cradle Frontier and gain an extra Action for Ambition first: "
        "4 Willpower and 1 Ambition in all."
    )


def test_three_actions_again_in_the_next_turn() -> None:
    """R-TURN-2."""
    position = table(turn={"actions_left": 0}, teams={})
    assert way(position, action="valley") == f"Diana could end the turn; {AS_NOW}: 1 Willpower."


def test_the_next_turn_absorbs_again() -> None:
    """R-ABS-1."""
    position = table(players={"otto": OTTO}, turn={"absorbed": True, "player": "diana"})
    assert way(position, action="absorb", sphere="commitment", bonus=False) == (
        f"Diana could end the turn; {AS_NOW}: it costs nothing."
    )


def test_what_the_end_of_the_turn_gives_is_named_where_the_deed_needs_it() -> None:
    """R-EOT-1: 1 Ambition or cards."""
    teams = {"bliss": {"ambition": 0}}
    quell = table(
        {"vibes": {"quell": WILD_ROW}, "hand": ["confidence"]},
        slots={"valley.1": {"emotion": "fear"}},
        teams=teams,
        turn={"absorbed": True},
    )
    assert way(quell, action="quell", slot="valley.1", reveal="confidence") == (
        f"Diana could end the turn and take 1 Ambition; {AS_NOW}: 2 Willpower and 1 Ambition."
    )
    locked = table({"vibes": {}, "willpower": 3}, teams=teams, turn={"absorbed": True, "actions_left": 1})
    assert way(locked, action="fortify", realm="valley") == (
        f"Diana could end the turn and draw cards; {AS_NOW}, discard any card to unlock Fortify: 3 Willpower."
    )


def test_no_next_turn_after_the_last_one() -> None:
    """R-END-4: the turn that ends the game is the last one."""
    position = table(turn={"actions_left": 0}, teams={"bliss": {"points": 20}})
    assert way(position, action="valley") is None


def test_whose_turn_comes_when() -> None:
    """R-TURN-1."""
    position = table(players={"otto": OTTO | {"willpower": 3}, "pia": PIA, "nils": NILS | {"willpower": 2}})
    told = "; if the table still stands like this: 1 Willpower."
    assert way(position, action="valley", player="otto") == f"Otto's turn comes after Diana's{told}"
    assert way(position, action="valley", player="nils") == (
        f"Nils's turn comes after Diana's and Otto's and Pia's{told}"
    )
    assert way(position, action="valley", player="pia") is None


# Revelations, and what nothing helps against


def test_what_is_pending_is_named() -> None:
    """R-TURN-7; which Aspiration a team shows is not for others to guess."""
    position = table(
        turn={"pending": [{"action": "reveal", "team": "bliss"}]},
        teams={"gloom": {"aspiration": "unity"}},
        aspirations={"common": ["attitude", "unity"]},
    )
    assert way(position, action="valley") == "Bliss shows its Hidden Aspiration first: 1 Willpower."


def test_an_absorb_that_brings_a_revelation_is_no_way_to_something_else() -> None:
    """R-REV-22: a Sphere that is emptied changes the whole table."""
    origin = {"facing": "commitment", "willpower": {"commitment": 2}}
    position = table({"willpower": 1, "vibes": {"empower": WILD_ROW}}, slots=KINDNESS, origin=origin)
    assert way(position, action="empower", slot="valley.1") == (
        "Diana could take Willpower in the Valley of Motives first: 3 Willpower in all."
    )


def test_nothing_helps_against_the_basic_game_or_its_end() -> None:
    """R-EMP-1, R-END-5."""
    assert way(table(mode="basic", slots=KINDNESS), action="empower", slot="valley.1") is None
    assert way(table(result={"ended": True, "winner": "draw"}), action="valley") is None


def test_nothing_helps_where_the_emotion_is_of_the_other_team() -> None:
    position = table(slots={"valley.1": {"emotion": "fear", "essence": 2}})
    assert way(position, action="empower", slot="valley.1") is None
    assert way(position, action="land", slot="valley.1", essence=1) is None
    assert way(position, action="move", to="valley-cradle", player="nobody") is None
