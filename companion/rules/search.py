"""The search for a way to what was refused: over its forms, over what could be done first, over waiting.

Breadth first: no step before the deed, one, two, and only then the next turn. Every step is judged like any
action and the deed is judged after it, so whatever is found can be played as it stands.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
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
from companion.rules.cards import Catalogue
from companion.rules.choices import choices
from companion.rules.derived import Derived
from companion.rules.engine import judged
from companion.rules.forms import Form, named_cards
from companion.rules.frame import MUST
from companion.rules.position import HIDDEN, Position
from companion.rules.steps import OWN, Scope, gained, kinds
from companion.rules.trials import Trials
from companion.rules.vibes import WILD
from companion.rules.ways import Node, Way, added, way_by

Deed = SpiritActionDone | RealmActionDone | Absorb | Ambition
"""What is worth doing something else for first."""

BUDGET_WAITING: Final = 40
"""Judgements kept for the next turn."""

MOST_PROMISING: Final = 4
"""First steps after which a second one is tried."""

MOST_PENDING: Final = 3
"""Open parts of a Revelation that are gone through: two Hidden Aspirations and a Common one."""

MOST_TURNS: Final = 4
"""Turns until it is a player's own one again."""

_FIGURES: Final = frozenset({"figures"})
"""What a Move changes."""

_TURN_GAINS: Final[Mapping[Literal["ambition", "cards"], str]] = {"ambition": "ambition", "cards": "hand"}
"""What there is to take at the end of a turn, and the part of the position that grows by it."""

NO_HOPE: Final = frozenset({"R-END-5", "R-EMP-1"})
"""A game that is over and a game without Empower stay so."""


class Search:
    """One search, and the best it has found so far."""

    def __init__(self, position: Position, asked: Action, cards: Catalogue) -> None:
        self.name = asked.player or position.turn.player
        self.trials = Trials(asked, self.name, cards)
        self.root = Node(Derived(position, cards))
        self.best: Way | None = None

    def way(self) -> Way | None:
        """Find the cheapest way, or None."""
        start = self._nothing_pending(self.root)
        if start is None:
            return None
        asked = self.trials.asked
        if isinstance(asked, Move) and asked.to == start.position.players[self.name].at:
            return None
        self._try_forms(start)
        if self.best is not None or start.steps:
            return self.best
        if self.name != self.root.position.turn.player:
            return self._in_their_turn()
        if not isinstance(asked, Deed):
            return None
        start = replace(start, refused=self.trials.choose_stand_ins(start.derived))
        if all(NO_HOPE.intersection(refusal.rule for refusal in why) for why in start.refused):
            return None
        wanted = self.trials.wanted(start.position, start.refused)
        if wanted:
            self._two_steps(start, wanted)
        if self.best is None:
            self._next_turn(start, wanted)
        return self.best

    def _try_forms(self, node: Node) -> None:
        """Keep the cheapest form of the deed that is legal in a position, if it beats what there is."""
        found: Form | None = None
        for form in self.trials.forms(node.derived):
            if not form.at_hand:
                continue
            if found is not None and form.price > found.price:
                break
            verdict = self.trials.judge(node.derived, form.action)
            if verdict is None:
                break
            if verdict.status != "legal" or self._is_luck(node, form):
                continue
            found = found or form
            way = way_by(node, form, verdict.cost)
            if self.best is None or way.rank < self.best.rank:
                self.best = way

    def _is_luck(self, node: Node, form: Form) -> bool:
        """Tell whether a card drawn on the way would have to be a certain one.

        Where no coloured token lies any card brings a token: that is sure with whatever is drawn (R-VIBE-5).
        """
        player, action = node.position.players[self.name], form.action
        unknown = self.root.position.players[self.name].hand.count(HIDDEN)
        if player.hand.count(HIDDEN) <= unknown or not isinstance(action, SpiritActionDone):
            return False
        named = list(named_cards(action))
        tokens = player.row(self.trials.row or "")
        if action.place is not None and any(token not in ("", WILD) for token in tokens):
            named.append(action.place.discard)
        return sum(title not in player.hand for title in named) > unknown

    def _tried(self, node: Node) -> Node:
        """Look whether the deed can be done in a position; return it with what still speaks against it."""
        verdicts = self.trials.verdicts(node.derived)
        if any(verdict.status == "legal" for verdict in verdicts):
            self._try_forms(node)
        return replace(node, refused=tuple(verdict.refusals for verdict in verdicts))

    def _may_beat(self, node: Node) -> bool:
        """Tell whether anything that begins like this could be cheaper than what was found."""
        return self.best is None or node.least < self.best.rank

    # Something else first

    def _two_steps(self, start: Node, wanted: frozenset[str]) -> None:
        first = [self._tried(node) for node in self._steps(start, wanted) if self._may_beat(node)]
        if self.best is not None:
            return
        promising = sorted((n for n in first if n.nearer_than(start)), key=_open)[:MOST_PROMISING]
        for node in promising:
            self._one_step(node)
        # A figure may have to go further than one Move brings it, and the first one changes nothing yet.
        if wanted & _FIGURES:
            for node in first:
                if isinstance(node.steps[-1], Move) and node not in promising:
                    self._one_step(node, "moves")

    def _one_step(self, node: Node, scope: Scope = "all") -> None:
        wanted = _FIGURES if scope == "moves" else self.trials.wanted(node.position, node.refused)
        for further in self._steps(node, wanted, scope):
            if self._may_beat(further):
                self._tried(further)

    def _steps(self, node: Node, wanted: frozenset[str], scope: Scope = "all") -> Iterator[Node]:
        """Yield the positions after one more step that changes a part of the position that is wanted."""
        for kind in kinds(node.derived, self.trials.row, scope):
            for manners in kind:
                if self.trials.left < 1:
                    return
                after = self._played(node, manners)
                if after is None:
                    continue
                if not gained(node.position, after.position, self.name) & wanted:
                    break
                yield after

    def _played(self, node: Node, manners: tuple[Action, ...]) -> Node | None:
        """Take a step in the first manner that is legal; None too where a Revelation would come of it."""
        for action in manners:
            verdict = self.trials.judge(node.derived, action)
            after = None if verdict is None else verdict.after
            if verdict is None or after is None:
                continue
            before = node.position
            if (after.common, after.identity) != (before.common, before.identity) or _must(after):
                return None
            used = max(0, before.turn.actions_left - after.turn.actions_left)
            return replace(
                node,
                derived=Derived(after, self.trials.cards),
                steps=(*node.steps, action),
                cost=added(node.cost, verdict.cost),
                actions=node.actions + used,
            )
        return None

    # Waiting

    def _next_turn(self, start: Node, wanted: frozenset[str]) -> None:
        """Look at the own next turn as the table stands now: the deed in it, else one step before it.

        Such a step changes only what is the player's own: nobody knows what the others do until then.
        """
        self.trials.left += BUDGET_WAITING
        gains = [gain for gain, part in _TURN_GAINS.items() if part in wanted] or ["cards"]
        found: list[Way] = []
        for gain in gains:
            self.best = None
            node = self._turns(start, EndTurn(gain), until=self.name)
            if node is None:
                continue
            node = self._tried(node)
            if self.best is None and (wanted.intersection(OWN) or node.nearer_than(start)):
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
        for _ in range(MOST_TURNS):
            after = judged(derived, end).after
            if after is None or after.result is not None:
                return None
            derived, steps = Derived(after, self.trials.cards), (*steps, end)
            if after.turn.player == until:
                return Node(derived, steps, turns=1, refused=node.refused)
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
                yield replace(node, derived=Derived(after, self.trials.cards), steps=(*node.steps, action))


def _must(position: Position) -> bool:
    return any(pending.action in MUST for pending in position.turn.pending)


def _open(node: Node) -> int:
    return node.open
