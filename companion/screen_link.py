"""What the screen in this process hears and says: the bus's messages, without the way over the broker."""

import json
import logging
import secrets
from collections import deque
from collections.abc import Callable
from itertools import count
from typing import Any, Final, cast

from companion.content import starts
from companion.session.host import Host
from companion.session.speaker import Bus
from companion.session.tags import Tags
from companion.ui.link import Option, Piece, Start, Verdict
from firmware_bridge.contract.errors import ContractError
from firmware_bridge.contract.messages import SimField
from firmware_bridge.contract.topics import Topics

_LOG: Final = logging.getLogger(__name__)

MOST_HEARD: Final = 200
"""Messages that wait for the screen, the newest ones: a screen takes them many times a second; where there is
none, nobody ever does."""

CLIENT: Final = "screen"
"""The name under which the app's own screen sends commands."""


class ScreenLink:
    """A bus for the host, which also lets the screen hear; and the screen's `UiLink`.

    Args:
        bus: where everything that the host publishes goes on to.
        topics: of this table.
        tags: the registry, for the pieces of the virtual table.
        virtual: whether there are virtual pieces to drag.
        now_ms: Unix time in milliseconds.
    """

    def __init__(
        self, bus: Bus, topics: Topics, tags: Tags, *, virtual: bool, now_ms: Callable[[], int]
    ) -> None:
        self._bus = bus
        self._topics = topics
        self._tags = tags
        self._virtual = virtual
        self._now_ms = now_ms
        self._heard: deque[tuple[str, bytes]] = deque(maxlen=MOST_HEARD)
        self._kinds = {
            topics.game_state: "game/state",
            topics.game_event: "game/event",
            topics.game_ask: "game/ask",
            topics.reply(CLIENT): "reply",
        }
        self._fields: dict[str, tuple[str, ...]] = {}
        self._host: Host | None = None
        # Ids differ between starts, or the journal would take a new command for one it has answered.
        self._ids = (f"{secrets.token_hex(4)}-{number}" for number in count(1))

    def attach(self, host: Host) -> None:
        """Name the host that commands and questions go to."""
        self._host = host

    # What the host's and the bus's threads call

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Pass a message of the host on to the bus, and let the screen hear it."""
        self._bus.publish(topic, payload, retain=retain)
        if (kind := self._kinds.get(topic)) is not None:
            self._heard.append((kind, payload))
        else:
            self.field_message(topic, payload)

    def field_message(self, topic: str, payload: bytes) -> None:
        """Take note of what was laid in a simulated field, by whomever; other topics are passed over."""
        kind, space = self._topics.parse(topic) or ("", "")
        if kind != "sim_field":
            return
        try:
            tags = SimField.from_json(payload).tags if payload else ()
        except ContractError:
            return  # the host has logged it
        self._fields = {**self._fields, space: tags}

    def link(self, up: bool) -> None:  # noqa: FBT001 - the signature of Link's callback
        """Let the screen know of a connection, or of its loss."""
        self._heard.append(("link", json.dumps({"up": up}).encode()))

    # UiLink, on the Kivy thread

    def drain(self) -> list[tuple[str, dict[str, Any]]]:
        """Return the messages since the last call, oldest first."""
        messages: list[tuple[str, dict[str, Any]]] = []
        while True:
            try:
                kind, payload = self._heard.popleft()
            except IndexError:
                return messages
            messages.append((kind, json.loads(payload)))

    def send(self, command: dict[str, Any]) -> None:
        """Send a command; a named starting position is filled in."""
        if self._host is None:
            return
        setup = command.get("setup")
        if isinstance(setup, dict) and set(setup) == {"start"}:
            command = {**command, "setup": dict(starts()[setup["start"]].data)}
        self._host.command(CLIENT, {**command, "id": next(self._ids), "at": self._now_ms()})

    def options(self, target: str) -> list[Option]:
        """Return what could be done with what was tapped."""
        if self._host is None:
            return []
        return [
            Option(
                option.do,
                option.text,
                option.cost_text,
                cast("Verdict", option.verdict),
                option.rules,
                option.message,
                option.remedy_text,
            )
            for option in self._host.options(target)
        ]

    def starts(self) -> list[Start]:
        """Return the named starting positions."""
        return [Start(start.name, start.title) for start in starts().values()]

    def pieces(self) -> list[Piece]:
        """Return the pieces of the virtual table."""
        if not self._virtual:
            return []
        return [Piece(uid, component) for uid, component in self._tags.registry.components.items()]

    def fields(self) -> dict[str, tuple[str, ...]]:
        """Return what lies in each simulated field."""
        return self._fields

    def lay(self, space: str, uids: tuple[str, ...]) -> None:
        """Lay exactly these tags in the field of `space`."""
        self.publish(self._topics.sim_field(space), SimField(uids).to_json(), retain=True)
