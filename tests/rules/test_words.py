"""What players read."""

import pytest

from companion.rules.verdict import Cost
from companion.rules.words import cost_words, describe, slot_words, space_words, title
from companion.scenario.notation import action_from
from tests.rules.tables import CARDS, after, table


@pytest.mark.parametrize(
    ("name", "printed"),
    [("self-esteem", "Self-Esteem"), ("kindness", "Kindness"), ("emotional-outburst", "Emotional Outburst")],
)
def test_titles_are_as_printed(name: str, printed: str) -> None:
    assert title(name) == printed


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("valley", "Valley"),
        ("valley-cradle", "Valley-Cradle Frontier"),
        ("valley.1", "left Valley slot"),
        ("willow.2", "right Willow slot"),
    ],
)
def test_places_have_names(name: str, words: str) -> None:
    assert space_words(name) == words


def test_slots_are_called_slots() -> None:
    assert slot_words("valley-cradle") == "Valley-Cradle Frontier slot"
    assert slot_words("valley.2") == "right Valley slot"


def test_costs() -> None:
    assert cost_words(Cost(3, 1, 2)) == "3 Willpower, 1 Essence, 2 Ambition"
    assert cost_words(Cost()) == "nothing"


def test_what_an_action_did() -> None:
    position = table({"hand": ["desire"]}, slots={"valley.1": {"emotion": "kindness", "essence": 2}})
    for do, words in (
        (
            {"action": "empower", "slot": "valley.1"},
            "Diana empowers Kindness: it becomes Benevolence with 2 Essence",
        ),
        ({"action": "move", "to": "valley-cradle"}, "Diana moves to the Valley-Cradle Frontier"),
        (
            {"action": "invoke", "emotion": "desire", "slot": "valley.2"},
            "Diana invokes Desire into the right Valley slot with 1 Essence",
        ),
        ({"action": "fortify", "realm": "valley"}, "Diana fortifies the Valley"),
        (
            {"action": "end-turn", "gain": "cards"},
            "Diana ends the turn and draws 2 cards; Diana is next",
        ),
    ):
        keys = {key: value for key, value in do.items() if key != "action"}
        then = after(position, do["action"], **keys)
        assert describe(position, action_from(do), then, CARDS) == words
