"""The sheets' contents: from what is known to the rows of a list. Free of Kivy but for the sheet's own values."""

from collections.abc import Callable, Sequence
from functools import partial

from companion.rules.position import ROWS
from companion.rules.words import person, title
from companion.ui import texts
from companion.ui.link import Option, Start
from companion.ui.model import Line, Problem, place_words
from companion.ui.sheets import Entry, Listing

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
            option.cost if option.verdict == "legal" else ", ".join(option.rules[:2]),
            _why(option),
            TONES[option.verdict],
            partial(on_choose, option) if option.verdict == "legal" else None,
        )
        for option in ranked
    )
    tabs = tuple(
        (title(row), "accepted" if row == target else "", partial(on_ask, row)) for row in ROWS
    )
    return Listing(
        target_words(target),
        texts.COULD if entries else texts.NOTHING_TO_DO,
        entries,
        tabs=tabs if target in ROWS else (),
    )


def _why(option: Option) -> str:
    if option.verdict == "legal":
        return option.message
    return " ".join(part for part in (option.message, option.remedy) if part)


def target_words(target: str) -> str:
    """Name what was tapped."""
    if target in ROWS:
        return title(target)
    words = place_words(f"slot/{target}")
    if "." in target or "-" in target:
        return words[:1].upper() + words[1:]
    return person(target)


def history_listing(
    lines: Sequence[Line], on_undo: Callable[[], None], on_redo: Callable[[], None]
) -> Listing:
    """List what happened, the newest first, with the way back and forth."""
    entries = tuple(
        Entry(
            line.text,
            "" if line.accepted else line.rule,
            line.cost if line.accepted else texts.NOT_DONE,
            "accepted" if line.accepted else "refused",
        )
        for line in reversed(lines)
    )
    note = "" if entries else texts.NO_HISTORY
    return Listing(texts.HISTORY, note, entries, ((texts.UNDO, on_undo), (texts.REDO, on_redo)))


def starts_listing(starts: Sequence[Start], on_choose: Callable[[Start], None]) -> Listing:
    """List the starting positions."""
    entries = tuple(
        Entry(start.title, "", "", "accepted", partial(on_choose, start)) for start in starts
    )
    return Listing(texts.NEW_GAME, texts.NEW_GAME_NOTE, entries)


def differs_listing(
    problems: Sequence[Problem], done: Sequence[Problem], on_mend: Callable[[Problem], None] | None
) -> Listing:
    """List the misplaced pieces; those put right stay, ticked off, until all are."""
    entries = tuple(
        Entry(
            place_words(problem.space).capitalize(),
            "",
            problem.text,
            "refused",
            None if on_mend is None else partial(on_mend, problem),
        )
        for problem in problems
    ) + tuple(
        Entry(place_words(problem.space).capitalize(), "", problem.text, "accepted", icon="check")
        for problem in done
    )
    note = texts.DIFFERS_NOTE if problems else texts.ALL_RIGHT
    return Listing(texts.DIFFERS, note, entries)
