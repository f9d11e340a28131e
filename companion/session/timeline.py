"""The steps of one game: what was done, what was taken back, and the position after each."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from companion.rules.cards import Catalogue
from companion.rules.engine import check
from companion.rules.position import Position
from companion.scenario.errors import NotationError
from companion.scenario.notation import action_from, position_from
from companion.session.entries import Entry
from companion.session.errors import BeyondRecall
from companion.session.journal import Journal
from companion.session.lines import by_another_threshold

Way = Literal["undo", "redo"]


@dataclass(frozen=True, slots=True)
class Step:
    """One action that was accepted, for the history."""

    seq: int
    player: str
    message: str
    cost: Mapping[str, int]
    at_ms: int
    undone: bool
    """Taken back, and may be done again."""


@dataclass(frozen=True, slots=True)
class Winding:
    """What taking steps back, or doing them again, comes to; nothing of it has happened yet."""

    messages: tuple[str, ...]
    """What the steps did, in the order in which they are wound."""
    position: Position
    done: tuple[int, ...]
    undone: tuple[int, ...]


class Timeline:
    """The steps of one game from its set-up on; those taken back stay until something new is done.

    Args:
        journal: whose stored positions spare playing from the start.
        cards: the printed values.
    """

    def __init__(self, journal: Journal, cards: Catalogue) -> None:
        self._journal = journal
        self._cards = cards
        self._setup: Entry | None = None
        self._done: list[int] = []
        self._undone: list[int] = []
        self._entries: dict[int, Entry] = {}
        """The action of each step, done or undone."""
        self._after: dict[int, Position] = {}
        self._steps: dict[int, Step] = {}

    def use(self, cards: Catalogue) -> None:
        """Play steps again by other printed values from now on."""
        self._cards = cards

    @property
    def undoable(self) -> int:
        """How many actions can be taken back."""
        return len(self._done)

    @property
    def redoable(self) -> int:
        """How many actions can be done again."""
        return len(self._undone)

    @property
    def line(self) -> tuple[Entry, ...]:
        """The set-up and the actions that stand, oldest first; what was taken back is left out."""
        return () if self._setup is None else (self._setup, *(self._entries[seq] for seq in self._done))

    @property
    def _start(self) -> int:
        return 0 if self._setup is None else self._setup.seq

    def history(self, last: int | None = None) -> tuple[Step, ...]:
        """Return the actions of this game, oldest first, those that were taken back and may be redone last.

        Args:
            last: no more than so many of the newest; None: all.
        """
        seqs = [(seq, False) for seq in self._done] + [(seq, True) for seq in reversed(self._undone)]
        return tuple(self._step(seq, undone=undone) for seq, undone in seqs[-last if last else 0 :])

    def _step(self, seq: int, *, undone: bool) -> Step:
        step = self._steps.get(seq)
        if step is None or step.undone != undone:
            entry = self._entries[seq]
            step = Step(seq, entry.player, entry.message, json.loads(entry.cost), entry.at_ms, undone)
            self._steps[seq] = step
        return step

    # Going on

    def begin(self, setup: Entry, position: Position) -> None:
        """Begin a game with that set-up."""
        self._setup = setup
        self._done, self._undone = [], []
        self._entries, self._steps = {}, {}
        self._after = {setup.seq: position}

    def add(self, entry: Entry, position: Position) -> None:
        """Take in an action that was accepted."""
        self._append(entry)
        self._after[entry.seq] = position

    def _append(self, entry: Entry) -> None:
        self._forget(self._undone)
        self._undone = []
        self._done.append(entry.seq)
        self._entries[entry.seq] = entry

    def _forget(self, seqs: Iterable[int]) -> None:
        for seq in seqs:
            for kept in (self._entries, self._after, self._steps):
                kept.pop(seq, None)

    # Going back

    def winding(self, way: Way, steps: int) -> Winding:
        """Return what winding so many steps comes to.

        Args:
            way: where to.
            steps: at least 1, at most those that are there.

        Raises:
            BeyondRecall: the position of then can't be found.
        """
        done, undone = list(self._done), list(self._undone)
        source, target = (done, undone) if way == "undo" else (undone, done)
        moved = [source.pop() for _ in range(steps)]
        target.extend(moved)
        messages = tuple(self._entries[seq].message for seq in moved)
        return Winding(messages, self._position_after(done), tuple(done), tuple(undone))

    def wind(self, winding: Winding) -> None:
        """Let it be so."""
        self._done, self._undone = list(winding.done), list(winding.undone)

    def _position_after(self, done: Sequence[int]) -> Position:
        """Return the position after these steps: from memory, the journal, or played again from there."""
        known = len(done)
        while known and not self._recall(done[known - 1]):
            known -= 1
        position = self._after[done[known - 1] if known else self._start]
        for seq in done[known:]:
            position = self._played(position, seq)
            self._after[seq] = position
        return position

    def _recall(self, seq: int) -> bool:
        if seq not in self._after and (kept := self._kept(seq)) is not None:
            self._after[seq] = kept
        return seq in self._after

    def _kept(self, seq: int) -> Position | None:
        kept = self._journal.snapshot(seq)
        if kept is not None:
            with suppress(NotationError, ValueError):
                return position_from(json.loads(kept), self._cards)
        return None

    def _played(self, position: Position, seq: int) -> Position:
        try:
            action = action_from(json.loads(self._entries[seq].body), self._cards)
        except NotationError as error:
            raise BeyondRecall(seq) from error
        verdict = check(position, action, self._cards)
        if verdict.after is not None:
            return verdict.after
        stood = by_another_threshold(position, action, verdict, self._cards)
        if stood is None:
            raise BeyondRecall(seq)
        return stood[0]

    # After a stop

    def retrace(self, entries: Sequence[Entry]) -> tuple[Position, int]:
        """Take up a game from all that was accepted in it, the set-up first.

        Returns:
            The position at its end, and how many of the last steps are lost: only after damage, when stored
            positions are gone as well.

        Raises:
            NotationError: the set-up can't be read.
        """
        setup, *rest = entries
        self.begin(setup, position_from(json.loads(setup.body), self._cards))
        kept_seq = self._journal.newest_position(setup.game)
        for entry in rest:
            self._retrace(entry)
            if entry.seq == kept_seq and (kept := self._kept(kept_seq)) is not None:
                self._after[self._done[-1] if self._done else self._start] = kept
        steps = len(self._done)
        while True:
            try:
                return self._position_after(self._done), steps - len(self._done)
            except BeyondRecall as error:
                del self._done[self._done.index(error.seq) :]
                self._undone.clear()

    def _retrace(self, entry: Entry) -> None:
        if entry.kind == "do":
            self._append(entry)
            return
        if entry.kind == "open":
            return
        source, target = (self._done, self._undone) if entry.kind == "undo" else (self._undone, self._done)
        for _ in range(json.loads(entry.body)["steps"]):
            target.append(source.pop())
