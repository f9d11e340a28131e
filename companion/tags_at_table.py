"""`companion tags enrol` and `companion tags write`: with tags in hand at the readers of a table.

The data folder is locked meanwhile, so no app plays what is laid. Readings come from the bridge that is at
work at the table's broker, else from a bridge of our own on a broker of our own.
"""

import os
import queue
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final, TextIO

from companion.bridge_process import BridgeProcess
from companion.bus.broker import HOST, EmbeddedBroker
from companion.errors import StartError
from companion.scan.source import answers, connected
from companion.session.enrolling import Enrolling
from companion.session.lock import FolderLock
from companion.session.tags import PREFIX, Tags
from companion.table.enrol import component_words
from companion.table.registry import Registry
from firmware_bridge.contract.broker_url import BrokerAddress
from firmware_bridge.contract.errors import MessageError
from firmware_bridge.contract.link import Link
from firmware_bridge.contract.messages import NodeMessage, SpaceMessage
from firmware_bridge.contract.table_file import TableFile, load_table
from firmware_bridge.contract.topics import Topics
from firmware_bridge.contract.writing import WriteCommand, Written

SERVED_WITHIN_S: Final = 1.0
"""How long what a broker retains of nodes may take to come, until it counts as one without a bridge."""

KEYS: Final = "s skips, b goes back, q ends"

Heard = tuple[str, str, bytes]
"""What came: kind of topic, name and payload; or ("line", what was typed, b""); ("end", "", b"")."""


@dataclass(frozen=True, slots=True)
class Station:
    """The readers of a table, as one hears and asks them."""

    topics: Topics
    link: Link
    heard: "queue.SimpleQueue[Heard]"


def enrol(table: Path, data: Path, *, typed: TextIO, out: TextIO) -> int:
    """Go through the components without a tag, each laid on any reader of the table.

    Args:
        table: the table file.
        data: the data folder with the registry.
        typed: the keys of people, a line each.
        out: for what they are asked, and what came of it.

    Returns:
        The exit status: 0 if every component has its tag now, else 1.

    Raises:
        CompanionError: the data folder is in use, or the table's broker refuses.
    """
    with _at_work(table, data, typed) as (station, tags):
        _say_notices(tags, out)
        sitting = _Sitting(tags, out)
        for kind, name, payload in iter(station.heard.get, None):
            if kind == "end" or (kind == "line" and name == "q") or sitting.take(kind, name, payload):
                break
        left = sitting.enrolling.sitting.left
    print(f"{left} of {sitting.of} components are without a tag." if left else "Done.", file=out)
    return 1 if left else 0


class _Sitting:
    """Enrolment by lines of text."""

    def __init__(self, tags: Tags, out: TextIO) -> None:
        self._tags = tags
        self._out = out
        self._known: set[str] = set()
        self.enrolling = Enrolling(tags, {})
        self.of = len(self.enrolling.sitting.order)
        if self.enrolling.sitting.component is not None:
            print(f"{self.of} components have no tag yet. Lay each on any reader; {KEYS}.", file=out)
        print(self.enrolling.sitting.asks, file=out)

    def take(self, kind: str, name: str, payload: bytes) -> bool:
        """Take what came; True when every component has its tag."""
        before = self.enrolling.sitting
        if kind == "line" and name in ("s", "b"):
            self.enrolling.ask({"action": "skip" if name == "s" else "back"})
        elif kind == "space" and payload:
            self._space(name, payload)
        sitting = self.enrolling.sitting
        if sitting != before:
            print(f"{'! ' if sitting.fault else '  '}{sitting.message}", file=self._out)
            print(sitting.asks, file=self._out, flush=True)
        return sitting.component is None

    def _space(self, name: str, payload: bytes) -> None:
        try:
            message = SpaceMessage.from_json(payload)
        except MessageError as error:
            self.enrolling.garbled(f"{name}: {error}")
            return
        self._tags.learn(message.texts)
        if name in self._known:
            self.enrolling.space(name, message)
        else:  # what lies there at the start was not laid for this
            self._known.add(name)
            self.enrolling.lies(name, message)


def write(table: Path, data: Path, *, typed: TextIO, out: TextIO, err: TextIO) -> int:
    """Write into each registered tag that is laid what it sticks to.

    Args:
        table: the table file.
        data: the data folder with the registry.
        typed: the keys of people: q ends.
        out: for what was written.
        err: for what could not be.

    Returns:
        The exit status: 1 if a tag that was laid could not be written.

    Raises:
        CompanionError: the data folder is in use, or the table's broker refuses.
    """
    with _at_work(table, data, typed) as (station, tags):
        _say_notices(tags, err)
        writer = _Writer(station, tags, out, err)
        print("Lay each registered tag on a reader: its name is written into it; q ends.", file=out)
        out.flush()
        for kind, name, payload in iter(station.heard.get, None):
            if kind == "end" or (kind == "line" and name == "q"):
                break
            writer.take(kind, name, payload)
    print(f"{writer.written} written, {len(writer.failed)} not.", file=out)
    return 1 if writer.failed else 0


class _Writer:
    """Asks for each tag to be written, and tells what came of it."""

    def __init__(self, station: Station, tags: Tags, out: TextIO, err: TextIO) -> None:
        self._station = station
        self._tags = tags
        self._out = out
        self._err = err
        self._lying: dict[str, frozenset[str]] = {}
        self._ids = (f"{os.getpid()}-{number}" for number in count(1))
        self.written = 0
        self.failed: set[str] = set()

    def take(self, kind: str, name: str, payload: bytes) -> None:
        """Take what came."""
        try:
            if kind == "space" and payload:
                self._space(name, SpaceMessage.from_json(payload))
            elif kind == "written":
                self._told(Written.from_json(payload))
        except MessageError as error:
            print(f"companion: {name}: {error}", file=self._err)

    def _space(self, name: str, message: SpaceMessage) -> None:
        for uid in message.tags:
            if uid not in self._lying.get(name, frozenset()) and message.state == "ok":
                self._ask(uid, message)
        self._lying[name] = frozenset(message.tags)

    def _ask(self, uid: str, message: SpaceMessage) -> None:
        component = self._tags.own.component(uid)
        if component is None:
            print(f"companion: tag {uid} is not registered: enrol it first", file=self._err)
            return
        command = WriteCommand(next(self._ids), uid, f"{PREFIX}{component}")
        self._station.link.publish(self._station.topics.write(message.node), command.to_json())

    def _told(self, result: Written) -> None:
        words = component_words(self._tags.own.component(result.tag) or result.tag)
        if result.text is None:
            self.failed.add(result.tag)
            print(f"companion: {words}: tag {result.tag} not written: {result.reason}", file=self._err)
        else:
            self.failed.discard(result.tag)
            self.written += 1
            print(f"{words}: written into {result.tag}", file=self._out, flush=True)


def _say_notices(tags: Tags, to: TextIO) -> None:
    for notice in tags.notices:
        print(f"companion: {notice}", file=to)


@contextmanager
def _at_work(path: Path, data: Path, typed: TextIO) -> Iterator[tuple[Station, Tags]]:
    table = load_table(path)
    with ExitStack() as stack:
        stack.callback(FolderLock(data).release)
        heard: queue.SimpleQueue[Heard] = queue.SimpleQueue()
        link = _link_of(table, heard, stack)
        threading.Thread(target=_listen_to, args=(typed, heard), daemon=True).start()
        yield Station(Topics(table.table), link, heard), Tags(data, Registry())


def _listen_to(typed: TextIO, heard: "queue.SimpleQueue[Heard]") -> None:
    for line in typed:
        heard.put(("line", line.strip().lower(), b""))
    heard.put(("end", "", b""))


def _link_of(table: TableFile, heard: "queue.SimpleQueue[Heard]", stack: ExitStack) -> Link:
    """Return a link to readings: at the table's broker where a bridge is at work, else of our own."""
    address = _broker_of(table)
    if address is not None and answers(address):
        with ExitStack() as attempt:
            served = threading.Event()
            link = _listen(table, address, heard, attempt, served)
            if not connected(link):
                raise StartError(f"{table.path}: {link.problem or f'{address.place} is no MQTT broker'}")
            if served.wait(SERVED_WITHIN_S):
                stack.push(attempt.pop_all())
                return link
    broker = stack.enter_context(EmbeddedBroker(table.table))
    link = _listen(
        table,
        BrokerAddress(HOST, broker.port, False, "app", broker.password("app")),
        heard,
        stack,
        threading.Event(),
    )
    bridge = BridgeProcess(table.path, broker.url, broker.password("bridge"))
    bridge.start()
    stack.callback(bridge.stop)
    return link


def _broker_of(table: TableFile) -> BrokerAddress | None:
    """Return the broker of the table file with the rights of the app, which alone may have tags written."""
    settings = table.broker
    if settings.address is not None:
        place = settings.address
        return BrokerAddress(place.host, place.port, place.tls, settings.username, settings.password)
    if settings.port and "app" in settings.passwords:
        return BrokerAddress(HOST, settings.port, username="app", password=settings.passwords["app"])
    return None


def _listen(
    table: TableFile,
    address: BrokerAddress,
    heard: "queue.SimpleQueue[Heard]",
    stack: ExitStack,
    served: threading.Event,
) -> Link:
    topics = Topics(table.table)

    def arrived(topic: str, payload: bytes, _retained: bool) -> None:  # noqa: FBT001 - Link's signature
        kind, name = topics.parse(topic) or ("", "")
        if kind == "node" and payload and _is_online(payload):
            served.set()
        elif kind in ("space", "written"):
            heard.put((kind, name, payload))

    link = Link(
        address.url,
        address.username,
        address.password,
        f"companion-tags-{table.table}-{os.getpid()}",
        filters=(topics.all_spaces, topics.all_nodes, topics.all_written),
        on_message=arrived,
    )
    link.start()
    stack.callback(link.close)
    return link


def _is_online(payload: bytes) -> bool:
    try:
        return NodeMessage.from_json(payload).state == "online"
    except MessageError:
        return False
