"""What can go wrong between tags and pieces.

TableError              (a CompanionError: the text is meant for people)
├── ComponentError      no such component                         (ValueError)
└── RegistryError       the tag registry can't be used
    ├── TagListError    a CSV file of tags can't be used          (ValueError)
    └── RegistryNotSaved                                          (OSError)
"""

from pathlib import Path

from companion.errors import CompanionError


class TableError(CompanionError):
    """Anything that is wrong between tags and pieces."""


class ComponentError(TableError, ValueError):
    """A text that names no component."""

    def __init__(self, text: str, problem: str) -> None:
        self.text = text
        super().__init__(f"{text!r} {problem}")


class RegistryError(TableError):
    """The tag registry can't be used."""


class TagListError(RegistryError, ValueError):
    """A CSV file of tags can't be used; `problems` has a line for each fault, `file:line: what, mend`."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        self.problems = problems
        super().__init__("\n".join(problems))


class RegistryNotSaved(RegistryError, OSError):  # noqa: N818 - named for what is wrong
    """The registry could not be written; the old one stays as it was."""

    def __init__(self, path: Path, why: str) -> None:
        self.path = path
        super().__init__(
            f"{path}: the tags can't be saved here ({why}): "
            "free some space or choose another folder with --data"
        )
