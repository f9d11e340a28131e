"""Which light beside a space says what: red to take a piece off, amber to put one there, or to look."""

from collections.abc import Iterable, Mapping

from companion.table.layout import surplus
from companion.table.mends import Problem
from firmware_bridge.contract.messages import Colour


def lights(problems: Iterable[Problem]) -> Mapping[str, Colour]:
    """Return the lights that are on, by space, for what has to be put right.

    A piece that is to go elsewhere is red where it lies and amber where it belongs. What blocks nothing is
    amber at most; a reader in trouble has no light, for what lies there is not known.
    """
    found: dict[str, Colour] = {}
    for problem in problems:
        extra = surplus(problem.found, problem.expected)
        if problem.blocking:
            found[problem.space] = "red" if extra else "amber"
        elif extra:
            found.setdefault(problem.space, "amber")
    return found
