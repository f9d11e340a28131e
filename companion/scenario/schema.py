"""What a table of keys may hold, stated as data and checked with the path of the first fault."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from companion.scenario.errors import NotationError, Path, shown

MOST: Final = 999_999
"""No number of a game comes near it; what is larger is a slip, and would not fit on a screen."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value."""

    fits: Callable[[Any], bool]
    expected: str
    """What it must be, for people."""


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list whose items are all of one kind."""

    item: "Node"
    length: int | None = None
    least: int = 0


@dataclass(frozen=True, slots=True)
class Keys:
    """A table with known keys."""

    keys: Mapping[str, "Node"]
    required: tuple[str, ...] = ()
    """Keys that a whole table needs; a part of one (`after`) may leave them out."""


@dataclass(frozen=True, slots=True)
class Named:
    """A table whose keys are names."""

    value: "Node"
    names: tuple[str, ...] | None = field(default=None)
    """The names there are; None: any."""
    what: str = "name"
    """What the names name."""


Node = Leaf | ListOf | Keys | Named


def one_of(names: Iterable[str]) -> Leaf:
    """Return the leaf for one of a few names."""
    known = tuple(names)
    listed = ", ".join(name or '""' for name in known)
    return Leaf(lambda value: isinstance(value, str) and value in known, f"one of {listed}")


def a(what: str, names: Iterable[str]) -> Leaf:
    """Return the leaf for a name out of many, said as `what`."""
    known = frozenset(names)
    return Leaf(lambda value: isinstance(value, str) and value in known, what)


def whole(least: int = 0, most: int = MOST) -> Leaf:
    """Return the leaf for a whole number; true and false are none."""
    return Leaf(
        lambda value: type(value) is int and least <= value <= most, f"a whole number from {least} to {most}"
    )


TEXT = Leaf(lambda value: isinstance(value, str) and value != "", "a text")
FLAG = Leaf(lambda value: isinstance(value, bool), "true or false")


def validate(node: Node, value: Any, path: Path = (), *, partial: bool = False) -> None:
    """Check a value and all below it.

    Args:
        node: what it must be.
        value: what it is.
        path: where it stands.
        partial: whether it states a part only, so that required keys may be missing.

    Raises:
        NotationError: the first fault.
    """
    if isinstance(node, Leaf):
        if not node.fits(value):
            raise NotationError(path, f"{shown(value)} is not {node.expected}")
    elif isinstance(node, ListOf):
        _validate_list(node, value, path, partial=partial)
    elif isinstance(node, Keys):
        _validate_keys(node, _table(value, path), path, partial=partial)
    else:
        for name, item in _table(value, path).items():
            if node.names is not None and name not in node.names:
                raise NotationError((*path, name), f"no such {node.what}; there are {', '.join(node.names)}")
            validate(node.value, item, (*path, name), partial=partial)


def _table(value: Any, path: Path) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise NotationError(path, f"{shown(value)} is not a table")
    return value


def _validate_list(node: ListOf, value: Any, path: Path, *, partial: bool) -> None:
    if not isinstance(value, list | tuple):
        raise NotationError(path, f"{shown(value)} is not a list")
    if node.length is not None and len(value) != node.length:
        raise NotationError(path, f"must have {node.length} items, not {len(value)}")
    if len(value) < node.least:
        raise NotationError(path, "must not be empty")
    for i, item in enumerate(value):
        validate(node.item, item, (*path, i), partial=partial)


def _validate_keys(node: Keys, value: Mapping[str, Any], path: Path, *, partial: bool) -> None:
    for name, item in value.items():
        if name not in node.keys:
            raise NotationError((*path, name), f"unknown key; known are {', '.join(node.keys)}")
        validate(node.keys[name], item, (*path, name), partial=partial)
    if partial:
        return
    for name in node.required:
        if name not in value:
            raise NotationError((*path, name), "is missing")
