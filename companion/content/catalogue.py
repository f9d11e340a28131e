"""The printed values as the rules take them, read from the data files once."""

from functools import cache
from types import MappingProxyType
from typing import Final

from companion.content.errors import ContentError
from companion.content.tables import Record, records
from companion.rules.board import TEAMS, Team
from companion.rules.cards import Card, Catalogue, Spirit, SpiritAction, Strength, Upgrade
from companion.rules.position import ROWS

VIBES: Final = ("red", "yellow", "green", "blue")
"""The colours of the Vibes (R-COMP-11)."""

_STRENGTHS: Final[tuple[Strength, ...]] = ("mild", "strong", "starting")
_PROVENANCE: Final = ("source", "confidence", "field_confidence")


def team_of(record: Record) -> Team:
    """Return the team that a record names.

    Raises:
        ContentError: it names none.
    """
    name = record.text("team", TEAMS)
    return next(team for team in TEAMS if team == name)


def _card(name: str, record: Record) -> Card:
    record.only(
        "team", "strength", "vibe", "intensity", "starting_essence", "empower_threshold", "strong",
        "copies", "power", *_PROVENANCE,
    )  # fmt: skip
    strength = record.text("strength", _STRENGTHS)
    power = record.data.get("power")
    if power is not None and not isinstance(power, dict):
        raise record.wrong("power", "must be a table")
    return Card(
        name=name,
        team=team_of(record),
        strength=next(s for s in _STRENGTHS if s == strength),
        vibe=record.text_or_none("vibe", VIBES),
        intensity=record.numbers_or_none("intensity"),
        empower_threshold=record.number_or_none("empower_threshold", least=1),
        strong=record.text_or_none("strong"),
        copies=record.number_or_none("copies", least=1),
        starting_essence=record.number_or_none("starting_essence", least=1) or 1,
        power=None if power is None else MappingProxyType(power),
    )


def _check_counterparts(cards: dict[str, Card]) -> None:
    """Refuse a counterpart that is not a Strong card of the same team and Vibe."""
    for card in cards.values():
        if card.strong is None:
            continue
        strong = cards.get(card.strong)
        if strong is None or (strong.strength, strong.team, strong.vibe) != ("strong", card.team, card.vibe):
            raise ContentError(
                "cards.toml", f"{card.name}.strong", f"{card.strong!r} is no Strong card of its team and Vibe"
            )


def _upgrade(record: Record) -> Upgrade:
    record.only("name", "willpower", "ambition", *_PROVENANCE)
    record.sourced()
    return Upgrade(record.text("name"), record.number("willpower", least=-1), record.number("ambition"))


def _spirit_action(name: str, record: Record) -> SpiritAction:
    record.only("willpower", "ambition", "full_game_only", "upgrade", *_PROVENANCE)
    upgrades = [_upgrade(table) for table in record.tables("upgrade")]
    if len(upgrades) != 3:
        raise record.wrong("upgrade", "a row has three upgrades")
    return SpiritAction(
        name,
        record.number("willpower"),
        record.number("ambition"),
        (upgrades[0], upgrades[1], upgrades[2]),
    )


def _spirit(name: str, record: Record) -> Spirit:
    record.only("team", "vibe", *_PROVENANCE)
    record.text_or_none("vibe", VIBES)
    return Spirit(name, team_of(record))


@cache
def catalogue() -> Catalogue:
    """Return the printed values of the base game.

    Raises:
        ContentError: a data file is broken: file and key are named.
    """
    cards = {name: _card(name, record) for name, record in records("cards.toml")}
    _check_counterparts(cards)
    rows = {name: _spirit_action(name, record) for name, record in records("actions.toml")}
    if tuple(rows) != ROWS:
        raise ContentError("actions.toml", "whole file", f"the rows must be {', '.join(ROWS)}")
    return Catalogue(
        cards=MappingProxyType(cards),
        spirits=MappingProxyType({name: _spirit(name, record) for name, record in records("spirits.toml")}),
        rows=MappingProxyType(rows),
    )


@cache
def aspirations() -> tuple[str, ...]:
    """Return the titles of the Aspirations (R-COMP-7).

    Raises:
        ContentError: the data file is broken.
    """
    names = []
    for name, record in records("aspirations.toml"):
        record.only("measure", "basic_game", *_PROVENANCE)
        record.text("measure")
        record.flag("basic_game")
        names.append(name)
    return tuple(names)
