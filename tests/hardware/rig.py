"""One simulated board with one chip, the real package over it, and our reader on top."""

import random
from dataclasses import dataclass
from typing import Any

from hardware.reader import Reading
from hardware.rfid.mfrc522 import Mfrc522Reader
from hardware.rfid.pi_bus import PiBus, Wiring
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.chip import Chip, CollPosCounts
from hardware.simulated.field import Field

NTAG = "04A3C6CAE26180"


@dataclass
class Rig:
    board: SimulatedBoard
    chip: Chip
    field: Field
    package: Any
    bus: PiBus
    reader: Mfrc522Reader

    def poll(self, times: int = 1) -> Reading:
        readings = [self.reader.poll() for _ in range(times)]
        return readings[-1]

    @property
    def transfers(self) -> int:
        return int(self.bus.spi.transfers)


def rig(
    *uids: str,
    counts: CollPosCounts = CollPosCounts.UID,
    gain: int = 4,
    chip_class: type[Chip] = Chip,
    field_off: bool = False,
) -> Rig:
    board, field = SimulatedBoard(), Field()
    chip = chip_class(field, coll_pos_counts=counts)
    board.attach(chip)
    field.lay(uids)
    package = board.load_mfrc522()
    bus = PiBus(package.MFRC522, Wiring())
    reader = Mfrc522Reader("slot/valley.1", bus, board.clock, gain=gain, field_off=field_off)
    return Rig(board, chip, field, package, bus, reader)


def uids(*texts: str) -> tuple[bytes, ...]:
    return tuple(sorted(bytes.fromhex(text) for text in texts))


def dice(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 noise, not secrets
