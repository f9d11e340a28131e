"""`companion games`: the games of a data folder from the command line, while no app plays in it."""

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TextIO

from companion.content import catalogue
from companion.scenario.errors import NotationError, ScenarioError
from companion.scenario.saved import read_game
from companion.session.copies import Copies
from companion.session.entries import Entry, Kept, Origin
from companion.session.errors import BeyondRecall
from companion.session.journal import FILE, Journal
from companion.session.lines import StepRefused, entries_of, text_of
from companion.session.pack import Pack, lacking, with_values
from companion.session.recovery import recover
from companion.session.timeline import Timeline

USAGE: Final = {
    "list": "companion games list",
    "export": "companion games export GAME [FILE]",
    "import": "companion games import FILE",
    "delete": "companion games delete GAME --yes",
}
_COUNTS: Final = {"list": (0, 0), "export": (1, 2), "import": (1, 1), "delete": (1, 1)}


class _CannotError(Exception):
    """What was asked for can't be done; one line for people."""


def run(
    verb: str, what: Sequence[str], *, data: Path, yes: bool, now_ms: int, out: TextIO, err: TextIO
) -> int:
    """Carry out `companion games VERB [ARG..] --data DIR`.

    Args:
        verb: list, export, import or delete.
        what: a game's number, a file.
        data: the data folder.
        yes: whether deleting is meant.
        now_ms: Unix time.
        out: for what was asked for.
        err: for one clear line per fault.

    Returns:
        The exit status: 0 done, 2 the input or the arguments can't be used.

    Raises:
        CompanionError: the data folder can't be used.
    """
    least, most = _COUNTS[verb]
    if not least <= len(what) <= most:
        print(f"companion: games {verb} is written {USAGE[verb]}", file=err)
        return 2
    if verb != "import" and not (data / FILE).exists() and not Copies(data).folder.exists():
        print(f"companion: {data}: there are no games yet", file=err)
        return 0 if verb == "list" else 2
    with closing(Journal(data, now_ms=now_ms)) as journal:
        pack = Pack(data, catalogue())
        for notice in (*pack.notices, *recover(journal, Copies(data), pack.cards, now_ms=now_ms)):
            print(f"companion: {notice}", file=err)
        actions: dict[str, Callable[[], None]] = {
            "list": lambda: _list(journal, out),
            "export": lambda: _export(journal, pack, what, out),
            "import": lambda: _import(journal, pack, what[0], now_ms, out),
            "delete": lambda: _delete(journal, what[0], out, yes=yes),
        }
        try:
            actions[verb]()
        except _CannotError as error:
            print(f"companion: {error}", file=err)
            return 2
    return 0


def _list(journal: Journal, out: TextIO) -> None:
    current = journal.current_game()
    for kept in journal.games():
        mark = "*" if kept.game == current else " "
        played = datetime.fromtimestamp(kept.played_ms / 1000, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
        branch = (
            f"  (from game {kept.parent}, step {kept.parent_steps})" if kept.parent_steps is not None else ""
        )
        print(
            f"{mark}{kept.game:>4}  {played}  {kept.actions:>4} actions  {kept.name}{branch}".rstrip(),
            file=out,
        )


def _export(journal: Journal, pack: Pack, what: Sequence[str], out: TextIO) -> None:
    kept = _kept(journal, what[0])
    entries, problem = journal.sound_entries(kept.game)
    timeline = Timeline(journal, pack.cards)
    try:
        position, lost = timeline.retrace(entries)
    except (NotationError, BeyondRecall, ValueError) as error:
        raise _CannotError(f"game {kept.game} can't be read ({problem or error})") from error
    text = text_of(kept.name or f"Game {kept.game}", timeline.line, position, pack.stated)
    if len(what) == 1:
        out.write(text)
        return
    try:
        Path(what[1]).write_text(text, encoding="utf-8")
    except OSError as error:
        raise _CannotError(f"{what[1]}: can't be written ({error.strerror}): choose another file") from error
    steps = len(timeline.line) - 1
    short = (
        f", damaged behind that ({problem})" if problem else f", {lost} more can't be played" if lost else ""
    )
    print(f"{what[1]}: game {kept.game}, {steps} steps{short}", file=out)


def _import(journal: Journal, pack: Pack, file: str, now_ms: int, out: TextIO) -> None:
    cards, game = pack.cards, journal.next_game()
    try:
        saved = read_game(file, cards)
        values = lacking(cards, saved.cards)
        cards = with_values(cards, values)
        entries, _ = entries_of(saved, cards, game=game, seq=journal.last_seq() + 1, at_ms=now_ms)
    except ScenarioError as error:
        raise _CannotError(str(error)) from error
    except StepRefused as error:
        raise _CannotError(f"{file}: {error}") from error
    if values:
        pack.state(*values)
    before = journal.current_game()
    name = " ".join(saved.title.split())
    journal.append_game(entries, Origin(name))
    if before:
        # The game that was played stays the one that the app opens.
        seq = journal.last_seq() + 1
        message = f"Game {before} is open again."
        journal.append(
            Entry(seq=seq, game=before, kind="open", body=json.dumps({}), message=message, at_ms=now_ms)
        )
    print(f"{file}: taken in as game {game}, {len(entries) - 1} steps", file=out)


def _delete(journal: Journal, number: str, out: TextIO, *, yes: bool) -> None:
    kept = _kept(journal, number)
    if kept.game == journal.current_game():
        raise _CannotError(f"game {kept.game} is the one that is played: open another one in the app first")
    if not yes:
        what = f"game {kept.game}{f' ({kept.name})' if kept.name else ''}, {kept.actions} actions"
        raise _CannotError(f"{what}, would be gone for good: add --yes")
    copies = Copies(journal.folder)
    try:
        copies.forget(kept.game)
    except OSError as error:
        raise _CannotError(f"{copies.path(kept.game)}: {error.strerror or error}") from error
    journal.delete_game(kept.game)
    print(f"game {kept.game} is deleted", file=out)


def _kept(journal: Journal, number: str) -> Kept:
    kept = next((kept for kept in journal.games() if str(kept.game) == number), None)
    if kept is None:
        raise _CannotError(f"there is no game {number}: see companion games list")
    return kept
