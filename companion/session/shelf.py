"""The games that are kept: listed, named, opened, branched off, deleted, given out and taken in.

A command `{"id", "games": {"action", ..}}` on the bus (docs/reference/bus.md). Only `delete` destroys
anything, and never without `"confirm": true`, nor the game that is played.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from companion.rules.cards import Catalogue
from companion.rules.position import Position
from companion.scenario.errors import NotationError, ScenarioError
from companion.scenario.saved import game_from
from companion.session.copies import Copies
from companion.session.entries import Entry, Kept, Origin
from companion.session.errors import BeyondRecall, NotStored, PackNotSaved
from companion.session.journal import Journal
from companion.session.lines import StepRefused, WholeGame, entries_of, renumbered, text_of
from companion.session.pack import Pack, Value, lacking, with_values
from companion.session.session import Command, Outcome, Session
from companion.session.timeline import Timeline
from companion.table.lay import beyond_the_box
from companion.table.layout import words_of

ACTIONS: Final = ("list", "steps", "name", "open", "branch", "delete", "export", "import")

MOST_LISTED: Final = 200
"""Games in one reply, the newest ones: some 30 kB. `before` asks for those before them."""

MOST_NAME_CHARACTERS: Final = 80

Reply = tuple[Outcome, Mapping[str, Any]]
"""The outcome, and what the reply says beyond it."""


class RequestError(ValueError):
    """A request that can't be carried out as it is written; the message is for people."""


class Shelf:
    """The games of a journal, for the session that plays one of them.

    Args:
        session: the game that is played.
        journal: of that session.
        pack: the table's own card values.
    """

    def __init__(self, session: Session, journal: Journal, pack: Pack) -> None:
        self._session = session
        self._journal = journal
        self._copies = Copies(journal.folder)
        self._pack = pack
        self._actions: Mapping[str, Callable[[Mapping[str, Any], Command, int], Reply]] = {
            "list": self._list,
            "steps": self._steps,
            "name": self._name,
            "open": self._open,
            "branch": self._branch,
            "delete": self._delete,
            "export": self._export,
            "import": self._import,
        }

    @property
    def _cards(self) -> Catalogue:
        return self._pack.cards

    def ask(self, request: Mapping[str, Any], by: Command, *, at_ms: int) -> Reply:
        """Carry out a request and return the answer; it must not have been answered before."""
        action = self._actions.get(str(request.get("action")))
        try:
            if action is None:
                raise RequestError(f"games.action: one of {', '.join(ACTIONS)}")  # noqa: TRY301 - said below
            return action(request, by, at_ms)
        except RequestError as error:
            return self._session.note(by, "error", str(error), at_ms=at_ms), {}
        except NotStored as error:
            return self._session.note(by, "error", str(error), at_ms=at_ms), {}

    # Looking; these change nothing, and are not remembered

    def _list(self, request: Mapping[str, Any], _by: Command, _at_ms: int) -> Reply:
        before = _number(request, "before") if "before" in request else None
        games = [kept for kept in self._journal.games() if before is None or kept.last_seq < before]
        more = len(games) > MOST_LISTED
        shown = [self._listed(kept) for kept in games[:MOST_LISTED]]
        message = "1 game." if len(games) == 1 else f"{len(games)} games."
        return Outcome("legal", message, self._session.seq), {"games": shown, "more": more}

    def _listed(self, kept: Kept) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "game": kept.game,
            "name": kept.name,
            "started": kept.started_ms,
            "played": kept.played_ms,
            "actions": kept.actions,
            "seq": kept.last_seq,
            "current": kept.game == self._session.game,
        }
        if kept.parent is not None:
            entry |= {"parent": kept.parent, "parent_steps": kept.parent_steps}
        return entry

    def _steps(self, request: Mapping[str, Any], _by: Command, _at_ms: int) -> Reply:
        kept = self._kept(request)
        entries, problem = self._journal.sound_entries(kept.game)
        steps = [
            {
                "seq": entry.seq,
                "kind": entry.kind,
                "player": entry.player,
                "message": entry.message,
                "at": entry.at_ms,
            }
            for entry in entries
        ]
        said = f"damaged: {problem}." if problem else f"{len(steps)} steps."
        return Outcome("legal", f"Game {kept.game}: {said}", self._session.seq), {"steps": steps}

    def _export(self, request: Mapping[str, Any], _by: Command, _at_ms: int) -> Reply:
        kept = self._kept(request)
        text = self.text(kept)
        return Outcome("legal", f"{_called(kept)} as a file.", self._session.seq), {"file": text}

    def text(self, kept: Kept) -> str:
        """Return a game as a saved one; raises RequestError."""
        timeline, position = self._timeline(kept.game, self._journal.sound_entries(kept.game)[0])
        return text_of(kept.name or f"Game {kept.game}", timeline.line, position, self._session.stated)

    # Changing

    def _name(self, request: Mapping[str, Any], by: Command, at_ms: int) -> Reply:
        kept, name = self._kept(request), request.get("name")
        if not isinstance(name, str) or len(name) > MOST_NAME_CHARACTERS or not (name.isprintable()):
            raise RequestError(f"games.name: a text of at most {MOST_NAME_CHARACTERS} characters in one line")
        self._journal.name_game(kept.game, name.strip())
        called = f"is called {name.strip()}" if name.strip() else "has no name now"
        said = f"Game {kept.game} {called}."
        return self._session.note(by, "legal", said, at_ms=at_ms), {}

    def _open(self, request: Mapping[str, Any], by: Command, at_ms: int) -> Reply:
        return self._session.open(self._kept(request).game, at_ms=at_ms, by=by), {}

    def _branch(self, request: Mapping[str, Any], by: Command, at_ms: int) -> Reply:
        kept, seq = self._kept(request), _number(request, "seq")
        entries, _ = self._journal.sound_entries(kept.game)
        if seq not in (entry.seq for entry in entries):
            raise RequestError(f"Game {kept.game} has no step {seq} that can be read.")
        timeline, position = self._timeline(kept.game, [entry for entry in entries if entry.seq <= seq])
        steps = len(timeline.line) - 1
        game = WholeGame(
            renumbered(timeline.line, game=self._journal.next_game(), seq=self._session.seq + 1),
            position,
            Origin(_text(request, "name"), kept.game, steps),
            f"Game {kept.game} is played on from after its step {steps}, as a game of its own.",
        )
        return self._session.begin(game, at_ms=at_ms, by=by), {}

    def _delete(self, request: Mapping[str, Any], by: Command, at_ms: int) -> Reply:
        kept = self._kept(request)
        if kept.game == self._session.game:
            text = f"Game {kept.game} is being played: open another one first."
            return self._session.note(by, "illegal", text, at_ms=at_ms), {}
        if request.get("confirm") is not True:
            text = f"{_called(kept)}, {kept.actions} actions, would be gone for good: confirm it."
            return self._session.note(by, "illegal", text, at_ms=at_ms), {"confirm": True}
        try:
            # First: a copy that outlives its game would bring it back.
            self._copies.forget(kept.game)
        except OSError as error:
            raise RequestError(f"{self._copies.path(kept.game)}: {error.strerror or error}") from error
        self._journal.delete_game(kept.game)
        return self._session.note(by, "legal", f"{_called(kept)} is deleted.", at_ms=at_ms), {}

    def _import(self, request: Mapping[str, Any], by: Command, at_ms: int) -> Reply:
        game = self.taken_in(_text(request, "file"), "file", at_ms=at_ms)
        return self._session.begin(game, at_ms=at_ms, by=by), {}

    def taken_in(self, text: str, name: str, *, at_ms: int) -> WholeGame:
        """Return a saved game as one that can be begun here; raises RequestError."""
        try:
            saved = game_from(text, name, self._cards)
            values = lacking(self._cards, saved.cards)
            entries, position = entries_of(
                saved,
                with_values(self._cards, values),
                game=self._journal.next_game(),
                seq=self._session.seq + 1,
                at_ms=at_ms,
            )
        except ScenarioError as error:
            raise RequestError(str(error)) from error
        except StepRefused as error:
            raise RequestError(f"{name}: {error}") from error
        if excess := beyond_the_box(position, self._cards):
            raise RequestError(f"{name}: the game ends with more of these than there are: {words_of(excess)}")
        self._learn(values)
        title = " ".join(saved.title.split())[:MOST_NAME_CHARACTERS]
        said = f"{title or 'A saved game'} is taken in, {len(entries) - 1} steps."
        return WholeGame(entries, position, Origin(title), said)

    def _learn(self, values: Sequence[Value]) -> None:
        """Take printed values over that nobody had to be asked for where the game was played."""
        if values:
            try:
                self._pack.state(*values)
            except PackNotSaved as error:
                raise RequestError(str(error)) from error
            self._session.use(self._pack.cards, self._pack.stated)

    # What is asked for

    def _kept(self, request: Mapping[str, Any]) -> Kept:
        game = self._session.game if "game" not in request else _number(request, "game")
        kept = next((kept for kept in self._journal.games() if kept.game == game), None)
        if kept is None:
            raise RequestError(f"There is no game {game}.")
        return kept

    def _timeline(self, game: int, entries: Sequence[Entry]) -> tuple[Timeline, Position]:
        if not entries:
            raise RequestError(f"Game {game} can't be read: it is damaged from its first step on.")
        timeline = Timeline(self._journal, self._cards)
        try:
            position, lost = timeline.retrace(entries)
        except (NotationError, BeyondRecall) as error:
            raise RequestError(f"Game {game} can't be read ({error}).") from error
        if lost:
            problem = f"its last {lost} steps can't be played again by the present rules"
            raise RequestError(f"Game {game}: {problem}.")
        return timeline, position


def _called(kept: Kept) -> str:
    return f"Game {kept.game}" + (f" ({kept.name})" if kept.name else "")


def _number(request: Mapping[str, Any], key: str) -> int:
    value = request.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise RequestError(f"games.{key}: must be a whole number")
    return value


def _text(request: Mapping[str, Any], key: str) -> str:
    value = request.get(key, "")
    if not isinstance(value, str):
        raise RequestError(f"games.{key}: must be a text")
    return value
