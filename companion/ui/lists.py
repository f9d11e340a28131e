"""The sheets' contents: from what is known to the rows of a list."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from companion.rules.board import REALMS
from companion.rules.position import ROWS
from companion.rules.words import person, slot_words, title
from companion.ui import texts
from companion.ui.dials import Dial
from companion.ui.link import Option, Start
from companion.ui.model import Line, Problem, place_words
from companion.ui.new_game import COUNTS
from companion.ui.sheets import Entry, Listing
from companion.ui.theme import Look

HISTORY_TONES = {"legal": "accepted", "illegal": "refused"}
TONES = {"legal": "accepted", "illegal": "quiet", "unknown": "question"}


def options_listing(
    target: str,
    options: Sequence[Option],
    on_choose: Callable[[Option], None],
    on_ask: Callable[[str], None],
    on_put_right: Callable[[], None] | None = None,
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
        actions=() if on_put_right is None else ((texts.PUT_RIGHT, on_put_right),),
        tabs=tabs if kind == "row" else (),
    )


def group_of(option: Option) -> str:
    """Return the heading under which something is listed, a key of `texts.GROUPS`."""
    action = str(option.do.get("action", ""))
    if action in REALMS:
        return "realm"
    return action if action in texts.GROUPS else "now"


def grouped(options: Sequence[Option]) -> dict[str, list[Option]]:
    """Return what can be done by its heading, in the order in which people look for it."""
    found: dict[str, list[Option]] = {group: [] for group in texts.GROUPS}
    for option in options:
        found[group_of(option)].append(option)
    return found


def menu_listing(
    target: str,
    options: Sequence[Option],
    on_choose: Callable[[Option], None],
    on_group: Callable[[str], None],
    on_put_right: Callable[[], None] | None = None,
) -> Listing:
    """List what a player can do by its headings; one with a single way is done from here."""
    entries = []
    for group, found in grouped(options).items():
        if len(found) == 1:
            (only,) = found
            tap = partial(on_choose, only) if only.verdict == "legal" else None
            entries.append(Entry(only.text, _aside(only), "", TONES[only.verdict], tap))
        elif found:
            aside = texts.ways(len(found))
            detail = texts.from_cost(found[0].cost) if group in ROWS else ""
            tone = "accepted" if found[0].verdict == "legal" else "quiet"
            entries.append(Entry(texts.GROUPS[group], aside, detail, tone, partial(on_group, group)))
        elif group in ROWS:
            entries.append(Entry(texts.GROUPS[group], texts.NOT_NOW, "", "quiet", partial(on_group, group)))
    actions = () if on_put_right is None else ((texts.PUT_RIGHT, on_put_right),)
    return Listing(target_words(target), texts.COULD, tuple(entries), actions, compact=True)


def group_listing(
    group: str,
    options: Sequence[Option],
    on_choose: Callable[[Option], None],
    on_back: Callable[[], None],
) -> Listing:
    """List the ways under one heading, those into one slot together."""
    found = grouped(options)[group]
    places = dict.fromkeys(str(option.do.get("slot", "")) for option in found)
    split = group == "invoke"
    entries: list[Entry] = []
    for place in places:
        if split:
            entries.append(Entry(place_words(f"slot/{place}").upper(), heading=True))
        for option in found:
            if str(option.do.get("slot", "")) == place:
                text = _without_place(option.text, place) if split else option.text
                tap = partial(on_choose, option) if option.verdict == "legal" else None
                why = "" if split else _why(option)
                entries.append(Entry(text, _aside(option), why, TONES[option.verdict], tap))
    actions = ((texts.ALL_ACTIONS, on_back),)
    return Listing(texts.GROUPS[group], texts.COULD, tuple(entries), actions, compact=split)


def _without_place(text: str, slot: str) -> str:
    """Leave out what the headings above say: "Invoke Courage into the left Valley slot" is "Courage"."""
    return text.removeprefix("Invoke ").replace(f" into the {slot_words(slot)}", "")


def step_listing(text: str, options: Sequence[Option], on_choose: Callable[[Option], None]) -> Listing:
    """List the ways to do what is to be placed, shown or chosen now."""
    entries = tuple(
        Entry(option.text, option.cost, "", TONES[option.verdict], partial(on_choose, option))
        for option in options
    )
    return Listing(texts.TO_CHOOSE, text, entries, compact=True)


def put_right_listing(
    found: Sequence[Dial],
    reason: str,
    on_reason: Callable[[str], None],
    on_state: Callable[[Mapping[str, Any]], None],
    on_undo: Callable[[], None] | None,
    *,
    what: str,
) -> Listing:
    """List the numbers that can be put right, with the reasons above them."""

    def step(stated: Mapping[str, Any] | None) -> Callable[[], None] | None:
        return None if stated is None else partial(on_state, stated)

    entries = tuple(
        Entry(dial.label, str(dial.value), tone="question", steps=(step(dial.less), step(dial.more)))
        for dial in found
    )
    tabs = tuple(
        (label, "question" if words == reason else "", partial(on_reason, words))
        for label, words in texts.REASONS.items()
    )
    actions = () if on_undo is None else ((texts.UNDO, on_undo),)
    return Listing(texts.put_right(what), texts.PUT_RIGHT_NOTE, entries, actions, tabs=tabs)


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
    if kind == "team":
        return title(name)
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


def starts_listing(
    starts: Sequence[Start], on_plan: Callable[[int], None], on_choose: Callable[[Start], None]
) -> Listing:
    """List the games that can be begun: for so many players, or from an example."""
    games = tuple(
        Entry(texts.PLAYERS[count], "", texts.PLAYERS_NOTES[count], "accepted", partial(on_plan, count))
        for count in COUNTS
    )
    examples = tuple(Entry(start.title, "", "", "question", partial(on_choose, start)) for start in starts)
    entries = (*games, Entry(texts.EXAMPLES, heading=True), *examples)
    return Listing(texts.NEW_GAME, texts.NEW_GAME_NOTE, entries, compact=True)


def leave_listing(name: str, on_leave: Callable[[], None], on_stay: Callable[[], None]) -> Listing:
    """Ask whether the game that is played may be left for the one of that name."""
    entries = (
        Entry(texts.LEAVE_STAY, "", "", "accepted", on_stay),
        Entry(texts.leave_for(name), "", "", "refused", on_leave),
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
    if problem.also:
        words = texts.and_places(words, len(problem.also))
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
