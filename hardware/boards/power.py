"""What readers, nodes and lights draw, as sums: the tables of docs/building/power.md.

Currents of the chip are the data sheet's (MFRC522, section 12, characteristics); most boards with their small
antenna draw less. What no data sheet says is marked as an estimate.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hardware.boards import pi
from hardware.boards.pico import PICO_A
from hardware.firmware import config
from hardware.firmware.lights import COLOURS
from hardware.firmware.manifest import FRONTIERS

LOGIC_MA: Final = 14
"""Of one reader: 6.5 mA digital and 7 mA analog, rounded up."""
FIELD_MA: Final = (60, 100)
"""Of the transmitter while its field is on: typical, and the most."""

PICO_PIN_MA: Final = 300
"""What the Pico's 3V3 pin should give at most (Pico data sheet 2.1)."""

PICO_MA: Final = 100
"""A Pico itself, on its 5 V: an estimate on the high side."""
LED_MA: Final = 20
"""One colour of one WS2812 at full brightness; an estimate on the high side."""
LED_IDLE_MA: Final = 1
"""One WS2812 that is dark; an estimate."""

NODES: Final = len(FRONTIERS)
READERS_OF_A_NODE: Final = len(PICO_A.plugs)
PADS: Final = len(pi.PADS)


@dataclass(frozen=True, slots=True)
class Load:
    """Something that draws current."""

    what: str
    readers: int
    fields: int
    """How many of them have their field on at the same time."""

    @property
    def typical_ma(self) -> int:
        """Typical sum."""
        return self.readers * LOGIC_MA + self.fields * FIELD_MA[0]

    @property
    def most_ma(self) -> int:
        """The most it can be."""
        return self.readers * LOGIC_MA + self.fields * FIELD_MA[1]


LOADS: Final = (
    Load("one reader, field off", 1, 0),
    Load("one reader, field on", 1, 1),
    Load("a node, every field on", READERS_OF_A_NODE, READERS_OF_A_NODE),
    Load('a node, `FIELD = "polls"`', READERS_OF_A_NODE, 1),
    Load("pads, every field on", PADS, PADS),
    Load('pads on one bus, `field = "polls"`', PADS, 1),
    Load('pads on two buses, `field = "polls"`', PADS, 2),
    Load("all nodes, every field on", NODES * READERS_OF_A_NODE, NODES * READERS_OF_A_NODE),
    Load('all nodes, `FIELD = "polls"`', NODES * READERS_OF_A_NODE, NODES),
)
"""At 3.3 V. The readers of one poller look one after the other, so that one field at a time is on."""

NODE_ALWAYS: Final = LOADS[2]
NODE_POLLING: Final = LOADS[3]


def lights_ma(leds: int = config.LEDS, brightness: int = config.BRIGHTNESS) -> int:
    """The most that a strip draws at 5 V: every light in the colour that needs most.

    Args:
        leds: how many.
        brightness: in percent.
    """
    colours = max(sum(colour) for colour in COLOURS.values()) / 255
    return round(leds * (LED_IDLE_MA + LED_MA * colours * brightness / 100))


def node_5v_ma(load: Load, *, most: bool) -> int:
    """What a node takes from its USB plug: a linear regulator takes as many mA as it gives."""
    return (load.most_ma if most else load.typical_ma) + PICO_MA + lights_ma()


def regulator_heat_w(load: Load) -> float:
    """What a linear regulator from 5 V to 3.3 V turns into heat at most."""
    return load.most_ma / 1000 * (5.0 - 3.3)


def table() -> Sequence[Sequence[str]]:
    """Head and rows: every load at 3.3 V."""
    rows = [["at 3.3 V", "readers", "fields on", "typical", "at most"]]
    rows += [
        [load.what, f"{load.readers}", f"{load.fields}", f"{load.typical_ma} mA", f"{load.most_ma} mA"]
        for load in LOADS
    ]
    return rows


def table_5v() -> Sequence[Sequence[str]]:
    """Head and rows: what nodes take from USB, at 5 V, at most."""
    rows = [["at 5 V, at most", "readers", "Pico", "lights", "a node", f"{NODES} nodes"]]
    for what, load in (("every field on", NODE_ALWAYS), ('`FIELD = "polls"`', NODE_POLLING)):
        node = node_5v_ma(load, most=True)
        parts = (load.most_ma, PICO_MA, lights_ma(), node, NODES * node)
        rows.append([what, *[f"{part} mA" for part in parts]])
    return rows
