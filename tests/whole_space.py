"""The whole finite space of actions, built without a thought about what is allowed.

It knows the `do` tables of the contracts and the names there are, nothing of the rules and nothing of
`companion.rules.choices`: whatever could be said is in it. Held against `check` it tells slowly
what is legal.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, combinations, product

from companion.rules.actions import (
    Action,
    Empower,
    Fortify,
    Invoke,
    Move,
    Place,
    Quell,
    SpiritActionDone,
)
from companion.rules.board import REALMS, SLOTS, SPACES
from companion.rules.cards import Catalogue
from companion.rules.derived import Derived
from companion.rules.effects import InvokesFromSupply
from companion.rules.engine import judged
from companion.rules.position import HIDDEN, ROWS, Position
from companion.scenario.notation import position_to
from tests.strategies import plain_space

Targets = tuple[SpiritActionDone, ...]


def nameable(position: Position, cards: Catalogue) -> tuple[str, ...]:
    """Return the titles that the player to act could think of naming.

    With an unknown card in the hand those are all of the deck, or all Mild ones of the team where nobody told
    what the deck is made of; otherwise those in the hand. What the Spirit's power takes out of the supply is
    one of them. What else there is to name is refused for that alone, which `strangers` is there to show.
    """
    hand, team = position.actor.hand, position.actor.team
    own = [c.name for c in cards.cards.values() if c.team == team and c.strength == "mild"]
    own = list(position.actor.deck or own)
    known = [t for t in hand if t != HIDDEN] + (own if HIDDEN in hand else [])
    return tuple(dict.fromkeys((*known, *_supplied(position, cards))))


def _supplied(position: Position, cards: Catalogue) -> tuple[str, ...]:
    power = cards.spirits[position.actor.spirit].power if position.actor.spirit else None
    effects = () if power is None else power.effects
    return tuple(effect.emotion for effect in effects if isinstance(effect, InvokesFromSupply))


def strangers(position: Position, cards: Catalogue) -> tuple[str, ...]:
    """Return a title of each kind that the player to act can hardly hold.

    A Mild one of the own team that is not known to be in the hand, a Strong and a Starting one of the own
    team, a Mild one of the other team.
    """
    hand, team = position.actor.hand, position.actor.team
    kinds = {
        (c.team == team, c.strength): c.name
        for c in cards.cards.values()
        if c.name not in (*hand, *_supplied(position, cards)) and (c.team == team or c.strength == "mild")
    }
    return tuple(kinds.values())


def _own_rows(position: Position, cards: Catalogue) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the upgrades by row, of the side of the Spirit board that the player to act has."""
    player = position.actor
    told = cards.spirits[player.spirit].side_b if player.spirit and player.side == "b" else {}
    rows = {row: told.get(row, cards.rows[row]) for row in ROWS}
    return tuple((name, tuple(upgrade.name for upgrade in row.upgrades)) for name, row in rows.items())


def _says_enough(action: Action, position: Position) -> bool:
    """Tell whether a Move names whom to trade spaces with only where several figures stand."""
    if not isinstance(action, Move) or action.trade_with is None:
        return True
    there = [p for p in position.players.values() if p.at == action.to and p != position.actor]
    return len(there) > 1


def _targets(row: str, titles: tuple[str, ...], names: tuple[str, ...]) -> Targets:
    found: dict[str, list[SpiritActionDone]] = {
        "move": [Move(space, name) for space in SPACES for name in (None, *names)],
        "invoke": [Invoke(title, slot) for title in titles for slot in SLOTS],
        "quell": [Quell(slot, title) for title in (None, *titles) for slot in SLOTS],
        "fortify": [Fortify(realm) for realm in REALMS],
        "empower": [Empower(slot) for slot in SLOTS],
    }
    return tuple(found[row])


def _choices_of(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(chain.from_iterable(combinations(names, n) for n in range(len(names) + 1)))


@cache
def spirit_space(
    titles: tuple[str, ...], rows: tuple[tuple[str, tuple[str, ...]], ...], names: tuple[str, ...] = ()
) -> Targets:
    """Return every Spirit Action: all targets, all choices of upgrades, all tokens placed.

    A Quell with Extinguish shows nothing: the list of legal actions leaves out the card shown in vain.

    Args:
        titles: the titles that may be named.
        rows: the upgrades by row.
        names: the other players, for whoever can trade spaces.
    """
    places = [None, *(Place(title, space) for title in titles for space in (1, 2, 3, 4))]
    return tuple(
        replace(target, upgrades=upgrades, place=place)
        for row, own in rows
        for place, upgrades, target in product(places, _choices_of(own), _targets(row, titles, names))
        if not (isinstance(target, Quell) and target.reveal and "extinguish" in upgrades)
    )


def whole_space(
    position: Position, cards: Catalogue, titles: tuple[str, ...] | None = None
) -> Iterator[Action]:
    """Yield everything that the player to act could say, on some titles; after the end nobody acts.

    Args:
        position: whose turn it is; amounts go somewhat over what that player has.
        cards: the printed values.
        titles: what may be named; None: see `nameable`.
    """
    if position.result is not None:
        return
    yield from plain_space(position)
    others = tuple(name for name in position.players if name != position.turn.player)
    named = nameable(position, cards) if titles is None else titles
    space = spirit_space(named, _own_rows(position, cards), others if position.actor.side == "b" else ())
    yield from (action for action in space if _says_enough(action, position))


def slow_legal(
    position: Position, cards: Catalogue, titles: tuple[str, ...] | None = None
) -> list[tuple[Action, Position]]:
    """Return every legal action with the position after it: the whole space, judged one by one."""
    found, derived = [], Derived(position, cards)
    for action in whole_space(position, cards, titles):
        after = judged(derived, action).after
        if after is not None:
            found.append((action, after))
    return found


def slow_leaves(position: Position, cards: Catalogue, depth: int, known: dict[str, int] | None = None) -> int:
    """Count the lines of `depth` legal actions, by the whole space.

    Args:
        position: where they start.
        cards: the printed values.
        depth: 0 or more.
        known: counts made before; many lines meet in one position.
    """
    if depth == 0:
        return 1
    counted = {} if known is None else known
    key = f"{depth} {json.dumps(position_to(position), sort_keys=True)}"
    if key not in counted:
        derived = Derived(position, cards)
        legal = (v for a in whole_space(position, cards) if (v := judged(derived, a)).status == "legal")
        counted[key] = sum(
            1 if depth == 1 or v.after is None else slow_leaves(v.after, cards, depth - 1, counted)
            for v in legal
        )
    return counted[key]
