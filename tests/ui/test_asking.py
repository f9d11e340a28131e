"""Choices in powers, a player's many ways by their headings, points, and what is put right: by touch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.content import catalogue
from companion.scenario.notation import position_to
from companion.ui import texts
from companion.ui.dials import dials
from companion.ui.lists import group_of, grouped
from companion.ui.model import Table
from companion.ui.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.ui.looking import Shown

    Show = Callable[..., Shown]

CARDS = catalogue()


def with_power(power: str, team: str, slot: str, **players: dict[str, Any]) -> dict[str, Any]:
    data = position_to(Stage().position)
    data["turn"]["pending"] = [{"action": "power", "team": team, "power": power}]
    data["slots"][slot] = {"emotion": power, "essence": 1}
    for name, part in players.items():
        data["players"][name] |= part
    return data


def test_a_choice_in_a_power_is_a_question_that_can_be_declined(show: Show) -> None:
    """R-POWER-1."""
    shown = show()
    shown.stage.begin(with_power("shame", "gloom", "network.1"))
    shown.hear()
    assert "Gloom uses the power of Shame" in shown.texts()
    shown.tap_button("Leave it")
    (answer,) = shown.stage.sent
    choice = next(c for c in shown.app.table.ask["choices"] if c["id"] == answer["answer"]["choice"])
    assert choice["do"]["decline"] is True


def test_more_ways_than_buttons_are_listed(show: Show) -> None:
    shown = show()
    shown.stage.begin(with_power("shame", "gloom", "network.1"))
    shown.hear()
    shown.tap_button("Choose")
    shown.tap_entry("Shame: Essence for Nils")
    assert shown.stage.sent == [
        {"do": {"action": "power", "power": "shame", "to": "nils", "gain": "essence"}}
    ]


def test_it_holds_nobody_up(show: Show) -> None:
    shown = show(virtual=True)
    shown.stage.begin(with_power("shame", "gloom", "network.1"))
    shown.hear()
    shown.tap(shown.slot("valley.1"))
    assert shown.screen.sheet.is_open
    assert any(text.startswith("Empower Kindness") for text in shown.entries())


def test_few_ways_are_buttons() -> None:
    stage, table = Stage(), Table()
    stage.begin(with_power("boredom", "gloom", "network.1"))
    for kind, payload in stage.drain():
        table.take(kind, payload)
    assert [way.text for way in table.say().ways] == ["Otto", "Nils"]


def test_what_lies_wrong_comes_before_a_choice() -> None:
    stage, table = Stage(), Table()
    stage.begin(with_power("shame", "gloom", "network.1"))
    stage.tell([{"space": "slot/valley.1", "mend": "Put Kindness back.", "found": []}])
    for kind, payload in stage.drain():
        table.take(kind, payload)
    assert table.say().text == "Put Kindness back."


def test_a_revelation_asks_what_is_shown(show: Show) -> None:
    """R-REV-2."""
    shown = show()
    data = position_to(shown.stage.position)
    data["turn"]["pending"] = [{"action": "reveal", "team": "gloom"}]
    shown.stage.begin(data)
    shown.hear()
    assert "Revelation: which Hidden Aspiration does Gloom show?" in shown.texts()
    shown.tap_button("Choose")
    shown.tap_entry("Gloom shows")
    assert shown.stage.sent[0]["do"]["action"] == "reveal"


def test_a_goal_picked_in_secret_is_only_mentioned() -> None:
    """R-REV-17: nobody else sees which, and play goes on."""
    stage, table = Stage(), Table()
    data = position_to(stage.position)
    data["turn"]["pending"] = [{"action": "keep-hidden", "team": "gloom"}]
    stage.begin(data)
    for kind, payload in stage.drain():
        table.take(kind, payload)
    said = table.say()
    assert (said.tone, said.detail) == ("quiet", "Gloom may now pick its next Hidden Aspiration in secret.")


# A player's ways


def test_a_players_ways_stand_under_their_headings(show: Show) -> None:
    shown = show("opening")
    shown.screen.show_options("player/diana")
    assert shown.entries()[:5] == ["Move", "Invoke", "Quell", "Fortify", "Empower"]
    assert "End turn" in shown.entries()
    shown.tap_entry("Invoke")
    assert shown.screen.sheet.listing is not None
    assert shown.screen.sheet.listing.title == "Invoke"
    assert all("Move" not in entry for entry in shown.entries())
    shown.tap_button("All actions")
    assert shown.entries()[0] == "Move"


def test_what_cannot_be_done_now_says_why(show: Show) -> None:
    shown = show("opening")
    shown.screen.show_options("player/diana")
    shown.tap_entry("Fortify")
    assert shown.screen.sheet.listing is not None
    assert shown.screen.sheet.listing.title == "Fortify"
    assert any(text.startswith("Fortify is locked") for text in shown.texts())
    assert shown.stage.sent == []


def test_the_turn_ends_from_the_list_too(show: Show) -> None:
    shown = show("opening")
    shown.screen.show_options("player/diana")
    shown.tap_entry("End turn")
    shown.tap_entry("End the turn: draw cards")
    assert shown.stage.sent == [{"do": {"action": "end-turn", "gain": "cards"}}]


@pytest.mark.parametrize("start", ["opening", "empower-example"])
def test_no_way_is_lost_under_the_headings(start: str) -> None:
    options = Stage(start).options("player/diana")
    found = grouped(options)
    assert sum(len(ways) for ways in found.values()) == len(options)
    assert list(found) == list(texts.GROUPS)
    assert {group_of(option) for option in options} >= {"move", "realm", "end-turn"}


# Points


def test_a_tap_on_a_team_scores_an_intention(show: Show) -> None:
    """R-INTENT-3, R-INTENT-5: what the Wheel gives is said before and after."""
    shown = show("opening")
    shown.tap(shown.screen.teams[0].rect.middle)
    shown.tap_entry("Score 2 Intentions")
    (command,) = shown.stage.sent
    assert command == {"do": {"action": "score", "intentions": 2}}
    shown.stage.play(command["do"])
    shown.hear()
    assert "Bliss scores 2 Intentions: 3 points, 3 on the Wheel; Diana gets 1 Essence" in shown.texts()
    shown.tap(shown.screen.corners[0].center)
    assert any(text.endswith("Diana gets 1 Essence") for text in shown.entries())


def test_the_other_team_hears_why_not(show: Show) -> None:
    shown = show("opening")
    shown.tap(shown.screen.teams[1].rect.middle)
    shown.tap_entry("Score an Intention")
    assert shown.stage.sent == []


# Putting right


def test_willpower_is_put_right_by_a_tap_with_its_reason(show: Show) -> None:
    shown = show()
    shown.screen.show_options("player/otto")
    shown.tap_button("Put right")
    shown.tap_button("House rule")
    row = next(row for row in shown.screen.sheet.rows if row.entry and row.entry.text == "Willpower")
    shown.tap(row.more.center)
    (command,) = shown.stage.sent
    assert command["do"] == {
        "action": "adjust",
        "player": "otto",
        "reason": "a house rule",
        "set": {"players": {"otto": {"willpower": 8}}},
    }
    assert command["base"] == shown.stage.seq
    shown.stage.play(command["do"])
    shown.hear()
    assert row.entry is not None
    assert row.entry.aside == "8"
    assert "Otto puts the table right (a house rule): Otto: 8 Willpower" in shown.texts()
    shown.tap(row.less.center)
    assert shown.stage.sent[-1]["do"]["set"] == {"players": {"otto": {"willpower": 7}}}


def test_a_card_a_team_and_a_player_can_be_put_right_from_where_they_are_asked_about(show: Show) -> None:
    shown = show()
    for target, labels in (
        ("slot/valley.1", ["Essence"]),
        ("team/gloom", ["Ambition", "Points"]),
        ("player/pia", ["Willpower", "Essence"]),
        ("player/diana", ["Willpower", "Essence"]),
    ):
        shown.screen.show_options(target)
        shown.tap_button("Put right")
        assert shown.entries() == labels
    shown.screen.show_options("slot/network.2")
    assert not any(button.first.text == "Put right" for button in shown.buttons())


def test_nothing_can_be_stated_that_the_rules_refuse() -> None:
    """R-AMB-1, R-ESS-3, R-DESIRE-3: every step of every dial can be taken, down to an empty slot."""
    from companion.rules.engine import check
    from companion.scenario.notation import action_from

    stage = Stage()
    state = stage.state
    targets = [f"slot/{slot}" for slot in stage.position.slots] + ["team/bliss", "team/gloom"]
    targets += [f"player/{name}" for name in stage.position.players]
    steps = 0
    for target in targets:
        for dial in dials(target, state, CARDS):
            for stated in (dial.less, dial.more):
                if stated is not None:
                    do = {"action": "adjust", "reason": "a mistake", "set": stated}
                    verdict = check(stage.position, action_from(do, CARDS), CARDS)
                    assert verdict.status == "legal", (target, stated)
                    steps += 1
    assert steps > 20
    last = {"slots": {"valley.1": {"emotion": "kindness", "essence": 1}}}
    (dial,) = dials("slot/valley.1", last, CARDS)
    assert dial.less == {"slots": {"valley.1": {}}}
    full = {"teams": {"bliss": {"ambition": 3}}}
    assert dials("team/bliss", full, CARDS)[0].more is None
    assert dials("spirit/valley", state, CARDS) == ()


def test_the_same_fault_of_many_spaces_is_said_once(show: Show) -> None:
    shown = show()
    mend = 'Node "realm-valley" is not heard: check its cable and its power.'
    spaces = ("slot/valley.1", "slot/valley.2", "spirit/valley")
    shown.stage.tell([{"space": space, "mend": mend, "found": []} for space in spaces], in_step=True)
    shown.hear()
    shown.tap_button("Show where")
    assert shown.entries() == ["Left Valley slot and 2 more"]
    assert set(shown.app.table.marks()) == set(spaces)
