"""Control counted anew by slot numbers (R-BOARD-9, R-CTRL-*), apart from `companion.rules.control`."""

from companion.rules.board import REALMS, SLOTS, Team
from companion.rules.cards import Catalogue
from companion.rules.position import Position

RING = SLOTS[1:] + SLOTS[:1]
"""Slots by number: Frontier f owns 3f+1, Realm r owns 3r-1 and 3r (R-BOARD-9)."""


def _weights(position: Position, cards: Catalogue) -> list[tuple[str, int] | None]:
    found: list[tuple[str, int] | None] = []
    for slot in RING:
        emotion = position.slots.get(slot)
        if emotion is None:
            found.append(None)
            continue
        card = cards.cards[emotion.name]
        assert card.intensity is not None
        found.append((card.team, card.intensity[emotion.essence - 1] + emotion.intensity_token))
    return found


def _higher(bliss: int, gloom: int) -> Team | None:
    if bliss == gloom:
        return None
    return "bliss" if bliss > gloom else "gloom"


def frontier_by_number(position: Position, f: int, cards: Catalogue) -> Team | None:
    """Return who holds the Frontier number `f`; every Intensity must be known."""
    weights = [w for w in _weights(position, cards)[3 * f : 3 * f + 3] if w]
    teams = {team for team, _ in weights}
    if teams == {"bliss"}:
        return "bliss"
    if teams == {"gloom"}:
        return "gloom"
    return _higher(sum(n for t, n in weights if t == "bliss"), sum(n for t, n in weights if t == "gloom"))


def realm_by_number(position: Position, r: int, cards: Catalogue) -> Team | None:
    """Return who holds the Realm number `r`; every Intensity must be known."""
    weights = _weights(position, cards)
    sums = {"bliss": 0, "gloom": 0}
    for inner, outer in ((3 * r - 1, 3 * r - 2), (3 * r, 3 * r + 1)):
        near, far = weights[inner % 15], weights[outer % 15]
        if near:
            sums[near[0]] += near[1]
        if far and not (near and near[0] != far[0]):
            sums[far[0]] += far[1]
    fortress = position.fortresses.get(REALMS[r])
    if fortress:
        sums[fortress.team] += 1 if fortress.fragment == "minor" else 2
    return _higher(sums["bliss"], sums["gloom"])
