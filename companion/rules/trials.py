"""Trying a deed in one position and another: in which it is legal, and what the refusals hang on."""

from dataclasses import dataclass, field, replace
from typing import Final

from companion.rules.actions import Action, SpiritActionDone
from companion.rules.board import SPACES
from companion.rules.cards import Catalogue
from companion.rules.derived import Derived
from companion.rules.engine import PROCEDURES, judged
from companion.rules.forms import Form, forms
from companion.rules.position import Position
from companion.rules.steps import BOARD, OWN, with_other_board, with_plenty
from companion.rules.verdict import Verdict
from companion.rules.ways import Refused

BUDGET: Final = 90
"""Judgements of one search within the turn, a bound on its time: enough for 97 in 100 (games by chance)."""

MOST_FORMS: Final = 3
"""Forms of the deed that stand for all of them when a step is tried."""


@dataclass(slots=True)
class Trials:
    """The deed, the forms that stand for all of its forms, and how many judgements are left."""

    asked: Action
    name: str
    """Who would do it."""
    cards: Catalogue
    left: int = BUDGET
    stand_ins: tuple[Form, ...] = field(default=())

    @property
    def row(self) -> str | None:
        """The row of the Spirit board that the deed belongs to, None for none."""
        return PROCEDURES[type(self.asked)][0] if isinstance(self.asked, SpiritActionDone) else None

    def judge(self, derived: Derived, action: Action) -> Verdict | None:
        """Judge, as long as the search may."""
        if self.left < 1:
            return None
        self.left -= 1
        return judged(derived, action)

    def forms(self, derived: Derived) -> list[Form]:
        """Return the forms of the deed in a position, the cheapest first."""
        return forms(derived, derived.position.players[self.name], self.asked)

    def choose_stand_ins(self, derived: Derived) -> Refused:
        """Choose the forms that stand for all the others, and return why they are refused.

        One form, the cheapest, of each set of rules that forbids some, unless a part of that set is all that
        forbids another form.
        """
        why: dict[frozenset[str], tuple[Form, Verdict]] = {}
        for form in self.forms(derived):
            verdict = judged(derived, form.action)
            if verdict.status == "illegal":
                why.setdefault(frozenset(verdict.rules), (form, verdict))
        least = [why[rules] for rules in why if not any(other < rules for other in why)][:MOST_FORMS]
        self.stand_ins = tuple(form for form, _ in least)
        return tuple(verdict.refusals for _, verdict in least)

    def verdicts(self, derived: Derived) -> list[Verdict]:
        """Judge the stand-ins in a position, as long as the search may.

        Where their row is full already nothing needs to be placed.
        """
        row = self.row
        full = row is not None and all(derived.position.players[self.name].row(row))
        found = []
        for form in self.stand_ins:
            action = form.action
            if full and isinstance(action, SpiritActionDone) and action.place is not None:
                action = replace(action, place=None)
            verdict = self.judge(derived, action)
            if verdict is not None:
                found.append(verdict)
        return found

    def _refused(self, position: Position) -> Refused:
        return tuple(verdict.refusals for verdict in self.verdicts(Derived(position, self.cards)))

    def wanted(self, position: Position, refused: Refused) -> frozenset[str]:
        """Find out which parts of a position the refusals hang on, by trying the deed with other ones.

        With plenty of all that is the player's own it may be legal where the figure stands, or elsewhere.
        Where it is neither, something on the board must change, or nothing helps.

        Args:
            position: the position.
            refused: why the stand-ins are refused in it.
        """
        rich = with_plenty(position, self.name, self.row)
        at_best = self._refused(rich)
        helps = self._own_parts(position, refused)
        if () not in at_best and not self._elsewhere(rich):
            return helps | BOARD if self._on_another_board(rich, at_best) else frozenset()
        if all(why == () for why in at_best):
            return helps
        return helps | BOARD if self._on_another_board(rich, at_best) else helps | {"figures"}

    def _elsewhere(self, rich: Position) -> bool:
        """Tell whether a form is legal for a figure that stands somewhere else."""
        player = rich.players[self.name]
        return any(
            () in self._refused(rich.with_player(replace(player, at=space)))
            for space in SPACES
            if space != player.at
        )

    def _on_another_board(self, rich: Position, at_best: Refused) -> bool:
        """Tell whether a refusal goes away with something on the board."""
        team = rich.players[self.name].team
        return any(
            len(now) < len(then)
            for other in with_other_board(rich, team, self.cards)
            for now, then in zip(self._refused(other), at_best, strict=False)
        )

    def _own_parts(self, position: Position, refused: Refused) -> frozenset[str]:
        return frozenset(part for part in OWN if self._hangs_on(part, position, refused))

    def _hangs_on(self, part: str, position: Position, refused: Refused) -> bool:
        now = self._refused(with_plenty(position, self.name, self.row, part))
        # A form that places its token wants no other one.
        return any(
            after != before and not (part == "tokens" and form.cards)
            for form, before, after in zip(self.stand_ins, refused, now, strict=False)
        )
