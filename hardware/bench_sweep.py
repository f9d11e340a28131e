"""What a full sweep of a table costs: 25 readers on five nodes, 4 pads on the Pi's bus, a tag on each.

Each node and the Pi have a bus of their own and sweep at the same time, so the sweep takes as long as the
slowest of them. Beside ours stand the least time that the standard leaves, and other packages that are told
to do the same job on the same simulated chips.

The other packages are not needed otherwise, and two of them share an import name (F-47). Each is loaded from
a folder of its own, below the one that COMPANION_BENCH_PACKAGES names:

    pip install --no-deps --target DIR/pi-rc522 pi-rc522==2.3.0
    pip install --no-deps --target DIR/mfrc522-python mfrc522-python==0.0.9
"""

import logging
import os
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hardware.rfid.iso14443 import HLTA_TIMEOUT_US
from hardware.rfid.mfrc522 import EXPECTING_POLLS, Mfrc522Reader
from hardware.rfid.poller import Poller
from hardware.rfid.radio import FRAME_DELAY_US, air_us
from hardware.rfid.spi_node import SpiReader, spi_node
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.chip import Chip
from hardware.simulated.clock import SimulatedClock
from hardware.simulated.field import Field
from hardware.simulated.wires import NODE_CALL_S, ChipWires

NODES: Final = 5
READERS_OF_A_NODE: Final = 5
PADS: Final = 4
READERS: Final = NODES * READERS_OF_A_NODE + PADS
SWEEPS: Final = 4
"""An even number: some packages see a lying tag at every other look."""
_SETTLING_SWEEPS: Final = 2
SPI_HZ: Final = 1_000_000
PACKAGES_VARIABLE: Final = "COMPANION_BENCH_PACKAGES"
INSTALL: Final = (
    "left out: {missing}; to have them measured, pip install --no-deps --target DIR/NAME NAME for each, "
    f"and set {PACKAGES_VARIABLE}=DIR"
)

Row = dict[str, Any]


# ---- the least that it takes -----------------------------------------------------------------------------

# Bits sent and bits that come back, frame by frame, for one NTAG with its seven bytes (ISO/IEC 14443-3).
_FRAMES: Final = ((7, 16), (16, 40), (72, 24), (16, 40), (72, 24), (32, 0))
"""WUPA, twice anticollision and SELECT, HLTA."""


def least_poll_us(spi_hz: int = SPI_HZ) -> float:
    """The least time in which a tag can be named and put to sleep: air, and SPI bits at the clock.

    Air: every frame at 106 kbit/s with its start, parity and end, the delay before each answer, and the
    millisecond of silence that acknowledges HLTA. SPI: for each frame one write of the FIFO, one of
    BitFraming with StartSend, one look at ComIrq, one read of the FIFO; no other register, no time between
    transfers, no look too many.
    """
    air = sum(
        air_us(sent) + (FRAME_DELAY_US + air_us(got) if got else HLTA_TIMEOUT_US) for sent, got in _FRAMES
    )
    spi_bytes = sum((1 + -(-sent // 8)) + 2 + 2 + (1 + got // 8 if got else 0) for sent, got in _FRAMES)
    return air + spi_bytes * 8e6 / spi_hz


# ---- one bus ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cost:
    """What one sweep came to, on average."""

    ms: float
    missed: int
    """Tags that were not named, or named otherwise, in all sweeps together."""


def _tag(bus: int, number: int) -> bytes:
    """An NTAG's UID, different everywhere."""
    return bytes([0x04, 0xA3, 0xC6, bus, 0xE2, 0x61, 0x80 + number])


@dataclass(frozen=True, slots=True)
class _Bus:
    """One bus: its time, its tags, and how the readers on it are asked for what lies on each."""

    clock: SimulatedClock
    tags: Sequence[bytes]
    ask: Callable[[], Sequence[Sequence[bytes]]]

    def sweep(self) -> tuple[float, int]:
        """Seconds, and tags missed or misnamed."""
        start_s = self.clock.now_s()
        answers = self.ask()
        wrong = sum([tag] != list(answer) for tag, answer in zip(self.tags, answers, strict=True))
        return self.clock.now_s() - start_s, wrong


def _cost(buses: Sequence[_Bus], settling: int = _SETTLING_SWEEPS) -> Cost:
    for _ in range(settling):
        for bus in buses:
            bus.ask()
    total_s, missed = 0.0, 0
    for _ in range(SWEEPS):
        sweeps = [bus.sweep() for bus in buses]
        total_s += max(seconds for seconds, _ in sweeps)
        missed += sum(wrong for _, wrong in sweeps)
    return Cost(round(1000 * total_s / SWEEPS, 2), missed)


def _sizes() -> list[int]:
    return [READERS_OF_A_NODE] * NODES + [PADS]


def _board(
    bus: int, count: int, *, occupied: bool, by_pin: Sequence[int] = ()
) -> tuple[SimulatedBoard, list[bytes]]:
    """Chips on device 0, 1, 2 ... of bus 0; the last ones by pins where pins are given."""
    board, tags = SimulatedBoard(), [_tag(bus, number) for number in range(count)]
    own = count - len(by_pin)
    for number, tag in enumerate(tags):
        field = Field(seed=number)
        field.lay((tag,) if occupied else ())
        if number < own:
            board.attach(Chip(field), 0, number)
        else:
            board.attach(Chip(field), 0, 0, cs=by_pin[number - own])
    return board, tags


# ---- ours ------------------------------------------------------------------------------------------------

_PAD_PINS: Final = (29, 31)


def ours(*, occupied: bool) -> Cost:
    """Ours, every bus like a Pi's; of the pads two are selected by GPIO pins."""
    buses = [_ours_on_a_board(bus, count, occupied=occupied) for bus, count in enumerate(_sizes())]
    # Empty readers look longer for a while after a tag was there; that is over then.
    return _cost(buses, _SETTLING_SWEEPS + EXPECTING_POLLS)


def _ours_on_a_board(bus: int, count: int, *, occupied: bool) -> _Bus:
    pins = _PAD_PINS if count == PADS else ()
    board, tags = _board(bus, count, occupied=occupied, by_pin=pins)
    own = count - len(pins)
    entries = [
        SpiReader(f"pad/{n + 1}", 0, n, spi_hz=SPI_HZ)
        if n < own
        else SpiReader(f"pad/{n + 1}", 0, 0, cs=pins[n - own], spi_hz=SPI_HZ)
        for n in range(count)
    ]
    node = spi_node(entries, clock=board.clock, package=board.load_mfrc522())
    return _Bus(board.clock, tags, lambda: _uids(node.pollers[0]))


def ours_on_microcontrollers() -> Cost:
    """Ours on the five nodes alone, each transfer costing what MicroPython needs for one."""
    return _cost([_ours_on_a_node(bus) for bus in range(NODES)])


def _ours_on_a_node(bus: int) -> _Bus:
    clock, tags, readers = SimulatedClock(), [], []
    for number in range(READERS_OF_A_NODE):
        tags.append(_tag(bus, number))
        field = Field(seed=number)
        field.place(tags[-1])
        wires = ChipWires(Chip(field), clock, spi_hz=SPI_HZ, call_s=NODE_CALL_S)
        readers.append(Mfrc522Reader(f"slot/{number}", wires, clock))
    poller = Poller(readers, clock)
    return _Bus(clock, tags, lambda: _uids(poller))


def _uids(poller: Poller) -> list[tuple[bytes, ...]]:
    return [getattr(reading, "uids", ()) for reading in poller.sweep().values()]


# ---- the others ------------------------------------------------------------------------------------------

Ask = Callable[[], bytes | None]


@dataclass(frozen=True, slots=True)
class Package:
    """Another package: how to make its reader on a device, and how to ask it for what lies there."""

    distribution: str
    version: str
    module: str
    reader: Callable[[types.ModuleType, SimulatedBoard, int], Ask]

    def folder(self) -> Path | None:
        """Where it was installed for the benchmark; None: nowhere."""
        base = os.environ.get(PACKAGES_VARIABLE)
        folder = Path(base or "", self.distribution)
        return folder if base and (folder / self.module).is_dir() else None


def _mfrc522(package: types.ModuleType, board: SimulatedBoard, device: int) -> Ask:
    """As its SimpleMFRC522.read_id_no_block, which itself knows one reader only."""
    del board
    chip = package.MFRC522(bus=0, device=device, spd=SPI_HZ)

    def ask() -> bytes | None:
        status, _ = chip.MFRC522_Request(chip.PICC_REQIDL)
        if status != chip.MI_OK:
            return None
        status, uid = chip.MFRC522_Anticoll()
        return bytes(uid) if status == chip.MI_OK else None

    return ask


def _mfrc522_python(package: types.ModuleType, board: SimulatedBoard, device: int) -> Ask:
    """As its BasicMFRC522.read_id_no_block; it sleeps while it waits, in simulated time here."""
    chip = package.MFRC522(bus=0, device=device, spd=SPI_HZ)
    package.MFRC522.MFRC522_ToCard.__globals__["sleep"] = board.clock.sleep

    def ask() -> bytes | None:
        status, _ = chip.Request(chip.PICC_REQIDL)
        if status != chip.MI_OK:
            return None
        status, uid = chip.Anticoll()
        return bytes(uid) if status == chip.MI_OK else None

    return ask


def _pi_rc522(package: types.ModuleType, board: SimulatedBoard, device: int) -> Ask:
    """Its read_id, without the interrupt line, which current kernels refuse it (F-34)."""
    del board
    chip = package.RFID(bus=0, device=device, speed=SPI_HZ, pin_irq=None)

    def ask() -> bytes | None:
        uid = chip.read_id()
        return None if uid is None else bytes(uid)

    return ask


PACKAGES: Final = (
    Package("mfrc522", "0.0.7", "mfrc522", _mfrc522),
    Package("mfrc522-python", "0.0.9", "mfrc522", _mfrc522_python),
    Package("pi-rc522", "2.3.0", "pirc522", _pi_rc522),
)


def theirs(package: Package, *, occupied: bool) -> Cost | None:
    """The same sweep by another package; None: it is not there."""
    folder = package.folder()
    if folder is None and package.distribution != "mfrc522":
        return None
    with _quiet():
        return _cost(
            [
                _theirs_on_a_board(package, folder, bus, count, occupied=occupied)
                for bus, count in enumerate(_sizes())
            ]
        )


def _theirs_on_a_board(
    package: Package, folder: Path | None, bus: int, count: int, *, occupied: bool
) -> _Bus:
    board, tags = _board(bus, count, occupied=occupied)
    module = board.load_mfrc522() if folder is None else board.load(package.module, folder)
    asks = [package.reader(module, board, device) for device in range(count)]

    def sweep() -> list[list[bytes]]:
        return [[] if (uid := ask()) is None else [uid] for ask in asks]

    return _Bus(board.clock, tags, sweep)


@contextmanager
def _quiet() -> Iterator[None]:
    """Without their warnings about `~True` (F-46), their log, and the handlers that one of them leaves."""
    logger = logging.getLogger("mfrc522Logger")
    handlers = list(logger.handlers)
    disabled = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            yield
        finally:
            logging.disable(disabled)
            logger.handlers[:] = handlers


# ---- rows ------------------------------------------------------------------------------------------------


def rows() -> list[Row]:
    """A row per figure, lower being better; packages that are not there are named in the first row's note."""
    full, empty = ours(occupied=True), ours(occupied=False)
    least_ms = round(READERS_OF_A_NODE * least_poll_us() / 1000, 2)
    table: list[Row] = [
        _row(f"full sweep, {READERS} tags", full.ms, "least by ISO 14443 and SPI", least_ms, "simulated ms"),
        _row(
            "full sweep of five nodes in MicroPython, 25 tags",
            ours_on_microcontrollers().ms,
            "least by ISO 14443 and SPI",
            least_ms,
            "simulated ms",
            note=f"{NODE_CALL_S * 1e6:.0f} us per transfer in place of 20 us; an estimate",
        ),
    ]
    missing = []
    for package in PACKAGES:
        other = theirs(package, occupied=True)
        other_empty = theirs(package, occupied=False)
        if other is None or other_empty is None:
            missing.append(package.distribution)
            continue
        name = f"{package.distribution} {package.version}"
        table += [
            _row(f"full sweep, {READERS} tags", full.ms, name, other.ms, "simulated ms"),
            _row(
                f"tags missed or misnamed in {SWEEPS} full sweeps",
                full.missed,
                name,
                other.missed,
                f"of {READERS * SWEEPS}",
            ),
            _row(f"sweep of {READERS} empty readers", empty.ms, name, other_empty.ms, "simulated ms"),
        ]
    if missing:
        table[0]["note"] = INSTALL.format(missing=", ".join(missing))
    return table


def _row(name: str, mine: float, against: str, other: float, unit: str, *, note: str = "") -> Row:
    return {"name": name, "ours": mine, "against": against, "theirs": other, "unit": unit, "note": note}
