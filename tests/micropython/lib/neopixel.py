"""MicroPython's `neopixel`, its lights told to the simulation."""

import machine  # type: ignore[import-not-found]  # the one beside this file


class NeoPixel:
    def __init__(self, pin: "machine.Pin", count: int) -> None:
        self._pin = pin
        self._lights = bytearray(3 * count)

    def __setitem__(self, index: int, colour: "tuple[int, int, int]") -> None:
        self._lights[3 * index : 3 * index + 3] = bytes(colour)

    def write(self) -> None:
        machine._tell(f"lights {self._pin.number} {self._lights.hex()}")
