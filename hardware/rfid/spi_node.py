"""The readers on this machine's own SPI buses, from the reader entries of a table file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hardware.boards.pi import GPIO_PINS
from hardware.clock import Clock, SystemClock
from hardware.errors import ReaderConfigError
from hardware.rfid.mfrc522 import Mfrc522Reader
from hardware.rfid.package import load_mfrc522
from hardware.rfid.pi_bus import PiBus, SharedSelects, Wiring
from hardware.rfid.poller import Poller
from hardware.rfid.registers import MAX_SPI_HZ


@dataclass(frozen=True, slots=True)
class SpiReader:
    """One reader entry of a node of kind "spi"."""

    space: str
    bus: int
    device: int
    reset: int = 22
    gain: int = 4
    cs: int | None = None
    """Physical pin of a GPIO as chip select; its device only carries the data. None: the device's own."""
    spi_hz: int = 1_000_000
    field_off: bool = False
    """Switch the field off between polls."""


@dataclass(frozen=True, slots=True)
class SpiNode:
    """Readers by space, and one poller per bus for as many threads."""

    readers: Mapping[str, Mfrc522Reader]
    pollers: tuple[Poller, ...]

    def close(self) -> None:
        """Close every reader; nothing else of the process is touched."""
        for reader in self.readers.values():
            reader.close()


def spi_node(entries: Sequence[SpiReader], *, clock: Clock | None = None, package: Any = None) -> SpiNode:
    """Make the readers of one node. Nothing is opened before the first poll.

    Args:
        entries: the node's reader entries.
        clock: the machine's own by default.
        package: the mfrc522 package to drive them; this machine's own by default.

    Raises:
        ReaderConfigError: an entry that can't be wired like that, or two that claim the same.
        DriverMissingError: the mfrc522 package can't be used on this machine.
    """
    _check_all(entries)
    chip_class = (package or load_mfrc522()).MFRC522
    time = clock or SystemClock()
    wirings = {entry.space: _wiring(entry) for entry in entries}
    selects = {
        bus: SharedSelects([wiring for wiring in wirings.values() if wiring.bus == bus])
        for bus in sorted({entry.bus for entry in entries})
    }
    readers = {
        entry.space: Mfrc522Reader(
            entry.space,
            PiBus(chip_class, wirings[entry.space], selects[entry.bus]),
            time,
            gain=entry.gain,
            field_off=entry.field_off,
        )
        for entry in entries
    }
    return SpiNode(readers, tuple(Poller(_on(bus, entries, readers), time) for bus in selects))


def _on(bus: int, entries: Sequence[SpiReader], readers: Mapping[str, Mfrc522Reader]) -> list[Mfrc522Reader]:
    return [readers[entry.space] for entry in entries if entry.bus == bus]


def _wiring(entry: SpiReader) -> Wiring:
    return Wiring(entry.bus, entry.device, entry.reset, entry.cs, entry.spi_hz)


def _check_all(entries: Sequence[SpiReader]) -> None:
    spaces: set[str] = set()
    selected: dict[tuple[int, int | None, int | None], str] = {}
    for entry in entries:
        _check(entry)
        if entry.space in spaces:
            raise ReaderConfigError(entry.space, "space", "named by two readers: each space has one")
        spaces.add(entry.space)
        by_pin = entry.cs is not None
        select = (-1, None, entry.cs) if by_pin else (entry.bus, entry.device, None)
        other = selected.setdefault(select, entry.space)
        if other != entry.space:
            what = f"pin {entry.cs}" if by_pin else f"bus {entry.bus}, device {entry.device}"
            raise ReaderConfigError(
                entry.space, "cs" if by_pin else "device", f"{what} is that of {other} already"
            )
    resets = {entry.reset: entry.space for entry in entries}
    for entry in entries:
        if entry.cs in resets:
            raise ReaderConfigError(
                entry.space, "cs", f"pin {entry.cs} is the reset line of {resets[entry.cs]}: take another one"
            )


def _check(entry: SpiReader) -> None:
    for key, value, low, high in (
        ("bus", entry.bus, 0, 9),
        ("device", entry.device, 0, 99),
        ("gain", entry.gain, 0, 7),
        ("spi_hz", entry.spi_hz, 10_000, MAX_SPI_HZ),
    ):
        if not low <= value <= high:
            raise ReaderConfigError(entry.space, key, f"{value} is outside {low}..{high}")
    for key, pin in (("reset", entry.reset), ("cs", entry.cs)):
        if pin is not None and pin not in GPIO_PINS:
            pins = ", ".join(map(str, sorted(GPIO_PINS)))
            raise ReaderConfigError(entry.space, key, f"physical pin {pin} can't be one: use {pins}")
