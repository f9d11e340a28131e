"""Taking up the games of a data folder after whatever happened to it: damage, lost files, a log cut off.

The journal has taken over what is sound in a damaged file. Then come the readable copies, wherever one goes
further than the journal, last a position that was kept. What had to be done is said, a line for each thing.
"""

import json
from collections.abc import Sequence
from contextlib import suppress

from companion.rules.cards import Catalogue
from companion.scenario.errors import NotationError, ScenarioError
from companion.scenario.notation import position_from
from companion.scenario.saved import game_from
from companion.session.copies import Copies, Copy
from companion.session.entries import Entry, Origin
from companion.session.errors import BeyondRecall
from companion.session.journal import Journal
from companion.session.lines import StepRefused, dump, entries_of, renumbered
from companion.session.salvage import LatePosition
from companion.session.timeline import Timeline


def recover(journal: Journal, copies: Copies, cards: Catalogue, *, now_ms: int) -> tuple[str, ...]:
    """Bring the journal up to all that the data folder has.

    Args:
        journal: just opened.
        copies: the readable copies beside it.
        cards: the printed values.
        now_ms: Unix time.

    Returns:
        What people should hear, a line each, what the journal says of its opening included.

    Raises:
        NotStored: the journal can't be written.
    """
    late, notices = journal.late, list(journal.notices)
    found, broken = copies.all()
    notices += (
        f"{path}: this copy of a game is damaged and not used; it is written anew when the game is played on"
        for path in broken
    )
    played = {kept.game: kept.last_seq for kept in journal.games()}
    newest_seq = max([journal.last_seq(), *(copy.seq for copy in found), late.seq if late else 0])
    current = journal.current_game()
    for copy in found:
        if copy.seq > played.get(copy.game, 0):
            notices.append(_from_copy(journal, copy, cards, after=max(newest_seq, journal.last_seq())))
    if late is not None and late.seq > max((copy.seq for copy in found), default=0):
        notices.append(_from_position(journal, late, cards, now_ms=now_ms, after=newest_seq))
    elif current and journal.current_game() != current and played.get(current, 0) == newest_seq:
        # Older games were taken from their copies; the one that was played last is gone on with.
        journal.append(_opening(journal, current, now_ms))
    return tuple(filter(None, notices))


def _from_copy(journal: Journal, copy: Copy, cards: Catalogue, *, after: int) -> str:
    """Take from a copy what the journal lacks."""
    try:
        saved = game_from(copy.text, str(copy.path), cards)
    except ScenarioError as error:
        return f"{error}; this copy of a game is not used"
    title = "" if saved.title == f"Game {copy.game}" else saved.title
    game = journal.next_game()
    trouble = ""
    try:
        line, _ = entries_of(saved, saved.cards, game=game, seq=after + 1, at_ms=copy.started_ms, ours=True)
    except StepRefused as error:
        line, trouble = error.before, f" up to step {error.step - 1} ({error})"
    there = _line(journal, copy.game, cards)
    same = len(there) <= len(line) and all(a.body == b.body for a, b in zip(there, line, strict=False))
    if there and same:
        rest = renumbered(line[len(there) :], game=copy.game, seq=after + 1)
        if not rest:
            # Nothing to take: what came after it was taken back, or the game was only opened again.
            return f"{copy.path}: this copy can only be played again{trouble}" if trouble else ""
        journal.append_all(rest)
        what = f"the last {len(rest)} steps of game {copy.game} are taken from"
        return f"{journal.path}: {what} {copy.path}{trouble}"
    journal.append_game(line, Origin(title))
    return f"{journal.path}: game {game} is taken from the copy {copy.path}{trouble}"


def _line(journal: Journal, game: int, cards: Catalogue) -> Sequence[Entry]:
    """Return the steps of a game that stand, the set-up first; none where it can't be read."""
    entries, _ = journal.sound_entries(game)
    timeline = Timeline(journal, cards)
    if entries:
        with suppress(NotationError, BeyondRecall):
            timeline.retrace(entries)
    return timeline.line


def _from_position(journal: Journal, late: LatePosition, cards: Catalogue, *, now_ms: int, after: int) -> str:
    try:
        position = position_from(json.loads(late.position), cards)
    except (NotationError, ValueError):
        return ""
    game = journal.next_game()
    setup = Entry(
        seq=after + 1,
        game=game,
        kind="setup",
        body=dump(position),
        message="The game goes on from a position that was kept.",
        at_ms=now_ms,
    )
    journal.append_game((setup,), Origin(parent=late.game or None))
    return (
        f"{journal.path}: game {game} goes on from the position that was kept after step {late.seq}; "
        "the steps before it can't be taken back"
    )


def _opening(journal: Journal, game: int, now_ms: int) -> Entry:
    return Entry(
        seq=journal.last_seq() + 1,
        game=game,
        kind="open",
        body="{}",
        message=f"Game {game} is open again.",
        at_ms=now_ms,
    )
