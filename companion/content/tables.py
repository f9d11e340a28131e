"""Reading a data file table by table, with the file and the key named in every complaint."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from companion.content.errors import ContentError

CONFIDENCES = ("sure", "likely", "unsure")
"""How far a record's values can be trusted; cards.toml explains them."""


def data_folder() -> Traversable:
    """Return the folder of the data files, wherever the package is installed."""
    return files("companion.content")


def read_toml(file: Traversable) -> dict[str, Any]:
    """Parse a data file.

    Raises:
        ContentError: it is not there, not UTF-8 or not TOML.
    """
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as e:
        raise ContentError(file.name, "whole file", str(e)) from e


@dataclass(frozen=True, slots=True)
class Record:
    """One table of a data file, and where it stands."""

    file: str
    key: str
    data: dict[str, Any]

    def wrong(self, key: str, problem: str) -> ContentError:
        """Return the error for a value of this table."""
        return ContentError(self.file, f"{self.key}.{key}", problem)

    def only(self, *keys: str) -> None:
        """Refuse keys that a record of this kind does not have.

        Raises:
            ContentError: the first unknown key.
        """
        for key in self.data:
            if key not in keys:
                raise self.wrong(key, f"unknown key; known are {', '.join(keys)}")

    def text(self, key: str, among: tuple[str, ...] = ()) -> str:
        """Return a required text, one of `among` where that names any.

        Raises:
            ContentError: missing, or not such a text.
        """
        value = self.data.get(key)
        if not isinstance(value, str) or not value:
            raise self.wrong(key, "must be a text")
        if among and value not in among:
            raise self.wrong(key, f"{value!r} is not one of {', '.join(among)}")
        return value

    def text_or_none(self, key: str, among: tuple[str, ...] = ()) -> str | None:
        """Return an optional text, or None where the key is left out.

        Raises:
            ContentError: it is there and not such a text.
        """
        return self.text(key, among) if key in self.data else None

    def number(self, key: str, least: int = 0) -> int:
        """Return a required whole number of at least `least`.

        Raises:
            ContentError: missing, or not such a number.
        """
        value = self.data.get(key)
        if type(value) is not int or value < least:
            raise self.wrong(key, f"must be a whole number of at least {least}")
        return value

    def number_or_none(self, key: str, least: int = 0) -> int | None:
        """Return an optional whole number, or None where the key is left out.

        Raises:
            ContentError: it is there and not such a number.
        """
        return self.number(key, least) if key in self.data else None

    def flag(self, key: str) -> bool:
        """Return a required true or false.

        Raises:
            ContentError: missing, or neither.
        """
        value = self.data.get(key)
        if not isinstance(value, bool):
            raise self.wrong(key, "must be true or false")
        return value

    def numbers_or_none(self, key: str) -> tuple[int, ...] | None:
        """Return an optional list of whole numbers, none below 0.

        Raises:
            ContentError: it is there and not such a list.
        """
        if key not in self.data:
            return None
        value = self.data[key]
        if not isinstance(value, list) or not value or any(type(n) is not int or n < 0 for n in value):
            raise self.wrong(key, "must be a list of whole numbers")
        return tuple(value)

    def table(self, key: str) -> dict[str, Any]:
        """Return a required table.

        Raises:
            ContentError: missing, or no table.
        """
        value = self.data.get(key)
        if not isinstance(value, dict):
            raise self.wrong(key, "must be a table")
        return value

    def tables(self, key: str) -> list["Record"]:
        """Return the tables of an array of tables.

        Raises:
            ContentError: missing, or not such an array.
        """
        value = self.data.get(key)
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.wrong(key, "must be an array of tables")
        return [Record(self.file, f"{self.key}.{key}[{i + 1}]", item) for i, item in enumerate(value)]

    def sourced(self) -> None:
        """Check that the record says where it is from and how sure that is.

        Raises:
            ContentError: it does not.
        """
        self.text("source")
        self.text("confidence", CONFIDENCES)


def records(name: str) -> Iterator[tuple[str, Record]]:
    """Yield the records of a data file by name, each with its source checked.

    Raises:
        ContentError: the file can't be read, or a record is no table or has no source.
    """
    for key, value in read_toml(data_folder() / name).items():
        if not isinstance(value, dict):
            raise ContentError(name, key, "must be a table")
        record = Record(name, key, value)
        record.sourced()
        yield key, record
