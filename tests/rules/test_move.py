"""Move: R-MOVE-1 to R-MOVE-8."""

import pytest

from companion.rules.board import SPACES
from tests.rules.tables import OTTO, PIA, after, judge, table


@pytest.mark.parametrize("to", ["willow-valley", "valley-cradle"])
def test_r_move_1_one_step_to_either_neighbour(to: str) -> None:
    position = table()
    verdict = judge(position, "move", to=to)
    assert (verdict.status, verdict.cost.willpower) == ("legal", 1)
    assert after(position, "move", to=to).players["diana"].at == to


@pytest.mark.parametrize("to", sorted(set(SPACES) - {"willow-valley", "valley-cradle"}))
def test_r_move_1_nowhere_else(to: str) -> None:
    assert judge(table(), "move", to=to).rules == ("R-MOVE-1",)


@pytest.mark.parametrize("to", ["willow", "cradle"])
def test_r_move_4_haste_goes_two_steps(to: str) -> None:
    verdict = judge(table(), "move", to=to, upgrades=["haste"])
    assert (verdict.status, verdict.cost.willpower) == ("legal", 2)


@pytest.mark.parametrize("to", ["willow-valley", "valley-cradle"])
def test_r_move_4_haste_never_goes_one_step(to: str) -> None:
    assert judge(table(), "move", to=to, upgrades=["haste"]).rules == ("R-MOVE-4",)


@pytest.mark.parametrize("to", ["land-willow", "cradle-network", "network", "land", "network-land"])
def test_r_move_4_haste_never_goes_three_or_more(to: str) -> None:
    assert judge(table(), "move", to=to, upgrades=["haste"]).rules == ("R-MOVE-1", "R-MOVE-4")


@pytest.mark.parametrize("upgrades", [[], ["haste"], ["surmount"]])
def test_r_move_1_staying_is_no_move(upgrades: list[str]) -> None:
    assert judge(table(), "move", to="valley", upgrades=upgrades).rules == ("R-MOVE-1",)


def test_r_move_1_a_figure_beside_the_board_moves_nowhere() -> None:
    position = table({"at": "valley"})
    beside = position.with_player(type(position.actor)("diana", "bliss", vibes=position.actor.vibes))
    assert judge(beside, "move", to="valley", upgrades=["determination"]).rules == ("R-MOVE-1",)


def test_r_move_2_and_r_move_6_an_opponent_is_joined_with_surmount_only() -> None:
    position = table(players={"otto": OTTO | {"at": "valley-cradle"}})
    refused = judge(position, "move", to="valley-cradle")
    assert refused.rules == ("R-MOVE-2",)
    assert refused.refusals[0].text.startswith("Otto stands")
    assert judge(position, "move", to="valley-cradle", upgrades=["surmount"]).cost.willpower == 2


def test_r_move_3_the_teammate_is_joined_freely() -> None:
    position = table(players={"pia": PIA | {"at": "valley-cradle"}})
    assert judge(position, "move", to="valley-cradle").status == "legal"


def test_r_move_5_haste_passes_an_opponent() -> None:
    position = table(players={"otto": OTTO | {"at": "valley-cradle"}})
    assert judge(position, "move", to="cradle", upgrades=["haste"]).status == "legal"


def test_r_move_6_surmount_where_nobody_stands_is_paid_for_nothing() -> None:
    verdict = judge(table(), "move", to="valley-cradle", upgrades=["surmount"])
    assert (verdict.status, verdict.cost.willpower) == ("legal", 2)


def test_r_move_7_haste_and_surmount_together() -> None:
    position = table(players={"otto": OTTO | {"at": "cradle"}})
    both = judge(position, "move", to="cradle", upgrades=["surmount", "haste"])
    assert (both.status, both.cost.willpower) == ("legal", 3)


def test_r_move_8_leaving_a_shared_space_has_no_penalty() -> None:
    position = table(players={"otto": OTTO | {"at": "valley"}})
    assert judge(position, "move", to="valley-cradle").cost.willpower == 1
