"""The loop that polls readers and feeds what they say to presence: one thread for all readers of a bus."""

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final, Protocol

from firmware_bridge.contract.messages import ReaderState
from firmware_bridge.presence.debounce import Fact, Presence
from firmware_bridge.texts import TagTexts
from hardware.reader import Reader, Reading, Unknown

_LOG: Final = logging.getLogger(__name__)

PERIOD_S: Final = 0.05
"""From one sweep to the next: 20 a second, as ESPuino polls; a removal is then seen within half a second."""

IDLE_PERIOD_S: Final = 0.25
"""The same for simulated readers whose fields have not changed for a while: they can't be touched unseen."""

LIVELY_S: Final = 1.0
"""How long after a change of a simulated field its readers are polled at full speed: three removals long."""

TROUBLE_PERIOD_S: Final = 1.0
"""Between sweeps while the driver itself fails."""


class Listener(Protocol):
    """Who wants to know; a NodePublisher."""

    def fact(self, space: str, fact: Fact) -> None:
        """Learn a new fact."""

    def readers(self, states: Mapping[str, ReaderState]) -> None:
        """Learn how readers do."""


class Scanner:
    """Polls the readers of one bus for as long as it runs.

    Args:
        readers: those of the bus.
        sweep: polls each of them once, in an order of its own.
        listeners: told of each new fact, and after each sweep of the readers' states.
        clock: seconds that only go up.
        idles: whether the readers can only change by `touched`: they are then polled less when nothing does.
        texts: reads what tags say themselves; None: nobody does.
    """

    def __init__(
        self,
        readers: Sequence[Reader],
        sweep: Callable[[], Mapping[str, Reading]],
        listeners: Iterable[Listener],
        *,
        clock: Callable[[], float] = time.monotonic,
        idles: bool = False,
        texts: TagTexts | None = None,
    ) -> None:
        self._readers = {reader.name: reader for reader in readers}
        self._sweep = sweep
        self._listeners = tuple(listeners)
        self._clock = clock
        self._idles = idles
        self._texts = texts
        self._jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._presence = {name: Presence() for name in self._readers}
        self._failing: str | None = None
        self._lock = threading.Lock()
        self._touched: set[str] = set()
        self._lively_until_s = clock() + LIVELY_S
        self._wake = threading.Event()
        self._stop = False
        self._thread = threading.Thread(target=self._run, name="scanner", daemon=True)

    @property
    def facts(self) -> Mapping[str, Fact | None]:
        """What is known of each space; None while too few polls were heard."""
        return {name: presence.fact for name, presence in self._presence.copy().items()}

    def start(self) -> None:
        """Begin to poll, on a thread of its own; once begun, or stopped, it changes nothing."""
        with self._lock:
            if self._thread.ident is None and not self._stop:
                self._thread.start()

    def touched(self, space: str) -> None:
        """Poll this simulated reader at once, and all of them at full speed for a while."""
        with self._lock:
            self._touched.add(space)
            self._lively_until_s = self._clock() + LIVELY_S
        self._wake.set()

    def ask(self, job: Callable[[], None]) -> None:
        """Have something done on the thread that polls, between two polls."""
        self._jobs.put(job)
        self._wake.set()

    def release(self, spaces: Sequence[str]) -> None:
        """Say nothing more of these spaces: another node has them now."""
        for space in spaces:
            self._readers.pop(space, None)
            self._presence.pop(space, None)

    def stop(self) -> None:
        """Finish the sweep under way and end the thread; harmless if it never ran."""
        with self._lock:
            self._stop = True
        self._wake.set()
        if self._thread.ident is not None:
            self._thread.join()

    def sweep_once(self) -> None:
        """Poll every reader once."""
        self._poll(self._sweep, self._readers)
        states: dict[str, ReaderState] = {
            name: reader.health().state for name, reader in self._readers.items()
        }
        for listener in self._listeners:
            listener.readers(states)
        self._between_sweeps()

    def _between_sweeps(self) -> None:
        """Do what was asked for, and read one tag's text: some 20 ms, so not all of them at once."""
        while not self._jobs.empty():
            self._guarded(self._jobs.get())
        if self._texts is not None and self._failing is None:
            self._guarded(self._texts.read_next)

    def _guarded(self, job: Callable[[], None]) -> None:
        try:
            job()
        except Exception as error:  # noqa: BLE001 - a driver's fault must not end the bridge
            _LOG.error("a tag can't be read or written: %s", error, exc_info=error)

    def _run(self) -> None:
        while not self._stop:
            started_s = self._clock()
            self.sweep_once()
            self._pause(started_s)

    def _pause(self, started_s: float) -> None:
        """Wait for the next sweep; poll what is touched in the meantime."""
        while not self._stop:
            left_s = started_s + self._period_s() - self._clock()
            if left_s <= 0:
                return
            if self._wake.wait(left_s):
                self._wake.clear()
                self._poll_touched()
                if not self._jobs.empty():
                    self._between_sweeps()

    def _poll_touched(self) -> None:
        with self._lock:
            touched, self._touched = self._touched, set()
        for space in sorted(touched):
            reader = self._readers.get(space)
            if reader is not None:
                self._poll(partial(_poll_one, reader), (space,))

    def _period_s(self) -> float:
        if self._failing is not None:
            return TROUBLE_PERIOD_S
        with self._lock:
            idle = self._idles and self._clock() >= self._lively_until_s
        return IDLE_PERIOD_S if idle else PERIOD_S

    def _poll(self, poll: Callable[[], Mapping[str, Reading]], spaces: Iterable[str]) -> None:
        try:
            readings = poll()
        except Exception as error:  # noqa: BLE001 - a driver's fault must not end the bridge
            # As with any trouble of a reader, the spaces keep their tags.
            self._fail(error)
            readings = dict.fromkeys(tuple(spaces), Unknown("the driver failed", reader_fault=True))
        else:
            self._failing = None
        for space, reading in readings.items():
            presence = self._presence.get(space)
            fact = presence.feed(reading, self._clock()) if presence is not None else None
            if fact is not None:
                for listener in self._listeners:
                    listener.fact(space, fact)
                if self._texts is not None:
                    self._texts.lie(space, fact.uids)

    def _fail(self, error: Exception) -> None:
        if str(error) != self._failing:
            self._failing = str(error)
            _LOG.error("readers can't be polled: %s", error, exc_info=error)


def _poll_one(reader: Reader) -> Mapping[str, Reading]:
    return {reader.name: reader.poll()}
