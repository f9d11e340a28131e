"""How far a Spirit reaches, and what is kept out of its reach by another one's power (R-POWER-6)."""

from collections.abc import Iterable, Mapping
from typing import Final

from companion.rules.areas import AROUND_FIGURE
from companion.rules.board import SLOTS, SPHERES, slots_beside, spheres_beside
from companion.rules.cards import Catalogue
from companion.rules.effects import Chosen, InvokesFromSupply, Protects, Reaches
from companion.rules.position import Player, Position
from companion.rules.powers import Source, in_force, spirits_have_powers

_IN_RING_ORDER: Final = {
    area_and_space: tuple(slot for slot in SLOTS if slot in slots)
    for area_and_space, slots in AROUND_FIGURE.items()
}


def of_spirit(position: Position, player: Player, kind: type[Chosen], cards: Catalogue) -> tuple[Chosen, ...]:
    """Return the effects of one kind that the power of a player's own Spirit has, none while it is off."""
    found = cards.powers.of(kind).get(player.spirit or "", ())
    if not found or not spirits_have_powers(position):
        return ()
    return tuple(effect for _, effect in found)


def slots_reached(
    position: Position, player: Player, action: str, cards: Catalogue, used: Iterable[Reaches] = ()
) -> tuple[str, ...]:
    """Return the slots that a player's Action can be aimed at, in ring order.

    Args:
        position: the position.
        player: who acts.
        action: `invoke`, `quell`, `empower` or `land`.
        cards: the printed values.
        used: what the upgrades used add.
    """
    reaching = [
        effect.area
        for effect in (*of_spirit(position, player, Reaches, cards), *used)
        if effect.action == action
    ]
    if "anywhere" in reaching:
        return SLOTS
    if player.at is None:
        return ()
    if not reaching:
        return slots_beside(player.at)
    reached = {slot for area in ("beside", *reaching) for slot in _IN_RING_ORDER[area, player.at]}
    return tuple(slot for slot in SLOTS if slot in reached)


def spheres_reached(position: Position, player: Player, cards: Catalogue) -> Mapping[str, bool]:
    """Return the Spheres that a player can absorb from, the adjacent ones first (R-ABS-4).

    Returns:
        By Sphere: whether the Fortress beside it joins the Identity when it is emptied (R-REV-6).
    """
    if player.at is None:
        return {}
    adjacent = spheres_beside(player.at, position.origin.facing)
    reached = dict.fromkeys(adjacent, True)
    for effect in of_spirit(position, player, Reaches, cards):
        if effect.action == "absorb":
            for sphere in adjacent:
                for further in _next_on_the_origin(sphere):
                    reached.setdefault(further, effect.fortress)
    return reached


def _next_on_the_origin(sphere: str) -> tuple[str, str]:
    i = SPHERES.index(sphere)
    return SPHERES[i - 1], SPHERES[(i + 1) % len(SPHERES)]


def protector(position: Position, player: Player, action: str, slot: str, cards: Catalogue) -> Source | None:
    """Return who keeps a player's Action away from the Emotion in a slot, None where nobody does.

    Args:
        position: the position.
        player: who acts.
        action: the row of the Spirit board.
        slot: what it is aimed at.
        cards: the printed values.
    """
    found = cards.powers.of(Protects)
    target = position.slots.get(slot)
    if not found or target is None:
        return None
    team = cards.cards[target.name].team
    if team == player.team:
        return None
    for one in in_force(position, found, cards):
        guards = action in one.effect.actions and one.source.team == team
        if guards and one.source.reaches(one.effect.area, slot):
            return one.source
    return None


def supplied(position: Position, player: Player, cards: Catalogue) -> Mapping[str, int]:
    """Return what a player may invoke out of the supply: by title, how many may lie on the board at most."""
    return {effect.emotion: effect.most for effect in of_spirit(position, player, InvokesFromSupply, cards)}
