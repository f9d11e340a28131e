"""The cheapest way out where no Spirit Action was refused: another amount or token, or a Move before it."""

from collections.abc import Iterator
from dataclasses import replace

from companion.rules.actions import Absorb, Ambition, EndTurn, Land, Move, Network, PlainDone, Willow
from companion.rules.cards import Catalogue
from companion.rules.choices import free_tokens, spirit_choices
from companion.rules.derived import Derived
from companion.rules.engine import check, legal_among
from companion.rules.position import Position
from companion.rules.verdict import Cost, Remedy, Verdict
from companion.rules.words import cost_words, naming, person, space_words, title


def plain_remedy(position: Position, action: PlainDone, cards: Catalogue) -> Remedy | None:
    """Find the way out for an action that is no Spirit Action and that something forbids.

    Args:
        position: the position.
        action: what was refused.
        cards: the printed values.
    """
    for other in _nearest(position, action, cards):
        verdict = check(position, other, cards)
        if verdict.status == "legal":
            return Remedy(other, verdict.cost, f"{_says(other, position, verdict.cost)}.")
    if isinstance(action, Land | Network | Absorb):
        return _move_first(position, action, cards)
    return None


def _nearest(position: Position, action: PlainDone, cards: Catalogue) -> Iterator[PlainDone]:
    """Yield the same deed with as little as possible changed, the least change first."""
    if isinstance(action, EndTurn):
        yield replace(action, gain="cards" if action.gain == "ambition" else "ambition")
    elif isinstance(action, Willow):
        most = min(action.amount - 1, position.actor.willpower)
        yield from (replace(action, amount=amount) for amount in range(most, 0, -1))
    elif isinstance(action, Land):
        most = min(action.essence - 1, position.actor.essence)
        yield from (replace(action, essence=essence) for essence in range(most, 0, -1))
    elif isinstance(action, Absorb | Ambition):
        yield from _other_tokens(position, action, cards)
        if isinstance(action, Absorb) and action.bonus:
            yield replace(action, bonus=False, token=None)


def _other_tokens(
    position: Position, action: Absorb | Ambition, cards: Catalogue
) -> Iterator[Absorb | Ambition]:
    """Yield the same with another token of its row, one change before two."""
    asked = action.token
    if asked is None:
        return
    tokens = [token for token in free_tokens(position.actor, cards) if token.row == asked.row]
    tokens.sort(key=lambda token: (token.space != asked.space) + (token.vibe != asked.vibe))
    yield from (replace(action, token=token) for token in tokens)


def _says(other: PlainDone, position: Position, cost: Cost) -> str:
    if isinstance(other, EndTurn):
        return "Draw cards instead" if other.gain == "cards" else "Take 1 Ambition instead"
    return f"{naming(other, position)}: {spent(cost)}"


def _move_first(position: Position, action: Land | Network | Absorb, cards: Catalogue) -> Remedy | None:
    """Find the cheapest Move after which the action is legal as it was asked for."""
    if not isinstance(action, Absorb) and position.turn.actions_left < 2:
        return None
    found: list[tuple[int, int, int, int, Move, Cost]] = []
    for step, moved in moves(position, cards):
        then = None if moved.after is None else check(moved.after, action, cards)
        if then is not None and then.status == "legal":
            cost = added_up(moved.cost, then.cost)
            found.append((cost.ambition, cost.willpower, cost.essence, len(found), step, cost))
    if not found:
        return None
    *_, step, cost = min(found, key=lambda way: way[:4])
    return Remedy(step, cost, f"{first_words(position, step)}: {spent(cost)} in all.")


def moves(position: Position, cards: Catalogue) -> Iterator[tuple[Move, Verdict]]:
    """Yield the legal Moves that need no new Vibe token."""
    derived = Derived(position, cards)
    for step, verdict in legal_among(derived, spirit_choices(derived, "move", placing=False)):
        if isinstance(step, Move):
            yield step, verdict


def added_up(first: Cost, second: Cost) -> Cost:
    """Return what two actions cost together."""
    return Cost(
        first.willpower + second.willpower, first.essence + second.essence, first.ambition + second.ambition
    )


def first_words(position: Position, step: Move) -> str:
    """Say that a Move would help: "Diana could move to the Cradle with Haste first"."""
    manner = " with " + " and ".join(title(name) for name in step.upgrades) if step.upgrades else ""
    return f"{person(position.actor.name)} could move to the {space_words(step.to)}{manner} first"


def spent(cost: Cost) -> str:
    """Return a cost as part of a sentence: "3 Willpower and 1 Ambition"."""
    return cost_words(cost).replace(", ", " and ") if cost != Cost() else "it costs nothing"
