"""Play at one table in moved time: place, lift, advance. Pure: no bus, no journal, no clock."""

from collections.abc import Callable
from typing import Any, Literal

from companion import content
from companion.rules.actions import SpiritActionDone
from companion.rules.engine import check
from companion.rules.position import Position
from companion.scenario.notation import action_from, position_from
from companion.table import reconcile as table
from companion.table.decisions import Ask, Choice, Decision, Done, Refused, TakenBack
from companion.table.game import Game
from companion.table.lay import lay_table
from companion.table.layout import Fact, Layout, surplus
from companion.table.registry import virtual_registry

CARDS = content.catalogue()
REGISTRY = virtual_registry()
UIDS = {component: uid for uid, component in REGISTRY.components.items()}
STRANGER = "04AABBCCDDEE80"
"""A tag that nobody registered."""

EMPOWER: dict[str, Any] = {
    "teams": {"bliss": {"ambition": 1}},
    "players": {
        "diana": {
            "team": "bliss",
            "spirit": "harmony",
            "at": "valley",
            "willpower": 5,
            "hand": ["courage", "optimism", "*"],
            "vibes": {"move": ["wild", "", "", ""], "empower": ["red", "", "", ""]},
        },
        "otto": {
            "team": "gloom",
            "spirit": "hatred",
            "at": "cradle-network",
            "willpower": 5,
            "vibes": {"move": ["wild", "", "", ""]},
        },
        "pia": {"team": "bliss", "spirit": "love", "at": "land", "willpower": 3},
    },
    "slots": {
        "valley.1": {"emotion": "kindness", "essence": 2},
        "valley.2": {"emotion": "courage", "essence": 1},
        "cradle.2": {"emotion": "anger", "essence": 1},
    },
}
"""Diana beside Kindness, which has reached its threshold."""


def changed(data: dict[str, Any], **parts: Any) -> dict[str, Any]:
    """Return a position's data with parts replaced: `a__b=c` replaces `data["a"]["b"]`."""
    out = {key: dict(value) for key, value in data.items()}
    for path, value in parts.items():
        *keys, last = path.split("__")
        where: dict[str, Any] = out
        for key in keys:
            where[key] = dict(where[key])
            where = where[key]
        where[last] = value
    return out


class Story:
    """A table that starts laid as its position, everything instrumented but the Spirit boards."""

    def __init__(
        self,
        data: dict[str, Any] | Position | None = None,
        *,
        instrumented: tuple[str, ...] = (),
        kinds: tuple[str, ...] = ("slot", "spirit", "pad"),
    ) -> None:
        """Lay a position; spaces of these `kinds` have readers, and those that are `instrumented` besides."""
        self.position: Position = (
            data if isinstance(data, Position) else position_from(data or EMPOWER, CARDS)
        )
        self._game: Game | None = None
        self.now_s = 100.0
        self.facts: dict[str, Fact] = {
            space: Fact(tags, "ok", 0.0)
            for space, tags in lay_table(self.position, CARDS, REGISTRY).items()
            if space.startswith(kinds)
        }
        for space in instrumented:
            self.facts[space] = Fact((), "ok", 0.0)
        self.memory = table.Memory()
        self.before: list[Position] = []
        """Positions before what pieces did."""
        self.said: list[Decision] = []
        """Decisions in the order in which they were new."""
        self.look = self._see()

    # Verbs

    def place(self, space: str, *components: str) -> None:
        """Put pieces on a space, beside what lies there."""
        tags = (*self.facts[space].tags, *(UIDS.get(component, component) for component in components))
        self._fact(space, tags, self.facts[space].state)

    def lift(self, space: str, *components: str) -> None:
        """Take pieces off a space; without naming any, all."""
        gone = {UIDS.get(component, component) for component in components} or set(self.facts[space].tags)
        self._fact(space, tuple(tag for tag in self.facts[space].tags if tag not in gone), "ok")

    def swap(self, space: str, *components: str) -> None:
        """Take everything off a space, then put pieces there."""
        self.lift(space)
        self.place(space, *components)

    def become(self, space: str, *components: str) -> None:
        """Let a space hold other pieces from one message to the next."""
        self._fact(space, tuple(UIDS[component] for component in components), "ok")

    def move(self, spirit: str, start: str, end: str) -> None:
        """Carry a figure from one Spirit space to another and let it rest."""
        self.lift(f"spirit/{start}", f"spirit/{spirit}")
        self.place(f"spirit/{end}", f"spirit/{spirit}")
        self.advance(1.0)

    def lay(self, target: Layout, order: Callable[[str], Any] = str) -> None:
        """Carry pieces until they lie like this: all that leave first; tags go on as they are."""
        before = self.game.layout
        spaces = sorted({*before, *target} & self.facts.keys(), key=order)
        changing = [s for s in spaces if before.get(s, ()) != target.get(s, ())]
        hand: list[str] = []
        for space in changing:
            tags = {REGISTRY.piece(tag): tag for tag in self.facts[space].tags}
            gone = [tags[piece] for piece in surplus(before.get(space, ()), target.get(space, ()))]
            if gone:
                self.lift(space, *gone)
                hand += gone
        lying = {tag for fact in self.facts.values() for tag in fact.tags}
        for space in changing:
            for piece in surplus(target.get(space, ()), before.get(space, ())):
                box = [tag for tag in sorted(REGISTRY.components) if tag not in lying]
                tag = next(tag for tag in (*hand, *box) if REGISTRY.piece(tag) == piece and tag not in lying)
                lying.add(tag)
                self.place(space, tag)

    def reader(self, space: str, state: Literal["ok", "unreadable", "fault"]) -> None:
        """Let a reader get into trouble, or out of it."""
        self._fact(space, self.facts[space].tags, state)

    def advance(self, seconds: float) -> None:
        """Let time pass, stopping wherever the table asked to be looked at again."""
        end_s = self.now_s + seconds
        while self.look.wake_s is not None and self.look.wake_s <= end_s:
            self.now_s = max(self.now_s, self.look.wake_s)
            self.look = self._see()
        self.now_s = end_s
        self.look = self._see()

    def by_command(self, **do: Any) -> None:
        """Let a screen carry out an action, the pieces staying where they are."""
        verdict = check(self.position, action_from(do), CARDS)
        assert verdict.after is not None
        self.becomes(verdict.after, hold="ahead")

    def answer(self, choice: Choice) -> None:
        """Tap a button of the question."""
        assert choice.action is not None
        if choice.corrects:
            self.position = self.before.pop()
        after = check(self.position, choice.action, CARDS).after
        assert after is not None
        self.position = after
        self.memory = table.changed(self.memory, self.facts, self.game, self.now_s, hold=None)
        self.look = self._see()

    def becomes(self, position: Position, *, hold: table.Hold = "undone") -> None:
        """Change the game by other means than pieces: undo, set-up, a command."""
        self.position = position
        self.memory = table.changed(self.memory, self.facts, self.game, self.now_s, hold=hold)
        self.look = self._see()

    def restart(self, **found: tuple[str, ...]) -> None:
        """Start anew with nothing remembered, some spaces holding other pieces than before."""
        self.now_s += 1
        for space, components in found.items():
            tags = tuple(sorted(UIDS[component] for component in components))
            self.facts[space] = Fact(tags, "ok", self.now_s)
        self.memory = table.Memory()
        self.look = self._see()

    # What is to be seen

    @property
    def game(self) -> Game:
        if self._game is None or self._game.position is not self.position:
            self._game = Game(self.position, CARDS, REGISTRY)
        return self._game

    @property
    def done(self) -> list[Done]:
        return [decision for decision in self.said if isinstance(decision, Done)]

    @property
    def refused(self) -> list[Refused]:
        return [decision for decision in self.said if isinstance(decision, Refused)]

    @property
    def asked(self) -> list[Ask]:
        return [decision for decision in self.said if isinstance(decision, Ask)]

    @property
    def mends(self) -> list[str]:
        return [problem.mend for problem in self.look.problems]

    def emotion(self, slot: str) -> tuple[str, int]:
        lying = self.position.slots[slot]
        return lying.name, lying.essence

    # Inside

    def _fact(self, space: str, tags: tuple[str, ...], state: Literal["ok", "unreadable", "fault"]) -> None:
        self.now_s += 0.05
        self.facts[space] = Fact(tuple(sorted(tags)), state, self.now_s)
        self.look = self._see()

    def _see(self) -> table.Look:
        while True:
            answered = self.memory.answered
            look = table.reconcile(self.memory, self.facts, self.game, self.now_s)
            self.memory = look.memory
            if self.memory.answered in (answered, None):
                return look
            self.said.append(look.decision)
            if not isinstance(look.decision, Done | TakenBack):
                return look
            for _ in range(_taken_back(look.decision)):
                self.position = self.before.pop()
            if isinstance(look.decision, Done):
                after = check(self.position, look.decision.action, CARDS).after
                assert after is not None
                self.before.append(self.position)
                self.position = after
            self.memory = table.changed(self.memory, self.facts, self.game, self.now_s, hold=None)


def _taken_back(decision: Done | TakenBack) -> int:
    """Count the actions that a decision takes back."""
    return decision.steps if isinstance(decision, TakenBack) else int(decision.corrects)


def upgrades_of(decision: Decision) -> tuple[str, ...]:
    """Return the upgrades of what was done, or of what was asked first."""
    assert isinstance(decision, Done)
    action = decision.action
    assert isinstance(action, SpiritActionDone)
    return action.upgrades


def poorer(essence: int, **player: Any) -> dict[str, Any]:
    """Return the Empower position with less Essence on Kindness, and other values for Diana."""
    data = changed(EMPOWER, **{"slots__valley.1": {"emotion": "kindness", "essence": essence}})
    return changed(data, players__diana={**data["players"]["diana"], **player})


def with_diana(**player: Any) -> dict[str, Any]:
    """Return the Empower position with other values for Diana."""
    return changed(EMPOWER, players__diana={**EMPOWER["players"]["diana"], **player})
