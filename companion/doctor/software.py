"""Python, packages, and the printed values that come with them."""

import importlib.metadata
import re
from collections.abc import Iterator
from typing import Final

from companion.content import catalogue
from companion.doctor.finding import Finding
from companion.doctor.machine import Case, Machine
from firmware_bridge.contract.table_file import SpiNode, VirtualNode

OLDEST_PYTHON: Final = (3, 11)
"""As `requires-python` of the project says."""

_INSTALL: Final = "make run (once: it sets up .venv)"
_PI: Final = "pip install 'cerebria-companion[pi]'"
_PI5: Final = "pip uninstall --yes RPi.GPIO && pip install --force-reinstall rpi-lgpio"
_MFRC522: Final = "pip uninstall --yes mfrc522-python mfrc522 && pip install --no-deps mfrc522==0.0.7"


def python(case: Case) -> Iterator[Finding]:
    """Check Python and what the project needs of it."""
    machine = case.machine
    version = ".".join(map(str, machine.python))
    if machine.python[:2] < OLDEST_PYTHON:
        yield Finding("python", "fail", f"Python {version} is too old", "apt install python3 (3.11 or newer)")
    missing = [name for name in _required() if name not in machine.distributions]
    if missing:
        yield Finding("python", "fail", f"not installed: {', '.join(missing)}", _INSTALL)
    elif machine.python[:2] >= OLDEST_PYTHON:
        yield Finding("python", "ok", f"Python {version}, and every package is there")


def _required() -> list[str]:
    needs = importlib.metadata.requires("cerebria-companion") or []
    names = [re.split(r"[^A-Za-z0-9._-]", need, maxsplit=1)[0] for need in needs if "extra ==" not in need]
    return [re.sub(r"[-_.]+", "-", name).lower() for name in names]


def reader_packages(case: Case) -> Iterator[Finding]:
    """Check the packages that drive readers on this machine's own SPI, or stand behind simulated ones."""
    machine, nodes = case.machine, case.table.nodes if case.table is not None else ()
    has_spi = any(isinstance(node, SpiNode) for node in nodes)
    is_needed = case.table is None or has_spi or any(isinstance(node, VirtualNode) for node in nodes)
    if not is_needed:
        return
    there = machine.distributions
    if "mfrc522-python" in there:
        # Both install the same import name (F-47).
        yield Finding("readers", "fail", "mfrc522-python takes the name of the package mfrc522", _MFRC522)
    elif "mfrc522" not in there:
        yield Finding("readers", "fail", "the package mfrc522 is not installed", _PI if has_spi else _MFRC522)
    else:
        yield Finding("readers", "ok", f"the package mfrc522 {there['mfrc522']} is there")
    if has_spi:
        yield from _pins(machine)


def _pins(machine: Machine) -> Iterator[Finding]:
    there = machine.distributions
    if "spidev" not in there:
        yield Finding("readers", "fail", "the package spidev is not installed", _PI)
    if "rpi-lgpio" in there and "rpi-gpio" in there:
        # Whichever was installed last has its files there.
        yield Finding("readers", "fail", "RPi.GPIO and rpi-lgpio are both installed, in one place", _PI5)
    elif "Raspberry Pi 5" in machine.model and "rpi-lgpio" not in there:
        yield Finding("readers", "fail", "RPi.GPIO does not know the Raspberry Pi 5 (F-26)", _PI5)
    elif "rpi-lgpio" not in there and "rpi-gpio" not in there:
        yield Finding("readers", "fail", "no package drives the pins (RPi.GPIO)", _PI)


def cards(_case: Case) -> Iterator[Finding]:
    """Count the printed values that nobody knows."""
    known = catalogue()
    counts = {
        "Empower thresholds": sum(
            card.strength == "mild" and card.empower_threshold is None for card in known.cards.values()
        ),
        "Intensities": sum(card.intensity is None for card in known.cards.values()),
        "powers of Emotions": sum(card.power is None for card in known.cards.values()),
        "powers of Spirits": sum(spirit.power is None for spirit in known.spirits.values()),
    }
    missing = [f"{what} ({count})" for what, count in counts.items() if count]
    if missing:
        mend = (
            "nothing now: the app asks for a value when it matters, and the table applies such powers itself"
        )
        yield Finding("cards", "warn", f"printed values that nobody knows: {', '.join(missing)}", mend)
    else:
        yield Finding("cards", "ok", f"{len(known.cards)} Emotions, every printed value known")
