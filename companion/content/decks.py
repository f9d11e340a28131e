"""Ready-made Emotion decks (R-SETUP-7 to R-SETUP-9)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from companion.content.catalogue import catalogue, team_of
from companion.content.errors import ContentError
from companion.content.tables import records
from companion.rules.board import Team
from companion.rules.setup import deck_faults


@dataclass(frozen=True, slots=True)
class Deck:
    """What a player's Emotion deck is made of."""

    name: str
    team: Team
    titles: tuple[str, ...]
    """Eight, two copies of each."""


@cache
def decks() -> Mapping[str, Deck]:
    """Return the ready-made decks by name.

    Raises:
        ContentError: the data file is broken.
    """
    found = {}
    for name, record in records("decks.toml"):
        record.only("team", "titles", "source", "confidence")
        team = team_of(record)
        titles = record.data.get("titles")
        if not isinstance(titles, list):
            raise record.wrong("titles", "must be a list of titles")
        for _, problem in deck_faults(titles, team, catalogue()):
            raise ContentError("decks.toml", f"{name}.titles", problem)
        found[name] = Deck(name, team, tuple(titles))
    return MappingProxyType(found)
