"""The command `companion scan`."""

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TextIO

from companion.content import components
from companion.scan.source import watching
from companion.scan.sweep import Row, Sweep
from companion.scan.words import rate_line, row_lines, summary, table_lines
from companion.table.errors import TagListError
from companion.table.registry import FILE, Registry, from_csv, virtual_registry
from firmware_bridge.contract.table_file import TableFile, load_table

PATIENCE_S: Final = 7.0
"""How long one sweep may take: a node whose board resets when its port opens needs two seconds to start, and
a port is listened to for four before it is called silent."""

RATE_EVERY_S: Final = 5.0
_LOOK_EVERY_S: Final = 0.5


def scan(
    path: Path,
    *,
    once: bool,
    as_json: bool,
    data: Path,
    out: TextIO,
    err: TextIO,
    stop: threading.Event,
    patience_s: float = PATIENCE_S,
    now: Callable[[], str] = lambda: time.strftime("%H:%M:%S"),
) -> int:
    """Print what every reader says and how it does.

    Args:
        path: the table file.
        once: one sweep, and the end; else every change until `stop`.
        as_json: one object a line in place of text.
        data: the folder with the tag registry.
        out: for readings.
        err: for nodes that are offline.
        stop: ends a scan that goes on.
        patience_s: how long one sweep may take.
        now: the time of day, in words.

    Returns:
        The exit status: 0 all is well, 1 a node or a reader is not.

    Raises:
        ScanError: the table's broker refuses.
        ContractError: the table file can't be used.
    """
    table = load_table(path)
    registry = registry_of(table, data)
    with watching(table) as (sweep, source):
        wait_complete(sweep, patience_s, stop)
        report = _Report(sweep, registry, as_json=as_json, out=out, err=err, now=now)
        report.first(f'table "{table.table}", read by {source}')
        if not once:
            report.go_on(stop)
        return 0 if sweep.is_well else 1


def registry_of(table: TableFile, data: Path) -> Registry:
    """Return which tag sticks to what at a table."""
    path = data / FILE
    try:
        # Not by `load`, which sets a damaged file aside: a scan changes nothing.
        own = from_csv(path.read_bytes().decode(), str(path))
    except (OSError, UnicodeDecodeError, TagListError):
        own = Registry()
    return own.over(virtual_registry(components())) if table.profile == "virtual" else own


def wait_complete(sweep: Sweep, patience_s: float, stop: threading.Event | None = None) -> None:
    """Wait until each reader was looked at often enough, or for so long."""
    deadline_s = time.monotonic() + patience_s
    while not sweep.is_complete and (left_s := deadline_s - time.monotonic()) > 0:
        if stop is not None and stop.is_set():
            return
        sweep.changed.wait(min(left_s, _LOOK_EVERY_S))
        sweep.changed.clear()


class _Report:
    """What was said already, so that only news are said."""

    def __init__(
        self,
        sweep: Sweep,
        registry: Registry,
        *,
        as_json: bool,
        out: TextIO,
        err: TextIO,
        now: Callable[[], str],
    ) -> None:
        self._sweep = sweep
        self._registry = registry
        self._as_json = as_json
        self._out = out
        self._err = err
        self._now = now
        self._said: dict[str, tuple[object, ...]] = {}
        self._down: dict[str, str] = {}

    def first(self, heading: str) -> None:
        """Say everything."""
        rows = self._sweep.rows()
        self._said = {row.space: row.news for row in rows}
        if self._as_json:
            for row in rows:
                self._say_json(row)
        else:
            self._say(heading)
            for line in (*table_lines(rows, self._registry), *summary(self._sweep)):
                self._say(line)
        self._say_nodes()

    def go_on(self, stop: threading.Event) -> None:
        """Say what changes, and now and then how fast it goes, until `stop`."""
        rate_at_s = time.monotonic() + RATE_EVERY_S
        while not stop.is_set():
            self._sweep.changed.wait(_LOOK_EVERY_S)
            self._sweep.changed.clear()
            self._say_changes()
            if time.monotonic() >= rate_at_s:
                rate_at_s = time.monotonic() + RATE_EVERY_S
                if not self._as_json:
                    self._say(f"{self._now()} {rate_line(self._sweep)}")

    def _say_changes(self) -> None:
        for row in self._sweep.rows():
            if self._said.get(row.space) == row.news:
                continue
            self._said[row.space] = row.news
            if self._as_json:
                self._say_json(row)
            else:
                for line in row_lines(row, self._registry):
                    self._say(f"{self._now()} {line}")
        self._say_nodes()

    def _say_nodes(self) -> None:
        down = self._sweep.down()
        for name, why in down.items():
            if self._down.get(name) != why:
                self._err.write(f'companion: node "{name}" is offline: {why}\n')
        for name in self._down.keys() - down.keys():
            self._err.write(f'companion: node "{name}" is online\n')
        self._down = down

    def _say_json(self, row: Row) -> None:
        self._say(json.dumps(row.as_json(), ensure_ascii=False))

    def _say(self, line: str) -> None:
        self._out.write(line + "\n")
        self._out.flush()
