"""What the bridge costs while nothing happens, beside a bare pyserial read loop with paho connected.

Run it with `python -m firmware_bridge.bench --broker mqtt://NAME:PASSWORD@HOST:PORT --table ID [--json]`, as
a user that may write the table's topics. Both listen to nodes on pseudo-terminals, each saying once a second
what lies on its five spaces; both run at the same time.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

import paho.mqtt.client as paho
import serial
from paho.mqtt.enums import CallbackAPIVersion

from firmware_bridge.contract.broker_url import parse_broker_url
from firmware_bridge.contract.spaces import VIRTUAL_SPACES
from hardware.firmware.frames import BAUD
from hardware.simulated.cable import Cable
from hardware.simulated.serial_node import SerialNode

AGAINST: Final = "pyserial readline, paho connected"
NOTE: Final = (
    "The bare loop reads lines and throws them away: it checks nothing, notices no loss, says nothing. Ours"
    " has a connection to the broker for each node, since a node's will needs one."
)
SPACES_A_NODE: Final = 5
SETTLE_S: Final = 3.0
WATCH_S: Final = 10.0
_WORK_EVERY_S: Final = 0.02

Row = dict[str, Any]


def rows(broker: str, table: str) -> list[Row]:
    """One row per figure: name, ours, theirs, unit, lower being better.

    Args:
        broker: URL with name and password.
        table: the table's id in the topics.

    Raises:
        RuntimeError: one of the two ended before it was measured, or missed a node.
    """
    found = []
    for count, text in ((1, "one node"), (5, "five nodes")):
        (our_cpu, our_mb), (their_cpu, their_mb) = _watch(broker, table, count)
        found.append(_row(f"firmware-bridge, {text}, idle: CPU", our_cpu, their_cpu, "% of a core"))
        found.append(_row(f"firmware-bridge, {text}, idle: memory", our_mb, their_mb, "MB"))
    return found


def _row(name: str, ours: float, theirs: float, unit: str) -> Row:
    return {"name": name, "ours": round(ours, 2), "theirs": round(theirs, 2), "unit": unit}


def _watch(broker: str, table: str, count: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """CPU and memory of ours and theirs."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        nodes = [_nodes(stack, count), _nodes(stack, count)]
        ports = [[node.cable.plug() for node in some] for some in nodes]
        file = folder / "table.toml"
        file.write_text(
            f'table = "{table}"\n'
            + "".join(
                f'[[node]]\nname = "n{i}"\nkind = "serial"\nport = "{port}"\n'
                for i, port in enumerate(ports[0])
            ),
            encoding="utf-8",
        )
        ours = _start(stack, "firmware_bridge", "--table", str(file), "--broker", broker)
        theirs = _start(stack, "firmware_bridge.bench", "--bare", broker, *ports[1])
        time.sleep(SETTLE_S)
        before_s = [_cpu_s(process) for process in (ours, theirs)]
        time.sleep(WATCH_S)
        if not all("Q" in node.heard for node in nodes[0]):
            raise RuntimeError("the bridge did not find every node")
        figures = [
            (100 * (_cpu_s(process) - begin_s) / WATCH_S, _memory_mb(process))
            for process, begin_s in zip((ours, theirs), before_s, strict=True)
        ]
        return figures[0], figures[1]


def _nodes(stack: ExitStack, count: int) -> list[SerialNode]:
    """Let nodes live in this process."""
    nodes = []
    for i in range(count):
        spaces = VIRTUAL_SPACES[i * SPACES_A_NODE : (i + 1) * SPACES_A_NODE]
        nodes.append(SerialNode(Cable(), f"n{i}", spaces))
    stack.enter_context(_living(nodes))
    return nodes


@contextmanager
def _living(nodes: Sequence[SerialNode]) -> Iterator[None]:
    stop = threading.Event()

    def work() -> None:
        while not stop.wait(_WORK_EVERY_S):
            for node in nodes:
                node.work(time.monotonic())

    for node in nodes:
        node.start(time.monotonic())
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        for node in nodes:
            node.cable.unplug()


def _start(stack: ExitStack, module: str, *arguments: str) -> "subprocess.Popen[bytes]":
    process = stack.enter_context(
        subprocess.Popen([sys.executable, "-m", module, *arguments], stderr=subprocess.DEVNULL)
    )
    stack.callback(process.terminate)
    return process


def _cpu_s(process: "subprocess.Popen[bytes]") -> float:
    """CPU seconds of a process so far (Linux, sched-stats: field 1 of each thread's schedstat, in ns)."""
    if process.poll() is not None:
        raise RuntimeError(f"{process.args!r} ended with status {process.returncode}")
    threads = Path(f"/proc/{process.pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text(encoding="ascii").split()[0]) for thread in threads) / 1e9


def _memory_mb(process: "subprocess.Popen[bytes]") -> float:
    """Resident memory (proc(5): field 2 of statm, in pages)."""
    pages = int(Path(f"/proc/{process.pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _bare(broker: str, ports: Sequence[str]) -> None:
    """Be what ours is measured against."""
    address = parse_broker_url(broker)
    client = paho.Client(CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
    client.username_pw_set(address.username, address.password)
    client.connect(address.host, address.port)
    client.loop_start()

    def read(device: str) -> None:
        port = serial.Serial(device, BAUD, timeout=1)
        while True:
            port.readline()

    threads = [threading.Thread(target=read, args=(device,)) for device in ports]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the rows."""
    parser = argparse.ArgumentParser(prog="python -m firmware_bridge.bench", description=NOTE)
    parser.add_argument("--broker", metavar="URL", help="mqtt://NAME:PASSWORD@HOST:PORT")
    parser.add_argument("--table", default="bench", help="the table's id")
    parser.add_argument("--json", action="store_true", help="a JSON list of rows")
    parser.add_argument("--bare", nargs="+", metavar=("URL", "PORT"), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.bare:
        _bare(options.bare[0], options.bare[1:])
        return 0
    if options.broker is None:
        parser.error("--broker is missing: add mqtt://NAME:PASSWORD@HOST:PORT")
    table = rows(options.broker, options.table)
    if options.json:
        sys.stdout.write(json.dumps([{**row, "against": AGAINST, "note": NOTE} for row in table]) + "\n")
        return 0
    sys.stdout.write(f"{'':<42}{'ours':>10}{'bare':>10}\n")
    for row in table:
        sys.stdout.write(f"{row['name']:<42}{row['ours']:>10}{row['theirs']:>10}  {row['unit']}\n")
    sys.stdout.write(NOTE + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
