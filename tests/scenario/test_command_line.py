"""`companion check` and `companion legal` as they are typed: arguments in, text and exit status out."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import main

CASES = Path(__file__).parents[1] / "cases"
COSTS = CASES / "empower-costs.toml"


@pytest.mark.parametrize("path", [COSTS, CASES])
@pytest.mark.parametrize("option", [[], ["--json"]])
def test_check_takes_files_and_folders(
    path: Path, option: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *option, str(path)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    if option:
        assert all(json.loads(line)["file"] for line in out.splitlines())
    else:
        assert out.endswith("all as expected\n")


@pytest.mark.parametrize("option", [[], ["--json"]])
def test_legal_takes_a_file(option: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["legal", *option, str(COSTS)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "determination" in out.lower()


def test_a_reader_who_leaves_early_is_no_error() -> None:
    command = [sys.executable, "-m", "companion.cli", "legal", str(COSTS)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(30) == 0


@pytest.mark.parametrize("command", ["check", "legal"])
@pytest.mark.parametrize("option", [[], ["--json"]])
def test_an_output_that_knows_no_accents_is_no_error(tmp_path: Path, command: str, option: list[str]) -> None:
    path = tmp_path / "caf\xe9.toml"
    path.write_text(
        """title = "caf\xe9"
[players."zo\xeb"]
team = "bliss"
at = "valley"
willpower = 3
vibes = { move = ["red", "", "", ""] }
[[try]]
name = "\xe0 la carte"
do = { action = "move", to = "cradle" }
expect = "legal"
""",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "companion.cli", command, *option, str(path)],
        env={"PYTHONIOENCODING": "ascii", "PATH": ""},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1 if command == "check" else 0, b"")
    assert done.stdout.isascii()
    if option:
        assert all(json.loads(line) for line in done.stdout.splitlines())
