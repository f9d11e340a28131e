"""Between the pieces and the bus: polls that go astray, the real debounce, frames that get lost."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from companion.rules.board import REALMS, SLOTS, SPACES
from companion.rules.position import ROWS
from firmware_bridge.contract.table_file import Profile
from firmware_bridge.presence.debounce import Fact, Presence
from hardware.reading import Absent, Present, Unknown
from hardware.rfid.ports import Reading

POLL_S: Final = 0.05
"""Twenty polls a second and reader (hardware facts, C6)."""

RESTLESS_S: Final = 1.5
"""A field in which nothing has moved for so long is polled no more: its debounce has come to rest, and what
gets lost then it swallows."""

REPEAT_S: Final = 1.0
"""Every space is said anew each second (contracts, section 5): a lost frame heals."""

_ERROR: Final = Unknown("a disturbed answer")
_ABSENT: Final = Absent()


@dataclass(frozen=True, slots=True)
class Weather:
    """How much goes astray between a tag and the bridge, as shares."""

    lost_polls: float = 0.30
    """Of the polls of a field with a tag in it."""
    silent: float = 0.30
    """Of those: no answer at all. The rest are errors (hardware facts, C6: 70 % of what is disturbed)."""
    dropped_frames: float = 0.10
    doubled_frames: float = 0.05


def spaces_of(profile: Profile, players: int) -> tuple[str, ...]:
    """Return what is instrumented in a profile."""
    pads = tuple(f"pad/{seat}" for seat in range(1, players + 1))
    board = tuple(f"slot/{slot}" for slot in SLOTS) + tuple(f"spirit/{space}" for space in SPACES)
    rows = tuple(
        f"vibe/{seat}/{row}/{space}"
        for seat in range(1, players + 1)
        for row in ROWS
        for space in (1, 2, 3, 4)
    )
    return {"pad": pads, "slots": board, "virtual": board + pads, "full": board + pads + rows}[profile]


def node_of(space: str) -> str:
    """Return the node of a space: one a Realm with the Frontier after it, one for the pads, one a board."""
    kind, _, name = space.partition("/")
    if kind == "pad":
        return "pads"
    if kind == "vibe":
        return f"board-{name.partition('/')[0]}"
    return f"realm-{next(realm for realm in REALMS if name.startswith(realm))}"


class Air:
    """The readers of one table with their nodes.

    Args:
        fields: what lies in each field; changed by others.
        weather: what goes astray.
        dice: decides when.
        say: takes a space and its new fact, as the bridge hears it.
        polls_all: whether fields at rest are polled as well.
    """

    def __init__(
        self,
        fields: Mapping[str, Sequence[str]],
        weather: Weather,
        dice: random.Random,
        say: Callable[[str, Fact], None],
        *,
        polls_all: bool = False,
    ) -> None:
        self._fields = fields
        self._weather = weather
        self._dice = dice
        self._say = say
        self._polls_all = polls_all
        self._presence: dict[str, Presence] = {}
        self._restless: dict[str, float] = {}
        self._nodes = dict(nodes(tuple(fields)))
        self._unsaid: dict[str, float] = {}
        """Nodes with a frame that got lost, and when they send the next one."""
        self.heard: dict[str, Fact] = {}
        """What the bridge knows."""
        self.next_s = 0.0
        """When the next poll or frame is due."""

    def begin(self, now_s: float) -> None:
        """Start every reader anew, with nothing known."""
        self._presence = {space: Presence() for space in self._fields}
        self._restless = dict.fromkeys(self._fields, now_s + RESTLESS_S)
        self._unsaid.clear()
        self.heard.clear()
        self.next_s = now_s

    def begin_some(self, spaces: Sequence[str], now_s: float) -> None:
        """Start some readers anew."""
        for space in spaces:
            self._presence[space] = Presence()
            self._restless[space] = now_s + RESTLESS_S
            self.heard.pop(space, None)
        self.next_s = min(self.next_s, now_s)

    def moved(self, space: str, now_s: float) -> None:
        """Take note that something in a field moved."""
        if self.rests:
            self.next_s = now_s + POLL_S * self._dice.random()
        fact = self._presence[space].fact
        if space not in self._restless and fact is not None and fact.state == "ok":
            # The polls that were left out, of what lay there all the time.
            self._presence[space].feed(Present(fact.uids) if fact.uids else _ABSENT, now_s - POLL_S / 2)
        self._restless[space] = now_s + RESTLESS_S

    @property
    def rests(self) -> bool:
        """Whether nothing is under way between pieces and bridge."""
        return not self._restless and not self._unsaid

    def poll(self, now_s: float) -> None:
        """Poll what has to be polled, and send what is due."""
        changed: dict[str, None] = {}
        for space in tuple(self._presence if self._polls_all else self._restless):
            if self._presence[space].feed(self._reading(space), now_s) is not None:
                changed[node_of(space)] = None
        for node in changed:
            self._frame(node, now_s)
        for node, due_s in tuple(self._unsaid.items()):
            if due_s <= now_s:
                self._frame(node, now_s)
        self._restless = {
            space: until_s
            for space, until_s in self._restless.items()
            if until_s > now_s or self._in_doubt(space)
        }
        self.next_s = now_s + POLL_S if self._polls_all or not self.rests else float("inf")

    def _in_doubt(self, space: str) -> bool:
        """Tell whether a reader does not know yet what lies there."""
        fact, there = self._presence[space].fact, sorted(self._fields[space])
        return fact is None or fact.state != "ok" or [uid.hex().upper() for uid in fact.uids] != there

    def _frame(self, node: str, now_s: float) -> None:
        """Send what lies on every space of a node; the same once more is nothing new to the bridge."""
        if self._dice.random() < self._weather.dropped_frames:
            self._unsaid[node] = min(self._unsaid.get(node, now_s) + REPEAT_S, now_s + REPEAT_S)
            return
        self._unsaid.pop(node, None)
        for _ in range(1 + (self._dice.random() < self._weather.doubled_frames)):
            for space in self._nodes[node]:
                fact = self._presence[space].fact
                if fact is not None and self.heard.get(space) != fact:
                    self.heard[space] = fact
                    self._say(space, fact)

    def _reading(self, space: str) -> Reading:
        uids = self._fields[space]
        if not uids:
            return _ABSENT
        if self._dice.random() < self._weather.lost_polls:
            return _ABSENT if self._dice.random() < self._weather.silent else _ERROR
        return Present(tuple(sorted(bytes.fromhex(uid) for uid in uids)))


def nodes(spaces: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield every node with its spaces."""
    for node in dict.fromkeys(map(node_of, spaces)):
        yield node, tuple(space for space in spaces if node_of(space) == node)
