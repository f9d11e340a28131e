"""A referee at a virtual table in moved time: what it says is kept, what it lays is seen at once."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion import content
from companion.scenario.notation import position_from
from companion.session.journal import Journal
from companion.session.referee import SNAPSHOT_S, Now, Referee
from companion.session.session import Session
from companion.session.tags import Tags
from companion.table.registry import Registry, virtual_registry
from firmware_bridge.contract.messages import NodeMessage, SpaceMessage
from firmware_bridge.contract.topics import Topics

CARDS = content.catalogue()
TOPICS = Topics("home")
UIDS = {component: uid for uid, component in virtual_registry().components.items()}

BENEVOLENCE = "emotion/bliss/benevolence/1"
KINDNESS = "emotion/bliss/kindness/1"


class Desk:
    """The journal of `folder`, a session, a referee and a bus that is a list."""

    def __init__(
        self,
        folder: Path,
        start: str = "empower-example",
        *,
        virtual: bool = True,
        below: Registry | None = None,
    ) -> None:
        self.journal = Journal(folder)
        data = content.starts()[start].data
        self.session = Session(self.journal, CARDS, lambda: position_from(data, CARDS), now_ms=1)
        self.said: list[tuple[str, dict[str, Any]]] = []
        """Kind of topic and payload, in order."""
        self.retained: dict[str, bytes] = {}
        self.s = 50.0
        self.tags = Tags(folder, virtual_registry() if below is None else below)
        self.referee = Referee(self.session, CARDS, self.tags, TOPICS, self, virtual=virtual)

    def close(self) -> None:
        self.journal.close()

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        """Take what the referee says, as its bus."""
        parsed = TOPICS.parse(topic)
        assert parsed is not None
        kind, name = parsed
        assert retain == (kind in ("sim_field", "lights") or topic in (TOPICS.game_state, TOPICS.game_ask))
        if retain:
            self.retained[topic] = payload
        self.said.append((name if kind == "game" else kind, json.loads(payload)))

    # Verbs

    def connect(self) -> None:
        """Bring the link up and let the snapshot go by; a virtual table is then seen as it is laid."""
        self.referee.link(self.now, up=True)
        self.advance(SNAPSHOT_S + 0.01)
        self.see_fields()

    def see_fields(self) -> None:
        """Be the bridge: report every field as it lies."""
        for topic, payload in list(self.retained.items()):
            kind, space = TOPICS.parse(topic) or ("", "")
            if kind == "sim_field":
                self.lies(space, *json.loads(payload)["tags"])

    def lies(
        self,
        space: str,
        *pieces: str,
        state: str = "ok",
        retained: bool = False,
        texts: Mapping[str, str] | None = None,
    ) -> None:
        """Report what lies on a space, by component or tag, and what tags say themselves."""
        tags = tuple(sorted(UIDS.get(piece, piece) for piece in pieces))
        message = SpaceMessage(tags, state, "virtual", 1, texts or {})  # type: ignore[arg-type]
        self.hear(TOPICS.space(space), message.to_json(), retained=retained)

    def node(self, state: str) -> None:
        """Report a node's state."""
        message = NodeMessage(state, "1.0.0", {}, 1)  # type: ignore[arg-type]
        self.hear(TOPICS.node("virtual"), message.to_json())

    def hear(self, topic: str, payload: bytes, *, retained: bool = False) -> None:
        """Let a message come in."""
        self.s += 0.01
        self.referee.message(topic, payload, self.now, retained=retained)

    def ask_for(self, client: str = "tablet", **command: Any) -> dict[str, Any]:
        """Send a command and return its reply."""
        self.hear(TOPICS.command(client), json.dumps(command).encode())
        return self.last("reply")

    def advance(self, seconds: float) -> None:
        """Let time pass, ticking whenever the referee asked for it."""
        end_s = self.s + seconds
        while (wake_s := self.referee.wake_s) is not None and wake_s <= end_s:
            self.s = max(self.s, wake_s)
            self.referee.tick(self.now)
        self.s = end_s

    # What is to be seen

    @property
    def now(self) -> Now:
        return Now(self.s, 1_000_000 + round(self.s * 1000))

    @property
    def state(self) -> dict[str, Any]:
        return dict(json.loads(self.retained[TOPICS.game_state]))

    @property
    def ask(self) -> dict[str, Any]:
        return dict(json.loads(self.retained[TOPICS.game_ask]))

    @property
    def mends(self) -> list[str]:
        return [problem["mend"] for problem in self.state["problems"]]

    def emotion(self, slot: str) -> tuple[str, int]:
        lying = self.state["slots"][slot]
        return lying["emotion"], lying["essence"]

    def all(self, kind: str) -> list[dict[str, Any]]:
        return [payload for said, payload in self.said if said == kind]

    def last(self, kind: str) -> dict[str, Any]:
        return self.all(kind)[-1]
