"""This machine's own SPI buses, for the readers that a table file has on them."""

from collections.abc import Iterator
from typing import Final

from companion.doctor.finding import Finding
from companion.doctor.machine import Case, Machine
from firmware_bridge.contract.table_file import ReaderEntry, SpiNode

LEAST_BUFFER_BYTES: Final = 65
"""The longest transfer of ours: an address byte and the chip's whole FIFO (MFRC522 data sheet, 8.3)."""

_CONFIG_FILES: Final = ("/boot/firmware/config.txt", "/boot/config.txt")
_BUFFER: Final = "/sys/module/spidev/parameters/bufsiz"
_PINS: Final = ("/dev/gpiomem", "/dev/gpiochip0")


def spi(case: Case) -> Iterator[Finding]:
    """Check that each SPI device of the table is there and may be used."""
    machine = case.machine
    nodes = [node for node in case.table.nodes if isinstance(node, SpiNode)] if case.table else []
    readers = [reader for node in nodes for reader in node.readers]
    if not readers:
        return
    devices = sorted({(reader.bus, reader.device) for reader in readers})
    findings = [finding for bus, device in devices for finding in _device(machine, bus, device, readers)]
    findings += [*_buffer(machine), *_pins(machine)]
    yield from findings
    if not findings:
        names = ", ".join(f"spidev{bus}.{device}" for bus, device in devices)
        yield Finding("spi", "ok", f"{names} may be used, and so may the pins")


def _device(machine: Machine, bus: int, device: int, readers: list[ReaderEntry]) -> Iterator[Finding]:
    path = f"/dev/spidev{bus}.{device}"
    if not machine.at(path).exists():
        spaces = ", ".join(r.space for r in readers if (r.bus, r.device) == (bus, device))
        yield Finding("spi", "fail", f"{path} ({spaces}) is not there", _missing(machine, bus, device))
    elif not machine.may_use(machine.at(path)):
        group = machine.group_of(path) or "spi"
        mend = f"sudo usermod -aG {group} $USER, then log in anew"
        yield Finding("spi", "fail", f"{path} may not be opened by this user", mend)


def _missing(machine: Machine, bus: int, device: int) -> str:
    line = "dtparam=spi=on" if bus == 0 and device < 2 else f"dtoverlay=spi{bus}-{max(1, device + 1)}cs"
    if bus == 0 and device >= 2:
        return "bus 0 has the devices 0 and 1: correct `device`, or give the reader a pin as `cs`"
    file = next((name for name in _CONFIG_FILES if machine.at(name).exists()), _CONFIG_FILES[0])
    lines = [text.split("#")[0].strip() for text in machine.text(file).splitlines()]
    if line in lines:
        return f"{file} has the line {line}: restart the machine"
    return f"add the line {line} to {file}, and restart the machine"


def _buffer(machine: Machine) -> Iterator[Finding]:
    text = machine.text(_BUFFER).strip()
    if text.isdecimal() and int(text) < LEAST_BUFFER_BYTES:
        yield Finding(
            "spi",
            "fail",
            f"a transfer may have {text} bytes, {LEAST_BUFFER_BYTES} are needed",
            "take spidev.bufsiz out of /boot/firmware/cmdline.txt (the default is 4096), and restart",
        )


def _pins(machine: Machine) -> Iterator[Finding]:
    there = [path for path in _PINS if machine.at(path).exists()]
    if there and not any(machine.may_use(machine.at(path)) for path in there):
        group = machine.group_of(there[0]) or "gpio"
        mend = f"sudo usermod -aG {group} $USER, then log in anew"
        yield Finding("spi", "fail", f"the pins ({there[0]}) may not be used by this user", mend)
