"""Composition of the running app: what is started in which order, and ended in the reverse one."""

import hashlib
import logging
import signal
import sys
import tempfile
import threading
import time
import uuid
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

from companion.bridge_process import BridgeProcess
from companion.bus.broker import EmbeddedBroker
from companion.bus.errors import BusError
from companion.content import catalogue, components, starts
from companion.errors import StartError
from companion.rules.position import Position
from companion.scenario.notation import position_from
from companion.screen_link import ScreenLink
from companion.session.errors import FolderUnwritable, NotStored
from companion.session.host import Host
from companion.session.journal import Journal, copied
from companion.session.pack import Pack
from companion.session.session import Session
from companion.session.tags import Tags
from companion.table.patience import patience_from
from companion.table.registry import Registry, virtual_registry
from companion.ui.errors import UiError
from companion.ui.window import display_available
from firmware_bridge.contract.broker_url import BrokerAddress, parse_broker_url
from firmware_bridge.contract.errors import ContractError
from firmware_bridge.contract.link import Link
from firmware_bridge.contract.table_file import TableFile, load_table
from firmware_bridge.contract.topics import Topics

_LOG: Final = logging.getLogger(__name__)

FIRST_POSITION: Final = "empower-example"
"""The starting position of a data folder that holds no game yet."""

NO_DISPLAY: Final = (
    "there is no display here: start it on a desktop (apt install libgl1 libegl1 libmtdev1 if no window"
    " opens), or run without a window: companion --headless"
)


@dataclass(frozen=True, slots=True)
class Settings:
    """What the command line says."""

    table: Path | None
    """Table file; None: the virtual table."""
    data: Path
    broker: str | None
    """URL of an existing broker; None: that of the table file, or an embedded one."""
    headless: bool = False


def play(settings: Settings) -> int:
    """Run the app until its window is closed or the process is told to end.

    Returns:
        The exit status.

    Raises:
        CompanionError: a part can't be started; one line for people.
    """
    logging.basicConfig(format="companion: %(message)s", level=logging.INFO, stream=sys.stderr)
    # Kivy tells its versions and drivers as if they were news; its warnings stay.
    logging.getLogger("kivy").setLevel(logging.WARNING)
    if not settings.headless and not display_available():
        raise StartError(NO_DISPLAY)
    try:
        with ExitStack() as stack:
            screen = start(settings, stack)
            _wait_for_the_end() if settings.headless else _show(screen)
    except (ContractError, BusError, UiError) as error:
        raise StartError(str(error)) from error
    return 0


def start(settings: Settings, stack: ExitStack) -> ScreenLink:
    """Start everything but the window.

    Args:
        settings: what the command line says.
        stack: ends, in the reverse order, what was started.

    Returns:
        What a screen in this process needs.
    """
    own_table = settings.table is None
    table = load_table(
        settings.table or stack.enter_context(as_file(files("companion") / "virtual-table.toml"))
    )
    topics, virtual = Topics(table.table), table.profile == "virtual"
    cards = catalogue()
    # The journal first: its lock is what keeps a second app away from this one's games.
    journal, refusal = _journal(settings.data, stack)
    pack = Pack(settings.data, cards)
    session = Session(journal, pack.cards, _first_position, now_ms=_now_ms())
    if refusal is not None:
        journal.refuse(refusal)
        session.notices += (f"{refusal}; the game is shown as it was saved last",)
    tags = Tags(settings.data, virtual_registry(components()) if virtual else Registry())
    for notice in (*pack.notices, *session.notices, *tags.notices):
        _LOG.warning("%s", notice)

    address, embedded = _broker(settings, table, stack)
    bus = LateBus()
    screen = ScreenLink(bus, topics, tags, virtual=virtual, now_ms=_now_ms)
    host = Host(
        *(session, cards, tags, topics, screen),
        virtual=virtual,
        patience=patience_from(table.patience),
        pack=pack,
    )
    screen.attach(host)

    def on_message(topic: str, payload: bytes, retained: bool) -> None:  # noqa: FBT001 - Link's signature
        host.on_message(topic, payload, retained)
        screen.field_message(topic, payload)

    def on_link(up: bool) -> None:  # noqa: FBT001 - Link's signature
        screen.link(up)
        host.on_link(up)

    bus.link = link = Link(
        address.url,
        address.username,
        address.password,
        f"companion-{table.table}-{_install_id(settings.data)}",
        filters=Host.filters(topics, virtual=virtual),
        on_message=on_message,
        on_link=on_link,
    )
    stack.callback(link.close)
    host.start()
    stack.callback(host.stop)
    link.start()
    if embedded is not None or own_table:
        _start_bridge(table, address, embedded, stack)
    _LOG.info("table %s at the broker %s, games in %s", table.table, address.place, settings.data)
    return screen


def _journal(data: Path, stack: ExitStack) -> tuple[Journal, NotStored | None]:
    """Open the journal; of one that can't be written a copy, and why nothing can be stored.

    Raises:
        FolderUnwritable: nor is there a game that could be shown.
    """
    try:
        journal, refusal = Journal(data, now_ms=_now_ms()), None
    except FolderUnwritable as error:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-")))
        if not copied(data, scratch):
            raise
        journal = Journal(scratch, now_ms=_now_ms())
        refusal = NotStored(data, error.why, "make the folder writable, then start again")
    stack.callback(journal.close)
    return journal, refusal


class LateBus:
    """The bus of a host, whose link is made after it: each needs the other."""

    link: Link

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Publish on the link."""
        self.link.publish(topic, payload, retain=retain)


def _broker(
    settings: Settings, table: TableFile, stack: ExitStack
) -> tuple[BrokerAddress, EmbeddedBroker | None]:
    """Return where to connect as whom, and the embedded broker where there is no other."""
    if settings.broker is not None:
        return parse_broker_url(settings.broker), None
    if table.broker.address is not None:
        place = table.broker.address
        return BrokerAddress(
            place.host, place.port, place.tls, table.broker.username, table.broker.password
        ), None
    broker = EmbeddedBroker(table.table, port=table.broker.port, passwords=table.broker.passwords)
    stack.enter_context(broker)
    return parse_broker_url(broker.url_for("app")), broker


def _start_bridge(
    table: TableFile, address: BrokerAddress, embedded: EmbeddedBroker | None, stack: ExitStack
) -> None:
    """Start the bridge where nobody else can: on the embedded broker, or for the virtual table."""
    if embedded is not None:
        bridge = BridgeProcess(table.path, embedded.url, embedded.password("bridge"))
    else:
        url = address.url if address.username is None else address.url_for(address.username)
        bridge = BridgeProcess(table.path, url, address.password)
    bridge.start()
    stack.callback(bridge.stop)


def _show(screen: ScreenLink) -> None:
    from companion.ui import window

    window.prepare()
    window.open_window()
    from companion.ui.app import CompanionApp

    app = CompanionApp(screen)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: app.stop())
    app.run()


def _wait_for_the_end() -> None:
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    stop.wait()


def _first_position() -> Position:
    return position_from(starts()[FIRST_POSITION].data, catalogue())


def _install_id(data: Path) -> str:
    """Return a part for client ids that is this machine's and this data folder's own (F-81)."""
    return hashlib.sha256(f"{uuid.getnode()}:{data.absolute()}".encode()).hexdigest()[:8]


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
