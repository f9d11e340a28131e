"""Waiting on what other threads and processes do, and plain clients of a broker."""

import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, Self

from firmware_bridge.contract.link import Link, Will

DEADLINE_S = 10.0
"""Far above what anything here takes; reached only when a test fails."""


class Broker(Protocol):
    """What the embedded broker and the Mosquitto fixture have in common."""

    @property
    def url(self) -> str: ...

    @property
    def port(self) -> int: ...

    def password(self, role: str) -> str: ...


def wait_until(condition: Callable[[], bool], what: str, deadline_s: float = DEADLINE_S) -> None:
    """Return as soon as `condition` holds; fail when it does not within the deadline."""
    end_s = time.monotonic() + deadline_s
    pause = threading.Event()
    while not condition():
        assert time.monotonic() < end_s, f"not within {deadline_s} s: {what}"
        pause.wait(0.005)


class Ear:
    """A client that keeps all it hears."""

    def __init__(
        self,
        broker: Broker,
        role: str,
        name: str,
        filters: Sequence[str] = (),
        *,
        will: Will | None = None,
        password: str | None = None,
    ) -> None:
        self.heard: list[tuple[str, bytes, bool]] = []
        self.ups: list[bool] = []
        self.link = Link(
            broker.url,
            role,
            broker.password(role) if password is None else password,
            name,
            will=will,
            filters=filters,
            on_message=lambda topic, payload, retain: self.heard.append((topic, payload, retain)),
            on_link=self.ups.append,
        )

    @property
    def state(self) -> dict[str, bytes]:
        """The newest payload of each topic."""
        return {topic: payload for topic, payload, _ in self.heard}

    def start(self) -> Self:
        self.link.start()
        assert self.link.wait_connected(DEADLINE_S), self.link.problem
        return self

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        self.link.publish(topic, payload, retain=retain)

    def wait_for(self, topic: str, payload: bytes | None = None) -> None:
        wait_until(
            lambda: any(t == topic and payload in (None, p) for t, p, _ in self.heard.copy()),
            f"{payload!r} on {topic}; heard {self.heard}",
        )

    def close(self) -> None:
        self.link.close()


@contextmanager
def ear(
    broker: Broker, role: str, name: str, filters: Sequence[str] = (), *, will: Will | None = None
) -> Iterator[Ear]:
    client = Ear(broker, role, name, filters, will=will).start()
    try:
        yield client
    finally:
        client.close()


def cut(link: Link) -> None:
    """Break the connection as a pulled plug would: no goodbye, so the broker says the will."""
    sock = link._client.socket()
    assert isinstance(sock, socket.socket)
    sock.shutdown(socket.SHUT_RDWR)
