"""`companion bench`: what things cost, each beside something measured in the same run.

Absolute times depend on the machine; the ratios are what is kept an eye on. The figures of the readers come
from `python -m hardware.bench`, a program of its own: this package knows hardware only as topics.
"""

import getpass
import json
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, TextIO

from companion.bench_rules import PLAYED, Memory, PlayedGames
from companion.bus.broker import EmbeddedBroker
from companion.bus.errors import BusError
from companion.bus.mosquitto import write_configuration
from companion.content import catalogue, components, starts
from companion.errors import StartError
from companion.rules.position import Position
from companion.scenario.notation import position_from
from companion.table.lay import lay_table
from companion.table.registry import virtual_registry
from firmware_bridge.contract.broker_url import parse_broker_url
from firmware_bridge.contract.link import Link
from firmware_bridge.contract.messages import SpaceMessage
from firmware_bridge.contract.topics import Topics

TABLE: Final = "bench"
SLOT: Final = "valley.1"
ROUNDS: Final = 150
"""Per figure on the bus; the median of so many is steady to a few per cent."""
WAIT_S: Final = 10.0
PAUSE_S: Final = 0.03
"""Before each message that is timed, of both kinds: pieces come one at a time, to an idle machine."""
_REHEARSAL: Final = "tests.rehearsal.bench"
PASSWORDS: Final = {"app": "app-of-the-bench", "bridge": "bridge-of-the-bench"}


@dataclass(frozen=True, slots=True)
class Row:
    """One figure beside another one."""

    name: str
    ours: float
    against: str
    """What the other figure is."""
    theirs: float
    unit: str
    note: str = ""

    @property
    def ratio(self) -> float:
        """Ours over theirs: below 1 is less."""
        return self.ours / self.theirs


def run(*, as_json: bool, out: TextIO) -> int:
    """Measure, and print a line a figure.

    Returns:
        The exit status, 0.

    Raises:
        StartError: a part can't be started.
    """
    notes: dict[str, None] = {}
    for row in _rows():
        if as_json:
            print(json.dumps({**asdict(row), "ratio": round(row.ratio, 4)}), file=out, flush=True)
        else:
            figures = f"{row.ours:10.2f} {row.unit:12} {row.theirs:10.2f} ({row.against})"
            print(f"{row.name:52} {figures:66} x {row.ratio:.3f}", file=out, flush=True)
            notes[row.note] = None
    for note in filter(None, notes):
        print(note, file=out)
    return 0


def _rows() -> Iterator[Row]:
    yield from _measured_by("hardware.bench")
    if find_spec("tests") is not None and find_spec(_REHEARSAL) is not None:
        # Its people are part of the tests, which a wheel leaves out.
        yield from _measured_by(_REHEARSAL)
    games = PlayedGames()
    yield from _memory_rows(games.memory())
    for name, broker in (("Mosquitto", _mosquitto), ("embedded broker", _embedded)):
        if name == "Mosquitto" and _mosquitto_binary() is None:
            continue
        with tempfile.TemporaryDirectory() as folder, broker(Path(folder)) as url:
            yield from _bus_rows(name, url, Path(folder), games)
            if name == "embedded broker":
                address = parse_broker_url(url).url_for("bridge", PASSWORDS["bridge"])
                yield from _measured_by("firmware_bridge.bench", "--broker", address, "--table", TABLE)


def _measured_by(module: str, *arguments: str) -> Iterator[Row]:
    """Figures of a lower layer: a program of its own."""
    done = subprocess.run(
        [sys.executable, "-m", module, "--json", *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise StartError(f"{module} could not measure: {done.stderr.strip()}")
    for row in json.loads(done.stdout):
        yield Row(row["name"], row["ours"], row["against"], row["theirs"], row["unit"], row["note"])


def _memory_rows(memory: Memory) -> Iterator[Row]:
    note = f"Memory: the mean over all positions of {PLAYED}."
    for against, theirs in (("the same, nothing shared", memory.copied), ("the same as JSON", memory.text)):
        yield Row("a position of a game that is kept", memory.kept, against, theirs, "bytes", note)


def _bus_rows(broker: str, url: str, folder: Path, games: PlayedGames) -> Iterator[Row]:
    with ExitStack() as stack:
        table = _LiveTable(url, folder, stack)
        round_trip_ms = table.round_trip_ms()
        against = f"QoS 1 round trip, {broker}"
        yield from _rules_rows(games, broker, round_trip_ms)
        yield Row(
            "stable tag on the bus to game/state",
            table.tag_to_state_ms(),
            against,
            round_trip_ms,
            "ms",
            "From `space/slot/...` being published by a client to `game/state` arriving there; the journal"
            " has the action on disk by then. The debounce of the bridge comes before it and is not in it.",
        )


def _rules_rows(games: PlayedGames, broker: str, round_trip_ms: float) -> Iterator[Row]:
    against = f"QoS 1 round trip, {broker}"
    verdict_ms, lists = games.verdict_ms(), games.lists()
    yield Row(
        "verdict",
        verdict_ms,
        against,
        round_trip_ms,
        "ms",
        f"Verdicts: the median over the actions of {PLAYED}, each with the position after it.",
    )
    note = (
        f"Legal lists, Vibe tokens included: {lists.positions} positions with an Action left, out of the"
        f" middle third of {PLAYED}; the median length is {lists.typical_actions} actions,"
        f" the greatest {lists.most_actions}."
    )
    yield Row("full legal list, typical", lists.typical_ms, against, round_trip_ms, "ms", note)
    yield Row("full legal list, slowest", lists.slowest_ms, against, round_trip_ms, "ms", note)
    yield Row(
        "whole random games",
        games.games_per_s(),
        f"QoS 1 round trips, {broker}",
        1000 / round_trip_ms,
        "per second",
        f"Games per second: {PLAYED}, every invariant checked after each action.",
    )


def _position() -> Position:
    return position_from(starts()["empower-example"].data, catalogue())


class _LiveTable:
    """The real app in a process of its own, and a client that lays pieces and watches `game/state`."""

    def __init__(self, url: str, folder: Path, stack: ExitStack) -> None:
        self._topics = Topics(TABLE)
        registry = virtual_registry(components())
        self._laid = lay_table(_position(), catalogue(), registry)
        self._strong = registry.tags("emotion/bliss/benevolence/1")
        self._there, self._back = (self._topics.root + word for word in ("echo/there", "echo/back"))
        self._arrived = threading.Condition()
        self._state: dict[str, Any] = {}
        self._echoes = 0
        watched = (self._topics.game_state, self._back)
        self._client = Link(url, "app", PASSWORDS["app"], "bench", filters=watched, on_message=self._hear)
        stack.callback(self._client.close)
        self._client.start()
        if not self._client.wait_connected(WAIT_S):
            raise StartError(f"the broker of the benchmark does not answer: {self._client.problem}")
        stack.callback(_stop, _start_app(url, folder))
        stack.callback(_stop, _start_echo(url, self._there, self._back))
        self._wait(lambda: bool(self._state))
        # What differs at the first look is named, not played: a sign that the table is looked at now.
        for space, tags in {**self._laid, f"slot/{SLOT}": self._strong}.items():
            self._lay(space, tags)
        self._wait(lambda: self._state.get("table_ok") is False)
        self._lay(f"slot/{SLOT}", self._laid[f"slot/{SLOT}"])
        self._wait(lambda: self._state.get("table_ok") is True)

    def _hear(self, topic: str, payload: bytes, _retained: bool) -> None:  # noqa: FBT001 - Link's signature
        with self._arrived:
            if topic == self._back:
                self._echoes += 1
            else:
                self._state = json.loads(payload)
            self._arrived.notify_all()

    def _wait(self, wanted: Callable[[], bool]) -> None:
        with self._arrived:
            if not self._arrived.wait_for(wanted, WAIT_S):
                raise StartError(
                    f"the table of the benchmark did not answer within {WAIT_S} s: {self._state}"
                )

    def _lay(self, space: str, tags: tuple[str, ...]) -> None:
        message = SpaceMessage(tags, "ok", "bench", time.time_ns() // 1_000_000)
        self._client.publish(self._topics.space(space), message.to_json(), retain=True)

    def round_trip_ms(self) -> float:
        """Median of a state's bytes to another program and back: `tag_to_state_ms` without the work."""
        times = []
        payload = json.dumps(self._state).encode()
        self._wait(lambda: self._echoes > 0)  # the other program says when it is there
        for number in range(self._echoes + 1, self._echoes + ROUNDS + 1):
            time.sleep(PAUSE_S)
            begin_s = time.perf_counter()
            self._client.publish(self._there, payload)
            self._wait(lambda wanted=number: self._echoes >= wanted)  # type: ignore[misc]
            times.append(time.perf_counter() - begin_s)
        return statistics.median(times) * 1000

    def tag_to_state_ms(self) -> float:
        """Median from the Strong card's tag on its slot to the state in which it lies there."""
        times = []
        space = f"slot/{SLOT}"
        for number in range(ROUNDS):
            self._lay(space, ())
            time.sleep(PAUSE_S)
            begin_s = time.perf_counter()
            self._lay(space, self._strong)
            self._wait(lambda: self._state["slots"][SLOT]["emotion"] == "benevolence")
            times.append(time.perf_counter() - begin_s)
            command = json.dumps({"id": str(number), "undo": 1}).encode()
            self._client.publish(self._topics.command("bench"), command)
            self._wait(lambda: self._state["slots"][SLOT]["emotion"] == "kindness")
            self._lay(space, self._laid[space])
            self._wait(lambda: bool(self._state["table_ok"]))
        return statistics.median(times) * 1000


def _start_app(url: str, folder: Path) -> "subprocess.Popen[bytes]":
    table = folder / "bench.toml"
    # With a table file and an existing broker the app starts no bridge: this client speaks in its place.
    table.write_text(
        f'table = "{TABLE}"\nprofile = "virtual"\n[[node]]\nname = "virtual"\nkind = "virtual"\n'
    )
    address = parse_broker_url(url).url_for("app", PASSWORDS["app"])
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "companion.cli", "play", "--headless"),
            *("--table", str(table), "--broker", address, "--data", str(folder / "games")),
        ],
        stderr=subprocess.DEVNULL,
    )


def _start_echo(url: str, there: str, back: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-m", "companion.bench", url, there, back])


def _echo(url: str, there: str, back: str) -> None:
    """Be the other end of a bare round trip: whatever comes on `there` goes out on `back`."""
    link = Link(
        *(url, "app", PASSWORDS["app"], "bench-echo"),
        filters=(there,),
        on_message=lambda _topic, payload, _retained: link.publish(back, payload),
        on_link=lambda up: link.publish(back, b"") if up else None,
    )
    link.start()
    signal.pause()


def _stop(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    process.wait(WAIT_S)


@contextmanager
def _embedded(_folder: Path) -> Iterator[str]:
    with EmbeddedBroker(TABLE, passwords=PASSWORDS) as broker:
        yield broker.url


@contextmanager
def _mosquitto(folder: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    try:
        configuration = write_configuration(
            folder / "mosquitto", table=TABLE, port=port, passwords=PASSWORDS, user=getpass.getuser()
        )
    except BusError as error:
        raise StartError(str(error)) from error
    process = subprocess.Popen(
        [_mosquitto_binary() or "mosquitto", "-c", str(configuration)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for_port(port)
        yield f"mqtt://127.0.0.1:{port}"
    finally:
        _stop(process)


def _wait_for_port(port: int) -> None:
    deadline_s = time.monotonic() + WAIT_S
    while time.monotonic() < deadline_s:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(PAUSE_S)
    raise StartError(f"the Mosquitto of the benchmark does not listen on port {port}")


def _mosquitto_binary() -> str | None:
    return shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")


if __name__ == "__main__":
    _echo(*sys.argv[1:])
