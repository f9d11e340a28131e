"""The 40-pin header of a Raspberry Pi, for readers on its own SPI bus: the pads. Physical pin numbers."""

from dataclasses import dataclass
from typing import Final

BCM_OF_PIN: Final = {
    3: 2, 5: 3, 7: 4, 8: 14, 10: 15, 11: 17, 12: 18, 13: 27, 15: 22, 16: 23, 18: 24, 19: 10, 21: 9, 22: 25,
    23: 11, 24: 8, 26: 7, 29: 5, 31: 6, 32: 12, 33: 13, 35: 19, 36: 16, 37: 26, 38: 20, 40: 21,
}  # fmt: skip
"""Physical pin to the processor's own (BCM) number."""

POWER_PINS: Final = {"3V3": (1, 17), "5V": (2, 4), "GND": (6, 9, 14, 20, 25, 30, 34, 39)}

I2C_PINS: Final = (3, 5)

SPI0_PINS: Final = {"MOSI": 19, "MISO": 21, "SCK": 23}
SPI0_SELECTS: Final = (24, 26)
"""Chip selects of device 0 and 1."""

SPI1_PINS: Final = {"MOSI": 38, "MISO": 35, "SCK": 40}
SPI1_SELECTS: Final = (12, 11)
"""Of the second bus, where `dtoverlay=spi1-2cs` gives it the header's pins; plain GPIO elsewhere."""

SPI_PINS: Final = (SPI0_PINS, SPI1_PINS)
SPI_SELECTS: Final = (SPI0_SELECTS, SPI1_SELECTS)
"""By number of the bus."""

GPIO_PINS: Final = frozenset(
    pin for pin in BCM_OF_PIN if pin not in {*I2C_PINS, *SPI0_PINS.values(), *SPI0_SELECTS}
)
"""For reset lines and chip selects: GPIO, and neither SPI0 nor I2C1. Those of SPI1 only while it is off."""


@dataclass(frozen=True, slots=True)
class PadWiring:
    """Where the reader of one pad hangs, in the words of a table file."""

    space: str
    device: int
    reset: int
    cs: int | None = None
    """Physical pin of a GPIO as chip select; None: the device's own."""
    bus: int = 0

    @property
    def select_pin(self) -> int:
        """The physical pin that its chip select goes to."""
        return SPI_SELECTS[self.bus][self.device] if self.cs is None else self.cs


PADS: Final = (
    PadWiring("pad/1", device=0, reset=22),
    PadWiring("pad/2", device=1, reset=18),
    PadWiring("pad/3", device=0, reset=16, cs=29),
    PadWiring("pad/4", device=0, reset=36, cs=31),
)
"""Four pads on SPI0: two on its own chip selects, two on GPIO pins. Each has its own reset line."""

PADS_TWO_BUSES: Final = (
    PadWiring("pad/1", device=0, reset=22),
    PadWiring("pad/2", device=1, reset=18),
    PadWiring("pad/3", bus=1, device=0, reset=16),
    PadWiring("pad/4", bus=1, device=1, reset=36),
)
"""Four pads on two buses, for a Raspberry Pi 5: its SPI controller (DesignWare; `mode_bits` of the kernel's
spi-dw-core.c) has no SPI_NO_CS, without which a chip select by a pin must not share a device with another."""
