"""Errors of companion.scenario.

AnyScenarioError
├── NotationError (ValueError)     a position or an action that does not say what it should
└── ScenarioError (ValueError)     a scenario file that can't be used
"""

import json
import re
from collections.abc import Mapping
from typing import Final

Path = tuple[str | int, ...]
"""Where a value stands: keys, and indices of lists from 0."""

_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_MOST_SHOWN: Final = 60
"""Characters of a value or key that an error shows: it stays one readable line."""
_MOST_BITS: Final = 200
"""Longer numbers are not written out."""


def _quoted(text: str) -> str:
    """Write a text as TOML does, on one line, shortened where it is long."""
    if len(text) > _MOST_SHOWN:
        text = text[:_MOST_SHOWN] + "…"
    return json.dumps(text, ensure_ascii=not text.isprintable())


def shown(value: object) -> str:
    """Write a value as TOML does, as far as an error needs it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return "a number that long"
    return str(value)


def one_line(text: str) -> str:
    """Return a text with whatever would break the line, or can't be printed, as escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def dotted(path: Path) -> str:
    """Write a path as TOML does: `slots."valley.1".essence`; the second item of a list is `[2]`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part + 1}]"
            continue
        key = part if len(part) <= _MOST_SHOWN and _BARE_KEY.fullmatch(part) else _quoted(part)
        text += f".{key}" if text else key
    return text


class AnyScenarioError(Exception):
    """Base of what can be wrong with a scenario."""


class NotationError(AnyScenarioError, ValueError):
    """A position or an action in the keys of the contracts' section 3 is not usable.

    Attributes:
        path: where the value at fault stands.
        key: the same, dotted.
        problem: what is wrong with it, and what it should be.
    """

    def __init__(self, path: Path, problem: str) -> None:
        self.path = path
        self.key = dotted(path)
        self.problem = problem
        super().__init__(f"{self.key}: {problem}" if self.key else problem)


class ScenarioError(AnyScenarioError, ValueError):
    """A scenario file can't be used.

    Attributes:
        file: as it was named.
        line: 1 for the first, None where the file as a whole is at fault.
        key: dotted path of the value at fault, "" where there is none.
        problem: what is wrong, and what it should be.
    """

    def __init__(self, file: str, line: int | None, key: str, problem: str) -> None:
        self.file = file
        self.line = line
        self.key = key
        self.problem = problem
        where = file if line is None else f"{file}:{line}"
        super().__init__(": ".join(part for part in (where, key, problem) if part))
