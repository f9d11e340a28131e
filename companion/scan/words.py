"""A scan in words: one line for each space, and what is to be said of it below. Pure."""

from collections.abc import Iterator, Sequence
from typing import Final

from companion.scan.sweep import Row, Sweep
from companion.table.registry import Registry
from firmware_bridge.contract.figures import ReaderFigures

HEADINGS: Final = ("space", "node", "state", "tag read", "noise", "poll", "lies there")
STATES: Final = ("ok", "unreadable", "fault")
_WIDTHS: Final = (26, 16, 11, 17, 8, 9)


def table_lines(rows: Sequence[Row], registry: Registry) -> Iterator[str]:
    """Write a table, headings first."""
    yield _columns(HEADINGS)
    for row in rows:
        yield from row_lines(row, registry)


def row_lines(row: Row, registry: Registry) -> Iterator[str]:
    """Write one reader: its line, and a line for each thing to be said of it."""
    figures = row.figures or ReaderFigures()
    yield _columns(
        (
            row.space,
            row.node,
            row.state,
            hit_words(figures),
            _percent(figures.noise),
            f"{figures.poll_us / 1000:.1f} ms" if figures.poll_us is not None else "-",
            tag_words(row.tags, registry),
        )
    )
    if row.reason:
        yield f"    {row.reason}"
    for warning in row.warnings:
        yield f"    look at: {warning}"


def hit_words(figures: ReaderFigures) -> str:
    """Write how many polls named a tag, such as `97 % of 104`."""
    if figures.hit_rate is None:
        return "-"
    unit = "" if figures.counted == "polls" else " frames"
    return f"{_percent(figures.hit_rate)} of {figures.over}{unit}"


def tag_words(tags: Sequence[str], registry: Registry) -> str:
    """Write what lies there: each tag with what it sticks to, where that is known."""
    return ", ".join(f"{tag} {registry.component(tag) or '(not registered)'}" for tag in tags) or "-"


def summary(sweep: Sweep) -> Iterator[str]:
    """Write how all of it stands."""
    for name, node in sweep.up().items():
        yield f"node {name}: online, firmware {node.firmware}, {len(node.readers)} readers"
        for warning in node.warnings:
            yield f"    look at: {warning}"
    rows = sweep.rows()
    states = [row.state for row in rows]
    counts = [f"{states.count(state)} {state}" for state in STATES if state == "ok" or state in states]
    yield f"{len(rows)} spaces: {', '.join(counts)}"


def rate_line(sweep: Sweep) -> str:
    """Write how fast and how well readers read, all in one line."""
    rows = [row for row in sweep.rows() if row.figures is not None]
    parts = [f"{len(rows)} readers"]
    hits = [(f.hit_rate, row.space) for row in rows if (f := row.figures) and f.hit_rate is not None]
    noise = [(f.noise, row.space) for row in rows if (f := row.figures) and f.noise is not None]
    polls = [(f.poll_us, row.space) for row in rows if (f := row.figures) and f.poll_us is not None]
    if polls:
        slowest_us, where = max(polls)
        parts.append(f"slowest poll {slowest_us / 1000:.1f} ms ({where})")
    if hits:
        rate, where = min(hits)
        parts.append(f"lowest hit rate {_percent(rate)} ({where})")
    if noise:
        share, where = max(noise)
        parts.append(f"most noise {_percent(share)} ({where})")
    return ", ".join(parts)


def _percent(share: float | None) -> str:
    return f"{100 * share:.0f} %" if share is not None else "-"


def _columns(cells: Sequence[str]) -> str:
    *columns, last = cells
    return " ".join([f"{cell:{width}}" for cell, width in zip(columns, _WIDTHS, strict=True)] + [last])
