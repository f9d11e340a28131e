"""A Mild card exchanged for its Strong counterpart, as people do it."""

from companion.rules.actions import Empower
from companion.table.decisions import Ask, Refused
from tests.table.story import EMPOWER, STRANGER, Story, changed, poorer, upgrades_of, with_diana

BENEVOLENCE = "emotion/bliss/benevolence/1"
KINDNESS = "emotion/bliss/kindness/1"


def test_kindness_exchanged_for_benevolence_is_done_at_once() -> None:
    story = Story()
    story.swap("slot/valley.1", BENEVOLENCE)

    assert [decision.action for decision in story.done] == [Empower("valley.1")]
    assert story.emotion("valley.1") == ("benevolence", 2)
    assert story.position.actor.willpower == 2


def test_an_exchange_between_two_polls_is_enough() -> None:
    story = Story()
    story.become("slot/valley.1", "emotion/bliss/benevolence/2")
    assert len(story.done) == 1


def test_a_card_lifted_to_be_read_and_put_back_is_nothing() -> None:
    story = Story()
    story.lift("slot/valley.1")
    story.advance(5)
    story.place("slot/valley.1", KINDNESS)
    story.advance(20)

    assert story.said == []
    assert story.mends == []
    assert story.look.in_step


def test_another_copy_put_back_is_nothing_either() -> None:
    story = Story()
    story.swap("slot/valley.1", "emotion/bliss/kindness/3")
    story.advance(20)
    assert story.said == []
    assert story.mends == []


def test_a_card_in_a_hand_gets_a_gentle_word_only_after_a_while() -> None:
    story = Story()
    story.lift("slot/valley.1")
    story.advance(7.9)
    assert story.mends == []
    assert story.look.in_step

    story.advance(0.2)
    assert story.mends == ["Put Kindness back on the left Valley slot."]
    assert not story.look.in_step
    assert story.said == []


def test_nothing_is_accepted_while_another_card_is_in_a_hand() -> None:
    story = Story()
    story.lift("slot/valley.2")
    story.swap("slot/valley.1", BENEVOLENCE)
    story.advance(30)
    assert story.done == []

    story.place("slot/valley.2", "emotion/bliss/courage/1")
    assert [decision.action for decision in story.done] == [Empower("valley.1")]


def test_one_essence_short_is_refused_with_its_rule_and_the_way_out() -> None:
    story = Story(poorer(1, vibes={"empower": ["red", "green", "", ""]}))
    story.swap("slot/valley.1", BENEVOLENCE)

    (refused,) = story.refused
    assert refused.action == Empower("valley.1")
    assert [refusal.rule for refusal in refused.verdict.refusals] == ["R-EMP-2"]
    assert [choice.text for choice in refused.remedies] == [
        "Use Channeled Power: 3 Willpower, 1 Ambition",
        "Put Kindness back on the left Valley slot in place of Benevolence.",
    ]
    assert refused.remedies[0].do == {
        "action": "empower",
        "slot": "valley.1",
        "upgrades": ["channeled-power"],
    }
    assert story.mends == ["Put Kindness back on the left Valley slot in place of Benevolence."]
    assert not story.look.in_step
    assert story.emotion("valley.1") == ("kindness", 1)


def test_a_refusal_is_said_once_however_often_it_is_read() -> None:
    story = Story(poorer(1))
    story.swap("slot/valley.1", BENEVOLENCE)
    for _ in range(5):
        story.advance(3)
    assert len(story.refused) == 1
    assert story.mends  # ... but what to put back stays listed.


def test_after_a_refusal_the_card_goes_back_and_all_is_well() -> None:
    story = Story(poorer(1))
    story.swap("slot/valley.1", BENEVOLENCE)
    story.swap("slot/valley.1", KINDNESS)
    assert story.mends == []
    assert story.look.in_step

    story.swap("slot/valley.1", BENEVOLENCE)
    assert len(story.refused) == 2  # The same mistake made anew is explained anew.


def test_after_a_refusal_something_legal_is_accepted() -> None:
    story = Story(poorer(1))
    story.swap("slot/valley.1", BENEVOLENCE)
    story.swap("slot/valley.1", KINDNESS)
    story.move("harmony", "valley", "valley-cradle")
    assert len(story.done) == 1


def test_with_an_upgrade_that_spends_ambition_as_one_of_two_ways_people_are_asked() -> None:
    story = Story(with_diana(vibes={"empower": ["red", "green", "", ""]}))
    story.swap("slot/valley.1", BENEVOLENCE)

    (ask,) = story.asked
    assert [choice.text for choice in ask.choices] == [
        "Just Empower: 3 Willpower",
        "Use Channeled Power: 3 Willpower, 1 Ambition",
    ]
    assert story.done == []


def test_a_question_is_withdrawn_when_the_card_goes_back() -> None:
    story = Story(with_diana(vibes={"empower": ["red", "green", "", ""]}))
    story.swap("slot/valley.1", BENEVOLENCE)
    assert isinstance(story.look.decision, Ask)
    story.swap("slot/valley.1", KINDNESS)
    assert not isinstance(story.look.decision, Ask)
    assert story.look.memory.answered is None


def test_determination_is_used_without_asking_and_outburst_is_not_paid_for_nothing() -> None:
    story = Story(with_diana(vibes={"empower": ["red", "", "green", "blue"]}))
    story.swap("slot/valley.1", BENEVOLENCE)
    (done,) = story.done
    assert upgrades_of(done) == ("determination",)
    assert story.position.actor.willpower == 3


def test_emotional_outburst_is_meant_where_nothing_else_reaches() -> None:
    story = Story(with_diana(at="land", vibes={"empower": ["red", "", "green", ""]}))
    story.swap("slot/valley.1", BENEVOLENCE)
    (done,) = story.done
    assert upgrades_of(done) == ("emotional-outburst",)


def test_a_strong_card_that_is_not_the_counterpart_is_named() -> None:
    story = Story()
    story.swap("slot/valley.1", "emotion/bliss/valor/1")
    (refused,) = story.refused
    assert refused.verdict.refusals[0].rule == "R-EMP-3"
    assert refused.verdict.refusals[0].text == "Kindness becomes Benevolence, not Valor."
    assert story.mends == ["Put Kindness back on the left Valley slot in place of Valor."]


def test_an_unknown_threshold_is_never_guessed() -> None:
    data = changed(EMPOWER, **{"slots__valley.1": {"emotion": "optimism", "essence": 2}})
    story = Story(data)
    story.swap("slot/valley.1", "emotion/bliss/hope/1")
    (refused,) = story.refused
    assert refused.verdict.status == "unknown"
    assert [missing.name for missing in refused.verdict.missing] == ["optimism.empower_threshold"]
    assert story.emotion("valley.1") == ("optimism", 2)


def test_the_other_teams_emotion_exchanged_in_their_place_is_a_matter_of_turns() -> None:
    story = Story()
    story.swap("slot/cradle.2", "emotion/gloom/rage/1")
    (refused,) = story.refused
    assert refused.verdict.refusals[0].rule == "R-TURN-1"


def test_a_locked_row_is_refused_with_the_card_that_would_open_it() -> None:
    story = Story(with_diana(vibes={}))
    story.swap("slot/valley.1", BENEVOLENCE)
    (refused,) = story.refused
    assert refused.verdict.refusals[0].rule == "R-VIBE-2"
    action = refused.remedies[0].action
    assert isinstance(action, Empower)
    assert action.place is not None


def test_two_cards_on_one_slot_are_named_and_nothing_is_taken_for_done() -> None:
    story = Story()
    story.place("slot/valley.1", BENEVOLENCE)
    story.advance(1)
    assert story.mends == []
    story.advance(1)
    (mend,) = story.mends
    assert mend.startswith("Benevolence and Kindness lie on one slot.")
    assert story.said == []

    story.lift("slot/valley.1", KINDNESS)
    assert len(story.done) == 1


def test_two_copies_of_the_card_on_its_slot_are_one_too_many() -> None:
    story = Story()
    story.place("slot/valley.1", "emotion/bliss/kindness/2")
    story.advance(2)
    (mend,) = story.mends
    assert mend.endswith("Take Kindness off the left Valley slot.")


def test_an_unknown_tag_is_named_and_is_not_the_cause_of_anything() -> None:
    story = Story()
    story.place("slot/cradle.1", STRANGER)
    story.advance(2)
    assert any(STRANGER in mend for mend in story.mends)
    assert story.look.in_step

    story.swap("slot/valley.1", BENEVOLENCE)
    assert len(story.done) == 1


def test_a_vibe_token_on_a_slot_is_named_for_what_it_is() -> None:
    story = Story()
    story.place("slot/valley.1", "vibe/red/1")
    story.advance(2)
    assert story.mends == [
        "A red Vibe token lies on the left Valley slot: it has no place there, take it off."
    ]
    assert story.said == []


def test_what_is_laid_with_a_stranger_on_top_waits_until_it_lies_alone() -> None:
    story = Story()
    story.lift("slot/valley.1")
    story.place("slot/valley.1", STRANGER)
    story.place("slot/valley.1", BENEVOLENCE)
    assert story.done == []
    story.lift("slot/valley.1", STRANGER)
    assert len(story.done) == 1


def test_a_sleeve_over_five_cards_accepts_nothing_and_lists_every_card() -> None:
    slots = {
        f"{realm}.1": {"emotion": "kindness" if realm == "valley" else "courage", "essence": 2}
        for realm in ("valley", "cradle", "network", "land", "willow")
    }
    story = Story({**EMPOWER, "slots": slots})
    for slot in slots:
        story.lift(f"slot/{slot}")
    story.place("slot/valley.2", "emotion/bliss/courage/1")
    story.advance(10)
    assert story.said == []
    assert len(story.mends) == 6

    story.lift("slot/valley.2")
    story.place("slot/valley.1", KINDNESS)
    story.advance(0.1)
    assert len(story.mends) == 4  # Ticked off one by one.
    for number, realm in enumerate(("cradle", "network", "land", "willow"), 1):
        story.place(f"slot/{realm}.1", f"emotion/bliss/courage/{number}")
    assert story.mends == []
    assert story.said == []


def test_a_way_out_that_can_be_had_cheaper_is_offered_cheaper() -> None:
    story = Story(poorer(1, vibes={"empower": ["red", "green", "", "blue"]}))
    story.swap("slot/valley.1", BENEVOLENCE)
    refused = story.look.decision
    assert isinstance(refused, Refused)
    assert refused.remedies[0].text == "Use Channeled Power and Determination: 2 Willpower, 1 Ambition"
