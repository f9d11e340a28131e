"""The sheets' contents: from what is known to the rows of a list."""

from collections.abc import Callable, Sequence
from functools import partial

from companion.rules.position import ROWS
from companion.rules.words import person, title
from companion.ui import texts
from companion.ui.link import Option, Start
from companion.ui.model import Line, Problem, place_words
from companion.ui.sheets import Entry, Listing
from companion.ui.theme import Look

HISTORY_TONES = {"legal": "accepted", "illegal": "refused"}
TONES = {"legal": "accepted", "illegal": "quiet", "unknown": "question"}


def options_listing(
    target: str,
    options: Sequence[Option],
    on_choose: Callable[[Option], None],
    on_ask: Callable[[str], None],
) -> Listing:
    """List what could be done with what was tapped; what can be done now comes first."""
    ranked = sorted(options, key=lambda option: ("legal", "unknown", "illegal").index(option.verdict))
    entries = tuple(
        Entry(
            option.text,
            _aside(option),
            _why(option),
            TONES[option.verdict],
            partial(on_choose, option) if option.verdict == "legal" else None,
        )
        for option in ranked
    )
    kind, _, name = target.partition("/")
    tabs = tuple(
        (title(row), "accepted" if row == name else "", partial(on_ask, f"row/{row}")) for row in ROWS
    )
    return Listing(
        target_words(target),
        texts.COULD if entries else texts.NOTHING_TO_DO,
        entries,
        tabs=tabs if kind == "row" else (),
    )


def end_listing(options: Sequence[Option], on_choose: Callable[[Option], None]) -> Listing:
    """List the ways to end a turn; one that the options leave out is offered too, and judged then."""
    judged = {option.do.get("gain"): option for option in options if option.do.get("action") == "end-turn"}
    ways = [
        judged.get(gain) or Option({"action": "end-turn", "gain": gain}, text, "", "legal")
        for gain, text in texts.END_GAINS.items()
    ]
    entries = tuple(
        Entry(
            way.text,
            _aside(way),
            _why(way),
            TONES[way.verdict],
            partial(on_choose, way) if way.verdict == "legal" else None,
        )
        for way in ways
    )
    return Listing(texts.END_TURN, texts.END_NOTE, entries)


def _aside(option: Option) -> str:
    if option.verdict != "legal":
        return ", ".join(option.rules[:2])
    return option.cost or (texts.FREE if option.do.get("action") in ROWS else "")


def _why(option: Option) -> str:
    if option.verdict == "legal":
        # "Move to the Valley" needs no "Diana moves to the Valley" below it.
        again = option.message.rstrip(".").endswith(option.text.partition(" ")[2])
        return "" if again else option.message
    return " ".join(part for part in (option.message, option.remedy) if part)


def target_words(target: str) -> str:
    """Name what was tapped: `slot/valley.1`, `spirit/valley`, `row/move`, `player/diana`."""
    kind, _, name = target.partition("/")
    if kind == "row":
        return title(name)
    if kind == "player":
        return person(name)
    words = place_words(target)
    return words[:1].upper() + words[1:]


def history_listing(
    lines: Sequence[Line], on_undo: Callable[[], None] | None, on_redo: Callable[[], None] | None
) -> Listing:
    """List what happened, the newest first, with the way back and forth where there is one."""
    entries = tuple(
        Entry(
            line.text,
            texts.UNDONE if line.undone else line.rule,
            line.cost if line.verdict == "legal" else texts.NOT_DONE,
            "quiet" if line.undone else HISTORY_TONES.get(line.verdict, "question"),
        )
        for line in reversed(lines)
    )
    note = "" if entries else texts.NO_HISTORY
    ways = ((texts.UNDO, on_undo), (texts.REDO, on_redo))
    actions = tuple((words, tap) for words, tap in ways if tap is not None)
    return Listing(texts.HISTORY, note, entries, actions)


def starts_listing(starts: Sequence[Start], on_choose: Callable[[Start], None]) -> Listing:
    """List the starting positions."""
    entries = tuple(Entry(start.title, "", "", "accepted", partial(on_choose, start)) for start in starts)
    return Listing(texts.NEW_GAME, texts.NEW_GAME_NOTE, entries)


def leave_listing(start: Start, on_leave: Callable[[], None], on_stay: Callable[[], None]) -> Listing:
    """Ask whether the game that is played may be left."""
    entries = (
        Entry(texts.LEAVE_STAY, "", "", "accepted", on_stay),
        Entry(texts.leave_for(start.title), "", "", "refused", on_leave),
    )
    return Listing(texts.LEAVE, texts.LEAVE_NOTE, entries)


def looks_listing(look: Look, on_theme: Callable[[], None], on_flat: Callable[[], None]) -> Listing:
    """List what people choose about the screen."""
    night = look.theme.name == "night"
    entries = (
        Entry(
            texts.DAY if night else texts.NIGHT,
            "",
            texts.DAY_NOTE if night else texts.NIGHT_NOTE,
            "accepted",
            on_theme,
        ),
        Entry(
            texts.STANDS if look.flat else texts.FLAT,
            "",
            texts.STANDS_NOTE if look.flat else texts.FLAT_NOTE,
            "accepted",
            on_flat,
        ),
    )
    return Listing(texts.LOOKS, "", entries)


def _heading(problem: Problem, players: Sequence[str]) -> str:
    words = place_words(problem.space, players)
    return words[:1].upper() + words[1:]


def differs_listing(
    problems: Sequence[Problem],
    done: Sequence[Problem],
    on_mend: Callable[[Problem], None] | None,
    on_all: Callable[[], None] | None,
    *,
    players: Sequence[str] = (),
    note: str = texts.DIFFERS_NOTE,
) -> Listing:
    """List the misplaced pieces; those put right stay, ticked off, until all are."""
    entries = tuple(
        Entry(
            _heading(problem, players),
            "",
            problem.text,
            "refused",
            None if on_mend is None else partial(on_mend, problem),
        )
        for problem in problems
    ) + tuple(
        Entry(_heading(problem, players), "", problem.text, "accepted", icon="check") for problem in done
    )
    note = note if problems else texts.ALL_RIGHT
    actions = ((texts.PUT_ALL, on_all),) if on_all is not None and problems else ()
    return Listing(texts.DIFFERS, note, entries, actions)
