"""Where readings come from: a bridge that is at work already, or one of our own on a broker of our own.

Two bridges must never poll one reader, and nothing that a scan does may change what the app of a running
table sees. So a bridge that is at work is listened to; where there is none, ours tells its readings to a
broker that only the scan knows.
"""

import os
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

from companion.bridge_process import BridgeProcess
from companion.bus.broker import HOST, EmbeddedBroker
from companion.scan.errors import ScanError
from companion.scan.sweep import Sweep
from firmware_bridge.contract.broker_url import BrokerAddress
from firmware_bridge.contract.link import Link
from firmware_bridge.contract.table_file import TableFile
from firmware_bridge.contract.topics import Topics

CONNECT_WITHIN_S: Final = 3.0
SAID_WITHIN_S: Final = 1.0
"""How long after the connection what is retained may take to come."""

_LOOK_EVERY_S: Final = 0.05

FIGURES_EVERY_S: Final = 1.0
"""Of a bridge of our own: somebody waits for them."""

LISTENERS: Final = ("staff", "app")
"""Roles that may read all readers, the one that may less first."""


@contextmanager
def watching(table: TableFile) -> Iterator[tuple[Sweep, str]]:
    """Gather what readers say for as long as the block runs.

    Args:
        table: whose readers.

    Yields:
        What is known, and where it comes from, in words.

    Raises:
        ScanError: the table's broker is there and refuses.
    """
    with ExitStack() as stack:
        address = broker_of(table)
        sweep = _running(table, address, stack) if address is not None and answers(address) else None
        if sweep is not None and address is not None:
            yield sweep, f"the bridge at work, by the broker at {address.place}"
        else:
            yield _own(table, stack), "a bridge of this scan's own"


def broker_of(table: TableFile) -> BrokerAddress | None:
    """Return the broker at which a running table of this file is found; None where it can't be known."""
    settings = table.broker
    if settings.address is not None:
        place = settings.address
        return BrokerAddress(place.host, place.port, place.tls, settings.username, settings.password)
    role = next((role for role in LISTENERS if role in settings.passwords), None)
    if settings.port and role is not None:
        return BrokerAddress(HOST, settings.port, username=role, password=settings.passwords[role])
    return None


def answers(address: BrokerAddress, timeout_s: float = CONNECT_WITHIN_S) -> bool:
    """Tell whether anybody listens there."""
    try:
        socket.create_connection((address.host, address.port), timeout=timeout_s).close()
    except OSError:
        return False
    return True


def connected(link: Link, timeout_s: float = CONNECT_WITHIN_S) -> bool:
    """Wait for a connection; False if there is none in time, or it is refused."""
    deadline_s = time.monotonic() + timeout_s
    while link.problem is None and time.monotonic() < deadline_s:
        if link.wait_connected(_LOOK_EVERY_S):
            return True
    return link.connected


def _running(table: TableFile, address: BrokerAddress, stack: ExitStack) -> Sweep | None:
    """Listen at a broker; None where no bridge is at work for this table."""
    sweep = _sweep(table)
    with ExitStack() as attempt:
        link = _listen(table, sweep, address, attempt)
        if not connected(link):
            raise ScanError(f"{table.path}: {link.problem or f'{address.place} is no MQTT broker'}")
        deadline_s = time.monotonic() + SAID_WITHIN_S
        while not sweep.is_served and (left_s := deadline_s - time.monotonic()) > 0:
            sweep.changed.wait(left_s)
            sweep.changed.clear()
        if not sweep.is_served:
            return None
        stack.push(attempt.pop_all())
    return sweep


def _own(table: TableFile, stack: ExitStack) -> Sweep:
    broker = stack.enter_context(EmbeddedBroker(table.table))
    bridge = BridgeProcess(
        table.path,
        broker.url,
        broker.password("bridge"),
        arguments=("--figures-every", f"{FIGURES_EVERY_S:g}"),
        quiet=True,
    )
    bridge.start()
    stack.callback(bridge.stop)
    sweep = _sweep(table)
    _listen(table, sweep, BrokerAddress(HOST, broker.port, False, "app", broker.password("app")), stack)
    return sweep


def _sweep(table: TableFile) -> Sweep:
    return Sweep(Topics(table.table), [node.name for node in table.nodes])


def _listen(table: TableFile, sweep: Sweep, address: BrokerAddress, stack: ExitStack) -> Link:
    topics = Topics(table.table)
    link = Link(
        address.url,
        address.username,
        address.password,
        f"companion-scan-{table.table}-{os.getpid()}",
        filters=(topics.all_spaces, topics.all_nodes),
        on_message=sweep.message,
    )
    link.start()
    stack.callback(link.close)
    return link
