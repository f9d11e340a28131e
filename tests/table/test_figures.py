"""Figures that are moved, slid, held in a hand, or moved by the wrong player."""

from companion.rules.actions import Empower, Move
from companion.table.decisions import Waiting
from tests.table.story import EMPOWER, Story, changed, upgrades_of, with_diana


def test_a_figure_put_down_next_door_has_moved_once_it_rests() -> None:
    story = Story()
    story.lift("spirit/valley")
    story.place("spirit/valley-cradle", "spirit/harmony")
    assert isinstance(story.look.decision, Waiting)
    story.advance(0.5)
    assert story.done == []
    story.advance(0.2)
    assert [decision.action for decision in story.done] == [Move("valley-cradle")]
    assert story.position.actor.at == "valley-cradle"


def test_a_figure_slid_over_a_space_has_not_stopped_there() -> None:
    story = Story(with_diana(vibes={"move": ["wild", "red", "", ""]}))
    story.lift("spirit/valley")
    story.place("spirit/valley-cradle", "spirit/harmony")
    story.advance(0.3)
    story.lift("spirit/valley-cradle")
    story.place("spirit/cradle", "spirit/harmony")
    story.advance(1)
    assert [decision.action for decision in story.done] == [Move("cradle", upgrades=("haste",))]


def test_a_figure_in_a_hand_is_waited_for() -> None:
    story = Story()
    story.lift("spirit/valley")
    story.advance(7)
    assert story.said == []
    assert story.mends == []
    story.place("spirit/valley", "spirit/harmony")
    story.advance(20)
    assert story.said == []
    assert story.mends == []


def test_a_figure_seen_in_two_places_is_waited_for() -> None:
    story = Story()
    story.place("spirit/valley-cradle", "spirit/harmony")
    story.advance(2)
    assert story.done == []
    story.lift("spirit/valley")
    story.advance(1)
    assert len(story.done) == 1


def test_determination_is_used_and_surmount_is_not_paid_for_nothing() -> None:
    story = Story(with_diana(vibes={"move": ["wild", "", "red", "blue"]}))
    story.move("harmony", "valley", "valley-cradle")
    (done,) = story.done
    assert upgrades_of(done) == ("determination",)
    assert story.position.actor.willpower == 5


def test_surmount_is_meant_where_an_opponent_stands() -> None:
    story = Story(with_diana(at="cradle", vibes={"move": ["wild", "", "red", ""]}))
    story.move("harmony", "cradle", "cradle-network")
    (done,) = story.done
    assert upgrades_of(done) == ("surmount",)


def test_two_steps_without_haste_are_refused_and_the_figure_goes_back() -> None:
    story = Story(with_diana(hand=[]))
    story.move("harmony", "valley", "cradle")
    story.advance(1)
    (refused,) = story.refused
    assert refused.verdict.refusals[0].rule in ("R-MOVE-1", "R-MOVE-4")
    assert refused.put_back == "Put the figure of Harmony back on the Spirit space of the Valley."
    assert story.position.actor.at == "valley"
    story.move("harmony", "cradle", "valley")
    assert story.mends == []


def test_after_a_refusal_the_figure_may_go_straight_to_a_legal_space() -> None:
    story = Story()
    story.move("harmony", "valley", "cradle")
    story.advance(1)
    assert len(story.refused) == 1
    story.move("harmony", "cradle", "valley-cradle")
    assert [decision.action for decision in story.done] == [Move("valley-cradle")]
    assert story.mends == []


def test_the_wrong_players_figure_is_a_matter_of_turns() -> None:
    story = Story()
    story.move("hatred", "cradle-network", "network")
    story.advance(1)
    (refused,) = story.refused
    assert refused.verdict.refusals[0].rule == "R-TURN-1"
    assert refused.action.player == "otto"
    assert "Hatred back" in story.mends[0]


def test_figures_that_share_a_space_are_both_seen() -> None:
    story = Story(changed(with_diana(at="land-willow"), players__pia=EMPOWER["players"]["pia"]))
    story.lift("spirit/land-willow")
    story.place("spirit/land", "spirit/harmony")
    story.advance(1)
    assert [decision.action for decision in story.done] == [Move("land")]


def test_a_spirit_that_is_not_in_this_game_is_named() -> None:
    story = Story()
    story.place("spirit/willow", "spirit/delight")
    story.advance(2)
    assert story.mends == [
        "The figure of Delight lies on the Spirit space of the Willow: it has no place there, take it off."
    ]


def test_a_move_and_an_empower_made_in_one_go_are_two_actions() -> None:
    story = Story(with_diana(at="valley-cradle"))
    story.lift("spirit/valley-cradle")
    story.lift("slot/valley.1")
    story.place("spirit/valley", "spirit/harmony")
    story.place("slot/valley.1", "emotion/bliss/benevolence/1")
    story.advance(1)
    assert [decision.action for decision in story.done] == [Move("valley"), Empower("valley.1")]
    assert story.position.turn.actions_left == 1
    assert story.refused == []


def test_spaces_without_readers_are_no_matter() -> None:
    story = Story()
    for space in [space for space in story.facts if space.startswith("spirit/")]:
        del story.facts[space]
    story.advance(30)
    assert story.mends == []
    story.swap("slot/valley.1", "emotion/bliss/benevolence/1")
    assert len(story.done) == 1


def _with_eve(row: list[str]) -> Story:
    """Diana plays Empathy's side B in the Valley; Otto stands across the table."""
    return Story(with_diana(spirit="empathy", side="b", hand=[], vibes={"move": row}))


def test_two_figures_that_changed_places_have_traded_spaces() -> None:
    """R-COMP-2: Switcheroo, whoever's figure is put down first."""
    for first in ("empathy", "other"):
        story = _with_eve(["wild", "", "", "blue"])
        other = next(p for p in story.position.players.values() if p.name != "diana" and p.at and p.spirit)
        places = {"empathy": other.at, other.spirit: "valley"}
        story.lift("spirit/valley")
        story.lift(f"spirit/{other.at}")
        for spirit in sorted(places, key=lambda name: (name == "empathy") != (first == "empathy")):
            story.place(f"spirit/{places[spirit]}", f"spirit/{spirit}")
        story.advance(1)
        (done,) = story.done
        assert upgrades_of(done) == ("switcheroo",)
        assert story.position.actor.at == other.at
        assert story.position.players[other.name].at == "valley"


def test_figures_that_changed_places_without_switcheroo_have_done_nothing() -> None:
    story = _with_eve(["wild", "red", "", ""])
    other = next(p for p in story.position.players.values() if p.name != "diana" and p.at and p.spirit)
    story.lift("spirit/valley")
    story.lift(f"spirit/{other.at}")
    story.place(f"spirit/{other.at}", "spirit/empathy")
    story.place("spirit/valley", f"spirit/{other.spirit}")
    story.advance(1)
    assert story.done == []
    assert story.position.actor.at == "valley"
