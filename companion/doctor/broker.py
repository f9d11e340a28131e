"""The table's broker: there, right password, right rights, quick enough (F-85, F-91)."""

import os
import re
import statistics
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Final

from companion.bus.broker import HOST, EmbeddedBroker
from companion.bus.errors import BusError
from companion.doctor.finding import Finding
from companion.doctor.machine import Case, Machine, children, read_text
from companion.scan.source import answers, broker_of, connected
from firmware_bridge.contract.broker_url import BrokerAddress
from firmware_bridge.contract.link import Link
from firmware_bridge.contract.topics import Topics

SLOW_S: Final = 0.03
"""An echo takes 2 ms with TCP_NODELAY on both ends and 42 ms with it on one (hardware facts, D4)."""

ECHOES: Final = 5
ECHO_WITHIN_S: Final = 2.0
HOME: Final = "home"
"""The table where none is named."""

_ROLES_MEND: Final = (
    "give it the access list of this table: python -m companion.bus.mosquitto FOLDER --table {}"
)
_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
_USUAL_PORT: Final = 1883


def broker(case: Case) -> Iterator[Finding]:
    """Check the broker that the app of this table would use."""
    table = case.table
    address = broker_of(table) if table is not None else None
    name = table.table if table is not None else HOME
    if table is not None and address is not None and table.broker.address is not None:
        yield from _existing(case.machine, address, name)
    elif address is not None and answers(address):
        yield from _embedded_at_work(address, name)
    else:
        yield from _embedded(name, table.broker.port if table is not None else 0)


def _embedded(table: str, port: int) -> Iterator[Finding]:
    try:
        with EmbeddedBroker(table, port=port) as own:
            address = BrokerAddress(HOST, own.port, username="app", password=own.password("app"))
            took_s = _echo(address, table)
    except BusError as error:
        text, _, mend = str(error).partition(": ")
        yield Finding("broker", "fail", text, mend)
        return
    if took_s is None:
        mend = "see whether a firewall blocks the machine's connections to itself (127.0.0.1)"
        yield Finding("broker", "fail", "the embedded broker does not hand on what is said", mend)
    else:
        yield Finding("broker", "ok", f"the embedded broker works, {1000 * took_s:.1f} ms for an echo")


def _embedded_at_work(address: BrokerAddress, table: str) -> Iterator[Finding]:
    problem = _problem(address)
    if problem:
        mend = "stop the program that has the port, or change `port` in [broker] of the table file"
        yield Finding("broker", "fail", problem, mend)
        return
    yield Finding("broker", "ok", f"a companion with table {table} is running, at {address.place}")


def _existing(machine: Machine, address: BrokerAddress, table: str) -> Iterator[Finding]:
    if not answers(address):
        mend = "start it (systemctl status mosquitto), or correct `url` in the table file"
        yield Finding("broker", "fail", f"no broker answers at {address.place}", mend)
        return
    if problem := _problem(address):
        mend = "`username` and `password_file` in [broker] are those of the broker's password file"
        yield Finding("broker", "fail", problem, mend)
        return
    took_s = _echo(address, table)
    if took_s is None:
        text = f"user {address.username!r} may not write and read the topics of table {table}"
        yield Finding("broker", "fail", text, _ROLES_MEND.format(table))
    elif took_s > SLOW_S:
        mend = "the line `set_tcp_nodelay true` in its mosquitto.conf; a network without other load"
        yield Finding("broker", "warn", f"{address.place} takes {1000 * took_s:.0f} ms for an echo", mend)
    else:
        yield Finding("broker", "ok", f"{address.place} works, {1000 * took_s:.1f} ms for an echo")
    yield from _set_up(machine, address)
    if address.username is not None and not _problem(BrokerAddress(address.host, address.port, address.tls)):
        mend = "the line `allow_anonymous false` in its mosquitto.conf; restart it"
        text = f"{address.place} lets anybody in without a password"
        yield Finding("broker", "warn", text, mend)


def _set_up(machine: Machine, address: BrokerAddress) -> Iterator[Finding]:
    """Look at the configuration of a Mosquitto on this machine; of another one, or elsewhere, at nothing."""
    if address.host not in _LOOPBACK:
        return
    for path in _configurations(machine):
        text = machine.text(path)
        if _serves(text, address.port) and not re.search(r"^\s*set_tcp_nodelay\s+true\b", text, re.MULTILINE):
            mend = f"the line `set_tcp_nodelay true` in {path}, above every listener; restart it"
            yield Finding("broker", "warn", "Mosquitto may hold messages back for 40 ms (F-85)", mend)


def _serves(text: str, port: int) -> bool:
    ports = re.findall(r"^\s*(?:listener|port)\s+(\d+)", text, re.MULTILINE)
    return str(port) in ports or (not ports and port == _USUAL_PORT)


def _configurations(machine: Machine) -> Iterator[str]:
    """Return the configuration files of every Mosquitto that runs; as far as this user may see."""
    for process in children(machine.at("/proc")):
        if read_text(process / "comm").strip() == "mosquitto":
            words = read_text(process / "cmdline").split("\0")
            if "-c" in words[:-1]:
                yield words[words.index("-c") + 1]


def _problem(address: BrokerAddress) -> str:
    """Connect once; why that is not possible, or nothing."""
    link = Link(address.url, address.username, address.password, _client("look"))
    link.start()
    with closing(link):
        return "" if connected(link) else link.problem or f"{address.place} is no MQTT broker"


def _echo(address: BrokerAddress, table: str) -> float | None:
    """Return how long a message needs there and back, with QoS 1; None where it does not come back."""
    topic = Topics(table).reply(_client("echo"))
    came = threading.Event()
    link = Link(
        address.url,
        address.username,
        address.password,
        _client("echo"),
        filters=(topic,),
        on_message=lambda _topic, _payload, _retain: came.set(),
    )
    link.start()
    with closing(link):
        if not connected(link):
            return None
        took_s = []
        for _ in range(ECHOES):
            came.clear()
            started_s = time.perf_counter()
            link.publish(topic, b"{}")
            if not came.wait(ECHO_WITHIN_S):
                return None
            took_s.append(time.perf_counter() - started_s)
        return statistics.median(took_s)


def _client(purpose: str) -> str:
    return f"companion-doctor-{purpose}-{os.getpid()}"
