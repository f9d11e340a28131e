"""Fragments that go back to their owner: a Fortress goes down (R-FORT-10)."""

from dataclasses import replace

from companion.rules.position import Position


def lowered(position: Position, realm: str) -> Position:
    """Take the Fortress of a Realm one step down, or away (R-FORT-10; rulings: raze-major).

    A Major Fragment whose owner has no Minor one left goes away altogether (OQ-11).

    Args:
        position: a position with a Fortress in that Realm.
        realm: the Realm.
    """
    standing = position.fortresses[realm]
    owner = position.teams[standing.team]
    fortresses = {name: f for name, f in position.fortresses.items() if name != realm}
    if standing.fragment == "minor":
        owner = replace(owner, minor=owner.minor + 1)
    else:
        owner = replace(owner, major=owner.major + 1)
        if position.rulings.get("raze-major", "to-minor") == "to-minor" and owner.minor:
            owner = replace(owner, minor=owner.minor - 1)
            fortresses[realm] = replace(standing, fragment="minor")
    return replace(position.with_team(standing.team, owner), fortresses=fortresses)
