"""Who is wired to whom, as nets, from the pin maps: what the tables and drawings of docs/building show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from hardware.boards import pi, pico

Side = Literal["left", "right"]

READER_PINS: Final = ("SDA", "SCK", "MOSI", "MISO", "IRQ", "GND", "RST", "3.3V")
"""The row of pins of the common MFRC522 board, in its order. IRQ stays free: readers are polled."""

_OTHER_PICO_PINS: Final = {30: "RUN", 33: "AGND", 35: "ADC_VREF", 37: "3V3_EN", 39: "VSYS"}
_OTHER_PI_PINS: Final = {27: "ID_SD", 28: "ID_SC"}


@dataclass(frozen=True, slots=True)
class Pin:
    """One pin of something that is wired."""

    label: str
    net: str | None = None
    """What it hangs on; None: it stays free."""
    kind: str = ""
    """What sort of line that is, for its colour: a key of `drawing.COLOURS`."""
    number: int | None = None
    """Counted on the board; None: only the label tells."""


@dataclass(frozen=True, slots=True)
class Part:
    """A board with a row of pins on one side, or on both."""

    title: str
    note: str
    left: tuple[Pin, ...] = ()
    right: tuple[Pin, ...] = ()


@dataclass(frozen=True, slots=True)
class Wiring:
    """A board in the middle (and what stands below it), and the parts at its left and right."""

    title: str
    middle: tuple[Part, ...]
    left: tuple[Part, ...]
    right: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One wire of a reader, for a table."""

    reader_pin: str
    pin: int | None
    """Physical pin of the board; None: another part, named by the label."""
    label: str


def pico_lines(plug: pico.Plug) -> tuple[Line, ...]:
    """The wires of the reader at one plug, in the order of its pins."""
    gpio = {"SDA": plug.cs, "SCK": plug.sck, "MOSI": plug.mosi, "MISO": plug.miso, "RST": plug.reset}
    lines = {name: Line(name, pico.PHYSICAL_PIN[number], f"GP{number}") for name, number in gpio.items()}
    lines["GND"] = Line("GND", _near(pico.POWER_PINS["GND"], pico.PHYSICAL_PIN[plug.cs] <= 20), "GND")
    lines["3.3V"] = Line("3.3V", None, "regulator")
    return tuple(lines[name] for name in READER_PINS if name in lines)


def pi_lines(pad: pi.PadWiring) -> tuple[Line, ...]:
    """The wires of the reader of one pad, in the order of its pins."""
    spi = pi.SPI_PINS[pad.bus]
    pins = {
        "SDA": pad.select_pin,
        "SCK": spi["SCK"],
        "MOSI": spi["MOSI"],
        "MISO": spi["MISO"],
        "RST": pad.reset,
    }
    lines = {name: Line(name, pin, f"GPIO{pi.BCM_OF_PIN[pin]}") for name, pin in pins.items()}
    lines["GND"] = Line("GND", pi.POWER_PINS["GND"][0 if pad.select_pin % 2 == 0 else 1], "GND")
    lines["3.3V"] = Line("3.3V", pi.POWER_PINS["3V3"][0], "3V3")
    return tuple(lines[name] for name in READER_PINS if name in lines)


def pico_wiring(title: str, board: pico.PicoBoard, spaces: Mapping[str, str]) -> Wiring:
    """A node: the Pico, its regulator, its readers, its strip of lights.

    Args:
        title: of the drawing.
        board: one of the Pico's wirings.
        spaces: what stands above the reader of each plug.
    """
    own: dict[int, tuple[str, str]] = {}
    readers: dict[Side, list[Part]] = {"left": [], "right": []}
    shares_miso = len({plug.miso for plug in board.plugs}) < len(board.plugs)
    for plug in board.plugs:
        lines = pico_lines(plug)
        side: Side = "left" if pico.PHYSICAL_PIN[plug.cs] <= 20 else "right"
        pins = _reader(lines, plug.name, side, own, shares_miso=shares_miso)
        readers[side].append(_part(f"{plug.name}: reader", spaces.get(plug.name, ""), pins, side))
    light = pico.PHYSICAL_PIN[board.lights]
    own[light] = ("DIN", "lights")
    usb = pico.POWER_PINS["VBUS"][0]
    own[usb] = ("5V", "5 V")
    names = {pin: f"GP{gpio}" for gpio, pin in pico.PHYSICAL_PIN.items()} | _OTHER_PICO_PINS
    names |= {pin: name for name, pins in pico.POWER_PINS.items() for pin in pins if pin not in names}
    row = [_pin(number, names, own) for number in (*range(1, 21), *range(40, 20, -1))]
    strip = (Pin("5 V", "5V", "5 V"), Pin("DIN", "DIN", "lights"), Pin("GND", "GND right", "ground"))
    readers["right"].append(Part("Lights", "330 Ω before DIN", left=strip))
    return Wiring(
        title,
        (Part("Pico", "USB plug up", tuple(row[:20]), tuple(row[20:])), _REGULATOR),
        tuple(readers["left"]),
        tuple(readers["right"]),
    )


def pi_wiring(title: str, pads: Sequence[pi.PadWiring]) -> Wiring:
    """The Pi's header and the readers of the pads."""
    own: dict[int, tuple[str, str]] = {}
    readers: dict[Side, list[Part]] = {"left": [], "right": []}
    for pad in pads:
        side: Side = "right" if pad.select_pin % 2 == 0 else "left"
        pins = _reader(pi_lines(pad), pad.space, side, own)
        readers[side].append(_part(pad.space, f"bus {pad.bus}, device {pad.device}", pins, side))
    names = {pin: f"GPIO{gpio}" for pin, gpio in pi.BCM_OF_PIN.items()} | _OTHER_PI_PINS
    names |= {pin: name for name, pins in pi.POWER_PINS.items() for pin in pins}
    row = [_pin(number, names, own) for number in range(1, 41)]
    header = Part("Raspberry Pi", "pin 1: at the end of the SD card", tuple(row[::2]), tuple(row[1::2]))
    return Wiring(title, (header,), tuple(readers["left"]), tuple(readers["right"]))


_KINDS: Final = {
    "SDA": "chip select",
    "SCK": "clock",
    "MOSI": "MOSI",
    "MISO": "MISO",
    "GND": "ground",
    "RST": "reset",
    "3.3V": "3.3 V",
}

_REGULATOR: Final = Part(
    "3.3 V regulator",
    "1 A; one per node",
    left=(Pin("3.3 V", "3.3V", "3.3 V"), Pin("GND", "GND left", "ground")),
    right=(Pin("5 V in", "5V", "5 V"), Pin("GND", "GND right", "ground")),
)


def _reader(
    lines: Sequence[Line],
    name: str,
    side: Side,
    own: dict[int, tuple[str, str]],
    *,
    shares_miso: bool = True,
) -> tuple[Pin, ...]:
    """The reader's pins; those of the board that they hang on go into `own`."""
    alone = {"SDA", "RST"} if shares_miso else {"SDA", "RST", "MISO"}
    by_name = {line.reader_pin: line for line in lines}
    pins = []
    for label in READER_PINS:
        line = by_name.get(label)
        if line is None:
            pins.append(Pin(label))
            continue
        # Lines that readers share are told by where they end; those of one reader by its name.
        net = f"{name} {label}" if label in alone else f"{label} {line.label}"
        net = {"GND": f"GND {side}", "3.3V": "3.3V"}.get(label, net)
        pins.append(Pin(label, net, _KINDS[label]))
        if line.pin is not None:
            own[line.pin] = (net, _KINDS[label])
    return tuple(pins)


def _pin(number: int, names: Mapping[int, str], own: Mapping[int, tuple[str, str]]) -> Pin:
    """A pin of the board, labelled with what it is for; power pins are called after that already."""
    net, kind = own.get(number, (None, ""))
    if net is None or kind in {"ground", "3.3 V", "5 V"}:
        return Pin(names[number], net, kind, number)
    # A shared line's net is its function and its pin: the pin is said already.
    use = net.removesuffix(f" {names[number]}")
    return Pin(f"{names[number]}  {use}", net, kind, number)


def _part(title: str, note: str, pins: tuple[Pin, ...], side: Side) -> Part:
    return Part(title, note, right=pins) if side == "left" else Part(title, note, left=pins)


def _near(pins: Sequence[int], left: bool) -> int:  # noqa: FBT001 one of two sides
    """A ground pin on that side of the Pico, in its middle; not AGND, that of the converters."""
    return next(pin for pin in pins if pin > (10 if left else 25))
