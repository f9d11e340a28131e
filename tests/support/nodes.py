"""Simulated nodes that live, and what a listener of the serial bridge was told."""

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from firmware_bridge.contract.messages import ReaderState
from firmware_bridge.presence.debounce import Fact
from hardware.simulated.serial_node import SerialNode

LOOK_S = 0.005


@contextmanager
def alive(*nodes: SerialNode) -> Iterator[None]:
    """Let nodes work on a thread for as long as the block runs."""
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            for node in nodes:
                node.work(time.monotonic())
            stop.wait(LOOK_S)

    for node in nodes:
        node.start(time.monotonic())
    thread = threading.Thread(target=work, name="nodes", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        for node in nodes:
            node.cable.unplug()


class MovedClock:
    """The real clock, with time that a test adds."""

    def __init__(self) -> None:
        self.added_s = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.added_s


class Notes:
    """What a listener was told."""

    def __init__(self) -> None:
        self.met: list[tuple[str, tuple[str, ...]]] = []
        self.said: list[tuple[str, Fact]] = []
        self.states: Mapping[str, ReaderState] = {}
        self.online = False
        self.released: list[str] = []

    @property
    def facts(self) -> dict[str, Fact]:
        return dict(self.said)

    def meet(self, firmware: str, spaces: Sequence[str]) -> None:
        self.met.append((firmware, tuple(spaces)))
        self.online = True

    def fact(self, space: str, fact: Fact) -> None:
        self.said.append((space, fact))

    def readers(self, states: Mapping[str, ReaderState]) -> None:
        self.states = states

    def part(self) -> None:
        self.online = False

    def release(self, spaces: Sequence[str]) -> None:
        self.released += spaces


def fact(*tags: str, state: str = "ok") -> Fact:
    return Fact(tuple(bytes.fromhex(tag) for tag in tags), state)  # type: ignore[arg-type]
