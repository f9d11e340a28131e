"""What can go wrong for people in the companion, one clear line each.

    CompanionError (Exception)
    └── StartError (RuntimeError)   a part could not be started; the line names it and the mend

The packages below have their own trees, whose errors that people can cause derive from `CompanionError`.
"""


class CompanionError(Exception):
    """Base of every error whose text is meant for people: what is wrong, where, and the mend."""


class StartError(CompanionError, RuntimeError):
    """A part of the app could not be started."""
