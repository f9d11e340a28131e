"""Our card data against what is known for sure, and against the shared data where that is at hand."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from companion.content import ContentError, aspirations, catalogue
from companion.content.catalogue import VIBES
from companion.content.tables import Record
from companion.rules.board import TEAMS

SHARED = Path(__file__).parents[3] / "shared" / "rules" / "card-data.yaml"
CARDS = catalogue().cards
ACTION_NAMES = {
    "Move": "move",
    "Invoke Emotion": "invoke",
    "Quell Emotion": "quell",
    "Fortify": "fortify",
    "Empower Emotion": "empower",
}


def _id(name: str) -> str:
    return name.lower().replace(" ", "-")


@pytest.fixture(scope="module")
def shared() -> Any:
    if not SHARED.exists():
        pytest.skip("the shared card data is not beside this repository")
    return yaml.safe_load(SHARED.read_text(encoding="utf-8"))


def test_kindness_is_as_the_page_says() -> None:
    kindness = CARDS["kindness"]
    assert (kindness.empower_threshold, kindness.strong, kindness.vibe) == (2, "benevolence", "green")
    assert CARDS["benevolence"].copies == 2


def test_only_kindness_has_a_known_threshold() -> None:
    assert [c.name for c in CARDS.values() if c.empower_threshold is not None] == ["kindness"]


def test_the_intensity_of_suspicion_is_unknown() -> None:
    assert [c.name for c in CARDS.values() if c.intensity is None] == ["suspicion"]


@pytest.mark.parametrize("team", TEAMS)
def test_each_team_has_16_mild_and_16_strong_titles_four_of_each_vibe(team: str) -> None:
    for strength in ("mild", "strong"):
        own = [c for c in CARDS.values() if c.team == team and c.strength == strength]
        assert len(own) == 16
        for vibe in VIBES:
            assert sum(c.vibe == vibe for c in own) == 4


def test_every_strong_title_is_the_counterpart_of_exactly_one_mild_title() -> None:
    counterparts = [c.strong for c in CARDS.values() if c.strong is not None]
    assert sorted(counterparts) == sorted(c.name for c in CARDS.values() if c.strength == "strong")


def test_every_emotion_agrees_with_the_shared_data(shared: Any) -> None:
    assert {_id(e["name"]) for e in shared["emotions"]} == set(CARDS)
    for e in shared["emotions"]:
        card = CARDS[_id(e["name"])]
        stated = (
            e["team"].lower(),
            e["strength"],
            None if e["vibe"] == "any" else e["vibe"],
            tuple(e["intensity"]) if e["intensity"] else None,
            e["essence_spaces"],
            e.get("empower_threshold"),
            _id(e["strong_counterpart"]) if e.get("strong_counterpart") else None,
            e.get("copies_in_game") or e.get("copies_minimum"),
            e.get("starting_essence") or 1,
            e["power"] is not None,
        )
        found = (
            card.team,
            card.strength,
            card.vibe,
            card.intensity,
            card.spaces,
            card.empower_threshold,
            card.strong,
            card.copies,
            card.starting_essence,
            card.power is not None,
        )
        assert found == stated, card.name


def test_powers_keep_source_and_confidence_in_our_own_words(shared: Any) -> None:
    for e in shared["emotions"]:
        if e["power"] is None:
            continue
        power = CARDS[_id(e["name"])].power
        assert power is not None
        assert (power.source, power.confidence) == (e["power"]["source"], e["power"]["confidence"])
        assert power.text not in (None, e["power"]["text"])
        assert power.effects


def test_every_action_and_upgrade_costs_what_the_shared_data_says(shared: Any) -> None:
    for action in shared["spirit_actions_a_side"]["actions"]:
        row = catalogue().rows[ACTION_NAMES[action["name"]]]
        base = action["base_cost"]
        assert (row.willpower, row.ambition) == (base["willpower"], base.get("ambition", 0))
        stated = [
            (_id(u["name"]), u["extra_cost"].get("willpower", 0), u["extra_cost"].get("ambition", 0))
            for u in action["upgrades"]
        ]
        assert [(u.name, u.willpower, u.ambition) for u in row.upgrades] == stated


def test_spirits_and_aspirations_agree_with_the_shared_data(shared: Any) -> None:
    spirits = {_id(s["name"]): s["team"].lower() for s in shared["spirits"] if s["team"] != "Balance"}
    assert {name: spirit.team for name, spirit in catalogue().spirits.items()} == spirits
    assert list(aspirations()) == [_id(card["name"]) for card in shared["aspirations"]["cards"]]


@pytest.mark.parametrize(
    ("data", "call", "problem"),
    [
        ({"team": "balance"}, lambda r: r.text("team", TEAMS), "is not one of bliss, gloom"),
        ({}, lambda r: r.text("team"), "must be a text"),
        ({"copies": 0}, lambda r: r.number("copies", least=1), "whole number of at least 1"),
        ({"copies": True}, lambda r: r.number("copies"), "whole number"),
        ({"intensity": [1, "2"]}, lambda r: r.numbers_or_none("intensity"), "list of whole numbers"),
        ({"intensity": []}, lambda r: r.numbers_or_none("intensity"), "list of whole numbers"),
        ({"assumed": 1}, lambda r: r.flag("assumed"), "true or false"),
        ({"upgrade": 3}, lambda r: r.tables("upgrade"), "array of tables"),
        ({"tema": "bliss"}, lambda r: r.only("team"), "unknown key"),
        ({"source": "seed", "confidence": "certain"}, lambda r: r.sourced(), "sure, likely, unsure"),
    ],
)
def test_a_broken_record_names_file_and_key(data: dict[str, Any], call: Any, problem: str) -> None:
    with pytest.raises(ContentError) as raised:
        call(Record("cards.toml", "kindness", data))
    assert str(raised.value).startswith("cards.toml: kindness.")
    assert problem in str(raised.value)
