"""The bridge of one table: a publisher for each node, a scanner for each bus."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from firmware_bridge.contract.table_file import Node, SerialNode, SpiNode, TableFile, VirtualNode
from firmware_bridge.contract.topics import Topics
from firmware_bridge.presence.debounce import Fact
from firmware_bridge.publisher import Login, NodePublisher
from firmware_bridge.scanner import Scanner
from firmware_bridge.sim_fields import SimFields
from hardware.errors import HardwareError
from hardware.reader import Health, Reader
from hardware.rfid.spi_node import SpiReader, spi_node
from hardware.simulated import virtual_node

_LOG: Final = logging.getLogger(__name__)


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

    def start(self) -> None:
        """Connect and poll; returns at once."""
        self.publisher.start()
        if self.scans_at_once:
            for scanner in self.scanners:
                scanner.start()

    def facts(self) -> dict[str, Fact | None]:
        """What is known of each space."""
        return {space: fact for scanner in self.scanners for space, fact in scanner.facts.items()}

    def health(self) -> dict[str, Health]:
        """How each reader does."""
        return {space: reader.health() for space, reader in self.readers.items()}

    def close(self) -> None:
        """Stop polling, let go of the readers, say offline."""
        for scanner in self.scanners:
            scanner.stop()
        self.close_readers()
        self.publisher.close()


class Bridge:
    """Serves every node of a table file for as long as it runs.

    Nodes that can't be served are named in one log line each and shown as offline; the others go on (F-65).

    Args:
        table: the table file.
        login: where to connect.
        now_ms: unix time in ms.

    Raises:
        BrokerUrlError: `login.url` can't be used.
    """

    def __init__(self, table: TableFile, login: Login, *, now_ms: Callable[[], int] = _unix_ms) -> None:
        self._login = login
        self._topics = Topics(table.table)
        self._now_ms = now_ms
        self.problems: list[str] = []
        """One line for each node that can't be served."""
        self.stations = [self._station(node) for node in table.nodes]

    def start(self) -> None:
        """Begin to connect and to poll; returns at once."""
        for station in self.stations:
            station.start()

    def wait_connected(self, timeout_s: float) -> bool:
        """Wait until every node is connected; False if one is not within `timeout_s` each."""
        return all(station.publisher.link.wait_connected(timeout_s) for station in self.stations)

    @property
    def gave_way(self) -> bool:
        """Whether a node stopped for good because another bridge serves it at the same broker."""
        return any(station.publisher.link.gave_way for station in self.stations)

    def close(self) -> None:
        """Stop polling, say every node offline, and disconnect."""
        for station in self.stations:
            station.close()

    def _station(self, node: Node) -> Station:
        try:
            match node:
                case VirtualNode():
                    return self._virtual(node)
                case SpiNode():
                    return self._spi(node)
                case SerialNode():
                    return self._out_of_service(node, (), "nodes of kind serial come in a later version")
        except HardwareError as error:
            spaces = () if isinstance(node, SerialNode) else node.spaces
            return self._out_of_service(node, spaces, str(error))

    def _out_of_service(self, node: Node, spaces: Sequence[str], why: str) -> Station:
        problem = f'node "{node.name}" is offline: {why}'
        self.problems.append(problem)
        _LOG.warning("%s", problem)
        publisher = NodePublisher(
            self._login, self._topics, node.name, spaces, now_ms=self._now_ms, served=False
        )
        for space in spaces:
            # What lies there is not known; that must not look like nothing.
            publisher.fact(space, Fact((), "fault"))
        return Station(node.name, publisher)

    def _spi(self, node: SpiNode) -> Station:
        entries = [
            SpiReader(
                reader.space, reader.bus, reader.device, reset=reader.reset, gain=reader.gain, cs=reader.cs
            )
            for reader in node.readers
        ]
        hardware = spi_node(entries)
        publisher = NodePublisher(self._login, self._topics, node.name, node.spaces, now_ms=self._now_ms)
        scanners = [Scanner(poller.readers, poller.sweep, [publisher]) for poller in hardware.pollers]
        return Station(node.name, publisher, hardware.readers, scanners, hardware.close)

    def _virtual(self, node: VirtualNode) -> Station:
        hardware = virtual_node(node.spaces)

        def lay(space: str, tags: tuple[str, ...]) -> None:
            hardware.fields[space].lay(tags)
            scanner.touched(space)

        def begin() -> None:
            scanner.start()

        publisher = NodePublisher(
            self._login,
            self._topics,
            node.name,
            node.spaces,
            now_ms=self._now_ms,
            filters=(self._topics.all_sim_fields,),
            on_message=SimFields(self._topics, node.spaces, lay).arrived,
            # What lies in simulated fields comes from the broker: until then they are unknown, not empty.
            on_up=begin,
        )
        scanner = Scanner(list(hardware.readers.values()), hardware.sweep, [publisher], idles=True)
        return Station(node.name, publisher, hardware.readers, [scanner], hardware.close, scans_at_once=False)
