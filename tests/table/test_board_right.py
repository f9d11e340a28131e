"""A table that goes on differing may be the one that is right: then the game follows it, for all to see."""

import pytest

from companion.rules.actions import Adjust
from companion.table.decisions import BOARD_RIGHT, PUT_BACK, Ask, Choice
from companion.table.layout import differing, see
from tests.table.story import EMPOWER, REGISTRY, Story, changed, poorer

BENEVOLENCE = "emotion/bliss/benevolence/1"


def right_of(story: Story) -> Choice:
    decision = story.look.decision
    assert isinstance(decision, Ask)
    return next(choice for choice in decision.choices if choice.id == BOARD_RIGHT)


def follows(story: Story) -> bool:
    """Let the game follow the pieces, and tell whether nothing differs then."""
    story.answer(right_of(story))
    story.advance(1)
    return differing(see(story.facts, REGISTRY), story.game.layout) == () and story.mends == []


def test_after_a_refusal_that_stays_people_may_say_that_the_board_is_right() -> None:
    story = Story(poorer(1))
    story.swap("slot/valley.1", BENEVOLENCE)
    story.advance(19)
    assert len(story.refused) == 1
    story.advance(2)
    assert right_of(story).text == "The board is right: the game follows it"
    assert isinstance(right_of(story).action, Adjust)
    assert follows(story)
    assert story.emotion("valley.1") == ("benevolence", 1)


def test_the_ways_out_of_the_refusal_stay_beside_it() -> None:
    story = Story(poorer(1, vibes={"empower": ["red", "green", "", ""]}))
    story.swap("slot/valley.1", BENEVOLENCE)
    story.advance(21)
    decision = story.look.decision
    assert isinstance(decision, Ask)
    assert [choice.id for choice in decision.choices] == ["1", PUT_BACK, BOARD_RIGHT]


def test_what_nothing_explains_is_listed_and_then_may_be_right() -> None:
    """Cards in other slots keep what lies on them; figures stand where they are seen."""
    story = Story(changed(EMPOWER, **{"slots__valley.1": {"emotion": "kindness", "essence": 2}}))
    story.lift("slot/valley.1")
    story.lift("slot/cradle.2")
    story.place("slot/willow.1", "emotion/bliss/kindness/1")
    story.place("slot/land.2", "emotion/gloom/anger/1")
    story.move("love", "land", "valley")
    story.advance(10)
    assert (story.done, story.refused, story.asked) == ([], [], [])
    assert len(story.mends) == 6
    story.advance(12)
    assert follows(story)
    assert story.emotion("willow.1") == ("kindness", 2)
    assert story.position.players["pia"].at == "valley"


@pytest.mark.parametrize(
    ("space", "pieces"),
    [
        ("slot/valley.2", ("emotion/bliss/desire/1",)),
        ("slot/land.1", ("emotion/bliss/desire/1", "vibe/red/1")),
        ("spirit/willow", ("spirit/love",)),
    ],
    ids=["two cards on a slot", "a strange piece", "a figure in two places"],
)
def test_what_can_be_no_position_is_never_right(space: str, pieces: tuple[str, ...]) -> None:
    story = Story()
    story.lift("slot/valley.1")
    story.lift("slot/cradle.2")
    story.place(space, *pieces)
    story.advance(60)
    assert story.said == []
    assert story.mends != []


def test_with_a_figure_in_a_hand_the_board_is_not_right() -> None:
    story = Story()
    story.lift("slot/valley.1")
    story.lift("spirit/land")
    story.advance(60)
    assert story.said == []


def test_put_back_in_time_nothing_is_asked() -> None:
    story = Story()
    story.lift("slot/valley.1")
    story.lift("slot/cradle.2")
    story.advance(15)
    story.place("slot/valley.1", "emotion/bliss/kindness/1")
    story.advance(15)
    story.place("slot/cradle.2", "emotion/gloom/anger/1")
    story.advance(60)
    assert story.said == []
    assert story.mends == []


def test_the_question_goes_when_the_pieces_are_put_right() -> None:
    story = Story(poorer(1))
    story.swap("slot/valley.1", BENEVOLENCE)
    story.advance(30)
    assert len(story.asked) == 1
    story.advance(60)
    assert len(story.asked) == 1
    story.swap("slot/valley.1", "emotion/bliss/kindness/1")
    assert not isinstance(story.look.decision, Ask)
    assert story.mends == []


def test_what_an_undo_left_is_put_back_and_never_right() -> None:
    story = Story()
    before = story.position
    story.swap("slot/valley.1", BENEVOLENCE)
    story.becomes(before)
    story.advance(60)
    assert story.asked == []
