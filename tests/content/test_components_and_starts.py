"""Components that can carry a tag, and the starting positions."""

import re
from collections import Counter

import pytest

from companion.content import catalogue, components, starts
from companion.rules.engine import check, legal_actions
from companion.rules.position import EMPTY_ROW, Position
from companion.scenario.notation import action_from, position_from

FORM = re.compile(
    r"emotion/(bliss|gloom)/[a-z-]+/\d+|spirit/[a-z]+|vibe/(red|yellow|green|blue|wild)/\d+"
    r"|fortress/(bliss|gloom)/(minor|major)/\d+"
)


def _start(name: str) -> Position:
    return position_from(starts()[name].data, catalogue())


def test_component_ids_have_the_form_of_the_contracts_and_occur_once() -> None:
    found = components()
    assert len(set(found)) == len(found)
    assert all(FORM.fullmatch(component) for component in found)


def test_there_are_as_many_copies_as_the_box_holds() -> None:
    copies = Counter(component.rpartition("/")[0] for component in components())
    assert copies["emotion/bliss/kindness"] == 4
    assert copies["emotion/bliss/benevolence"] == 2
    assert (copies["emotion/bliss/brightness"], copies["emotion/gloom/bleakness"]) == (2, 6)
    assert (copies["fortress/bliss/minor"], copies["fortress/gloom/major"]) == (6, 3)
    assert copies["spirit"] == 8


@pytest.mark.parametrize("name", ["empower-example", "empower-refused", "opening"])
def test_starts_are_usable_positions_of_four_with_teams_alternating(name: str) -> None:
    position = _start(name)
    teams = [player.team for player in position.players.values()]
    assert teams == ["bliss", "gloom", "bliss", "gloom"]
    assert position.turn.player == "diana"
    assert any(True for _ in legal_actions(position, catalogue()))


@pytest.mark.parametrize("name", ["empower-example", "empower-refused", "opening"])
def test_every_piece_of_a_start_is_in_the_box(name: str) -> None:
    position = _start(name)
    copies = Counter(
        component.split("/")[2] for component in components() if component.startswith("emotion/")
    )
    on_board = Counter(emotion.name for emotion in position.slots.values())
    assert all(count <= copies[title] for title, count in on_board.items())
    for name_, team in position.teams.items():
        used = Counter(f.fragment for f in position.fortresses.values() if f.team == name_)
        for fragment in position.identity:
            if fragment.startswith(name_):
                used[fragment.split()[1]] += 1  # type: ignore[index]
        assert (team.minor + used["minor"], team.major + used["major"]) == (6, 3)


def test_the_example_is_legal_at_once_and_has_no_channeled_power() -> None:
    position = _start("empower-example")
    assert position.actor.row("empower") == ("red", "", "", "")
    verdict = check(position, action_from({"action": "empower", "slot": "valley.1"}), catalogue())
    assert (verdict.status, verdict.cost.willpower) == ("legal", 3)


def test_the_opening_unlocks_four_rows_with_wild_tokens() -> None:
    for player in _start("opening").players.values():
        assert len(player.vibes) == 4
        assert all(row == ("wild", *EMPTY_ROW[1:]) for row in player.vibes.values())
        assert (player.willpower, player.essence, player.hand) == (4, 2, ("*", "*"))
