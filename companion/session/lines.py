"""A whole game as a line of entries, from a saved game's file, and as such a file."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import CompanionError
from companion.rules.accounts import describe
from companion.rules.actions import Action, Empower, SetupStep
from companion.rules.cards import Catalogue
from companion.rules.engine import check
from companion.rules.overruling import overruled
from companion.rules.position import Position
from companion.rules.starting import placer, setup_step
from companion.rules.verdict import Cost, Verdict
from companion.scenario.notation import action_to, cost_to, position_to, verdict_to
from companion.scenario.saved import SavedGame, line_text
from companion.session.entries import Entry, Origin


class StepRefused(CompanionError, ValueError):  # noqa: N818 - named for what is wrong
    """A step of a saved game that the rules don't allow.

    Attributes:
        step: its number from 1.
        before: the entries of the game up to there.
        position: where they lead.
    """

    def __init__(self, step: int, why: str, before: Sequence[Entry], position: Position) -> None:
        self.step = step
        self.before = tuple(before)
        self.position = position
        super().__init__(f"move {step}: {why}")


@dataclass(frozen=True, slots=True)
class WholeGame:
    """A game that has steps already: a branch, or a saved game."""

    entries: tuple[Entry, ...]
    """The set-up first."""
    position: Position
    """Where they lead."""
    origin: Origin
    message: str
    """What is said of it."""


def entries_of(
    saved: SavedGame, cards: Catalogue, *, game: int, seq: int, at_ms: int, ours: bool = False
) -> tuple[tuple[Entry, ...], Position]:
    """Play a saved game, as the entries that the journal would have of it.

    Args:
        saved: the game.
        cards: the printed values to judge by.
        game: the number of the new game.
        seq: of its first entry.
        at_ms: Unix time of every entry.
        ours: whether this table has accepted all of it before; then what it did by an Empower threshold that
            it has stated anew since stands.

    Returns:
        The entries, and the position at the end.

    Raises:
        StepRefused: a move is not legal.
    """
    setup = Entry(
        seq=seq, game=game, kind="setup", body=dump(saved.start), message="A new game is set up.", at_ms=at_ms
    )
    line, position = [setup], saved.start
    for number, move in enumerate(saved.moves, 1):
        verdict = check(position, move.do, cards)
        after, cost = verdict.after, verdict.cost
        if ours and (stood := by_another_threshold(position, move.do, verdict, cards)) is not None:
            after, cost = stood
        if after is None:
            raise StepRefused(number, verdict_to(verdict)["message"], line, position)
        line.append(
            Entry(
                seq=seq + number,
                game=game,
                kind="do",
                body=json.dumps(action_to(move.do)),
                player=who_acts(position, move.do),
                cost=json.dumps(cost_to(cost)),
                message=describe(position, move.do, after, cards),
                at_ms=at_ms,
            )
        )
        position = after
    return tuple(line), position


def by_another_threshold(
    position: Position, action: Action, verdict: Verdict, cards: Catalogue
) -> tuple[Position, Cost] | None:
    """Return what came of an Empower that the table accepted by a threshold it has stated anew since.

    What was accepted stands. The threshold decides only whether it may be done, not what comes of it.

    Args:
        position: before it.
        action: accepted once.
        verdict: on it now; None is returned unless it is the threshold alone that speaks against it.
        cards: the printed values.
    """
    unknown = {item.key for item in verdict.missing} == {"empower_threshold"}
    if not isinstance(action, Empower) or not (verdict.rules == ("R-EMP-2",) or unknown):
        return None
    done = overruled(position, action, cards)
    if done is None or done.after is None or done.owed != Cost():
        return None
    return done.after, done.paid


def text_of(
    title: str, line: Sequence[Entry], after: Position, pack: Mapping[str, Mapping[str, Any]] | None = None
) -> str:
    """Write a game as a saved one.

    Args:
        title: for people.
        line: its set-up and what was done, without what was taken back.
        after: the position at its end, which the file states.
        pack: the table's own card values, by title.
    """
    start, *dos = (json.loads(entry.body) for entry in line)
    return line_text(title, start, dos, pack=pack, after=position_to(after))


def renumbered(line: Sequence[Entry], *, game: int, seq: int) -> tuple[Entry, ...]:
    """Return the entries as those of another game; no command asked for them."""
    return tuple(
        replace(entry, game=game, seq=seq + number, client=None, command=None)
        for number, entry in enumerate(line)
    )


def who_acts(position: Position, action: Action) -> str:
    """Return whose action it is: who is named, at set-up whoever is to place, else the player to act."""
    step = setup_step(position) if isinstance(action, SetupStep) else None
    return action.player or (position.turn.player if step is None else placer(position, step).name)


def dump(position: Position) -> str:
    """Write a whole position, hidden parts included, as JSON."""
    return json.dumps(position_to(position), separators=(",", ":"))
