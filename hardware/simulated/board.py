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
from pathlib import Path
from typing import Final

from hardware.errors import DriverMissingError, SimulationError
from hardware.rfid.package import verified
from hardware.simulated.chip import Chip
from hardware.simulated.clock import SimulatedClock
from hardware.simulated.gpio import SimulatedGpio
from hardware.simulated.spidev import SpiDev

_DRIVERS: Final = frozenset({"mfrc522", "pirc522"})
"""Packages that bind spidev and RPi.GPIO when they are imported."""

_imports = threading.RLock()


class SimulatedBoard:
    """The header of one Pi.

    Args:
        clock: the time that its wires move.

    Attributes:
        chips: what hangs on the chip select of each (bus, device).
        open_devices: SPI devices that are open now.
        no_cs: devices whose own chip select stays still; the kernel keeps this per device, not per open file.
        can_leave_cs: False for a controller that refuses to keep it still.
    """

    def __init__(self, clock: SimulatedClock | None = None) -> None:
        self.clock = clock or SimulatedClock()
        self.chips: dict[tuple[int, int], Chip] = {}
        self.open_devices = 0
        self.no_cs: set[tuple[int, int]] = set()
        self.can_leave_cs = True
        self._devices: set[tuple[int, int]] = set()
        self._by_pin: list[tuple[int, int, Chip]] = []
        self.gpio = SimulatedGpio(self._pin_driven)
        self._reset_wires: dict[int, list[Chip]] = {}

    def attach(
        self, chip: Chip, bus: int = 0, device: int = 0, *, reset: int | None = 22, cs: int | None = None
    ) -> None:
        """Wire a chip.

        Args:
            chip: the chip.
            bus: whose MOSI, MISO and clock it shares.
            device: whose chip select it hangs on; with `cs`, the device file that there is for its bus.
            reset: physical pin of its reset line; several may share one.
            cs: physical pin that its chip select hangs on in place of the device's own.
        """
        self._devices.add((bus, device))
        if cs is not None:
            self._by_pin.append((bus, cs, chip))
        elif (bus, device) in self.chips:
            raise SimulationError(f"bus {bus}, device {device}: a chip hangs there already")
        else:
            self.chips[bus, device] = chip
        if reset is not None:
            self._reset_wires.setdefault(reset, []).append(chip)

    def has(self, bus: int, device: int) -> bool:
        """Whether there is such a device file."""
        return (bus, device) in self._devices

    def transfer(self, place: tuple[int, int], sent: bytes, start_s: float, byte_s: float) -> list[int]:
        """One SPI transfer on a device: to whichever chip is selected, zeros from a line that nobody drives.

        A chip select that floats counts as low, the worst case.

        Raises:
            SimulationError: two chips are selected and drive one MISO line.
        """
        own = self.chips.get(place) if place not in self.no_cs else None
        if own is not None and not self._by_pin:
            return own.transfer(sent, start_s, byte_s)
        bus = place[0]
        selected = [chip for at, pin, chip in self._by_pin if at == bus and not self.gpio.driven(pin)]
        if own is not None:
            selected.append(own)
        if len(selected) > 1:
            raise SimulationError(f"SPI bus {bus}: {len(selected)} chips are selected at once")
        return selected[0].transfer(sent, start_s, byte_s) if selected else [0] * len(sent)

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

    def load(self, name: str, folder: Path) -> types.ModuleType:
        """A package from a folder of its own, over this board's wires; nothing of it stays importable."""
        with self.installed():
            sys.path.insert(0, str(folder))
            importlib.invalidate_caches()
            try:
                return importlib.import_module(name)
            finally:
                sys.path.remove(str(folder))

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
    return [name for name in sys.modules if name in modules or name.partition(".")[0] in _DRIVERS]
