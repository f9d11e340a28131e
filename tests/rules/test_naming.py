"""What actions are called before they are taken: on buttons and in ways out."""

import pytest

from companion.rules.actions import (
    Absorb,
    Adjust,
    Ambition,
    Cradle,
    EndTurn,
    KeepHidden,
    Land,
    Network,
    PlaceSpirit,
    PlaceWild,
    PlainDone,
    ReturnCommon,
    Reveal,
    Score,
    Token,
    UsePower,
    Valley,
    Willow,
)
from companion.rules.effects import Gain
from companion.rules.parts import Part
from companion.rules.position import Result
from companion.rules.verdict import Cost, Missing
from companion.rules.words import cost_words, gain_words, missing_words, naming, result_words
from tests.rules.tables import table

TOKEN = Token("quell", 4, "blue")
NAMED: list[tuple[PlainDone, str]] = [
    (EndTurn("ambition"), "End the turn: 1 Ambition"),
    (EndTurn("cards"), "End the turn: draw cards"),
    (Absorb("knowledge"), "Absorb from Knowledge"),
    (Absorb("knowledge", token=TOKEN), "Absorb from Knowledge, with a blue Vibe token on space 4 of Quell"),
    (Absorb("knowledge", bonus=False), "Absorb from Knowledge, without the bonus"),
    (Ambition("extra-action"), "Ambition: extra Action"),
    (Ambition("vibe", TOKEN), "Ambition: add a blue Vibe token on space 4 of Quell"),
    (Ambition("vibe"), "Ambition: Vibe token"),
    (Ambition("third"), "Ambition: third Ability"),
    (Ambition("of-another-print"), "Ambition: Of Another Print"),
    (Reveal("gloom", "unity"), "Gloom shows Unity"),
    (ReturnCommon("bliss", "attitude"), "Bliss takes Attitude out"),
    (KeepHidden("gloom", "openness"), "Gloom chooses Openness"),
    (PlaceSpirit("valley.2"), "Starting Emotion into the right Valley slot"),
    (
        PlaceSpirit("valley.2", "valley-cradle"),
        "Start on the Valley-Cradle Frontier: Starting Emotion into the right Valley slot",
    ),
    (PlaceWild("empower", 3), "Wild Vibe token on space 3 of Empower"),
    (Score(), "Score an Intention"),
    (Score(3), "Score 3 Intentions"),
    (Adjust(Part()), "Put the table right"),
    (Adjust(Part(), "a card fell"), "Put the table right: a card fell"),
    (Valley(), "Valley of Motives: take Willpower"),
    (Cradle(), "Cradle of Senses: draw cards"),
    (Willow(3), "Willow of Values: turn 3 Willpower into Essence"),
    (Land("valley.1", 2), "Land of Desires: 2 Essence on Kindness"),
    (Land("cradle.1", 2), "Land of Desires: 2 Essence on the left Cradle slot"),
    (Network("valley.1", "willow.2"), "Network of Thoughts: Kindness to the right Willow slot"),
    (
        Network("cradle-network", "willow.2"),
        "Network of Thoughts: the Cradle-Network Frontier slot to the right Willow slot",
    ),
    (UsePower("self-esteem", decline=True), "Self-Esteem: leave it"),
    (UsePower("delight", slot="valley.1"), "Delight: Essence on Kindness in the left Valley slot"),
    (UsePower("trust"), "Trust: take it"),
    (UsePower("trust", to="pia"), "Trust: Pia"),
    (UsePower("trust", gain="essence"), "Trust: Essence"),
    (UsePower("trust", gain="willpower-cards", to="pia"), "Trust: Willpower and cards for Pia"),
    (UsePower("trust", gain="actions-ambition"), "Trust: an Action and Ambition"),
    (UsePower("trust", gain="luck"), "Trust: luck"),
]


@pytest.mark.parametrize(("action", "words"), NAMED)
def test_every_action_that_is_no_spirit_action_has_a_name(action: PlainDone, words: str) -> None:
    assert naming(action, table(slots={"valley.1": {"emotion": "kindness"}})) == words


@pytest.mark.parametrize(
    ("gain", "words"),
    [
        (Gain(), "nothing"),
        (Gain(willpower=2), "2 Willpower"),
        (Gain(essence=1), "1 Essence"),
        (Gain(ambition=3), "3 Ambition"),
        (Gain(cards=1), "1 card"),
        (Gain(cards=2), "2 cards"),
        (Gain(actions=1), "1 more Action"),
        (Gain(actions=2), "2 more Actions"),
        (
            Gain(1, 2, 3, 4, 5),
            "1 Willpower and 2 Essence and 3 Ambition and 5 more Actions and 4 cards",
        ),
    ],
)
def test_a_gain_in_words(gain: Gain, words: str) -> None:
    assert gain_words(gain) == words


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        (Cost(willpower=1), "1 Willpower"),
        (Cost(essence=1), "1 Essence"),
        (Cost(ambition=1), "1 Ambition"),
        (Cost(willpower=2, ambition=1), "2 Willpower, 1 Ambition"),
    ],
)
def test_only_what_is_paid_is_in_a_cost(cost: Cost, words: str) -> None:
    assert cost_words(cost) == words


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        (Missing("trust", "empower_threshold"), "the Empower threshold printed on Trust"),
        (Missing("trust", "intensity"), "the Intensity printed on Trust"),
        (Missing("trust", "strong"), "the Strong Emotion named on Trust"),
        (Missing("love", "side_b"), "the upgrades on side B of Love's Spirit board"),
        (Missing("aspirations", "common"), "the Common Aspirations that lie open"),
        (Missing("trust", "colour"), "colour"),
    ],
)
def test_each_printed_value_is_asked_for_by_its_name(missing: Missing, words: str) -> None:
    assert missing_words((missing,)) == f"This hangs on {words}: look it up and tell the table."


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (Result(ended=True, winner="bliss", score={"bliss": 9, "gloom": 4}), "Bliss wins, 9 to 4"),
        (Result(ended=True, winner="gloom", score={"bliss": 4, "gloom": 9}), "Gloom wins, 9 to 4"),
        (Result(ended=True, winner="draw", score={"bliss": 4, "gloom": 4}), "a draw, 4 to 4"),
        (Result(ended=True, score={"bliss": 5, "gloom": 5}), "a draw, 5 to 5"),
        (Result(ended=True, winner="bliss"), "Bliss wins, 0 to 0"),
    ],
)
def test_the_winners_points_come_first(result: Result, words: str) -> None:
    assert result_words(result) == f"the game is over: {words}"
