"""The table differs from the game by other means than a move: undo, restart, readers that come and go."""

from companion.table.decisions import PUT_BACK
from tests.table.story import EMPOWER, Story, changed

BENEVOLENCE = "emotion/bliss/benevolence/1"
KINDNESS = "emotion/bliss/kindness/1"


def empowered_and_taken_back() -> Story:
    story = Story()
    before = story.position
    story.swap("slot/valley.1", BENEVOLENCE)
    assert len(story.done) == 1
    story.becomes(before)
    return story


def test_after_undo_the_difference_is_told_at_once_and_not_taken_for_the_action_again() -> None:
    story = empowered_and_taken_back()
    story.advance(20)
    assert len(story.done) == 1
    assert story.mends == ["Put Kindness back on the left Valley slot in place of Benevolence."]
    assert not story.look.in_step


def test_it_is_ticked_off_when_the_card_is_back_and_may_then_be_done_anew() -> None:
    story = empowered_and_taken_back()
    story.lift("slot/valley.1")
    assert story.mends == ["Put Kindness back on the left Valley slot."]
    story.place("slot/valley.1", KINDNESS)
    assert story.mends == []
    assert story.look.in_step

    story.swap("slot/valley.1", BENEVOLENCE)
    assert len(story.done) == 2


def test_lifting_and_laying_the_same_card_again_is_not_doing_it_again() -> None:
    story = empowered_and_taken_back()
    story.swap("slot/valley.1", BENEVOLENCE)
    story.advance(5)
    assert len(story.done) == 1


def test_redo_while_the_pieces_still_lie_there_just_matches() -> None:
    story = Story()
    before = story.position
    story.swap("slot/valley.1", BENEVOLENCE)
    after = story.position
    story.becomes(before)
    story.becomes(after)
    story.advance(20)
    assert story.mends == []
    assert len(story.done) == 1


def test_other_input_goes_on_beside_a_difference_that_is_held() -> None:
    story = empowered_and_taken_back()
    story.move("harmony", "valley", "valley-cradle")
    assert len(story.done) == 2
    assert story.mends == ["Put Kindness back on the left Valley slot in place of Benevolence."]


def test_a_figure_moved_on_after_undo_has_moved_from_where_the_game_has_it() -> None:
    story = Story()
    before = story.position
    story.move("harmony", "valley", "valley-cradle")
    story.becomes(before)
    assert len(story.mends) == 2
    story.move("harmony", "valley-cradle", "willow-valley")
    assert story.position.actor.at == "willow-valley"
    assert story.mends == []


def test_an_action_by_touch_asks_for_its_pieces() -> None:
    story = Story()
    story.by_command(action="empower", slot="valley.1")
    assert story.mends == ["Put Benevolence on the left Valley slot in place of Kindness."]
    story.swap("slot/valley.1", BENEVOLENCE)
    assert story.mends == []
    assert story.said == []


def test_several_differences_are_listed_in_board_order_and_ticked_off_one_by_one() -> None:
    story = Story()
    story.becomes(Story(changed(EMPOWER, slots={"land.1": {"emotion": "desire", "essence": 1}})).position)
    assert [problem.space for problem in story.look.problems] == [
        "slot/valley.1",
        "slot/valley.2",
        "slot/cradle.2",
        "slot/land.1",
    ]
    story.lift("slot/valley.2")
    story.place("slot/land.1", "emotion/bliss/desire/1")
    assert [problem.space for problem in story.look.problems] == ["slot/valley.1", "slot/cradle.2"]
    assert story.said == []


def test_what_was_moved_while_its_reader_was_in_trouble_is_offered_not_assumed() -> None:
    story = Story()
    story.reader("slot/valley.1", "fault")
    story.become("slot/valley.1", BENEVOLENCE)
    story.advance(5)
    assert story.done == []
    assert len(story.asked) == 1


def test_after_a_restart_a_legal_difference_is_offered_as_a_question() -> None:
    story = Story()
    story.restart(**{"slot/valley.1": (BENEVOLENCE,)})
    assert story.said == []
    story.advance(2)
    (ask,) = story.asked
    assert [choice.do for choice in ask.choices] == [{"action": "empower", "slot": "valley.1"}, {}]
    assert ask.choices[-1].id == PUT_BACK
    assert story.mends == ["Put Kindness back on the left Valley slot in place of Benevolence."]

    story.swap("slot/valley.1", KINDNESS)
    assert story.mends == []
    assert story.done == []


def test_a_figure_that_was_on_its_way_when_the_readers_came_is_offered_too() -> None:
    story = Story()
    story.now_s += 1
    story.restart(**{"spirit/valley-cradle": ("spirit/harmony",)})
    story.advance(0.3)  # So long it takes until a reader is sure that a tag has gone.
    story.lift("spirit/valley")
    story.advance(3)
    assert story.done == []
    [ask] = story.asked
    assert ask.choices[0].do == {"action": "move", "to": "valley-cradle"}


def test_after_a_restart_any_other_difference_is_only_listed() -> None:
    story = Story()
    story.restart(**{"slot/valley.1": (), "slot/cradle.1": ("emotion/gloom/anger/2",)})
    story.advance(5)
    assert story.said == []
    assert [problem.space for problem in story.look.problems] == ["slot/valley.1", "slot/cradle.1"]


def test_a_reader_in_trouble_is_named_and_its_space_is_not_known() -> None:
    story = Story()
    story.reader("slot/valley.1", "fault")
    story.advance(30)
    (mend,) = story.mends
    assert mend.startswith("The reader of the left Valley slot doesn't answer: check its cable")
    assert story.look.in_step
    assert story.said == []


def test_the_last_tags_of_a_reader_in_trouble_are_no_cause_of_an_action() -> None:
    story = Story()
    story._fact("slot/valley.1", (), "fault")
    story.place("slot/valley.1", BENEVOLENCE)
    story.advance(30)
    assert story.facts["slot/valley.1"].state == "fault"
    assert story.done == []


def test_other_spaces_play_on_while_a_reader_is_in_trouble() -> None:
    story = Story()
    story.reader("slot/cradle.2", "unreadable")
    story.swap("slot/valley.1", BENEVOLENCE)
    story.move("harmony", "valley", "valley-cradle")
    assert len(story.done) == 2


def test_a_reader_that_comes_back_catches_up_without_inventing_an_action() -> None:
    story = Story()
    story.reader("slot/valley.1", "fault")
    story.by_command(action="empower", slot="valley.1")
    story.become("slot/valley.1", BENEVOLENCE)
    story.advance(20)
    assert story.said == []
    assert story.mends == []


def test_a_reader_that_flickers_over_a_card_that_lies_still_changes_nothing() -> None:
    story = Story()
    for _ in range(5):
        story.reader("slot/valley.1", "unreadable")
        story.advance(3)
        story.reader("slot/valley.1", "ok")
        story.advance(3)
    assert story.said == []
    assert story.mends == []
