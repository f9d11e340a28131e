"""What polling costs: ours beside the mfrc522 package's own SimpleMFRC522, on the same simulated chip.

Run it with `python -m hardware.bench [--json]`. Milliseconds are simulated: SPI bits at 1 MHz, a fixed cost
per transfer, time on air. They compare drivers; they are not measured on a Pi.
"""

import argparse
import json
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Final

from hardware import bench_sweep
from hardware.errors import DriverMissingError
from hardware.reader import Absent
from hardware.rfid.mfrc522 import EXPECTING_POLLS, Mfrc522Reader
from hardware.rfid.pi_bus import PiBus, Wiring
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.chip import Chip
from hardware.simulated.field import Field

NOTE: Final = (
    "Simulated chip and time (1 MHz SPI, 20 us per transfer): it compares drivers, it is not a Pi. "
    "mfrc522 and mfrc522-python read `88 UID0 UID1 UID2 BCC`; ours reads all seven bytes and sends HLTA."
)
_SETTLING_POLLS: Final = EXPECTING_POLLS + 1
"""The first poll opens our reader, and those after a removal look longer; both are over then."""
_SIMPLE: Final = "SimpleMFRC522"
_UID: Final = bytes.fromhex("04A3C6CAE26180")

Row = dict[str, Any]


def rows() -> list[Row]:
    """One row per figure: name, ours, theirs (of what is named by `against`), unit, lower being better."""
    board, field = SimulatedBoard(), Field()
    board.attach(Chip(field))
    package = board.load_mfrc522()
    with warnings.catch_warnings():
        # `~True` in the package's wait loop (F-46).
        warnings.simplefilter("ignore", DeprecationWarning)
        simple = package.SimpleMFRC522()
        theirs = _empty_and_read(
            board, field, simple.READER.spi, lambda: simple.read_id_no_block() is not None
        )
    bus = PiBus(package.MFRC522, Wiring())
    reader = Mfrc522Reader("bench", bus, board.clock)
    reader.poll()
    ours = _empty_and_read(board, field, bus.spi, lambda: reader.poll() != Absent())
    reader.close()
    return [
        *_two_rows("empty poll", ours[0], theirs[0]),
        *_two_rows("7-byte tag, one read", ours[1], theirs[1]),
        *bench_sweep.rows(),
    ]


def _empty_and_read(
    board: SimulatedBoard, field: Field, spi: Any, sees_tag: Callable[[], bool]
) -> tuple[tuple[int, float], tuple[int, float]]:
    """What one poll costs with nothing there, and with a tag just laid down."""
    field.lay(())
    for _ in range(_SETTLING_POLLS):
        sees_tag()
    empty = _cost(board, spi, sees_tag, expected=False)
    field.place(_UID)
    return empty, _cost(board, spi, sees_tag, expected=True)


def _cost(
    board: SimulatedBoard, spi: Any, sees_tag: Callable[[], bool], *, expected: bool
) -> tuple[int, float]:
    """Transfers and simulated milliseconds of one poll.

    Raises:
        RuntimeError: the poll did not say what it is timed for.
    """
    transfers, start_s = spi.transfers, board.clock.now_s()
    if sees_tag() is not expected:
        raise RuntimeError("the poll that is measured went wrong: run the tests below tests/hardware")
    return spi.transfers - transfers, 1000 * (board.clock.now_s() - start_s)


def _two_rows(name: str, ours: tuple[int, float], theirs: tuple[int, float]) -> list[Row]:
    return [
        {
            "name": f"{name}: SPI transfers",
            "against": _SIMPLE,
            "ours": ours[0],
            "theirs": theirs[0],
            "unit": "transfers",
        },
        {
            "name": f"{name}: simulated time",
            "against": _SIMPLE,
            "ours": round(ours[1], 2),
            "theirs": round(theirs[1], 2),
            "unit": "simulated ms",
        },
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the rows."""
    parser = argparse.ArgumentParser(prog="python -m hardware.bench", description=NOTE)
    parser.add_argument("--json", action="store_true", help="a JSON list of rows")
    options = parser.parse_args(arguments)
    try:
        table = rows()
    except DriverMissingError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(as_json(table) if options.json else as_text(table))
    return 0


def as_json(table: Sequence[Row]) -> str:
    """The rows as a JSON list; each says in its note that it is simulated."""
    notes = [f"{row['note']}. {NOTE}" if row.get("note") else NOTE for row in table]
    return json.dumps([{**row, "note": note} for row, note in zip(table, notes, strict=True)]) + "\n"


def as_text(table: Sequence[Row]) -> str:
    """The rows line by line, then what is to be known of them."""
    lines = [
        f"{row['name']:<50}{row['ours']:>8} {row['unit']}, {row['against']}: {row['theirs']}" for row in table
    ]
    notes = [row["note"] for row in table if row.get("note")]
    return "\n".join([*lines, *notes, NOTE]) + "\n"


if __name__ == "__main__":
    sys.exit(main())
