"""Readers over the bare wires of simulated chips: as a node holds them, and quick enough for long runs."""

import os
from dataclasses import dataclass, field

from hardware.rfid.mfrc522 import Mfrc522Reader
from hardware.rfid.poller import Poller
from hardware.simulated.chip import Chip, CollPosCounts
from hardware.simulated.clock import SimulatedClock
from hardware.simulated.field import Field
from hardware.simulated.wires import ChipWires

LONG: bool = os.environ.get("LONG_RUNS") == "1"
"""Run the long runs whole: LONG_RUNS=1 make test. Without it they are the same runs, cut to some seconds."""


@dataclass
class Wired:
    clock: SimulatedClock = field(default_factory=SimulatedClock)
    chips: list[Chip] = field(default_factory=list)
    fields: list[Field] = field(default_factory=list)
    readers: list[Mfrc522Reader] = field(default_factory=list)

    @property
    def poller(self) -> Poller:
        return Poller(self.readers, self.clock)

    def add(
        self, *tags: str, counts: CollPosCounts = CollPosCounts.UID, chip_class: type[Chip] = Chip
    ) -> Mfrc522Reader:
        spot = Field(seed=len(self.fields))
        spot.lay(tags)
        chip = chip_class(spot, coll_pos_counts=counts)
        name = f"slot/{len(self.readers) + 1}"
        reader = Mfrc522Reader(name, ChipWires(chip, self.clock), self.clock)
        self.fields.append(spot)
        self.chips.append(chip)
        self.readers.append(reader)
        return reader


def wired(*tags: str, chip_class: type[Chip] = Chip) -> Wired:
    """One reader with these tags on it."""
    table = Wired()
    table.add(*tags, chip_class=chip_class)
    return table
