"""Saved games: the start and the moves, in a TOML file that people can read and that later versions replay.

The start is a position in the keys of a scenario file. Each `[[move]]` is an action (`do`); `after` may state
what is there then. `set` is the older form of an adjustment without a reason, read but not written any more.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.rules.actions import Action, Adjust
from companion.rules.cards import Catalogue
from companion.rules.position import Position
from companion.scenario.errors import NotationError, Path, ScenarioError, dotted, one_line, shown
from companion.scenario.files import overlaid, read_text, scenario_from
from companion.scenario.keys import CARD_PACK, position_keys
from companion.scenario.lines import line_of
from companion.scenario.notation import action_from, action_to, position_from, position_to
from companion.scenario.packs import SPIRIT_PACK, with_spirits
from companion.scenario.parts import part_from
from companion.scenario.schema import TEXT, Keys, Leaf, ListOf, Named, Node, validate, whole

VERSION: Final = 1
"""Of the file; raised only when what an older file says would mean something else."""

_TABLE: Final = Leaf(lambda value: isinstance(value, dict), "a table")
_MOVE: Final = Keys({"do": _TABLE, "set": _TABLE, "after": _TABLE})


@dataclass(frozen=True, slots=True)
class Recorded:
    """One move of a saved game."""

    do: Action
    after: Mapping[str, Any] | None = None
    """Part of the position that must be there afterwards."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A usable file."""

    title: str
    cards: Catalogue
    """The printed values with the file's own laid over."""
    start: Position
    moves: tuple[Recorded, ...]


# Reading


def read_game(file: str, cards: Catalogue) -> SavedGame:
    """Read a saved game.

    Args:
        file: path of the file, also as it is named in errors.
        cards: the printed values.

    Raises:
        ScenarioError: it can't be read, is no TOML, or does not say what it should.
    """
    return game_from(read_text(file, "saved game"), one_line(file), cards)


def game_from(text: str, file: str, cards: Catalogue) -> SavedGame:
    """Make a saved game out of a file's text.

    Raises:
        ScenarioError: it is no TOML, or does not say what it should.
    """
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError):
        # The reader of scenario files names the place of such a fault.
        scenario_from(text, file, cards)
        raise
    try:
        return _game(data, cards)
    except NotationError as e:
        raise ScenarioError(file, line_of(text, e.path), e.key, e.problem) from e


def _game(data: dict[str, Any], cards: Catalogue) -> SavedGame:
    own: dict[str, Node] = {
        "version": whole(1),
        "title": TEXT,
        "source": TEXT,
        "cards": Named(CARD_PACK, tuple(cards.cards), "card"),
        "spirits": Named(SPIRIT_PACK, tuple(cards.spirits), "Spirit"),
        "move": ListOf(_MOVE),
    }
    position = position_keys(cards)
    for key in data:
        if key not in own and key not in position.keys:
            raise NotationError((key,), f"unknown key; known are {', '.join((*own, *position.keys))}")
    head = {key: data[key] for key in own if key in data}
    validate(Keys(own, required=("version", "move")), head)
    if data["version"] > VERSION:
        problem = f"{data['version']} is of a later companion, this one reads up to {VERSION}: update it"
        raise NotationError(("version",), problem)
    printed = with_spirits(overlaid(cards, data.get("cards", {})), data.get("spirits", {}))
    start = position_from({key: part for key, part in data.items() if key not in own}, printed)
    moves = tuple(_move(part, i, printed) for i, part in enumerate(data["move"]))
    return SavedGame(data.get("title", ""), printed, start, moves)


def _move(part: Mapping[str, Any], index: int, cards: Catalogue) -> Recorded:
    where: Path = ("move", index)
    if ("do" in part) == ("set" in part):
        raise NotationError(where, "must have either do or set")
    keys = position_keys(cards)
    for key in ("set", "after"):
        if key in part:
            validate(keys, part[key], (*where, key), partial=True)
    if "set" in part:
        return Recorded(Adjust(part_from(part["set"])), part.get("after"))
    try:
        return Recorded(action_from(part["do"], cards), part.get("after"))
    except NotationError as e:
        raise NotationError((*where, "do", *e.path), e.problem) from e


# Writing


def game_text(
    title: str, start: Position, steps: Iterable[Action], pack: Mapping[str, Mapping[str, Any]] | None = None
) -> str:
    """Write a game as the text of a file.

    Args:
        title: for people.
        start: where it began.
        steps: what was done, in order.
        pack: the table's own card values, by title, which the game needs to be replayed.
    """
    return line_text(title, position_to(start), map(action_to, steps), pack=pack)


def line_text(
    title: str,
    start: Mapping[str, Any],
    dos: Iterable[Mapping[str, Any]],
    *,
    pack: Mapping[str, Mapping[str, Any]] | None = None,
    after: Mapping[str, Any] | None = None,
) -> str:
    """Write a game that is in the keys of a file already; `after` is what must be there at its end."""
    head = f"title = {_value(title)}\nversion = {VERSION}\n"
    cards = {"cards": pack} if pack else {}
    moves = [f"[[move]]\ndo = {_value(do)}\n" for do in dos]
    if not moves:
        head += "move = []\n"
    elif after is not None:
        moves[-1] += f"after = {_value(after)}\n"
    return "\n".join((head + position_text({**start, **cards}), *moves))


def position_text(data: Mapping[str, Any]) -> str:
    """Write the keys of a position as TOML, a player and a card in a table of their own."""
    lines = [
        f"{_key(key)} = {_value(value)}" for key, value in data.items() if not isinstance(value, Mapping)
    ]
    for key, table in data.items():
        if not isinstance(table, Mapping) or not table:
            continue
        if key in ("players", "cards"):
            for name, part in table.items():
                lines += ["", f"[{key}.{_key(name)}]", *_pairs(part)]
        else:
            lines += ["", f"[{_key(key)}]", *_pairs(table)]
    return "\n".join(lines) + "\n"


def _pairs(table: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_value(value)}" for key, value in table.items()]


def _key(name: str) -> str:
    return name if name and dotted((name,)) == name else _text(name)


def _text(value: str) -> str:
    """Write a basic string; whatever TOML does not allow in one as an escape."""
    escaped = "".join(f"\\{c}" if c in '"\\' else c if c.isprintable() else f"\\U{ord(c):08x}" for c in value)
    return f'"{escaped}"'


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(_pairs(value)) + " }" if value else "{}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    return shown(value)
