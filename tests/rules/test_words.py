"""What players read."""

import re
from typing import TYPE_CHECKING, Any

import pytest

from companion.rules.accounts import describe
from companion.rules.actions import SpiritActionDone
from companion.rules.board import FRONTIERS
from companion.rules.engine import PLAIN, PROCEDURES
from companion.rules.frame import EVERY_ACTION, no_actions_left
from companion.rules.upgrades import CHOICE, PAYMENT
from companion.rules.verdict import Cost, Missing
from companion.rules.vibes import PLACING
from companion.rules.words import (
    cost_words,
    missing_words,
    naming,
    slot_words,
    space_words,
    standing_words,
    title,
)
from companion.scenario.notation import action_from
from tests.rules.tables import CARDS, OTTO, after, table

if TYPE_CHECKING:
    from companion.rules.attempt import Rule


@pytest.mark.parametrize(
    ("name", "printed"),
    [("self-esteem", "Self-Esteem"), ("kindness", "Kindness"), ("emotional-outburst", "Emotional Outburst")],
)
def test_titles_are_as_printed(name: str, printed: str) -> None:
    assert title(name) == printed


REALM_NAMES = {
    "valley": "Valley",
    "cradle": "Cradle",
    "network": "Network",
    "land": "Land",
    "willow": "Willow",
}


@pytest.mark.parametrize(("realm", "name"), REALM_NAMES.items())
def test_a_realm_and_its_slots_have_names(realm: str, name: str) -> None:
    assert space_words(realm) == name
    assert standing_words(realm) == f"in the {name}"
    for number, side in ((1, "left"), (2, "right")):
        words = f"{side} {name} slot"
        assert (space_words(f"{realm}.{number}"), slot_words(f"{realm}.{number}")) == (words, words)


@pytest.mark.parametrize("frontier", FRONTIERS)
def test_a_frontier_is_named_after_its_realms_and_its_slot_is_called_one(frontier: str) -> None:
    before, after_it = (REALM_NAMES[realm] for realm in frontier.split("-"))
    assert space_words(frontier) == f"{before}-{after_it} Frontier"
    assert standing_words(frontier) == f"on the {before}-{after_it} Frontier"
    assert slot_words(frontier) == f"{before}-{after_it} Frontier slot"


def test_a_printed_value_is_asked_for_in_words() -> None:
    assert missing_words(
        (Missing("self-esteem", "empower_threshold"), Missing("suspicion", "intensity"))
    ) == (
        "This hangs on the Empower threshold printed on Self-Esteem and the Intensity printed on Suspicion: "
        "look it up and tell the table."
    )


def test_no_refusal_uses_a_word_that_a_first_time_player_would_not_know() -> None:
    rules: list[Rule[Any]] = [*EVERY_ACTION, no_actions_left, *CHOICE, *PAYMENT, *PLACING]
    for _, procedure in PROCEDURES.values():
        rules += [*procedure.mode, *procedure.target]
    for plain in PLAIN.values():
        rules += plain.rules
    for one in rules:
        assert not re.search(
            r"(?i)invalid|illegal|\berror|\bnull|\bindex|parameter|\bid\b|[_=<>]", one.template
        )


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


def test_one_card_drawn_is_no_cards() -> None:
    position = table({"hand": ["*"] * 15}, players={"otto": OTTO})
    do = action_from({"action": "end-turn", "gain": "cards"})
    then = after(position, "end-turn", gain="cards")
    assert describe(position, do, then, CARDS) == "Diana ends the turn and draws 1 card; Otto is next"


BOARD = {
    "valley.1": {"emotion": "kindness"},
    "valley.2": {"emotion": "desire"},
    "land.1": {"emotion": "trust"},
}
TOLD: list[tuple[dict[str, Any], str, str]] = [
    (
        {"action": "valley"},
        "Diana takes Willpower in the Valley of Motives and has 13 now",
        "Valley of Motives: take Willpower",
    ),
    (
        {"action": "cradle"},
        "Diana draws 2 cards in the Cradle of Senses",
        "Cradle of Senses: draw cards",
    ),
    (
        {"action": "willow", "amount": 2},
        "Diana turns 2 Willpower into Essence in the Willow of Values",
        "Willow of Values: turn 2 Willpower into Essence",
    ),
    (
        {"action": "land", "slot": "valley.1", "essence": 2},
        "Diana puts 2 Essence on Kindness in the left Valley slot: 3 on it now",
        "Land of Desires: 2 Essence on Kindness",
    ),
    (
        {"action": "absorb", "sphere": "diligence"},
        "Diana absorbs 4 Willpower from Diligence, and gets 2 Willpower more",
        "Absorb from Diligence",
    ),
    (
        {"action": "absorb", "sphere": "diligence", "bonus": False},
        "Diana absorbs 4 Willpower from Diligence",
        "Absorb from Diligence, without the bonus",
    ),
    (
        {"action": "ambition", "ability": "extra-action"},
        "Diana gains an Action for Ambition",
        "Ambition: extra Action",
    ),
    (
        {"action": "ambition", "ability": "third"},
        "Diana uses an Ambition Ability: the third ability",
        "Ambition: third Ability",
    ),
    (
        {"action": "ambition", "ability": "vibe", "row": "move", "space": 3, "vibe": "red"},
        "Diana adds a red Vibe token on space 3 of Move for Ambition",
        "Ambition: add a red Vibe token on space 3 of Move",
    ),
]


@pytest.mark.parametrize(("do", "words", "button"), TOLD)
def test_what_realms_spheres_and_abilities_did(do: dict[str, Any], words: str, button: str) -> None:
    position = table({"vibes": {"move": ["wild", "", "", ""]}}, slots=BOARD, origin={"facing": "diligence"})
    action = action_from(do)
    keys = {key: value for key, value in do.items() if key != "action"}
    then = after(position, do["action"], **keys)
    assert describe(position, action, then, CARDS) == words
    assert not isinstance(action, SpiritActionDone)
    assert naming(action, position) == button


@pytest.mark.parametrize(
    ("sphere", "words"),
    [
        ("commitment", "Diana absorbs 2 Willpower from Commitment, pays 1 and gets 1 Ambition"),
        ("humility", "Diana absorbs 2 Willpower from Humility, and gets 1 Essence"),
        ("creativity", "Diana absorbs 2 Willpower from Creativity, and gets 1 card"),
    ],
)
def test_the_bonus_of_each_other_sphere_is_said(sphere: str, words: str) -> None:
    position = table(origin={"facing": sphere}, teams={})
    do = action_from({"action": "absorb", "sphere": sphere})
    assert describe(position, do, after(position, "absorb", sphere=sphere), CARDS) == words


def test_a_revelation_is_told_step_by_step() -> None:
    position = table(
        slots={"valley.1": {"emotion": "kindness"}},
        origin={"willpower": {"commitment": 1}},
        aspirations={"common": ["unity", "openness", "attitude"]},
        teams={"gloom": {"aspiration": "fortitude"}},
        players={"otto": OTTO},
    )
    told = []
    for do in (
        {"action": "absorb", "sphere": "commitment", "bonus": False},
        {"action": "reveal", "team": "bliss", "aspiration": "attitude"},
        {"action": "return-common", "team": "gloom", "aspiration": "openness"},
        {"action": "keep-hidden", "team": "gloom", "aspiration": "unity"},
    ):
        keys = {key: value for key, value in do.items() if key != "action"}
        then = after(position, str(do["action"]), **keys)
        told.append(describe(position, action_from(do), then, CARDS))
        position = then
    assert told == [
        "Diana absorbs 1 Willpower from Commitment: a Revelation; Bliss must show the Hidden Aspiration",
        "Bliss shows its Hidden Aspiration Attitude; into the Identity: a Major Fragment of Bliss",
        "Gloom takes Openness out of the Common Aspirations",
        "Gloom has chosen its next Hidden Aspiration",
    ]


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ({"bliss": {"points": 20}, "gloom": {"points": 21}}, "the game is over: Gloom wins, 21 to 20"),
        ({"bliss": {"points": 20}, "gloom": {"points": 20}}, "the game is over: a draw, 20 to 20"),
    ],
)
def test_the_end_of_the_game_is_said(points: dict[str, Any], words: str) -> None:
    position = table(players={"otto": OTTO}, teams=points)
    then = after(position, "end-turn", gain="cards")
    do = action_from({"action": "end-turn", "gain": "cards"})
    assert describe(position, do, then, CARDS) == f"Diana ends the turn and draws 2 cards; {words}"
