"""What can go wrong for people while scanning.

CompanionError (companion.errors)
└── ScanError (RuntimeError)   the table's broker refuses, or the table can't be read at all
"""

from companion.errors import CompanionError


class ScanError(CompanionError, RuntimeError):
    """A table can't be scanned; the line names the place and the mend."""
