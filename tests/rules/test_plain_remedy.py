"""The way out of a refusal that is no Spirit Action's."""

from typing import Any

from companion.rules.remedy import remedy
from companion.scenario.notation import action_from, action_to
from tests.rules.tables import CARDS, OTTO, judge, table


def way(position: Any, **do: Any) -> tuple[dict[str, Any], str] | None:
    found = remedy(position, action_from(do, CARDS), CARDS)
    return None if found is None else (action_to(found.action), found.text)


def test_less_is_exchanged_in_the_willow() -> None:
    assert way(table({"willpower": 3}), action="willow", amount=7) == (
        {"action": "willow", "amount": 2},
        "Willow of Values: turn 2 Willpower into Essence: 3 Willpower.",
    )


def test_without_willpower_it_comes_out_of_a_sphere_in_the_next_turn_if_not_now() -> None:
    found = way(table({"willpower": 0}), action="willow", amount=1)
    assert found == (
        {"action": "absorb", "sphere": "commitment", "bonus": False},
        "Diana could absorb from Commitment without the bonus first: 2 Willpower in all.",
    )
    later = way(table({"willpower": 0}, turn={"absorbed": True}), action="willow", amount=1)
    assert later == (
        {"action": "end-turn", "gain": "cards"},
        (
            "Diana could end the turn; next turn, if the table still stands like this, "
            "absorb from Commitment without the bonus first: 2 Willpower in all."
        ),
    )


def test_fewer_essence_where_the_card_has_no_more_spaces() -> None:
    position = table(slots={"valley.1": {"emotion": "kindness", "essence": 2}})
    assert way(position, action="land", slot="valley.1", essence=3) == (
        {"action": "land", "slot": "valley.1", "essence": 1},
        "Land of Desires: 1 Essence on Kindness: 1 Willpower and 1 Essence.",
    )


def test_a_move_first_brings_an_emotion_into_reach() -> None:
    position = table(slots={"cradle.1": {"emotion": "kindness"}, "land.1": {"emotion": "trust"}})
    manner = "Haste and Determination"
    assert way(position, action="land", slot="cradle.1", essence=1) == (
        {"action": "move", "to": "cradle", "upgrades": ["haste", "determination"]},
        f"Diana could move to the Cradle with {manner} first: 1 Willpower and 1 Essence in all.",
    )
    found = way(position, action="network", slot="land.1", to="willow-valley")
    assert found is not None
    assert found[0]["to"] == "willow-valley"


def test_with_one_action_left_there_is_no_move_before_a_realm_action() -> None:
    position = table(slots={"cradle.1": {"emotion": "kindness"}}, turn={"actions_left": 1}, teams={})
    assert way(position, action="land", slot="cradle.1", essence=1) is None


def test_a_move_first_before_an_absorb_takes_the_last_action_only() -> None:
    position = table(turn={"actions_left": 1})
    found = way(position, action="absorb", sphere="creativity")
    assert found is not None
    assert found[1] == (
        "Diana could move to the Valley-Cradle Frontier with Determination first: it costs nothing in all."
    )


def test_without_the_bonus_where_that_can_not_be_had() -> None:
    assert way(table(), action="absorb", sphere="commitment") == (
        {"action": "absorb", "sphere": "commitment", "bonus": False},
        "Absorb from Commitment, without the bonus: it costs nothing.",
    )


def test_another_space_or_colour_for_a_token() -> None:
    position = table({"vibes": {"move": ["red", "", "", "blue"]}}, origin={"facing": "knowledge"})
    for asked, given in (
        ((1, "green"), (2, "green")),
        ((2, "red"), (2, "yellow")),
        ((2, "wild"), (2, "yellow")),
    ):
        do = {"row": "move", "space": asked[0], "vibe": asked[1]}
        mended = {"row": "move", "space": given[0], "vibe": given[1]}
        for action in (
            {"action": "absorb", "sphere": "knowledge"},
            {"action": "ambition", "ability": "vibe"},
        ):
            found = way(position, **action, **do)
            assert found is not None
            assert found[0] == action | mended


def test_nothing_helps_against_what_the_action_can_not_change() -> None:
    position = table(players={"otto": OTTO})
    assert way(position, action="network", slot="land.1", to="valley.1") is None
    assert way(position, action="valley", player="otto") is None
    assert way(position, action="reveal", team="bliss", aspiration="unity") is None


def test_every_refusal_of_an_ability_that_is_not_there_is_a_sentence() -> None:
    verdict = judge(table(), "ambition", ability="fly")
    assert verdict.rules == ("R-AMB-4",)
    assert verdict.refusals[0].text == "The Team board has no Ambition Ability of that name."
