"""Vibe tokens laid on instrumented Spirit boards with no card: Absorb from Knowledge, Ambition, or later."""

from typing import Any

from companion.rules.actions import Absorb, Ambition, Move, Place, Token
from companion.rules.engine import legal_actions
from companion.scenario.notation import position_from
from tests.table.story import CARDS, Story, changed, with_diana

SPACE = "vibe/1/move/3"
RED = Token("move", 3, "red")


def data(ambition: int, facing: str = "commitment") -> dict[str, Any]:
    """Diana in the fifth turn, with a hand that nobody knows."""
    turn = {"player": "diana", "number": 4}
    more = {"teams": {"bliss": {"ambition": ambition}}, "turn": turn, "origin": {"facing": facing}}
    return {**changed(with_diana(hand=["*"])), **more}


def facing_knowledge() -> str:
    """Return how the Origin lies when Diana can absorb from Knowledge."""
    for facing in CARDS.spheres:
        legal = legal_actions(position_from(data(0, facing), CARDS), CARDS, placing=False)
        if any(isinstance(action, Absorb) and action.sphere == "knowledge" for action, _ in legal):
            return facing
    raise AssertionError("the Sphere can be turned to every Realm")


def test_a_token_that_only_ambition_can_bring_is_asked_about_never_done() -> None:
    """R-AMB-7, and 0003."""
    story = Story(data(1), instrumented=(SPACE,))
    story.place(SPACE, "vibe/red/1")
    story.advance(1)
    assert story.said == []
    story.advance(1)
    (ask,) = story.asked
    assert ask.choices[0].action == Ambition("vibe", RED)
    assert ask.choices[-1].text == "It goes with the next Spirit Action, for a card"
    story.answer(ask.choices[0])
    assert story.position.actor.vibes["move"][2] == "red"
    assert story.look.in_step


def test_a_token_that_knowledge_gives_is_asked_about_too() -> None:
    """R-VIBE-10: it might as well wait for a Spirit Action."""
    story = Story(data(0, facing_knowledge()), instrumented=(SPACE,))
    story.place(SPACE, "vibe/red/1")
    story.advance(2)
    (ask,) = story.asked
    assert ask.choices[0].action == Absorb("knowledge", token=RED)


def test_a_card_shown_for_it_answers_the_question() -> None:
    story = Story(data(1), instrumented=(SPACE,))
    story.place(SPACE, "vibe/red/1")
    story.advance(2)
    assert len(story.asked) == 1
    story.place("pad/1", "emotion/bliss/courage/1")
    story.advance(3)
    assert story.look.placing is not None
    story.move("harmony", "valley", "valley-cradle")
    assert [done.action for done in story.done] == [Move("valley-cradle", place=Place("courage", 3))]


def test_without_such_an_ability_it_only_waits() -> None:
    story = Story(data(0), instrumented=(SPACE,))
    story.place(SPACE, "vibe/red/1")
    story.advance(5)
    assert story.said == []
