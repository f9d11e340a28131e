"""Comparing what a file says about the position afterwards with the position there is."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from companion.rules.position import EMPTY_ROW, HIDDEN, Position
from companion.scenario.errors import Path, dotted
from companion.scenario.notation import position_to

_BAGS: Final = ("hand", "ambition_used", "deck")
"""Lists in which only what they hold counts, not the order."""

_NOTHING_THERE: Final = ("slots", "fortresses")
"""Tables in which `{}` says that nothing is there."""


def differences(after: Mapping[str, Any], position: Position) -> tuple[str, ...]:
    """Return what is otherwise than stated, each as "key: stated, not found"; empty where all agrees.

    Args:
        after: part of a position, in its keys; what it does not name is not compared.
        position: the whole one.
    """
    return tuple(_differences(after, position_to(position), ()))


def _differences(stated: Mapping[str, Any], found: Mapping[str, Any], path: Path) -> Iterator[str]:
    for key, value in stated.items():
        here = (*path, key)
        there = found.get(key, _absent(here))
        if isinstance(value, Mapping):
            yield from _compare_tables(value, there, here)
        elif _normal(key, value) != _normal(key, there):
            yield f"{dotted(here)}: {_shown(value)} expected, {_shown(there)} found"


def _compare_tables(value: Mapping[str, Any], there: Any, here: Path) -> Iterator[str]:
    if len(here) == 2 and here[0] in _NOTHING_THERE and bool(value) != bool(there):
        yield f"{dotted(here)}: {_shown(value)} expected, {_shown(there)} found"
    else:
        yield from _differences(value, there or {}, here)


def _absent(path: Path) -> Any:
    """Return what a key means that a position leaves out."""
    if len(path) == 4 and path[2] == "vibes":
        return list(EMPTY_ROW)
    return [] if path[-1] == "pending" else None


def _normal(key: str, value: Any) -> Any:
    if value == HIDDEN:
        # A title that nobody knows is left out of a position.
        return None
    return sorted(value) if key in _BAGS and isinstance(value, list) else value


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{k} = {_shown(v)}" for k, v in value.items()) + " }" if value else "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return "[" + ", ".join(_shown(item) for item in value) + "]"
    if isinstance(value, str):
        return f'"{value}"'
    return "nothing" if value is None else str(value)
