"""Which rules of the specification that are marked sure no test names yet: a list for people."""

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
SPECIFICATION = REPOSITORY.parent / "shared" / "rules" / "core-rules.md"
CASES = REPOSITORY.parent / "shared" / "cases"
RULE_ID = re.compile(r"R-[A-Z]+-[A-Z]?\d+")
RANGE = re.compile(r"(R-[A-Z]+-[A-Z]?)(\d+) to (?:R-[A-Z]+)?-?[A-Z]?(\d+)")


def sure_rules(specification: str) -> list[str]:
    """Return the ids of the rows whose last column begins with sure."""
    rows = re.findall(r"^\| (R-[A-Z]+-[A-Z]?\d+) \|.*\| ([^|]+) \|$", specification, re.MULTILINE)
    return [rule for rule, confidence in rows if confidence.startswith("sure")]


def named_rules(texts: Iterable[str]) -> set[str]:
    """Return the ids that texts name, ranges such as `R-ABS-1 to R-ABS-3` filled in."""
    found: set[str] = set()
    for text in texts:
        found.update(RULE_ID.findall(text))
        for family, first, last in RANGE.findall(text):
            found.update(f"{family}{n}" for n in range(int(first), int(last) + 1))
    return found


def uncovered() -> list[str]:
    """Return the sure rules that neither a test nor a scenario file names."""
    folders = [(REPOSITORY / "tests", "*.py"), (REPOSITORY / "tests", "*.toml"), (CASES, "*.toml")]
    files = {file for folder, kind in folders for file in folder.rglob(kind)} - {Path(__file__)}
    texts = [file.read_text(encoding="utf-8") for file in sorted(files)]
    named = named_rules(texts)
    return [r for r in sure_rules(SPECIFICATION.read_text(encoding="utf-8")) if r not in named]


def test_ids_and_ranges_are_found() -> None:
    assert named_rules(["R-ABS-9 and R-CTRL-F1 to R-CTRL-F3, R-MOVE-1 to -2"]) == {
        *("R-ABS-9", "R-CTRL-F1", "R-CTRL-F2", "R-CTRL-F3", "R-MOVE-1", "R-MOVE-2"),
    }
    table = "| R-A-1 | text | [seed] | sure (16 cards) |\n| R-A-2 | text | [seed] | likely |\n"
    assert sure_rules(table) == ["R-A-1"]


def test_the_sure_rules_that_no_test_names_are_listed() -> None:
    if not SPECIFICATION.exists():
        pytest.skip("the rules specification is not beside this repository")
    rules = sure_rules(SPECIFICATION.read_text(encoding="utf-8"))
    missing = uncovered()
    print(f"{len(missing)} of {len(rules)} sure rules have no test that names them: {' '.join(missing)}")  # noqa: T201
    assert len(rules) > 200
    assert len(missing) < len(rules)
