"""The page on effects: every example is read, and does what the page says."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.content.powers import KINDS
from companion.rules.actions import Quell, UsePower
from companion.rules.effects import AREAS, CONDITIONS, MOMENTS, WHOSE
from companion.rules.engine import check
from companion.rules.position import Position
from companion.rules.verdict import Cost
from companion.scenario.errors import ScenarioError
from companion.scenario.files import overlaid, scenario_from
from companion.scenario.notation import action_from, position_from
from tests.rules.tables import CARDS, FULL_ROW

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "effects.md"
TEXT = PAGE.read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```toml\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
EXAMPLES = [tomllib.loads(block)["cards"] for block in BLOCKS if block.startswith("[cards")]
POWERS = {name: cards for cards in EXAMPLES for name in cards}
HEAD = '[players.diana]\nteam = "bliss"\n'

After = Callable[..., tuple[Cost, Position]]


@pytest.fixture
def play() -> After:
    """Take one action on a table of one Bliss and one Gloom player with the example of a title laid over."""

    def played(name: str, do: dict[str, Any], **parts: Any) -> tuple[Cost, Position]:
        cards = overlaid(CARDS, POWERS[name])
        acts, other = ("diana", "otto") if parts.pop("acts", "bliss") == "bliss" else ("otto", "diana")
        seat = {
            "at": "valley",
            "willpower": 9,
            "essence": 3,
            "vibes": dict.fromkeys(("move", "invoke", "quell", "empower"), FULL_ROW),
        }
        team = {"diana": "bliss", "otto": "gloom"}
        players = {who: seat | {"team": team[who]} | parts.pop(who, {}) for who in (acts, other)}
        teams = {"bliss": {"ambition": 3}, "gloom": {"ambition": 3}}
        position = position_from({"players": players, "teams": teams} | parts, cards)
        verdict = check(position, action_from(do), cards)
        assert verdict.after is not None, [refusal.text for refusal in verdict.refusals]
        return verdict.cost, verdict.after

    return played


def test_a_gain_on_entering(play: After) -> None:
    do = {"action": "invoke", "emotion": "kindness", "slot": "valley.1"}
    _, then = play("kindness", do, diana={"hand": ["kindness"]})
    assert then.players["diana"].hand == ("*",)


def test_dearer_quells_beside_a_card(play: After) -> None:
    do = {"action": "quell", "slot": "valley.1", "upgrades": ["extinguish"]}
    slots = {"valley.1": {"emotion": "dislike"}, "valley.2": {"emotion": "anger"}}
    cost, _ = play("anger", do, slots=slots)
    assert cost == Cost(willpower=5, ambition=1)


def test_a_choice_when_a_neighbour_leaves(play: After) -> None:
    do = {"action": "quell", "slot": "valley.1", "upgrades": ["extinguish"]}
    beside = {"valley.1": {"emotion": "dislike"}, "valley.2": {"emotion": "jealousy"}}
    _, then = play("jealousy", do, slots=beside)
    assert [item.power for item in then.turn.pending] == ["jealousy"]
    _, then = play(
        "jealousy", do, slots={"valley.1": {"emotion": "dislike"}, "land.1": {"emotion": "jealousy"}}
    )
    assert then.turn.pending == ()


def test_essence_beside_the_card_that_entered(play: After) -> None:
    do = {"action": "invoke", "emotion": "desire", "slot": "valley.1"}
    slots = {"willow-valley": {"emotion": "courage"}, "land.1": {"emotion": "courage"}}
    _, then = play("desire", do, diana={"hand": ["desire"]}, slots=slots)
    [pending] = then.turn.pending
    assert (pending.power, pending.slot) == ("desire", "valley.1")
    cards = overlaid(CARDS, POWERS["desire"])
    legal = [
        slot
        for slot in ("valley.1", "willow-valley", "land.1", "valley.2")
        if check(then, UsePower("desire", slot=slot), cards).status == "legal"
    ]
    assert legal == ["valley.1", "willow-valley"]


def test_a_token_of_two(play: After) -> None:
    do = {"action": "invoke", "emotion": "bitterness", "slot": "valley.1"}
    slots = {"land.1": {"emotion": "courage", "essence": 3}}
    _, then = play("bitterness", do, acts="gloom", otto={"hand": ["bitterness"]}, slots=slots)
    assert then.slots["valley.1"].intensity_token == 2


def test_a_fortress_goes_two_steps_down(play: After) -> None:
    do = {"action": "empower", "slot": "valley.1"}
    slots = {"valley.1": {"emotion": "courage", "essence": 3}}
    fortresses = {"valley": {"team": "gloom", "fragment": "major"}}
    rulings = {"assumed-threshold": 2}
    _, then = play("valor", do, slots=slots, fortresses=fortresses, rulings=rulings)
    assert then.fortresses == {}
    assert (then.teams["gloom"].minor, then.teams["gloom"].major) == (6, 3)


def test_an_absorb_with_more_from_both(play: After) -> None:
    slots = {"valley.1": {"emotion": "benevolence"}}
    _, then = play("benevolence", {"action": "absorb", "sphere": "commitment", "bonus": False}, slots=slots)
    assert then.players["diana"].willpower == 9 + 2 + 1 + 1 + 1
    assert then.origin.willpower["commitment"] == 7 - 4


def test_a_card_that_protects_its_neighbours() -> None:
    cards = overlaid(CARDS, POWERS["dignity"])
    seat = {"at": "valley", "willpower": 9, "vibes": {"quell": FULL_ROW}}
    slots = {"valley.1": {"emotion": "kindness"}, "willow-valley": {"emotion": "dignity"}}
    slots["valley.2"] = {"emotion": "courage"}
    data = {
        "players": {"otto": seat | {"team": "gloom"}},
        "slots": slots,
        "teams": {"gloom": {"ambition": 1}},
    }
    position = position_from(data, cards)
    quells = {
        slot: check(position, Quell(slot, upgrades=("extinguish",)), cards)
        for slot in ("valley.1", "valley.2")
    }
    assert quells["valley.1"].rules == ("R-POWER-4",)
    assert quells["valley.2"].status == "legal"


def test_every_example_is_tested_here() -> None:
    tested = {"kindness", "anger", "jealousy", "desire", "bitterness", "valor", "benevolence", "dignity"}
    assert set(POWERS) == tested


def test_every_example_of_a_choice_is_an_action() -> None:
    [block] = [block for block in BLOCKS if block.startswith("do =")]
    for line in block.splitlines():
        assert action_from(tomllib.loads(line)["do"])


def test_every_kind_and_word_is_on_the_page() -> None:
    for kind in KINDS:
        assert re.search(rf"^### .*\b{kind}\b", TEXT, re.MULTILINE), kind
    for word in (*AREAS, *WHOSE, *MOMENTS, *CONDITIONS):
        assert f"`{word}`" in TEXT, word


def test_the_fault_on_the_page_is_what_a_file_gets() -> None:
    effect = '{ kind = "cost", actions = ["quell"], area = "next", willpower = 1 }'
    power = f"[cards.anger.power]\neffects = [{effect}]\n"
    with pytest.raises(ScenarioError) as caught:
        scenario_from(HEAD + power, "mine.toml", CARDS)
    assert f"{caught.value.key}: {caught.value.problem}" in TEXT
    assert caught.value.line == 4
