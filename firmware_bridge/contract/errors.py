"""What can go wrong where the bus is met.

ContractError
├── TopicError          (ValueError)  a name that can't stand in a topic
├── MessageError        (ValueError)  a payload that can't be used
├── BrokerUrlError      (ValueError)  an address of a broker that can't be used
└── TableFileError      (ValueError)  a table file that can't be used
"""

from pathlib import Path


class ContractError(Exception):
    """Base of all errors of this package; its text is one line for people."""


class TopicError(ContractError, ValueError):
    """A name that can't stand in a topic."""


class MessageError(ContractError, ValueError):
    """A payload that can't be used.

    Args:
        path: where in the payload, like `tags[0]`; empty for the payload as a whole.
        problem: what is wrong there and what is expected.
    """

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}" if path else problem)
        self.path = path
        self.problem = problem


class BrokerUrlError(ContractError, ValueError):
    """An address of a broker that can't be used. Its text never holds the password."""


class TableFileError(ContractError, ValueError):
    """A table file, or a file that it names, that can't be used.

    Args:
        file: the file.
        where: a key, with the section it stands in; empty for the file as a whole.
        problem: what is wrong and how to mend it.
        line: number of the line from 1, where it is known.
    """

    def __init__(self, file: Path, where: str, problem: str, *, line: int | None = None) -> None:
        place = f"{file}:{line}" if line is not None else str(file)
        super().__init__(f"{place}: {where}: {problem}" if where else f"{place}: {problem}")
        self.file = file
        self.where = where
        self.problem = problem
        self.line = line
