"""The table file: which table this is, where its broker is, which readers it has (contracts, section 7)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, cast, get_args

from firmware_bridge.contract.broker_url import BrokerAddress, parse_broker_url
from firmware_bridge.contract.errors import BrokerUrlError, TableFileError
from firmware_bridge.contract.spaces import VIRTUAL_SPACES, is_space
from firmware_bridge.contract.toml_section import Section, read_toml
from firmware_bridge.contract.topics import is_table_id

Profile = Literal["full", "slots", "pad", "virtual"]

DEFAULT_GAIN: Final = 4
"""RxGain 4 is 33 dB, the chip's own value after a reset (MFRC522 data sheet, 9.3.3.6)."""

DEFAULT_SPI_HZ: Final = 1_000_000
"""What wires of some tens of centimetres carry without bit errors (F-38)."""

ROLE_NAMES: Final = ("app", "bridge", "display", "staff")
"""Who may have a password on the bus (contracts, section 4)."""

PATIENCE: Final = (
    *("settle", "card", "placed", "gone", "refuse", "correct"),
    *("shown", "hold", "odd", "trouble", "stays"),
)
"""Waits of a table that can be stated, each in seconds: what the app makes of them is its own business."""

_MAX_WAIT_S: Final = 600

_HEADER_PINS: Final = frozenset(
    # The Raspberry Pi's 40-pin header without supply, ground and the two pins of the HAT's EEPROM.
    (3, 5, 7, 8, 10, 11, 12, 13, 15, 16, 18, 19, 21, 22, 23, 24, 26, 29, 31, 32, 33, 35, 36, 37, 38, 40)
)
_SPI_PINS: Final = {0: frozenset((19, 21, 23)), 1: frozenset((35, 38, 40))}
"""Data and clock of the header's two SPI buses, as physical pins."""

_MAX_SPI_HZ: Final = 10_000_000  # MFRC522 data sheet, 8.1.2
_MAX_BUS: Final = 6  # SPI6 is the last one of a Raspberry Pi 4
_MAX_DEVICE: Final = 2  # SPI1 has three chip selects, the others have two


@dataclass(frozen=True, slots=True)
class ReaderEntry:
    """One MFRC522 on the Pi's own SPI.

    Args:
        space: what it stands below.
        bus: number of the SPI bus.
        device: number of the chip select on that bus.
        reset: physical pin of the reset line; readers may share one.
        gain: RxGain, 0 to 7.
        cs: physical pin of a GPIO as chip select in place of the bus's own; None: the bus's own.
        field_off: its field is on only while it looks.
        spi_hz: SPI clock.
    """

    space: str
    bus: int
    device: int
    reset: int
    gain: int = DEFAULT_GAIN
    cs: int | None = None
    field_off: bool = False
    spi_hz: int = DEFAULT_SPI_HZ


@dataclass(frozen=True, slots=True)
class SpiNode:
    """Readers on the Pi's own SPI."""

    name: str
    readers: tuple[ReaderEntry, ...]

    @property
    def spaces(self) -> tuple[str, ...]:
        """The spaces of its readers."""
        return tuple(reader.space for reader in self.readers)


@dataclass(frozen=True, slots=True)
class SerialNode:
    """A microcontroller on USB; it tells its spaces itself."""

    name: str
    port: str


@dataclass(frozen=True, slots=True)
class VirtualNode:
    """Simulated chips, for every space of the virtual table that no other node of the file has."""

    name: str
    spaces: tuple[str, ...] = VIRTUAL_SPACES


Node = SpiNode | SerialNode | VirtualNode


@dataclass(frozen=True, slots=True)
class BrokerSettings:
    """Where the broker is, or how the embedded one is to be.

    Args:
        address: an existing broker; None: the embedded one.
        username: who the programs of this table connect as at an existing broker.
        password: read from `password_file`, or from the URL.
        port: loopback port of the embedded broker; 0: any free one.
        passwords: role to password for the embedded broker; roles left out get one made at each start.
    """

    address: BrokerAddress | None = None
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    port: int = 0
    passwords: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)


@dataclass(frozen=True, slots=True)
class TableFile:
    """What a table file says.

    Args:
        path: the file itself.
        table: the table's id, as it stands in the topics.
        profile: what is instrumented.
        broker: where the broker is.
        nodes: in the order of the file.
        patience: seconds by wait, of those that are stated.
    """

    path: Path
    table: str
    profile: Profile
    broker: BrokerSettings
    nodes: tuple[Node, ...]
    patience: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))


def load_table(path: Path) -> TableFile:
    """Read and check a table file, and the password files it names; those are relative to it.

    Without `profile` it is `virtual` where every node is virtual, else `full`.

    Raises:
        TableFileError: something in it can't be used; one line that names file, line, key and the mend.
    """
    top = read_toml(path)
    table = top.text("table")
    if not is_table_id(table):
        top.fail("table", f'"{table[:40]}" is no table id: use 1 to 64 of a-z, 0-9 and -')
    broker = _broker(top.table("broker"))
    nodes = _nodes(top.tables("node", "node"))
    plain = "virtual" if nodes and all(isinstance(node, VirtualNode) for node in nodes) else "full"
    profile = cast("Profile", top.choice("profile", get_args(Profile), plain))
    patience = _patience(top.table("patience"))
    top.end()
    return TableFile(path, table, profile, broker, nodes, patience)


def _patience(section: Section) -> Mapping[str, float]:
    stated = {key: section.seconds(key, 0, _MAX_WAIT_S) for key in PATIENCE if section.has(key)}
    section.end()
    return MappingProxyType(stated)


def _broker(section: Section) -> BrokerSettings:
    if section.has("url"):
        settings = _existing(section)
        for key in ("port", "passwords"):
            if section.has(key):
                section.fail(key, "is for the embedded broker only: take it out, or take out `url`")
    else:
        for key in ("username", "password_file"):
            if section.has(key):
                section.fail(key, "is for an existing broker only: add its `url`, or take this out")
        port = section.number("port", 0, 65_535, 0)
        passwords = _role_passwords(section) if section.has("passwords") else {}
        settings = BrokerSettings(port=port, passwords=MappingProxyType(passwords))
    section.end()
    return settings


def _existing(section: Section) -> BrokerSettings:
    try:
        address = parse_broker_url(section.text("url"))
    except BrokerUrlError as error:
        section.fail("url", str(error))
    username, password = address.username, address.password
    if section.has("username"):
        if username is not None:
            section.fail("username", "stands in `url` too: write it once")
        username = section.text("username")
    if section.has("password_file"):
        if password is not None:
            section.fail("password_file", "`url` has a password too: write it once")
        if username is None:
            section.fail("password_file", "a password without a name: add `username`")
        password = _first_line(section, "password_file")
    if username is not None and password is None:
        section.fail("", "password_file is missing: name the file with the password of the user")
    return BrokerSettings(address, username, password)


def _role_passwords(section: Section) -> dict[str, str]:
    inner = read_toml(_sibling(section, "passwords"))
    passwords = {role: inner.text(role, secret=True) for role in ROLE_NAMES if inner.has(role)}
    for key in inner.data:
        if key not in ROLE_NAMES:
            inner.fail(key, f"is no role; roles are {', '.join(ROLE_NAMES)}")
    return passwords


def _first_line(section: Section, key: str) -> str:
    path = _sibling(section, key)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        section.fail(key, f"{path} can't be read: {error.strerror}")
    except UnicodeDecodeError:
        section.fail(key, f"{path} is not UTF-8: save it as UTF-8")
    if not lines or not lines[0].strip():
        section.fail(key, f"{path} has no password in its first line: write it there")
    return lines[0].strip()


def _sibling(section: Section, key: str) -> Path:
    return section.file.parent / section.text(key)


def _nodes(sections: Iterable[Section]) -> tuple[Node, ...]:
    nodes: list[Node] = []
    taken: dict[str, str] = {}
    names: set[str] = set()
    for unnamed in sections:
        name = unnamed.text("name")
        section = unnamed.named(f'node "{name[:40]}"')
        if not is_table_id(name):
            unnamed.fail("name", f'"{name[:40]}" is no node name: use 1 to 64 of a-z, 0-9 and -')
        if name in names:
            section.fail("name", "an earlier node has this name: give each its own")
        names.add(name)
        node = _node(section, name, taken, nodes)
        section.end()
        nodes.append(node)
    # What the virtual node stands in for is known only when all others are.
    return tuple(
        VirtualNode(node.name, tuple(space for space in VIRTUAL_SPACES if space not in taken))
        if isinstance(node, VirtualNode)
        else node
        for node in nodes
    )


def _node(section: Section, name: str, taken: dict[str, str], before: list[Node]) -> Node:
    match section.choice("kind", ("serial", "spi", "virtual")):
        case "serial":
            port = section.text("port")
            if any(isinstance(node, SerialNode) and node.port == port for node in before):
                section.fail("port", "an earlier node has this port: give each its own")
            return SerialNode(name, port)
        case "spi":
            return _spi_node(section, name, taken, before)
        case _:
            if any(isinstance(node, VirtualNode) for node in before):
                section.fail("kind", "an earlier node is virtual too: one stands for all simulated readers")
            return VirtualNode(name)


def _spi_node(section: Section, name: str, taken: dict[str, str], before: list[Node]) -> SpiNode:
    earlier = [reader for node in before if isinstance(node, SpiNode) for reader in node.readers]
    readers: list[ReaderEntry] = []
    for unnamed in section.tables("reader", "node.reader"):
        space = unnamed.text("space")
        inner = unnamed.named(f'{section.name}, reader "{space[:40]}"')
        reader = _reader(inner, space)
        inner.end()
        if space in taken:
            inner.fail("space", f'node "{taken[space]}" has a reader for it already: give each its own')
        if any(reader.bus == other.bus for other in earlier):
            inner.fail("bus", f"an earlier node polls SPI bus {reader.bus}: one node has all its readers")
        _check_pins(inner, reader, earlier + readers)
        taken[space] = name
        readers.append(reader)
    if not readers:
        section.fail("", "no reader: add [[node.reader]] below it")
    return SpiNode(name, tuple(readers))


def _reader(section: Section, space: str) -> ReaderEntry:
    if not is_space(space):
        section.fail("space", "no such space: write it like slot/valley.1, spirit/valley or pad/1")
    return ReaderEntry(
        space,
        bus=section.number("bus", 0, _MAX_BUS),
        device=section.number("device", 0, _MAX_DEVICE),
        reset=_pin(section, "reset"),
        gain=section.number("gain", 0, 7, DEFAULT_GAIN),
        cs=_pin(section, "cs") if section.has("cs") else None,
        field_off=section.choice("field", ("always", "polls"), "always") == "polls",
        spi_hz=section.number("spi_hz", 10_000, _MAX_SPI_HZ, DEFAULT_SPI_HZ),
    )


def _pin(section: Section, key: str) -> int:
    pin = section.number(key, 1, 40)
    if pin not in _HEADER_PINS:
        section.fail(key, f"physical pin {pin} is supply, ground or reserved: wire it to a GPIO pin")
    return pin


def _check_pins(section: Section, reader: ReaderEntry, others: list[ReaderEntry]) -> None:
    for other in others:
        if (reader.bus, reader.device, reader.cs) == (other.bus, other.device, other.cs):
            section.fail("device", f"{other.space} has the same bus and chip select: give each its own")
        if reader.cs is not None and reader.cs == other.cs:
            section.fail("cs", f"{other.space} has the same chip select: give each its own")
        if reader.cs is not None and reader.cs == other.reset:
            section.fail("cs", f"pin {reader.cs} is the reset line of {other.space}: take another one")
        if reader.reset == other.cs:
            section.fail("reset", f"pin {reader.reset} selects {other.space}: take another one")
    spi = _SPI_PINS.get(reader.bus, frozenset())
    for key, pin in (("reset", reader.reset), ("cs", reader.cs)):
        if pin in spi:
            section.fail(key, f"pin {pin} carries SPI bus {reader.bus} itself: take another one")
    if reader.cs == reader.reset:
        section.fail("cs", "is the reader's own reset pin: take another one")


__all__ = [
    "BrokerSettings",
    "Node",
    "Profile",
    "ReaderEntry",
    "SerialNode",
    "SpiNode",
    "TableFile",
    "TableFileError",
    "VirtualNode",
    "load_table",
]
