"""What an action looks like from outside, and whether anything else would look the same."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.rules.actions import Action, Place, Quell, SpiritActionDone
from companion.rules.boards import own_row
from companion.rules.cards import Catalogue
from companion.rules.engine import check, legal_actions
from companion.rules.position import Position
from companion.rules.upgrades import subsets
from companion.rules.verdict import Cost
from companion.table.layout import Layout, layout_of


@dataclass(frozen=True, slots=True)
class Meant:
    """An action that somebody does."""

    before: Position
    action: Action
    after: Position
    cost: Cost

    @property
    def player(self) -> str:
        """Who does it."""
        return self.action.player or self.before.turn.player

    @property
    def place(self) -> Place | None:
        """The Vibe token placed with it."""
        return getattr(self.action, "place", None)

    @property
    def reveal(self) -> str | None:
        """The card shown for it."""
        return self.action.reveal if isinstance(self.action, Quell) else None


def meant(before: Position, action: Action, cards: Catalogue) -> Meant:
    """Return an action as somebody with sense would do it: as cheaply as the same can be had."""
    verdict = check(before, action, cards)
    found = Meant(before, action, verdict.after or before, verdict.cost)
    if not isinstance(action, SpiritActionDone):
        return found
    player = before.players[action.player or before.turn.player]
    row = own_row(player, type(action).__name__.lower(), cards)
    names = tuple(upgrade.name for upgrade in row.upgrades)
    wanted, best = _but_for_cost(found), found
    for upgrades in sorted(subsets(names), key=len):
        verdict = check(before, replace(action, upgrades=upgrades), cards)
        if verdict.status == "legal" and verdict.after is not None:
            other = Meant(before, replace(action, upgrades=upgrades), verdict.after, verdict.cost)
            dearer = not _no_dearer(other.cost, best.cost)
            if not dearer and other.cost != best.cost and _but_for_cost(other) == wanted:
                best = other
    return best


def _but_for_cost(it: Meant) -> Position:
    player = it.after.players[it.player]
    team = it.after.teams[player.team]
    player = replace(
        player, willpower=player.willpower + it.cost.willpower, essence=player.essence + it.cost.essence
    )
    return it.after.with_player(player).with_team(
        player.team, replace(team, ambition=team.ambition + it.cost.ambition)
    )


def _no_dearer(one: Cost, two: Cost) -> bool:
    return one.willpower <= two.willpower and one.essence <= two.essence and one.ambition <= two.ambition


def outside(layout: Layout, spaces: Sequence[str]) -> dict[str, object]:
    """Return what readers can see of a layout."""
    return {space: layout[space] for space in spaces if layout.get(space)}


def alike(it: Meant, spaces: Sequence[str], cards: Catalogue) -> Iterator[Meant]:
    """Yield every legal action that pieces could not tell from this one, none that costs more for the same.

    Args:
        it: what is meant.
        spaces: those with a reader.
        cards: the printed values.
    """
    seen = outside(layout_of(it.after, cards), spaces)
    pads = any(space.startswith("pad/") for space in spaces)
    found: list[Meant] = []
    for action, verdict in legal_actions(it.before, cards, placing=it.place is not None):
        if verdict.after is None or outside(layout_of(verdict.after, cards), spaces) != seen:
            continue
        other = Meant(it.before, action, verdict.after, verdict.cost)
        if pads and (other.reveal != it.reveal or _discard(other) != _discard(it)):
            continue
        found.append(other)
    for other in found:
        if not any(
            better is not other
            and type(better.action) is type(other.action)
            and _no_dearer(better.cost, other.cost)
            and (better.cost != other.cost or _uses(better) < _uses(other))
            and _but_for_cost(better) == _but_for_cost(other)
            for better in found
        ):
            yield other


def is_plain(it: Meant, spaces: Sequence[str], cards: Catalogue) -> bool:
    """Tell whether pieces can only mean this: nothing else looks so, and it costs no Ambition (0003)."""
    afters = {id(other.after): other for other in alike(it, spaces, cards)}
    others = [other for other in afters.values() if other.after != it.after]
    return not others and not it.cost.ambition


def _discard(it: Meant) -> str | None:
    return None if it.place is None else it.place.discard


def _uses(it: Meant) -> int:
    return len(getattr(it.action, "upgrades", ()))
