"""Whatever is legal and can be seen is understood by its pieces, in any position; nothing else is taken."""

import random
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.actions import Action, Invoke, Move, Network, Quell
from companion.rules.board import SLOTS, SPACES
from companion.rules.engine import check, legal_actions
from companion.rules.frame import MUST
from companion.rules.position import Position
from companion.scenario.random_play import assumed, chosen, opening
from companion.table.decisions import Ask, Decision, Done, Refused
from companion.table.layout import Layout, emotion_piece, layout_of, surplus
from companion.table.legal import footprint
from companion.table.meanings import Meaning
from companion.table.pieces import Piece
from tests.table.story import CARDS, Story

GAMES = 6
STEPS = 70


@cache
def positions() -> tuple[Position, ...]:
    """Positions of games by chance, in which something is to be done."""
    found = []
    for seed in range(GAMES):
        dice = random.Random(seed)  # noqa: S311 - a game
        position = opening(2 + seed % 3, "full", dice, assumed(CARDS))
        for _ in range(STEPS):
            step = chosen(position, assumed(CARDS), dice)
            if step is None:
                break
            position = step[1]
            free = not any(item.action in MUST for item in position.turn.pending)
            able = position.turn.actions_left and position.actor.willpower > 1
            if free and able and len(position.slots) > 2:
                found.append(position)
    return tuple(found)


@cache
def to_be_seen(number: int) -> tuple[Meaning[Action], ...]:
    """Return the legal actions of a position that change something on slots and Spirit spaces."""
    position = positions()[number]
    layout = layout_of(position, CARDS)
    found = []
    for action, verdict in legal_actions(position, CARDS, placing=False):
        meaning = Meaning(action, verdict)
        left = footprint(position, meaning.after, layout, CARDS)
        if any(space.startswith(("slot/", "spirit/")) for space in left):
            found.append(meaning)
    return tuple(found)


def board(position: Position, kinds: tuple[str, ...]) -> Layout:
    """Return what lies on some kinds of spaces."""
    return {space: pieces for space, pieces in layout_of(position, CARDS).items() if space.startswith(kinds)}


def ways(decision: Decision) -> list[Action]:
    """Return what a question, or a refusal with ways out, offers."""
    choices = decision.choices if isinstance(decision, Ask) else ()
    choices = decision.remedies if isinstance(decision, Refused) else choices
    return [choice.action for choice in choices if choice.action is not None]


@settings(max_examples=120, deadline=None)
@given(number=st.integers(0, 10_000), pick=st.integers(0, 10_000), order=st.integers(0, 1000))
def test_a_legal_action_that_can_be_seen_is_done_asked_or_offered_and_no_other_one(
    number: int, pick: int, order: int
) -> None:
    number %= len(positions())
    before, meanings = positions()[number], to_be_seen(number)
    if not meanings:
        return
    meaning, dice = meanings[pick % len(meanings)], random.Random(order)  # noqa: S311 - a game
    story = Story(before)
    story.lay(layout_of(meaning.after, CARDS), lambda _: dice.random())
    story.advance(4)
    kinds = ("slot", "spirit")
    wanted = board(meaning.after, kinds)
    (decision,) = story.said
    if isinstance(decision, Done):
        assert board(story.position, kinds) == wanted
        assert not decision.verdict.cost.ambition
        assert story.look.in_step
        return
    assert story.position == before
    offered = [after for action in ways(decision) if (after := check(before, action, CARDS).after)]
    assert any(board(after, kinds) == wanted for after in offered)
    if isinstance(decision, Refused):
        assert meaning.verdict.cost.ambition
    assert len(ways(decision)) <= 4


@settings(max_examples=60, deadline=None)
@given(number=st.integers(0, 10_000), pick=st.integers(0, 10_000), order=st.integers(0, 1000))
def test_on_a_table_of_slots_alone_cards_say_it_and_figures_are_no_matter(
    number: int, pick: int, order: int
) -> None:
    number %= len(positions())
    before = positions()[number]
    meanings = [m for m in to_be_seen(number) if board(m.after, ("slot",)) != board(before, ("slot",))]
    if not meanings:
        return
    meaning, dice = meanings[pick % len(meanings)], random.Random(order)  # noqa: S311 - a game
    story = Story(before, kinds=("slot",))
    story.lay(layout_of(meaning.after, CARDS), lambda _: dice.random())
    story.advance(4)
    (decision,) = story.said
    wanted = board(meaning.after, ("slot",))
    if isinstance(decision, Done):
        assert board(story.position, ("slot",)) == wanted
    else:
        offered = [after for action in ways(decision) if (after := check(before, action, CARDS).after)]
        assert any(board(after, ("slot",)) == wanted for after in offered)


@settings(max_examples=40, deadline=None)
@given(number=st.integers(0, 10_000), order=st.integers(0, 1000), reading_s=st.floats(0.1, 7.9))
def test_cards_and_figures_taken_up_and_put_back_are_nothing(
    number: int, order: int, reading_s: float
) -> None:
    before, dice = positions()[number % len(positions())], random.Random(order)  # noqa: S311 - a game
    story = Story(before)
    spaces = [space for space, fact in story.facts.items() if fact.tags]
    taken = {space: story.facts[space].tags for space in dice.sample(spaces, min(2, len(spaces)))}
    for space in taken:
        story.lift(space)
        story.advance(reading_s / 2)
    for space, tags in taken.items():
        story.place(space, *tags)
    story.advance(15)
    assert story.done == []
    assert story.refused == []
    assert story.position == before
    assert story.mends == []


@settings(max_examples=40, deadline=None)
@given(number=st.integers(0, 10_000), pick=st.integers(0, 10_000))
def test_a_card_on_the_pad_is_asked_about_where_nothing_else_can_tell(number: int, pick: int) -> None:
    """On a table of pads alone: Quell and Invoke by the card, all else by touch."""
    number %= len(positions())
    before = positions()[number]
    legal = [action for action, _ in legal_actions(before, CARDS, placing=False)]
    shown = [action for action in legal if isinstance(action, Invoke) or getattr(action, "reveal", None)]
    if not shown:
        return
    action = shown[pick % len(shown)]
    assert isinstance(action, Invoke | Quell)
    title = action.emotion if isinstance(action, Invoke) else action.reveal
    seat = list(before.players).index(before.turn.player) + 1
    story = Story(before, kinds=("pad",))
    story.place(f"pad/{seat}", f"emotion/{CARDS.cards[title or ''].team}/{title}/1")
    story.advance(4)
    (decision,) = story.said
    assert isinstance(decision, Ask)
    offered = ways(decision)
    assert 0 < len(offered) <= 3
    assert all(title in (getattr(way, "emotion", None), getattr(way, "reveal", None)) for way in offered)


def _deed(position: Position, dice: random.Random) -> tuple[Action, Layout] | None:
    """Return something that people might do with pieces, and how they would lie then."""
    lying = dict(layout_of(position, CARDS))
    free = [slot for slot in SLOTS if slot not in position.slots]
    kind = dice.choice(("move", "invoke", "network"))
    if kind == "move":
        player = dice.choice([p for p in position.players.values() if p.at and p.spirit])
        to = dice.choice([space for space in SPACES if space != player.at])
        figure = (Piece("spirit", player.spirit or ""),)
        lying[f"spirit/{player.at}"] = surplus(lying[f"spirit/{player.at}"], figure)
        lying[f"spirit/{to}"] = tuple(sorted((*lying.get(f"spirit/{to}", ()), *figure)))
        return Move(to, player=player.name), lying
    if not free:
        return None
    slot, to = dice.choice(list(position.slots)), dice.choice(free)
    if kind == "network":
        lying[f"slot/{to}"] = lying.pop(f"slot/{slot}")
        return Network(slot, to), lying
    title = dice.choice([name for name, card in CARDS.cards.items() if card.strength != "starting"])
    lying[f"slot/{to}"] = (emotion_piece(title, CARDS),)
    return Invoke(title, to), lying


@settings(max_examples=120, deadline=None)
@given(number=st.integers(0, 10_000), order=st.integers(0, 100_000))
def test_what_is_not_legal_is_explained_by_a_rule_or_asked_about_and_can_be_put_back(
    number: int, order: int
) -> None:
    before, dice = positions()[number % len(positions())], random.Random(order)  # noqa: S311 - a game
    found = _deed(before, dice)
    if found is None:
        return
    action, lying = found
    story = Story(before)
    tags = {space: fact.tags for space, fact in story.facts.items()}
    try:
        story.lay(lying, lambda _: dice.random())
    except StopIteration:
        return  # All copies of that card are on the table.
    story.advance(4)
    if story.done:
        # Pieces tell of what is legal alone: a Haste, the next player's turn.
        kinds = ("slot", "spirit")
        assert board(story.position, kinds) == {s: p for s, p in lying.items() if p and s.startswith(kinds)}
        return
    (decision,) = story.said
    assert isinstance(decision, Refused | Ask)
    if isinstance(decision, Refused):
        assert check(before, decision.action, CARDS).rules == decision.verdict.rules != ()
        assert type(decision.action) is type(action)
        assert check(before, action, CARDS).status != "legal"
    for space in [space for space, lay in tags.items() if story.facts[space].tags != lay]:
        story.lift(space, *(tag for tag in story.facts[space].tags if tag not in tags[space]))
    for space, lay in tags.items():
        story.place(space, *(tag for tag in lay if tag not in story.facts[space].tags))
    story.advance(15)
    assert (story.position, story.mends) == (before, [])
