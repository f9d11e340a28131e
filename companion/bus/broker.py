"""The embedded broker: MQTT on loopback, in a thread of the app, with the roles of the bus.

Why one of our own: the brokers on PyPI that can be embedded were tried, and none keeps the contract. amqtt
0.12.1 hands every retained message that anyone subscribes to out to every client that connects, whatever its
rights, and knows no MQTT 5; iotcore 0.4.0 has no access rights; moat-lib-mqtt 0.8.7 knows no MQTT 3.1.1.
"""

import asyncio
import errno
import hmac
import logging
import secrets
import socket
import threading
import time
from collections.abc import Mapping
from functools import partial
from typing import Final, Self

from companion.bus.core import BrokerCore, Client, Rights
from companion.bus.errors import BrokerStartError, RoleError
from companion.bus.roles import ROLES, may_read, may_write
from firmware_bridge.contract.broker_url import BrokerAddress
from firmware_bridge.contract.topics import Topics

_LOG: Final = logging.getLogger(__name__)

HOST: Final = "127.0.0.1"
"""Loopback, always: for other machines there is Mosquitto."""

MAX_CONNECTIONS: Final = 100
"""Open at once; a table has some ten clients."""

TICK_S: Final = 0.5
"""How often keepalives and delayed wills are looked at."""

START_WITHIN_S: Final = 10.0
_PASSWORD_BYTES: Final = 24  # 192 bits: not to be guessed


class EmbeddedBroker:
    """A broker for one table, made for `with`, or for `start` and `stop`.

    Args:
        table: the table's id.
        port: where to listen on loopback; 0: any free port.
        passwords: role to password, for roles whose password must be known outside; the others get one that
            is made anew for each broker.

    Raises:
        RoleError: a role that is not known, or an empty password.
        TopicError: `table` is no table id.
    """

    def __init__(
        self, table: str = "home", *, port: int = 0, passwords: Mapping[str, str] | None = None
    ) -> None:
        for role, password in (passwords or {}).items():
            if role not in ROLES:
                raise RoleError(f"role {role!r} is not known: use {', '.join(ROLES)}")
            if not password:
                raise RoleError(f"the password of {role!r} is empty: choose one")
        self._table = Topics(table).table
        self._wanted_port = port
        self._passwords = {role: secrets.token_hex(_PASSWORD_BYTES) for role in ROLES}
        self._passwords.update(passwords or {})
        self._port = 0
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None

    @property
    def url(self) -> str:
        """`mqtt://127.0.0.1:PORT`; the port is known once the broker is started."""
        return self._address.url

    @property
    def port(self) -> int:
        """Where the broker listens; 0 before it is started."""
        return self._port

    def password(self, role: str) -> str:
        """Return the password of a role; its user name is the role's name."""
        if role not in self._passwords:
            raise RoleError(f"role {role!r} is not known: use {', '.join(ROLES)}")
        return self._passwords[role]

    def url_for(self, role: str) -> str:
        """Return the address with the role's user name and password in it."""
        return self._address.url_for(role, self.password(role))

    def start(self) -> Self:
        """Listen; returns once clients can connect.

        Raises:
            BrokerStartError: the port is taken, or may not be used.
        """
        # Bound here, so that whoever starts the broker gets the error.
        listener = _listen(self._wanted_port)
        self._port = listener.getsockname()[1]
        started = threading.Event()
        self._thread = threading.Thread(
            target=self._run, args=(listener, started), name="embedded-broker", daemon=True
        )
        self._thread.start()
        if not started.wait(START_WITHIN_S):
            raise BrokerStartError(f"the broker on port {self._port} did not start within {START_WITHIN_S} s")
        return self

    def stop(self) -> None:
        """Close all connections and the port; harmless when it does not run."""
        if self._loop is not None and self._stopping is not None and self._thread is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)
            self._thread.join()
        self._thread = self._loop = self._stopping = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def _address(self) -> BrokerAddress:
        return BrokerAddress(HOST, self._port)

    def _run(self, listener: socket.socket, started: threading.Event) -> None:
        asyncio.run(self._serve(listener, started))

    async def _serve(self, listener: socket.socket, started: threading.Event) -> None:
        core = BrokerCore(
            Rights(
                self._log_in,
                lambda role, topic: may_read(role, self._table, topic),
                lambda role, topic: may_write(role, self._table, topic),
            )
        )
        self._loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        server = await self._loop.create_server(partial(_Transport, core), sock=listener)
        started.set()
        while not self._stopping.is_set():
            try:
                await asyncio.wait_for(self._stopping.wait(), TICK_S)
            except TimeoutError:
                core.tick(time.monotonic())
        server.close()
        core.close(time.monotonic())
        await server.wait_closed()
        # One more round, so that the transports say goodbye and close their sockets.
        await asyncio.sleep(0)

    def _log_in(self, username: str | None, password: bytes | None) -> bool:
        expected = self._passwords.get(username or "", "").encode()
        return bool(expected) and hmac.compare_digest(expected, password or b"")


class _Transport(asyncio.Protocol):
    """One client's socket."""

    def __init__(self, core: BrokerCore) -> None:
        self._core = core
        self._client: Client | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if not isinstance(transport, asyncio.Transport) or self._core.client_count >= MAX_CONNECTIONS:
            transport.close()
            return
        sock = transport.get_extra_info("socket")
        # Without it a QoS 1 round trip waits 40 ms for a delayed ACK, on either end (F-85).
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._transport = transport
        self._client = self._core.opened(self, time.monotonic())

    def data_received(self, data: bytes) -> None:
        if self._client is not None and self._client.open:
            self._core.received(self._client, data, time.monotonic())

    def connection_lost(self, _exc: Exception | None) -> None:
        if self._client is not None:
            self._core.lost(self._client, time.monotonic())

    def send(self, data: bytes) -> None:
        """Send without waiting; a connection that is closing takes nothing more."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def close(self) -> None:
        """Close after what was sent is out."""
        if self._transport is not None:
            self._transport.close()

    def backlog_bytes(self) -> int:
        """Bytes that the client has not taken yet."""
        return self._transport.get_write_buffer_size() if self._transport is not None else 0


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        # A restart must not wait for old connections in TIME_WAIT; a port that is listened on stays refused.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen()
    except (OSError, OverflowError) as error:
        listener.close()
        raise BrokerStartError(_why(port, error)) from error
    listener.setblocking(False)
    return listener


def _why(port: int, error: OSError | OverflowError) -> str:
    code = error.errno if isinstance(error, OSError) else None
    if code == errno.EADDRINUSE:
        return (
            f"port {port} of {HOST} is taken by another program: stop it, or set another `port`"
            " in [broker] of the table file"
        )
    if code == errno.EACCES:
        return (
            f"port {port} of {HOST} may not be used: set a `port` from 1024 up in [broker] of the table file"
        )
    return f"port {port} of {HOST} can't be listened on: {error}"
