"""A simulated Pi: SPI devices and pins wired to simulated chips, importable as `spidev` and `RPi.GPIO`.

The mfrc522 package binds both modules when it is imported, so each board loads its own copy of the package
and leaves `sys.modules` as it was: real and simulated readers can live in one process.
"""

import importlib
import importlib.util
import sys
import threading
import types
from collections.abc import Iterator
from contextlib import contextmanager

from hardware.errors import DriverMissingError, SimulationError
from hardware.rfid.package import verified
from hardware.simulated.chip import Chip
from hardware.simulated.clock import SimulatedClock
from hardware.simulated.gpio import SimulatedGpio
from hardware.simulated.spidev import SpiDev

_imports = threading.RLock()


class SimulatedBoard:
    """The header of one Pi.

    Args:
        clock: the time that its wires move.

    Attributes:
        chips: what hangs on each (bus, device).
        open_devices: SPI devices that are open now.
    """

    def __init__(self, clock: SimulatedClock | None = None) -> None:
        self.clock = clock or SimulatedClock()
        self.chips: dict[tuple[int, int], Chip] = {}
        self.open_devices = 0
        self.gpio = SimulatedGpio(self._pin_driven)
        self._reset_wires: dict[int, list[Chip]] = {}

    def attach(self, chip: Chip, bus: int = 0, device: int = 0, *, reset: int | None = 22) -> None:
        """Wire a chip: its chip select, and its reset line to a physical pin (several may share one)."""
        if (bus, device) in self.chips:
            raise SimulationError(f"bus {bus}, device {device}: a chip hangs there already")
        self.chips[bus, device] = chip
        if reset is not None:
            self._reset_wires.setdefault(reset, []).append(chip)

    def modules(self) -> dict[str, types.ModuleType]:
        """`spidev`, `RPi` and `RPi.GPIO` as modules of this board."""
        spidev = types.ModuleType("spidev")
        spidev.SpiDev = type("SpiDev", (SpiDev,), {"board": self})  # type: ignore[attr-defined]
        gpio = self.gpio.module()
        rpi = types.ModuleType("RPi")
        rpi.__path__ = []
        rpi.GPIO = gpio  # type: ignore[attr-defined]
        return {"spidev": spidev, "RPi": rpi, "RPi.GPIO": gpio}

    @contextmanager
    def installed(self, *, only_missing: bool = False) -> Iterator[None]:
        """Make `spidev` and `RPi.GPIO` (and a fresh mfrc522) importable from this board.

        Args:
            only_missing: leave a real `spidev` or `RPi` alone where there is one.
        """
        with _imports:
            modules = self.modules()
            if only_missing:
                modules = {
                    n: m for n, m in modules.items() if importlib.util.find_spec(n.partition(".")[0]) is None
                }
            kept = {name: sys.modules.pop(name) for name in _affected(modules)}
            sys.modules.update(modules)
            try:
                yield
            finally:
                for name in _affected(modules):
                    del sys.modules[name]
                sys.modules.update(kept)

    def load_mfrc522(self) -> types.ModuleType:
        """The installed mfrc522 package, unmodified, over this board's wires.

        Raises:
            DriverMissingError: it is not installed, or another distribution took its name.
        """
        with self.installed():
            try:
                package = importlib.import_module("mfrc522")
            except ImportError as error:
                raise DriverMissingError(
                    "the mfrc522 package is not installed, and it drives simulated readers too: "
                    "pip install --no-deps mfrc522==0.0.7"
                ) from error
            return verified(package)

    def _pin_driven(self, pin: int, level: int) -> None:
        for chip in self._reset_wires.get(pin, ()):
            chip.reset_pin(level, self.clock.now_s())


def _findable(name: str) -> bool:
    return importlib.util.find_spec(name.partition(".")[0]) is not None


def _affected(modules: dict[str, types.ModuleType]) -> list[str]:
    """Modules that are, or are bound to, the ones replaced."""
    return [name for name in sys.modules if name in modules or name.partition(".")[0] == "mfrc522"]
