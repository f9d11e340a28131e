"""What the session says on the bus: state and question when they are new, events and replies as they come."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Protocol

from companion.session import messages
from companion.session.session import Outcome
from firmware_bridge.contract.messages import Colour, Lights, SimField
from firmware_bridge.contract.topics import Topics

_NO_MORE: Final[Mapping[str, Any]] = MappingProxyType({})


class Bus(Protocol):
    """What is needed of the bus to speak on it: `Link` has it."""

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> object:
        """Send a payload, now or when there is a connection again."""
        ...


class Speaker:
    """Speaks for one table. State comes before the event that explains it, replies come last."""

    def __init__(self, bus: Bus, topics: Topics) -> None:
        self._bus = bus
        self._topics = topics
        self._asked: Mapping[str, Any] | None = None
        self._lit: dict[str, Mapping[str, Colour]] = {}
        self._later: list[tuple[str, Mapping[str, Any]]] = []

    def forget_connection(self) -> None:
        """A new connection: the question is said again, and the lights."""
        self._asked = None
        self._lit = {}

    def event(self, data: Mapping[str, Any]) -> None:
        """Say an event at the next `speak`."""
        self._later.append((self._topics.game_event, data))

    def reply(
        self, client: str, command_id: str | int, outcome: Outcome, more: Mapping[str, Any] = _NO_MORE
    ) -> None:
        """Answer a command at the next `speak`, after events; `more` are keys of this kind of command."""
        self._later.append((self._topics.reply(client), {**more, **messages.reply(command_id, outcome)}))

    def retain(self, state: Mapping[str, Any], ask: Mapping[str, Any]) -> None:
        """Say the state, and the question where it is another one, at once."""
        self._bus.publish(self._topics.game_state, messages.dump(state), retain=True)
        if ask != self._asked:
            self._asked = ask
            self._bus.publish(self._topics.game_ask, messages.dump(ask), retain=True)

    def light(self, colours: Mapping[str, Colour], nodes: Mapping[str, str]) -> None:
        """Show these lights and no others, at once, on nodes where they are other ones than before.

        Args:
            colours: by space; one left out is off.
            nodes: by space, which node has it.
        """
        for node in sorted(set(nodes.values())):
            lit = {space: colour for space, colour in colours.items() if nodes.get(space) == node}
            if lit != self._lit.get(node):
                self._lit[node] = lit
                self._bus.publish(self._topics.lights(node), Lights(lit).to_json(), retain=True)

    def speak(self) -> None:
        """Say the events and replies that have gathered."""
        later, self._later = self._later, []
        for topic, data in later:
            self._bus.publish(topic, messages.dump(data))

    def lay(self, space: str, tags: tuple[str, ...]) -> None:
        """Lay tags into a simulated field, at once."""
        self._bus.publish(self._topics.sim_field(space), SimField(tags).to_json(), retain=True)
