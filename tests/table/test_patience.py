"""The waits of a table: those that a table file may state are those that there are."""

import re
from dataclasses import fields
from pathlib import Path

from companion.table.patience import Patience, patience_from
from firmware_bridge.contract.table_file import PATIENCE

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "table-file.md"


def test_a_table_file_can_state_every_wait() -> None:
    assert {f"{name}_s" for name in PATIENCE} == {field.name for field in fields(Patience)}


def test_what_is_stated_takes_the_place_of_the_default() -> None:
    assert patience_from({"settle": 1.5}) == Patience(settle_s=1.5)
    assert patience_from({}) == Patience()


def test_the_page_on_the_table_file_has_each_with_its_default() -> None:
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| ([\d.]+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    stated = {name: float(default) for name, default in rows if name in PATIENCE}
    assert stated == {name: getattr(Patience(), f"{name}_s") for name in PATIENCE}
