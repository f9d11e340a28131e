"""From facts to the action meant: pieces on the table against the game's position, pure, with time passed in.

Nothing is accepted unless everything that can be seen fits it (a card still in a hand makes it wait), and
nothing is called wrong that may just be in motion. What lay differently before the table could be seen, or
after the game was changed by other means than pieces, is held: it is listed, ticked off as it is put right,
and never taken for input.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from companion.table import pads as pad_rules
from companion.table.decisions import Ask, Decision, Done, Nothing, Refused, Waiting
from companion.table.judge import Game, Table, judged, offered
from companion.table.layout import NOTHING, Content, Fact, Seen, differing, see, surplus
from companion.table.meanings import Placing
from companion.table.mends import Problem, Scene, board_only, in_order, problems
from companion.table.pads import Pads
from companion.table.setting_up import awaited, only_awaited, placing_now

Hold = Literal["returned", "undone", "ahead", "laying"]
"""Why a difference is held: it was there when the reader came (back); an undo left it; the game went on by
touch or command; the virtual table is just being laid."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What one look at the table tells the next one."""

    known: frozenset[str] = frozenset()
    """Spaces that could be read at the last look."""
    held: Mapping[str, Hold] = field(default_factory=dict)
    """Differences that are no input, by space, and why."""
    answered: frozenset[tuple[str, Content]] | None = None
    """The differences that `answer` was given to, so that it is given once."""
    answer: Decision = field(default_factory=Nothing)
    pads: Pads = field(default_factory=Pads)
    since_s: float = 0.0
    """When the position last changed."""


@dataclass(frozen=True, slots=True)
class Look:
    """What one look at the table comes to."""

    memory: Memory
    decision: Decision
    problems: tuple[Problem, ...]
    in_step: bool
    """Whether nothing that blocks has to be put right."""
    placing: Placing | None
    """A Vibe token that waits for the next Spirit Action."""
    wake_s: float | None
    """When time alone changes the answer; None: only new facts do."""


def reconcile(memory: Memory, facts: Mapping[str, Fact], game: Game, now_s: float) -> Look:
    """Look at the table once.

    Args:
        memory: from the last look.
        facts: by space; spaces of which nothing was ever heard are left out and count as not instrumented.
        game: what the facts are compared with.
        now_s: on the clock of the facts' `since_s`.
    """
    everything = see(facts, game.registry)
    seen = board_only(everything, game.position)
    expected = game.layout
    wrong = differing(seen, expected)
    memory = _recalled(memory, everything, wrong, game)
    setting_up = placing_now(game.position) is not None
    # At set-up a token on a Spirit board is a step by itself.
    laid = None if setting_up else pad_rules.laid_token(seen, wrong, expected, game.position)
    placing = pad_rules.placing(memory.pads, laid, game.position, game.cards)
    table = Table(game, everything, seen, wrong, frozenset(memory.held), placing)
    memory, decision, rest_s = _decided(memory, table, now_s)
    scene = Scene(
        everything, seen, wrong, laid, expected, game.position, game.cards, memory.pads, game.patience
    )
    found = list(
        problems(
            scene,
            waits_s=_waits_s(memory, table, decision),
            fresh=frozenset(space for space, why in memory.held.items() if why in ("ahead", "laying")),
            since_s=memory.since_s,
        )
    )
    due = in_order([problem for at_s, problem in found if at_s <= now_s])
    later = [at_s for at_s, _ in found if at_s > now_s] + ([] if rest_s is None else [rest_s])
    in_step = not any(problem.blocking for problem in due)
    return Look(memory, decision, due, in_step, placing, min(later, default=None))


def changed(
    memory: Memory,
    facts: Mapping[str, Fact],
    game: Game,
    now_s: float,
    *,
    hold: Hold | None,
    token_waits: bool = False,
) -> Memory:
    """Return the memory for a position that has just changed.

    Args:
        memory: from the last look.
        facts: by space.
        game: with the new position.
        now_s: on the clock of the facts.
        hold: None: the pieces said so themselves. Otherwise (undo, set-up, a command) every difference that
            is left is held for this reason: the same pieces are not recognised a second time.
        token_waits: a Vibe token that waits for the next Spirit Action goes on waiting.
    """
    everything = see(facts, game.registry)
    held = dict(memory.held)
    if hold is not None:
        seen = board_only(everything, game.position)
        to_come = {} if hold == "undone" else awaited(game.position, game.cards)
        held |= {
            space: hold
            for space in differing(seen, game.layout)
            if not only_awaited(seen.content(space), game.layout.get(space, NOTHING), to_come)
        }
    pads = memory.pads if token_waits else pad_rules.done_with(memory.pads, everything)
    return replace(memory, held=held, answered=None, answer=Nothing(), pads=pads, since_s=now_s)


def unwatched(memory: Memory) -> Memory:
    """Return the memory after a time in which nothing was heard: what differs then is no input (F-135)."""
    return replace(memory, known=frozenset(), pads=replace(memory.pads, known=frozenset()))


def without_token(memory: Memory, facts: Mapping[str, Fact], game: Game) -> Memory:
    """Return the memory after people took back the Vibe token that waits for the next Spirit Action."""
    return replace(memory, answered=None, pads=pad_rules.done_with(memory.pads, see(facts, game.registry)))


def _recalled(memory: Memory, everything: Seen, wrong: tuple[str, ...], game: Game) -> Memory:
    known = frozenset(everything.layout)
    held = {space: why for space, why in memory.held.items() if space in wrong}
    for space in wrong:
        if space not in memory.known or _left_unseen(space, held, everything, game):
            held.setdefault(space, "returned")
    looked = pad_rules.look(memory.pads, everything, game.position, game.cards)
    return replace(memory, known=known, held=held, pads=looked)


def _left_unseen(space: str, held: Mapping[str, Hold], everything: Seen, game: Game) -> bool:
    """Tell whether a figure is missing here that was elsewhere when the readers came.

    That it is gone takes longer to be seen than that it has come.
    """
    figures = surplus(game.layout.get(space, NOTHING), everything.content(space))
    arrived = (
        piece for there, why in held.items() if why == "returned" for piece in everything.content(there)
    )
    return space.startswith("spirit/") and not set(figures).isdisjoint(arrived)


def _waits_s(memory: Memory, table: Table, decision: Decision) -> Mapping[str, float]:
    """Return how long differences wait to be told, where that is not the usual patience."""
    patience = table.game.patience
    waits: dict[Hold, float] = {
        "undone": 0.0,
        "ahead": 0.0,
        "returned": patience.odd_s,
        "laying": patience.hold_s,
    }
    # An action that is done explains its differences; where they are still there, it could not be stored.
    told = dict.fromkeys(table.open, 0.0) if isinstance(decision, Done | Refused | Ask) else {}
    return {**told, **{space: waits[why] for space, why in memory.held.items()}}


def _decided(memory: Memory, table: Table, now_s: float) -> tuple[Memory, Decision, float | None]:
    """Return the decision, and until when figures have to rest before there is one."""
    open_spaces = table.open
    spaces = open_spaces or _returned(memory)
    marks = frozenset((space, table.seen.content(space)) for space in spaces)
    if spaces and table.placing is not None:
        marks |= {(repr(table.placing), NOTHING)}
    if spaces and marks == memory.answered:
        return memory, memory.answer, None
    unanswered = replace(memory, answered=None, answer=Nothing())
    if not spaces:
        return unanswered, Nothing(), None
    rest_s = _figures_rest_s(table, spaces) if open_spaces else _quiet_s(table, spaces)
    if rest_s is not None and now_s < rest_s:
        return unanswered, Waiting(), rest_s
    # What lay differently when the readers came is offered only when nothing else is open.
    decision = judged(table) if open_spaces else offered(replace(table, held=frozenset()))
    if isinstance(decision, Waiting | Nothing):
        return unanswered, decision, None
    return replace(memory, answered=marks, answer=decision), decision, None


def _returned(memory: Memory) -> tuple[str, ...]:
    """Return the differences that were there when the readers came, if they are the only ones held."""
    if any(why != "returned" for why in memory.held.values()):
        return ()
    return tuple(memory.held)


def _quiet_s(table: Table, spaces: tuple[str, ...]) -> float:
    """Return when what was moved unseen may be offered: when nothing has come to it for a while."""
    return max(table.seen.since_s[space] for space in spaces) + table.game.patience.odd_s


def _figures_rest_s(table: Table, spaces: tuple[str, ...]) -> float | None:
    """Return when the figures count as put down; None where no figure is concerned.

    A space that was left tells nothing of the figure's rest: it is known to be empty only after the debounce.
    """
    if not any(space.startswith("spirit/") for space in spaces):
        return None
    seen = table.seen
    arrivals = (
        since_s
        for space, since_s in seen.since_s.items()
        if space.startswith("spirit/") and seen.content(space)
    )
    return max(arrivals, default=0.0) + table.game.patience.settle_s
