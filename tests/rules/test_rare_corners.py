"""More corners: what several pieces of one team add up to, how far powers reach, words for rare refusals."""

from dataclasses import replace

import pytest

from companion.rules.actions import Adjust
from companion.rules.aspirations import count
from companion.rules.board import FRONTIERS, REALMS
from companion.rules.cards import Upgrade
from companion.rules.effects import AddsEssence, Gain, Power, Reaches, Rewards
from companion.rules.ending import FRAGMENT_POINTS, score
from companion.rules.engine import check
from companion.rules.hands import deck_size
from companion.rules.parts import Part, PlayerPart, TurnPart
from companion.rules.position import Emotion, Pending
from companion.scenario.notation import action_from
from tests.rules.tables import CARDS, OTTO, judge, table

FEAR = {"valley.1": {"emotion": "fear"}}


def test_the_fortresses_of_a_team_add_up() -> None:
    """R-ASP-3."""
    stands = {
        "valley": {"team": "bliss", "fragment": "minor"},
        "land": {"team": "bliss", "fragment": "minor"},
        "cradle": {"team": "gloom", "fragment": "major"},
        "willow": {"team": "gloom", "fragment": "minor"},
    }
    one = count(table(fortresses={"valley": stands["valley"]}), "fortitude", CARDS)
    major = count(table(fortresses={"cradle": stands["cradle"]}), "fortitude", CARDS)
    found = count(table(fortresses=stands), "fortitude", CARDS)
    assert (found.bliss, found.gloom) == (2 * one.bliss, major.gloom + one.bliss)


def test_a_card_without_a_vibe_fits_no_coloured_target() -> None:
    """R-QUELL-2, R-QUELL-5."""
    position = table({"hand": ["brightness"]}, slots=FEAR)
    words = [r.text for r in judge(position, "quell", slot="valley.1", reveal="brightness").refusals]
    assert "Brightness is without a Vibe; Fear asks for a blue card." in words


def test_with_extinguish_a_card_of_any_colour_may_be_shown_in_vain() -> None:
    """R-QUELL-8."""
    position = table({"hand": ["kindness"]}, slots=FEAR)
    assert judge(position, "quell", slot="valley.1", reveal="kindness").rules == ("R-QUELL-2",)
    verdict = judge(position, "quell", slot="valley.1", reveal="kindness", upgrades=["extinguish"])
    assert verdict.status == "legal"


def test_essence_that_is_not_there_can_not_be_given_by_a_power() -> None:
    """R-TURN-8, R-POWER-1."""
    power = Power(effects=(AddsEssence(essence=2),))
    cards = replace(CARDS, cards={**CARDS.cards, "trust": replace(CARDS.cards["trust"], power=power)})
    position = table(
        {"essence": 1},
        slots={"valley.1": {"emotion": "kindness"}},
        turn={"pending": [{"action": "power", "team": "bliss", "power": "trust"}]},
    )
    verdict = check(position, action_from({"action": "power", "power": "trust", "slot": "valley.1"}), cards)
    assert [r.text for r in verdict.refusals] == ["This takes 2 Essence; Diana has 1."]


@pytest.mark.parametrize(("upgrades", "status"), [(["further"], "legal"), ([], "illegal")])
def test_an_upgrade_of_side_b_that_reaches_further(upgrades: list[str], status: str) -> None:
    """R-COMP-2, R-EMP-2."""
    _, channeled, determination = CARDS.rows["empower"].upgrades
    further = Upgrade("further", effects=(Reaches("empower", "near"),))
    row = replace(CARDS.rows["empower"], upgrades=(further, channeled, determination))
    spirit = replace(CARDS.spirits["harmony"], side_b={"empower": row})
    cards = replace(CARDS, spirits={**CARDS.spirits, "harmony": spirit})
    slots = {"valley-cradle": {"emotion": "kindness", "essence": 2}}
    position = table({"side": "b"}, slots=slots)
    do = action_from({"action": "empower", "slot": "valley-cradle", "upgrades": upgrades})
    assert check(position, do, cards).status == status


@pytest.mark.parametrize(("at", "essence"), [("valley", 1), ("land", 0), (None, 0)])
def test_the_power_of_a_spirit_that_is_not_on_the_board_reaches_nothing(at: str | None, essence: int) -> None:
    """R-POWER-6: the power looks around the figure."""
    effect = Rewards(on="action", gains=(Gain(essence=1),), actions=("fortify",), area="beside")
    harmony = replace(CARDS.spirits["harmony"], power=Power(effects=(effect,)))
    cards = replace(CARDS, spirits={**CARDS.spirits, "harmony": harmony})
    pia = {"team": "bliss", "spirit": "love", "at": "valley", "willpower": 9}
    pia["vibes"] = {"fortify": ["wild", "", "", ""]}
    position = table(players={"otto": OTTO, "pia": pia}, turn={"player": "pia"})
    position = position.with_player(replace(position.players["diana"], at=at))
    then = check(position, action_from({"action": "fortify", "realm": "valley"}), cards).after
    assert then is not None
    assert then.players["pia"].essence == essence


@pytest.mark.parametrize(
    ("identity", "points", "scored"),
    [
        (("gloom capping",), 0, 0),
        (("gloom capping",), 5, 4),
        (("gloom capping",), 4, 4),
        (("bliss capping",), 5, 0),
        ((), 5, 0),
    ],
)
def test_on_the_wheel_of_the_basic_game_only_the_points_for_capping_second_count(
    identity: tuple[str, ...], points: int, scored: int
) -> None:
    """R-SCORE-4, R-END-3."""
    position = replace(table(mode="basic", teams={"bliss": {"points": points}}), identity=identity)
    value = sum(FRAGMENT_POINTS.get(one.split()[1], 0) for one in identity if one.startswith("bliss"))
    assert score(position, "bliss") == scored + value


def test_the_open_card_of_a_teammate_is_not_in_the_decks() -> None:
    """R-DECK-6: what lies on the board may have come out of either deck."""
    pia = {"team": "bliss", "spirit": "love", "hand": ["*", "*"]}
    closed = table(players={"otto": OTTO, "pia": pia})
    opened = table(players={"otto": OTTO, "pia": pia | {"top": "kindness"}})
    slots = {f"{realm}.{n}": Emotion("courage") for realm in REALMS for n in (1, 2)}
    for position, mates in ((closed, 14), (opened, 13)):
        full = replace(position, slots={**slots, **dict.fromkeys(FRONTIERS, Emotion("trust"))})
        assert deck_size(full, full.players["diana"], CARDS) == 16 - max(0, len(full.slots) - mates)


@pytest.mark.parametrize(
    "part",
    [
        Part(players={"zoe": PlayerPart()}),
        Part(turn=TurnPart(player="zoe")),
        Part(turn=TurnPart(pending=(Pending("place-wild", "bliss", player="zoe"),))),
    ],
)
def test_nobody_joins_the_game_by_an_adjustment(part: Part) -> None:
    """R-SETUP-17."""
    verdict = check(table(), Adjust(part), CARDS)
    assert [r.text for r in verdict.refusals][:1] == ["Zoe is not among the players."]
    alike = Part(turn=TurnPart(player="diana", pending=(Pending("reveal", "bliss"),)))
    assert check(table(), Adjust(alike), CARDS).status == "legal"
