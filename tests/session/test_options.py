"""Asking the table: what could be done here, at what cost, and why not."""

from typing import Any

import pytest

from companion import content
from companion.rules.board import SLOTS
from companion.rules.position import Position
from companion.scenario.notation import position_from
from companion.session.options import Option, options
from tests.table.story import EMPOWER, poorer, with_diana

CARDS = content.catalogue()


def ask(target: str, data: dict[str, Any] | None = None) -> list[Option]:
    return options(position(data), CARDS, target)


def position(data: dict[str, Any] | None = None) -> Position:
    return position_from(data or EMPOWER, CARDS)


def test_an_emotion_that_can_be_empowered_says_so_with_its_cost() -> None:
    (option,) = ask("valley.1")
    assert option.text == "Empower Kindness"
    assert option.cost_text == "3 Willpower"
    assert option.verdict == "legal"
    assert option.do == {"action": "empower", "slot": "valley.1"}
    assert "Benevolence" in option.message


def test_one_that_cannot_says_why_and_what_would_help() -> None:
    (legal,) = ask("slot/valley.1", poorer(1, vibes={"empower": ["red", "green", "", ""]}))
    (refused,) = ask("slot/valley.1", poorer(1, vibes={"empower": ["red", "", "", ""]}, hand=["kindness"]))
    assert legal.verdict == "legal"
    assert legal.text == "Empower Kindness with Channeled Power"
    assert refused.verdict == "illegal"
    assert refused.rules == ("R-EMP-2",)
    assert "Channeled Power" in refused.remedy_text


def test_a_threshold_nobody_knows_is_unknown() -> None:
    (option,) = ask("valley.2")
    assert option.verdict == "unknown"
    assert "Courage" in option.message


def test_a_locked_row_shows_what_a_known_hand_card_would_open() -> None:
    found = ask("valley.1", with_diana(vibes={}))
    assert found[0].verdict == "legal"
    assert found[0].do["place"]["space"] == 1
    assert "after giving Courage for a red Vibe token" in found[0].text


def test_a_spirit_space_says_how_to_get_there_or_why_not() -> None:
    assert [option.text for option in ask("valley-cradle")] == ["Move to the Valley-Cradle Frontier"]
    (far,) = ask("spirit/network")
    assert far.verdict == "illegal"
    assert far.text == "Move to the Network"


def test_determination_is_used_and_needless_upgrades_are_not_listed() -> None:
    found = ask("row/move", with_diana(vibes={"move": ["wild", "", "red", "blue"]}))
    assert [option.text for option in found] == [
        "Move to the Valley-Cradle Frontier with Determination",
        "Move to the Willow-Valley Frontier with Determination",
    ]
    assert all(option.cost_text == "" for option in found)


def test_a_row_says_for_each_target_whether_and_why_not() -> None:
    found = ask("empower")
    assert [(option.text, option.verdict) for option in found] == [
        ("Empower Kindness", "legal"),
        ("Empower Courage", "unknown"),
    ]


def test_the_player_to_act_sees_everything_another_one_whose_turn_it_is() -> None:
    own = ask("diana")
    assert "End the turn: 1 Ambition" in [option.text for option in own]
    assert "Absorb from Commitment" in [option.text for option in own], (
        "with its bonus, which is worth its price"
    )
    assert "Empower Kindness" in [option.text for option in own]
    (other,) = ask("otto")
    assert other.verdict == "illegal"
    assert other.rules == ("R-TURN-1",)


def test_a_realm_offers_its_realm_action_and_a_frontier_space_no_card() -> None:
    assert any(option.do["action"] == "cradle" for option in ask("spirit/cradle"))
    assert {option.do["action"] for option in ask("spirit/valley-cradle")} == {"move"}


def test_nothing_is_said_of_what_nobody_knows() -> None:
    assert ask("moon") == []
    assert ask("player/nobody") == []
    assert ask("cradle.1") == []


def test_legal_ones_come_first_and_lead_where_they_say() -> None:
    from companion.rules.engine import check
    from companion.scenario.notation import action_from

    for target in ("valley.1", "valley", "move", "empower", "diana", "valley-cradle"):
        found = ask(target)
        verdicts = [option.verdict == "legal" for option in found]
        assert verdicts == sorted(verdicts, reverse=True)
        for option in found:
            assert check(position(), action_from(option.do), CARDS).status == option.verdict


def test_what_is_open_in_a_power_is_offered_on_the_emotion_and_with_the_player() -> None:
    pending = [{"action": "power", "team": "bliss", "power": "trust"}]
    data = EMPOWER | {"turn": EMPOWER.get("turn", {}) | {"pending": pending}}
    data = data | {"players": {name: {"essence": 2} | part for name, part in data["players"].items()}}
    [use] = [option for option in ask("valley.2", data) if option.do["action"] == "power"]
    assert use.do == {"action": "power", "power": "trust", "slot": "valley.2"}
    assert use.text == "Trust: Essence on Courage in the right Valley slot"
    assert use.cost_text == "1 Essence"
    player = position(data).turn.player
    texts = [option.text for option in ask(f"player/{player}", data) if option.do["action"] == "power"]
    assert "Trust: leave it" in texts


@pytest.mark.parametrize("row", ["move", "invoke", "quell", "fortify", "empower"])
@pytest.mark.parametrize("start", ["opening", "empower-example", "empower-refused"])
def test_a_row_always_says_what_it_can_do_or_why_it_can_not(start: str, row: str) -> None:
    game = position_from(content.starts()[start].data, CARDS)
    found = options(game, CARDS, f"row/{row}")
    assert found
    assert all(option.verdict == "legal" or option.message for option in found)


def test_a_tapped_slot_says_why_nothing_can_be_invoked_or_quelled_there() -> None:
    game = position_from(content.starts()["empower-example"].data, CARDS)
    empty = next(slot for slot in SLOTS if slot not in game.slots)
    (invoke,) = options(game, CARDS, f"slot/{empty}")
    assert invoke.do["action"] == "invoke"
    assert "R-INVOKE-1" in invoke.rules
    gloom = next(s for s, e in game.slots.items() if CARDS.cards[e.name].team == "gloom" and "." in s)
    (quell,) = options(game, CARDS, f"slot/{gloom}")
    assert quell.do["action"] == "quell"
    assert quell.verdict == "illegal"
