"""Raspberry Pi Pico as a node: five readers and a strip of lights. Numbers are GPIO numbers (GP0 to GP28).

Two wirings, to be named in a node's configuration. Also runs on the node itself.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

PHYSICAL_PIN = {
    0: 1, 1: 2, 2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12, 10: 14, 11: 15, 12: 16, 13: 17, 14: 19,
    15: 20, 16: 21, 17: 22, 18: 24, 19: 25, 20: 26, 21: 27, 22: 29, 26: 31, 27: 32, 28: 34,
}  # fmt: skip
"""The Pico's 40 pins (Pico data sheet, figure 2): where each GPIO comes out, counted with the USB plug up."""

POWER_PINS = {"3V3": (36,), "VBUS": (40,), "GND": (3, 8, 13, 18, 23, 28, 33, 38)}
"""3V3 (out, for the readers' logic only where few fields are on at once), 5 V from USB, ground."""

# What the RP2040 can do in hardware where (data sheet 1.4.3, function 1): which SPI, by pin.
SPI_SCK = {2: 0, 6: 0, 18: 0, 22: 0, 10: 1, 14: 1, 26: 1}
SPI_MOSI = {3: 0, 7: 0, 19: 0, 11: 1, 15: 1, 27: 1}
SPI_MISO = {0: 0, 4: 0, 16: 0, 20: 0, 8: 1, 12: 1, 28: 1}


class Plug:
    """Where one reader is plugged in.

    Attributes:
        name: as printed on a board or written on the cable.
        cs: chip select (the reader's SDA).
        reset: the reader's RST.
        sck: SPI clock.
        mosi: SPI data to the reader.
        miso: SPI data from the reader.
        spi: number of the hardware SPI, or None: by software, on any pins.
    """

    __slots__ = ("cs", "miso", "mosi", "name", "reset", "sck", "spi")

    def __init__(
        self, name: str, *, cs: int, reset: int, sck: int, mosi: int, miso: int, spi: "int | None"
    ) -> None:
        self.name = name
        self.cs = cs
        self.reset = reset
        self.sck = sck
        self.mosi = mosi
        self.miso = miso
        self.spi = spi


class PicoBoard:
    """One wiring of a Pico.

    Attributes:
        name: what a configuration calls it.
        plugs: of its readers.
        lights: data line of the WS2812 strip.
    """

    __slots__ = ("lights", "name", "plugs")

    def __init__(self, name: str, plugs: "Sequence[Plug]", lights: int) -> None:
        self.name = name
        self.plugs = tuple(plugs)
        self.lights = lights

    def plug(self, name: str) -> Plug:
        """The plug of this name.

        Raises:
            ValueError: there is none; the text names those that there are.
        """
        for plug in self.plugs:
            if plug.name == name:
                return plug
        raise ValueError(
            f"{self.name} has no plug {name}, but {', '.join([plug.name for plug in self.plugs])}"
        )


PICO_A = PicoBoard(
    "pico-a",
    (
        Plug("R1", cs=17, reset=22, sck=18, mosi=19, miso=16, spi=0),
        Plug("R2", cs=20, reset=26, sck=18, mosi=19, miso=16, spi=0),
        Plug("R3", cs=21, reset=27, sck=18, mosi=19, miso=16, spi=0),
        Plug("R4", cs=9, reset=13, sck=10, mosi=11, miso=8, spi=1),
        Plug("R5", cs=12, reset=14, sck=10, mosi=11, miso=8, spi=1),
    ),
    lights=28,
)
"""Both hardware SPIs: three readers on one, two on the other. For readers that let go of MISO when they are
not selected."""

PICO_B = PicoBoard(
    "pico-b",
    (
        Plug("R1", cs=17, reset=20, sck=18, mosi=19, miso=16, spi=None),
        Plug("R2", cs=1, reset=2, sck=18, mosi=19, miso=0, spi=None),
        Plug("R3", cs=5, reset=6, sck=18, mosi=19, miso=4, spi=None),
        Plug("R4", cs=9, reset=10, sck=18, mosi=19, miso=8, spi=None),
        Plug("R5", cs=13, reset=14, sck=18, mosi=19, miso=12, spi=None),
    ),
    lights=28,
)
"""A MISO line for each reader, SPI by software: for clone boards that never let go of MISO (F-20, F-37)."""

BOARDS = {board.name: board for board in (PICO_A, PICO_B)}
"""Every wiring by its name."""
