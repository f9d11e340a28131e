"""The one command that copies the firmware: the real mpremote, a real MicroPython and its file system."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.firmware import install, manifest
from tests.support.micropython import Prompt, needs_micropython


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Prompt]:
    folder = tmp_path / "empty"
    folder.mkdir()
    prompt = Prompt(folder)
    yield prompt
    prompt.close()


def ask(board: Prompt, program: str) -> str:
    command = [sys.executable, "-m", "mpremote", "connect", board.port, "resume", "exec", program]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout.strip()


@needs_micropython
def test_copied_once_and_again_for_another_realm_the_node_can_start(
    board: Prompt, capfd: pytest.CaptureFixture[str]
) -> None:
    assert install.main(["--port", board.port]) == 0
    assert (
        f'[[node]]\nname = "realm-valley"\nkind = "serial"\nport = "{board.port}"\n' in capfd.readouterr().out
    )
    assert board.resets == 1

    assert install.main(["--port", board.port, "--realm", "cradle"]) == 0
    assert 'name = "realm-cradle"' in capfd.readouterr().out
    program = (
        "import os, hardware.firmware.pico\n"
        "from hardware.firmware import config, settings\n"
        "print(settings.Settings(config).spaces, 'main.py' in os.listdir('/'), os.listdir('/hardware'))"
    )
    spaces = [
        "slot/cradle.1",
        "slot/cradle.2",
        "slot/cradle-network",
        "spirit/cradle",
        "spirit/cradle-network",
    ]
    folder = ask(board, program).removeprefix(f"{spaces} True ")
    assert sorted(ast.literal_eval(folder)) == sorted({Path(name).parts[1] for name in manifest.FILES}), (
        "the second copy lies over the first, not below it"
    )


def test_what_starts_the_modules_is_copied_last(tmp_path: Path) -> None:
    words = install.command("/dev/ttyACM0", tmp_path)
    assert words[-7:] == ["+", "fs", "cp", str(tmp_path / "main.py"), ":main.py", "+", "reset"]


def test_a_port_that_is_not_there_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    assert install.main(["--port", "/dev/none"]) == 1
    assert "not copied to /dev/none" in capfd.readouterr().err


def test_a_configuration_that_the_node_could_not_use_is_not_copied(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(manifest.config_for("land").replace("GAIN = 4", "GAIN = 44"))
    assert install.main(["--port", "/dev/none", "--config", str(mine)]) == 2
    assert capsys.readouterr().err == f"{mine}: GAIN: 44 is no whole number from 0 to 7\n"
    mine.write_text("REALM = ")
    assert install.main(["--port", "/dev/none", "--config", str(mine)]) == 2
    assert "config.py, line 1" in capsys.readouterr().err
    assert install.main(["--port", "/dev/none", "--config", str(tmp_path / "none.py")]) == 2
    assert "No such file" in capsys.readouterr().err
