"""Pieces: what a component's name says, and what kind of thing it is on the table (contracts, section 6)."""

import re
from functools import cache
from typing import Final, Literal, NamedTuple, cast

from companion.rules.words import title
from companion.table.errors import ComponentError

Kind = Literal["emotion", "spirit", "vibe", "fortress", "staff", "unknown"]

VIBES: Final = ("red", "yellow", "green", "blue", "wild")

_FORMS: Final = (
    re.compile(r"(?P<kind>emotion)/(?P<team>bliss|gloom)/(?P<name>[a-z]+(?:-[a-z]+)*)/(?P<copy>[1-9][0-9]?)"),
    re.compile(r"(?P<kind>spirit)/(?P<name>[a-z]+(?:-[a-z]+)*)"),
    re.compile(rf"(?P<kind>vibe)/(?P<name>{'|'.join(VIBES)})/(?P<copy>[1-9][0-9]?[0-9]?)"),
    re.compile(r"(?P<kind>fortress)/(?P<team>bliss|gloom)/(?P<name>minor|major)/(?P<copy>[1-9][0-9]?)"),
    re.compile(r"(?P<kind>staff)/(?P<copy>[1-9][0-9]?)"),
)


class Piece(NamedTuple):
    """A piece as the rules see it: two copies of a title are equal.

    A tuple rather than a dataclass: each look compares and sorts some hundred of them.
    """

    kind: Kind
    name: str
    """Title, Spirit, colour, `minor` or `major`; the tag's id of an unknown one; "" for staff."""
    team: str = ""
    """For Emotions and Fortresses."""
    note: str = ""
    """What an unknown one is called, where more is known of it than its tag's id."""

    @property
    def words(self) -> str:
        """What people call it, in the middle of a sentence."""
        if self.kind == "emotion":
            return title(self.name)
        if self.kind == "spirit":
            return f"the figure of {title(self.name)}"
        if self.kind == "vibe":
            return f"a {self.name} Vibe token"
        if self.kind == "fortress":
            return f"a {title(self.team)} {title(self.name)} Fragment"
        return "a staff card" if self.kind == "staff" else self.note or f"an unknown tag ({self.name})"


@cache
def piece(component: str) -> Piece:
    """Return the piece that a component's name stands for.

    Raises:
        ComponentError: no component is written like this. Whether a title exists is not looked at.
    """
    for form in _FORMS:
        if match := form.fullmatch(component):
            parts = match.groupdict()
            kind = cast("Kind", parts["kind"])
            return Piece(kind, parts.get("name") or "", parts.get("team") or "")
    raise ComponentError(
        component,
        "is no component: write emotion/bliss/kindness/1, spirit/harmony, vibe/red/1, "
        "fortress/bliss/minor/1 or staff/1",
    )


def unknown(uid: str, note: str = "") -> Piece:
    """Return the piece that a tag nobody registered stands for; `note` says in words what it is."""
    return Piece("unknown", uid, note=note)
