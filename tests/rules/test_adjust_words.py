"""What the log says when the table puts something right: every part that can be stated, nothing hidden."""

from dataclasses import replace

import pytest

from companion.rules.accounts import describe
from companion.rules.actions import Adjust
from companion.rules.parts import (
    EmotionPart,
    FortressPart,
    Part,
    PlayerPart,
    TeamPart,
    TurnPart,
)
from companion.rules.position import HIDDEN, Emotion, Fortress, Pending, Position, Result
from tests.rules.tables import CARDS, OTTO, table

PLAYERS = [
    (PlayerPart(willpower=4), "4 Willpower"),
    (PlayerPart(willpower=0), "0 Willpower"),
    (PlayerPart(essence=2), "2 Essence"),
    (PlayerPart(hand=("*", "courage")), "2 cards in the hand"),
    (PlayerPart(top="self-esteem"), "the top card Self-Esteem"),
    (PlayerPart(top=HIDDEN), "the top card not known"),
    (PlayerPart(at="cradle"), "the figure in the Cradle"),
    (PlayerPart(at="valley-cradle"), "the figure on the Valley-Cradle Frontier"),
    (PlayerPart(spirit="love"), "the Spirit Love"),
    (PlayerPart(side="b"), "side B of the Spirit board"),
    (PlayerPart(vibes={"move": ("red", "", "wild", "")}), "the Move row red/-/wild/-"),
    (PlayerPart(deck=("courage",)), "the Emotion deck"),
    (
        PlayerPart(willpower=1, essence=3, at="land", deck=()),
        "1 Willpower, 3 Essence, the figure in the Land, the Emotion deck",
    ),
]
TEAMS = [
    (TeamPart(ambition=2), "2 Ambition"),
    (TeamPart(ambition=0), "0 Ambition"),
    (TeamPart(points=7), "7 on the Wheel"),
    (TeamPart(minor=5), "5 Minor Fragments left"),
    (TeamPart(major=2), "2 Major Fragments left"),
    (TeamPart(aspiration="unity"), "the Hidden Aspiration"),
    (TeamPart(points=3, aspiration="unity"), "3 on the Wheel, the Hidden Aspiration"),
]
TURNS = [
    (TurnPart(player="otto"), "Otto's"),
    (TurnPart(number=9), "number 9"),
    (TurnPart(actions_left=2), "2 Actions left"),
    (TurnPart(absorbed=True), "Absorb used"),
    (TurnPart(absorbed=False), "Absorb not used"),
    (TurnPart(ambition_used=("third", "vibe")), "2 Ambition Abilities used"),
    (TurnPart(intentions=2), "2 Intentions scored"),
    (TurnPart(pending=(Pending("reveal", "bliss"), Pending("reveal", "gloom"))), "2 open steps"),
    (
        TurnPart(player="otto", number=4, actions_left=2, absorbed=True, intentions=0, pending=()),
        "Otto's, number 4, 2 Actions left, Absorb used, 0 Intentions scored, 0 open steps",
    ),
]


def _said(part: Part, after: Position | None = None, reason: str = "") -> str:
    start = table(players={"otto": OTTO})
    return describe(start, Adjust(part, reason), after or start, CARDS)


@pytest.mark.parametrize(("part", "words"), PLAYERS)
def test_what_was_stated_about_a_player(part: PlayerPart, words: str) -> None:
    assert _said(Part(players={"otto": part})) == f"Diana puts the table right: Otto: {words}"


@pytest.mark.parametrize(("part", "words"), TEAMS)
def test_what_was_stated_about_a_team(part: TeamPart, words: str) -> None:
    assert _said(Part(teams={"gloom": part})) == f"Diana puts the table right: Gloom: {words}"


@pytest.mark.parametrize(("part", "words"), TURNS)
def test_what_was_stated_about_the_turn(part: TurnPart, words: str) -> None:
    assert _said(Part(turn=part)) == f"Diana puts the table right: turn: {words}"


@pytest.mark.parametrize(
    ("lying", "words"),
    [
        (Emotion("kindness", 2), "Kindness with 2 Essence"),
        (Emotion("self-esteem", 1, 3), "Self-Esteem with 1 Essence and a +3 Intensity token"),
        (None, "nothing"),
    ],
)
def test_what_lies_in_a_slot_then(lying: Emotion | None, words: str) -> None:
    after = table().with_slot("valley.1", lying)
    part = Part(slots={"valley.1": EmotionPart(essence=1)})
    assert _said(part, after) == f"Diana puts the table right: left Valley slot: {words}"


@pytest.mark.parametrize(
    ("stands", "words"),
    [(Fortress("gloom", "major"), "a Major Fragment of Gloom"), (None, "nothing")],
)
def test_what_stands_in_a_realm_then(stands: Fortress | None, words: str) -> None:
    after = replace(table(), fortresses={} if stands is None else {"cradle": stands})
    part = Part(fortresses={"cradle": FortressPart(this_turn=True)})
    assert _said(part, after) == f"Diana puts the table right: Fortress in the Cradle: {words}"


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (Part(facing="humility"), "Humility faces the Valley"),
        (Part(willpower={"humility": 0}), "Humility: 0 Willpower"),
        (Part(common=("unity", "self-esteem")), "Common Aspirations: Unity, Self-Esteem"),
        (Part(common=()), "Common Aspirations: none"),
        (Part(identity=("bliss minor", "gloom major")), "Identity: Bliss Minor, Gloom Major"),
        (Part(identity=()), "Identity: empty"),
        (Part(mode="basic"), "the basic game"),
        (Part(rulings={"raze-own": "yes"}), "raze own: yes"),
        (Part(goes_on=True), "the game goes on"),
        (
            Part(result=Result(ended=True, winner="gloom", score={"bliss": 3, "gloom": 9})),
            "the game is over: Gloom wins, 9 to 3",
        ),
    ],
)
def test_what_was_stated_about_the_board_and_the_game(part: Part, words: str) -> None:
    assert _said(part) == f"Diana puts the table right: {words}"


def test_all_that_was_stated_is_said_in_one_line() -> None:
    part = Part(players={"diana": PlayerPart(essence=1)}, facing="humility", turn=TurnPart(number=2))
    assert _said(part, reason="a power") == (
        "Diana puts the table right (a power): Diana: 1 Essence; Humility faces the Valley; turn: number 2"
    )


def test_where_nothing_was_stated_nothing_is_told() -> None:
    assert _said(Part()) == "Diana puts the table right"
    assert _said(Part(), reason="to be sure") == "Diana puts the table right (to be sure)"
