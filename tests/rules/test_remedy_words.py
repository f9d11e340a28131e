"""A way out in words: what each step is called, and what is different about the deed."""

from dataclasses import replace
from typing import Any

import pytest

from companion.rules.actions import (
    Absorb,
    Action,
    Ambition,
    Cradle,
    Empower,
    EndTurn,
    Fortify,
    Invoke,
    KeepHidden,
    Land,
    Move,
    Network,
    Place,
    Quell,
    ReturnCommon,
    Reveal,
    Score,
    SpiritActionDone,
    Token,
    Valley,
    Willow,
)
from companion.rules.cards import Upgrade
from companion.rules.remedy import remedy
from companion.rules.remedy_words import _any_card, _changes, _phrase
from tests.rules.tables import CARDS, table

TOKEN = Token("quell", 4, "blue")
STEPS: list[tuple[Action, str]] = [
    (Move("cradle"), "move to the Cradle"),
    (Move("valley-cradle"), "move to the Valley-Cradle Frontier"),
    (Move("cradle", upgrades=("haste",)), "move to the Cradle with Haste"),
    (Move("cradle", upgrades=("haste", "surmount")), "move to the Cradle with Haste and Surmount"),
    (
        Move("cradle", upgrades=("haste", "surmount", "determination")),
        "move to the Cradle with Haste, Surmount and Determination",
    ),
    (Invoke("self-esteem", "valley.2"), "invoke Self-Esteem into the right Valley slot"),
    (
        Invoke("kindness", "valley-cradle", upgrades=("inner-force",)),
        "invoke Kindness into the Valley-Cradle Frontier slot with Inner Force",
    ),
    (Quell("valley.1"), "quell Kindness"),
    (Quell("valley.1", upgrades=("extinguish",)), "quell Kindness with Extinguish"),
    (Quell("cradle.1"), "quell the Emotion in the left Cradle slot"),
    (Fortify("valley"), "fortify the Valley"),
    (Fortify("valley", upgrades=("determination",)), "fortify the Valley with Determination"),
    (Fortify("valley", upgrades=("exalt",)), "exalt the Valley"),
    (Fortify("valley", upgrades=("raze", "determination")), "raze the Valley with Determination"),
    (Empower("valley.1"), "empower Kindness"),
    (Empower("valley.1", upgrades=("channeled-power",)), "empower Kindness with Channeled Power"),
    (Valley(), "take Willpower in the Valley of Motives"),
    (Cradle(), "draw cards in the Cradle of Senses"),
    (Willow(2), "turn 2 Willpower into Essence in the Willow of Values"),
    (Land("valley.1", 2), "put 2 Essence on Kindness by the Land of Desires"),
    (
        Network("valley.1", "willow.2"),
        "bring Kindness to the right Willow slot by the Network of Thoughts",
    ),
    (Absorb("knowledge"), "absorb from Knowledge"),
    (Absorb("knowledge", bonus=False), "absorb from Knowledge without the bonus"),
    (Absorb("knowledge", token=TOKEN), "absorb from Knowledge with a Vibe token on space 4 of Quell"),
    (Ambition("extra-action"), "gain an extra Action for Ambition"),
    (Ambition("vibe", TOKEN), "add a Vibe token on space 4 of Quell for Ambition"),
    (Ambition("third"), "Ambition: third Ability"),
    (Reveal("gloom", "unity"), "Gloom shows its Hidden Aspiration"),
    (ReturnCommon("gloom", "unity"), "Gloom takes a Common Aspiration out"),
    (KeepHidden("gloom", "unity"), "Gloom chooses Unity"),
    (EndTurn("cards"), "end the turn and draw cards"),
    (EndTurn("ambition"), "end the turn and take 1 Ambition"),
    (Score(), "Score an Intention"),
]


@pytest.mark.parametrize(("step", "words"), STEPS)
def test_what_somebody_could_do(step: Action, words: str) -> None:
    assert _phrase(step, table(slots={"valley.1": {"emotion": "kindness"}})) == words


MOVE = Move("cradle")
QUELL = Quell("valley.1", "courage")
CHANGED: list[tuple[SpiritActionDone, SpiritActionDone, list[str]]] = [
    (MOVE, MOVE, []),
    (MOVE, replace(MOVE, upgrades=("haste",)), ["Haste goes two steps"]),
    (MOVE, replace(MOVE, upgrades=("surmount",)), ["Surmount ends on an opponent's space"]),
    (MOVE, replace(MOVE, upgrades=("determination",)), ["Determination saves 1 Willpower"]),
    (MOVE, replace(MOVE, upgrades=("of-another-print",)), ["add Of Another Print"]),
    (replace(MOVE, upgrades=("haste",)), replace(MOVE, upgrades=("haste",)), []),
    (replace(MOVE, upgrades=("haste",)), MOVE, ["do without Haste"]),
    (replace(MOVE, upgrades=("haste", "haste")), MOVE, ["do without Haste"]),
    (replace(MOVE, upgrades=("haste", "surmount")), MOVE, ["do without Haste and Surmount"]),
    (
        replace(MOVE, upgrades=("haste",)),
        replace(MOVE, upgrades=("surmount",)),
        ["Surmount ends on an opponent's space", "do without Haste"],
    ),
    (
        Invoke("kindness", "valley.1"),
        Invoke("kindness", "valley.1", upgrades=("bolster", "inner-force")),
        ["Bolster adds an Essence", "Inner Force takes the Essence from the supply"],
    ),
    (
        QUELL,
        replace(QUELL, reveal=None, upgrades=("subdue", "extinguish")),
        ["Subdue takes a second Essence", "Extinguish needs no card shown"],
    ),
    (QUELL, replace(QUELL, reveal="kindness"), ["show Kindness"]),
    (QUELL, replace(QUELL, reveal="desire"), ["show a green card"]),
    (QUELL, QUELL, []),
    (replace(QUELL, reveal=None), QUELL, ["show a red card"]),
    (
        Fortify("valley"),
        Fortify("valley", upgrades=("exalt",)),
        ["Exalt makes the Fortress a Major Fragment"],
    ),
    (Fortify("valley"), Fortify("valley", upgrades=("raze",)), ["Raze brings the Fortress down"]),
    (
        Empower("valley.1"),
        Empower("valley.1", upgrades=("channeled-power", "emotional-outburst")),
        ["Channeled Power adds the missing Essence", "Emotional Outburst reaches any slot"],
    ),
    (MOVE, replace(MOVE, place=Place("kindness", 1)), ["discard Kindness to unlock Move"]),
    (
        MOVE,
        replace(MOVE, place=Place("kindness", 2)),
        ["discard Kindness for a token on space 2 of Move"],
    ),
    (
        MOVE,
        replace(MOVE, place=Place("desire", 2)),
        ["discard a yellow or blue card for a token on space 2 of Move"],
    ),
    (
        replace(MOVE, place=Place("desire", 2)),
        replace(MOVE, place=Place("kindness", 2)),
        ["discard Kindness for a token on space 2 of Move"],
    ),
    (replace(MOVE, place=Place("kindness", 2)), replace(MOVE, place=Place("kindness", 2)), []),
    (replace(MOVE, place=Place("kindness", 2)), MOVE, ["place no Vibe token"]),
    (
        MOVE,
        replace(MOVE, place=Place("kindness", 2), upgrades=("haste",)),
        ["discard Kindness for a token on space 2 of Move", "Haste goes two steps"],
    ),
]


@pytest.mark.parametrize(("asked", "done", "parts"), CHANGED)
def test_what_is_different_about_the_deed(
    asked: SpiritActionDone, done: SpiritActionDone, parts: list[str]
) -> None:
    position = table({"vibes": {"move": ["red", "", "green", ""]}, "hand": ["kindness", "*"]})
    assert _changes(asked, done, position.players["diana"], CARDS) == parts


def test_an_upgrade_of_a_side_b_is_told_in_the_words_of_the_data() -> None:
    haste, surmount, _ = CARDS.rows["move"].upgrades
    swap = Upgrade("swap", text="trades spaces")
    row = replace(CARDS.rows["move"], upgrades=(swap, haste, surmount))
    spirit = replace(CARDS.spirits["harmony"], side_b={"move": row})
    cards = replace(CARDS, spirits={**CARDS.spirits, "harmony": spirit})
    other_side = table({"side": "b"}).players["diana"]
    asked = replace(MOVE, upgrades=("swap", "haste"))
    assert _changes(MOVE, asked, other_side, cards) == ["Swap trades spaces", "Haste goes two steps"]
    assert _changes(MOVE, asked, table().players["diana"], cards)[0] == "add Swap"


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        (("", "", "", ""), "any card"),
        (("wild", "", "", ""), "any card"),
        (("red", "", "", ""), "a yellow, green or blue card"),
        (("red", "blue", "", ""), "a yellow or green card"),
        (("red", "blue", "green", ""), "a yellow card"),
    ],
)
def test_which_cards_bring_a_token(tokens: Any, words: str) -> None:
    assert _any_card(tokens, CARDS) == words


def test_an_upgrade_named_twice_is_named_once() -> None:
    position = table({"vibes": {"move": ["wild", "red", "", ""]}})
    way = remedy(position, Move("cradle", upgrades=("haste", "haste")), CARDS)
    assert way is not None
    assert way.text == "Name each upgrade once: 2 Willpower."


def test_cards_or_ambition_at_the_end_of_the_turn() -> None:
    way = remedy(table(), EndTurn("ambition"), CARDS)
    assert way is not None
    assert way.text == "Draw cards instead."


def test_a_smaller_amount_is_told_by_its_name() -> None:
    way = remedy(table({"willpower": 3}, teams={}), Willow(5), CARDS)
    assert way is not None
    assert way.text == "Willow of Values: turn 2 Willpower into Essence: 3 Willpower."
