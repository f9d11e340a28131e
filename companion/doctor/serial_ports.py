"""Serial ports of nodes: there, allowed, free, told apart (F-54, F-55, F-61, F-62)."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from companion.doctor.finding import Finding
from companion.doctor.machine import Case, Machine, children, read_text
from firmware_bridge.contract.table_file import SerialNode

BY_ID: Final = "/dev/serial/by-id"
RULE: Final = "70-companion-nodes.rules"
_RULE_FOLDERS: Final = ("/etc/udev/rules.d", "/run/udev/rules.d", "/usr/lib/udev/rules.d")
_MODULE: Final = ["-m", "firmware_bridge"]


def serial_ports(case: Case) -> Iterator[Finding]:
    """Check the port of each serial node, and what may take it away."""
    machine = case.machine
    nodes = [node for node in case.table.nodes if isinstance(node, SerialNode)] if case.table else []
    for node in nodes:
        if "://" not in node.port:
            yield from _port(machine, node)
    yield from _twins(machine)
    if nodes:
        yield from _modem_manager(machine)
    elif case.table is None:
        links = [link.name for link in children(machine.at(BY_ID))]
        yield Finding("serial", "ok", f"USB serial ports: {', '.join(links) or 'none'}")


def _port(machine: Machine, node: SerialNode) -> Iterator[Finding]:
    where = f'node "{node.name}": {node.port}'
    device = machine.device(node.port)
    if not machine.at(node.port).exists():
        others = [link.name for link in children(machine.at(BY_ID))]
        seen = f"plugged in are: {', '.join(others)}" if others else "no USB serial port is plugged in"
        yield Finding("serial", "fail", f"{where} is not there", f"plug it in, or correct `port`; {seen}")
        return
    findings = [*_rights(machine, where, device), *_holders(machine, where, device)]
    if not findings:
        findings.append(Finding("serial", "ok", f"{where} is there and free"))
    yield from findings
    yield from _numbered(machine, node, device)


def _rights(machine: Machine, where: str, device: str) -> Iterator[Finding]:
    if not machine.may_use(machine.at(device)):
        group = machine.group_of(device) or "dialout"
        mend = f"sudo usermod -aG {group} $USER, then log in anew"
        yield Finding("serial", "fail", f"{where} may not be opened by this user", mend)


def _holders(machine: Machine, where: str, device: str) -> Iterator[Finding]:
    for number, words in _users_of(machine, device):
        name = words[0].rpartition("/")[2] if words else "a program"
        if _is_bridge(words):
            yield Finding("serial", "ok", f"{where} is in use by a bridge at work (process {number})")
        else:
            mend = f"stop it: kill {number} (a serial monitor, or a second bridge)"
            yield Finding("serial", "fail", f"{where} is in use by {name} (process {number})", mend)


def _is_bridge(words: Sequence[str]) -> bool:
    return any(word.endswith("/firmware-bridge") for word in words[:2]) or words[1:3] == _MODULE


def _users_of(machine: Machine, device: str) -> Iterator[tuple[str, list[str]]]:
    """Return number and command line of who has a device open, as far as this user may see."""
    for process in children(machine.at("/proc")):
        if not process.name.isdecimal():
            continue
        if any(_leads_to(link, device) for link in children(process / "fd")):
            words = read_text(process / "cmdline").rstrip("\0").split("\0")
            yield process.name, words if any(words) else [read_text(process / "comm").strip()]


def _leads_to(link: Path, device: str) -> bool:
    try:
        return str(link.readlink()) == device
    except OSError:
        return False


def _numbered(machine: Machine, node: SerialNode, device: str) -> Iterator[Finding]:
    """Names such as ttyACM0 go to whoever comes first (F-54)."""
    if not node.port.startswith("/dev/tty"):
        return
    links = [link.name for link in children(machine.at(BY_ID)) if _same(machine, link.name, device)]
    if links:
        mend = f'port = "{BY_ID}/{links[0]}" in the table file'
        text = f'node "{node.name}": {node.port} may be another device after the next start'
        yield Finding("serial", "warn", text, mend)


def _same(machine: Machine, link: str, device: str) -> bool:
    return machine.device(f"{BY_ID}/{link}") == device


def _twins(machine: Machine) -> Iterator[Finding]:
    """Boards without a serial number of their own share one link by id (F-55)."""
    kinds = Counter(_identity(tty) for tty in children(machine.at("/sys/class/tty")))
    for (vendor, product, number), count in kinds.items():
        if vendor and count > 1:
            yield Finding(
                "serial",
                "warn",
                f"{count} boards are {vendor}:{product} {number or 'without a serial number'}: they share one"
                f" name in {BY_ID}",
                "nothing, if each node says its own name: it is found by that; else use /dev/serial/by-path",
            )


def _identity(tty: Path) -> tuple[str, str, str]:
    """Return vendor, product and serial number of the USB device behind a port; nothing for other ports."""
    place = Path(os.path.realpath(tty / "device"))
    for folder in (place, *list(place.parents)[:4]):
        if vendor := read_text(folder / "idVendor").strip():
            product, number = read_text(folder / "idProduct").strip(), read_text(folder / "serial").strip()
            return vendor, product, number
    return "", "", ""


def _modem_manager(machine: Machine) -> Iterator[Finding]:
    names = (read_text(process / "comm").strip() for process in children(machine.at("/proc")))
    if "ModemManager" not in names or any(
        machine.at(f"{folder}/{RULE}").exists() for folder in _RULE_FOLDERS
    ):
        return
    yield Finding(
        "serial",
        "warn",
        "ModemManager runs, and takes a fresh port for some seconds",
        f"sudo cp firmware_bridge/serial/{RULE} /etc/udev/rules.d/ && sudo udevadm control --reload",
    )
