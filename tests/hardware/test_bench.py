"""The benchmark: its rows, its two forms, and the bounds they are kept for."""

import json
from typing import Any

import pytest

from hardware import bench


def test_ours_stays_within_30_transfers_for_an_empty_poll_and_80_for_a_whole_read() -> None:
    rows = {row["name"]: row for row in bench.rows()}

    empty, read = rows["empty poll: SPI transfers"], rows["7-byte tag, one read: SPI transfers"]
    assert empty["ours"] <= 30
    assert empty["theirs"] > 2000
    assert read["ours"] <= 80
    assert {row["unit"] for row in rows.values()} == {"transfers", "simulated ms"}


def test_json_is_a_list_of_rows_that_say_they_are_simulated(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main(["--json"]) == 0

    rows: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    assert {"name", "ours", "theirs", "unit"} <= rows[0].keys()
    assert all("imulated" in row["note"] for row in rows)


def test_text_names_what_it_is_measured_against(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.main([]) == 0

    out = capsys.readouterr().out
    assert "SimpleMFRC522" in out
    assert "not a Pi" in out
