"""The bridge of one table: a publisher for each node, a scanner for each bus."""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from firmware_bridge.contract.figures import Counted, ReaderFigures
from firmware_bridge.contract.messages import SimFault
from firmware_bridge.contract.table_file import Node, SerialNode, SpiNode, TableFile, VirtualNode
from firmware_bridge.contract.topics import Topics
from firmware_bridge.figures import FrameTally, Marks, Tally, Window, figures_of, polls_of
from firmware_bridge.presence.debounce import Fact
from firmware_bridge.publisher import Login, NodePublisher
from firmware_bridge.scanner import Scanner
from firmware_bridge.serial.claims import Claims
from firmware_bridge.serial.lights import NodeLights
from firmware_bridge.serial.line import NOT_YET, Lines, SerialLine
from firmware_bridge.serial.places import Places
from firmware_bridge.sim_fields import SimFields
from firmware_bridge.texts import TagTexts
from firmware_bridge.writing import Writing
from hardware.errors import HardwareError
from hardware.reader import Health, Reader, Reading
from hardware.rfid.spi_node import SpiReader, spi_node
from hardware.simulated import virtual_node
from hardware.simulated.faults import Faults

_LOG: Final = logging.getLogger(__name__)

FIRST_FIGURES_S: Final = 1.0
"""After the start: with them it is known that a bridge is at work, even where no node is there."""

FIGURES_EVERY_S: Final = 5.0
"""How often it is said how readers do: a hundred polls, and one message of some kB for each node."""


def _unix_ms() -> int:
    return time.time_ns() // 1_000_000


@dataclass(slots=True)
class Station:
    """One node as it runs here; without readers it can't be served and is offline."""

    name: str
    publisher: NodePublisher
    readers: Mapping[str, Reader] = field(default_factory=dict)
    scanners: Sequence[Scanner] = ()
    close_readers: Callable[[], None] = lambda: None
    scans_at_once: bool = True
    line: SerialLine | None = None
    """Of a node on a serial line."""
    frames: FrameTally | None = None
    """Likewise."""
    marks: Marks | None = None
    """When other tags were laid."""
    why_not_served: str | None = None
    _windows: dict[str, Window] = field(default_factory=dict)

    @property
    def problem(self) -> str | None:
        """One line for people why the node as a whole is offline; None if it is not."""
        return self.line.problem if self.line is not None else self.why_not_served

    @property
    def settled(self) -> bool:
        """Whether all is known that there is to know, as far as the node can be served."""
        if self.line is not None:
            return self.line.problem is None
        return None not in self.facts().values()

    def start(self) -> None:
        """Connect and poll; returns at once."""
        self.publisher.start()
        if self.line is not None:
            self.line.start()
        if self.scans_at_once:
            for scanner in self.scanners:
                scanner.start()

    def facts(self) -> dict[str, Fact | None]:
        """What is known of each space."""
        if self.line is not None:
            return dict(self.line.session.facts)
        return {space: fact for scanner in self.scanners for space, fact in scanner.facts.items()}

    def health(self) -> dict[str, Health]:
        """How each reader does."""
        if self.line is not None:
            return self.line.health()
        return {space: reader.health() for space, reader in self.readers.items()}

    def tell_figures(self) -> None:
        """Say on the bus how node and readers do; always called by the same thread."""
        problem = self.problem or ""
        warnings: tuple[str, ...] = ()
        if self.line is not None:
            warnings = self.line.warnings
            problem = problem if problem != NOT_YET else ""
        self.publisher.tell(self._figures(), problem, warnings)

    def _figures(self) -> dict[str, ReaderFigures]:
        facts, health = self.facts(), self.health()
        figures = {}
        for space, fact in facts.items():
            if space not in health:
                continue
            reader, uids = health[space], fact.uids if fact is not None else ()
            tally = self.frames.tally(space) if self.frames is not None else polls_of(reader)
            mark = self.marks.of(space) if self.marks is not None else Tally()
            newest = self._windows.setdefault(space, Window()).look(tally, mark)
            counted: Counted = "polls" if self.frames is None else "frames"
            figures[space] = figures_of(newest, uids, reader, counted=counted)
        return figures

    def close(self) -> None:
        """Stop polling, let go of the readers, say offline."""
        for scanner in self.scanners:
            scanner.stop()
        if self.line is not None:
            self.line.close()
        self.close_readers()
        self.publisher.close()


class Bridge:
    """Serves every node of a table file for as long as it runs.

    Nodes that can't be served are named in one log line each and shown as offline; the others go on (F-65).

    Args:
        table: the table file.
        login: where to connect.
        now_ms: unix time in ms.
        figures_every_s: how often it is said how readers do.

    Raises:
        BrokerUrlError: `login.url` can't be used.
    """

    def __init__(
        self,
        table: TableFile,
        login: Login,
        *,
        now_ms: Callable[[], int] = _unix_ms,
        figures_every_s: float = FIGURES_EVERY_S,
    ) -> None:
        self._login = login
        self._topics = Topics(table.table)
        self._now_ms = now_ms
        ports = {node.name: node.port for node in table.nodes if isinstance(node, SerialNode)}
        self._claims = Claims([node.name for node in table.nodes])
        self._lines = Lines(Places(ports), self._claims)
        self.stations = [self._station(node) for node in table.nodes]
        self._figures_every_s = figures_every_s
        self._stop = threading.Event()
        self._figures = threading.Thread(target=self._tell_figures, name="figures", daemon=True)

    def start(self) -> None:
        """Begin to connect and to poll; returns at once."""
        for station in self.stations:
            station.start()
        self._lines.start()
        self._figures.start()

    def wait_connected(self, timeout_s: float) -> bool:
        """Wait until every node is connected; False if one is not within `timeout_s` each."""
        return all(station.publisher.link.wait_connected(timeout_s) for station in self.stations)

    @property
    def broker_problem(self) -> str:
        """One line for people why a node is not connected."""
        problems = (station.publisher.link.problem for station in self.stations)
        return next(filter(None, problems), "the broker does not answer in time")

    @property
    def gave_way(self) -> bool:
        """Whether a node stopped for good because another bridge serves it at the same broker."""
        return any(station.publisher.link.gave_way for station in self.stations)

    def close(self) -> None:
        """Stop polling, say every node offline, and disconnect."""
        self._stop.set()
        if self._figures.ident is not None:
            self._figures.join()
        self._lines.close()
        for station in self.stations:
            station.close()

    def _tell_figures(self) -> None:
        wait_s = min(FIRST_FIGURES_S, self._figures_every_s)
        while not self._stop.wait(wait_s):
            wait_s = self._figures_every_s
            for station in self.stations:
                try:
                    station.tell_figures()
                except Exception:  # noqa: BLE001 - figures are for diagnosis, and must end nothing
                    _LOG.exception("the figures of node %s can't be told", station.name)

    def _station(self, node: Node) -> Station:
        try:
            match node:
                case VirtualNode():
                    return self._virtual(node)
                case SpiNode():
                    return self._spi(node)
                case SerialNode():
                    return self._serial(node)
        except HardwareError as error:
            spaces = () if isinstance(node, SerialNode) else node.spaces
            return self._out_of_service(node, spaces, str(error))

    def _out_of_service(self, node: Node, spaces: Sequence[str], why: str) -> Station:
        self._claims.own(node.name, spaces)
        _LOG.warning('node "%s" is offline: %s', node.name, why)
        publisher = NodePublisher(
            self._login, self._topics, node.name, spaces, now_ms=self._now_ms, served=False
        )
        for space in spaces:
            # What lies there is not known; that must not look like nothing.
            publisher.fact(space, Fact((), "fault"))
        return Station(node.name, publisher, why_not_served=why)

    def _serial(self, node: SerialNode) -> Station:
        def arrived(topic: str, payload: bytes, retain: bool) -> None:  # noqa: FBT001 - the link's own
            if topic == self._topics.write(node.name):
                writing.arrived(topic, payload, retain)
            else:
                lights.arrived(topic, payload)

        publisher = NodePublisher(
            self._login,
            self._topics,
            node.name,
            (),
            now_ms=self._now_ms,
            served=False,
            filters=(self._topics.lights(node.name), self._topics.write(node.name)),
            on_message=arrived,
        )
        writing = Writing(self._topics.write(node.name), publisher.written, None)
        frames = FrameTally(publisher)
        line = SerialLine(node.name, frames, self._lines)
        lights = NodeLights(line.show)
        return Station(node.name, publisher, line=line, frames=frames, marks=frames.marks)

    def _spi(self, node: SpiNode) -> Station:
        entries = [
            SpiReader(
                reader.space,
                reader.bus,
                reader.device,
                reset=reader.reset,
                gain=reader.gain,
                cs=reader.cs,
                field_off=reader.field_off,
                spi_hz=reader.spi_hz,
            )
            for reader in node.readers
        ]
        hardware = spi_node(entries)
        self._claims.own(node.name, node.spaces)
        topic = self._topics.write(node.name)

        def arrived(topic: str, payload: bytes, retain: bool) -> None:  # noqa: FBT001 - the link's own
            writing.arrived(topic, payload, retain)

        publisher = NodePublisher(
            self._login,
            self._topics,
            node.name,
            node.spaces,
            now_ms=self._now_ms,
            filters=(topic,),
            on_message=arrived,
        )
        marks = Marks(lambda space: polls_of(hardware.readers[space].health()))
        busses: list[tuple[Scanner, TagTexts]] = []
        for poller in hardware.pollers:
            texts = TagTexts(
                {reader.name: hardware.readers[reader.name] for reader in poller.readers}, publisher.texts
            )
            scanner = Scanner(poller.readers, poller.sweep, [publisher, marks], texts=texts)
            busses.append((scanner, texts))
        writing = Writing(topic, publisher.written, busses)
        scanners = [scanner for scanner, _ in busses]
        return Station(node.name, publisher, hardware.readers, scanners, hardware.close, marks=marks)

    def _virtual(self, node: VirtualNode) -> Station:
        hardware = virtual_node(node.spaces)
        faults = Faults(hardware.chips)
        marks = Marks(lambda space: polls_of(hardware.readers[space].health()))

        def sweep() -> Mapping[str, Reading]:
            faults.settle()
            return hardware.sweep()

        def break_reader(space: str, fault: SimFault | None) -> None:
            faults.want(space, fault)

        def lay(space: str, tags: tuple[str, ...]) -> None:
            hardware.fields[space].lay(tags)
            scanner.touched(space)

        def begin() -> None:
            scanner.start()

        fields = SimFields(self._topics, node.spaces, lay, break_reader)

        def arrived(topic: str, payload: bytes, retain: bool) -> None:  # noqa: FBT001 - the link's own
            if topic == self._topics.write(node.name):
                writing.arrived(topic, payload, retain)
            else:
                fields.arrived(topic, payload, retain)

        publisher = NodePublisher(
            self._login,
            self._topics,
            node.name,
            node.spaces,
            now_ms=self._now_ms,
            filters=(self._topics.all_sim_fields, self._topics.write(node.name)),
            on_message=arrived,
            # What lies in simulated fields comes from the broker: until then they are unknown, not empty.
            on_up=begin,
        )
        texts = TagTexts(hardware.readers, publisher.texts)
        scanner = Scanner(list(hardware.readers.values()), sweep, [publisher, marks], idles=True, texts=texts)
        writing = Writing(self._topics.write(node.name), publisher.written, [(scanner, texts)])

        def give_up(spaces: Sequence[str]) -> None:
            scanner.release(spaces)
            publisher.release(spaces)

        # A node on a serial line says its spaces itself; simulated readers stand for what no other node has.
        self._claims.own(node.name, node.spaces, yields=True, release=give_up)
        return Station(
            node.name,
            publisher,
            hardware.readers,
            [scanner],
            hardware.close,
            scans_at_once=False,
            marks=marks,
        )
