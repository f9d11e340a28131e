"""From facts to the action meant: pieces on the table against the game's position, pure, with time passed in.

Nothing is accepted unless everything that can be seen fits it (a card still in a hand makes it wait), and
nothing is called wrong that may just be in motion. What lay differently before the table could be seen, or
after the game was changed by other means than pieces, is held: it is listed, ticked off as it is put right,
and never taken for input.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from companion.rules.actions import EndTurn
from companion.table import pads as pad_rules
from companion.table.corrections import Accepted, corrected
from companion.table.decisions import Ask, Decision, Done, Nothing, Refused, TakenBack, Waiting
from companion.table.game import Game, Table
from companion.table.judge import (
    meant,
    offered,
    several,
    stays,
    takes_token,
    with_promised,
    wrong,
)
from companion.table.layout import NOTHING, Content, Fact, Seen, differing, see, surplus
from companion.table.meanings import Placing
from companion.table.mends import Problem, Scene, board_only, in_order, problems
from companion.table.pads import Pads
from companion.table.placing import step_meant
from companion.table.rest import at_rest_s, exchanged, laid_s
from companion.table.setting_up import awaited, only_awaited, placing_now
from companion.table.showing import asked_of_the_pad

Hold = Literal["returned", "undone", "ahead", "laying"]
"""Why a difference is held: it was there when the reader came (back); an undo left it; the game went on by
touch or command; the virtual table is just being laid."""


Marks = frozenset[tuple[str, Content]]
"""What a decision hangs on: the spaces that differ, with what lies there, and what else was looked at."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What one look at the table tells the next one."""

    known: frozenset[str] = frozenset()
    """Spaces that could be read at the last look."""
    held: Mapping[str, Hold] = field(default_factory=dict)
    """Differences that are no input, by space, and why."""
    answered: Marks | None = None
    """The differences that `answer` was given to, so that it is given once."""
    answer: Decision = field(default_factory=Nothing)
    pondered: Marks | None = None
    """The differences at rest in which nothing legal was found: not looked for again."""
    accepted: Accepted | None = None
    """The last action that pieces made, as long as the game has not moved on by other means."""
    lay: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By space, the tags that lay there when it was last right."""
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
    promised = None if placing else pad_rules.promised(memory.pads, seen, game.position, game.cards)
    held = frozenset(memory.held)
    table = Table(
        game, everything, seen, wrong, held, placing, memory.pads.shown, memory.lay, promised=promised
    )
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
    accepted = memory.accepted if hold is None and isinstance(memory.answer, Done) else None
    return replace(
        memory,
        held=held,
        answered=None,
        answer=Nothing(),
        pondered=None,
        pads=pads,
        since_s=now_s,
        accepted=accepted,
    )


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
    right = {space: tags for space, tags in everything.tags.items() if space not in wrong}
    looked = pad_rules.look(memory.pads, everything, game.position, game.cards)
    return replace(memory, known=known, held=held, lay={**memory.lay, **right}, pads=looked)


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
    told: dict[str, float] = {}
    if isinstance(decision, Done | Refused | Ask | TakenBack):
        # A Vibe token that people are asked about lies where it may.
        told = {space: 0.0 for space in table.open if not _asked_token(space, decision)}
    return {**told, **{space: waits[why] for space, why in memory.held.items()}}


def _asked_token(space: str, decision: Decision) -> bool:
    return isinstance(decision, Ask) and space.startswith("vibe/")


def _decided(memory: Memory, table: Table, now_s: float) -> tuple[Memory, Decision, float | None]:
    """Return the decision, and when time alone may bring another one."""
    spaces = table.open or _returned(memory)
    marks = _marks(spaces, table)
    if not spaces:
        return _of_the_pad(memory, table, now_s)
    # As long as something happens on the table people are at it.
    stays_s = max(table.newest_s(table.seen.layout), memory.since_s) + table.game.patience.stays_s
    late = now_s >= stays_s and not isinstance(memory.answer, Ask)
    if memory.answered in (marks, marks | _LATE) and not (late and memory.answered == marks):
        return memory, memory.answer, None if memory.answered != marks else _later(stays_s, now_s)
    unanswered = memory if memory.answered == marks else replace(memory, answered=None, answer=Nothing())
    looked_at = marks | _besides(table)
    if late and memory.pondered != looked_at | _LATE and not table.game.position.turn.pending:
        asked = stays(replace(table, held=table.held.difference(spaces)), unanswered.answer)
        if asked is not None:
            return replace(memory, answered=marks | _LATE, answer=asked), asked, None
        memory = unanswered = replace(unanswered, pondered=looked_at | _LATE)
    if memory.answered == marks:
        return memory, memory.answer, None
    if memory.pondered in (looked_at, looked_at | _LATE):
        return unanswered, Waiting(), _later(stays_s, now_s)
    decision, wake_s = _found(memory, table, now_s)
    if isinstance(decision, Waiting):
        pondered = replace(unanswered, pondered=looked_at) if wake_s is None else unanswered
        return pondered, decision, wake_s if wake_s is not None else _later(stays_s, now_s)
    accepted = None
    if isinstance(decision, Done):
        before = table.game if not decision.corrects or memory.accepted is None else memory.accepted.before
        accepted = Accepted(
            before, decision.action, table.placing, _arrived_s(table), _ended(memory.accepted, decision)
        )
    again_s = _later(stays_s, now_s) if isinstance(decision, Refused) else None
    return replace(memory, answered=marks, answer=decision, accepted=accepted), decision, again_s


def _ended(last: Accepted | None, done: Done) -> bool:
    """Tell whether the turn before was taken for ended by what is done now, or by what it corrects."""
    return last is not None and (last.ended if done.corrects else isinstance(last.action, EndTurn))


def _arrived_s(table: Table) -> float:
    """Return when the last piece came that an action brought, or else went away."""
    return table.newest_s([space for space in table.open if table.gained(space)] or table.open)


_LATE: Final[Marks] = frozenset({("late", NOTHING)})
"""Added to the marks once the table has differed for long."""


def _later(at_s: float, now_s: float) -> float | None:
    return at_s if at_s > now_s else None


def _marks(spaces: tuple[str, ...], table: Table) -> Marks:
    marks = {(space, table.seen.content(space)) for space in spaces}
    for what in (table.placing, table.shown):
        if what is not None:
            marks.add((repr(what), NOTHING))
    return frozenset(marks)


def _besides(table: Table) -> Marks:
    """Return what else nothing was found in: foreign pieces on the open spaces, and what is held."""
    crowded = {
        (f"on {space}", content)
        for space in table.open
        if (content := table.everything.content(space)) != table.seen.content(space)
    }
    return frozenset(crowded | {(f"held {space}", NOTHING) for space in table.held})


def _found(memory: Memory, table: Table, now_s: float) -> tuple[Decision, float | None]:
    """Return what the pieces come to, and until when they have to rest before it counts."""
    if not table.open:
        # What lay differently when the readers came is offered only when nothing else is open.
        unheld = replace(table, held=frozenset())
        quiet_s = table.newest_s(unheld.open) + table.game.patience.odd_s
        if now_s < quiet_s:
            return Waiting(), quiet_s
        return offered(unheld) or Waiting(), None
    if not table.seen.twice.isdisjoint(table.open):
        return Waiting(), None  # One piece in two places is on its way: the readers will say where to.
    setting_up = placing_now(table.game.position) is not None
    if not setting_up:
        _ = table.legal  # While the pieces come to rest there is time for it.
    settles_s = laid_s(table) if setting_up else at_rest_s(table)
    if now_s < settles_s:
        return Waiting(), settles_s
    decision = None if memory.accepted is None else corrected(memory.accepted, table)
    if decision is None:
        decision = step_meant(table) if setting_up else meant(table) or several(table)
    if decision is not None:
        token_s = _token_s(memory, table, decision)
        return (Waiting(), token_s) if now_s < token_s else (with_promised(decision, table), None)
    # What is not allowed may be on its way still.
    refuse_s = table.newest_s(table.open) + _patience_to_refuse_s(table)
    if now_s < refuse_s:
        return Waiting(), refuse_s
    return wrong(table), None


def _token_s(memory: Memory, table: Table, decision: Decision) -> float:
    """Return until when a Vibe token may come for the card on the pad, 0 where the decision does not care."""
    if table.promised is None or not takes_token(decision, table):
        return 0.0
    patience = table.game.patience
    waits_s = patience.hold_s if isinstance(decision, Refused) else patience.shown_s
    return max(table.newest_s(table.open), memory.pads.shown_s) + waits_s


def _patience_to_refuse_s(table: Table) -> float:
    """Return how long what is not allowed has to lie before people hear so."""
    patience = table.game.patience
    if table.promised is not None:
        return patience.hold_s  # With a Vibe token it may be another matter.
    if exchanged(table):
        return 0.0
    # A card that is only away may be in the hand of somebody who reads it.
    return patience.refuse_s if any(map(table.gained, table.open)) else patience.hold_s


def _of_the_pad(memory: Memory, table: Table, now_s: float) -> tuple[Memory, Decision, float | None]:
    """Return the question what a card on the pad is for, once it has been there for a while."""
    if table.shown is None or table.placing is not None or placing_now(table.game.position) is not None:
        return replace(memory, answered=None, answer=Nothing()), Nothing(), None
    marks: Marks = frozenset({(f"pad: {table.shown}", NOTHING)})
    if memory.answered == marks:
        return memory, memory.answer, None
    unanswered = replace(memory, answered=None, answer=Nothing())
    due_s = memory.pads.shown_s + table.game.patience.shown_s
    if memory.pondered == marks:
        return unanswered, Nothing(), None
    if now_s < due_s:
        return unanswered, Nothing(), due_s
    asked = asked_of_the_pad(table)
    if asked is None:
        return replace(unanswered, pondered=marks), Nothing(), None
    return replace(memory, answered=marks, answer=asked), asked, None


def _returned(memory: Memory) -> tuple[str, ...]:
    """Return the differences that were there when the readers came, if they are the only ones held."""
    if any(why != "returned" for why in memory.held.values()):
        return ()
    return tuple(memory.held)
