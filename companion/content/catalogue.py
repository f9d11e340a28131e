"""The printed values as the rules take them, read from the data files once."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from types import MappingProxyType
from typing import Final, TypeVar

from companion.content.boards import side_b_from
from companion.content.errors import ContentError
from companion.content.powers import Owner, power_from
from companion.content.stated import PowerError
from companion.content.tables import Record, records
from companion.rules.aspirations import MEASURES
from companion.rules.board import REALMS, SPHERES, TEAMS, Team
from companion.rules.cards import (
    Ability,
    Aspiration,
    Card,
    Catalogue,
    RealmAction,
    Sphere,
    Spirit,
    SpiritAction,
    Strength,
    Upgrade,
)
from companion.rules.effects import Gain, Power
from companion.rules.position import ROWS

VIBES: Final = ("red", "yellow", "green", "blue")
"""The colours of the Vibes (R-COMP-11)."""

_STRENGTHS: Final[tuple[Strength, ...]] = ("mild", "strong", "starting")
_PROVENANCE: Final = ("source", "confidence", "field_confidence")

Made = TypeVar("Made")


def team_of(record: Record) -> Team:
    """Return the team that a record names.

    Raises:
        ContentError: it names none.
    """
    name = record.text("team", TEAMS)
    return next(team for team in TEAMS if team == name)


def _power(record: Record, owner: Owner) -> Power | None:
    """Return the power that a record states, None where it has none."""
    return (
        None if "power" not in record.data else _stated(record, "power", lambda data: power_from(data, owner))
    )


def _stated(record: Record, key: str, read: Callable[[object], Made]) -> Made:
    """Return what one table of a record comes to; here such a table always says how sure it is."""
    table = Record(record.file, f"{record.key}.{key}", record.table(key))
    table.sourced()
    try:
        return read(table.data)
    except PowerError as e:
        where = "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in e.path)
        raise ContentError(record.file, f"{table.key}{where}", e.problem) from e


def _card(name: str, record: Record) -> Card:
    record.only(
        "team", "strength", "vibe", "intensity", "starting_essence", "empower_threshold", "strong",
        "copies", "power", *_PROVENANCE,
    )  # fmt: skip
    strength = record.text("strength", _STRENGTHS)
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
        power=_power(record, "card"),
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


def _spirit(name: str, record: Record, rows: Mapping[str, SpiritAction]) -> Spirit:
    record.only("team", "vibe", "power", "side_b", *_PROVENANCE)
    record.text_or_none("vibe", VIBES)
    board = (
        {} if "side_b" not in record.data else _stated(record, "side_b", lambda data: side_b_from(data, rows))
    )
    return Spirit(name, team_of(record), _power(record, "spirit"), board)


def _gain(record: Record) -> Gain | None:
    """Return what a record gives, None where it does not say."""
    if "gain" not in record.data:
        return None
    part = Record(record.file, f"{record.key}.gain", record.table("gain"))
    kinds = tuple(field.name for field in fields(Gain))
    part.only(*kinds)
    return Gain(**{kind: part.number_or_none(kind) or 0 for kind in kinds})


def _realm_action(name: str, record: Record) -> RealmAction:
    record.only("willpower", "gain", *_PROVENANCE)
    return RealmAction(name, record.number("willpower"), _gain(record) or Gain())


def _sphere(name: str, record: Record) -> Sphere:
    record.only("willpower", "gain", *_PROVENANCE)
    return Sphere(name, record.number_or_none("willpower") or 0, _gain(record) or Gain())


def _ability(name: str, record: Record) -> Ability:
    record.only("ambition", "gain", *_PROVENANCE)
    return Ability(name, record.number("ambition"), _gain(record))


def _aspiration(name: str, record: Record) -> Aspiration:
    record.only("measure", "basic_game", *_PROVENANCE)
    return Aspiration(name, record.text("measure", tuple(MEASURES)), record.flag("basic_game"))


def _all(
    file: str, make: Callable[[str, Record], Made], names: tuple[str, ...] | None = None
) -> Mapping[str, Made]:
    """Return every record of a file made into its value; with `names`, exactly those in this order."""
    made = {name: make(name, record) for name, record in records(file)}
    if names is not None and tuple(made) != names:
        raise ContentError(file, "whole file", f"the records must be {', '.join(names)}")
    return MappingProxyType(made)


@cache
def catalogue() -> Catalogue:
    """Return the printed values of the base game.

    Raises:
        ContentError: a data file is broken: file and key are named.
    """
    cards = {name: _card(name, record) for name, record in records("cards.toml")}
    _check_counterparts(cards)
    rows = _all("actions.toml", _spirit_action, ROWS)
    return Catalogue(
        cards=MappingProxyType(cards),
        spirits=_all("spirits.toml", lambda name, record: _spirit(name, record, rows)),
        rows=rows,
        realms=_all("realms.toml", _realm_action, REALMS),
        spheres=_all("spheres.toml", _sphere, SPHERES),
        abilities=_all("abilities.toml", _ability),
        aspirations=_all("aspirations.toml", _aspiration),
    )


def aspirations() -> tuple[str, ...]:
    """Return the titles of the Aspirations (R-COMP-7).

    Raises:
        ContentError: a data file is broken.
    """
    return tuple(catalogue().aspirations)
