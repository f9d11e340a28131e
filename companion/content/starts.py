"""Positions to begin with: scenario files whose tries, if any, show what to do there."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from companion.content.errors import ContentError
from companion.content.tables import data_folder, read_toml


@dataclass(frozen=True, slots=True)
class Start:
    """A named starting position."""

    name: str
    """The file's name without its ending, such as `empower-example`."""
    title: str
    """For people."""
    data: Mapping[str, Any]
    """The position in the keys of the contracts' section 3."""


@cache
def starts() -> Mapping[str, Start]:
    """Return the starting positions by name.

    Raises:
        ContentError: a file can't be read or has no title.
    """
    found = {}
    folder = data_folder() / "starts"
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if not file.name.endswith(".toml"):
            continue
        data = read_toml(file)
        title = data.pop("title", None)
        if not isinstance(title, str):
            raise ContentError(f"starts/{file.name}", "title", "must be a text")
        for key in ("source", "try"):
            data.pop(key, None)
        name = file.name.removesuffix(".toml")
        found[name] = Start(name, title, MappingProxyType(data))
    return MappingProxyType(found)
