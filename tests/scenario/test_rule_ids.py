"""Every rule marked sure is named by a test; `make rules` lists those that are not."""

import io
from pathlib import Path

import pytest

from tests.rule_ids import (
    SPECIFICATION,
    UNUSABLE,
    main,
    named_rules,
    sure_rules,
    texts_of_tests,
    uncovered,
)

TABLE = "| R-A-1 | text | [seed] | sure (16 cards) |\n| R-A-2 | text | [seed] | likely |\n"


def _listed(*arguments: str) -> tuple[int, list[str], str]:
    out, err = io.StringIO(), io.StringIO()
    code = main(arguments, out, err)
    return code, out.getvalue().splitlines(), err.getvalue()


def test_ids_and_ranges_are_found() -> None:
    assert named_rules(["R-ABS-9 and R-CTRL-F1 to R-CTRL-F3, R-MOVE-1 to -2"]) == {
        *("R-ABS-9", "R-CTRL-F1", "R-CTRL-F2", "R-CTRL-F3", "R-MOVE-1", "R-MOVE-2"),
    }
    assert named_rules(["def test_r_ctrl_f6_and_r_abs_5_agree() -> None:", "x = test_r_emp_1"]) == {
        *("R-CTRL-F6", "R-ABS-5"),
    }
    assert sure_rules(TABLE) == ["R-A-1"]


def test_a_rule_that_no_test_names_is_listed(tmp_path: Path) -> None:
    assert uncovered(TABLE, ["R-A-2"]) == ["R-A-1"]
    file = tmp_path / "rules.md"
    file.write_text(TABLE, encoding="utf-8")
    code, lines, err = _listed(str(file))
    assert (code, err) == (1, "")
    assert lines == ["R-A-1", "1 of 1 sure rules have no test that names them"]


def test_rules_that_can_not_be_read_are_one_line(tmp_path: Path) -> None:
    empty = tmp_path / "empty.md"
    empty.write_text("no rules", encoding="utf-8")
    for file in (tmp_path / "none.md", empty):
        code, lines, err = _listed(str(file))
        assert (code, lines, err.count("\n")) == (UNUSABLE, [], 1)


def test_every_rule_marked_sure_is_named_by_a_test() -> None:
    if not SPECIFICATION.exists():
        # Never so in CI: ../shared lies beside the clone there, and any skip fails.
        pytest.skip("the rules specification is not beside this repository")
    specification = SPECIFICATION.read_text(encoding="utf-8")
    assert len(sure_rules(specification)) > 200
    assert uncovered(specification, texts_of_tests()) == []
    code, lines, _ = _listed()
    assert (code, lines) == (
        0,
        [f"0 of {len(sure_rules(specification))} sure rules have no test that names them"],
    )
