"""Scenario files: one position and the tries on it, read with every fault named by file, line and key."""

import ast
import codecs
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from typing import Any, Final

from companion.content.powers import power_from
from companion.content.stated import PowerError
from companion.rules.actions import Action
from companion.rules.cards import Card, Catalogue
from companion.rules.effects import Power
from companion.rules.position import Position
from companion.scenario.errors import NotationError, Path, ScenarioError, dotted, one_line, shown
from companion.scenario.keys import CARD_PACK, position_keys
from companion.scenario.lines import line_of
from companion.scenario.notation import action_from, position_from
from companion.scenario.packs import SPIRIT_PACK, with_spirits
from companion.scenario.schema import TEXT, Keys, Leaf, ListOf, Named, Node, one_of, validate, whole

_EXPECTATIONS: Final = ("legal", "illegal", "unknown")
_TRY: Final = Keys(
    {
        "name": TEXT,
        "after_try": TEXT,
        "do": Leaf(lambda value: isinstance(value, dict), "a table"),
        "expect": one_of(_EXPECTATIONS),
        "rule": TEXT,
        "cost": Keys({"willpower": whole(), "essence": whole(), "ambition": whole()}),
        "missing": ListOf(TEXT),
        "after": Leaf(lambda value: isinstance(value, dict), "a table"),
    },
    required=("name", "do", "expect"),
)
MOST_BYTES: Final = 4_000_000
"""Thousands of tries fit in; what is larger is no scenario, and would take long to find that out."""

_LONG_NUMBER: Final = re.compile(r"\d{1000,}")
_DECLARED: Final = re.compile(r"\('.*'\)")
"""How tomllib names a key in its messages: as a tuple."""

_SYNTAX_PLACE: Final = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


@dataclass(frozen=True, slots=True)
class Try:
    """One action, and what the file says about it."""

    name: str
    do: Action
    expect: str
    """legal, illegal or unknown."""
    after_try: str | None = None
    """The try whose end is the start of this one; None: the file's position."""
    rule: str | None = None
    cost: Mapping[str, int] | None = None
    missing: tuple[str, ...] = ()
    after: Mapping[str, Any] | None = None
    """Part of the position afterwards, in the keys of a position; what is not legal changes nothing."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A usable scenario file."""

    file: str
    title: str
    cards: Catalogue
    """The printed values with the file's own laid over."""
    position: Position
    tries: tuple[Try, ...]


def read_scenario(file: str, cards: Catalogue) -> Scenario:
    """Read a scenario file.

    Args:
        file: path of the file, also as it is named in errors.
        cards: the printed values.

    Raises:
        ScenarioError: it can't be read, is no TOML, or does not say what it should.
    """
    return scenario_from(read_text(file, "scenario"), one_line(file), cards)


def read_text(file: str, kind: str) -> str:
    """Read a file of ours: UTF-8, a mark of the encoding and any line ends allowed, not endless.

    Args:
        file: path of the file, also as it is named in errors.
        kind: what it should be, for the error of a file that is too long: "scenario".

    Raises:
        ScenarioError: it can't be read, is too long, or is no text.
    """
    name = one_line(file)
    try:
        with FilePath(file).open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as e:
        raise ScenarioError(name, None, "", f"can't be read: {e.strerror}") from e
    except ValueError as e:
        raise ScenarioError(name, None, "", "can't be read: no file can have this path") from e
    if len(data) > MOST_BYTES:
        problem = f"is no {kind}: one has {MOST_BYTES // 1_000_000} million bytes at most"
        raise ScenarioError(name, None, "", problem)
    try:
        # The mark that some editors of Windows put before the text is not part of it.
        text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as e:
        line = e.object.count(b"\n", 0, e.start) + 1
        raise ScenarioError(name, line, "", "is not UTF-8 text") from e
    return text.replace("\r\n", "\n")


def scenario_from(text: str, file: str, cards: Catalogue) -> Scenario:
    """Make a scenario out of a file's text.

    Raises:
        ScenarioError: it is no TOML, or does not say what it should.
    """
    try:
        data = tomllib.loads(text)
    except ValueError as e:
        raise _syntax_error(str(e), text, file) from e
    except RecursionError as e:
        raise ScenarioError(file, None, "", "is nested too deeply") from e
    try:
        return _scenario(data, file, cards)
    except NotationError as e:
        raise ScenarioError(file, line_of(text, e.path), e.key, e.problem) from e


def _syntax_error(message: str, text: str, file: str) -> ScenarioError:
    if "int_max_str_digits" in message:
        number = _LONG_NUMBER.search(text)
        line = text.count("\n", 0, number.start()) + 1 if number else 1
        return ScenarioError(file, line, "", "a number with too many digits")
    place = _SYNTAX_PLACE.search(message)
    line = text.count("\n") + 1
    if place is not None:
        message = message[: place.start()]
        line = int(place.group(1) or line)
    return ScenarioError(file, line, "", f"is not TOML: {_plain(message)}")


def _plain(message: str) -> str:
    """Write a message of tomllib as ours are written: in one line, keys dotted."""
    named = _DECLARED.search(message)
    if named is not None:
        key = dotted(ast.literal_eval(named.group()))
        message = message[: named.start()] + key + message[named.end() :]
    return one_line(message[:1].lower() + message[1:])


def _file_keys(cards: Catalogue) -> Keys:
    position = position_keys(cards)
    own: dict[str, Node] = {
        "title": TEXT,
        "source": TEXT,
        "cards": Named(CARD_PACK, tuple(cards.cards), "card"),
        "spirits": Named(SPIRIT_PACK, tuple(cards.spirits), "Spirit"),
        "try": ListOf(_TRY),
    }
    return Keys({**own, **position.keys}, required=position.required)


def _scenario(data: dict[str, Any], file: str, cards: Catalogue) -> Scenario:
    known = _file_keys(cards)
    for key in data:
        if key not in known.keys:
            raise NotationError((key,), f"unknown key; known are {', '.join(known.keys)}")
    for key in ("title", "source", "cards", "spirits", "try"):
        if key in data:
            _validate_own(known.keys[key], data[key], key)
    printed = with_spirits(overlaid(cards, data.get("cards", {})), data.get("spirits", {}))
    position = position_from({key: data[key] for key in data if key in position_keys(cards).keys}, printed)
    tries = tuple(_try(part, i, position, printed) for i, part in enumerate(data.get("try", [])))
    _check_chain(tries)
    return Scenario(file, data.get("title", ""), printed, position, tries)


def _validate_own(node: Node, value: Any, key: str) -> None:
    if isinstance(node, Named) and isinstance(value, Mapping):
        for name in value:
            if node.names is not None and name not in node.names:
                raise NotationError((key, name), f"there is no such {node.what}")
    validate(node, value, (key,))


def overlaid(cards: Catalogue, pack: Mapping[str, Mapping[str, Any]]) -> Catalogue:
    """Lay the values of a card pack over the printed ones.

    Args:
        cards: the printed values.
        pack: by title, the keys of a card pack, checked already but for the powers.

    Raises:
        NotationError: a power does not say what it should; the path begins with `cards`.
    """
    if not pack:
        return cards
    changed = {name: _changed_card(cards.cards[name], values) for name, values in pack.items()}
    return replace(cards, cards={**cards.cards, **changed})


def _changed_card(card: Card, values: Mapping[str, Any]) -> Card:
    return replace(
        card,
        empower_threshold=values.get("empower_threshold", card.empower_threshold),
        intensity=tuple(values["intensity"]) if "intensity" in values else card.intensity,
        vibe=values.get("vibe", card.vibe),
        power=_power(card.name, values["power"]) if "power" in values else card.power,
    )


def _power(name: str, stated: object) -> Power:
    try:
        return power_from(stated)
    except PowerError as e:
        raise NotationError(("cards", name, "power", *e.path), e.problem) from e


def _try(part: Mapping[str, Any], index: int, position: Position, cards: Catalogue) -> Try:
    where: Path = ("try", index)
    try:
        action = action_from(part["do"], cards)
    except NotationError as e:
        raise NotationError((*where, "do", *e.path), e.problem) from e
    if action.player is not None:
        _check_player(action.player, position, (*where, "do", "player"))
    if "after" in part:
        _check_after(part["after"], position, cards, (*where, "after"))
    return Try(
        name=part["name"],
        do=action,
        expect=part["expect"],
        after_try=part.get("after_try"),
        rule=part.get("rule"),
        cost=part.get("cost"),
        missing=tuple(part.get("missing", ())),
        after=part.get("after"),
    )


def _check_player(name: str, position: Position, path: Path) -> None:
    if name not in position.players:
        raise NotationError(path, f"{shown(name)} is not among the players listed")


def _check_after(after: Mapping[str, Any], position: Position, cards: Catalogue, path: Path) -> None:
    validate(position_keys(cards), after, path, partial=True)
    for name in after.get("players", {}):
        _check_player(name, position, (*path, "players", name))
    player = after.get("turn", {}).get("player")
    if player is not None:
        _check_player(player, position, (*path, "turn", "player"))


def _check_chain(tries: tuple[Try, ...]) -> None:
    """Refuse doubled names, and tries that follow on none or on a later one."""
    earlier: set[str] = set()
    for i, one in enumerate(tries):
        if one.name in earlier:
            raise NotationError(("try", i, "name"), f"{shown(one.name)} is the name of an earlier try")
        if one.after_try is not None and one.after_try not in earlier:
            problem = f"no earlier try is named {shown(one.after_try)}"
            raise NotationError(("try", i, "after_try"), problem)
        earlier.add(one.name)
