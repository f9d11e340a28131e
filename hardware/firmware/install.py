"""Copies a node's firmware to a Raspberry Pi Pico that has MicroPython, through `mpremote`. CPython only.

python -m hardware.firmware.install --port /dev/serial/by-id/usb-MicroPython_... --realm valley
"""

import argparse
import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Final

from hardware.firmware import manifest
from hardware.firmware.settings import SettingError, Settings

NO_MPREMOTE: Final = "mpremote is not installed: pip install 'cerebria-companion[firmware]'"


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the configuration, copy, restart the node, and tell the entry for the table file.

    Returns:
        0; 1 if it can't be copied; 2 if the configuration can't be used.
    """
    options = _parser().parse_args(arguments)
    try:
        config = _config(options)
        node = _node_of(config)
    except (OSError, SyntaxError, SettingError) as error:
        sys.stderr.write(f"{options.config or manifest.CONFIG}: {error}\n")
        return 2
    if importlib.util.find_spec("mpremote") is None:
        sys.stderr.write(NO_MPREMOTE + "\n")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        manifest.stage(Path(folder), config)
        done = subprocess.run(command(options.port, Path(folder)), check=False)
    if done.returncode:
        sys.stderr.write(
            f"not copied to {options.port}: stop the bridge and whatever else has it open, and try again\n"
        )
        return 1
    sys.stdout.write(
        f"Copied; the node starts. Its entry in the table file:\n\n"
        f'[[node]]\nname = "{node}"\nkind = "serial"\nport = "{options.port}"\n'
    )
    return 0


def _config(options: argparse.Namespace) -> str:
    if options.config is None:
        return manifest.config_for(options.realm)
    return Path(options.config).read_text(encoding="utf-8")


def _node_of(config: str) -> str:
    """The node's name in a configuration that the node will be able to use."""
    names: dict[str, object] = {}
    exec(compile(config, "config.py", "exec"), names)  # noqa: S102 the person's own file, theirs to run
    return Settings(SimpleNamespace(**names)).node


def command(port: str, folder: Path) -> list[str]:
    """The call of mpremote: the modules first, what starts them last, then a restart."""
    return [
        sys.executable, "-m", "mpremote", "connect", port,
        "fs", "cp", "-r", str(folder / "hardware"), ":",
        "+", "fs", "cp", str(folder / "main.py"), ":main.py",
        "+", "reset",
    ]  # fmt: skip


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m hardware.firmware.install",
        description="Copy a node's firmware to a Raspberry Pi Pico that has MicroPython.",
    )
    parser.add_argument("--port", required=True, help="its serial port, best by id: ls /dev/serial/by-id")
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--realm",
        choices=list(manifest.FRONTIERS),
        default="valley",
        help="the fifth of the board that it feels",
    )
    which.add_argument("--config", metavar="FILE", help="your own copy of hardware/firmware/config.py")
    return parser


if __name__ == "__main__":
    sys.exit(main())
