"""The machine that is checked, as values: tests make one up on disk."""

import grp
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware_bridge.contract.table_file import TableFile

COMMAND_WITHIN_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Machine:
    """What checks may look at.

    Args:
        root: where the system's files stand; `/` of a real machine.
        environment: of this process.
        python: its version.
        distributions: version by normalised name (PEP 503) of what is installed beside us.
        kivy: Kivy's folder; None: it is not installed.
        now_s: unix time.
        may_use: whether this user may read and write a file.
        free_bytes: how much room is left where a folder is.
        run: a command's standard output; None where it is not there, fails, or takes too long.
    """

    root: Path
    environment: Mapping[str, str]
    python: tuple[int, int, int]
    distributions: Mapping[str, str]
    kivy: Path | None
    now_s: float
    may_use: Callable[[Path], bool]
    free_bytes: Callable[[Path], int]
    run: Callable[[Sequence[str]], str | None]

    def at(self, path: str) -> Path:
        """Return where a file of the system stands."""
        return self.root / path.lstrip("/")

    def text(self, path: str) -> str:
        """Return what stands in a file of the system; nothing where it can't be read."""
        return read_text(self.at(path))

    def device(self, path: str) -> str:
        """Return the device that a path leads to, links followed."""
        root, real = os.path.realpath(self.root), os.path.realpath(self.at(path))
        return "/" + os.path.relpath(real, root) if real.startswith(root) else real

    @property
    def model(self) -> str:
        """The board, such as `Raspberry Pi 5 Model B Rev 1.0`; nothing where it does not say."""
        return self.text("/proc/device-tree/model").strip("\0\n ")

    def group_of(self, path: str) -> str:
        """Return the group that a file belongs to, or the usual one's number."""
        try:
            number = self.at(path).stat().st_gid
        except OSError:
            return ""
        try:
            return grp.getgrgid(number).gr_name
        except KeyError:
            return str(number)


@dataclass(frozen=True, slots=True)
class Case:
    """What is checked.

    Args:
        machine: this machine.
        table: the table; None: none was named.
        data: the folder with games and tags.
    """

    machine: Machine
    table: TableFile | None
    data: Path


def this_machine() -> Machine:
    """Return the machine that this runs on."""
    found = {_normal(dist.metadata["Name"]): dist.version for dist in importlib.metadata.distributions()}
    return Machine(
        root=Path("/"),
        environment=dict(os.environ),
        python=sys.version_info[:3],
        distributions=found,
        kivy=_kivy(),
        now_s=time.time(),
        may_use=lambda path: os.access(path, os.R_OK | os.W_OK),
        free_bytes=lambda path: shutil.disk_usage(path).free,
        run=_output,
    )


def read_text(path: Path) -> str:
    """Return what stands in a file; nothing where it can't be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def children(path: Path) -> list[Path]:
    """Return what stands in a folder, sorted; nothing where it can't be read."""
    try:
        return sorted(path.iterdir())
    except OSError:
        return []


def _kivy() -> Path | None:
    # By its files: importing any part of Kivy's windows opens one.
    files = importlib.metadata.files("kivy") if _is_installed("kivy") else None
    found = next((file for file in files or () if file.as_posix() == "kivy/__init__.py"), None)
    return Path(str(found.locate())).parent if found is not None else None


def _is_installed(name: str) -> bool:
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _normal(name: str | None) -> str:
    return re.sub(r"[-_.]+", "-", name or "").lower()


def _output(command: Sequence[str]) -> str | None:
    try:
        done = subprocess.run(
            list(command),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=COMMAND_WITHIN_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
