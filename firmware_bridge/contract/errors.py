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
    """A table file that can't be used.

    Args:
        file: the file.
        where: a key such as `node[2].reader[1].gain`, a `line 7`, or empty for the file as a whole.
        problem: what is wrong and how to mend it.
    """

    def __init__(self, file: Path, where: str, problem: str) -> None:
        super().__init__(f"{file}: {where}: {problem}" if where else f"{file}: {problem}")
        self.file = file
        self.where = where
        self.problem = problem
