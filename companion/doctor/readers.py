"""Readers and nodes, by a sweep over all of them."""

from collections.abc import Iterator
from contextlib import ExitStack
from importlib.resources import as_file, files
from typing import Final

from companion.doctor.finding import Finding
from companion.doctor.machine import Case
from companion.scan.command import PATIENCE_S, wait_complete
from companion.scan.errors import ScanError
from companion.scan.source import watching
from companion.scan.sweep import Row, Sweep
from companion.scan.words import hit_words
from firmware_bridge.contract.table_file import SerialNode, TableFile, load_table

NOISY: Final = 0.25
"""Share of polls: at 5 % of all frames disturbed it is 0.15 and nothing is missed, at 20 % it is 0.56
(hardware facts, C6)."""

WEAK: Final = 0.75
"""Hit rate: at 5 % of all frames disturbed it is 0.8."""

RESTLESS: Final = 3
"""Recoveries of one reader: one is a bumped cable."""

MENDS: Final = (
    "another `gain` in the table file (3 to 7, the best hit rate wins), the sticker flat and away from metal"
)


def readers(case: Case) -> Iterator[Finding]:
    """Make one sweep, and judge nodes and readers; without a table those of the virtual one."""
    with ExitStack() as stack:
        table = case.table
        if table is None:
            path = stack.enter_context(as_file(files("companion") / "virtual-table.toml"))
            table = load_table(path)
        if not table.nodes:
            mend = "add a [[node]] to it (docs/reference/table-file.md)"
            yield Finding("readers", "warn", f"{table.path} has no node: nothing is read", mend)
            return
        try:
            sweep, source = stack.enter_context(watching(table))
        except ScanError as error:
            yield Finding("readers", "fail", str(error))
            return
        wait_complete(sweep, PATIENCE_S)
        what = "the simulated readers of the virtual table" if case.table is None else source
        yield from judged(table, sweep, what)


def judged(table: TableFile, sweep: Sweep, source: str) -> Iterator[Finding]:
    """Judge what a sweep found.

    Args:
        table: its file.
        sweep: what was said.
        source: where that comes from, in words.
    """
    down, rows = sweep.down(), sweep.rows()
    for name, why in down.items():
        text, _, mend = why.partition(": ")
        yield Finding("nodes", "fail", f'node "{name}" is offline: {text}', mend)
    yield from _nodes(table, sweep)
    # What ails a node as a whole was said; its spaces can't be well.
    alive = [row for row in rows if row.node not in down]
    findings = [finding for row in alive for finding in _reader(row)]
    yield from findings
    bad = {row.space for row in alive if any(row.space in finding.text for finding in findings)}
    if alive:
        yield Finding("readers", "ok", f"{len(alive) - len(bad)} of {len(rows)} read well, by {source}")


def _nodes(table: TableFile, sweep: Sweep) -> Iterator[Finding]:
    up = sweep.up()
    versions = {
        node.name: up[node.name].firmware
        for node in table.nodes
        if isinstance(node, SerialNode) and node.name in up
    }
    said = ", ".join(f"{name} {version}" for name, version in versions.items())
    if len(set(versions.values())) > 1:
        mend = "install the newest one on all of them (docs/how-to/build.md)"
        yield Finding("nodes", "warn", f"different firmware: {said}", mend)
    elif versions:
        yield Finding("nodes", "ok", f"online with firmware {said}")
    for name, node in up.items():
        if node.warnings:
            mend = "a shorter cable, a powered hub; a few after plugging in are nothing"
            yield Finding("nodes", "warn", f'node "{name}": {", ".join(node.warnings)}', mend)


def _reader(row: Row) -> Iterator[Finding]:
    figures = row.figures
    if row.state != "ok" or row.reader != "ok":
        yield _unwell(row)
        return
    for warning in row.warnings:
        text, _, mend = warning.rpartition(": ")
        yield Finding("readers", "warn", f"{row.space}: {text or warning}", mend if text else "")
    if figures is None:
        return
    if figures.hit_rate is not None and figures.hit_rate < WEAK:
        text = f"{row.space}: its tag is read in {hit_words(figures)}"
        yield Finding("readers", "warn", text, MENDS)
    elif figures.noise is not None and figures.noise > NOISY:
        text = f"{row.space}: {100 * figures.noise:.0f} % of {figures.over} {figures.counted} not understood"
        yield Finding("readers", "warn", text, MENDS)
    if (figures.recoveries or 0) >= RESTLESS:
        text = f"{row.space}: set up again {figures.recoveries} times"
        yield Finding("readers", "warn", text, "look at its 3.3 V supply and the length of its wires")


def _unwell(row: Row) -> Finding:
    if row.state == "unreadable":
        text = f"{row.space}: something lies there that can't be read"
        return Finding("readers", "fail", text, f"lift it; if it is a piece of this game: {MENDS}")
    text, _, mend = row.reason.partition(": ")
    if not text:
        text, mend = f"the reader is {row.reader}", "look at its wiring"
    return Finding("readers", "fail", f"{row.space}: {text}", mend)
