"""One table in moved time: fields, readers, bridge, broker, and the app's own journal, session and referee.

Only the wires are left out: a reading of a field goes into the real debounce, its facts go as the contract's
messages to the real referee, in order, late, or again after a restart, as the bus would bring them.
"""

import heapq
import json
import random
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from companion.rules.cards import Catalogue
from companion.rules.position import Position
from companion.session.journal import Journal
from companion.session.referee import Now, Referee
from companion.session.session import Session
from companion.session.tags import Tags
from companion.table.patience import Patience
from companion.table.registry import Registry
from firmware_bridge.contract.messages import NodeMessage, NodeState, SpaceMessage, SpaceState, tag_text
from firmware_bridge.contract.topics import Topics
from firmware_bridge.presence.debounce import Fact
from tests.rehearsal.air import Air, Weather, node_of, nodes
from tests.rehearsal.hands import Touch
from tests.rehearsal.pieces import Pieces

TOPICS: Final = Topics("rehearsal")
CLIENT: Final = "people"

LATENCY_S: Final = 0.004
"""From the bridge through the broker to the app."""

OFFLINE_AFTER_S: Final = 3.0
"""Without a frame (contracts, section 5)."""

START_MS: Final = 1_700_000_000_000


class Table:
    """The chain from the fields to what the app says, and whatever breaks it.

    Args:
        folder: of the journal.
        start: where the game begins.
        cards: the printed values.
        registry: the stickers.
        spaces: with a reader.
        weather: what goes astray on the way.
        dice: decides when.
        on_event: takes each `game/event` at the moment it is said.
        polls_all: whether fields at rest are polled as well.
        patience: the table's waits; None: the usual ones.
    """

    def __init__(
        self,
        folder: Path,
        start: Position,
        cards: Catalogue,
        registry: Registry,
        *,
        spaces: Sequence[str],
        weather: Weather,
        dice: random.Random,
        on_event: Callable[[dict[str, Any]], None],
        polls_all: bool = False,
        patience: Patience | None = None,
    ) -> None:
        self._folder, self._start, self._cards, self._registry = folder, start, cards, registry
        self._dice = dice
        self._on_event = on_event
        self._patience = patience
        self.now_s = 10.0
        self.last_touch_s = 0.0
        """When a piece last came into a field or left one."""
        self.last_fault_s = 0.0
        """When something was last broken that is more than a lost poll or frame."""
        self.pieces = Pieces(registry, spaces)
        self._air = Air(self.pieces.fields, weather, dice, self._heard, polls_all=polls_all)
        self._nodes = dict(nodes(spaces))
        self._online: set[str] = set()
        self._cut: set[str] = set()
        self._retained: dict[str, bytes] = {}
        self._due: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._touches = 0
        self._bus_s = 0.0
        self._broker_up = self._bridge_up = self.app_up = True
        self._linked = False
        self.ask: dict[str, Any] = {}
        """`game/ask` as it was said last."""
        self._state: bytes = b"{}"
        self.replies: dict[int, dict[str, Any]] = {}
        self.work_ms: list[float] = []
        """How long the app took for each message in which it accepted something, real time."""
        self._accepted = 0
        self._open_app()
        self.session: Session

    # Time

    @property
    def now(self) -> Now:
        """The moment on both clocks."""
        return Now(self.now_s, START_MS + round(self.now_s * 1000))

    def at(self, at_s: float, do: Callable[[], None]) -> None:
        """Let something happen at a time."""
        self._count += 1
        heapq.heappush(self._due, (max(at_s, self.now_s), self._count, do))

    def touch(self, touches: Sequence[Touch]) -> float:
        """Let hands do their movements; returns when the last one is done."""
        for touch in touches:
            self._touches += 1
            self.at(touch.at_s, lambda touch=touch: self._touched(touch))  # type: ignore[misc]
        return max((touch.at_s for touch in touches), default=self.now_s)

    @property
    def moving(self) -> bool:
        """Whether a hand is still at work."""
        return self._touches > 0

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.advance_until(lambda: False, seconds)

    def advance_until(self, wanted: Callable[[], bool], seconds: float) -> bool:
        """Let time pass until something is the case; False if it was not within `seconds`."""
        end_s = self.now_s + seconds
        while not wanted():
            next_s = min(self._due[0][0] if self._due else end_s, self._air.next_s, self._wake_s)
            if next_s >= end_s:
                self.now_s = end_s
                return wanted()
            self.now_s = max(self.now_s, next_s)
            self._step()
        return True

    @property
    def _wake_s(self) -> float:
        wake_s = self.referee.wake_s if self.app_up else None
        return float("inf") if wake_s is None else wake_s

    def _step(self) -> None:
        while self._due and self._due[0][0] <= self.now_s:
            heapq.heappop(self._due)[2]()
        if self._air.next_s <= self.now_s:
            self._air.poll(self.now_s)
        if self._wake_s <= self.now_s:
            self._timed(lambda: self.referee.tick(self.now))
            if self._wake_s <= self.now_s:
                self.now_s += 0.001

    def _touched(self, touch: Touch) -> None:
        self._touches -= 1
        field = self.pieces.fields[touch.space]
        without = tuple(uid for uid in field if uid != touch.uid)
        self.pieces.fields[touch.space] = tuple(sorted((*without, touch.uid))) if touch.down else without
        self.last_touch_s = self.now_s
        self._air.moved(touch.space, self.now_s)

    # The app

    def _open_app(self) -> None:
        self._journal = Journal(self._folder)
        self.session = Session(self._journal, self._cards, lambda: self._start, now_ms=self.now.ms)
        tags = Tags(self._folder, self._registry)
        self.referee = Referee(self.session, self._cards, tags, TOPICS, self, patience=self._patience)

    def start(self) -> None:
        """Start readers, bridge and app on what lies there, and let it all come to rest."""
        self._air.begin(self.now_s)
        for node in self._nodes:
            self._publish_node(node, "offline")
        self._connect_app()
        self.advance(4.0)

    def close(self) -> None:
        """Close the journal."""
        self._journal.close()

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> None:  # noqa: ARG002
        """Take what the referee says, as its bus."""
        if topic == TOPICS.game_state:
            self._state = payload
        elif topic == TOPICS.game_ask:
            self.ask = json.loads(payload)
        elif topic == TOPICS.game_event:
            event = json.loads(payload)
            self._accepted += event["verdict"] == "legal"
            self._on_event(event)
        elif topic == TOPICS.reply(CLIENT):
            reply = json.loads(payload)
            self.replies[reply["id"]] = reply

    @property
    def state(self) -> dict[str, Any]:
        """`game/state` as it was said last."""
        return dict(json.loads(self._state))

    @property
    def problems(self) -> list[dict[str, Any]]:
        """What the app says is wrong."""
        return list(self.state["problems"])

    @property
    def in_step(self) -> bool:
        """Whether the app says that the table is right."""
        return bool(self.state["table_ok"])

    @property
    def right(self) -> bool:
        """Whether the pieces really lie as the game has them."""
        goal = self.pieces.goal(self.referee._game.layout)
        return self.pieces.layout == {space: content for space, content in goal.items() if content}

    def command(self, **what: Any) -> dict[str, Any]:
        """Send a command, again until it is answered, as a screen does; it is carried out once."""
        self._count += 1
        number = self._count
        payload = json.dumps({"id": number, **what}).encode()
        for _ in range(20):
            self.advance_until(lambda: self._linked, 60.0)
            self._bring(lambda: self._message(TOPICS.command(CLIENT), payload, retained=False))
            if self.advance_until(lambda: number in self.replies, 5.0):
                return self.replies.pop(number)
        raise RuntimeError(f"a command is never answered: {what}")

    # The bus

    def _heard(self, space: str, fact: Fact) -> None:
        """Be the bridge: say what a reader found."""
        node = node_of(space)
        if node in self._cut or not (self._bridge_up and self._broker_up):
            return
        self._publish_space(space, fact.uids, fact.state)
        if node not in self._online and all(s in self._air.heard for s in self._nodes[node]):
            self._online.add(node)
            self._publish_node(node, "online")

    def _publish_space(self, space: str, uids: Sequence[bytes], state: SpaceState) -> None:
        tags = tuple(sorted(tag_text(uid) for uid in uids))
        message = SpaceMessage(tags, state, node_of(space), self.now.ms)
        self._retain(TOPICS.space(space), message.to_json())

    def _publish_node(self, node: str, state: NodeState) -> None:
        self._retain(TOPICS.node(node), NodeMessage(state, "1.0.0", {}, self.now.ms).to_json())

    def _retain(self, topic: str, payload: bytes) -> None:
        self._retained[topic] = payload
        self._bring(lambda: self._message(topic, payload, retained=False))

    def _bring(self, do: Callable[[], None]) -> None:
        """Bring something to the app in its turn."""
        self._bus_s = max(self._bus_s, self.now_s + LATENCY_S)
        self.at(self._bus_s, do)

    def _message(self, topic: str, payload: bytes, *, retained: bool) -> None:
        if self._linked:
            self._timed(lambda: self.referee.message(topic, payload, self.now, retained=retained))

    def _timed(self, do: Callable[[], None]) -> None:
        before, begin_s = self._accepted, time.perf_counter()
        do()
        if self._accepted > before:
            self.work_ms.append((time.perf_counter() - begin_s) * 1000)

    def _connect_app(self) -> None:
        self._linked = True
        self.referee.link(self.now, up=True)
        for topic, payload in list(self._retained.items()):
            self._bring(lambda t=topic, p=payload: self._message(t, p, retained=True))  # type: ignore[misc]

    # What breaks

    def stall(self, seconds: float) -> None:
        """Let the bus hold everything back for a while."""
        self._bus_s = max(self._bus_s, self.now_s + seconds)

    def restart_broker(self, *, keeps: bool, app_s: float, bridge_s: float) -> None:
        """Stop the broker and start it again.

        Args:
            keeps: whether it still has what it retained.
            app_s: after how long the app is connected again.
            bridge_s: after how long the bridge is.
        """
        if not (self._broker_up and self._bridge_up and self.app_up):
            return
        self._broker_up = self._linked = False
        self.last_fault_s = self.now_s
        self.referee.link(self.now, up=False)
        if not keeps:
            self._retained.clear()
        self.at(self.now_s + app_s, self._app_again)
        self.at(self.now_s + bridge_s, self._bridge_again)

    def _app_again(self) -> None:
        self.last_fault_s = self.now_s
        if self.app_up:
            self._connect_app()

    def _bridge_again(self) -> None:
        self.last_fault_s = self.now_s
        self._broker_up = True
        for node, spaces in self._nodes.items():
            self._publish_node(node, "offline")
            for space in spaces:
                if space in self._air.heard and node not in self._cut:
                    fact = self._air.heard[space]
                    self._publish_space(space, fact.uids, fact.state)
            if node not in self._cut and all(space in self._air.heard for space in spaces):
                self._online.add(node)
                self._publish_node(node, "online")

    def restart_bridge(self, seconds: float) -> None:
        """Kill the bridge; it comes again after some seconds with nothing known."""
        if not (self._broker_up and self._bridge_up and self.app_up):
            return
        self._bridge_up = False
        self.last_fault_s = self.now_s
        self._online.clear()
        for node in self._nodes:
            self._publish_node(node, "offline")
        self.at(self.now_s + seconds, self._bridge_begins)

    def _bridge_begins(self) -> None:
        self.last_fault_s = self.now_s
        self._bridge_up = True
        self._air.begin(self.now_s)

    def pull_cable(self, node: str, seconds: float) -> None:
        """Pull a node's cable; it starts anew after some seconds."""
        if node in self._cut or not (self._broker_up and self._bridge_up):
            return
        self._cut.add(node)
        self.last_fault_s = self.now_s
        self.at(self.now_s + OFFLINE_AFTER_S, lambda: self._missed(node))
        self.at(self.now_s + max(seconds, OFFLINE_AFTER_S + 0.1), lambda: self._plugged(node))

    def _missed(self, node: str) -> None:
        self.last_fault_s = self.now_s
        self._online.discard(node)
        if self._broker_up and self._bridge_up:
            self._publish_node(node, "offline")
            for space in self._nodes[node]:
                if space in self._air.heard:
                    self._publish_space(space, self._air.heard[space].uids, "fault")

    def _plugged(self, node: str) -> None:
        self.last_fault_s = self.now_s
        self._cut.discard(node)
        self._air.begin_some(self._nodes[node], self.now_s)

    def restart_app(self, seconds: float) -> None:
        """Kill the app; it opens its journal again after some seconds."""
        if not (self._broker_up and self._bridge_up and self.app_up):
            return
        self.app_up = self._linked = False
        self.last_fault_s = self.now_s
        self._journal.close()
        self.at(self.now_s + seconds, self._app_begins)

    def _app_begins(self) -> None:
        self.last_fault_s = self.now_s
        self._open_app()
        self.app_up = True
        self._connect_app()

    @property
    def whole(self) -> bool:
        """Whether everything runs and is connected."""
        return self._broker_up and self._bridge_up and self.app_up and self._linked and not self._cut

    @property
    def node_names(self) -> tuple[str, ...]:
        """The nodes."""
        return tuple(self._nodes)

    @property
    def layout(self) -> Mapping[str, Any]:
        """What really lies where now."""
        return self.pieces.as_laid()
