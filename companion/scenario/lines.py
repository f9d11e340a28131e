"""Where the keys of a TOML text stand: tomllib tells values, not lines."""

import re
import tomllib
from typing import Final

from companion.scenario.errors import Path

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_BLANK: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE: Final = re.compile(r"[ \t]*")
_SCALAR: Final = re.compile(r"[^,\]}\n#]*")
_KEY_STRING: Final = re.compile(r'"(?:\\.|[^"\\])*"|\'[^\']*\'')
_STRINGS: Final = (
    re.compile(r'"""(?:\\.|[^\\])*?"""(?:"{0,2})', re.DOTALL),
    re.compile(r"'''.*?'''(?:'{0,2})", re.DOTALL),
    _KEY_STRING,
)
"""The kinds of string, the long ones first."""


def line_of(text: str, path: Path) -> int:
    """Find the line on which a key is set, counted from 1.

    Args:
        text: a whole TOML text that tomllib accepts.
        path: keys, and indices from 0 for arrays of tables and lists.

    Returns:
        The line of the key, or of the nearest table around it that the text names; 1 where there is none.
    """
    scanner = _Scanner(text, path)
    try:
        starts = scanner.scan()
    except RecursionError:
        # Nested about as deeply as tomllib can read: what was found up to there has to do.
        starts = scanner.starts
    for length in range(len(path), 0, -1):
        if path[:length] in starts:
            return text.count("\n", 0, starts[path[:length]]) + 1
    return 1


class _Scanner:
    """Goes through a valid TOML text until a key is found, and notes where each key stands first."""

    def __init__(self, text: str, wanted: Path) -> None:
        self.text = text
        self.wanted = wanted
        self.at = 0
        self.starts: dict[Path, int] = {}
        self.tables: dict[Path, int] = {}
        """Index of the last table of each array of tables."""

    def scan(self) -> dict[Path, int]:
        here: Path = ()
        self._skip(_BLANK)
        while self.at < len(self.text) and self.wanted not in self.starts:
            if self.text[self.at] == "[":
                here = self._header()
            else:
                self._assignment(here)
            self._skip(_BLANK)
        return self.starts

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def _header(self) -> Path:
        array = self.text.startswith("[[", self.at)
        start = self.at
        self.at += 2 if array else 1
        path: Path = ()
        parts = self._keys()
        for i, part in enumerate(parts):
            path = (*path, part)
            self.starts.setdefault(path, start)
            last = i == len(parts) - 1
            if last and array:
                self.tables[path] = self.tables.get(path, -1) + 1
            if path in self.tables:
                path = (*path, self.tables[path])
                self.starts.setdefault(path, start)
        self.at += 2 if array else 1
        return path

    def _assignment(self, here: Path) -> None:
        start = self.at
        keys = self._keys()
        for length in range(1, len(keys) + 1):
            self.starts.setdefault((*here, *keys[:length]), start)
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
        match = _BARE.match(self.text, self.at) or _KEY_STRING.match(self.text, self.at)
        if match is None:
            return ""
        self.at = match.end()
        key = match.group()
        if not key.startswith(('"', "'")):
            return key
        return str(tomllib.loads(f"key = {key}")["key"]) if "\\" in key else key[1:-1]

    def _string(self) -> bool:
        for pattern in _STRINGS:
            match = pattern.match(self.text, self.at)
            if match is not None:
                self.at = match.end()
                return True
        return False

    def _value(self, path: Path) -> None:
        if self.text.startswith("[", self.at):
            self._items(path)
        elif self.text.startswith("{", self.at):
            self._inline_table(path)
        elif not self._string():
            start = self.at
            self._skip(_SCALAR)
            self.at = max(self.at, start + 1)

    def _items(self, path: Path) -> None:
        self.at += 1
        index = 0
        self._skip(_BLANK)
        while self.at < len(self.text) and not self.text.startswith("]", self.at):
            self.starts.setdefault((*path, index), self.at)
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
