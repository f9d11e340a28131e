"""The strip of lights: a few WS2812 for each space. Also runs on the MicroPython of the nodes."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    class Strip(Protocol):
        """What is used of MicroPython's `neopixel.NeoPixel`."""

        def __setitem__(self, index: int, colour: tuple[int, int, int]) -> None:
            """Set one light; it shows with the next `write`."""

        def write(self) -> None:
            """Send all."""


COLOURS = {"green": (0, 255, 0), "amber": (255, 110, 0), "red": (255, 0, 0)}
"""Red, green and blue at full brightness. Whatever else is asked for is off."""

_OFF = (0, 0, 0)


class Lights:
    """Lights by space.

    Args:
        strip: the strip; None: there is none.
        places: the first light of a space and how many.
        brightness: in percent.
    """

    def __init__(
        self, strip: "Strip | None", places: "Mapping[str, tuple[int, int]]", brightness: int
    ) -> None:
        self._strip = strip
        self._places = places
        self._colours = {
            name: (red * brightness // 100, green * brightness // 100, blue * brightness // 100)
            for name, (red, green, blue) in COLOURS.items()
        }

    def show(self, colours: "Mapping[str, object]") -> None:
        """Show these colours by space; a space that is not named, or has a colour that there is not, is off.

        The strip is written even where nothing changes: one that lost its supply for a moment is dark.
        """
        strip = self._strip
        if strip is None:
            return
        for space, (first, count) in self._places.items():
            name = colours.get(space)
            colour = self._colours.get(name, _OFF) if isinstance(name, str) else _OFF
            for light in range(first, first + count):
                strip[light] = colour
        strip.write()
