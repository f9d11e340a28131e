"""Each action of the game by its pieces, as far as it has any: done, asked, or explained."""

import pytest

from companion.rules.actions import Empower, EndTurn, Invoke, Move, Network, Quell
from companion.table.decisions import Ask, Done, TakenBack, Waiting
from tests.table.story import EMPOWER, UIDS, Story, changed, with_diana

ROWS = {row: ["wild", "", "", ""] for row in ("move", "invoke", "quell", "fortify", "empower")}
COURAGE = "emotion/bliss/courage/3"
OPTIMISM = "emotion/bliss/optimism/1"
ANGER = "emotion/gloom/anger/1"

COPIES = ("emotion/bliss/courage/1", "emotion/bliss/courage/2")


def rich(**player: object) -> dict[str, object]:
    """Diana in the Valley with every row open, Anger beside her with its last Essence."""
    data = with_diana(**{"essence": 3, "willpower": 9, "vibes": ROWS, **player})
    slots = {"cradle.1": {"emotion": "kindness"}, "valley.1": {"emotion": "anger", "essence": 1}}
    return changed(data, slots=slots)


# Invoke


def test_a_hand_card_laid_into_a_free_slot_is_invoked_once_it_rests() -> None:
    """R-INVOKE-1."""
    story = Story(rich())
    story.place("slot/valley.2", COURAGE)
    assert isinstance(story.look.decision, Waiting)
    story.advance(0.7)
    assert [done.action for done in story.done] == [Invoke("courage", "valley.2")]
    assert story.position.actor.hand == ("*", "optimism")
    assert story.look.in_step


def test_a_card_that_nobody_knew_of_is_invoked_too() -> None:
    story = Story(rich(hand=["*", "*"]))
    story.place("slot/valley.2", COURAGE)
    story.advance(0.7)
    assert [done.action for done in story.done] == [Invoke("courage", "valley.2")]
    assert story.position.actor.hand == ("*",)


def test_where_an_upgrade_would_change_what_is_had_people_are_asked() -> None:
    """R-INVOKE-6, R-INVOKE-7."""
    story = Story(rich(vibes={"invoke": ["wild", "red", "", ""]}))
    story.place("slot/valley.2", COURAGE)
    story.advance(0.7)
    (ask,) = story.asked
    assert ask.text == "How is Courage invoked?"
    assert [choice.text for choice in ask.choices] == [
        "Just Invoke: 2 Willpower, 1 Essence",
        "Use Bolster: 2 Willpower, 1 Essence, 1 Ambition",
    ]
    assert "with 2 Essence" in ask.choices[1].effect


def test_a_card_slid_over_one_slot_into_the_next_is_invoked_there_alone() -> None:
    """F-126: even where it rested long enough on its way."""
    story = Story(changed(rich(), slots={}))
    story.place("slot/valley.2", COURAGE)
    story.advance(0.7)
    assert [done.action for done in story.done] == [Invoke("courage", "valley.2")]
    story.lift("slot/valley.2")
    story.place("slot/valley.1", COURAGE)
    story.advance(0.7)
    assert [done.action for done in story.done][1:] == [Invoke("courage", "valley.1")]
    assert story.done[1].corrects
    assert "valley.2" not in story.position.slots
    assert story.position.turn.actions_left == 2


def test_a_card_taken_up_again_at_once_was_not_invoked() -> None:
    story = Story(rich())
    before = story.position
    story.place("slot/valley.2", COURAGE)
    story.advance(0.7)
    story.lift("slot/valley.2")
    story.advance(5)
    assert isinstance(story.said[-1], TakenBack)
    assert story.position == before
    assert story.mends == []


def test_a_figure_that_stood_long_before_it_counted_does_not_go_back_but_on() -> None:
    """It is from its coming to rest that a first guess is taken back, not from when another card was back."""
    story = Story()
    story.lift("slot/valley.2")
    story.move("harmony", "valley", "valley-cradle")
    story.advance(5)
    story.place("slot/valley.2", COURAGE)
    story.advance(0.7)
    story.move("harmony", "valley-cradle", "valley")
    assert [done.action for done in story.done] == [Move("valley-cradle"), Move("valley")]


def test_a_figure_that_went_on_to_where_it_may_not_stand_has_not_moved_before() -> None:
    """R-MOVE-1."""
    story = Story()
    story.lift("spirit/valley")
    story.place("spirit/valley-cradle", "spirit/harmony")
    story.advance(0.7)
    assert len(story.done) == 1
    story.lift("spirit/valley-cradle")
    story.place("spirit/network", "spirit/harmony")
    story.advance(3)
    assert story.position.actor.at == "valley"
    (refused,) = story.refused
    assert "R-MOVE-1" in refused.verdict.rules


def test_another_copy_laid_down_while_one_is_read_is_no_move_of_that_one() -> None:
    """R-INVOKE-1, R-NETWORK-1: two cards of one title are told apart by their tags."""
    story = Story(changed(rich(), slots={"valley.1": {"emotion": "courage"}}))
    tag = story.facts["slot/valley.1"].tags[0]
    story.lift("slot/valley.1")
    story.place("slot/valley.2", next(c for c in COPIES if UIDS[c] != tag))
    story.advance(2)
    assert story.done == []
    story.place("slot/valley.1", tag)
    story.advance(1)
    assert [done.action for done in story.done] == [Invoke("courage", "valley.2")]


def test_a_card_only_lifted_while_a_token_waits_is_not_called_a_quell_at_once() -> None:
    story = Story()
    story.place("pad/1", "emotion/bliss/courage/1", "vibe/red/1")
    story.lift("slot/cradle.2")
    story.advance(7)
    assert story.refused == []
    story.place("slot/cradle.2", "emotion/gloom/anger/1")
    story.advance(20)
    assert story.refused == []


def test_an_invoked_card_taken_up_much_later_is_only_missed() -> None:
    story = Story(rich())
    story.place("slot/valley.2", COURAGE)
    story.advance(5)
    story.lift("slot/valley.2")
    story.advance(10)
    assert len(story.said) == 1
    assert story.mends == ["Put Courage back on the right Valley slot."]


@pytest.mark.parametrize(
    ("slot", "card", "rule"),
    [
        ("land.1", COURAGE, "R-INVOKE-1"),
        ("valley.2", "emotion/bliss/benevolence/1", "R-INVOKE-10"),
        ("valley.2", "emotion/gloom/anger/2", "R-TURN-1"),
    ],
    ids=["out of reach", "a Strong card", "the other team's"],
)
def test_a_card_that_may_not_be_laid_there_is_refused_with_its_rule(slot: str, card: str, rule: str) -> None:
    story = Story(rich())
    story.place(f"slot/{slot}", card)
    story.advance(1.2)
    assert story.refused == []  # It may be on its way still.
    story.advance(0.8)
    (refused,) = story.refused
    assert refused.verdict.rules[0] == rule
    assert story.mends[0].startswith("Take ")
    story.lift(f"slot/{slot}")
    assert story.mends == []
    assert story.look.in_step


def test_a_card_in_place_of_another_one_is_no_invoke() -> None:
    """R-INVOKE-9."""
    story = Story(changed(rich(), slots={"valley.1": {"emotion": "kindness"}}))
    story.swap("slot/valley.1", COURAGE)
    story.advance(2)
    (refused,) = story.refused
    assert refused.verdict.rules == ("R-INVOKE-9",)


def test_anxiety_invokes_bleakness_from_the_supply() -> None:
    """R-POWER-6."""
    data = changed(
        rich(),
        players={
            "otto": {
                **EMPOWER["players"]["otto"],
                "spirit": "anxiety",
                "at": "cradle",
                "essence": 3,
                "vibes": {"invoke": ["wild", "", "", ""]},
            },
            "diana": EMPOWER["players"]["diana"],
        },
    )
    story = Story(data)
    story.place("slot/cradle.2", "emotion/gloom/bleakness/1")
    story.advance(2)
    assert [done.action for done in story.done] == [Invoke("bleakness", "cradle.2")]


# Network of Thoughts


def test_an_own_card_carried_to_a_slot_beside_the_figure_is_rearranged() -> None:
    """R-NETWORK-1, R-NETWORK-2: with all that lies on it."""
    story = Story(changed(rich(at="network"), **{"slots__cradle.1": {"emotion": "kindness", "essence": 2}}))
    story.lift("slot/cradle.1")
    story.advance(4)
    story.place("slot/network.1", "emotion/bliss/kindness/1")
    story.advance(0.7)
    assert [done.action for done in story.done] == [Network("cradle.1", "network.1")]
    assert story.emotion("network.1") == ("kindness", 2)


def test_a_card_whose_old_slot_is_not_yet_known_to_be_empty_is_not_a_second_one() -> None:
    """The same tag in two places is one card on its way."""
    story = Story(rich(at="network", hand=["kindness", "kindness"]))
    story.place("slot/network.1", "emotion/bliss/kindness/1")
    story.advance(2)
    assert story.said == []
    story.lift("slot/cradle.1")
    story.advance(2)
    assert [done.action for done in story.done] == [Network("cradle.1", "network.1")]


def test_another_copy_of_the_title_is_another_card() -> None:
    story = Story(rich(hand=["kindness"]))
    story.place("slot/valley.2", "emotion/bliss/kindness/2")
    story.advance(2)
    assert [done.action for done in story.done] == [Invoke("kindness", "valley.2")]


def test_two_cards_that_changed_places_are_no_swap() -> None:
    """R-NETWORK-3."""
    slots = {"network.1": {"emotion": "kindness"}, "network.2": {"emotion": "courage"}}
    story = Story(changed(rich(at="network"), slots=slots))
    story.lift("slot/network.1")
    story.lift("slot/network.2")
    story.place("slot/network.2", "emotion/bliss/kindness/1")
    story.place("slot/network.1", "emotion/bliss/courage/1")
    story.advance(2)
    (refused,) = story.refused
    assert "R-NETWORK-3" in refused.verdict.rules


def test_the_other_teams_card_is_not_rearranged() -> None:
    """R-NETWORK-1."""
    story = Story(rich(at="network"))
    story.lift("slot/valley.1")
    story.place("slot/network.1", ANGER)
    story.advance(2)
    (refused,) = story.refused
    assert refused.verdict.rules == ("R-NETWORK-1",)


# Quell


def quelling(**player: object) -> Story:
    return Story(rich(**{"hand": ["courage", "desire"], **player}))


def test_a_card_shown_and_one_taken_away_is_asked_about_as_the_quell_that_it_is() -> None:
    """R-QUELL-1, R-QUELL-2; each Quell spends the team's Ambition, so a word is needed (0003)."""
    story = Story(rich(hand=["courage", "*"]))
    story.place("pad/1", COURAGE)
    story.lift("slot/valley.1")
    story.advance(0.7)
    (ask,) = story.asked
    assert [choice.text for choice in ask.choices] == [
        "Show Courage: 2 Willpower, 1 Ambition",
        "Nothing: Put Anger back on the left Valley slot.",
    ]
    assert ask.choices[0].action == Quell("valley.1", "courage")


def test_a_card_lifted_without_one_shown_is_asked_about_and_may_just_be_read() -> None:
    story = Story(rich(hand=["courage", "*"]))
    story.lift("slot/valley.1")
    story.advance(2.4)
    assert story.said == []
    story.advance(0.2)
    (ask,) = story.asked
    assert ask.text == "Is Anger quelled?"
    assert ask.choices[0].text.startswith("Show Courage: ")
    assert ask.choices[-1].do == {}
    story.place("slot/valley.1", ANGER)
    story.advance(20)
    assert not isinstance(story.look.decision, Ask)
    assert story.done == []


def test_a_card_with_more_essence_does_not_leave() -> None:
    data = changed(rich(), **{"slots__valley.1": {"emotion": "anger", "essence": 2}})
    story = Story(data)
    story.place("pad/1", COURAGE)
    story.advance(2)
    story.lift("slot/valley.1")
    story.advance(9)
    assert story.done == []
    assert story.mends == ["Put Anger back on the left Valley slot."]


def test_a_card_shown_beside_an_emotion_that_stays_is_asked_about() -> None:
    """The Essence that a Quell takes can't be seen."""
    data = changed(rich(), **{"slots__valley.1": {"emotion": "anger", "essence": 2}})
    story = Story(data)
    story.place("pad/1", COURAGE)
    story.lift("pad/1")
    story.advance(2)
    assert story.said == []
    story.advance(2)
    (ask,) = story.asked
    assert ask.text == "What does Diana show Courage for?"
    assert ask.choices[0].action == Quell("valley.1", "courage")
    assert ask.choices[-1].action is None


def test_a_vibe_token_after_the_card_answers_the_question() -> None:
    data = changed(rich(), **{"slots__valley.1": {"emotion": "anger", "essence": 2}})
    story = Story(data)
    story.place("pad/1", COURAGE)
    story.advance(3)
    assert isinstance(story.look.decision, Ask)
    story.place("pad/1", "vibe/red/1")
    assert not isinstance(story.look.decision, Ask)
    assert story.look.placing is not None


# Several in one go


def test_a_move_and_an_invoke_in_either_order_of_hands_are_two_actions() -> None:
    """F-127."""
    for card_first in (True, False):
        story = Story(rich(at="willow-valley"))
        story.lift("spirit/willow-valley")
        if card_first:
            story.place("slot/valley.2", COURAGE)
        story.place("spirit/valley", "spirit/harmony")
        if not card_first:
            story.place("slot/valley.2", COURAGE)
        story.advance(2)
        assert [done.action for done in story.done] == [Move("valley"), Invoke("courage", "valley.2")]
        assert story.refused == []


def test_three_actions_made_in_one_go_are_three_actions() -> None:
    story = Story(changed(rich(at="willow-valley"), slots={}))
    story.lift("spirit/willow-valley")
    story.place("spirit/valley", "spirit/harmony")
    story.place("slot/valley.2", COURAGE)
    story.place("slot/valley.1", OPTIMISM)
    story.advance(2)
    assert [done.action for done in story.done] == [
        Move("valley"),
        Invoke("optimism", "valley.1"),
        Invoke("courage", "valley.2"),
    ]


@pytest.mark.parametrize("shown", [True, False], ids=["the card shown", "no card shown"])
def test_a_slot_quelled_and_filled_again_in_one_go_is_asked_about_not_accused(*, shown: bool) -> None:
    story = Story(rich(hand=["courage", "optimism"]))
    if shown:
        story.place("pad/1", COURAGE)
    story.swap("slot/valley.1", OPTIMISM)
    story.advance(2)
    assert story.refused == []
    (ask,) = story.asked
    assert ask.text == "Is Anger quelled?"
    story.answer(ask.choices[0])
    assert story.position.slots["valley.1"].name == "optimism"
    assert [done.action for done in story.done] == [Invoke("optimism", "valley.1")]


def test_a_move_is_done_and_a_card_taken_away_with_it_asked_about() -> None:
    story = Story(rich(at="willow-valley", hand=["courage", "optimism"]))
    story.lift("slot/valley.1")
    story.move("harmony", "willow-valley", "valley")
    story.advance(2)
    assert [done.action for done in story.done] == [Move("valley")]
    assert story.asked[-1].choices[0].action == Quell("valley.1", "courage")


# Whose turn it is


def otto_acts(story: Story) -> None:
    story.move("hatred", "cradle-network", "network")
    story.advance(1)


def test_where_no_action_is_left_the_next_player_ends_the_turn_by_acting() -> None:
    """0003: what is gained is asked where it is open."""
    story = Story({**EMPOWER, "turn": {"player": "diana", "number": 1, "actions_left": 0}})
    otto_acts(story)
    assert story.refused == []
    (ask,) = story.asked
    assert ask.text == "Does Diana's turn end?"
    assert [choice.action for choice in ask.choices[:-1]] == [EndTurn("ambition"), EndTurn("cards")]


def test_where_only_cards_can_be_gained_the_turn_is_ended_and_the_next_action_done() -> None:
    """R-EOT-2."""
    data = {
        **EMPOWER,
        "turn": {"player": "diana", "number": 1, "actions_left": 0},
        "teams": {"bliss": {"ambition": 3}},
    }
    story = Story(data)
    otto_acts(story)
    assert [done.action for done in story.done] == [EndTurn("cards"), Move("network")]


def test_a_figure_put_back_at_once_has_not_ended_the_turn_before_either() -> None:
    data = {
        **EMPOWER,
        "turn": {"player": "diana", "number": 1, "actions_left": 0},
        "teams": {"bliss": {"ambition": 3}},
    }
    story = Story(data)
    before = story.position
    story.move("hatred", "cradle-network", "network")
    assert len(story.done) == 2
    story.move("hatred", "network", "cradle-network")
    assert story.said[-1] == TakenBack(2)
    assert story.position == before
    assert story.mends == []


def test_what_the_next_player_may_not_do_is_told_after_the_turn_has_ended() -> None:
    """R-TURN-2, R-MOVE-1: no Action is left, so it is never called a move out of turn."""
    story = Story({**EMPOWER, "turn": {"player": "diana", "number": 1, "actions_left": 0}})
    story.lift("spirit/cradle-network")
    story.place("spirit/willow", "spirit/hatred")
    story.advance(2)
    assert story.refused == []
    (ask,) = story.asked
    assert ask.text == "Does Diana's turn end?"
    story.answer(ask.choices[0])
    story.advance(2)
    (refused,) = story.refused
    assert "R-MOVE-1" in refused.verdict.rules


def test_with_actions_left_it_is_a_matter_of_turns_and_the_way_out_ends_the_turn() -> None:
    """R-TURN-1."""
    story = Story()
    otto_acts(story)
    story.advance(1)
    (refused,) = story.refused
    assert refused.verdict.rules == ("R-TURN-1",)
    assert [choice.action for choice in refused.remedies[:-1]] == [EndTurn("ambition"), EndTurn("cards")]


# Figures that went on


def test_a_figure_that_rested_on_its_way_has_made_one_move() -> None:
    """F-126: Haste, where the first space was taken for its end."""
    story = Story(with_diana(vibes={"move": ["wild", "red", "", ""]}))
    story.move("harmony", "valley", "valley-cradle")
    assert [done.action for done in story.done] == [Move("valley-cradle")]
    story.move("harmony", "valley-cradle", "cradle")
    assert story.done[-1] == Done(Move("cradle", upgrades=("haste",)), story.done[-1].verdict, corrects=True)
    assert story.position.turn.actions_left == 2


def test_a_figure_that_moves_on_later_has_moved_twice() -> None:
    story = Story(with_diana(vibes={"move": ["wild", "red", "", ""]}))
    story.move("harmony", "valley", "valley-cradle")
    story.advance(3)
    story.move("harmony", "valley-cradle", "cradle")
    assert [done.action for done in story.done] == [Move("valley-cradle"), Move("cradle")]
    assert story.position.turn.actions_left == 1


def test_a_figure_set_down_and_put_back_at_once_has_not_moved() -> None:
    story = Story()
    before = story.position
    story.move("harmony", "valley", "valley-cradle")
    story.move("harmony", "valley-cradle", "valley")
    assert story.position == before
    assert story.mends == []


def test_two_moves_in_one_go_are_offered_as_what_they_are() -> None:
    data = changed(with_diana(hand=[], vibes={"move": ["wild", "", "", ""]}), teams={})
    story = Story(data)
    story.move("harmony", "valley", "cradle")
    story.advance(1)
    (refused,) = story.refused
    assert refused.verdict.rules[0] == "R-MOVE-1"
    assert refused.remedies[0].text == "Move twice, by way of the Valley-Cradle Frontier: 2 Willpower"
    story.answer(refused.remedies[0])
    story.advance(1)
    assert story.position.actor.at == "cradle"
    assert story.position.turn.actions_left == 1
    assert story.look.in_step


# Empower stays as it was


def test_an_exchange_is_done_at_once() -> None:
    story = Story()
    story.swap("slot/valley.1", "emotion/bliss/benevolence/1")
    assert [done.action for done in story.done] == [Empower("valley.1")]
