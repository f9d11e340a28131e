"""What the commands on positions share: exit statuses, the printed values, lines that any output can take."""

from pathlib import Path
from typing import Final, TextIO

from companion.content import ContentError, catalogue
from companion.rules.cards import Catalogue
from companion.scenario.errors import ScenarioError
from companion.scenario.files import Scenario, read_scenario

DONE: Final = 0
FAILED: Final = 1
UNUSABLE: Final = 2


def printed_values(err: TextIO) -> Catalogue | None:
    """Return the card data; None, once said why, where it can't be used."""
    try:
        return catalogue()
    except ContentError as e:
        err.write(f"{e}; install the companion again\n")
        return None


def usable_scenario(path: str | Path, err: TextIO) -> Scenario | None:
    """Read a scenario file; None, once said why, where it or the card data can't be used."""
    cards = printed_values(err)
    if cards is None:
        return None
    try:
        return read_scenario(str(path), cards)
    except ScenarioError as e:
        err.write(f"{e}\n")
        return None


def say(out: TextIO, line: str) -> None:
    """Write a line, letters that the output's encoding lacks as escapes."""
    encoding = out.encoding or "utf-8"
    out.write(line.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def counted(number: int, one: str, many: str) -> str:
    """Return a number with its noun."""
    return f"{number} {one if number == 1 else many}"
