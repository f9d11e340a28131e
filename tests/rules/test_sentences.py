"""Every sentence that players read, in the context in which they read it."""

import re
from typing import Any

import pytest

from companion.rules.actions import Action, Adjust, Ambition
from companion.rules.attempt import Rule
from companion.rules.engine import check
from companion.rules.parts import EmotionPart, Part, PlayerPart, TeamPart
from companion.scenario.files import overlaid
from companion.scenario.notation import action_from
from tests.rules.tables import CARDS, table
from tests.sentences import CASES, kept, listed, rules

KEPT = kept()


@pytest.mark.parametrize("name", KEPT)
def test_what_the_cases_bring_about_is_said_as_ever(name: str) -> None:
    """Refusals, ways out, questions and the log."""
    now = listed(CASES / f"{name}.toml", CARDS)
    assert now.splitlines() == KEPT[name].splitlines(), "python -m tests.sentences writes the list anew"


# Sentences that no case file brings about.

FEAR = {"valley.1": {"emotion": "fear"}}
GUARD = {"power": {"effects": [{"kind": "protect", "actions": ["quell"], "area": "beside"}]}}
RARE: list[tuple[dict[str, Any], dict[str, Any] | Action, str, str]] = [
    (
        {"players": {"otto": {"team": "gloom"}}, "turn": {"player": "otto"}},
        {"action": "move", "to": "valley"},
        "R-MOVE-1",
        "Otto's figure is not on the board.",
    ),
    (
        {"diana": {"hand": ["kindness"]}, "pack": {"kindness": {"intensity": [1]}}},
        {"action": "invoke", "emotion": "kindness", "slot": "valley.1", "upgrades": ["bolster"]},
        "R-INVOKE-6",
        "Kindness has no Essence space for what Bolster adds.",
    ),
    (
        {"slots": FEAR | {"valley.2": {"emotion": "anger"}}, "pack": {"anger": GUARD}},
        {"action": "quell", "slot": "valley.1", "reveal": "confidence"},
        "R-POWER-4",
        "Fear lies too near to Anger: nobody can quell it there.",
    ),
    (
        {},
        {"action": "fortify", "realm": "valley", "upgrades": ["exalt", "raze"]},
        "R-FORT-1",
        "One Action fortifies, exalts or razes: never two of them.",
    ),
    (
        {"fortresses": {"valley": {"team": "bliss", "fragment": "major"}}},
        {"action": "fortify", "realm": "valley", "upgrades": ["exalt"]},
        "R-FORT-7",
        "The Fortress in the Valley is a Major Fragment already.",
    ),
    (
        {"diana": {"essence": 1}, "slots": {"valley.1": {"emotion": "kindness"}}},
        {"action": "land", "slot": "valley.1", "essence": 2},
        "R-TURN-8",
        "This takes 2 Essence; Diana has 1.",
    ),
    (
        {"slots": {"valley.1": {"emotion": "kindness"}}},
        {"action": "network", "slot": "valley.1", "to": "land.1"},
        "R-NETWORK-1",
        "The left Land slot is not next to Diana's figure.",
    ),
    (
        {"diana": {"willpower": 0}, "origin": {"willpower": {"commitment": 0}}},
        {"action": "absorb", "sphere": "commitment"},
        "R-TURN-8",
        "The bonus costs 1 Willpower; Diana has 0 then.",
    ),
    (
        {},
        {"action": "ambition", "ability": "fourth"},
        "R-AMB-4",
        "The Team board has no Ambition Ability of that name.",
    ),
    (
        {"turn": {"ambition_used": ["extra-action"]}},
        {"action": "ambition", "ability": "extra-action"},
        "R-AMB-4",
        "The extra Action was used in this turn already: each Ambition Ability once.",
    ),
    ({}, Ambition("vibe"), "R-AMB-7", "Say which Vibe token is added, and where."),
    (
        {"turn": {"pending": [{"action": "reveal", "team": "bliss", "aspiration": "unity"}]}},
        {"action": "reveal", "team": "bliss", "aspiration": "attitude"},
        "R-REV-2",
        "Bliss shows Unity, not Attitude.",
    ),
    (
        {},
        {"action": "place-spirit", "slot": "valley.1"},
        "R-SETUP-19",
        "There is no figure and no Starting Emotion to place now.",
    ),
    ({}, Adjust(Part(players={"diana": PlayerPart(top="joy")})), "R-COMP-8", "There is no Emotion Joy."),
    ({}, Adjust(Part(common=("joy",))), "R-COMP-7", "There is no Aspiration Joy."),
    (
        {},
        Adjust(Part(teams={"gloom": TeamPart(ambition=4)})),
        "R-AMB-1",
        "Gloom has 3 Ambition tokens, so 4 can't be available.",
    ),
    (
        {"slots": FEAR},
        Adjust(Part(slots={"valley.1": EmotionPart(essence=0)})),
        "R-ESS-3",
        "An Emotion in play has Essence on it: without any, empty the left Valley slot.",
    ),
]


@pytest.mark.parametrize(("parts", "do", "rule", "sentence"), RARE)
def test_what_is_said_rarely(
    parts: dict[str, Any], do: dict[str, Any] | Action, rule: str, sentence: str
) -> None:
    parts = dict(parts)
    cards = overlaid(CARDS, parts.pop("pack", {}))
    action = action_from(do) if isinstance(do, dict) else do
    verdict = check(table(parts.pop("diana", None), **parts), action, cards)
    assert (rule, sentence) in [(refusal.rule, refusal.text) for refusal in verdict.refusals]


@pytest.mark.parametrize("one", rules(), ids=lambda one: f"{one.rule} {one.broken.__name__}")
def test_every_rule_has_said_its_sentence(one: Rule[Any]) -> None:
    parts = re.split(r"({\w+})", one.template)
    sentence = "".join(".+" if part.startswith("{") else re.escape(part) for part in parts)
    said = "\n".join((*KEPT.values(), *(f"  {rule}: {words}" for _, _, rule, words in RARE)))
    assert re.search(rf"(?m)^  {one.rule}: {sentence}$", said)
