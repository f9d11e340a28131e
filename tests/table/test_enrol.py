"""Enrolment in one sitting: what is named next, and everything that can go wrong with a tag in a hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import content
from companion.table.enrol import Enrolment, back, begin, component_words, laid, pick, skip, told, unreadable
from companion.table.registry import Registry, virtual_registry

ONE, TWO, THREE = "04A3C6CAE26180", "04AABBCCDDEE80", "04112233445566"
KINDNESS, COURAGE = "emotion/bliss/kindness/1", "emotion/bliss/courage/1"
SOME = (
    KINDNESS,
    "emotion/bliss/kindness/2",
    COURAGE,
    "spirit/harmony",
    "vibe/red/1",
    "fortress/gloom/major/2",
)


def test_the_whole_box_is_named_figures_first_and_copies_together() -> None:
    order = begin(Registry(), content.components()).order
    assert sorted(order) == sorted(content.components())
    kinds = [component.split("/")[0] for component in order]
    assert kinds == sorted(kinds, key=["spirit", "emotion", "fortress", "vibe"].index)
    numbers = [component for component in order if component.startswith("vibe/red/")]
    assert numbers == [f"vibe/red/{number}" for number in range(1, len(numbers) + 1)]


def test_a_box_is_enrolled_tag_by_tag() -> None:
    sitting = begin(Registry(), SOME)
    asked = []
    for number in range(len(SOME)):
        asked.append(sitting.asks)
        sitting = laid(sitting, (f"04{number:012X}",))
        assert not sitting.fault
    assert asked == [
        "Now lay: the figure of Harmony",
        "Now lay: Courage (Bliss), copy 1",
        "Now lay: Kindness (Bliss), copy 1",
        "Now lay: Kindness (Bliss), copy 2",
        "Now lay: Gloom Major Fragment 2",
        "Now lay: red Vibe token 1",
    ]
    assert sitting.asks == "Every component has its tag."
    assert sitting.left == 0
    assert sorted(sitting.registry.components.values()) == sorted(SOME)


def test_what_is_registered_already_is_not_asked_for() -> None:
    sitting = begin(Registry({ONE: KINDNESS}), SOME)
    assert KINDNESS not in sitting.order
    assert laid(sitting, (TWO,)).registry.component(ONE) == KINDNESS


def test_a_tag_that_is_tapped_twice_is_said_at_once() -> None:
    sitting = laid(begin(Registry(), (COURAGE, KINDNESS)), (ONE,))
    again = laid(sitting, (ONE,))
    assert again.fault
    assert again.message == "This tag is that of Courage (Bliss), copy 1 already."
    assert (again.component, again.registry) == (KINDNESS, sitting.registry)


@pytest.mark.parametrize(
    ("uids", "said"),
    [
        ((ONE, TWO), f"2 tags at once ({ONE}, {TWO}): lay one, with one sticker."),
        (("8804A3C6",), "8804A3C6 is a cut-off id"),
        (("04A3C6",), "'04A3C6' is no tag id"),
        (("04A3C6CAE261808E",), "is no tag id"),
    ],
)
def test_what_is_no_single_whole_tag_is_said_at_once(uids: tuple[str, ...], said: str) -> None:
    before = begin(Registry(), SOME)
    after = laid(before, uids)
    assert after.fault
    assert said in after.message
    assert (after.registry, after.at) == (before.registry, 0)


def test_something_that_cannot_be_read_is_said_at_once() -> None:
    sitting = unreadable(begin(Registry(), SOME), "pad/2")
    assert sitting.fault
    assert sitting.message.startswith("pad/2: this tag can't be read. Lay it flat and alone")


def test_one_can_be_left_out_and_one_gone_back_to() -> None:
    sitting = skip(begin(Registry(), (COURAGE, KINDNESS)))
    assert (sitting.message, sitting.component) == ("Courage (Bliss), copy 1 is left out.", KINDNESS)
    sitting = back(laid(sitting, (ONE,)))
    assert sitting.message == "Kindness (Bliss), copy 1 again; its tag is forgotten."
    assert sitting.registry.component(ONE) is None
    sitting = back(sitting)
    assert (sitting.component, sitting.left) == (COURAGE, 2)
    assert back(sitting).message == "This is the first one."


def test_behind_the_last_one_nothing_is_taken() -> None:
    sitting = laid(begin(Registry(), (COURAGE,)), (ONE,))
    assert laid(sitting, (TWO,)).message == f"Tag {TWO} is a spare one: every component has its tag."
    assert skip(sitting).fault
    assert back(sitting).component == COURAGE


def test_a_replaced_sticker_is_enrolled_by_naming_its_component() -> None:
    sitting = pick(begin(Registry({ONE: KINDNESS}), (KINDNESS, COURAGE)), KINDNESS)
    assert sitting.asks == "Now lay: Kindness (Bliss), copy 1"
    assert sitting.message == f"It has the tag {ONE}; the one laid now takes its place."
    sitting = laid(sitting, (TWO,))
    assert sitting.message == f"Kindness (Bliss), copy 1: tag {TWO} instead of {ONE}."
    assert sitting.registry.components == {TWO: KINDNESS}
    assert sitting.component == COURAGE
    assert "there is no Emotion" in pick(sitting, "emotion/bliss/joy/1").message


def test_a_tag_that_carries_its_name_is_taken_as_that_whatever_was_asked_for() -> None:
    sitting = laid(begin(Registry(), (COURAGE, KINDNESS)), (ONE,), {ONE: KINDNESS})
    assert sitting.registry.components == {ONE: KINDNESS}
    assert sitting.component == COURAGE
    second = laid(sitting, (TWO,), {TWO: KINDNESS})
    assert second.message == (
        f"Tag {TWO} says it is Kindness (Bliss), copy 1, which has a tag already ({ONE})."
    )
    foreign = laid(sitting, (TWO,), {TWO: "dragon/1"})
    assert foreign.message.startswith(f"Tag {TWO} carries the name 'dragon/1'")
    assert laid(sitting, (TWO,)).asks == "Every component has its tag."


def test_words_that_come_after_the_tag_put_it_right() -> None:
    sitting = laid(begin(Registry(), (COURAGE, KINDNESS)), (ONE,))
    sitting = told(sitting, ONE, KINDNESS)
    assert sitting.registry.components == {ONE: KINDNESS}
    assert sitting.component == COURAGE
    assert told(sitting, TWO, COURAGE) == sitting
    assert told(sitting, ONE, KINDNESS) == sitting


def test_two_cards_of_a_title_are_told_apart() -> None:
    words = {component_words(component) for component in content.components()}
    assert len(words) == len(content.components())
    assert component_words("staff/2") == "staff card 2"
    assert component_words("rubbish") == "rubbish"


TAG = st.sampled_from([*sorted(virtual_registry().components)[:9], "8804A3C6", "04", ONE])


@given(
    st.lists(
        st.one_of(
            st.builds(lambda uid: lambda s: laid(s, (uid,)), TAG),
            st.builds(lambda a, b: lambda s: laid(s, (a, b)), TAG, TAG),
            st.builds(lambda uid, c: lambda s: laid(s, (uid,), {uid: c}), TAG, st.sampled_from(SOME)),
            st.builds(lambda uid, c: lambda s: told(s, uid, c), TAG, st.sampled_from(SOME)),
            st.builds(lambda c: lambda s: pick(s, c), st.sampled_from(SOME)),
            st.sampled_from((skip, back)),
        ),
        max_size=30,
    )
)
def test_whatever_is_done_tags_and_components_stay_one_to_one(steps: list) -> None:  # type: ignore[type-arg]
    sitting: Enrolment = begin(Registry(), SOME)
    for step in steps:
        sitting = step(sitting)
        names = list(sitting.registry.components.values())
        assert len(names) == len(set(names))
        assert 0 <= sitting.at <= len(sitting.order)
        assert sitting.component is None or sitting.asks.startswith("Now lay: ")
        assert sitting.message or not sitting.fault
