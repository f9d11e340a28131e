"""Vibe rows and upgrades: R-VIBE-1 to R-VIBE-8, R-UPG-1 to R-UPG-6, what an unknown card can be."""

from typing import Any

import pytest

from companion.rules.upgrades import total_cost
from tests.rules.tables import CARDS, FULL_ROW, OTTO, PIA, WILD_ROW, after, judge, table

TARGETS: dict[str, dict[str, Any]] = {
    "move": {"to": "willow-valley"},
    "invoke": {"emotion": "desire", "slot": "valley.2"},
    "quell": {"slot": "valley.1", "reveal": "desire"},
    "fortify": {"realm": "valley"},
    "empower": {"slot": "valley-cradle"},
}
"""For each Spirit Action a target that is legal on `_ready`."""


def _ready(row: str, tokens: list[str], hand: list[str]) -> Any:
    at = "valley-cradle" if row == "empower" else "valley"
    slots = {
        "valley.1": {"emotion": "bleakness"},
        "valley-cradle": {"emotion": "kindness", "essence": 3},
    }
    return table({"at": at, "hand": hand, "vibes": {row: tokens}}, slots=slots)


@pytest.mark.parametrize("row", TARGETS)
def test_r_vibe_1_a_token_on_the_leftmost_space_unlocks(row: str) -> None:
    assert judge(_ready(row, WILD_ROW, ["desire"]), row, **TARGETS[row]).status == "legal"


@pytest.mark.parametrize("row", TARGETS)
def test_r_vibe_2_a_locked_row_is_refused(row: str) -> None:
    assert judge(_ready(row, ["", "", "", ""], ["desire"]), row, **TARGETS[row]).rules == ("R-VIBE-2",)


@pytest.mark.parametrize("row", TARGETS)
def test_r_vibe_4_placing_first_unlocks_and_the_token_stays(row: str) -> None:
    position = _ready(row, ["", "", "", ""], ["desire", "optimism"])
    then = after(position, row, place={"discard": "optimism", "space": 1}, **TARGETS[row])
    assert then.players["diana"].row(row) == ("blue", "", "", "")
    assert "optimism" not in then.players["diana"].hand


@pytest.mark.parametrize("row", TARGETS)
@pytest.mark.parametrize("space", [2, 3, 4])
def test_r_vibe_4_a_locked_row_takes_no_token_on_an_upgrade(row: str, space: int) -> None:
    position = _ready(row, ["", "", "", ""], ["desire", "optimism"])
    verdict = judge(position, row, place={"discard": "optimism", "space": space}, **TARGETS[row])
    assert verdict.rules == ("R-VIBE-4", "R-VIBE-2")


@pytest.mark.parametrize("row", TARGETS)
@pytest.mark.parametrize("space", [2, 3, 4])
def test_r_vibe_8_a_placed_token_is_used_in_the_same_action(row: str, space: int) -> None:
    upgrade = CARDS.rows[row].upgrades[space - 2].name
    if upgrade in ("haste", "exalt", "raze", "channeled-power"):
        return
    position = _ready(row, WILD_ROW, ["desire", "optimism"])
    do = dict(TARGETS[row], place={"discard": "optimism", "space": space}, upgrades=[upgrade])
    then = after(position, row, **do)
    assert then.players["diana"].row(row)[space - 1] == "blue"


def test_r_vibe_4_the_leftmost_space_of_an_unlocked_row_is_taken() -> None:
    position = _ready("move", WILD_ROW, ["desire"])
    place = {"discard": "desire", "space": 1}
    assert judge(position, "move", to="willow-valley", place=place).rules == ("R-VIBE-4",)


def test_r_vibe_4_a_card_that_is_not_in_the_hand_makes_no_token() -> None:
    position = _ready("move", WILD_ROW, ["desire"])
    place = {"discard": "optimism", "space": 2}
    assert judge(position, "move", to="willow-valley", place=place).rules == ("R-VIBE-4",)


def test_r_vibe_4_a_starting_emotion_has_no_token() -> None:
    position = _ready("move", WILD_ROW, ["brightness"])
    place = {"discard": "brightness", "space": 2}
    assert judge(position, "move", to="willow-valley", place=place).rules == ("R-VIBE-4",)


def test_r_vibe_5_a_colour_only_once_in_a_row() -> None:
    position = _ready("move", ["green", "", "", ""], ["desire"])
    place = {"discard": "desire", "space": 3}
    assert judge(position, "move", to="willow-valley", place=place).rules == ("R-VIBE-5",)


def test_r_vibe_6_wild_tokens_block_nothing() -> None:
    position = _ready("move", ["wild", "wild", "wild", ""], ["desire"])
    place = {"discard": "desire", "space": 4}
    assert judge(position, "move", to="willow-valley", place=place).status == "legal"


def test_r_vibe_5_the_colour_in_another_row_does_not_matter() -> None:
    position = table({"hand": ["desire"], "vibes": {"move": WILD_ROW, "quell": ["green", "", "", ""]}})
    place = {"discard": "desire", "space": 2}
    assert judge(position, "move", to="willow-valley", place=place).status == "legal"


def test_r_upg_1_upgrades_need_their_own_token() -> None:
    position = table({"vibes": {"move": ["red", "", "yellow", ""]}})
    assert judge(position, "move", to="willow", upgrades=["haste"]).rules == ("R-UPG-1",)
    assert judge(position, "move", to="willow-valley", upgrades=["surmount"]).status == "legal"


def test_r_upg_1_of_another_row_or_twice() -> None:
    assert judge(table(), "move", to="willow-valley", upgrades=["raze"]).rules == ("R-UPG-1",)
    twice = judge(table(), "move", to="willow", upgrades=["haste", "haste"])
    assert (twice.status, twice.rules) == ("illegal", ("R-UPG-1",))


@pytest.mark.parametrize(
    ("row", "upgrades", "willpower", "ambition"),
    [
        ("move", (), 1, 0),
        ("move", ("haste",), 2, 0),
        ("move", ("haste", "surmount"), 3, 0),
        ("move", ("haste", "surmount", "determination"), 2, 0),
        ("move", ("determination",), 0, 0),
        ("invoke", (), 2, 0),
        ("invoke", ("bolster",), 2, 1),
        ("invoke", ("bolster", "inner-force"), 4, 1),
        ("invoke", ("inner-force", "determination"), 3, 0),
        ("quell", (), 2, 1),
        ("quell", ("subdue", "extinguish"), 5, 1),
        ("quell", ("subdue", "extinguish", "determination"), 4, 1),
        ("fortify", (), 3, 0),
        ("fortify", ("exalt",), 3, 1),
        ("fortify", ("raze",), 4, 1),
        ("fortify", ("raze", "determination"), 3, 1),
        ("empower", (), 3, 0),
        ("empower", ("channeled-power",), 3, 1),
        ("empower", ("channeled-power", "emotional-outburst"), 4, 1),
        ("empower", ("channeled-power", "emotional-outburst", "determination"), 3, 1),
    ],
)
def test_r_upg_3_and_r_upg_4_what_rows_cost(
    row: str, upgrades: tuple[str, ...], willpower: int, ambition: int
) -> None:
    cost = total_cost(CARDS.rows[row], upgrades)
    assert (cost.willpower, cost.ambition, cost.essence) == (willpower, ambition, 0)


def test_r_upg_5_determination_makes_a_move_free_but_never_pays_out() -> None:
    position = table({"willpower": 0})
    then = after(position, "move", to="willow-valley", upgrades=["determination"])
    assert then.players["diana"].willpower == 0


def test_r_amb_3_ambition_is_the_teams_not_the_players() -> None:
    position = table(
        {"at": "valley-cradle"},
        slots={"valley-cradle": {"emotion": "kindness", "essence": 1}},
        players={"pia": PIA},
        teams={"bliss": {"ambition": 1}, "gloom": {"ambition": 3}},
    )
    then = after(position, "empower", slot="valley-cradle", upgrades=["channeled-power"])
    assert (then.teams["bliss"].ambition, then.teams["gloom"].ambition) == (0, 3)
    again = judge(then, "empower", slot="valley-cradle", upgrades=["channeled-power"])
    assert "R-AMB-3" in again.rules


def test_side_b_upgrades_are_nobodys_knowledge() -> None:
    position = table({"side": "b"})
    verdict = judge(position, "move", to="willow", upgrades=["haste"])
    assert (verdict.status, [m.name for m in verdict.missing]) == ("unknown", ["harmony.side_b"])
    assert judge(position, "move", to="willow-valley").status == "legal"
    assert judge(position, "move", to="network", upgrades=["haste"]).status == "illegal"


# What an unknown card can be (R-COMP-8).


def _discards(position: Any, title: str) -> str:
    place = {"discard": title, "space": 1}
    return judge(position, "move", to="willow-valley", place=place).status


def _hidden(**diana: Any) -> dict[str, Any]:
    return {"vibes": {}, "hand": ["*"], **diana}


def test_r_comp_8_an_unknown_card_can_be_any_mild_title_of_the_team() -> None:
    assert _discards(table(_hidden()), "tranquility") == "legal"


@pytest.mark.parametrize("title", ["fear", "benevolence", "brightness"])
def test_r_comp_8_but_no_other_teams_no_strong_and_no_starting_one(title: str) -> None:
    assert _discards(table(_hidden()), title) == "illegal"


def test_r_comp_8_nor_one_whose_two_copies_are_seen() -> None:
    assert _discards(table(_hidden(hand=["courage", "*"], top="courage")), "optimism") == "legal"
    twice = table(_hidden(hand=["courage", "*"], top="courage", vibes={"invoke": WILD_ROW}))
    place = {"discard": "courage", "space": 2}
    first_is_known = judge(twice, "invoke", emotion="courage", slot="valley.1", place=place)
    assert first_is_known.rules == ("R-INVOKE-1",)


def test_r_comp_8_copies_on_the_board_may_be_the_teammates() -> None:
    slots = {"land.1": {"emotion": "courage"}, "land.2": {"emotion": "courage"}}
    assert _discards(table(_hidden(), slots=slots), "courage") == "legal"
    three = slots | {"cradle.1": {"emotion": "courage"}}
    assert _discards(table(_hidden(), slots=three), "courage") == "legal"
    four = three | {"cradle.2": {"emotion": "courage"}}
    assert _discards(table(_hidden(), slots=four), "courage") == "illegal"


def test_r_comp_8_a_teammates_known_cards_are_not_on_the_board() -> None:
    slots = {"land.1": {"emotion": "courage"}, "land.2": {"emotion": "courage"}}
    mate = {"pia": PIA | {"hand": ["courage"], "top": "courage"}}
    assert _discards(table(_hidden(), slots=slots, players=mate), "courage") == "illegal"
    assert _discards(table(_hidden(), slots=slots, players={"pia": PIA}), "courage") == "legal"


def test_r_shaper_3_the_lone_one_of_three_has_no_teammate() -> None:
    slots = {"land.1": {"emotion": "courage"}, "land.2": {"emotion": "courage"}}
    three = {"otto": OTTO, "nils": OTTO | {"spirit": "malice"}}
    assert _discards(table(_hidden(), slots=slots, players=three), "courage") == "illegal"
    assert _discards(table(_hidden(), slots=slots, players={"otto": OTTO}), "courage") == "legal"


def test_r_deck_2_a_discarded_card_is_not_back_in_the_same_action() -> None:
    position = table({"hand": ["*", "*", "courage"], "vibes": {"invoke": WILD_ROW}})
    place = {"discard": "courage", "space": 2}
    once = judge(position, "invoke", emotion="courage", slot="valley.1", place=place)
    assert once.status == "legal"
    known = table({"hand": ["*", "courage", "courage"], "vibes": {"invoke": WILD_ROW}})
    assert judge(known, "invoke", emotion="courage", slot="valley.1", place=place).status == "legal"
    last = table({"hand": ["*", "courage"], "top": "courage", "vibes": {"invoke": WILD_ROW}})
    assert judge(last, "invoke", emotion="courage", slot="valley.1", place=place).status == "illegal"


def test_an_unknown_card_leaves_the_hand_where_the_known_one_is_not_there() -> None:
    then = after(
        table({"hand": ["*", "desire"], "vibes": {}}),
        "move",
        to="willow-valley",
        place={"discard": "optimism", "space": 1},
    )
    assert then.players["diana"].hand == ("desire",)
    assert then.players["diana"].row("move") == ("blue", "", "", "")


def test_a_full_row_takes_no_token() -> None:
    position = table({"hand": ["desire"], "vibes": {"move": FULL_ROW}})
    place = {"discard": "desire", "space": 3}
    assert "R-VIBE-4" in judge(position, "move", to="willow-valley", place=place).rules
