"""Pieces under a finger: what is taken, where it may come to lie, and what the link is told then."""

from dataclasses import dataclass, field
from typing import Any

from companion.ui.link import UiLink
from companion.ui.pieces import Box, Fields, home_of, without
from companion.ui.tray import HAND, STOCK

SLOP_DP = 9.0
"""A finger that stays within this is a tap (Android's touch slop is 8 dp)."""


@dataclass(slots=True)
class Carry:
    """A piece under a finger."""

    uid: str
    home: str | None
    """The bus space it was taken from; None off the table."""
    start: tuple[float, float]
    moving: bool = False
    target: str | None = None


@dataclass(slots=True)
class Hands:
    """Lays pieces by telling the link, and remembers which copy was lifted from where."""

    link: UiLink
    box: Box
    last: dict[str, str] = field(default_factory=dict)
    """The piece last taken off a bus space, by that space."""

    def take(self, uid: str, start: tuple[float, float], fields: Fields) -> Carry:
        """Put a finger on a piece."""
        return Carry(uid, home_of(uid, fields), start)

    def allowed(self, uid: str, target: str | None) -> str | None:
        """Return `target` if that piece may lie there: figures on the Spirit path, tokens off the board."""
        if target is None:
            return None
        kind = target.partition("/")[0]
        family = self.box.family(uid)
        if kind == "spirit" and family != "spirit":
            return None
        if kind == "slot" and family != "emotion":
            return None
        return target

    def drop(self, carry: Carry) -> bool:
        """Let a piece go over `carry.target`; tell whether anything changed."""
        target = carry.target
        if target is None or target == carry.home:
            return False
        fields = self.link.fields()
        if carry.home is not None:
            self.last[carry.home] = carry.uid
            self.link.lay(carry.home, without(fields.get(carry.home, ()), carry.uid))
        if target not in {HAND, STOCK}:
            self.link.lay(target, (*fields.get(target, ()), carry.uid))
        return carry.home is not None or target not in {HAND, STOCK}

    def put(self, space: str, uids: tuple[str, ...]) -> None:
        """Make `uids` all that lies on a space, taking them from where they are."""
        fields = self.link.fields()
        for uid in uids:
            home = home_of(uid, fields)
            if home is not None and home != space:
                self.link.lay(home, without(fields[home], uid))
        self.link.lay(space, uids)


def device_of(touch: Any) -> str:
    """Return the provider that reports a touch."""
    return str(getattr(touch, "device", ""))
