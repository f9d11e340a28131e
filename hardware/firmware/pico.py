"""The Raspberry Pi Pico under a node: time, wires, lights, line, watchdog. Runs on MicroPython only.

MicroPython's own modules are imported where they are used, so that this file can be read on CPython.
"""

import sys
import time

from hardware.firmware.lights import Lights
from hardware.firmware.line import Line
from hardware.firmware.node import FIRMWARE, Node
from hardware.firmware.settings import SettingError, Settings
from hardware.rfid.mfrc522 import Mfrc522Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hardware.boards.pico import Plug

WATCHDOG_MS = 8000
"""The RP2040 takes 8388 at most. A sweep in which every reader climbs its whole ladder of recovery takes some
two seconds; one in which nobody takes what is said, five."""

COMPLAIN_EVERY_MS = 5000
AFTER_CTRL_C_MS = 500
FALL_MS = 1000
"""Between the report of a fall and the restart, so that it gets out of the port."""

# RP2040 data sheet 4.7.6 and 2.1.2: the alias that clears bits of the watchdog's CTRL, and its ENABLE.
_WATCHDOG_CTRL_CLEAR = 0x4005B000
_WATCHDOG_ENABLE = 1 << 30


class PicoClock:
    """Time that neither wraps nor goes back, from a counter that wraps after 18 minutes.

    It has to be asked at least every 9 minutes; a node asks all the time.
    """

    def __init__(self) -> None:
        self._ticks: Any = time
        self._last = self._ticks.ticks_us()
        self._now_us = 0

    def now_us(self) -> int:
        """Microseconds since this clock was made."""
        ticks = self._ticks.ticks_us()
        self._now_us += self._ticks.ticks_diff(ticks, self._last)
        self._last = ticks
        return self._now_us

    def sleep_us(self, duration_us: int) -> None:
        """Let at least this long pass."""
        self._ticks.sleep_us(duration_us)


class PicoWires:
    """The wires of one reader (see `hardware.rfid.ports.Bus`).

    Made with its chip deselected and held in reset: it wakes when it is opened.
    """

    def __init__(self, cs: "Any", reset: "Any", spi: "Any") -> None:
        self._cs = cs
        self._reset = reset
        self._spi = spi

    def open(self) -> None:
        """Let the chip wake."""
        self._reset.value(1)

    def xfer(self, sent: bytes) -> bytearray:
        """One SPI transfer; the clock is the RP2040's own, so that no chip can hold it up."""
        got = bytearray(len(sent))
        self._cs.value(0)
        try:
            self._spi.write_readinto(sent, got)
        finally:
            self._cs.value(1)
        return got

    def reset(self, level: int) -> None:
        """Drive NRSTPD."""
        self._reset.value(level)

    def close(self) -> None:
        """Hold the chip in reset."""
        self._reset.value(0)


def wires(plugs: "list[Plug]", spi_hz: int, machine: "Any") -> "list[PicoWires]":
    """The wires at these plugs: every chip is deselected before the first is spoken to."""
    pin = machine.Pin
    pairs = [(pin(plug.cs, pin.OUT, value=1), pin(plug.reset, pin.OUT, value=0)) for plug in plugs]
    buses: dict[tuple[int | None, int, int, int], Any] = {}
    made = []
    for plug, (cs, reset) in zip(plugs, pairs):  # noqa: B905 MicroPython has no strict
        key = (plug.spi, plug.sck, plug.mosi, plug.miso)
        if key not in buses:
            buses[key] = _spi(plug, spi_hz, machine)
        made.append(PicoWires(cs, reset, buses[key]))
    return made


def _spi(plug: "Plug", spi_hz: int, machine: "Any") -> "Any":
    pins = {name: machine.Pin(getattr(plug, name)) for name in ("sck", "mosi", "miso")}
    if plug.spi is None:
        return machine.SoftSPI(baudrate=spi_hz, polarity=0, phase=0, **pins)
    return machine.SPI(plug.spi, baudrate=spi_hz, polarity=0, phase=0, **pins)


def assemble(settings: Settings) -> "tuple[Node, Line]":
    """The node that these settings describe, on this board."""
    import machine  # type: ignore[import-not-found]

    clock = PicoClock()
    buses = wires([setting.plug for setting in settings.readers], settings.spi_hz, machine)
    readers = [
        Mfrc522Reader(setting.space, bus, clock, gain=setting.gain, field_off=settings.field_off)
        for setting, bus in zip(settings.readers, buses)  # noqa: B905 MicroPython has no strict
    ]
    line = standard_line()
    node = Node(settings.hello(boot_id(), FIRMWARE), readers, line, _lights(settings, machine), clock)
    return node, line


def _lights(settings: Settings, machine: "Any") -> Lights:
    strip = None
    if settings.leds:
        from neopixel import NeoPixel  # type: ignore[import-not-found]

        strip = NeoPixel(machine.Pin(settings.board.lights), settings.leds)
    return Lights(strip, settings.lights, settings.brightness)


def standard_line() -> Line:
    """USB, as MicroPython's standard input and output."""
    import select

    can_read, can_write = select.poll(), select.poll()
    can_read.register(sys.stdin, select.POLLIN)
    can_write.register(sys.stdout, select.POLLOUT)
    return Line(sys.stdin.buffer, sys.stdout.buffer, can_read, can_write)


def boot_id() -> str:
    """Eight hex digits, different at every start; MicroPython seeds its generator from the RP2040's noise."""
    import random

    return f"{random.getrandbits(32):08x}"


def run(config: "Any") -> None:
    """Be a node for good, but for Ctrl-C that is meant: then MicroPython's prompt is there, for `mpremote`.

    Args:
        config: the configuration, as a module.
    """
    import machine

    try:
        settings = Settings(config)
    except SettingError as error:
        complain(str(error))
        return
    watchdog = machine.WDT(timeout=WATCHDOG_MS)
    try:
        _work(settings, watchdog)
    except KeyboardInterrupt:
        if is_meant():
            stop_watchdog(machine.mem32, sys.implementation)
        else:
            machine.reset()
    except Exception as fall:  # noqa: BLE001 whatever it is, a node starts again
        report(fall)
        time.sleep(FALL_MS / 1000)
        machine.reset()


def _work(settings: Settings, watchdog: "Any") -> None:
    import gc

    node, line = assemble(settings)
    fed = 0
    while True:
        wait_us = node.step()
        if node.sweeps != fed:
            # Only here: every reader was visited and the line was served since the last time.
            fed = node.sweeps
            watchdog.feed()
        if wait_us:
            gc.collect()
            line.wait(wait_us)


def complain(problem: str) -> None:
    """Say along the line what is wrong with the configuration, again and again, until Ctrl-C."""
    try:
        while True:
            sys.stdout.write(f"config.py: {problem}\n")
            time.sleep(COMPLAIN_EVERY_MS / 1000)
    except KeyboardInterrupt:
        pass


def report(fall: Exception) -> None:
    """Say along the line what ended the program; the bridge skips what is no frame, a person reads it."""
    printer: Any = sys
    printer.print_exception(fall)


def is_meant() -> bool:
    """Whether something follows Ctrl-C at once: mpremote says on, a person types it twice.

    Alone it is a byte of a program that takes the port for something else (F-62), and no reason to stop.
    """
    import select

    typed = select.poll()
    typed.register(sys.stdin, select.POLLIN)
    try:
        return bool(typed.poll(AFTER_CTRL_C_MS))
    except KeyboardInterrupt:
        return True


def stop_watchdog(mem32: "Any", implementation: "Any") -> None:
    """Stop the watchdog, which MicroPython can't: it would restart the node while files are copied to it."""
    if "RP2040" in getattr(implementation, "_machine", ""):
        mem32[_WATCHDOG_CTRL_CLEAR] = _WATCHDOG_ENABLE
