"""The command `firmware-bridge`: turns readings of a table's readers into topics on its broker."""

import argparse
import json
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from firmware_bridge.bridge import FIGURES_EVERY_S, Bridge, Station
from firmware_bridge.contract.broker_url import BrokerAddress, parse_broker_url
from firmware_bridge.contract.errors import ContractError
from firmware_bridge.contract.messages import SpaceState, tag_text
from firmware_bridge.contract.table_file import TableFile, load_table
from firmware_bridge.errors import BridgeError, NoBrokerError
from firmware_bridge.presence.debounce import Fact
from firmware_bridge.publisher import Login

ROLE: Final = "bridge"
"""The user name of the bridge on the bus."""

PASSWORD_VARIABLE: Final = "FIRMWARE_BRIDGE_PASSWORD"  # noqa: S105 - the variable's name, not a password
"""Environment variable with the password: unlike an argument it is not shown to other users."""

CONNECT_WITHIN_S: Final = 3.0
"""How long `--once` waits for the broker."""

STABLE_WITHIN_S: Final = 5.0
"""How long `--once` waits until each space is known: unreadable ones need two seconds, a slow sweep one."""

_LOOK_EVERY_S: Final = 0.5

_DESCRIPTION: Final = """\
Polls every reader of a table and publishes what lies where, and how nodes and readers do, as retained topics
on the table's broker. Nodes of kind virtual are simulated chips whose fields follow the topics sim/field/...
"""
_EPILOG: Final = f"""\
The broker is the one of --broker, or of [broker] in the table file: its url, or, for the app's embedded
broker, its port with a file of passwords that has one for {ROLE}. The password may also come in the
environment variable {PASSWORD_VARIABLE}; the user name is {ROLE} then, where the address has none.

Exit status: 0 done; 1 a reader or the broker failed with --once, or another bridge took over; 2 the table
file or the arguments can't be used.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    options = _parser().parse_args(arguments)
    # With --once nothing is tried again, and nothing is news: what went wrong is said at the end.
    level = logging.ERROR if options.once else logging.INFO
    logging.basicConfig(format="firmware-bridge: %(message)s", level=level, stream=sys.stderr)
    try:
        table = load_table(options.table)
        login = find_login(table, options.broker, os.environ)
        bridge = Bridge(table, login, figures_every_s=options.figures_every)
    except (ContractError, BridgeError) as error:
        sys.stderr.write(f"firmware-bridge: {error}\n")
        return 2
    stop = _stop_event(watch_stdin=options.stop_on_stdin_eof)
    bridge.start()
    try:
        return _once(bridge, as_json=options.json) if options.once else _run(bridge, stop)
    finally:
        bridge.close()


def find_login(table: TableFile, broker: str | None, environment: Mapping[str, str]) -> Login:
    """Decide where and as whom to connect.

    Args:
        table: the table file.
        broker: the URL of the command line, which goes before the table file's.
        environment: may hold the password.

    Raises:
        BrokerUrlError: `broker` can't be used.
        NoBrokerError: nothing says where the broker is.
    """
    settings = table.broker
    if broker is not None:
        address = parse_broker_url(broker)
    elif settings.address is not None:
        address = settings.address
    elif settings.port and ROLE in settings.passwords:
        return Login(BrokerAddress("127.0.0.1", settings.port).url, ROLE, settings.passwords[ROLE])
    else:
        raise NoBrokerError(
            f"{table.path}: nothing says where the broker is: add --broker mqtt://USER:PASSWORD@HOST:PORT,"
            " or `url` in [broker], or for the embedded broker its `port` and `passwords`"
        )
    if address.password is not None:
        return Login(address.url, address.username, address.password)
    if PASSWORD_VARIABLE in environment:
        return Login(address.url, address.username or ROLE, environment[PASSWORD_VARIABLE])
    if address.username in (None, settings.username):
        return Login(address.url, settings.username, settings.password)
    return Login(address.url, address.username)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="firmware-bridge",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--table", required=True, type=Path, metavar="FILE", help="the table file (TOML)")
    parser.add_argument("--broker", metavar="URL", help="mqtt://[USER:PASSWORD@]HOST[:PORT], or mqtts://")
    parser.add_argument(
        "--once",
        action="store_true",
        help="poll until every space is known, publish and print it, and end (nodes then show as offline)",
    )
    parser.add_argument("--json", action="store_true", help="with --once: print one JSON object a line")
    parser.add_argument(
        "--figures-every",
        type=_seconds,
        default=FIGURES_EVERY_S,
        metavar="S",
        help=f"seconds between two looks at how readers do (default {FIGURES_EVERY_S:g})",
    )
    parser.add_argument(
        "--stop-on-stdin-eof",
        action="store_true",
        help="end when standard input is closed: whoever started this keeps it open for as long as they live",
    )
    return parser


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.1 <= seconds <= 3600:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0.1 to 3600")
    return seconds


def _stop_event(*, watch_stdin: bool) -> threading.Event:
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop.set())
    if watch_stdin:
        threading.Thread(target=_wait_for_eof, args=(stop,), name="stdin", daemon=True).start()
    return stop


def _wait_for_eof(stop: threading.Event) -> None:
    # The raw descriptor: a reader blocked in sys.stdin would hold its lock when the interpreter ends.
    try:
        while os.read(0, 4096):
            pass
    except OSError:
        pass
    stop.set()


def _run(bridge: Bridge, stop: threading.Event) -> int:
    while not stop.wait(_LOOK_EVERY_S):
        if bridge.gave_way:
            return 1
    return 0


def _once(bridge: Bridge, *, as_json: bool) -> int:
    if not bridge.wait_connected(CONNECT_WITHIN_S):
        sys.stderr.write(f"firmware-bridge: {bridge.broker_problem}\n")
        return 1
    deadline_s = time.monotonic() + STABLE_WITHIN_S
    pause = threading.Event()
    while time.monotonic() < deadline_s and not all(station.settled for station in bridge.stations):
        pause.wait(0.02)
    healthy = [_print_station(station, as_json=as_json) for station in bridge.stations]
    return 0 if all(healthy) else 1


def _print_station(station: Station, *, as_json: bool) -> bool:
    """Print what is known of each space; True if all of them are well.

    What ails the node as a whole is said once, on stderr, not once for each of its spaces.
    """
    health, facts, problem = station.health(), station.facts(), station.problem
    if problem is not None:
        problem = f"is offline: {problem}"
    elif len(facts) > 1 and {_state(fact) for fact in facts.values()} == {"fault"}:
        reasons = {health[space].reason for space in facts}
        problem = f"has no reader that answers: {reasons.pop()}" if len(reasons) == 1 else None
    if problem is not None:
        sys.stderr.write(f'firmware-bridge: node "{station.name}" {problem}\n')
    for space, fact in facts.items():
        tags = [tag_text(uid) for uid in fact.uids] if fact is not None else []
        if as_json:
            entry = {"space": space, "tags": tags, "state": _state(fact), "node": station.name}
            sys.stdout.write(json.dumps(entry | {"health": health[space].as_dict()}) + "\n")
        elif problem is None:
            reason = f"  ({health[space].reason})" if health[space].reason else ""
            sys.stdout.write(f"{space:24} {_state(fact):10} {' '.join(tags) or '-'}{reason}\n")
    return problem is None and all(_state(fact) == "ok" for fact in facts.values())


def _state(fact: Fact | None) -> SpaceState:
    return fact.state if fact is not None else "fault"


if __name__ == "__main__":
    sys.exit(main())
