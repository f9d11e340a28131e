"""As much of RPi.GPIO as a reader's reset line needs, refusing what the real one refuses."""

import types
from collections.abc import Callable
from typing import Final

from hardware.boards.pi import BCM_OF_PIN

BOARD: Final = 10
BCM: Final = 11
OUT: Final = 0
IN: Final = 1
LOW: Final = 0
HIGH: Final = 1

_PIN_OF_BCM: Final = {bcm: pin for pin, bcm in BCM_OF_PIN.items()}


class SimulatedGpio:
    """The pins of one header.

    Args:
        on_output: told the physical pin and its level at each output.

    Attributes:
        cleanups: calls of the global clean-up, which takes every pin of the process.
    """

    def __init__(self, on_output: Callable[[int, int], None]) -> None:
        self.cleanups = 0
        self._on_output = on_output
        self._mode: int | None = None
        self._directions: dict[int, int] = {}
        self._levels: dict[int, int] = {}

    def module(self) -> types.ModuleType:
        """These pins as the module `RPi.GPIO`."""
        module = types.ModuleType("RPi.GPIO")
        names = ("setmode", "getmode", "setwarnings", "setup", "output", "input", "cleanup")
        constants = {"BOARD": BOARD, "BCM": BCM, "OUT": OUT, "IN": IN, "LOW": LOW, "HIGH": HIGH}
        vars(module).update({name: getattr(self, name) for name in names}, **constants)
        return module

    def setmode(self, mode: int) -> None:
        """Choose the numbering, once per process."""
        if mode not in {BOARD, BCM}:
            raise ValueError("An invalid mode was passed to setmode()")
        if self._mode not in {None, mode}:
            raise ValueError("A different mode has already been set!")
        self._mode = mode

    def getmode(self) -> int | None:
        """The numbering, or None."""
        return self._mode

    def setwarnings(self, flag: bool) -> None:  # noqa: FBT001 RPi.GPIO's own signature
        """Accepted; this module warns of nothing."""

    def setup(self, channel: int, direction: int, initial: int | None = None) -> None:
        """Make a pin an input or an output, and drive it at once where a level is given."""
        pin = self._pin(channel)
        self._directions[pin] = direction
        self._levels.setdefault(pin, LOW)
        if direction == OUT and initial is not None:
            self.output(channel, initial)

    def output(self, channel: int, level: int) -> None:
        """Drive a pin."""
        pin = self._pin(channel)
        if self._directions.get(pin) != OUT:
            raise RuntimeError("The GPIO channel has not been set up as an OUTPUT")
        self._levels[pin] = int(bool(level))
        self._on_output(pin, self._levels[pin])

    def input(self, channel: int) -> int:
        """A pin's level."""
        pin = self._pin(channel)
        if pin not in self._directions:
            raise RuntimeError("You must setup() the GPIO channel first")
        return self._levels[pin]

    def driven(self, pin: int) -> int | None:
        """The level that a physical pin is driven to; None while it floats."""
        return self._levels[pin] if self._directions.get(pin) == OUT else None

    def cleanup(self, channel: int | None = None) -> None:
        """Give back one pin, or every pin of the process and the numbering with it."""
        if channel is not None:
            self._directions.pop(self._pin(channel), None)
            return
        self.cleanups += 1
        self._directions.clear()
        self._mode = None

    def _pin(self, channel: int) -> int:
        if self._mode is None:
            raise RuntimeError(
                "Please set pin numbering mode using GPIO.setmode(GPIO.BOARD) or GPIO.setmode(GPIO.BCM)"
            )
        pin = channel if self._mode == BOARD else _PIN_OF_BCM.get(channel, -1)
        if pin not in BCM_OF_PIN:
            raise ValueError("The channel sent is invalid on a Raspberry Pi")
        return pin
