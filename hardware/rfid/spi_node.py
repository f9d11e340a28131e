"""The readers on this machine's own SPI buses, from the reader entries of a table file."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hardware.clock import Clock, SystemClock
from hardware.errors import ReaderConfigError
from hardware.rfid.mfrc522 import Mfrc522Reader, Wiring
from hardware.rfid.package import load_mfrc522
from hardware.rfid.poller import Poller
from hardware.rfid.registers import MAX_SPI_HZ

RESET_PINS: Final = frozenset({7, 8, 10, 11, 12, 13, 15, 16, 18, 22, 29, 31, 32, 33, 35, 36, 37, 38, 40})
"""Physical pins of the 40-pin header that can drive a reset line: GPIO, and neither SPI0 nor I2C1."""


@dataclass(frozen=True, slots=True)
class SpiReader:
    """One reader entry of a node of kind "spi"."""

    space: str
    bus: int
    device: int
    reset: int = 22
    gain: int = 4
    cs: int | None = None
    """A GPIO pin as chip select; not driven yet, and refused."""
    spi_hz: int = 1_000_000


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
    taken: dict[tuple[int, int], str] = {}
    spaces: set[str] = set()
    for entry in entries:
        _check(entry)
        if entry.space in spaces:
            raise ReaderConfigError(entry.space, "space", "named by two readers: each space has one")
        spaces.add(entry.space)
        other = taken.setdefault((entry.bus, entry.device), entry.space)
        if other != entry.space:
            raise ReaderConfigError(
                entry.space,
                "device",
                f"bus {entry.bus}, device {entry.device} is that of {other} already",
            )
    chip_class = (package or load_mfrc522()).MFRC522
    time = clock or SystemClock()
    readers = {entry.space: Mfrc522Reader(entry.space, chip_class, _wiring(entry), time) for entry in entries}
    return SpiNode(readers, pollers_of(list(readers.values()), time))


def pollers_of(readers: Sequence[Mfrc522Reader], clock: Clock) -> tuple[Poller, ...]:
    """One poller for each bus, in the order of the bus numbers."""
    buses = sorted({reader.bus for reader in readers})
    return tuple(Poller([reader for reader in readers if reader.bus == bus], clock) for bus in buses)


def _wiring(entry: SpiReader) -> Wiring:
    return Wiring(entry.bus, entry.device, entry.reset, entry.gain, entry.spi_hz)


def _check(entry: SpiReader) -> None:
    if entry.cs is not None:
        raise ReaderConfigError(
            entry.space,
            "cs",
            "chip select by a GPIO pin is not driven yet: give it a device of its own",
        )
    for key, value, low, high in (
        ("bus", entry.bus, 0, 9),
        ("device", entry.device, 0, 99),
        ("gain", entry.gain, 0, 7),
        ("spi_hz", entry.spi_hz, 10_000, MAX_SPI_HZ),
    ):
        if not low <= value <= high:
            raise ReaderConfigError(entry.space, key, f"{value} is outside {low}..{high}")
    if entry.reset not in RESET_PINS:
        pins = ", ".join(map(str, sorted(RESET_PINS)))
        raise ReaderConfigError(entry.space, "reset", f"physical pin {entry.reset} can't be one: use {pins}")
