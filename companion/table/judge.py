"""Which action the pieces show, by its footprint, and what the rules say of it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

from companion.rules.actions import Empower, Move, PlaceSpirit
from companion.rules.board import SLOTS
from companion.rules.cards import Catalogue
from companion.rules.engine import check
from companion.rules.position import Position
from companion.rules.remedy import remedy
from companion.rules.verdict import Refusal, Remedy, Verdict
from companion.rules.words import naming, slot_words, title
from companion.table.decisions import PUT_BACK, Ask, Choice, Decision, Done, Nothing, Refused, Waiting
from companion.table.layout import NOTHING, Content, Layout, Seen, differing, layout_of, surplus
from companion.table.meanings import (
    MOST_CHOICES,
    Meaning,
    Placing,
    Recognised,
    choice_words,
    footprint,
    legal_meanings,
    nearest,
    placements,
    price,
    shapes,
    variants,
)
from companion.table.mends import Patience, mend_words
from companion.table.registry import Registry
from companion.table.setting_up import (
    Placed,
    awaited,
    mate_to_place,
    only_awaited,
    placing_now,
    step_footprint,
    step_shapes,
)

Acting = TypeVar("Acting", Move, Empower, Recognised, Placed)


@dataclass(frozen=True)
class Game:
    """What facts are compared with."""

    position: Position
    cards: Catalogue
    registry: Registry
    patience: Patience = field(default_factory=Patience)

    @cached_property
    def layout(self) -> Layout:
        """How the pieces of the position lie."""
        return layout_of(self.position, self.cards)


@dataclass(frozen=True, slots=True)
class Table:
    """The facts of one look, side by side."""

    game: Game
    everything: Seen
    seen: Seen
    """Without foreign pieces."""
    wrong: tuple[str, ...]
    """Known spaces that differ from the position, in board order."""
    held: frozenset[str]
    """Those of them that are no input."""
    placing: Placing | None
    """A Vibe token that goes with the next Spirit Action."""

    @property
    def open(self) -> tuple[str, ...]:
        """The differences that may be input."""
        return tuple(space for space in self.wrong if space not in self.held)

    def expected(self, space: str) -> Content:
        """Return what the position has on a space."""
        return self.game.layout.get(space, NOTHING)

    def fits(self, left: Layout, *, but: frozenset[str] = frozenset()) -> bool:
        """Tell whether a footprint explains all that differs, spaces that are held or in `but` left out."""
        seen = self.seen.layout
        return all(
            space not in seen or seen[space] == left.get(space, self.expected(space))
            for space in {*self.wrong, *left}
            if space not in self.held and space not in but
        )

    def shows(self, left: Layout) -> bool:
        """Tell whether every piece that a footprint has anew is really seen, alone, with no hold on it."""
        return all(
            self._shown(space, content)
            for space, content in left.items()
            if surplus(content, self.expected(space))
        )

    def _shown(self, space: str, content: Content) -> bool:
        if space.startswith("vibe/") and space not in self.seen.layout:
            return True  # Spirit boards need not be instrumented: the pad has shown the token.
        return space not in self.held and self.everything.layout.get(space) == content


def judged(table: Table) -> Decision:
    """Decide what the pieces mean, once they count as put down."""
    game = table.game
    if placing_now(game.position) is not None:
        return _step_meant(table)
    plain_ones = tuple(
        shape
        for shape in shapes(game.position, table.seen, table.wrong, game.layout, game.cards)
        if table.shows(_footprint(shape, table))
    )
    decisions = [_meant(shape, table) for shape in plain_ones if table.fits(_footprint(shape, table))]
    if decisions:
        return min(decisions, key=_precedence)
    for shape in plain_ones:
        if _is_first_of_two(shape, plain_ones, table):
            return _meant(shape, table, first_of_two=True)
    return _wrong_counterpart(table) or Waiting()


def offered(table: Table) -> Decision:
    """Decide what pieces that were moved unseen come to: a question, never an action (F-135, F-149)."""
    decision = judged(table)
    if isinstance(decision, Ask):
        return decision
    if not isinstance(decision, Done):
        return Nothing()
    game, action = table.game, decision.action
    if isinstance(action, Placed):
        ways: tuple[Choice, ...] = (Choice("1", naming(action, game.position), action),)
    else:
        ways = _choices((Meaning(action, decision.verdict),), game)
    back = Choice(PUT_BACK, _put_back(table), None)
    text = "Pieces were moved while the table was not watched. Does it count?"
    return Ask(text, (*ways, back))


def _step_meant(table: Table) -> Decision:
    """Decide what newly laid pieces come to as the step of the set-up that is due."""
    game = table.game
    pieces = awaited(game.position, game.cards)
    later = frozenset(
        space
        for space in table.open
        if only_awaited(table.seen.content(space), table.expected(space), pieces)
    )
    for shape in step_shapes(game.position, table.seen, table.open, game.layout, game.cards):
        left = _readable(step_footprint(shape, game.position, game.cards), table)
        if not table.shows(left):
            continue
        verdict = check(game.position, shape, game.cards)
        # Where a picture decides (R-SETUP-21), any card might be anybody's.
        loose = later if game.position.mode == "full" else frozenset()
        if verdict.status == "legal" and table.fits(left, but=loose.difference(left)):
            return Done(_by_actor(shape, game.position), verdict)
        if verdict.status == "illegal" and table.fits(left) and _surely_meant(shape, game):
            back = _put_back(table)
            return Refused(_by_actor(shape, game.position), verdict, (), "", back)
    return Waiting()


def _readable(left: Layout, table: Table) -> Layout:
    """Leave out the figure of a footprint where no Spirit space can be read."""
    if any(space.startswith("spirit/") for space in table.seen.layout):
        return left
    return {space: content for space, content in left.items() if not space.startswith("spirit/")}


def _surely_meant(shape: Placed, game: Game) -> bool:
    """Tell whether a step that is not legal can be called wrong: the card may be a teammate's, laid early."""
    if not isinstance(shape, PlaceSpirit) or not mate_to_place(game.position):
        return True
    other_slots = (replace(shape, slot=slot) for slot in SLOTS)
    return not any(check(game.position, other, game.cards).status == "legal" for other in other_slots)


def _footprint(shape: Recognised, table: Table) -> Layout:
    """Return the footprint of a plain action, with a Vibe token that lies on the Spirit board."""
    game = table.game
    if table.placing is not None and table.placing.space is not None:
        player = game.position.players[shape.player or game.position.turn.player]
        shape = replace(shape, place=placements(shape, player, table.placing)[0])
    return footprint(shape, game.position, game.cards)


def _precedence(decision: Decision) -> tuple[bool, int]:
    """Put what can be done before what is refused, and the refusal by the fewest rules first."""
    return isinstance(decision, Refused), len(decision.verdict.refusals) if isinstance(
        decision, Refused
    ) else 0


def _meant(shape: Recognised, table: Table, *, first_of_two: bool = False) -> Decision:
    """Decide what an action that fits comes to: done, asked or refused."""
    game = table.game
    meanings = _seen_meanings(shape, table, first_of_two=first_of_two)
    frugal = [meaning for meaning in meanings if not meaning.verdict.cost.ambition]
    if len(meanings) == 1 and frugal:
        return Done(_by_actor(frugal[0].action, game.position), frugal[0].verdict)
    if frugal:
        return Ask(_question(shape, game), _choices(meanings, game))
    return _refused(shape, meanings, table)


def _seen_meanings(shape: Recognised, table: Table, *, first_of_two: bool) -> tuple[Meaning[Recognised], ...]:
    actions = variants(shape, table.game.position, table.placing, table.game.cards)
    return _seen_legal(actions, table, first_of_two=first_of_two)


def _seen_legal(
    actions: Iterable[Recognised], table: Table, *, first_of_two: bool
) -> tuple[Meaning[Recognised], ...]:
    game = table.game
    found = []
    for meaning in legal_meanings(actions, game.position, game.cards):
        left = footprint(meaning.action, game.position, game.cards)
        if table.shows(left) and (first_of_two or table.fits(left)):
            found.append(meaning)
    return tuple(found)


def _is_first_of_two(shape: Recognised, others: tuple[Recognised, ...], table: Table) -> bool:
    """Tell whether two quick actions explain the table, this one first (F-127)."""
    game = table.game
    for meaning in _seen_meanings(shape, table, first_of_two=True):
        between = replace(game, position=meaning.after)
        then = replace(table, game=between, wrong=differing(table.seen, between.layout), placing=None)
        for other in others:
            if other != shape and _seen_meanings(other, then, first_of_two=False):
                return True
    return False


def _by_actor(action: Acting, position: Position) -> Acting:
    return replace(action, player=None) if action.player == position.turn.player else action


def _choices(
    meanings: tuple[Meaning[Recognised], ...], game: Game, most: int = MOST_CHOICES
) -> tuple[Choice, ...]:
    return tuple(
        Choice(str(number), choice_words(meaning, game.cards), _by_actor(meaning.action, game.position))
        for number, meaning in enumerate(meanings[:most], 1)
    )


def _question(shape: Recognised, game: Game) -> str:
    if isinstance(shape, Empower):
        return f"How is {title(game.position.slots[shape.slot].name)} empowered?"
    return "How does the figure move?"


def _refused(shape: Recognised, ambitious: tuple[Meaning[Recognised], ...], table: Table) -> Decision:
    game = table.game
    bare = (
        action for action in variants(shape, game.position, table.placing, game.cards) if not action.upgrades
    )
    closest = nearest(bare, game.position, game.cards)
    if closest is None or closest.verdict.status == "legal":
        return Waiting()
    hint = remedy(game.position, closest.action, game.cards)
    ways = _choices(_ways_out(closest, ambitious, hint, table), game, MOST_CHOICES - 1)
    put_back = _put_back(table)
    return Refused(
        _by_actor(closest.action, game.position),
        closest.verdict,
        (*ways, Choice(PUT_BACK, put_back, None)) if ways else (),
        hint.text if hint else "",
        put_back,
    )


def _ways_out(
    closest: Meaning[Recognised],
    ambitious: tuple[Meaning[Recognised], ...],
    hint: Remedy | None,
    table: Table,
) -> tuple[Meaning[Recognised], ...]:
    """Return what would be legal with the pieces as they lie: the cheapest first, none twice."""
    ways = [*ambitious, *_without_token(closest, table)]
    if hint is not None and isinstance(hint.action, Move | Empower):
        ways += _seen_legal((hint.action,), table, first_of_two=False)
    ways.sort(key=price)
    return tuple(way for i, way in enumerate(ways) if all(way.action != other.action for other in ways[:i]))


def _without_token(closest: Meaning[Recognised], table: Table) -> tuple[Meaning[Recognised], ...]:
    """Return the ways to do it without the Vibe token that only waits on the pad."""
    game = table.game
    if closest.action.place is None:
        return ()
    bare = replace(closest.action, place=None)
    return _seen_meanings(bare, replace(table, placing=None, game=game), first_of_two=False)


def _put_back(table: Table) -> str:
    """Say what goes back where; a figure is named once, where it belongs."""
    missing = [space for space in table.open if table.expected(space)]
    return " ".join(
        mend_words(
            space,
            table.seen.content(space),
            table.expected(space),
            players=tuple(table.game.position.players),
        )
        for space in missing or table.open
    )


def _wrong_counterpart(table: Table) -> Refused | None:
    """Refuse a Mild Emotion's exchange for a Strong one that is not its counterpart (R-EMP-3)."""
    for slot, strong, laid in _exchanges(table):
        if not table.fits({}, but=frozenset((f"slot/{slot}",))):
            continue
        mild = table.game.position.slots[slot].name
        facts = {"mild": title(mild), "strong": title(strong), "laid": title(laid)}
        refusal = Refusal("R-EMP-3", "{mild} becomes {strong}, not {laid}.", facts)
        hint = f"Lay {title(strong)} on the {slot_words(slot)}, or put {title(mild)} back."
        return Refused(Empower(slot), Verdict("illegal", refusals=(refusal,)), (), hint, _put_back(table))
    return None


def _exchanges(table: Table) -> Iterator[tuple[str, str, str]]:
    """Yield slot, right and laid Strong title wherever a Mild Emotion lies exchanged for a wrong one."""
    cards = table.game.cards.cards
    for slot, emotion in table.game.position.slots.items():
        content = table.everything.content(f"slot/{slot}")
        card = cards.get(emotion.name)
        laid = cards.get(content[0].name) if len(content) == 1 else None
        if f"slot/{slot}" in table.held or card is None or card.strong is None or laid is None:
            continue
        if laid.strength == "strong" and laid.team == card.team and laid.name != card.strong:
            yield slot, card.strong, laid.name
