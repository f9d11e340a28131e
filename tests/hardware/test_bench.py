"""The benchmark: its rows, its two forms, and the bounds they are kept for."""

import json
from pathlib import Path
from typing import Any

import pytest

from hardware import bench, bench_sweep
from hardware.bench import Row


@pytest.fixture(scope="module")
def table() -> list[Row]:
    return bench.rows()


def test_ours_stays_within_30_transfers_for_an_empty_poll_and_80_for_a_whole_read(
    table: list[Row],
) -> None:
    rows = {row["name"]: row for row in table}

    empty, read = rows["empty poll: SPI transfers"], rows["7-byte tag, one read: SPI transfers"]
    assert empty["ours"] <= 30
    assert empty["theirs"] > 2000
    assert read["ours"] <= 80


def test_a_full_sweep_takes_at_most_one_and_a_half_times_the_least_that_air_and_spi_leave() -> None:
    full = bench_sweep.ours(occupied=True)
    least_ms = bench_sweep.READERS_OF_A_NODE * bench_sweep.least_poll_us() / 1000

    assert full.missed == 0
    assert least_ms < full.ms <= 1.5 * least_ms
    assert bench_sweep.ours_on_microcontrollers().ms <= 1.5 * least_ms


def test_the_least_is_the_air_of_six_frames_their_answers_and_the_bytes_that_carry_them() -> None:
    # Bit times with start, parity and end: WUPA 9 + 20, anticollision 20 + 47, SELECT 83 + 29, HLTA 38.
    bits = 9 + 20 + 2 * (20 + 47 + 83 + 29) + 38
    air_us = bits * 9.44 + 5 * 92 + 1000
    spi_bytes = (2 + 4 + 3) + 2 * ((3 + 4 + 6) + (10 + 4 + 4)) + (5 + 4)

    assert bench_sweep.least_poll_us(1_000_000) == pytest.approx(air_us + 8 * spi_bytes, abs=15)


def test_f_03_f_07_the_package_misnames_every_sticker_and_ours_names_each_in_every_sweep(
    table: list[Row],
) -> None:
    rows = {(row["name"], row["against"]): row for row in table}

    missed = rows["tags missed or misnamed in 4 full sweeps", "mfrc522 0.0.7"]
    assert missed["ours"] == 0
    assert missed["theirs"] == 116
    empty = rows["sweep of 29 empty readers", "mfrc522 0.0.7"]
    assert empty["ours"] * 10 < empty["theirs"]


def test_a_package_that_is_not_there_is_left_out_and_the_note_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(bench_sweep.PACKAGES_VARIABLE, str(tmp_path))
    pi_rc522 = bench_sweep.PACKAGES[2]

    assert bench_sweep.theirs(pi_rc522, occupied=True) is None
    assert "pi-rc522" in bench_sweep.INSTALL.format(missing=pi_rc522.distribution)


def test_json_is_a_list_of_rows_that_say_they_are_simulated(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(bench_sweep.PACKAGES_VARIABLE, raising=False)
    assert bench.main(["--json"]) == 0

    rows: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    assert all({"name", "ours", "against", "theirs", "unit"} <= row.keys() for row in rows)
    assert all("imulated" in row["note"] for row in rows)
    assert any("left out: mfrc522-python, pi-rc522" in row["note"] for row in rows)


def test_text_names_what_each_row_is_measured_against(table: list[Row]) -> None:
    text = bench.as_text(table)

    assert {"SimpleMFRC522", "mfrc522 0.0.7", "least by ISO 14443 and SPI"} <= {
        row["against"] for row in table
    }
    assert all(row["against"] in text for row in table)
    assert "not a Pi" in text
