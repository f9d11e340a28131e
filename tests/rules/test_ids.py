"""Rule ids: each one named in the code exists in the rules specification, where that is at hand."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from companion.rules.engine import PLAIN, PROCEDURES
from companion.rules.frame import EVERY_ACTION, no_actions_left
from companion.rules.upgrades import CHOICE, PAYMENT
from companion.rules.vibes import PLACING, row_locked

if TYPE_CHECKING:
    from companion.rules.attempt import Rule

REPOSITORY = Path(__file__).parents[2]
SPECIFICATION = REPOSITORY.parent / "shared" / "rules" / "core-rules.md"
RULE_ID = re.compile(r"R-[A-Z]+-[A-Z]?\d+")


def test_every_id_named_in_the_rules_is_one_of_the_specification() -> None:
    if not SPECIFICATION.exists():
        pytest.skip("the rules specification is not beside this repository")
    known = set(RULE_ID.findall(SPECIFICATION.read_text(encoding="utf-8")))
    for module in sorted((REPOSITORY / "companion" / "rules").glob("*.py")):
        named = set(RULE_ID.findall(module.read_text(encoding="utf-8")))
        assert named <= known, f"{module.name} names {sorted(named - known)}"


def test_every_rule_says_its_sentence_and_why_it_is_there() -> None:
    rules: list[Rule[Any]] = [*EVERY_ACTION, no_actions_left, *CHOICE, *PAYMENT, *PLACING, row_locked]
    for _, procedure in PROCEDURES.values():
        rules += [*procedure.mode, *procedure.target]
    for plain in PLAIN.values():
        rules += plain.rules
    for one in rules:
        assert RULE_ID.fullmatch(one.rule)
        assert one.template.endswith(".")
        assert one.broken.__doc__
