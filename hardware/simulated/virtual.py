"""A node of simulated chips: a chip, a field and a reader per space, all through the real mfrc522 package."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hardware.boards.pi import GPIO_PINS
from hardware.reader import Reading
from hardware.rfid.mfrc522 import Mfrc522Reader
from hardware.rfid.pi_bus import PiBus, Wiring
from hardware.rfid.poller import Poller
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.chip import Chip
from hardware.simulated.clock import SimulatedClock
from hardware.simulated.field import Field, TagBox

_CHIPS_PER_BUS = 8
_SPI_HZ = 4_000_000
"""The simulated wires are short: fewer simulated milliseconds per sweep than at the default of 1 MHz."""


@dataclass(frozen=True, slots=True)
class VirtualNode:
    """Readers and what lies in their fields, by space."""

    readers: Mapping[str, Mfrc522Reader]
    fields: Mapping[str, Field]
    """Lay and lift tags here, from any thread."""
    chips: Mapping[str, Chip]
    """For faults: `glitch`, `unplug`, ..."""
    clock: SimulatedClock
    board: SimulatedBoard
    pollers: tuple[Poller, ...]
    """One, since simulated time is one; call from one thread at a time."""

    def sweep(self) -> Mapping[str, Reading]:
        """Poll every reader once, in simulated time: no real waiting."""
        return self.pollers[0].sweep()

    def close(self) -> None:
        """Close every reader."""
        for reader in self.readers.values():
            reader.close()


def virtual_node(spaces: Sequence[str], *, spi_hz: int = _SPI_HZ) -> VirtualNode:
    """Make a virtual node.

    Args:
        spaces: one reader each, visited in this order.
        spi_hz: the simulated SPI clock.

    Raises:
        DriverMissingError: the mfrc522 package is not installed (spidev and RPi.GPIO are not needed).
    """
    clock = SimulatedClock()
    board = SimulatedBoard(clock)
    chip_class = board.load_mfrc522().MFRC522
    pins = sorted(GPIO_PINS)
    fields: dict[str, Field] = {}
    box: TagBox = {}
    chips: dict[str, Chip] = {}
    readers: dict[str, Mfrc522Reader] = {}
    for number, space in enumerate(spaces):
        wiring = Wiring(*divmod(number, _CHIPS_PER_BUS), reset=pins[number % len(pins)], spi_hz=spi_hz)
        fields[space] = Field(seed=number, box=box)
        chips[space] = Chip(fields[space])
        board.attach(chips[space], wiring.bus, wiring.device, reset=wiring.reset)
        readers[space] = Mfrc522Reader(space, PiBus(chip_class, wiring), clock)
    poller = Poller(list(readers.values()), clock, limit_us=10_000_000)
    return VirtualNode(readers, fields, chips, clock, board, (poller,))
