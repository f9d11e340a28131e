"""What is known of one node from what comes along its line. Pure: bytes and time are passed in.

Presence is debounced on the node, which polls its readers some twenty times a second and alone knows of each
poll; an `S` says the outcome and is taken as it is. A second debounce here would only make a removal late.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from firmware_bridge.contract.errors import MessageError
from firmware_bridge.contract.messages import Colour, ReaderState
from firmware_bridge.errors import HelloError
from firmware_bridge.presence.debounce import Fact
from firmware_bridge.serial.sayings import Hello, name_in, states_in
from firmware_bridge.serial.wire import Frame, Wire

OFFLINE_AFTER_S: Final = 3.0
"""Without a frame that says what lies there (contracts, section 5)."""

ASK_EVERY_S: Final = 1.0
"""Between questions to a node that says nothing: it may be starting, which takes some two seconds where
opening the port resets it (hardware facts, D3)."""

ASK_AT_MOST_EVERY_S: Final = 0.2
"""Between any two questions, so that a line gone mad is not answered with more of it."""

QUIET_S: Final = 1.5
"""A node says what it knows once a second; after this long it is asked."""

LIGHTS_AGAIN_S: Final = 5.0
"""Lights are not acknowledged: said this often, they are right soon after a disturbance."""

RESTART_AFTER_S: Final = 5.0
RESTART_MAX_S: Final = 80.0
"""A reader in trouble for this long is started again (`R`), then after twice as long, and so on up to the
second figure: the node's own recovery comes first."""


class Listener(Protocol):
    """Who wants to know; a NodePublisher."""

    def meet(self, firmware: str, spaces: Sequence[str]) -> None:
        """Learn that the node is there, with these spaces; a fact for each of them follows."""

    def fact(self, space: str, fact: Fact) -> None:
        """Learn a fact, new or once more."""

    def readers(self, states: Mapping[str, ReaderState]) -> None:
        """Learn how readers do."""

    def part(self) -> None:
        """Learn that the node is gone; facts that say so have come before."""


class Session:
    """One node, over all its connections in the life of the bridge. Not for several threads at once.

    Args:
        name: the node's name in the table file.
        listener: told of everything new.
        admit: decides on a node that said who it is; returns why it is refused, or None.
    """

    def __init__(self, name: str, listener: Listener, admit: Callable[[Hello], str | None]) -> None:
        self.name = name
        self._listener = listener
        self._admit = admit
        self._wire = Wire()
        self._open = False
        self._outgoing: list[bytes] = []
        self._boot: str | None = None
        self._met: tuple[str, tuple[str, ...]] | None = None
        self._asked_s = float("-inf")
        self._ask_at_s = 0.0
        self._heard_s = 0.0
        self._lights: dict[str, Colour] | None = None
        self._lights_at_s = 0.0
        self._faulty: dict[str, tuple[float, float]] = {}
        self.hello: Hello | None = None
        """Who is there; None until it has said so on this connection, and while it is refused."""
        self.stranger: str | None = None
        """The name of the node at this connection if it is another one; `""`: it says no good name."""
        self.refusal: str | None = None
        """Why the node at this connection can't be served."""
        self.online = False
        self.facts: dict[str, Fact] = {}
        """What is known of each space; of a node that is gone the last tags, as `fault`."""

    @property
    def counts(self) -> Counter[str]:
        """Frames that came, were lost, or refused by reason."""
        return self._wire.counts

    def opened(self, now_s: float) -> None:
        """Begin with a connection: whoever is there is asked who it is; our node then gets its lights."""
        self._open = True
        self._boot = None
        self._wire.reset()
        self._forget_node()
        self._outgoing.clear()
        self._ask(now_s)

    def closed(self) -> None:
        """The connection is gone; the node is offline if no other comes in time."""
        self._open = False
        self._forget_node()
        self._outgoing.clear()

    def received(self, data: bytes, now_s: float) -> None:
        """Take in what has come. Of several `S` at once the newest counts (F-59)."""
        newest: Frame | None = None
        for frame in self._wire.receive(data):
            if frame.verb == "H":
                newest = None
                self._meet(frame.payload, now_s)
            elif not frame.steady:
                # Another start of the node, or another node: nothing is believed until it says who it is.
                self._forget_node()
                newest = None
                self._ask_soon(now_s)
            elif frame.verb == "S":
                newest = frame
            else:
                self.counts["not for the bridge"] += 1
        if newest is not None:
            self._learn(newest.payload, now_s)

    def tick(self, now_s: float) -> None:
        """Let time pass; call it some times a second."""
        if self.online and now_s - self._heard_s >= OFFLINE_AFTER_S:
            self._part()
        if not self._open:
            return
        quiet = self.hello is None or now_s - self._heard_s >= QUIET_S
        if quiet and now_s >= self._ask_at_s:
            self._ask(now_s)
        if self.online:
            if now_s >= self._lights_at_s:
                self._say_lights(now_s)
            self._restart_faulty(now_s)

    def show(self, colours: Mapping[str, Colour], now_s: float) -> None:
        """Show these lights, and no others, from now on; a node that comes later gets them then."""
        self._lights = dict(colours)
        self._say_lights(now_s)

    @property
    def has_outgoing(self) -> bool:
        """Whether something is to be sent."""
        return bool(self._outgoing)

    def take_outgoing(self) -> bytes:
        """Return what is to be sent, once."""
        outgoing = b"".join(self._outgoing)
        self._outgoing.clear()
        return outgoing

    def release(self, spaces: Sequence[str]) -> None:
        """Give up spaces: another node has them now."""
        for space in spaces:
            self.facts.pop(space, None)

    def _forget_node(self) -> None:
        self.hello = None
        self.stranger = None
        self.refusal = None

    def _ask_soon(self, now_s: float) -> None:
        self._ask_at_s = self._asked_s + ASK_AT_MOST_EVERY_S
        if now_s >= self._ask_at_s:
            self._ask(now_s)

    def _ask(self, now_s: float) -> None:
        self._asked_s = now_s
        self._ask_at_s = now_s + ASK_EVERY_S
        if not self._outgoing:
            self._send("Q", {})

    def _send(self, verb: str, payload: Mapping[str, object]) -> None:
        self._outgoing.append(self._wire.write(verb, payload))

    def _meet(self, payload: Mapping[str, object], now_s: float) -> None:
        self._forget_node()
        if (name := name_in(payload)) != self.name:
            self.stranger = name
        try:
            hello = Hello.from_payload(payload)
        except HelloError as error:
            self._refuse(str(error), now_s)
            return
        refusal = self._admit(hello)
        if refusal is not None:
            self._refuse(refusal, now_s)
            return
        self.hello = hello
        if hello.boot != self._boot:
            self.counts["starts"] += 1
            self._boot = hello.boot
            self._faulty.clear()
            self._say_lights(now_s)
        if set(self.facts) - set(hello.spaces):
            # Their readers were taken out: what was said last is no longer looked after.
            self._part()
            self.facts = {space: self.facts[space] for space in hello.spaces if space in self.facts}

    def _refuse(self, why: str, now_s: float) -> None:
        self.refusal = why
        self._ask_at_s = now_s + ASK_EVERY_S
        if self.online:
            self._part()

    def _learn(self, payload: Mapping[str, object], now_s: float) -> None:
        if self.hello is None:
            self.counts["before the node's name"] += 1
            if self.refusal is None:
                self._ask_soon(now_s)
            return
        try:
            states = states_in(payload, self.hello.spaces)
        except MessageError:
            # Its checksum was right: the node is wrong, or it is another one. It may say again who it is.
            self.counts["unusable states"] += 1
            self._ask_soon(now_s)
            return
        self._heard_s = now_s
        known = (self.hello.firmware, self.hello.spaces)
        first, self.online = not self.online, True
        if first or known != self._met:
            self._met = known
            self._listener.meet(*known)
        for space, fact in states.items():
            if first or self.facts.get(space) != fact:
                self.facts[space] = fact
                self._listener.fact(space, fact)
        self._note_faults(now_s)
        self._listener.readers(_readers(states))

    def _part(self) -> None:
        """Say that nothing is known any more but what was there last: a lost reader is no empty space."""
        self.online = False
        for space, fact in self.facts.items():
            self.facts[space] = Fact(fact.uids, "fault")
            self._listener.fact(space, self.facts[space])
        self._listener.readers(dict.fromkeys(self.facts, "silent"))
        self._listener.part()

    def _say_lights(self, now_s: float) -> None:
        self._lights_at_s = now_s + LIGHTS_AGAIN_S
        if self.hello is not None and self._lights is not None:
            self._send("L", {space: self._lights.get(space, "off") for space in self.hello.spaces})

    def _note_faults(self, now_s: float) -> None:
        for space, fact in self.facts.items():
            if fact.state != "fault":
                self._faulty.pop(space, None)
            elif space not in self._faulty:
                self._faulty[space] = (now_s + RESTART_AFTER_S, RESTART_AFTER_S)

    def _restart_faulty(self, now_s: float) -> None:
        for space, (at_s, after_s) in self._faulty.items():
            if now_s >= at_s:
                longer_s = min(2 * after_s, RESTART_MAX_S)
                self._faulty[space] = (now_s + longer_s, longer_s)
                self._send("R", {"space": space})


def _readers(states: Mapping[str, Fact]) -> dict[str, ReaderState]:
    return {space: "silent" if fact.state == "fault" else "ok" for space, fact in states.items()}
