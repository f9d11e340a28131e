"""A whole game as a line of entries, from a saved game's file, and as such a file."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import CompanionError
from companion.rules.accounts import describe
from companion.rules.actions import Action, SetupStep
from companion.rules.cards import Catalogue
from companion.rules.engine import check
from companion.rules.position import Position
from companion.rules.starting import placer, setup_step
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
    saved: SavedGame, cards: Catalogue, *, game: int, seq: int, at_ms: int
) -> tuple[tuple[Entry, ...], Position]:
    """Play a saved game, as the entries that the journal would have of it.

    Args:
        saved: the game.
        cards: the printed values to judge by.
        game: the number of the new game.
        seq: of its first entry.
        at_ms: Unix time of every entry.

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
        if verdict.status != "legal" or verdict.after is None:
            raise StepRefused(number, verdict_to(verdict)["message"], line, position)
        line.append(
            Entry(
                seq=seq + number,
                game=game,
                kind="do",
                body=json.dumps(action_to(move.do)),
                player=who_acts(position, move.do),
                cost=json.dumps(cost_to(verdict.cost)),
                message=describe(position, move.do, verdict.after, cards),
                at_ms=at_ms,
            )
        )
        position = verdict.after
    return tuple(line), position


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
