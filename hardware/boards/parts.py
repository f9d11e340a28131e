"""What to buy for a table, by profile: counts from the pin maps, prices as rough estimates."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hardware.boards.power import NODES, PADS
from hardware.firmware.config import LIGHTS, SPACES

PROFILES: Final = ("full", "slots", "pad")
PRICES_OF: Final = "November 2026"

TAGS: Final = 274
"""One for each piece of the base game that can carry one; a test compares it with the game's own list."""


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the list."""

    what: str
    counts: tuple[int, int, int]
    """For each profile."""
    euro: tuple[float, float]
    """What one costs: low and high. Nobody's offer: an estimate."""


_SLOTS: Final = [space for space in SPACES.values() if space.startswith("slot/")]
_BOARD: Final = (NODES * len(SPACES), NODES * len(_SLOTS), 0)
_READERS: Final = (_BOARD[0] + PADS, _BOARD[1] + PADS, PADS)
_PER_NODE: Final = (NODES, NODES, 0)
_LIGHTS: Final = (
    NODES * sum(LIGHTS[space][1] for space in SPACES.values()),
    NODES * sum(LIGHTS[space][1] for space in _SLOTS),
    0,
)

ITEMS: Final = (
    Item("MFRC522 reader below the board", _BOARD, (2, 5)),
    Item("MFRC522 reader as a pad", (PADS, PADS, PADS), (2, 5)),
    Item("Raspberry Pi Pico (RP2040), with pins", _PER_NODE, (4, 7)),
    Item("3.3 V regulator, 1 A, linear", _PER_NODE, (1, 3)),
    Item("light: WS2812, cut from a strip", _LIGHTS, (0.1, 0.3)),
    Item("330 Ω and 470 µF for a node's lights", _PER_NODE, (0.3, 1)),
    Item("10 µF at a reader's 3.3 V", _READERS, (0.1, 0.2)),
    Item("wires and plugs for a reader", _READERS, (0.5, 2)),
    Item("USB cable with data lines, up to 1 m", _PER_NODE, (2, 5)),
    Item("USB hub with a supply of its own, 7 ports", (1, 1, 0), (20, 45)),
    Item("NTAG213 sticker", (TAGS, TAGS, TAGS), (0.15, 0.4)),
    Item("Raspberry Pi with supply and card", (1, 1, 1), (60, 130)),
    Item("touchscreen, 7 inch or more", (1, 1, 1), (50, 150)),
    Item("wood or acrylic for the table top", (1, 1, 0), (30, 80)),
)


def cost_euro(profile: str) -> tuple[int, int]:
    """What all of a profile costs, low and high, in tens of euros."""
    place = PROFILES.index(profile)
    sums = [sum(item.counts[place] * item.euro[end] for item in ITEMS) for end in (0, 1)]
    return round(sums[0] / 10) * 10, round(sums[1] / 10) * 10


def table() -> Sequence[Sequence[str]]:
    """Head and rows, with the sums."""
    rows = [["part", *[f"`{profile}`" for profile in PROFILES], "each, €"]]
    for item in ITEMS:
        low, high = (f"{price:g}" for price in item.euro)
        rows.append([item.what, *[f"{count or '-'}" for count in item.counts], f"{low} to {high}"])
    costs = ["{} to {}".format(*cost_euro(profile)) for profile in PROFILES]
    rows.append(["**readers in all**", *[f"**{count}**" for count in _READERS], ""])
    rows.append([f"**estimate, €, {PRICES_OF}**", *[f"**{cost}**" for cost in costs], ""])
    return rows
