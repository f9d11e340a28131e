"""What people get wrong: each time one clear line with the mend, a fitting exit status, and nothing lost."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.stories.driver import Companion, run_companion


def one_line(done: "subprocess.CompletedProcess[str]", *parts: str) -> None:
    """Assert that a command ended with status 2 and one line on stderr that has all of `parts`."""
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    [line] = done.stderr.strip().splitlines()
    for part in parts:
        assert part in line, line


def test_without_a_display_the_app_names_headless_and_the_packages(tmp_path: Path) -> None:
    done = run_companion("--data", str(tmp_path), SDL_VIDEODRIVER="offscreen", DISPLAY="", WAYLAND_DISPLAY="")
    one_line(done, "no display", "--headless", "apt install")


def test_a_broken_scenario_file_is_named_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text('title = "x"\n[players.diana]\nteam = "purple"\n')
    one_line(run_companion("check", str(file)), f"{file}:3:", "team", "purple")


def test_a_scenario_file_that_is_not_there(tmp_path: Path) -> None:
    one_line(run_companion("check", str(tmp_path / "none.toml")), "none.toml")
    one_line(run_companion("legal", str(tmp_path / "none.toml")), "none.toml")


def test_a_data_folder_that_can_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    done = run_companion("--headless", "--data", str(tmp_path / "file" / "games"))
    one_line(done, str(tmp_path / "file"), "--data")


def test_a_data_folder_that_another_companion_has_open(tmp_path: Path) -> None:
    first = Companion(tmp_path / "data")
    try:
        first.wait_started()
        one_line(run_companion("--headless", "--data", str(tmp_path / "data")), "another companion", "--data")
    finally:
        assert "Traceback" not in first.stop()


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_a_port_that_is_taken(tmp_path: Path, taken_port: int) -> None:
    table = tmp_path / "table.toml"
    table.write_text(
        f'table = "home"\n[broker]\nport = {taken_port}\n[[node]]\nname = "v"\nkind = "virtual"\n'
    )
    done = run_companion("--headless", "--data", str(tmp_path / "data"), "--table", str(table))
    one_line(done, f"port {taken_port}", "taken", "[broker]")


@pytest.mark.parametrize("url", ["127.0.0.1", "http://127.0.0.1", "mqtt://", "mqtt://127.0.0.1:99999"])
def test_a_broker_address_that_is_none(tmp_path: Path, url: str) -> None:
    done = run_companion("--headless", "--data", str(tmp_path / "data"), "--broker", url)
    one_line(done, "mqtt://[USER:PASSWORD@]HOST")


def test_a_table_file_with_a_mistake(tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    table.write_text('table = "home"\n[[node]]\nname = "v"\nkind = "wireless"\n')
    done = run_companion("--headless", "--data", str(tmp_path / "data"), "--table", str(table))
    one_line(done, "table.toml:4", "kind", "wireless")


def test_an_unusable_list_of_tags_changes_nothing(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.csv", tmp_path / "bad.csv"
    good.write_text("uid,component\n04A3C6CAE26180,emotion/bliss/kindness/1\n")
    bad.write_text("uid,component\n04A3C6CAE26181,emotion/bliss/valor/1\n88A3C6CAE2,spirit/love\n")
    data = ("--data", str(tmp_path / "data"))
    assert run_companion("tags", "import", str(good), *data).returncode == 0
    one_line(run_companion("tags", "import", str(bad), *data), "bad.csv:3", "88A3C6CAE2")
    listed = run_companion("tags", "list", *data).stdout
    assert "kindness" in listed
    assert "valor" not in listed


@pytest.mark.parametrize("size", ["big", "9x9", "1280x", "1280x-800"])
def test_a_size_that_is_none(tmp_path: Path, size: str) -> None:
    one_line(run_companion("shots", "--out", str(tmp_path), "--size", size), "--size", "--help")


@pytest.mark.parametrize(
    "words", [("dance",), ("check",), ("tags", "sing"), ("play", "--tabel", "x"), ("--dance",)]
)
def test_words_that_are_no_command(words: tuple[str, ...]) -> None:
    one_line(run_companion(*words), "--help")


def test_pictures_that_can_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    one_line(run_companion("shots", "--out", str(tmp_path / "file" / "shots")), str(tmp_path / "file"))


def test_output_that_nobody_reads_to_its_end_is_no_fault(tmp_path: Path) -> None:
    file = tmp_path / "position.toml"
    file.write_text(
        'title = "x"\nsource = "x"\n[players.diana]\nteam = "bliss"\nspirit = "harmony"\nat = "valley"\n'
        'willpower = 5\nhand = ["*"]\n'
    )
    legal = subprocess.Popen(
        [sys.executable, "-m", "companion.cli", "legal", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert legal.stdout is not None
    legal.stdout.close()
    _, said = legal.communicate(timeout=60)
    assert "Traceback" not in said
