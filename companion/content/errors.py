"""Errors of companion.content.

ContentError (ValueError)
"""


class ContentError(ValueError):
    """A data file of the game does not say what it should.

    Attributes:
        file: name of the data file.
        key: dotted path of the value at fault.
        problem: what is wrong with it, and what it should be.
    """

    def __init__(self, file: str, key: str, problem: str) -> None:
        self.file = file
        self.key = key
        self.problem = problem
        super().__init__(f"{file}: {key}: {problem}")
