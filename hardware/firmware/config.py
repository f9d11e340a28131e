"""A node's configuration: the one file in which nodes differ. `hardware.firmware.install` copies it."""

REALM = "valley"
FRONTIER = "valley-cradle"
"""The fifth of the board that this node feels: a Realm, and the Frontier after it."""

NODE = "realm-" + REALM
"""Its name in the table file."""

BOARD = "pico-a"
"""The wiring: pico-a, or pico-b with a MISO line for each reader (hardware/boards/pico.py)."""

SPACES = {
    "R1": "slot/" + REALM + ".1",
    "R2": "slot/" + REALM + ".2",
    "R3": "slot/" + FRONTIER,
    "R4": "spirit/" + REALM,
    "R5": "spirit/" + FRONTIER,
}
"""What the reader at each plug stands below."""

GAIN = 4
"""Of every reader, 0 to 7: 4 is 33 dB, 7 is 48 dB."""

GAINS: dict[str, int] = {}
"""Where a reader needs another one: {"slot/valley.1": 6}."""

FIELD = "always"
"""When a reader's field is on: always, or "polls", only while it looks: never two at once, a third of the
current, and 5 ms more for each reader of a sweep."""

SPI_HZ = 1_000_000
"""SPI clock; lower it where wires are long. pico-b reaches about half of this."""

LEDS = 10
"""How many lights the strip has; 0: no strip."""

LIGHTS = {
    SPACES["R1"]: (0, 2),
    SPACES["R2"]: (2, 2),
    SPACES["R3"]: (4, 2),
    SPACES["R4"]: (6, 2),
    SPACES["R5"]: (8, 2),
}
"""Which of them belong to a space: the first, counted from 0, and how many."""

BRIGHTNESS = 25
"""Percent; ten lights at 25 % draw up to 100 mA."""
