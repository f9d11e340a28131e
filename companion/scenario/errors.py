"""Errors of companion.scenario.

AnyScenarioError
├── NotationError (ValueError)     a position or an action that does not say what it should
└── ScenarioError (ValueError)     a scenario file that can't be used
"""

import re

Path = tuple[str | int, ...]
"""Where a value stands: keys, and indices of lists from 0."""

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")


def dotted(path: Path) -> str:
    """Write a path as TOML does: `slots."valley.1".essence`; the second item of a list is `[2]`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part + 1}]"
            continue
        key = part if _BARE_KEY.fullmatch(part) else f'"{part}"'
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
