"""The MQTT connection that both ends of the bus use: one paho client that looks after itself.

MQTT 5, because only there a broker says why it closes a connection: another client with the same id (F-81)
is told apart from a broken network. A connection counts as up when its subscriptions are acknowledged: what
paho sends again from an earlier connection is then already on its way, so whatever is published from
`on_link(True)` on comes after it and newer state is never overwritten by older.
"""

import logging
import socket
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from firmware_bridge.contract.broker_url import BrokerAddress, parse_broker_url

_LOG: Final = logging.getLogger(__name__)

QOS: Final = 1
"""Every publish and every subscription (contracts, section 4)."""

KEEPALIVE_S: Final = 5
"""A broker drops a client that is silent for one and a half times this (MQTT 5, 3.1.2.10)."""

RECONNECT_MIN_S: Final = 0.1
RECONNECT_MAX_S: Final = 2.0
"""Back-off between tries to connect; doubled each time."""

MAX_HELD_EVENTS: Final = 100
"""Messages that are not retained and wait for a connection; the oldest are dropped beyond that."""

MAX_PUBLISH_BYTES: Final = 1_000_000
"""Brokers of ours take packets of 1 MiB and close the connection at a larger one, which paho would send again
and again."""

MAX_TAKE_OVERS: Final = 3
"""So many take-overs in a row, and the client gives way instead of fighting (F-81)."""

MAX_QUICK_LOSSES: Final = 5
"""So many lost connections in a row with the broker there all the time: most likely take-overs as well.
Mosquitto 2.0.11 does not tell them (measured), and a broker that crashes again and again looks alike."""

CALM_S: Final = 10.0
"""A connection that lasted this long ends a row of take-overs or losses."""

CONTESTED_PAUSE_S: Final = 10.0
CONTESTED_PAUSE_MAX_S: Final = 300.0
"""Between tries to connect while the id is contested; doubled each time."""

CLOSE_WAIT_S: Final = 2.0
"""How long a clean close waits for the last words to be acknowledged."""

_BAD_LOGIN: Final = (134, 135)  # MQTT 5, 3.2.2.2: bad user name or password, not authorised
_OLD_PROTOCOL: Final = (132, 1)  # MQTT 5, 3.2.2.2 and MQTT 3.1.1, 3.2.2.3: protocol version not supported
_TAKEN_OVER: Final = 142  # MQTT 5, 3.14.2.1


@dataclass(frozen=True, slots=True)
class Will:
    """What the broker publishes, retained, when the connection breaks; also said at a clean close (F-79)."""

    topic: str
    payload: bytes


class Link:
    """One connection to a broker that survives whatever happens to the broker.

    Callbacks run on paho's thread and must not wait; an exception in one is logged and the connection lives
    on (F-70). Messages can come twice (F-73): handlers must be idempotent.

    Args:
        url: `mqtt://[USER:PASSWORD@]HOST[:PORT]` or `mqtts://`.
        username: goes before the one in the URL; None: the one in the URL.
        password: likewise.
        client_id: stable, and different for each client of the broker (F-78, F-81).
        will: published by the broker if this client vanishes, and by `close`.
        filters: subscribed to anew at every connection (F-69).
        on_message: gets topic, payload and whether it is a stored (retained) copy. A payload of no bytes
            means that a retained topic was deleted (F-75).
        on_link: True at each connection, when subscriptions stand: the moment to publish all state again
            (F-82); False when it is lost.
        clock: seconds that only go up.

    Raises:
        BrokerUrlError: `url` can't be used.
    """

    def __init__(
        self,
        url: str,
        username: str | None,
        password: str | None,
        client_id: str,
        *,
        will: Will | None = None,
        filters: Sequence[str] = (),
        on_message: Callable[[str, bytes, bool], None] = lambda _topic, _payload, _retain: None,
        on_link: Callable[[bool], None] = lambda _up: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._address = parse_broker_url(url)
        self._client_id = client_id
        self._will = will
        # Without any filter the acknowledgement of this one still tells that the connection is ready.
        self._filters = tuple(filters) or (f"link/{client_id}",)
        self._on_message = on_message
        self._on_link = on_link
        self._clock = clock
        self._ready = threading.Event()
        self._outbox_lock = threading.Lock()
        self._held_state: OrderedDict[str, bytes] = OrderedDict()
        self._held_events: deque[tuple[str, bytes]] = deque(maxlen=MAX_HELD_EVENTS)
        self._problem: str | None = None
        self._take_overs = 0
        self._quick_losses = 0
        self._up_since_s = 0.0
        self._username = username if username is not None else self._address.username
        self._client = self._make_client(password if password is not None else self._address.password)

    @property
    def address(self) -> BrokerAddress:
        """Where the broker is."""
        return self._address

    @property
    def connected(self) -> bool:
        """Whether the connection stands and its subscriptions are acknowledged."""
        return self._ready.is_set()

    @property
    def problem(self) -> str | None:
        """One line for people why there is no connection, or why it may not last; None when all is well."""
        if self._ready.is_set() and self._clock() - self._up_since_s > CALM_S:
            return None
        return self._problem

    @property
    def gave_way(self) -> bool:
        """Whether it has stopped for good, since another client uses its id."""
        return self._take_overs >= MAX_TAKE_OVERS

    def start(self) -> None:
        """Begin to connect, and to keep trying, on a thread of its own. Returns at once (F-83)."""
        self._client.connect_async(
            self._address.host, self._address.port, keepalive=KEEPALIVE_S, clean_start=True
        )
        self._client.loop_start()

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Publish with QoS 1, from any thread.

        Without a connection the newest payload of each retained topic is held, and the last messages that
        are not retained; they go out in that order once there is one. A payload that no broker of ours would
        take is logged and dropped.
        """
        if len(payload) > MAX_PUBLISH_BYTES:
            _LOG.error("%s: %d bytes are too many, at most %d", topic, len(payload), MAX_PUBLISH_BYTES)
            return
        with self._outbox_lock:
            if not self._ready.is_set():
                self._hold(topic, payload, retain=retain)
                return
            self._send(topic, payload, retain=retain)
        # paho's thread writes it, and is let in now: otherwise it waits for the interpreter until this thread
        # pauses (0.6 ms of an answer's 5, measured).
        time.sleep(0)

    def wait_connected(self, timeout_s: float) -> bool:
        """Wait until the connection stands; False if it does not within `timeout_s`."""
        return self._ready.wait(timeout_s)

    def close(self, *, last_words: bytes | None = None) -> None:
        """Say the will (or `last_words` on its topic), retained, wait for it to arrive, and disconnect."""
        if self._will is not None and self._ready.is_set():
            payload = self._will.payload if last_words is None else last_words
            info = self._client.publish(self._will.topic, payload, qos=QOS, retain=True)
            try:
                info.wait_for_publish(CLOSE_WAIT_S)
            except (RuntimeError, ValueError):
                _LOG.warning("%s: gone before the last words arrived; its will speaks", self._address.place)
        self._client.disconnect()
        self._client.loop_stop()
        # paho closes the sockets with which its threads wake each other only when it is collected; callbacks
        # that lead back here put that off for as long as they like.
        self._client._reset_sockets()  # noqa: SLF001
        self._ready.clear()

    def _make_client(self, password: str | None) -> paho.Client:
        client = paho.Client(
            CallbackAPIVersion.VERSION2,
            client_id=self._client_id,
            protocol=paho.MQTTv5,
            reconnect_on_failure=True,
        )
        if self._username is not None:
            client.username_pw_set(self._username, password)
        if self._address.tls:
            client.tls_set()
        if self._will is not None:
            client.will_set(self._will.topic, self._will.payload, qos=QOS, retain=True)
        _back_off(client, RECONNECT_MIN_S, RECONNECT_MAX_S)
        client.on_socket_open = _no_delay
        client.on_connect = self._connected
        client.on_connect_fail = self._no_answer
        client.on_subscribe = self._subscribed
        client.on_disconnect = self._disconnected
        client.on_message = self._arrived
        return client

    def _hold(self, topic: str, payload: bytes, *, retain: bool) -> None:
        if retain:
            self._held_state.pop(topic, None)
            self._held_state[topic] = payload
        else:
            self._held_events.append((topic, payload))

    def _send(self, topic: str, payload: bytes, *, retain: bool) -> None:
        info = self._client.publish(topic, payload, qos=QOS, retain=retain)
        if info.rc not in (paho.MQTT_ERR_SUCCESS, paho.MQTT_ERR_NO_CONN):
            # NO_CONN is queued by paho itself and sent at the next connection.
            _LOG.error("%s: %s could not be published: %s", self._address.place, topic, info.rc.name)

    def _connected(
        self, client: paho.Client, _data: Any, _flags: Any, reason: ReasonCode, _properties: Any
    ) -> None:
        if reason.is_failure:
            self._say(self._refusal(reason))
        else:
            _back_off(client, RECONNECT_MIN_S, RECONNECT_MAX_S)
            client.subscribe([(topic_filter, QOS) for topic_filter in self._filters])

    def _refusal(self, reason: ReasonCode) -> str:
        place = self._address.place
        if reason.value in _BAD_LOGIN:
            who = f"user {self._username!r}" if self._username is not None else "a client without a user name"
            return f"the broker at {place} refuses {who}: correct the user name and the password"
        if reason.value in _OLD_PROTOCOL:
            return f"the broker at {place} speaks no MQTT 5: use Mosquitto 1.6 or newer"
        return f"the broker at {place} refuses the connection: {reason}"

    def _subscribed(
        self, _client: paho.Client, _data: Any, _mid: int, reasons: list[ReasonCode], _properties: Any
    ) -> None:
        for topic_filter, reason in zip(self._filters, reasons, strict=False):
            if reason.is_failure and not topic_filter.startswith("link/"):
                _LOG.error("%s: may not read %s: %s", self._address.place, topic_filter, reason)
        # Before anybody who waits for the connection can look.
        self._up_since_s = self._clock()
        if self._problem is not None:
            _LOG.info("%s: connected", self._address.place)
            self._problem = None
        with self._outbox_lock:
            for topic, payload in self._held_state.items():
                self._send(topic, payload, retain=True)
            for topic, payload in self._held_events:
                self._send(topic, payload, retain=False)
            self._held_state.clear()
            self._held_events.clear()
            self._ready.set()
        self._up_since_s = self._clock()
        if self._problem is not None and self._quick_losses < MAX_QUICK_LOSSES:
            _LOG.info("%s: connected", self._address.place)
            self._problem = None
        self._guarded("on_link", lambda: self._on_link(True))

    def _disconnected(
        self, client: paho.Client, _data: Any, _flags: Any, reason: ReasonCode, _properties: Any
    ) -> None:
        # No lock here: paho may call this from within a publish that another thread has under way.
        was_up = self._ready.is_set()
        self._ready.clear()
        if was_up and self._clock() - self._up_since_s > CALM_S:
            self._take_overs = self._quick_losses = 0
        if reason.value == _TAKEN_OVER:
            self._taken_over(client)
        elif was_up and reason.is_failure:
            self._lost(client)
        if was_up:
            self._guarded("on_link", lambda: self._on_link(False))

    def _taken_over(self, client: paho.Client) -> None:
        self._take_overs += 1
        if self.gave_way:
            self._say(
                f"another table uses the id {self._client_id!r} at {self._address.place}: this one gives way;"
                " change `table` in one of the two table files, or stop the other program, and start again"
            )
            client.disconnect()

    def _lost(self, client: paho.Client) -> None:
        self._quick_losses += 1
        over = self._quick_losses - MAX_QUICK_LOSSES
        if over < 0:
            self._say(f"lost the broker at {self._address.place}", "; trying again until it is back")
            return
        pause_s = min(CONTESTED_PAUSE_S * 2**over, CONTESTED_PAUSE_MAX_S)
        _back_off(client, pause_s, pause_s)
        self._say(
            f"the broker at {self._address.place} closes every connection at once: most likely another table"
            f" uses the id {self._client_id!r}; change `table` in one of the two table files, or stop the"
            " other program"
        )

    def _no_answer(self, _client: paho.Client, _data: Any) -> None:
        self._quick_losses = 0
        self._say(
            f"no broker answers at {self._address.place}: start it or correct its address",
            "; trying again until it is there",
        )

    def _arrived(self, _client: paho.Client, _data: Any, message: paho.MQTTMessage) -> None:
        self._guarded(
            "on_message",
            lambda: self._on_message(message.topic, bytes(message.payload), bool(message.retain)),
        )

    def _say(self, problem: str, prospect: str = "") -> None:
        if problem != self._problem:
            self._problem = problem
            _LOG.warning("%s%s", problem, prospect)

    def _guarded(self, name: str, call: Callable[[], None]) -> None:
        try:
            call()
        except Exception:  # noqa: BLE001 - whatever an owner's callback raises, paho's thread must go on
            _LOG.exception("%s: %s failed; the connection lives on", self._address.place, name)


def _back_off(client: paho.Client, min_s: float, max_s: float) -> None:
    # paho counts in any numbers, though it says whole seconds.
    client.reconnect_delay_set(cast("int", min_s), cast("int", max_s))


def _no_delay(_client: paho.Client, _data: Any, sock: Any) -> None:
    # Without it a QoS 1 round trip waits 40 ms for a delayed ACK, on either end (F-85).
    inner = sock if isinstance(sock, socket.socket) else getattr(sock, "_socket", None)
    if inner is not None:
        inner.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
