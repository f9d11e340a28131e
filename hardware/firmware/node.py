"""A node at work: visits its readers in turn, debounces what they say, tells it along its line.

Pure but for what it is given: readers, line, lights and clock. Also runs on the MicroPython of the nodes.
"""

from hardware.firmware.frames import FrameError, Splitter, decode, encode, next_seq
from hardware.presence import Presence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Protocol

    from hardware.reading import Health
    from hardware.rfid.ports import Clock, Reading

    class NodeReader(Protocol):
        """What is used of a reader."""

        @property
        def name(self) -> str:
            """The space that it watches."""

        def poll(self) -> Reading:
            """Look once; bounded in time."""

        def health(self) -> Health:
            """How it is."""

        def restart(self) -> None:
            """Start again with the next poll."""

    class NodeLine(Protocol):
        """What is used of a line; nothing of it waits."""

        @property
        def is_free(self) -> bool:
            """Whether all is sent."""

        def receive(self) -> bytes:
            """What has come."""

        def send(self, frame: bytes, now_us: int) -> None:
            """Begin to send."""

        def work(self, now_us: int) -> None:
            """Go on with sending."""

    class NodeLights(Protocol):
        """What is used of the lights."""

        def show(self, colours: Mapping[str, object]) -> None:
            """Show these and no others."""


FIRMWARE = "0.1.0"
"""As told in `H`: the release that this file is part of."""

SWEEP_EVERY_US = 50_000
"""From one sweep to the next: 20 a second, as the bridge polls its own readers; a removal is then seen within
half a second. A sweep that takes longer is followed by the next one at once."""

SAY_EVERY_US = 1_000_000
"""Contracts, section 5."""

DARK_AFTER_US = 15_000_000
"""Lights are said again every 5 s. Where nobody says them any more they would show what was true once."""


class Node:
    """One node.

    Args:
        hello: who it is, the payload of its `H`.
        readers: in the order of their visits.
        line: to the bridge.
        lights: what `L` sets.
        clock: microseconds that only go up.

    Attributes:
        sweeps: how often every reader was visited and the line served: what a watchdog is to be fed for.
        refused: lines that were no frame or asked for nothing that there is.
    """

    def __init__(
        self,
        hello: "Mapping[str, object]",
        readers: "Sequence[NodeReader]",
        line: "NodeLine",
        lights: "NodeLights",
        clock: "Clock",
    ) -> None:
        self.sweeps = 0
        self.refused = 0
        self._hello = hello
        self._readers = {reader.name: reader for reader in readers}
        self._visits = tuple(readers)
        self._presence = {reader.name: Presence() for reader in readers}
        self._line = line
        self._lights = lights
        self._clock = clock
        self._splitter = Splitter()
        self._seq = 0
        self._next = 0
        now_us = clock.now_us()
        self._sweep_at_us = now_us
        self._say_hello = True
        self._say_states = True
        self._say_at_us = now_us
        self._dark_at_us: int | None = None
        lights.show({})

    @property
    def overlong(self) -> int:
        """Lines that were longer than a line may be."""
        return self._splitter.overlong

    def step(self) -> int:
        """Visit one reader, if a sweep is due or under way, and serve the line.

        Returns:
            Microseconds until the next visit is due; 0: at once.
        """
        now_us = self._clock.now_us()
        swept = False
        if self._next or now_us >= self._sweep_at_us:
            if not self._next:
                self._sweep_at_us = now_us + SWEEP_EVERY_US
            self._visit(self._visits[self._next])
            self._next = (self._next + 1) % len(self._visits)
            swept = not self._next
        self._serve()
        self.sweeps += swept
        return 0 if self._next else max(0, self._sweep_at_us - self._clock.now_us())

    def _visit(self, reader: "NodeReader") -> None:
        reading = reader.poll()
        if self._presence[reader.name].feed_at(reading, self._clock.now_us()) is not None:
            self._say_states = True

    # ---- the line ----------------------------------------------------------------------------------------

    def _serve(self) -> None:
        for text in self._splitter.feed(self._line.receive()):
            self._hear(text)
        now_us = self._clock.now_us()
        if self._dark_at_us is not None and now_us >= self._dark_at_us:
            self._dark_at_us = None
            self._lights.show({})
        self._line.work(now_us)
        if self._say_hello and self._line.is_free:
            self._say_hello = False
            self._say("H", self._hello)
        if self._line.is_free and (self._say_states or now_us >= self._say_at_us):
            self._tell_states(now_us)

    def _tell_states(self, now_us: int) -> None:
        """Say what lies on every space; nothing before that is known of each."""
        states = {}
        for reader in self._visits:
            fact = self._presence[reader.name].fact
            if fact is None:
                return
            states[reader.name] = {"tags": [uid.hex().upper() for uid in fact.uids], "state": fact.state}
        self._say_states = False
        self._say_at_us = now_us + SAY_EVERY_US
        self._say("S", states)

    def _say(self, verb: str, payload: "Mapping[str, object]") -> None:
        self._seq = next_seq(self._seq)
        self._line.send(encode(verb, self._seq, dict(payload)), self._clock.now_us())

    def _hear(self, text: bytes) -> None:
        try:
            verb, _, payload = decode(text)
        except FrameError:
            self.refused += 1
            return
        if verb == "Q":
            self._say_hello = self._say_states = True
        elif verb == "L":
            self._lights.show(payload)
            self._dark_at_us = self._clock.now_us() + DARK_AFTER_US
        elif verb == "R":
            self._restart(payload.get("space"))
        else:
            self.refused += 1

    def _restart(self, space: object) -> None:
        reader = self._readers.get(space) if isinstance(space, str) else None
        if reader is None:
            self.refused += 1
        else:
            reader.restart()
