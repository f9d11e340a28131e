"""One game at one table: the position, and everything that was accepted on the way to it.

What is asked for is judged by the rules, put in the journal, and only then counts. Undo and redo are entries
like any other; `seq` counts every accepted change up, so a command meant for an older one is known as stale.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from companion.rules import words
from companion.rules.accounts import describe
from companion.rules.actions import Action
from companion.rules.cards import Catalogue
from companion.rules.engine import check
from companion.rules.position import Position
from companion.rules.verdict import Cost, Verdict
from companion.scenario.errors import NotationError
from companion.scenario.notation import action_to, cost_to
from companion.session.copies import Copies
from companion.session.entries import Entry, Kind
from companion.session.errors import BeyondRecall, NotStored
from companion.session.journal import Journal
from companion.session.lines import WholeGame, dump, text_of, who_acts
from companion.session.recovery import recover
from companion.session.timeline import Step, Timeline, Way

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
        self._stated: Mapping[str, Mapping[str, Any]] = {}
        self._timeline = Timeline(journal, cards)
        self._copies = Copies(journal.folder)
        self.notices: tuple[str, ...] = recover(journal, self._copies, cards, now_ms=now_ms)
        """What people should hear about the recovery, a line each."""
        self.seq = journal.last_seq()
        """The number of the last accepted change."""
        self._game = journal.current_game()
        self._kept = self._copied = self.seq
        if self.seq and self._recover():
            self._copied = self._copies.seq(self._game)
            return
        self.position = first()
        self._setup(self.position, now_ms, None)

    def _recover(self) -> bool:
        """Take up the journal's game; False where there is none that can be read."""
        entries = self._journal.entries(self._game)
        if not entries:
            return False
        try:
            self.position, lost = self._timeline.retrace(entries)
        except NotationError as error:
            self.notices += (
                f"{self._journal.path}: the last game can't be read ({error}); a new one is begun",
            )
            return False
        if lost:
            self.notices += (f"{self._journal.path}: the last {lost} steps can't be played again",)
        return True

    def use(self, cards: Catalogue, stated: Mapping[str, Mapping[str, Any]]) -> None:
        """Judge by other printed values from now on.

        Args:
            cards: the printed values, the table's own laid over.
            stated: the table's own, by card, which a saved game needs to be replayed.
        """
        self._cards, self._stated = cards, stated
        self._timeline.use(cards)

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
        return self._asked(by, at_ms, lambda: self._do(action, at_ms, by, verdict))

    def undo(self, steps: int = 1, *, at_ms: int, by: Command | None = None) -> Outcome:
        """Take back the last `steps` actions, exactly; all of them or none."""
        return self._asked(by, at_ms, lambda: self._wind("undo", steps, at_ms, by))

    def redo(self, steps: int = 1, *, at_ms: int, by: Command | None = None) -> Outcome:
        """Do again the last `steps` actions that were taken back; all of them or none."""
        return self._asked(by, at_ms, lambda: self._wind("redo", steps, at_ms, by))

    def setup(self, position: Position, *, at_ms: int, by: Command | None = None) -> Outcome:
        """Begin a new game from `position`; the old one stays in the journal."""
        return self._asked(by, at_ms, lambda: self._setup(position, at_ms, by))

    def begin(self, game: WholeGame, *, at_ms: int, by: Command | None = None) -> Outcome:
        """Begin a game that has steps already; the one that was played stays.

        Args:
            game: its entries are numbered from `seq` + 1 on.
            at_ms: Unix time now.
            by: the command that asks.
        """
        return self._asked(by, at_ms, lambda: self._begin(game, at_ms, by))

    def open(self, game: int, *, at_ms: int, by: Command | None = None) -> Outcome:
        """Go on with a game of the journal where it stands; the one that was played stays."""
        return self._asked(by, at_ms, lambda: self._open(game, at_ms, by))

    def note(
        self, by: Command, verdict: Literal["legal", "illegal", "error"], message: str, *, at_ms: int
    ) -> Outcome:
        """Answer a command that changes nothing, or can't be understood, and remember the answer."""
        return self._asked(by, at_ms, lambda: Outcome(verdict, message, self.seq))

    # Looking

    @property
    def game(self) -> int:
        """The number of the game that is played."""
        return self._game

    @property
    def stated(self) -> Mapping[str, Mapping[str, Any]]:
        """The table's own card values, by card."""
        return self._stated

    @property
    def journal(self) -> Journal:
        """Where it is kept."""
        return self._journal

    @property
    def line(self) -> tuple[Entry, ...]:
        """The set-up and the actions that stand."""
        return self._timeline.line

    @property
    def undoable(self) -> int:
        """How many actions can be taken back."""
        return self._timeline.undoable

    @property
    def redoable(self) -> int:
        """How many actions can be done again."""
        return self._timeline.redoable

    def history(self, last: int | None = None) -> tuple[Step, ...]:
        """Return the actions of this game; see `Timeline.history`."""
        return self._timeline.history(last)

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
        stale = self._stale(by, at_ms)
        return self._remembered(by, self._no(stale)) if stale else None

    def _stale(self, by: Command, at_ms: int) -> str:
        if by.sent_ms is not None and at_ms - by.sent_ms > STALE_MS:
            return f"Stale: sent {(at_ms - by.sent_ms) // 1000} s ago. Ask again."
        if by.base is not None and by.base != self.seq:
            return f"Stale: meant for step {by.base}, the game is at {self.seq}. Look, then ask again."
        return ""

    def _asked(self, by: Command | None, at_ms: int, change: Callable[[], Outcome]) -> Outcome:
        """Carry out what is asked for, once; what can't be stored does not count."""
        answered = self.answered(by, at_ms)
        if answered is not None:
            return answered
        try:
            outcome = change()
        except NotStored as error:
            outcome = Outcome("error", str(error), self.seq)
        # A change is remembered by its entry.
        return outcome if by is None or outcome.changed else self._remembered(by, outcome)

    def _remembered(self, by: Command, outcome: Outcome) -> Outcome:
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

    # Changes; each raises NotStored

    def _do(self, action: Action, at_ms: int, by: Command | None, verdict: Verdict | None) -> Outcome:
        verdict = verdict or check(self.position, action, self._cards)
        if verdict.status != "legal" or verdict.after is None:
            return Outcome(
                verdict.status, refusal_words(verdict), self.seq, verdict.rules, verdict.cost, verdict
            )
        message = describe(self.position, action, verdict.after, self._cards)
        entry = self._entry(
            "do",
            json.dumps(action_to(action)),
            at_ms,
            by,
            message=message,
            player=who_acts(self.position, action),
            cost=json.dumps(cost_to(verdict.cost)),
        )
        self._store(entry, verdict.after)
        self._timeline.add(entry, verdict.after)
        return Outcome("legal", message, self.seq, (), verdict.cost, verdict, changed=True)

    def _wind(self, way: Way, steps: int, at_ms: int, by: Command | None) -> Outcome:
        there = self.undoable if way == "undo" else self.redoable
        if not 1 <= steps <= there:
            return self._no(_too_far_words(way, steps, there))
        try:
            winding = self._timeline.winding(way, steps)
        except BeyondRecall as error:
            return self._no(str(error))
        message = _wound_words(way, winding.messages)
        self._store(
            self._entry(way, json.dumps({"steps": steps}), at_ms, by, message=message), winding.position
        )
        self._timeline.wind(winding)
        return Outcome("legal", message, self.seq, changed=True)

    def _setup(self, position: Position, at_ms: int, by: Command | None) -> Outcome:
        self.keep_copy()
        entry = self._entry("setup", dump(position), at_ms, by, message="A new game is set up.")
        self._store(entry, position)
        self._game = entry.game
        self._timeline.begin(entry, position)
        return Outcome("legal", entry.message, self.seq, changed=True)

    def _begin(self, game: WholeGame, at_ms: int, by: Command | None) -> Outcome:
        self.keep_copy()
        first, last = game.entries[0], game.entries[-1]
        opening = replace(self._opening(first.game, game.message, at_ms, by), seq=last.seq + 1)
        self._journal.append_game((*game.entries, opening), game.origin)
        timeline = Timeline(self._journal, self._cards)
        timeline.retrace(game.entries)
        self._turn_to(timeline, opening, game.position)
        return Outcome("legal", game.message, self.seq, changed=True)

    def _open(self, game: int, at_ms: int, by: Command | None) -> Outcome:
        if game == self._game:
            return self._no(f"Game {game} is being played already.")
        entries, problem = self._journal.sound_entries(game)
        if not entries:
            return self._no(
                f"Game {game} can't be opened ({problem})." if problem else f"There is no game {game}."
            )
        timeline = Timeline(self._journal, self._cards)
        try:
            position, lost = timeline.retrace(entries)
        except NotationError as error:
            return self._no(f"Game {game} can't be read ({error}).")
        if problem or lost:
            # To go on from there would hide the damage: what is sound can be played on as a branch.
            sound = timeline.line[-1].seq
            why = problem or f"the last {lost} steps can't be played again"
            return self._no(f"Game {game} is damaged ({why}): play on from step {sound} as a new game.")
        self.keep_copy()
        opening = self._opening(game, f"Game {game} is open again.", at_ms, by)
        self._journal.append(opening)
        self._turn_to(timeline, opening, position)
        return Outcome("legal", opening.message, self.seq, changed=True)

    def _opening(self, game: int, message: str, at_ms: int, by: Command | None) -> Entry:
        return replace(self._entry("open", "{}", at_ms, by, message=message), game=game)

    def _turn_to(self, timeline: Timeline, opening: Entry, position: Position) -> None:
        self._timeline, self._game = timeline, opening.game
        self.seq, self.position = opening.seq, position

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
        return Entry(
            seq=self.seq + 1,
            game=self._journal.next_game() if kind == "setup" else self._game,
            kind=kind,
            body=body,
            player=player,
            cost=cost,
            message=message,
            at_ms=at_ms,
            client=None if by is None else by.client,
            command=None if by is None else by.id,
        )

    def _store(self, entry: Entry, position: Position) -> None:
        """Put it on disk, then let it count."""
        self._journal.append(entry)
        self.seq = entry.seq
        self.position = position

    def keep_position(self) -> None:
        """Keep the present position in the journal, where it isn't yet: a recovery then starts from it.

        Not a part of accepting: without it, the actions since the last position kept are played again.
        """
        if self._kept != self.seq:
            self._kept = self.seq
            with suppress(NotStored):
                self._journal.keep_position(self.seq, dump(self.position))

    @property
    def uncopied(self) -> bool:
        """Whether the readable copy of the game is older than the game."""
        return self._copied != self.seq

    def keep_copy(self) -> str:
        """Write the readable copy of the game, for a quiet moment: it takes some milliseconds and an fsync.

        Returns:
            Why it could not be written, or "". It is tried again only when the game has moved on.
        """
        line = self._timeline.line
        if not self.uncopied or not line:
            return ""
        self._copied = self.seq
        name = next((kept.name for kept in self._journal.games() if kept.game == self._game), "")
        try:
            text = text_of(name or f"Game {self._game}", line, self.position, self._stated)
            self._copies.keep(self._game, self.seq, line[0].at_ms, text)
        except OSError as error:
            return f"{self._copies.path(self._game)}: no copy of the game ({error.strerror or error})"
        return ""


def refusal_words(verdict: Verdict) -> str:
    """Say for people why an action was not accepted."""
    return verdict.refusals[0].text if verdict.refusals else words.missing_words(verdict.missing)


def _too_far_words(way: Way, steps: int, there: int) -> str:
    word = "take back" if way == "undo" else "do again"
    if not there:
        return f"There is nothing to {word}."
    return f"There {'is 1 step' if there == 1 else f'are {there} steps'} to {word}, not {steps}."


def _wound_words(way: Way, messages: tuple[str, ...]) -> str:
    word = "Taken back" if way == "undo" else "Done again"
    return f"{word}: {messages[0] if len(messages) == 1 else f'{len(messages)} steps.'}"
