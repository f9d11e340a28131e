"""Revelations: a Sphere has been emptied (R-REV-1 to R-REV-22, R-END-2, R-END-3).

Whatever needs no choice is done at once; what people must show or choose waits in `turn.pending`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.rules.aspirations import Count, count
from companion.rules.board import TEAMS, Team, other_team, realm_faced, turned
from companion.rules.cards import Catalogue
from companion.rules.ending import CAPPED_AFTER_ALL, is_triggered
from companion.rules.position import SPHERE_FULL, Pending, Position
from companion.rules.reach import spheres_reached
from companion.rules.verdict import Missing


def origin_turned(position: Position) -> Position:
    """Return the position with the Origin one step further (R-ORIGIN-5)."""
    return replace(position, origin=replace(position.origin, facing=turned(position.origin.facing)))


def begun(position: Position, cards: Catalogue) -> Position:
    """Begin a Revelation: a Hidden Aspiration that nobody knows must be shown first (R-REV-2).

    Args:
        position: after the Absorb's income and bonus, the Sphere empty (R-REV-22).
        cards: the printed values.
    """
    unknown = tuple(Pending("reveal", team) for team in TEAMS if position.teams[team].aspiration is None)
    if unknown:
        return position.with_pending((*unknown, *_powers_open(position)))
    return resolved(position, cards)


# What the teams accomplished


def _checks(position: Position, team: Team) -> Iterator[str]:
    """Yield what a team can accomplish: its Hidden Aspiration, the Common one (R-REV-3, R-REV-4)."""
    hidden = position.teams[team].aspiration
    if hidden is not None:
        yield hidden
    if position.common:
        yield position.common[0]


def _undecided(position: Position, team: Team, cards: Catalogue) -> Iterator[Count]:
    for aspiration in _checks(position, team):
        counted = count(position, aspiration, cards)
        if counted.led_by(team) is None:
            yield counted


def missing(position: Position, cards: Catalogue) -> tuple[Missing, ...]:
    """Return what must be known before a Revelation in this position can be resolved."""
    found = [item for team in TEAMS for c in _undecided(position, team, cards) for item in c.missing]
    if position.common is None:
        found.append(Missing("aspirations", "common"))
    return tuple(dict.fromkeys(found))


def accomplished(position: Position, team: Team, cards: Catalogue) -> int:
    """Count the Aspirations that a team accomplishes as the board lies: 0 to 2 (R-REV-3)."""
    return sum(bool(count(position, name, cards).led_by(team)) for name in _checks(position, team))


# Fragments


@dataclass(frozen=True, slots=True)
class _Added:
    """The position with the Fragments of a Revelation in the Identity, and what came of it."""

    position: Position
    majors: frozenset[Team]
    """The teams that earned a Major Fragment, for step 4b (R-REV-12)."""


def _fragments_added(position: Position, won: dict[Team, int], sphere: str | None) -> _Added:
    """Add the Fragments in their order: Aspirations, the Fortress, a Capping one (R-REV-9).

    One Aspiration brings a Minor Fragment, both of them a Major one instead (R-REV-5).
    """
    majors: set[Team] = set()
    capping = []
    for team in TEAMS:
        if not won[team]:
            continue
        state, major = position.teams[team], won[team] > 1
        if (state.major if major else state.minor) < 1:
            capping.append(team)
            continue
        left = replace(state, minor=state.minor - (not major), major=state.major - major)
        position = _on_top(position.with_team(team, left), f"{team} {'major' if major else 'minor'}")
        if major:
            majors.add(team)
    if sphere is not None:
        position, of_major = _fortress_moved(position, won, realm_faced(sphere, position.origin.facing))
        if of_major is not None and position.rulings.get("fortress-counts-as-major", False):
            majors.add(of_major)
    return _Added(_capped(position, capping), frozenset(majors))


def _on_top(position: Position, fragment: str) -> Position:
    return replace(position, identity=(*position.identity, fragment))


def _fortress_moved(position: Position, won: dict[Team, int], realm: str) -> tuple[Position, Team | None]:
    """Move the Fortress beside the emptied Sphere to the Identity (R-REV-6 to R-REV-8; fortress-to-identity).

    Returns:
        The position, and the owner of the Fortress where it was a Major Fragment that moved.
    """
    fortress = position.fortresses.get(realm)
    if fortress is None or fortress.this_turn:
        return position, None
    always = position.rulings.get("fortress-to-identity", "always") == "always"
    if not always and not won[fortress.team]:
        return position, None
    left = {name: f for name, f in position.fortresses.items() if name != realm}
    position = _on_top(replace(position, fortresses=left), f"{fortress.team} {fortress.fragment}")
    return position, fortress.team if fortress.fragment == "major" else None


def _capped(position: Position, teams: list[Team]) -> Position:
    """Close the Identity for a team that had no Fragment left to add (R-REV-10, R-END-2, R-END-3)."""
    if not teams:
        return position
    [capping] = teams if len(teams) == 1 else [position.actor.team]
    if len(teams) > 1:
        other = other_team(capping)
        state = position.teams[other]
        position = position.with_team(other, replace(state, points=state.points + CAPPED_AFTER_ALL))
    return _on_top(position, f"{capping} capping")


# The rest of it


def _emptied(position: Position, cards: Catalogue) -> tuple[str | None, bool]:
    """Return the emptied Sphere, and whether the Fortress beside it joins the Identity (R-POWER-6).

    It is the one in reach of the figure that absorbed, which has not moved since.
    """
    reached = spheres_reached(position, position.actor, cards)
    emptied = (found for found in reached.items() if not position.origin.willpower[found[0]])
    return next(emptied, (None, False))


def _refilled(position: Position, sphere: str | None) -> Position:
    if sphere is None:
        return position
    willpower = {**position.origin.willpower, sphere: SPHERE_FULL}
    return replace(position, origin=replace(position.origin, willpower=willpower))


def resolved(position: Position, cards: Catalogue) -> Position:
    """Do all that needs no choice, both Hidden Aspirations known, and list the choices that are left.

    Args:
        position: the Sphere empty, the Origin not turned yet.
        cards: the printed values.
    """
    sphere, takes_fortress = _emptied(position, cards)
    won = {team: accomplished(position, team, cards) for team in TEAMS}
    added = _fragments_added(position, won, sphere if takes_fortress else None)
    position = added.position
    if position.common is not None:
        position = replace(position, common=position.common[1:])
    for team in TEAMS:
        # What is drawn anew nobody has shown (R-REV-16, R-REV-18).
        position = position.with_team(team, replace(position.teams[team], aspiration=None))
    position = origin_turned(_refilled(position, sphere))
    return position.with_pending((*_choices(position, won, added.majors), *_powers_open(position)))


def _powers_open(position: Position) -> tuple[Pending, ...]:
    """Return the open choices in powers: a Revelation leaves them as they are."""
    return tuple(item for item in position.turn.pending if item.action == "power")


def _choices(position: Position, won: dict[Team, int], majors: frozenset[Team]) -> Iterator[Pending]:
    """Yield what teams choose: a Common Aspiration to take out, the next Hidden one (R-REV-12, R-REV-17).

    Nobody is asked for a goal once the current turn is the last one.
    """
    for team in TEAMS:
        if other_team(team) in majors and position.common:
            yield Pending("return-common", team)
    for team in TEAMS:
        if not won[team] and not is_triggered(position):
            yield Pending("keep-hidden", team)
