"""A hand card on the pad, a Vibe token of its colour after it, and the Spirit Action that they go with."""

import pytest

from companion.rules.actions import Empower, EndTurn, Move, Place
from companion.table.layout import Fact
from tests.table.story import EMPOWER, UIDS, Story, changed, with_diana

COURAGE = "emotion/bliss/courage/3"
OPTIMISM = "emotion/bliss/optimism/1"


def test_a_card_alone_on_the_pad_is_nothing() -> None:
    story = Story()
    story.place("pad/1", COURAGE)
    story.advance(5)
    assert story.said == []
    assert story.look.placing is None
    assert story.mends == []


@pytest.mark.parametrize("tapped", [False, True], ids=["laid together", "tapped one after the other"])
def test_a_card_and_its_token_wait_for_the_next_spirit_action(tapped: bool) -> None:  # noqa: FBT001
    story = Story(with_diana(vibes={"empower": ["red", "", "", ""]}))
    story.place("pad/1", OPTIMISM)
    if tapped:
        story.lift("pad/1")
    story.place("pad/1", "vibe/blue/1")
    assert story.look.placing is not None
    assert story.done == []

    story.lift("pad/1")
    story.move("harmony", "valley", "valley-cradle")
    (done,) = story.done
    assert done.action == Move("valley-cradle", place=Place("optimism", 1))
    assert story.position.actor.vibes["move"] == ("blue", "", "", "")
    assert story.position.actor.hand == ("*", "courage")
    assert story.look.placing is None


def test_the_row_is_that_of_the_action_that_follows() -> None:
    story = Story(with_diana(vibes={"move": ["wild", "", "", ""]}))
    story.place("pad/1", COURAGE)
    story.place("pad/1", "vibe/red/1")
    story.swap("slot/valley.1", "emotion/bliss/benevolence/1")
    (done,) = story.done
    assert done.action == Empower("valley.1", place=Place("courage", 1))


def test_in_an_unlocked_row_people_are_asked_which_upgrade_the_token_is_for() -> None:
    story = Story()
    story.place("pad/1", COURAGE)
    story.place("pad/1", "vibe/red/1")
    story.move("harmony", "valley", "valley-cradle")
    (ask,) = story.asked
    assert [choice.text for choice in ask.choices] == [
        "Give Courage for a red Vibe token on Determination, use Determination: nothing",
        "Give Courage for a red Vibe token on Haste: 1 Willpower",
        "Give Courage for a red Vibe token on Surmount: 1 Willpower",
    ]


def test_the_upgrade_that_is_needed_is_not_asked_for() -> None:
    story = Story()
    story.place("pad/1", COURAGE)
    story.place("pad/1", "vibe/red/1")
    story.move("harmony", "valley", "cradle")
    story.advance(1)
    (done,) = story.done
    assert done.action == Move("cradle", upgrades=("haste",), place=Place("courage", 2))


def test_a_token_of_a_colour_that_the_row_has_is_refused_with_the_way_out() -> None:
    story = Story(with_diana(vibes={"move": ["red", "", "", ""]}))
    story.place("pad/1", COURAGE)
    story.place("pad/1", "vibe/red/1")
    story.move("harmony", "valley", "valley-cradle")
    story.advance(1)
    (refused,) = story.refused
    assert refused.verdict.refusals[0].rule == "R-VIBE-5"
    assert refused.remedies[0].text == "Just Move: 1 Willpower"
    assert story.position.actor.at == "valley"


def test_a_token_of_another_colour_than_the_card_is_named() -> None:
    story = Story()
    story.place("pad/1", COURAGE)
    story.place("pad/1", "vibe/blue/1")
    story.advance(2)
    assert story.mends == ["Courage gives a red Vibe token: take a blue Vibe token off Diana's pad."]
    assert story.look.placing is None
    assert story.look.in_step


def test_a_token_before_its_card_asks_for_the_card() -> None:
    story = Story()
    story.place("pad/1", "vibe/red/1")
    story.advance(2)
    assert story.mends == ["Show the card that is discarded for the red Vibe token on Diana's pad."]
    story.place("pad/1", COURAGE)
    assert story.look.placing is not None
    assert story.mends == []


def test_another_card_shown_takes_the_place_of_the_first_one() -> None:
    story = Story()
    story.place("pad/1", COURAGE)
    story.place("pad/1", "vibe/red/1")
    story.swap("pad/1", OPTIMISM)
    assert story.look.placing is None
    story.place("pad/1", "vibe/blue/2")
    assert story.look.placing is not None
    assert story.look.placing.discard == "optimism"


def test_another_players_pad_is_no_matter() -> None:
    story = Story()
    story.place("pad/3", COURAGE)
    story.place("pad/3", "vibe/red/1")
    story.advance(5)
    assert story.look.placing is None
    assert story.said == []


def test_what_was_used_is_to_be_taken_away_without_blocking_anything() -> None:
    story = Story(with_diana(vibes={"empower": ["red", "", "", ""]}))
    story.place("pad/1", COURAGE)
    story.place("pad/1", "vibe/red/1")
    story.move("harmony", "valley", "valley-cradle")
    assert len(story.done) == 1
    assert story.look.placing is None
    story.advance(10)
    assert story.mends == ["Take Courage and a red Vibe token off Diana's pad."]
    assert story.look.in_step

    story.move("harmony", "valley-cradle", "valley")
    assert story.done[-1].action == Move("valley")
    story.lift("pad/1")
    assert story.mends == []


def test_what_lay_on_the_pad_before_it_could_be_read_is_no_input() -> None:
    story = Story()
    story.restart(**{"pad/1": (COURAGE, "vibe/red/1")})
    story.advance(1)
    assert story.look.placing is None


def test_after_undo_the_same_pieces_on_the_pad_do_not_wait_again() -> None:
    story = Story(with_diana(vibes={"empower": ["red", "", "", ""]}))
    before = story.position
    story.place("pad/1", COURAGE)
    story.place("pad/1", "vibe/red/1")
    story.move("harmony", "valley", "valley-cradle")
    story.becomes(before)
    story.advance(1)
    assert story.look.placing is None


def test_a_token_on_an_instrumented_spirit_board_says_row_and_space() -> None:
    story = Story(instrumented=("vibe/1/move/3", "vibe/1/move/2"))
    story.place("pad/1", COURAGE)
    story.lift("pad/1")
    story.place("vibe/1/move/3", "vibe/red/1")
    story.advance(10)
    assert story.said == []
    assert story.mends == []
    assert story.look.placing is not None

    story.move("harmony", "valley", "valley-cradle")
    (done,) = story.done
    assert done.action == Move("valley-cradle", place=Place("courage", 3))


def test_a_token_on_the_board_of_a_colour_known_in_the_hand_needs_no_card_shown() -> None:
    story = Story(instrumented=("vibe/1/move/3",))
    story.place("vibe/1/move/3", "vibe/blue/1")
    story.move("harmony", "valley", "valley-cradle")
    (done,) = story.done
    assert done.action == Move("valley-cradle", place=Place("optimism", 3))


def test_a_token_on_the_board_for_an_unknown_card_asks_for_it() -> None:
    story = Story(changed(with_diana(hand=["*"])), instrumented=("vibe/1/move/3",))
    story.place("vibe/1/move/3", "vibe/blue/1")
    story.advance(2)
    assert story.mends == ["Show the blue card that is discarded for the Vibe token on Diana's pad."]
    story.move("harmony", "valley", "valley-cradle")
    assert story.done == []
    story.place("pad/1", OPTIMISM)
    assert len(story.done) == 1


def test_a_token_in_a_row_of_another_action_waits() -> None:
    story = Story(instrumented=("vibe/1/quell/1",))
    story.place("pad/1", COURAGE)
    story.place("vibe/1/quell/1", "vibe/red/1")
    story.move("harmony", "valley", "valley-cradle")
    assert story.done == []


def test_the_basic_game_has_no_empower() -> None:
    story = Story({**EMPOWER, "mode": "basic"})
    story.swap("slot/valley.1", "emotion/bliss/benevolence/1")
    (refused,) = story.refused
    assert refused.verdict.refusals[0].rule == "R-EMP-1"


def test_an_action_waits_for_the_token_of_a_card_that_lies_on_the_pad() -> None:
    """R-VIBE-3."""
    story = Story()
    story.place("pad/1", COURAGE)
    story.move("harmony", "valley", "valley-cradle")
    assert story.said == []
    story.place("pad/1", "vibe/red/1")
    story.advance(1)
    (ask,) = story.asked
    assert all(choice.action is None or choice.action.place for choice in ask.choices)  # type: ignore[union-attr]


def test_where_the_token_does_not_come_people_are_asked_whether_the_card_is_given() -> None:
    """R-VIBE-3."""
    story = Story()
    story.place("pad/1", COURAGE)
    story.move("harmony", "valley", "valley-cradle")
    story.advance(3)
    (ask,) = story.asked
    assert ask.choices[0].action == Move("valley-cradle")
    assert {choice.action.place for choice in ask.choices[1:]} >= {Place("courage", 2)}  # type: ignore[union-attr]


def test_a_card_taken_off_the_pad_again_holds_nothing_up() -> None:
    story = Story()
    story.place("pad/1", COURAGE)
    story.move("harmony", "valley", "valley-cradle")
    story.lift("pad/1")
    assert [done.action for done in story.done] == [Move("valley-cradle")]


def test_on_an_instrumented_board_the_token_may_come_late_too() -> None:
    """R-VIBE-3."""
    story = Story(instrumented=tuple(f"vibe/1/move/{space}" for space in (2, 3, 4)))
    story.facts["vibe/1/move/1"] = Fact((UIDS["vibe/wild/1"],), "ok", 0.0)
    story.restart()
    story.place("pad/1", COURAGE)
    story.move("harmony", "valley", "valley-cradle")
    story.advance(3)
    (ask,) = story.asked
    assert ask.choices[0].action == Move("valley-cradle")
    assert Place("courage", 3) in [choice.action.place for choice in ask.choices[1:]]  # type: ignore[union-attr]


def test_a_card_that_lay_on_the_pad_before_its_reader_went_is_still_shown() -> None:
    story = Story()
    story.place("pad/1", COURAGE)
    story.reader("pad/1", "fault")
    story.advance(3)
    story.reader("pad/1", "ok")
    story.place("pad/1", "vibe/red/1")
    story.advance(1)
    assert story.look.placing is not None
    assert story.look.placing.discard == "courage"


def test_a_card_that_came_while_the_pad_could_not_be_read_may_still_get_its_token() -> None:
    story = Story()
    story.reader("pad/1", "fault")
    story.advance(3)
    story.facts["pad/1"] = Fact((UIDS[COURAGE],), "fault", story.now_s)
    story.reader("pad/1", "ok")
    story.place("pad/1", "vibe/red/1")
    story.advance(1)
    assert story.look.placing is not None


def test_what_the_next_player_showed_before_the_turn_was_ended_is_theirs() -> None:
    """R-VIBE-3: nobody said that the turn ends, the next player just acts."""
    story = Story(
        {**EMPOWER, "teams": {"bliss": {"ambition": 3}}, "turn": {"player": "diana", "actions_left": 0}}
    )
    story.place("pad/2", "emotion/gloom/anger/2", "vibe/red/1")
    story.move("hatred", "cradle-network", "network")
    assert story.done[0].action == EndTurn("cards")
    assert story.look.placing is not None
    assert story.look.placing.discard == "anger"
