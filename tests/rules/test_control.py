"""Control against a second implementation that goes by slot numbers (R-BOARD-9, R-CTRL-*)."""

from hypothesis import given, settings

from companion.rules.board import FRONTIERS, REALMS
from companion.rules.control import frontier_control, intensity, realm_control
from companion.rules.position import Emotion, Position
from tests.rules.recount import frontier_by_number, realm_by_number
from tests.rules.tables import CARDS, table
from tests.strategies import positions


def _without_unknowns(position: Position) -> Position:
    for slot, emotion in position.slots.items():
        if CARDS.cards[emotion.name].intensity is None:
            position = position.with_slot(slot, None)
    return position


@settings(deadline=None)
@given(positions())
def test_r_ctrl_r_control_of_realms_agrees_with_the_numbers(position: Position) -> None:
    position = _without_unknowns(position)
    for r, realm in enumerate(REALMS):
        assert realm_control(position, realm, CARDS).team == realm_by_number(position, r, CARDS)


@settings(deadline=None)
@given(positions())
def test_r_ctrl_f_control_of_frontiers_agrees_with_the_numbers(position: Position) -> None:
    position = _without_unknowns(position)
    for f, frontier in enumerate(FRONTIERS):
        assert frontier_control(position, frontier, CARDS).team == frontier_by_number(position, f, CARDS)


def test_r_ctrl_r10_the_printed_example() -> None:
    slots = {
        "valley.1": {"emotion": "affection", "essence": 2},
        "willow-valley": {"emotion": "fear", "essence": 1},
        "valley.2": {"emotion": "dislike", "essence": 1},
        "valley-cradle": {"emotion": "craving", "essence": 1},
    }
    tied = table(slots=slots)
    assert realm_control(tied, "valley", CARDS).team is None
    held = table(slots=slots, fortresses={"valley": {"team": "bliss", "fragment": "minor"}})
    control = realm_control(held, "valley", CARDS)
    assert (control.team, control.bliss, control.gloom) == ("bliss", 3, 2)


def test_r_ctrl_f2_a_single_team_controls_even_with_intensity_0() -> None:
    position = table(slots={"valley.2": {"emotion": "suspicion"}})
    control = frontier_control(position, "valley-cradle", CARDS)
    assert (control.team, control.missing) == ("gloom", ())


def test_an_unknown_intensity_is_named_only_where_the_answer_hangs_on_it() -> None:
    slots = {"valley.2": {"emotion": "suspicion"}, "valley-cradle": {"emotion": "trust"}}
    control = frontier_control(table(slots=slots), "valley-cradle", CARDS)
    assert (control.team, [m.name for m in control.missing]) == (None, ["suspicion.intensity"])


def test_r_int_1_and_r_int_3_the_last_covered_space_and_the_token() -> None:
    assert intensity(Emotion("kindness", 2), CARDS) == 1
    assert intensity(Emotion("kindness", 3, 2), CARDS) == 4
    assert intensity(Emotion("suspicion", 1), CARDS) is None
