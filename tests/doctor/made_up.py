"""Machines that are made up on disk."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.doctor.finding import Finding
from companion.doctor.machine import Case, Machine
from firmware_bridge.contract.table_file import load_table

NOW_S = 1_795_000_000.0
INSTALLED = {"kivy": "2.3.1", "paho-mqtt": "2.1.0", "pyserial": "3.5", "mfrc522": "0.0.7"}

SERIAL = '[[node]]\nname = "realm"\nkind = "serial"\nport = "{}"\n'
SPI = """
[[node]]
name = "pads"
kind = "spi"
[[node.reader]]
space = "pad/1"
bus = {}
device = {}
reset = 22
"""


def machine(
    root: Path,
    *,
    environment: Mapping[str, str] | None = None,
    python: tuple[int, int, int] = (3, 11, 2),
    distributions: Mapping[str, str] = INSTALLED,
    kivy: Path | None = None,
    now_s: float = NOW_S,
    forbidden: Sequence[str] = (),
    commands: Mapping[str, str] | None = None,
    free_bytes: int = 10**10,
) -> Machine:
    """Make a machine whose files stand below `root`; commands answer what they are said to."""
    paths = {root / path.lstrip("/") for path in forbidden}
    return Machine(
        root=root,
        environment=environment or {},
        python=python,
        distributions=distributions,
        kivy=kivy,
        now_s=now_s,
        may_use=lambda path: path not in paths,
        free_bytes=lambda _path: free_bytes,
        run=lambda command: (commands or {}).get(Path(command[0]).name),
    )


def put(root: Path, files: Mapping[str, str]) -> None:
    """Write files below `root`; `-> target` makes a link."""
    for name, text in files.items():
        path = root / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        if text.startswith("-> "):
            path.symlink_to(text[3:])
        else:
            path.write_text(text)


def case(made: Machine, *nodes: str, data: Path | None = None) -> Case:
    """A case with a table of these nodes; with none of them, without a table."""
    table = None
    if nodes:
        path = made.root / "table.toml"
        path.write_text("\n".join(['table = "home"', *nodes]))
        table = load_table(path)
    return Case(made, table, data if data is not None else made.root / "data")


def found(check: Callable[[Case], Any], looked_at: Case) -> list[Finding]:
    """What a check finds; every finding is one line, and what is to be mended has a mend."""
    findings: list[Finding] = list(check(looked_at))
    for finding in findings:
        assert "\n" not in finding.line()
        assert finding.level == "ok" or finding.mend, finding
        assert finding.level != "ok" or not finding.mend, finding
    return findings


def levels(findings: Sequence[Finding]) -> list[str]:
    return [finding.level for finding in findings]
