"""Where the keys of a TOML text stand: tomllib tells values, not lines."""

import re
from typing import Final

from companion.scenario.errors import Path

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_BLANK: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE: Final = re.compile(r"[ \t]*")
_SCALAR: Final = re.compile(r"[^,\]}\n#]*")
_STRINGS: Final = (
    re.compile(r'"""(?:\\.|[^\\])*?"""(?:"{0,2})', re.DOTALL),
    re.compile(r"'''.*?'''(?:'{0,2})", re.DOTALL),
    re.compile(r'"((?:\\.|[^"\\])*)"'),
    re.compile(r"'([^']*)'"),
)
"""The four kinds of string, the long ones first."""


def line_of(text: str, path: Path) -> int:
    """Find the line on which a key is set, counted from 1.

    Args:
        text: a whole TOML text that tomllib accepts.
        path: keys, and indices from 0 for arrays of tables and lists.

    Returns:
        The line of the key, or of the nearest table around it that the text names; 1 where there is none.
    """
    lines = _Scanner(text).scan()
    for length in range(len(path), 0, -1):
        if path[:length] in lines:
            return lines[path[:length]]
    return 1


class _Scanner:
    """Goes through a valid TOML text once and notes each key's first line."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Path, int] = {}
        self.tables: dict[Path, int] = {}
        """Index of the last table of each array of tables."""

    def scan(self) -> dict[Path, int]:
        here: Path = ()
        self._skip(_BLANK)
        while self.at < len(self.text):
            here = self._header() if self.text[self.at] == "[" else self._setting(here)
            self._skip(_BLANK)
        return self.lines

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def _note(self, path: Path, at: int) -> None:
        if path not in self.lines:
            self.lines[path] = self.text.count("\n", 0, at) + 1

    def _header(self) -> Path:
        array = self.text.startswith("[[", self.at)
        start = self.at
        self.at += 2 if array else 1
        path: Path = ()
        parts = self._keys()
        for i, part in enumerate(parts):
            path = (*path, part)
            self._note(path, start)
            last = i == len(parts) - 1
            if last and array:
                self.tables[path] = self.tables.get(path, -1) + 1
            if path in self.tables:
                path = (*path, self.tables[path])
                self._note(path, start)
        self.at += 2 if array else 1
        return path

    def _setting(self, here: Path) -> Path:
        self._assignment(here)
        return here

    def _assignment(self, here: Path) -> None:
        start = self.at
        keys = self._keys()
        for length in range(1, len(keys) + 1):
            self._note((*here, *keys[:length]), start)
        self.at += 1
        self._skip(_SPACE)
        self._value((*here, *keys))

    def _keys(self) -> Path:
        """Read a dotted key and stop at what follows it."""
        keys: list[str] = []
        while True:
            self._skip(_SPACE)
            keys.append(self._key())
            self._skip(_SPACE)
            if self.text[self.at : self.at + 1] != ".":
                return tuple(keys)
            self.at += 1

    def _key(self) -> str:
        match = _BARE.match(self.text, self.at)
        if match is None:
            quoted = self._string()
            return "" if quoted is None else quoted
        self.at = match.end()
        return match.group()

    def _string(self) -> str | None:
        for pattern in _STRINGS:
            match = pattern.match(self.text, self.at)
            if match is not None:
                self.at = match.end()
                return match.group(1) if match.groups() else match.group()
        return None

    def _value(self, path: Path) -> None:
        if self.text.startswith("[", self.at):
            self._items(path)
        elif self.text.startswith("{", self.at):
            self._inline_table(path)
        elif self._string() is None:
            start = self.at
            self._skip(_SCALAR)
            self.at = max(self.at, start + 1)

    def _items(self, path: Path) -> None:
        self.at += 1
        index = 0
        self._skip(_BLANK)
        while self.at < len(self.text) and not self.text.startswith("]", self.at):
            self._note((*path, index), self.at)
            self._value((*path, index))
            index += 1
            self._past_comma()
        self.at += 1

    def _inline_table(self, path: Path) -> None:
        self.at += 1
        self._skip(_BLANK)
        while self.at < len(self.text) and not self.text.startswith("}", self.at):
            self._assignment(path)
            self._past_comma()
        self.at += 1

    def _past_comma(self) -> None:
        self._skip(_BLANK)
        if self.text.startswith(",", self.at):
            self.at += 1
            self._skip(_BLANK)
