"""The parts of docs/building that come from the code: tables between marks, and the drawings.

    python -m hardware.boards.pages

writes them anew. A test compares them, so that pages and pin maps can't disagree.
"""

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from hardware.boards import overview, pi, pico, power
from hardware.boards import parts as shopping
from hardware.boards.drawing import svg
from hardware.boards.wiring import Line, pi_lines, pi_wiring, pico_lines, pico_wiring
from hardware.firmware.config import SPACES
from hardware.firmware.manifest import FRONTIERS

DOCS: Final = Path(__file__).parents[2] / "docs"

_MARK: Final = re.compile(r"(<!-- from the code: (?P<name>[a-z0-9-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def drawings() -> dict[str, str]:
    """File name below docs/pictures to SVG."""
    return {
        "board-and-nodes.svg": overview.svg(),
        "wiring-pico-a.svg": svg(pico_wiring("Node, wiring pico-a: two hardware SPIs", pico.PICO_A, SPACES)),
        "wiring-pico-b.svg": svg(pico_wiring("Node, wiring pico-b: a MISO line each", pico.PICO_B, SPACES)),
        "wiring-pads.svg": svg(pi_wiring("Four pads on one bus: Raspberry Pi 3, 4, Zero 2", pi.PADS)),
        "wiring-pads-pi5.svg": svg(pi_wiring("Four pads on two buses: Raspberry Pi 5", pi.PADS_TWO_BUSES)),
    }


def filled(page: str) -> str:
    """The page with every marked part written anew.

    Raises:
        KeyError: a mark names a part that there is not.
    """
    return _MARK.sub(lambda mark: f"{mark[1]}{_PARTS[mark['name']]()}{mark[3]}", page)


def marks(page: str) -> list[str]:
    """The names of the marked parts of a page."""
    return [mark["name"] for mark in _MARK.finditer(page)]


def names() -> Iterable[str]:
    """The names of all there are."""
    return _PARTS.keys()


def main() -> int:
    """Write pages and drawings anew; tell which changed."""
    texts = {DOCS / "pictures" / name: text for name, text in drawings().items()}
    for page in sorted((DOCS / "building").glob("*.md")):
        texts[page] = filled(page.read_text(encoding="utf-8"))
    for file, text in texts.items():
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{file.relative_to(DOCS)}\n")
    return 0


def _table(rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    lines.insert(1, "|" + "---|" * len(rows[0]))
    return "\n".join(lines) + "\n"


def _cell(line: Line) -> str:
    return line.label if line.pin is None else f"{line.pin} ({line.label})"


def _wired(names: Sequence[str], columns: Sequence[Sequence[Line]]) -> str:
    """One column for each reader, one row for each of its pins."""
    rows = [["reader's pin", *names]]
    rows += [[row[0].reader_pin, *[_cell(line) for line in row]] for row in zip(*columns, strict=True)]
    return _table(rows)


def _pico(board: pico.PicoBoard) -> str:
    light = f"{pico.PHYSICAL_PIN[board.lights]} (GP{board.lights})"
    names = [f"{plug.name}: `{SPACES[plug.name]}`" for plug in board.plugs]
    wired = _wired(names, [pico_lines(plug) for plug in board.plugs])
    usb = pico.POWER_PINS["VBUS"][0]
    return f"{wired}\nLights: data on {light}, 5 V on {usb} (VBUS). Regulator: 5 V on {usb} (VBUS).\n"


def _pads(pads: Sequence[pi.PadWiring]) -> str:
    return _wired([f"`{pad.space}`" for pad in pads], [pi_lines(pad) for pad in pads])


def _pads_toml(pads: Sequence[pi.PadWiring]) -> str:
    lines = ["```toml", "[[node]]", 'name = "pads"', 'kind = "spi"']
    for pad in pads:
        lines += ["[[node.reader]]", f'space = "{pad.space}"', f"bus = {pad.bus}", f"device = {pad.device}"]
        lines += [] if pad.cs is None else [f"cs = {pad.cs}"]
        lines += [f"reset = {pad.reset}", 'field = "polls"']
    return "\n".join([*lines, "```"]) + "\n"


def _buffer(pads: Sequence[pi.PadWiring]) -> str:
    """One 74HC125: a gate for each pad, opened by that pad's chip select."""
    rows = [["gate", "output enable, to the reader's SDA", "input, from the reader's MISO", "output"]]
    miso = pi.SPI_PINS[0]["MISO"]
    for number, (pad, gate) in enumerate(zip(pads, _GATES, strict=True), start=1):
        enable, data, out = gate
        select = f"{enable}, to `{pad.space}` SDA and pin {pad.select_pin}"
        rows.append([f"{number}", select, f"{data}, from `{pad.space}` MISO", f"{out}, to pin {miso}"])
    return _table(rows)


def _table_toml() -> str:
    lines = ["```toml", 'table = "living-room"', 'profile = "full"']
    for number, realm in enumerate(FRONTIERS, start=1):
        lines += ["[[node]]", f'name = "realm-{realm}"', 'kind = "serial"', f'port = "{_BY_ID}{number}"']
    return "\n".join([*lines, *_pads_toml(pi.PADS).splitlines()[1:]]) + "\n"


_GATES: Final = ((1, 2, 3), (4, 5, 6), (10, 9, 8), (13, 12, 11))
"""Output enable (low opens), input and output of the four gates of a 74HC125 (its data sheet)."""

_BY_ID: Final = "/dev/serial/by-id/usb-MicroPython_..."
"""Begin of what Linux calls the port of a Pico; the rest is its serial number."""

_PARTS: Final[dict[str, Callable[[], str]]] = {
    "parts": lambda: _table(shopping.table()),
    "buffer": lambda: _buffer(pi.PADS),
    "table-toml": _table_toml,
    "pico-a": lambda: _pico(pico.PICO_A),
    "pico-b": lambda: _pico(pico.PICO_B),
    "pads": lambda: _pads(pi.PADS),
    "pads-pi5": lambda: _pads(pi.PADS_TWO_BUSES),
    "pads-toml": lambda: _pads_toml(pi.PADS),
    "pads-pi5-toml": lambda: _pads_toml(pi.PADS_TWO_BUSES),
    "power": lambda: _table(power.table()),
    "power-5v": lambda: _table(power.table_5v()),
}

if __name__ == "__main__":
    raise SystemExit(main())
