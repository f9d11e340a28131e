"""One game at one table: the position, and everything that was accepted on the way to it.

What is asked for is judged by the rules, put in the journal, and only then counts. Undo and redo are entries
like any other; `seq` counts every accepted change up, so a command meant for an older one is known as stale.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Literal

from companion.rules import words
from companion.rules.actions import Action
from companion.rules.cards import Catalogue
from companion.rules.engine import check
from companion.rules.position import Position
from companion.rules.verdict import Cost, Verdict
from companion.scenario.errors import NotationError
from companion.scenario.notation import action_from, action_to, cost_to, position_from, position_to
from companion.session.errors import BeyondRecall, NotStored
from companion.session.journal import Entry, Journal, Kind

STALE_MS: Final = 10_000
"""Age at which a command is no longer carried out (contracts, section 4)."""


@dataclass(frozen=True, slots=True)
class Command:
    """Who asked for a change, so that asking twice does it once."""

    client: str
    id: str
    base: int | None = None
    """The `seq` that it was meant for; None: whatever the game stands at."""
    sent_ms: int | None = None
    """Unix time at which it was sent; None: just now."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to something asked for."""

    verdict: Literal["legal", "illegal", "unknown", "error"]
    """As the rules say; stale, or nothing to take back: illegal; not understood or not stored: error."""
    message: str
    seq: int
    """The game's `seq` after it."""
    rules: tuple[str, ...] = ()
    cost: Cost = field(default_factory=Cost)
    ruling: Verdict | None = None
    """The whole verdict, where the rules were asked and this is not a repeated answer."""
    again: bool = False
    """A command that had been answered before: nothing was done now."""
    changed: bool = False
    """The game moved on just now."""


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


class Session:
    """The game that the journal holds, gone on with from its last accepted change.

    Args:
        journal: open; the session does not close it.
        cards: the printed values.
        first: gives the position of a first game, where the journal has none yet.
        now_ms: Unix time, for that first entry.

    Raises:
        NotStored: the first entry could not be written.
    """

    def __init__(
        self, journal: Journal, cards: Catalogue, first: Callable[[], Position], *, now_ms: int
    ) -> None:
        self._journal = journal
        self._cards = cards
        self.notices: tuple[str, ...] = journal.notices
        """What people should hear about the recovery, a line each."""
        self._entries: dict[int, Entry] = {}
        self._start = 0
        self._steps: dict[int, Step] = {}
        self._done: list[int] = []
        self._undone: list[int] = []
        self._after: dict[int, Position] = {}
        self.seq = journal.last_seq()
        """The number of the last accepted change."""
        self._kept = self.seq
        if self.seq and self._recover():
            return
        self.position = first()
        self.setup(self.position, at_ms=now_ms)

    # Asking for a change

    def do(
        self, action: Action, *, at_ms: int, by: Command | None = None, verdict: Verdict | None = None
    ) -> Outcome:
        """Carry out an action if it is legal.

        Args:
            action: what to do.
            at_ms: Unix time now.
            by: the command that asks; None: the table itself.
            verdict: of the rules on this action in this very position, where the caller has it already.

        Returns:
            The outcome; with the verdict `error` the rules allow it but it could not be stored.
        """
        return self.answered(by, at_ms) or self._concluded(by, self._do(action, at_ms, by, verdict))

    def undo(self, steps: int = 1, *, at_ms: int, by: Command | None = None) -> Outcome:
        """Take back the last `steps` actions, exactly; all of them or none."""
        return self.answered(by, at_ms) or self._concluded(by, self._wind("undo", steps, at_ms, by))

    def redo(self, steps: int = 1, *, at_ms: int, by: Command | None = None) -> Outcome:
        """Do again the last `steps` actions that were taken back; all of them or none."""
        return self.answered(by, at_ms) or self._concluded(by, self._wind("redo", steps, at_ms, by))

    def setup(self, position: Position, *, at_ms: int, by: Command | None = None) -> Outcome:
        """Begin a new game from `position`; the old one stays in the journal."""
        return self.answered(by, at_ms) or self._concluded(by, self._setup(position, at_ms, by))

    def note(self, by: Command, verdict: Literal["legal", "error"], message: str, *, at_ms: int) -> Outcome:
        """Answer a command that changes nothing, or can't be understood, and remember the answer."""
        return self.answered(by, at_ms) or self._concluded(by, Outcome(verdict, message, self.seq))

    # Looking

    @property
    def undoable(self) -> int:
        """How many actions can be taken back."""
        return len(self._done)

    @property
    def redoable(self) -> int:
        """How many actions can be done again."""
        return len(self._undone)

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

    # Commands that come again, or too late

    def answered(self, by: Command | None, at_ms: int) -> Outcome | None:
        """Return the answer to a command that came before or comes too late, None for a new one."""
        if by is None:
            return None
        found = self._journal.answered(by.client, by.id)
        if isinstance(found, Entry):
            return Outcome("legal", found.message, found.seq, again=True)
        if found is not None:
            reply = json.loads(found)
            return Outcome(
                reply["verdict"], reply["message"], reply["seq"], tuple(reply["rules"]), again=True
            )
        if by.sent_ms is not None and at_ms - by.sent_ms > STALE_MS:
            seconds = (at_ms - by.sent_ms) // 1000
            return self._concluded(by, self._no(f"Stale: sent {seconds} s ago. Ask again."))
        if by.base is not None and by.base != self.seq:
            return self._concluded(
                by,
                self._no(
                    f"Stale: meant for step {by.base}, the game is at {self.seq}. Look, then ask again."
                ),
            )
        return None

    def _concluded(self, by: Command | None, outcome: Outcome) -> Outcome:
        if by is not None and not outcome.changed and not outcome.again:
            reply = {
                "verdict": outcome.verdict,
                "rules": outcome.rules,
                "message": outcome.message,
                "seq": outcome.seq,
            }
            # Nothing was changed: where the answer can't be kept, it stands all the same.
            with suppress(NotStored):
                self._journal.remember_answer(by.client, by.id, json.dumps(reply))
        return outcome

    def _no(self, message: str) -> Outcome:
        return Outcome("illegal", message, self.seq)

    # Changes

    def _do(self, action: Action, at_ms: int, by: Command | None, verdict: Verdict | None) -> Outcome:
        verdict = verdict or check(self.position, action, self._cards)
        if verdict.status != "legal" or verdict.after is None:
            return Outcome(
                verdict.status, refusal_words(verdict), self.seq, verdict.rules, verdict.cost, verdict
            )
        message = words.describe(self.position, action, verdict.after, self._cards)
        entry = self._entry(
            "do",
            json.dumps(action_to(action)),
            at_ms,
            by,
            message=message,
            player=action.player or self.position.turn.player,
            cost=json.dumps(cost_to(verdict.cost)),
        )
        failed = self._store(entry, verdict.after)
        if failed:
            return failed
        self._done.append(entry.seq)
        self._undone.clear()
        self._after[entry.seq] = verdict.after
        return Outcome("legal", message, self.seq, (), verdict.cost, verdict, changed=True)

    def _wind(self, kind: Literal["undo", "redo"], steps: int, at_ms: int, by: Command | None) -> Outcome:
        there = len(self._done if kind == "undo" else self._undone)
        if not 1 <= steps <= there:
            word = "taken back" if kind == "undo" else "done again"
            return self._no(f"{there or 'No'} step{'' if there == 1 else 's'} can be {word}, not {steps}.")
        done, undone = list(self._done), list(self._undone)
        source, target = (done, undone) if kind == "undo" else (undone, done)
        moved = [source.pop() for _ in range(steps)]
        target.extend(moved)
        try:
            position = self._position_after(done)
        except BeyondRecall as error:
            return self._no(str(error))
        message = self._wound_words(kind, moved)
        entry = self._entry(kind, json.dumps({"steps": steps}), at_ms, by, message=message)
        failed = self._store(entry, position)
        if failed:
            return failed
        self._done, self._undone = done, undone
        return Outcome("legal", message, self.seq, changed=True)

    def _wound_words(self, kind: Literal["undo", "redo"], moved: list[int]) -> str:
        word = "Taken back" if kind == "undo" else "Done again"
        if len(moved) == 1:
            return f"{word}: {self._entries[moved[0]].message}"
        return f"{word}: {len(moved)} steps."

    def _setup(self, position: Position, at_ms: int, by: Command | None) -> Outcome:
        entry = self._entry("setup", dump(position), at_ms, by, message="A new game is set up.")
        failed = self._store(entry, position)
        if failed:
            return failed
        self._begin(entry, position)
        return Outcome("legal", entry.message, self.seq, changed=True)

    def _begin(self, entry: Entry, position: Position) -> None:
        self._start = entry.seq
        self._entries, self._steps = {entry.seq: entry}, {}
        self._done, self._undone, self._after = [], [], {entry.seq: position}

    def _entry(
        self,
        kind: Kind,
        body: str,
        at_ms: int,
        by: Command | None,
        *,
        message: str,
        player: str = "",
        cost: str = "{}",
    ) -> Entry:
        game = self._journal.current_game() + (kind == "setup")
        return Entry(
            seq=self.seq + 1,
            game=game,
            kind=kind,
            body=body,
            player=player,
            cost=cost,
            message=message,
            at_ms=at_ms,
            client=None if by is None else by.client,
            command=None if by is None else by.id,
        )

    def _store(self, entry: Entry, position: Position) -> Outcome | None:
        """Put it on disk, then let it count; the outcome is one that says why that failed."""
        try:
            self._journal.append(entry)
        except NotStored as error:
            return Outcome("error", str(error), self.seq)
        self._entries[entry.seq] = entry
        self.seq = entry.seq
        self.position = position
        return None

    def keep_position(self) -> None:
        """Keep the present position in the journal, where it isn't yet: a recovery then starts from it.

        Not a part of accepting: without it, the actions since the last position kept are played again.
        """
        if self._kept != self.seq:
            self._kept = self.seq
            with suppress(NotStored):
                self._journal.keep_position(self.seq, dump(self.position))

    # Going back, and going on after a stop

    def _position_after(self, done: list[int]) -> Position:
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
        if seq not in self._after:
            kept = self._kept_position(seq)
            if kept is not None:
                self._after[seq] = kept
        return seq in self._after

    def _kept_position(self, seq: int) -> Position | None:
        kept = self._journal.snapshot(seq)
        if kept is None:
            return None
        with suppress(NotationError, ValueError):
            return position_from(json.loads(kept), self._cards)
        return None

    def _played(self, position: Position, seq: int) -> Position:
        try:
            after = check(
                position, action_from(json.loads(self._entries[seq].body), self._cards), self._cards
            ).after
        except NotationError as error:
            raise BeyondRecall(seq) from error
        if after is None:
            raise BeyondRecall(seq)
        return after

    def _recover(self) -> bool:
        """Take up the journal's game; False where there is none that can be read."""
        entries = self._journal.entries(self._journal.current_game())
        if not entries:
            return False
        try:
            self._begin(entries[0], position_from(json.loads(entries[0].body), self._cards))
        except NotationError as error:
            self.notices += (
                f"{self._journal.path}: the last game can't be read ({error}); a new one is begun",
            )
            return False
        self._entries = {entry.seq: entry for entry in entries}
        kept_seq = self._journal.newest_position()
        for entry in entries[1:]:
            self._retrace(entry)
            if entry.seq == kept_seq and (kept := self._kept_position(kept_seq)) is not None:
                self._after[self._done[-1] if self._done else self._start] = kept
        self.position = self._recovered_position()
        return True

    def _retrace(self, entry: Entry) -> None:
        if entry.kind == "do":
            self._done.append(entry.seq)
            self._undone.clear()
            return
        source, target = (self._done, self._undone) if entry.kind == "undo" else (self._undone, self._done)
        for _ in range(json.loads(entry.body)["steps"]):
            target.append(source.pop())

    def _recovered_position(self) -> Position:
        while True:
            try:
                return self._position_after(self._done)
            except BeyondRecall as error:
                # Only after damage, when the stored positions are gone as well.
                lost = self._done[self._done.index(error.seq) :]
                del self._done[self._done.index(error.seq) :]
                self._undone.clear()
                self.notices += (f"{self._journal.path}: the last {len(lost)} steps can't be played again",)


def dump(position: Position) -> str:
    """Write a whole position, hidden parts included, as JSON."""
    return json.dumps(position_to(position), separators=(",", ":"))


def refusal_words(verdict: Verdict) -> str:
    """Say for people why an action was not accepted."""
    if verdict.refusals:
        return verdict.refusals[0].text
    names = ", ".join(f"{words.title(missing.card)}: {missing.key}" for missing in verdict.missing)
    return f"A printed value is not known ({names}). Add it to the card pack, then it can be judged."
