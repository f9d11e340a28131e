"""The mfrc522 package: found, checked for being the right one, and told from its namesake.

On a Raspberry Pi 5 its RPi.GPIO does not know the board (F-26). rpi-lgpio brings the same import name over
the kernel's own GPIO interface, and nothing of ours changes; the two can't be installed side by side:

    pip install 'cerebria-companion[pi5]'
    pip install --no-deps mfrc522==0.0.7

or, where the extra `pi` was installed before:

    pip uninstall --yes RPi.GPIO
    pip install --force-reinstall rpi-lgpio
"""

import importlib
import types
from typing import Any, Final, Protocol

from hardware.errors import DriverMissingError

# What this project uses of the class; `mfrc522-python` installs the same import name without them (F-47).
_NEEDED: Final = ("Read_MFRC522", "Write_MFRC522", "MFRC522_Init", "Close_MFRC522")
_INSTALL: Final = "pip install 'cerebria-companion[pi]', on a Pi 5 [pi5] in place of [pi]"
_OTHER_PINS: Final = "pip uninstall --yes RPi.GPIO && pip install --force-reinstall rpi-lgpio"


class SpiDevice(Protocol):
    """What is used of an open spidev device."""

    def xfer2(self, values: Any, /) -> Any:
        """Send bytes, get as many back; a list given is overwritten."""
        ...

    def close(self) -> None:
        """Close the device."""
        ...


class PackageChip(Protocol):
    """What is used of the package's `MFRC522`."""

    spi: SpiDevice

    def Read_MFRC522(self, addr: int) -> int:  # noqa: N802 the package's name
        """Read one register."""
        ...

    def Write_MFRC522(self, addr: int, val: int) -> None:  # noqa: N802 the package's name
        """Write one register."""
        ...


def verified(package: types.ModuleType) -> types.ModuleType:
    """The package, if it is the one this project is written for.

    Raises:
        DriverMissingError: it is another distribution of the same import name.
    """
    missing = [name for name in _NEEDED if not hasattr(getattr(package, "MFRC522", None), name)]
    if missing:
        raise DriverMissingError(
            f"the installed `mfrc522` is not the mfrc522 distribution (no {', '.join(missing)}), most likely "
            "mfrc522-python, which takes the same name: pip uninstall mfrc522-python mfrc522, then "
            "pip install mfrc522==0.0.7"
        )
    return package


def load_mfrc522() -> types.ModuleType:
    """The package over this machine's own SPI and pins.

    Raises:
        DriverMissingError: the package, spidev or RPi.GPIO is missing, or RPi.GPIO does not know the board.
    """
    try:
        package = importlib.import_module("mfrc522")
    except ImportError as error:
        raise DriverMissingError(
            f"the mfrc522 package can't be used on this machine ({error}): on a Raspberry Pi {_INSTALL}"
        ) from error
    except RuntimeError as error:
        # RPi.GPIO on a board that it does not know, the Pi 5 among them; or on no Pi at all (F-26).
        raise DriverMissingError(
            f"RPi.GPIO does not know this board ({error}): on a Raspberry Pi 5 {_OTHER_PINS}"
        ) from error
    return verified(package)


def gpio_of(chip_class: Any) -> Any:
    """The pin module that the package itself holds; this project imports none of its own."""
    return chip_class.__init__.__globals__["GPIO"]
