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
        (
            {"action": "move", "to": "cradle", "upgrades": ["haste", "determination"]},
            "Diana moves to the Cradle with Haste and Determination",
        ),
        (
            {"action": "empower", "slot": "valley.1", "upgrades": ["channeled-power"]},
            "Diana empowers Kindness with Channeled Power: it becomes Benevolence with 3 Essence",
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
        then = after(position, str(do["action"]), **keys)
        assert describe(position, action_from(do), then, CARDS) == words


def test_a_placed_token_is_said() -> None:
    position = table({"hand": ["desire"], "vibes": {}})
    do = {"action": "move", "to": "valley-cradle", "place": {"discard": "desire", "space": 1}}
    then = after(position, "move", to="valley-cradle", place={"discard": "desire", "space": 1})
    assert describe(position, action_from(do), then, CARDS) == (
        "Diana moves to the Valley-Cradle Frontier after discarding Desire for a green Vibe token"
    )


@pytest.mark.parametrize(
    ("upgrade", "team", "fragment", "words"),
    [
        ("exalt", "bliss", "minor", "Diana exalts the Fortress in the Valley"),
        ("raze", "gloom", "minor", "Diana razes the Fortress in the Valley: nothing is left of it"),
        ("raze", "gloom", "major", "Diana razes the Fortress in the Valley: a Minor Fragment is left"),
    ],
)
def test_exalt_and_raze_are_said_by_their_own_verbs(
    upgrade: str, team: str, fragment: str, words: str
) -> None:
    position = table(fortresses={"valley": {"team": team, "fragment": fragment}})
    do = {"action": "fortify", "realm": "valley", "upgrades": [upgrade]}
    then = after(position, "fortify", realm="valley", upgrades=[upgrade])
    assert describe(position, action_from(do), then, CARDS) == words


@pytest.mark.parametrize(("essence", "left"), [(2, "1 Essence left"), (1, "it leaves the board")])
def test_what_a_quell_leaves(essence: int, left: str) -> None:
    slots = {"valley.1": {"emotion": "dislike", "essence": essence}}
    position = table({"hand": ["desire"]}, slots=slots)
    then = after(position, "quell", slot="valley.1", reveal="desire")
    do = {"action": "quell", "slot": "valley.1", "reveal": "desire"}
    assert describe(position, action_from(do), then, CARDS) == (
        f"Diana quells Dislike in the left Valley slot: {left}"
    )
