"""What the log says an action did, where several things come together."""

from dataclasses import replace
from typing import Any

import pytest

from companion.rules.accounts import describe
from companion.rules.actions import PlaceSpirit, PlaceWild, Score, UsePower
from companion.rules.cards import Catalogue
from companion.rules.effects import AddsEssence, Gain, Power, Rewards
from companion.rules.engine import check
from companion.rules.position import Position
from companion.scenario.notation import action_from
from tests.rules.tables import CARDS, NILS, OTTO, PIA, table

ROWS = {row: ["wild", "wild", "wild", "wild"] for row in CARDS.rows}
BOARD: dict[str, Any] = {
    "valley.1": {"emotion": "kindness", "essence": 2},
    "valley.2": {"emotion": "fear", "essence": 3},
}


def told(position: Position, do: dict[str, Any], cards: Catalogue = CARDS) -> str:
    action = action_from(do)
    after = check(position, action, cards).after
    assert after is not None
    return describe(position, action, after, cards)


@pytest.mark.parametrize(
    ("do", "words"),
    [
        (
            {"action": "move", "to": "valley-cradle", "upgrades": ["determination", "surmount"]},
            "Diana moves to the Valley-Cradle Frontier with Determination and Surmount",
        ),
        (
            {"action": "invoke", "emotion": "desire", "slot": "willow-valley", "upgrades": ["bolster"]},
            "Diana invokes Desire into the Willow-Valley Frontier slot with 2 Essence with Bolster",
        ),
        (
            {"action": "quell", "slot": "valley.2", "upgrades": ["subdue", "extinguish"]},
            "Diana quells Fear in the right Valley slot with Subdue and Extinguish: 1 Essence left",
        ),
        (
            {"action": "quell", "slot": "valley.2", "reveal": "confidence"},
            "Diana quells Fear in the right Valley slot: 2 Essence left",
        ),
        (
            {"action": "network", "slot": "valley.1", "to": "willow-valley"},
            "Diana moves Kindness from the left Valley slot to the Willow-Valley Frontier slot",
        ),
        (
            {"action": "empower", "slot": "valley.1", "upgrades": ["determination", "channeled-power"]},
            (
                "Diana empowers Kindness with Determination and Channeled Power: "
                "it becomes Benevolence with 3 Essence"
            ),
        ),
    ],
)
def test_upgrades_are_named_where_they_matter(do: dict[str, Any], words: str) -> None:
    frontier = {"at": "willow-valley"} if "willow-valley" in do.values() else {}
    player = {"vibes": ROWS, "hand": ["confidence", "desire"], "essence": 5} | frontier
    assert told(table(player, slots=BOARD), do) == words


@pytest.mark.parametrize(
    ("upgrades", "fragment", "words"),
    [
        (["determination"], None, "Diana fortifies the Valley with Determination"),
        (
            ["exalt", "determination"],
            ("bliss", "minor"),
            "Diana exalts the Fortress in the Valley with Determination",
        ),
        (
            ["raze", "determination"],
            ("gloom", "major"),
            "Diana razes the Fortress in the Valley with Determination: a Minor Fragment is left",
        ),
    ],
)
def test_how_a_fortress_changes(upgrades: list[str], fragment: tuple[str, str] | None, words: str) -> None:
    stands = {} if fragment is None else {"valley": {"team": fragment[0], "fragment": fragment[1]}}
    do = {"action": "fortify", "realm": "valley", "upgrades": upgrades}
    assert told(table({"vibes": ROWS}, fortresses=stands), do) == words


def test_an_absorb_that_empties_the_sphere_says_all_that_was_in_it() -> None:
    """R-REV-1, R-REV-22: the Sphere is full again afterwards."""
    position = table(
        slots={"willow-valley": {"emotion": "kindness"}},
        origin={"willpower": {"commitment": 1}},
        aspirations={"common": ["unity", "openness"]},
        teams={"bliss": {"aspiration": "attitude"}, "gloom": {"aspiration": "fortitude"}},
        players={"otto": OTTO},
    )
    words = told(position, {"action": "absorb", "sphere": "commitment", "bonus": False})
    assert words == (
        "Diana absorbs 1 Willpower from Commitment: a Revelation; "
        "into the Identity: a Major Fragment of Bliss"
    )


def test_a_token_and_what_is_paid_are_gifts_of_one_sentence() -> None:
    do = {"action": "absorb", "sphere": "knowledge", "row": "move", "space": 2, "vibe": "red"}
    position = table({"vibes": {"move": ["wild", "", "", ""]}}, origin={"facing": "knowledge"})
    assert told(position, do) == (
        "Diana absorbs 2 Willpower from Knowledge, and gets a red Vibe token on space 2 of Move"
    )


@pytest.mark.parametrize(
    ("common", "words"),
    [
        (["liveliness", "openness"], "; nothing comes into the Identity"),
        (["attitude", "openness"], "; into the Identity: a Minor Fragment of Bliss"),
    ],
)
def test_what_a_revelation_brings_is_said_with_the_last_aspiration_shown(
    common: list[str], words: str
) -> None:
    reveal = [{"action": "reveal", "team": team} for team in ("bliss", "gloom")]
    position = table(
        slots={"valley.1": {"emotion": "kindness"}} if "attitude" in common else {},
        aspirations={"common": common},
        turn={"pending": reveal},
        players={"otto": OTTO},
    )
    action = action_from({"action": "reveal", "team": "bliss", "aspiration": "fortitude"})
    first = check(position, action, CARDS).after
    assert first is not None
    assert describe(position, action, first, CARDS) == "Bliss shows its Hidden Aspiration Fortitude"
    last = told(first, {"action": "reveal", "team": "gloom", "aspiration": "unity"})
    assert last == f"Gloom shows its Hidden Aspiration Unity{words}"


# Set-up


def test_the_steps_of_a_set_up() -> None:
    steps = [
        {"action": "place-spirit", "team": "bliss", "player": "diana"},
        {"action": "place-spirit", "team": "gloom", "player": "otto"},
        {"action": "place-spirit", "team": "gloom", "player": "otto"},
        {"action": "place-wild", "team": "gloom", "player": "otto"},
    ]
    players = {
        name: {"team": team} for name, team in (("diana", "bliss"), ("otto", "gloom"), ("pia", "bliss"))
    }
    position = table(players=players, turn={"player": "diana", "pending": steps})
    said = []
    for action in (
        PlaceSpirit("valley.2", "valley-cradle"),
        PlaceSpirit("land.1", "network-land"),
        PlaceSpirit("network.2"),
        PlaceWild("quell", 1),
    ):
        after = check(position, action, CARDS).after
        assert after is not None, check(position, action, CARDS).refusals
        said.append(describe(position, action, after, CARDS))
        position = after
    assert said == [
        "Diana starts on the Valley-Cradle Frontier and puts Brightness into the right Valley slot",
        "Otto starts on the Network-Land Frontier and puts Bleakness into the left Land slot",
        "Otto puts another Bleakness into the right Network slot",
        "Otto places a wild Vibe token on space 1 of Quell",
    ]


# Intentions and powers


@pytest.mark.parametrize(
    ("points", "count", "words"),
    [
        (0, 1, "Bliss scores an Intention: 1 point, 1 on the Wheel"),
        (0, 2, "Bliss scores 2 Intentions"),
    ],
)
def test_intentions_scored(points: int, count: int, words: str) -> None:
    position = table(teams={"bliss": {"points": points, "ambition": 1}}, players={"otto": OTTO})
    action = Score(count)
    after = check(position, action, CARDS).after
    assert after is not None
    assert describe(position, action, after, CARDS).startswith(words)


def _told(**powers: Power) -> Catalogue:
    cards = {name: replace(CARDS.cards[name], power=power) for name, power in powers.items()}
    return replace(CARDS, cards={**CARDS.cards, **cards})


@pytest.mark.parametrize(
    ("gain", "words"),
    [
        (Gain(willpower=2), "2 Willpower"),
        (Gain(essence=1), "1 Essence"),
        (Gain(ambition=1), "1 Ambition"),
        (Gain(cards=1), "1 card"),
        (Gain(actions=1), "1 more Action"),
        (Gain(willpower=1, cards=2), "1 Willpower and 2 cards"),
    ],
)
def test_what_a_power_gave_and_to_whom(gain: Gain, words: str) -> None:
    """R-POWER-1."""
    reward = Rewards(on="enters", gains=(gain,), to="one-of-team", optional=True)
    cards = _told(trust=Power(effects=(reward,)))
    position = table(
        {"willpower": 3, "hand": ["*"]},
        players={"otto": OTTO, "pia": PIA | {"willpower": 5, "hand": ["*"] * 3}, "nils": NILS},
        teams={"bliss": {"ambition": 1}},
        turn={"pending": [{"action": "power", "team": "bliss", "power": "trust"}]},
    )
    whom = "diana" if gain.actions else "pia"
    do = {"action": "power", "power": "trust", "to": whom}
    assert told(position, do, cards) == f"Trust gives {whom.capitalize()} {words}"
    assert (
        told(position, {"action": "power", "power": "trust", "decline": True}, cards)
        == "Trust is left unused"
    )


def test_essence_that_a_power_put_on_an_emotion() -> None:
    """R-POWER-1, R-DESIRE-3."""
    cards = _told(trust=Power(effects=(AddsEssence(essence=1),)))
    position = table(slots=BOARD, turn={"pending": [{"action": "power", "team": "bliss", "power": "trust"}]})
    action = UsePower("trust", slot="valley.1")
    after = check(position, action, cards).after
    assert after is not None
    assert describe(position, action, after, cards) == (
        "Trust puts 1 Essence on Kindness in the left Valley slot: 3 on it now"
    )
