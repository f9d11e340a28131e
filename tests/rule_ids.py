"""Which rules marked sure no test names: `python -m tests.rule_ids`, or `make rules`.

A rule counts as named where its id stands in a test or a scenario file, or in the name of a test
(`test_r_abs_9_...`); what the test then does with it, a reader has to judge.
"""

import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, TextIO

REPOSITORY: Final = Path(__file__).parents[1]
SPECIFICATION: Final = REPOSITORY.parent / "shared" / "rules" / "core-rules.md"
"""The rules, one table row each, their last column saying how sure they are; not part of this repository."""

CASES: Final = REPOSITORY.parent / "shared" / "cases"
ALL_NAMED: Final = 0
SOME_MISSING: Final = 1
UNUSABLE: Final = 2

_RULE_ID: Final = re.compile(r"R-[A-Z]+-[A-Z]?\d+")
_ROW: Final = re.compile(r"^\| (R-[A-Z]+-[A-Z]?\d+) \|.*\| ([^|]+) \|$", re.MULTILINE)
_TEST_NAME: Final = re.compile(r"^ *def (test_\w+)", re.MULTILINE)
_ID_IN_NAME: Final = re.compile(r"_r_([a-z]+)_([a-z]?\d+)(?![a-z\d])")
_RANGE: Final = re.compile(r"(R-[A-Z]+-[A-Z]?)(\d+) to (?:R-[A-Z]+)?-?[A-Z]?(\d+)")
_ABOUT_IDS: Final = {"rule_ids.py", "test_rule_ids.py"}
"""Files that name ids without testing rules."""


def sure_rules(specification: str) -> list[str]:
    """Return the ids of the rows whose last column begins with sure."""
    return [rule for rule, confidence in _ROW.findall(specification) if confidence.startswith("sure")]


def named_rules(texts: Iterable[str]) -> set[str]:
    """Return the ids that texts name, ranges such as `R-ABS-1 to R-ABS-3` filled in, names of tests read."""
    found: set[str] = set()
    for text in texts:
        found.update(_RULE_ID.findall(text))
        for family, first, last in _RANGE.findall(text):
            found.update(f"{family}{n}" for n in range(int(first), int(last) + 1))
        for name in _TEST_NAME.findall(text):
            found.update(f"R-{family}-{n}".upper() for family, n in _ID_IN_NAME.findall(name))
    return found


def texts_of_tests() -> list[str]:
    """Return the tests and scenario files that can name a rule."""
    folders = [(REPOSITORY / "tests", "*.py"), (REPOSITORY / "tests", "*.toml"), (CASES, "*.toml")]
    files = {file for folder, kind in folders for file in folder.rglob(kind)}
    return [file.read_text(encoding="utf-8") for file in sorted(files) if file.name not in _ABOUT_IDS]


def uncovered(specification: str, texts: Iterable[str]) -> list[str]:
    """Return the sure rules that no text names, in the order of the specification."""
    named = named_rules(texts)
    return [rule for rule in sure_rules(specification) if rule not in named]


def main(arguments: Sequence[str], out: TextIO, err: TextIO) -> int:
    """List every sure rule without a test, one a line, and say how many there are.

    Args:
        arguments: the file of the rules; none: the one beside this repository.
        out: where the list goes.
        err: where it is said why the rules can't be read.

    Returns:
        0 where every rule is named, 1 where some are not, 2 where the rules can't be read.
    """
    file = Path(arguments[0]) if arguments else SPECIFICATION
    try:
        specification = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as e:
        err.write(f"{file}: the rules can't be read: {e}\n")
        return UNUSABLE
    rules = sure_rules(specification)
    if not rules:
        err.write(f"{file}: no rule marked sure is in there\n")
        return UNUSABLE
    missing = uncovered(specification, texts_of_tests())
    out.writelines(f"{rule}\n" for rule in missing)
    out.write(f"{len(missing)} of {len(rules)} sure rules have no test that names them\n")
    return SOME_MISSING if missing else ALL_NAMED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], sys.stdout, sys.stderr))
