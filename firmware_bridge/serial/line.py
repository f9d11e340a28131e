"""A node's line: the thread that finds the node, listens to it, and finds it again."""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from firmware_bridge.contract.messages import Colour
from firmware_bridge.errors import PortError
from firmware_bridge.serial.claims import Claims
from firmware_bridge.serial.places import Places
from firmware_bridge.serial.port import Port
from firmware_bridge.serial.power import supply_warning
from firmware_bridge.serial.sayings import Hello
from firmware_bridge.serial.session import Listener, Session
from hardware.reader import Health, ReaderState

_LOG: Final = logging.getLogger(__name__)

NOT_YET: Final = "not looked for yet"

HELLO_WITHIN_S: Final = 4.0
"""How long a port is listened to before others are: a node that resets when its port opens takes two seconds
to start (hardware facts, D3), and then looks at its readers once."""

PAUSE_MIN_S: Final = 0.1
PAUSE_MAX_S: Final = 1.0
"""Between rounds over the ports of a node; doubled each time. udev shows a device again after 0.5 to 3 s."""

CLOSE_WAIT_S: Final = 3.0
"""At the end; a thread that the kernel holds for longer ends with the process."""

TICK_S: Final = 0.25
"""How often time passes for all nodes; a node is offline at most this late."""

FLOOD_BYTES: Final = 1024
BREATH_S: Final = 0.01
"""After so much at one time the reader pauses: an honest node's second is half of that, and one gone mad
gets a part of a core and no more."""

BACKLOG_BYTES: Final = 2048
"""So much waiting is worth a word; the kernel holds 4095 for us."""


class NodeListener(Listener, Protocol):
    """Who wants to know of a node; a NodePublisher."""

    def release(self, spaces: Sequence[str]) -> None:
        """Learn that these spaces are another node's now."""


class Lines:
    """What all lines of a bridge share: who has which name, space and port, and the passing of time.

    Sessions are worked on under `lock` alone: by their own threads, the one here, those that bring lights.

    Args:
        places: where to look.
        claims: who has what.
        clock: seconds that only go up.
    """

    def __init__(
        self, places: Places, claims: Claims, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.places = places
        self.claims = claims
        self.clock = clock
        self.lock = threading.RLock()
        self._lines: list[SerialLine] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="serial-time", daemon=True)

    def add(self, line: "SerialLine") -> None:
        """Let time pass for a line too; called before `start`."""
        self._lines.append(line)

    def start(self) -> None:
        """Begin to let time pass."""
        if self._lines:
            self._thread.start()

    def tick(self) -> None:
        """Let time pass for every node, even one whose port is stuck in the kernel."""
        for line in self._lines:
            try:
                line.tick()
            except Exception as error:  # noqa: BLE001 - time must go on for the others
                _LOG.exception("node %s: %s", line.name, error)

    def close(self) -> None:
        """End the thread."""
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(TICK_S):
            self.tick()


class SerialLine:
    """One node of the table file. `start`, `show`, `tick` and `close` may be called from any thread.

    Args:
        name: the node's name.
        listener: told of everything new.
        lines: what it shares with the others.
    """

    def __init__(self, name: str, listener: NodeListener, lines: Lines) -> None:
        self.name = name
        self._listener = listener
        self._lines = lines
        self._lock = lines.lock
        self._clock = lines.clock
        self.session = Session(name, listener, self._admit)
        self.problem: str | None = NOT_YET
        """One line for people why the node is offline; None when it is online."""
        self.backlog_bytes = 0
        """The most that was waiting for us at one time."""
        self._said: set[str] = set()
        self._misplaced = False
        self._port: Port | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"serial-{name}", daemon=True)
        lines.add(self)

    def start(self) -> None:
        """Begin to look for the node; returns at once."""
        self._thread.start()

    def show(self, colours: Mapping[str, Colour]) -> None:
        """Show these lights, and no others."""
        with self._lock:
            self.session.show(colours, self._clock())
        self._wake()

    def health(self) -> dict[str, Health]:
        """Tell how each reader does, as far as the node says; how the line did is the same for all."""
        with self._lock:
            counts = self.session.counts.copy()
            good, starts = counts.pop("frames", 0), counts.pop("starts", 0)
            lost = counts.total()
            reason = self.problem or ""
            warnings = tuple(f"{count} x {what}" for what, count in sorted(counts.items()))
            return {
                space: Health(
                    ReaderState.SILENT if fact.state == "fault" else ReaderState.OK,
                    version=None,
                    polls=good,
                    errors=lost,
                    recoveries=max(0, starts - 1),
                    reason=reason
                    or ("the node says so; look at its reader's wiring" if fact.state == "fault" else ""),
                    warnings=warnings,
                )
                for space, fact in self.session.facts.items()
            }

    @property
    def warnings(self) -> tuple[str, ...]:
        """What went wrong on the line, each kind with its count; for people."""
        with self._lock:
            counts = self.session.counts.copy()
        starts = counts.pop("starts", 0)
        counts.pop("frames", None)
        again = [f"the node started again {starts - 1} times"] if starts > 1 else []
        return tuple(again + [f"{count} x {what}" for what, count in sorted(counts.items()) if count])

    def tick(self) -> None:
        """Let time pass."""
        with self._lock:
            was_online = self.session.online
            self.session.tick(self._clock())
            if was_online and not self.session.online:
                where = self._port.url if self._port is not None else self._lines.places.of(self.name)
                self._trouble(self.problem or f"{where}: nothing understood for three seconds")
            waiting = self.session.has_outgoing
        if waiting:
            self._wake()

    def close(self) -> None:
        """End the thread and let go of the port."""
        self._stop.set()
        self._wake()
        if self._thread.ident is not None:
            self._thread.join(CLOSE_WAIT_S)

    def _wake(self) -> None:
        port = self._port
        if port is not None:
            port.wake()

    def _run(self) -> None:
        pause_s = PAUSE_MIN_S
        while not self._stop.is_set():
            try:
                found = self._round()
            except Exception as error:  # noqa: BLE001 - see below
                # The node is not heard of any more by itself; the thread must live to hear it again.
                _LOG.exception("node %s: %s", self.name, error)
                found = False
            pause_s = PAUSE_MIN_S if found else min(2 * pause_s, PAUSE_MAX_S)
            self._stop.wait(pause_s)

    def _round(self) -> bool:
        """Look at each place where the node may be; True if it was at one of them."""
        with self._lock:
            candidates = self._lines.places.candidates(self.name, self._clock())
        return any(not self._stop.is_set() and self._visit(place) for place in candidates)

    def _visit(self, place: str) -> bool:
        """Listen at a port for as long as the node is there, or may be; True if it was."""
        with self._lock:
            device = self._lines.places.take(place)
        if device is None:
            return False
        met = False
        try:
            port = Port(place)
            try:
                met = self._listen(port)
            finally:
                port.close()
        except PortError as error:
            with self._lock:
                met = self.session.hello is not None
                self._lost(place, error)
        finally:
            with self._lock:
                self._port = None
                self.session.closed()
                self._lines.claims.leave(self.name)
                self._lines.places.give_back(device)
        return met

    def _listen(self, port: Port) -> bool:
        with self._lock:
            opened_s = self._clock()
            self._port = port
            self.session.opened(opened_s)
        while not self._stop.is_set():
            with self._lock:
                outgoing = self.session.take_outgoing()
            if outgoing and not port.write(outgoing):
                self.session.counts["not taken"] += 1
            data = port.read()
            if data:
                with self._lock:
                    self.session.received(data, self._clock())
            with self._lock:
                if self._moves_on(port, opened_s):
                    return False
            if len(data) >= FLOOD_BYTES:
                self._report_backlog(port)
                self._stop.wait(BREATH_S)
        return True

    def _moves_on(self, port: Port, opened_s: float) -> bool:
        """Judge what the port has said so far; True to look elsewhere."""
        session, places, now_s = self.session, self._lines.places, self._clock()
        if session.online and session.hello is not None:
            if self.problem is not None:
                self._well(port)
        elif session.stranger:
            places.stranger(port.url, session.stranger, now_s)
            self._trouble(session.refusal or "")
            self._misplaced = True
            return True
        elif session.refusal is not None:
            self._trouble(session.refusal)
            if session.stranger is not None and port.url != places.of(self.name):
                places.silent(port.url, now_s)
                return True
        elif now_s - opened_s < HELLO_WITHIN_S:
            return False
        elif session.hello is not None:
            self._trouble(f"{port.url}: the node says who it is, but nothing usable of what lies there")
        else:
            places.silent(port.url, now_s)
            if port.url == places.of(self.name):
                self._trouble(f"{port.url}: no node answers; is its firmware installed and running?")
            return port.url != places.of(self.name) or bool(places.candidates(self.name, now_s))
        return False

    def _admit(self, hello: Hello) -> str | None:
        place = self._port.url if self._port is not None else ""
        return self._lines.claims.admit(self.name, place, hello, self._release)

    def _release(self, spaces: Sequence[str]) -> None:
        self.session.release(spaces)
        self._listener.release(spaces)

    def _well(self, port: Port) -> None:
        hello = self.session.hello
        if hello is not None:
            _LOG.info('node "%s" is online: %s, firmware %s', self.name, port.url, hello.firmware)
        self._lines.places.met(port.url, self.name)
        self.problem = None
        self._misplaced = False
        self._said.clear()

    def _lost(self, place: str, error: PortError) -> None:
        if place != self._lines.places.of(self.name) and self.session.hello is None:
            return  # a port of somebody else
        warning = supply_warning()
        self._trouble(f"{error}; {warning}" if warning else str(error), says_more=not self._misplaced)

    def _trouble(self, problem: str, *, says_more: bool = True) -> None:
        """Say why the node is offline: each reason once until it is online again.

        Args:
            problem: one line for people.
            says_more: whether it is worth more than what is known already.
        """
        if says_more:
            self.problem = problem
        if problem not in self._said:
            self._said.add(problem)
            _LOG.warning('node "%s" is offline: %s', self.name, problem)

    def _report_backlog(self, port: Port) -> None:
        if port.backlog_bytes >= BACKLOG_BYTES > self.backlog_bytes:
            _LOG.warning(
                'node "%s": %d bytes were waiting at %s; it says too much, or this machine is too busy',
                self.name,
                port.backlog_bytes,
                port.url,
            )
        self.backlog_bytes = max(self.backlog_bytes, port.backlog_bytes)
