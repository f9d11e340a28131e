"""The command `companion doctor`: every check, each guarded and with its own time limit."""

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

from companion.doctor import board, broker, readers, screen, serial_ports, software, spi, storage
from companion.doctor.finding import Finding
from companion.doctor.machine import Case, Machine, this_machine
from firmware_bridge.contract.table_file import load_table


@dataclass(frozen=True, slots=True)
class Check:
    """One look at one thing.

    Args:
        name: in a word.
        look: finds.
        limit_s: how long that may take.
    """

    name: str
    look: Callable[[Case], Iterable[Finding]]
    limit_s: float = 5.0


CHECKS: Final = (
    Check("python", software.python),
    Check("display", screen.display),
    Check("touch", screen.touch, 15.0),
    Check("broker", broker.broker, 30.0),
    Check("serial", serial_ports.serial_ports),
    Check("spi", spi.spi),
    Check("readers", software.reader_packages),
    Check("readers", readers.readers, 30.0),
    Check("cards", software.cards),
    Check("tags", storage.tags),
    Check("disk", storage.disk),
    Check("journal", storage.journal, 20.0),
    Check("clock", board.clock),
    Check("supply", board.supply, 15.0),
    Check("heat", board.temperature),
)


def doctor(
    path: Path | None, *, data: Path, as_json: bool, out: TextIO, machine: Machine | None = None
) -> int:
    """Check this machine and a table, and print what was found.

    Args:
        path: the table file; None: the machine alone, and the virtual table.
        data: the folder with games and tags.
        as_json: one object a line in place of text.
        out: for findings.
        machine: None: this one.

    Returns:
        The exit status: 0 nothing hinders play, 1 something does.

    Raises:
        ContractError: the table file can't be used.
    """
    table = load_table(path) if path is not None else None
    case = Case(machine if machine is not None else this_machine(), table, data)
    levels = []
    for finding in findings(CHECKS, case):
        levels.append(finding.level)
        line = json.dumps(finding.as_json(), ensure_ascii=False) if as_json else finding.line()
        out.write(line + "\n")
        out.flush()
    if not as_json:
        warned, failed = levels.count("warn"), levels.count("fail")
        out.write(f"{levels.count('ok')} ok, {warned} to look at, {failed} to mend\n")
    return 1 if "fail" in levels else 0


def findings(checks: Sequence[Check], case: Case) -> Iterator[Finding]:
    """Run checks one after the other; whatever one of them does, the others are run."""
    for check in checks:
        yield from _guarded(check, case)


def _guarded(check: Check, case: Case) -> list[Finding]:
    found: list[Finding] = []

    def look() -> None:
        try:
            found.extend(check.look(case))
        except Exception as error:  # noqa: BLE001 - one check must not end the others
            what = f"{type(error).__name__}: {error}".splitlines()[0]
            found.append(
                Finding(
                    check.name,
                    "warn",
                    f"could not be checked ({what})",
                    "run it again; if it stays so, report this line: it is a fault of ours",
                )
            )

    thread = threading.Thread(target=look, name=f"check-{check.name}", daemon=True)
    thread.start()
    thread.join(check.limit_s)
    if not thread.is_alive():
        return found
    mend = "try it again; if it stays so, whatever is looked at there hangs"
    return [*found, Finding(check.name, "warn", f"not done within {check.limit_s:g} s", mend)]
