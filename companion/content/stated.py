"""Tables of powers and Spirit boards, read key by key with the place of every fault."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

Path = tuple[str | int, ...]
Name = TypeVar("Name", bound=str)

MOST: Final = 99
"""No amount on a card comes near it."""


class PowerError(ValueError):
    """A power, or a Spirit board, does not say what it should.

    Attributes:
        path: where below it the value at fault stands.
        problem: what is wrong with it, and what it should be.
    """

    def __init__(self, path: Path, problem: str) -> None:
        self.path = path
        self.problem = problem
        super().__init__(problem)


@dataclass(frozen=True, slots=True)
class Stated:
    """One table, and where below the power or the Spirit board it stands."""

    data: Mapping[str, Any]
    path: Path

    def wrong(self, key: str, problem: str) -> PowerError:
        """Return the error for a value of this table."""
        return PowerError((*self.path, key), problem)

    def only(self, *keys: str) -> None:
        """Refuse keys that this table can't have.

        Raises:
            PowerError: the first unknown key. The methods below raise it where a value is not as they say.
        """
        for key in self.data:
            if key not in keys:
                raise self.wrong(key, f"unknown key; known are {', '.join(keys)}")

    def text(self, key: str) -> str | None:
        """Return an optional text."""
        if key not in self.data:
            return None
        value = self.data[key]
        if not isinstance(value, str) or not value:
            raise self.wrong(key, "must be a text")
        return value

    def one(self, key: str, among: Iterable[Name], default: Name | None = None) -> Name:
        """Return one of a few names; required where there is no default."""
        known = tuple(among)
        if key not in self.data and default is not None:
            return default
        found = next((name for name in known if name == self.data.get(key)), None)
        if found is None:
            raise self.wrong(key, f"must be one of {', '.join(known)}")
        return found

    def many(self, key: str, among: Iterable[str], default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """Return some of a few names, none twice; required where there is no default."""
        known = tuple(among)
        if key not in self.data and default is not None:
            return default
        value = self.data.get(key)
        named = value if isinstance(value, list) else []
        if not named or any(item not in known for item in named) or len(set(named)) < len(named):
            raise self.wrong(key, f"must be a list of some of {', '.join(known)}")
        return tuple(named)

    def number(self, key: str, least: int = 0, most: int = MOST, default: int | None = 0) -> int:
        """Return a whole number; required where the default is None."""
        if key not in self.data and default is not None:
            return default
        value = self.data.get(key)
        if type(value) is not int or not least <= value <= most:
            raise self.wrong(key, f"must be a whole number from {least} to {most}")
        return value

    def flag(self, key: str, *, default: bool) -> bool:
        """Return true or false."""
        value = self.data.get(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, "must be true or false")
        return value

    def tables(self, key: str) -> "list[Stated]":
        """Return the tables of a required list."""
        value = self.data.get(key)
        if not isinstance(value, list) or not value or not all(isinstance(item, Mapping) for item in value):
            raise self.wrong(key, "must be a list of tables")
        return [Stated(item, (*self.path, key, i)) for i, item in enumerate(value)]
