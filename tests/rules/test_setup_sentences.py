"""What people read where a game can't be set up as they say."""

from dataclasses import replace
from typing import Any

import pytest

from companion.content import aspirations, catalogue, decks
from companion.rules.position import Mode
from companion.rules.setup import Laid, Seat, SetupError, deck_faults, new_game

CARDS = catalogue()
COMMON = aspirations()
ADA = Seat("ada", "bliss", "love")
BEN = Seat("ben", "gloom", "malice")
CLEO = Seat("cleo", "bliss", "delight")
DAN = Seat("dan", "gloom", "misery")
TITLES = decks()["beginners-bliss"].titles
OTHERS = TITLES[1:]


def refusal(who: list[Seat], **more: Any) -> str:
    with pytest.raises(SetupError) as raised:
        new_game(who, CARDS, **more)
    return str(raised.value)


@pytest.mark.parametrize(
    ("who", "words"),
    [
        ([], "0 players: two, three or four can play (R-SHAPER-1)"),
        ([ADA], "1 players: two, three or four can play (R-SHAPER-1)"),
        (
            [ADA, BEN, CLEO, DAN, Seat("eve", "bliss")],
            "5 players: two, three or four can play (R-SHAPER-1)",
        ),
        ([ADA, replace(BEN, name="ada")], "2 players are named Ada (R-SETUP-17)"),
        (
            [ADA, CLEO],
            "Ada and Cleo follow each other, both of Bliss: the teams take turns (R-SETUP-17)",
        ),
        (
            [BEN, ADA, CLEO],
            "Ada and Cleo follow each other, both of Bliss: the teams take turns (R-SETUP-17)",
        ),
        (
            [ADA, replace(BEN, side="b")],
            "All players use the same side of the Spirit boards (R-SETUP-3)",
        ),
        ([ADA, replace(BEN, spirit="joy")], "Joy is no Spirit of Gloom (R-SETUP-6)"),
        ([replace(ADA, spirit="malice"), BEN], "Malice is no Spirit of Bliss (R-SETUP-6)"),
        (
            [ADA, BEN, replace(CLEO, spirit="love")],
            "2 players have the Spirit Love: there is one (R-SETUP-6)",
        ),
        (
            [replace(ADA, hand=("*",)), BEN],
            "Ada has 1 cards: everybody starts with 2 (R-SETUP-22)",
        ),
        (
            [replace(ADA, hand=("*",) * 3), BEN],
            "Ada has 3 cards: everybody starts with 2 (R-SETUP-22)",
        ),
        ([replace(ADA, hand=("*", "anger")), BEN], "Anger is no card of Ada's deck (R-SETUP-7)"),
        ([replace(ADA, hand=("*", "joy")), BEN], "Joy is no card of Ada's deck (R-SETUP-7)"),
        ([replace(ADA, top="benevolence"), BEN], "Benevolence is no card of Ada's deck (R-SETUP-7)"),
        (
            [replace(ADA, hand=("courage", "courage"), top="courage"), BEN],
            "Ada shows 3 cards Courage: a deck has two (R-SETUP-7)",
        ),
        (
            [replace(ADA, deck=TITLES[:7]), BEN],
            "Ada's deck: 7 titles: it has 8, two copies of each (R-SETUP-7)",
        ),
    ],
)
def test_who_plays(who: list[Seat], words: str) -> None:
    assert refusal(who) == words


def test_the_basic_game_uses_side_a() -> None:
    both = [replace(ADA, side="b"), replace(BEN, side="b")]
    assert refusal(both, mode="basic") == "The basic game uses side A of the Spirit boards (R-BASIC-4)"
    assert {player.side for player in new_game(both, CARDS).players.values()} == {"b"}


@pytest.mark.parametrize(
    ("mode", "laid", "words"),
    [
        ("full", Laid("valley"), "Valley is no Sphere (R-SETUP-1)"),
        (
            "full",
            Laid(common=COMMON[:8]),
            (
                "The row of Common Aspirations has each of 9 titles once: Attitude, Awareness, "
                "Fortitude, Liveliness, Openness, Reflection, Sensibility, Unity, Versatility (R-SETUP-13)"
            ),
        ),
        (
            "basic",
            Laid(common=COMMON),
            (
                "The row of Common Aspirations has each of 7 titles once: Attitude, Awareness, "
                "Fortitude, Liveliness, Openness, Unity, Versatility (R-BASIC-3)"
            ),
        ),
        (
            "full",
            Laid(hidden={"gloom": "joy"}),
            "Gloom can't have the Hidden Aspiration Joy (R-SETUP-14)",
        ),
        (
            "basic",
            Laid(hidden={"bliss": "reflection"}),
            "Bliss can't have the Hidden Aspiration Reflection (R-BASIC-3)",
        ),
        (
            "full",
            Laid(common=("unity", *(name for name in COMMON if name != "unity")), hidden={"gloom": "unity"}),
            "Unity is the current Common Aspiration: Gloom shuffles again (R-SETUP-15)",
        ),
    ],
)
def test_what_lies_on_the_table(mode: Mode, laid: Laid, words: str) -> None:
    assert refusal([ADA, BEN], mode=mode, laid=laid) == words


@pytest.mark.parametrize(
    ("titles", "faults"),
    [
        (TITLES, []),
        ((*OTHERS, "joy"), ["Joy is no Mild Emotion of Bliss"]),
        ((*OTHERS, "benevolence"), ["Benevolence is no Mild Emotion of Bliss"]),
        ((*OTHERS, "anger"), ["Anger is no Mild Emotion of Bliss"]),
        (
            (*OTHERS, OTHERS[0]),
            [f"{OTHERS[0].capitalize()} is named twice: name each title once, two copies are meant"],
        ),
        (OTHERS, ["7 titles: it has 8, two copies of each"]),
        ((), ["0 titles: it has 8, two copies of each"]),
    ],
)
def test_what_is_wrong_with_a_deck(titles: tuple[str, ...], faults: list[str]) -> None:
    """R-SETUP-7."""
    assert list(deck_faults(titles, "bliss", CARDS)) == [("R-SETUP-7", fault) for fault in faults]


def test_the_ruling_on_fragments_is_two_numbers() -> None:
    """R-SETUP-5, OQ-8."""
    assert refusal([ADA, BEN], rulings={"fragments": "many"}) == (
        "The ruling on Fragments is two numbers, Minor and Major (R-SETUP-5)"
    )
    game = new_game([ADA, BEN], CARDS, rulings={"fragments": [7, 4]})
    assert {(team.minor, team.major) for team in game.teams.values()} == {(7, 4)}


def test_what_was_told_before_the_game_is_in_it() -> None:
    hand = (TITLES[1], TITLES[0])
    told = replace(ADA, hand=hand, top=TITLES[2], deck=TITLES, side="b")
    game = new_game(
        [told, replace(BEN, side="b")],
        CARDS,
        laid=Laid("humility", COMMON, {"bliss": COMMON[1]}),
        rulings={"x": 1},
    )
    ada = game.players["ada"]
    assert (ada.hand, ada.top, ada.deck) == (tuple(sorted(hand)), TITLES[2], tuple(sorted(TITLES)))
    assert (ada.side, ada.spirit, ada.team, ada.vibes) == ("b", "love", "bliss", {})
    assert (game.common, game.origin.facing, game.rulings) == (COMMON, "humility", {"x": 1})
    assert {name: team.aspiration for name, team in game.teams.items()} == {
        "bliss": COMMON[1],
        "gloom": None,
    }
    assert (game.mode, game.turn.player, game.players["ben"].deck) == ("full", "ada", None)
