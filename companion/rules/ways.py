"""The search for a way to what was refused: over its forms, over what could be done first, over waiting.

Breadth first: no step before the deed, one, two, and only then the next turn. Every step is judged like any
action and the deed is judged after it, so whatever is found can be played as it stands.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from companion.rules.actions import (
    Absorb,
    Action,
    Ambition,
    EndTurn,
    Move,
    RealmActionDone,
    RevelationStep,
    SpiritActionDone,
)
from companion.rules.board import SPACES
from companion.rules.cards import Catalogue
from companion.rules.choices import choices
from companion.rules.derived import Derived
from companion.rules.engine import PROCEDURES, judged
from companion.rules.forms import NOTHING, Form, forms, named_cards
from companion.rules.frame import MUST
from companion.rules.position import HIDDEN, Player, Position
from companion.rules.steps import BOARD, OWN, Scope, gained, kinds, with_other_board, with_plenty
from companion.rules.verdict import Cost, Refusal, Verdict
from companion.rules.vibes import is_unlocked

Deed = SpiritActionDone | RealmActionDone | Absorb | Ambition
"""What is worth doing something else for first."""

BUDGET: Final = 120
"""Judgements of one search within the turn: a bound on its time. Few searches need more than half of it."""

BUDGET_WAITING: Final = 40
"""Judgements kept for the next turn."""

MOST_FORMS: Final = 3
"""Forms of the deed that stand for all of them when a step is tried."""

MOST_PROMISING: Final = 5
"""First steps after which a second one is tried."""

MOST_PENDING: Final = 3
"""Open parts of a Revelation that are gone through."""

MOST_PLAYERS: Final = 4

_TURN_GAINS: Final[Mapping[Literal["ambition", "cards"], str]] = {"ambition": "ambition", "cards": "hand"}
"""What there is to take at the end of a turn, and the part of the position that grows by it."""

NO_HOPE: Final = frozenset({"R-END-5", "R-EMP-1"})
"""A game that is over and a game without Empower stay so."""

Rank = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Node:
    """A position that a player can bring about, or that waiting brings about."""

    derived: Derived
    steps: tuple[Action, ...] = ()
    cost: Cost = NOTHING
    actions: int = 0
    """Actions of the turn that the steps use."""
    turns: int = 0
    """1 after waiting, else 0."""
    refusals: tuple[tuple[Refusal, ...], ...] = ()
    """Why each form that stands for the others is refused here."""

    @property
    def position(self) -> Position:
        """The position."""
        return self.derived.position


@dataclass(frozen=True, slots=True)
class Way:
    """What to do, step by step, and the form of the deed that is legal then."""

    node: Node
    form: Form
    cost: Cost
    """Of the steps and the deed together."""
    rank: Rank
    either: bool = False
    """Whether it does not matter what is gained at the end of the turn."""


class Search:
    """One search: the deed, its forms, and how many judgements are left."""

    def __init__(self, position: Position, asked: Action, cards: Catalogue) -> None:
        self.asked = asked
        self.cards = cards
        self.name = asked.player or position.turn.player
        self.row = PROCEDURES[type(asked)][0] if isinstance(asked, SpiritActionDone) else None
        self.root = Node(Derived(position, cards))
        self.unknown = position.players[self.name].hand.count(HIDDEN)
        self.left = BUDGET
        self.best: Way | None = None
        self.stand_ins: tuple[Form, ...] = ()

    def way(self) -> Way | None:
        """Find the cheapest way, or None."""
        start = self._nothing_pending(self.root)
        if start is None:
            return None
        if isinstance(self.asked, Move) and self.asked.to == self._player(start).at:
            return None
        self._try_forms(start)
        if self.best is not None or start.steps:
            return self.best
        if self.name != self.root.position.turn.player:
            return self._in_their_turn()
        if not isinstance(self.asked, Deed):
            return None
        start = self._with_stand_ins(start)
        if all(NO_HOPE.intersection(refusal.rule for refusal in why) for why in start.refusals):
            return None
        wanted = self._wanted(start)
        if wanted:
            self._two_steps(start, wanted)
        if self.best is None:
            self._next_turn(start, wanted)
        return self.best

    # Judging

    def _judge(self, derived: Derived, action: Action) -> Verdict | None:
        """Judge, as long as the search may."""
        if self.left < 1:
            return None
        self.left -= 1
        return judged(derived, action)

    def _player(self, node: Node) -> Player:
        return node.position.players[self.name]

    def _try_forms(self, node: Node) -> None:
        """Keep the cheapest form of the deed that is legal in a position, if it beats what there is."""
        found: Form | None = None
        for form in forms(node.derived, self._player(node), self.asked):
            if not form.at_hand:
                continue
            if found is not None and form.price > found.price:
                break
            verdict = self._judge(node.derived, form.action)
            if verdict is None:
                break
            if verdict.status != "legal" or self._is_luck(node, form):
                continue
            found = found or form
            way = Way(node, form, _added(node.cost, verdict.cost), self._rank(node, form, verdict.cost))
            if self.best is None or way.rank < self.best.rank:
                self.best = way

    def _rank(self, node: Node, form: Form, cost: Cost) -> Rank:
        both = _added(node.cost, cost)
        return (
            *(node.turns, len(node.steps), node.actions, form.lost),
            *(both.ambition, form.cards, both.willpower, both.essence, form.guesses, form.changes),
        )

    def _may_beat(self, node: Node) -> bool:
        """Tell whether anything that begins like this could be cheaper than what was found."""
        if self.best is None:
            return True
        least = (node.turns, len(node.steps), node.actions, 0, node.cost.ambition, 0, node.cost.willpower)
        return least < self.best.rank

    def _is_luck(self, node: Node, form: Form) -> bool:
        """Tell whether a card drawn on the way would have to be a certain one.

        Any card unlocks a row, so that is sure with whatever is drawn (R-VIBE-4).
        """
        player, action = self._player(node), form.action
        if player.hand.count(HIDDEN) <= self.unknown or not isinstance(action, SpiritActionDone):
            return False
        named = list(named_cards(action))
        if action.place is not None and is_unlocked(player.row(self.row or "")):
            named.append(action.place.discard)
        return sum(title not in player.hand for title in named) > self.unknown

    # Forms that stand for all

    def _with_stand_ins(self, node: Node) -> Node:
        """Choose the forms that stand for all the others: those against which nothing speaks in vain.

        One form of each set of rules that forbids it, unless a smaller set forbids another form.
        """
        why: dict[frozenset[str], tuple[Form, tuple[Refusal, ...]]] = {}
        for form in forms(node.derived, self._player(node), self.asked):
            verdict = judged(node.derived, form.action)
            if verdict.status == "illegal":
                why.setdefault(frozenset(verdict.rules), (form, verdict.refusals))
        least = [rules for rules in why if not any(other < rules for other in why)][:MOST_FORMS]
        self.stand_ins = tuple(why[rules][0] for rules in least)
        return replace(node, refusals=tuple(why[rules][1] for rules in least))

    def _tried(self, node: Node) -> Node:
        """Look whether the deed can be done in a position; return it with what still speaks against it."""
        refusals = []
        legal = False
        for form in self.stand_ins:
            verdict = self._judge(node.derived, form.action)
            if verdict is None:
                break
            legal = legal or verdict.status == "legal"
            refusals.append(verdict.refusals)
        if legal:
            self._try_forms(node)
        return replace(node, refusals=tuple(refusals))

    # Something else first

    def _two_steps(self, start: Node, wanted: frozenset[str]) -> None:
        first = [self._tried(node) for node in self._steps(start, wanted) if self._may_beat(node)]
        if self.best is not None:
            return
        promising = sorted((n for n in first if _nearer(start, n)), key=_open_refusals)[:MOST_PROMISING]
        for node in promising:
            self._one_step(node)
        # A figure may have to go further than one Move brings it, and the first one changes nothing yet.
        if "figures" in wanted:
            for node in first:
                if isinstance(node.steps[-1], Move) and node not in promising:
                    self._one_step(node, "moves")

    def _one_step(self, node: Node, scope: Scope = "all") -> None:
        wanted = frozenset({"figures"}) if scope == "moves" else self._wanted(node)
        for further in self._steps(node, wanted, scope):
            if self._may_beat(further):
                self._tried(further)

    def _steps(self, node: Node, wanted: frozenset[str], scope: Scope = "all") -> Iterator[Node]:
        """Yield the positions after one more step that changes a part of the position that is wanted."""
        for kind in kinds(node.derived, self.row, scope):
            for manners in kind:
                after = self._played(node, manners)
                if after is None:
                    continue
                if not gained(node.position, after.position, self.name) & wanted:
                    break
                yield after

    def _wanted(self, node: Node) -> frozenset[str]:
        """Find out which parts of the position the refusals hang on, by trying the deed with other ones.

        With plenty of all that is the player's own it may be legal where the figure stands, or elsewhere.
        Where it is neither, something on the board must change, or nothing helps.
        """
        rich = with_plenty(node.position, self.name, self.row)
        at_best = self._refused_in(rich)
        if () in at_best:
            return self._own_parts(node)
        player = rich.players[self.name]
        for space in SPACES:
            if space != player.at and () in self._refused_in(rich.with_player(replace(player, at=space))):
                return self._own_parts(node) | {"figures"}
        for other in with_other_board(rich, player.team, self.cards):
            if any(len(now) < len(then) for now, then in zip(self._refused_in(other), at_best, strict=False)):
                return self._own_parts(node) | BOARD
        return frozenset()

    def _own_parts(self, node: Node) -> frozenset[str]:
        return frozenset(
            part
            for part in OWN
            if any(
                now != before
                for form, now, before in zip(
                    self.stand_ins,
                    self._refused_in(with_plenty(node.position, self.name, self.row, part)),
                    node.refusals,
                    strict=False,
                )
                # A form that places its token wants no other one.
                if part != "tokens" or not form.cards
            )
        )

    def _refused_in(self, position: Position) -> list[tuple[Refusal, ...]]:
        """Return the refusals of each form that stands for the others, in another position.

        Where the row is full already nothing needs to be placed.
        """
        derived = Derived(position, self.cards)
        full = self.row is not None and all(position.players[self.name].row(self.row))
        found = []
        for form in self.stand_ins:
            action = form.action
            if full and isinstance(action, SpiritActionDone):
                action = replace(action, place=None)
            verdict = self._judge(derived, action)
            if verdict is not None:
                found.append(verdict.refusals)
        return found

    def _played(self, node: Node, manners: tuple[Action, ...]) -> Node | None:
        """Take a step in the first manner that is legal; None too where a Revelation would come of it."""
        for action in manners:
            verdict = self._judge(node.derived, action)
            after = None if verdict is None else verdict.after
            if verdict is None or after is None:
                continue
            before = node.position
            if (after.common, after.identity, after.turn.pending) != (
                before.common,
                before.identity,
                before.turn.pending,
            ):
                return None
            used = max(0, before.turn.actions_left - after.turn.actions_left)
            return replace(
                node,
                derived=Derived(after, self.cards),
                steps=(*node.steps, action),
                cost=_added(node.cost, verdict.cost),
                actions=node.actions + used,
            )
        return None

    # Waiting

    def _next_turn(self, start: Node, wanted: frozenset[str]) -> None:
        """Look at the own next turn as the table stands now: the deed in it, else one step before it.

        Such a step changes only what is the player's own: nobody knows what the others do until then.
        """
        self.left += BUDGET_WAITING
        gains = [gain for gain, part in _TURN_GAINS.items() if part in wanted] or ["cards"]
        found: list[Way] = []
        for gain in gains:
            self.best = None
            node = self._turns(start, EndTurn(gain), until=self.name)
            if node is None:
                continue
            node = self._tried(node)
            if self.best is None and _nearer(start, node):
                self._one_step(node, "own")
            found += [self.best] if self.best is not None else []
        best = min(found, key=lambda way: way.rank, default=None)
        either = len(found) == len(_TURN_GAINS) and found[0].rank == found[1].rank
        self.best = best and replace(best, either=either or not wanted.intersection(_TURN_GAINS.values()))

    def _in_their_turn(self) -> Way | None:
        """Look at the next turn of the player who was not to act, as the table stands now."""
        node = self._turns(self.root, EndTurn("cards"), until=self.name)
        if node is not None:
            self._try_forms(node)
        return self.best

    def _turns(self, node: Node, end: EndTurn, *, until: str) -> Node | None:
        """End the turn, let the others pass theirs, and stop where it is a player's turn."""
        derived, steps = node.derived, node.steps
        for _ in range(MOST_PLAYERS):
            after = judged(derived, end).after
            if after is None or after.result is not None:
                return None
            derived, steps = Derived(after, self.cards), (*steps, end)
            if after.turn.player == until:
                return Node(derived, steps, turns=1, refusals=node.refusals)
            end = EndTurn("cards", after.turn.player)
        return None

    def _nothing_pending(self, node: Node) -> Node | None:
        """Go through what comes before anything else (R-TURN-7), whatever people show or choose."""
        for _ in range(MOST_PENDING):
            if not _must(node.position):
                return node
            after = next(self._first_legal(node), None)
            if after is None or not isinstance(after.steps[-1], RevelationStep):
                return None
            node = after
        return None if _must(node.position) else node

    def _first_legal(self, node: Node) -> Iterator[Node]:
        for action in choices(node.derived):
            after = judged(node.derived, action).after
            if after is not None:
                yield replace(node, derived=Derived(after, self.cards), steps=(*node.steps, action))


def _must(position: Position) -> bool:
    return any(pending.action in MUST for pending in position.turn.pending)


def _nearer(start: Node, node: Node) -> bool:
    """Tell whether a step took away a refusal, or changed one, and left no form with more of them."""
    return node.refusals != start.refusals and _open_refusals(node) <= _open_refusals(start)


def _open_refusals(node: Node) -> int:
    return min((len(why) for why in node.refusals), default=PLENTY_OF_REFUSALS)


PLENTY_OF_REFUSALS: Final = 99


def _added(first: Cost, second: Cost) -> Cost:
    """Return what two actions cost together."""
    return Cost(
        first.willpower + second.willpower, first.essence + second.essence, first.ambition + second.ambition
    )
