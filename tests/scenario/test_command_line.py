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
