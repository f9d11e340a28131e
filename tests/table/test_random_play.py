"""Random legal play by pieces is understood, and random handling of pieces is never taken for play."""

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.actions import Action, Empower, Move
from companion.rules.engine import check, legal_actions
from companion.scenario.notation import action_to
from companion.table.decisions import Ask, Done, Refused
from companion.table.layout import differing, layout_of, see
from companion.table.mends import board_only
from tests.table.story import CARDS, EMPOWER, REGISTRY, Story

RICH = {
    **EMPOWER,
    "teams": {"bliss": {"ambition": 3}, "gloom": {"ambition": 3}},
    "rulings": {"assumed-threshold": 2},
    "players": {
        name: {
            "team": team,
            "spirit": spirit,
            "at": at,
            "willpower": 30,
            "vibes": {"move": ["wild", "red", "blue", "green"], "empower": ["wild", "red", "blue", ""]},
        }
        for name, team, spirit, at in (
            ("diana", "bliss", "harmony", "valley"),
            ("otto", "gloom", "hatred", "cradle"),
            ("pia", "bliss", "love", "valley-cradle"),
        )
    },
    "slots": {
        "valley.1": {"emotion": "kindness", "essence": 2},
        "valley.2": {"emotion": "anger", "essence": 2},
        "valley-cradle": {"emotion": "courage", "essence": 1},
        "cradle.1": {"emotion": "kindness", "essence": 1},
        "cradle.2": {"emotion": "jealousy", "essence": 3},
    },
}
"""A crowded corner, and enough of everything for every upgrade."""

ACTIONS = st.integers(min_value=0, max_value=10_000)


def by_hand(story: Story, action: Action) -> None:
    """Do to the pieces what an action does, through the layouts before and after."""
    after = check(story.position, action, CARDS).after
    assert after is not None
    before_layout, after_layout = story.game.layout, layout_of(after, CARDS)
    changed = [
        space
        for space in sorted({*before_layout, *after_layout})
        if space in story.facts and before_layout.get(space, ()) != after_layout.get(space, ())
    ]
    lying = {tag for fact in story.facts.values() for tag in fact.tags}
    for space in changed:
        gone = [p for p in before_layout.get(space, ()) if p not in after_layout.get(space, ())]
        tags = [tag for tag in story.facts[space].tags if REGISTRY.piece(tag) in gone]
        if tags:
            story.lift(space, *tags)
    for space in changed:
        for piece in after_layout.get(space, ()):
            if piece not in before_layout.get(space, ()):
                free = [tag for tag in REGISTRY.components if REGISTRY.piece(tag) == piece]
                story.place(space, next(t for t in free if t not in lying or piece.kind == "spirit"))
    story.advance(1)


@settings(max_examples=60, deadline=None)
@given(picks=st.lists(ACTIONS, min_size=1, max_size=5))
def test_any_legal_move_or_empower_done_by_hand_is_done_asked_or_offered(picks: list[int]) -> None:
    story = Story(RICH)
    for pick in picks:
        legal = [action for action, _ in legal_actions(story.position, CARDS, placing=False)]
        shown = [action for action in legal if isinstance(action, Move | Empower)]
        if not shown:
            story.by_command(action="end-turn", gain="cards")
            continue
        action, before = shown[pick % len(shown)], story.position
        target = layout_of(check(before, action, CARDS).after or before, CARDS)
        by_hand(story, action)
        decision = story.said[-1]
        if isinstance(decision, Done):
            assert layout_of(story.position, CARDS) == target
        else:
            assert isinstance(decision, Ask | Refused)
            ways = decision.choices if isinstance(decision, Ask) else decision.remedies
            chosen = next(choice.action for choice in ways if choice.action is not None)
            after = check(before, chosen, CARDS).after
            assert after is not None
            assert layout_of(after, CARDS) == target
            assert not isinstance(decision, Refused) or check(before, chosen, CARDS).cost.ambition
            story.position = after
            story.memory = type(story.memory)(
                known=story.memory.known, pads=story.memory.pads, since_s=story.now_s
            )
            story.advance(0.1)
        story.advance(20)
        assert story.mends == [], action_to(action)


HANDLING = st.tuples(
    st.sampled_from(
        ["slot/valley.1", "slot/valley.2", "slot/cradle.1", "slot/land.1", "spirit/valley", "spirit/land"]
    ),
    st.sampled_from(
        [
            "emotion/bliss/kindness/4",
            "emotion/bliss/benevolence/1",
            "emotion/bliss/valor/1",
            "emotion/gloom/rage/1",
            "spirit/harmony",
            "spirit/hatred",
            "vibe/red/1",
            "04AABBCCDDEE80",
        ]
    ),
    st.booleans(),
    st.sampled_from([0.0, 0.3, 1.0, 9.0]),
)


@settings(max_examples=120, deadline=None)
@given(handling=st.lists(HANDLING, max_size=14))
def test_whatever_is_done_to_pieces_nothing_is_accepted_that_does_not_lie_there(
    handling: list[tuple[str, str, bool, float]],
) -> None:
    story = Story(RICH)
    for space, component, lift, seconds in handling:
        said = len(story.said)
        if lift:
            story.lift(space)
        else:
            story.place(space, component)
        story.advance(seconds)
        if len(story.said) > said and isinstance(story.said[-1], Done):
            seen = board_only(see(story.facts, REGISTRY), story.position)
            wrong = set(differing(seen, story.game.layout)) - set(story.memory.held)
            assert wrong == set()
        for problem in story.look.problems:
            assert problem.mend.endswith(".")

    # Everything goes back to where the game has it: all is well, and nothing was played by that.
    position = story.position
    story.restart()
    for space in story.facts:
        wanted = story.game.layout.get(space, ())
        tags = []
        for piece in wanted:
            tags.append(next(t for t in REGISTRY.components if REGISTRY.piece(t) == piece and t not in tags))
        story._fact(space, tuple(tags), "ok")
    story.advance(30)
    assert story.mends == []
    assert story.position == position
