"""Reads the values of a TOML file one by one, and says where in the file a wrong one stands."""

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NoReturn

from firmware_bridge.contract.errors import TableFileError

_HEADER: Final = re.compile(r"\s*\[{1,2}\s*([\w.\- ]+?)\s*\]{1,2}\s*(?:#.*)?")
_TOML_LINE: Final = re.compile(r"\(at line (\d+), column \d+\)")


@dataclass(frozen=True, slots=True)
class Section:
    """One table of a TOML file.

    Args:
        file: the file.
        lines: its text.
        data: the keys and values of this table.
        name: how people find it, like `node "pads"`; empty for the top of the file.
        first: the index in `lines` of the first line below its header; None where it has no header line.
    """

    file: Path
    lines: tuple[str, ...]
    data: Mapping[str, Any]
    name: str = ""
    first: int | None = 0
    _used: set[str] = field(default_factory=set)

    def fail(self, key: str, problem: str) -> NoReturn:
        """Raise a TableFileError about `key`, or about the whole section where `key` is empty."""
        where = ": ".join(part for part in (self.name, key) if part)
        raise TableFileError(self.file, where, problem, line=self._line(key))

    def has(self, key: str) -> bool:
        """Tell whether the key is there."""
        return key in self.data

    def text(self, key: str, *, secret: bool = False) -> str:
        """Return a text that is not empty; the key must be there. A secret is not repeated in the error."""
        value = self._value(key, None)
        if not isinstance(value, str) or not value.strip():
            found = "" if secret else f", is {_shown(value)}"
            self.fail(key, f"must be a text in quotes that is not empty{found}")
        return value

    def choice(self, key: str, choices: Collection[str], default: str | None = None) -> str:
        """Return one of `choices`."""
        value = self._value(key, default)
        if not isinstance(value, str) or value not in choices:
            self.fail(key, f"must be one of {', '.join(choices)}; is {_shown(value)}")
        return value

    def number(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """Return a whole number from `low` to `high`."""
        value = self._value(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.fail(key, f"must be a whole number from {low} to {high}, is {_shown(value)}")
        return value

    def seconds(self, key: str, low: float, high: float) -> float:
        """Return a number of seconds from `low` to `high`; the key must be there."""
        value = self._value(key, None)
        if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
            self.fail(key, f"must be seconds from {low:g} to {high:g}, is {_shown(value)}")
        return float(value)

    def table(self, key: str) -> "Section":
        """Return the table below `[key]`, an empty one if it is missing."""
        value = self._value(key, {})
        if not isinstance(value, dict):
            self.fail(key, f"must be a table, written [{key}], is {_shown(value)}")
        return Section(self.file, self.lines, value, f"[{key}]", self._below(key, 0))

    def tables(self, key: str, header: str) -> list["Section"]:
        """Return the tables below each `[[header]]`, unnamed as yet; none if the key is missing."""
        value = self._value(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            self.fail(key, f"must be tables, each written [[{header}]], is {_shown(value)}")
        return [
            Section(self.file, self.lines, entry, f"{header} {i + 1}", self._below(header, i))
            for i, entry in enumerate(value)
        ]

    def named(self, name: str) -> "Section":
        """Return the same section under a name that people know."""
        return Section(self.file, self.lines, self.data, name, self.first, self._used)

    def end(self) -> None:
        """Refuse the keys that nobody has asked for."""
        for key in self.data:
            if key not in self._used:
                meant = get_close_matches(key, self._used, n=1)
                hint = f"write {meant[0]}" if meant else f"known are {', '.join(sorted(self._used))}"
                self.fail(key, f"is not known here; {hint}")

    def _value(self, key: str, default: Any) -> Any:
        self._used.add(key)
        if key in self.data:
            return self.data[key]
        if default is None:
            meant = get_close_matches(key, self.data, n=1)
            self.fail("", f"{key} is missing: " + (f"write it in place of {meant[0]}" if meant else "add it"))
        return default

    def _below(self, header: str, skip: int) -> int | None:
        """Find the line below a header, `skip` headers of that name further than the first one from here."""
        for i in range(self.first or 0, len(self.lines)):
            match = _HEADER.fullmatch(self.lines[i])
            if match and match[1].replace(" ", "") == header:
                if skip == 0:
                    return i + 1
                skip -= 1
        return None

    def _line(self, key: str) -> int | None:
        """Return the number, from 1, of the line that a key of this section stands in, or of its header."""
        if self.first is None:
            return None
        wanted = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]")
        inside = True
        for i in range(self.first, len(self.lines)):
            header = _HEADER.fullmatch(self.lines[i])
            inside = inside and not header
            if key and ((inside and wanted.match(self.lines[i])) or (header and header[1].strip() == key)):
                return i + 1
            if not inside and self.name:
                break
        return self.first or None


def read_toml(file: Path) -> Section:
    """Read a TOML file.

    Raises:
        TableFileError: it can't be read, or is no TOML.
    """
    try:
        text = file.read_bytes().decode("utf-8")
        data = tomllib.loads(text)
    except OSError as error:
        raise TableFileError(file, "", f"can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise TableFileError(file, "", f"not UTF-8 at byte {error.start}: save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        found = _TOML_LINE.search(str(error))
        problem = f"not TOML: {_TOML_LINE.sub('', str(error)).strip()}"
        raise TableFileError(file, "", problem, line=int(found[1]) if found else None) from error
    return Section(file, tuple(text.splitlines()), data)


def _shown(value: object) -> str:
    if isinstance(value, str):
        return f'"{value[:40]}"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, dict):
        return "a table"
    return "a list" if isinstance(value, list) else "a date or time"
