"""Where to look for a node. The port of the table file comes first, but who is there is what the node says.

A device comes back under another name (F-54), and two boards without a serial number share one by-id link
(F-55). So where the port of the table file is not there, silent, or another node's, the other USB serial
ports of this machine are asked, one at a time: those that nobody here uses and that the table file has for no
other node. Asking is one `Q` frame; what stays silent is left alone for a while.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from serial.tools import list_ports

ASK_STRANGERS_EVERY_S: Final = 30.0
"""Between two tries at a port of which the table file knows nothing."""

LIST_EVERY_S: Final = 0.9
"""Between two looks at the machine's ports: a few milliseconds each, for every node that is not found."""

ASK_WRONG_NODE_EVERY_S: Final = 5.0
"""Between two tries at the port of the table file while another node is there."""


def usb_ports() -> list[str]:
    """Return the devices of the USB serial ports of this machine."""
    return sorted(port.device for port in list_ports.comports() if port.vid is not None)


class Places:
    """Which ports are whose. The caller sees to it that only one thread uses it at a time.

    Args:
        table: the port of each serial node, by the table file.
        others: lists the machine's other ports.
    """

    def __init__(self, table: Mapping[str, str], others: Callable[[], Sequence[str]] = usb_ports) -> None:
        self._table = dict(table)
        self._others = others
        self._listed: list[str] = []
        self._listed_s = float("-inf")
        self._in_use: set[str] = set()
        self._doubtful: set[str] = set()
        self._seen_at: dict[str, str] = {}
        self._own_rests_until_s: dict[str, float] = {}
        self._device_rests_until_s: dict[str, float] = {}

    def of(self, node: str) -> str:
        """Return the port of the table file."""
        return self._table[node]

    def candidates(self, node: str, now_s: float) -> list[str]:
        """Return where to look for a node, in this order."""
        own = self._table[node]
        found = [self._seen_at[node]] if node in self._seen_at else []
        doubtful = own in self._doubtful or not self._is_free(own) or not _is_there(own)
        if doubtful and _is_device(own):
            spoken_for = {_real(port) for name, port in self._table.items() if name != node}
            found += [port for port in self._strangers(now_s) if _real(port) not in spoken_for]
        if now_s >= self._own_rests_until_s.get(own, now_s):
            found.insert(len(found) if doubtful else 0, own)
        by_device: dict[str, str] = {}
        for port in found:
            by_device.setdefault(_real(port), port)
        return [port for port in by_device.values() if self._is_free(port)]

    def take(self, port: str) -> str | None:
        """Use a port; returns what to give back, or None if another node of this bridge has it."""
        if not self._is_free(port):
            return None
        device = _real(port)
        self._in_use.add(device)
        return device

    def give_back(self, device: str) -> None:
        """Stop using a port. A link may lead elsewhere by now, so it is the device that was taken."""
        self._in_use.discard(device)

    def stranger(self, port: str, node: str, now_s: float) -> None:
        """Note that another node is there than the one that was looked for."""
        self.silent(port, now_s)
        self._seen_at[node] = port
        self._own_rests_until_s[port] = now_s + ASK_WRONG_NODE_EVERY_S

    def silent(self, port: str, now_s: float) -> None:
        """Note that no node answers there."""
        self._seen_at = {node: place for node, place in self._seen_at.items() if place != port}
        self._doubtful.add(port)
        self._device_rests_until_s[_real(port)] = now_s + ASK_STRANGERS_EVERY_S

    def met(self, port: str, node: str) -> None:
        """Note that a node is where it was looked for."""
        self._own_rests_until_s.pop(port, None)
        self._device_rests_until_s.pop(_real(port), None)
        self._doubtful.discard(port)
        self._seen_at[node] = port

    def _strangers(self, now_s: float) -> list[str]:
        if now_s - self._listed_s >= LIST_EVERY_S:
            self._listed_s = now_s
            self._listed = list(self._others())
        ports = self._listed
        # What was pulled and comes back may be something else.
        there = set(map(_real, ports))
        self._device_rests_until_s = {
            device: until_s for device, until_s in self._device_rests_until_s.items() if device in there
        }
        return [port for port in ports if now_s >= self._device_rests_until_s.get(_real(port), now_s)]

    def _is_free(self, port: str) -> bool:
        return _real(port) not in self._in_use


def _is_device(port: str) -> bool:
    return "://" not in port


def _is_there(port: str) -> bool:
    return not _is_device(port) or Path(port).exists()


def _real(port: str) -> str:
    return os.path.realpath(port) if _is_device(port) else port
