"""Side B of a Spirit board out of plain data (docs/reference/effects.md)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from companion.content.powers import TARGETED, gain_from
from companion.content.stated import PowerError, Stated
from companion.rules.cards import SpiritAction, Upgrade
from companion.rules.effects import AREAS, Earns, Reaches, StartsWith, Swaps, UpgradeEffect
from companion.rules.position import ROWS

_NAME: Final = re.compile(r"[a-z]+(-[a-z]+)*")
_PROVENANCE: Final = ("source", "confidence")
_UPGRADES: Final = 3
"""Of each row (R-UPG-1)."""


def side_b_from(data: object, rows: Mapping[str, SpiritAction]) -> Mapping[str, SpiritAction]:
    """Make the rows of a side B.

    Args:
        data: a table by row; a row that is not in it stays unknown, an empty table is a row like side A's.
        rows: those of side A, for whatever a row of side B does not state.

    Raises:
        PowerError: it does not say what it should.
    """
    board = _table(data, ())
    board.only(*ROWS, *_PROVENANCE)
    return {
        name: _row(_table(board.data[name], (name,)), rows[name], rows) for name in ROWS if name in board.data
    }


def _table(data: object, path: tuple[str | int, ...]) -> Stated:
    if not isinstance(data, Mapping):
        raise PowerError(path, "must be a table")
    return Stated(data, path)


def _row(stated: Stated, standard: SpiritAction, rows: Mapping[str, SpiritAction]) -> SpiritAction:
    stated.only("willpower", "ambition", "upgrade", *_PROVENANCE)
    upgrades = standard.upgrades
    if "upgrade" in stated.data:
        named = [_upgrade(one, standard, rows) for one in stated.tables("upgrade")]
        if len(named) != _UPGRADES or len({upgrade.name for upgrade in named}) < _UPGRADES:
            raise stated.wrong("upgrade", "a row has three upgrades, left to right, no two alike")
        upgrades = named[0], named[1], named[2]
    return SpiritAction(
        standard.name,
        stated.number("willpower", default=standard.willpower),
        stated.number("ambition", default=standard.ambition),
        upgrades,
    )


def _upgrade(stated: Stated, standard: SpiritAction, rows: Mapping[str, SpiritAction]) -> Upgrade:
    stated.only("name", "willpower", "ambition", "text", "effects", *_PROVENANCE)
    name = stated.text("name") or ""
    if not _NAME.fullmatch(name):
        raise stated.wrong("name", "must be a name in small letters and hyphens, such as feeling-safe")
    known = next((upgrade for upgrade in standard.upgrades if upgrade.name == name), None)
    if known is None and any(name == upgrade.name for row in rows.values() for upgrade in row.upgrades):
        raise stated.wrong("name", f"{name} is an upgrade of another row on side A")
    if known is not None and "effects" in stated.data:
        raise stated.wrong(
            "effects", f"{name} does what it does on side A; one of its own needs another name"
        )
    plain = Upgrade(name) if known is None else known
    upgrade = replace(
        plain,
        willpower=stated.number("willpower", -1, default=plain.willpower),
        ambition=stated.number("ambition", default=plain.ambition),
        text=stated.text("text"),
    )
    if known is None and upgrade.text is None and "effects" not in stated.data:
        raise stated.wrong("effects", "must be there, or a text: nobody knows what this upgrade does")
    if "effects" not in stated.data:
        return upgrade
    return replace(upgrade, effects=tuple(_effect(one, standard.name) for one in stated.tables("effects")))


def _effect(stated: Stated, row: str) -> UpgradeEffect:
    kind = stated.one("kind", UPGRADE_KINDS)
    rows = UPGRADE_KINDS[kind].rows
    if row not in rows:
        raise stated.wrong("kind", f"{kind} is only for an upgrade of {' or '.join(rows)}")
    return UPGRADE_KINDS[kind].read(stated, row)


def _swaps(stated: Stated, _row_name: str) -> UpgradeEffect:
    stated.only("kind")
    return Swaps()


def _starts_with(stated: Stated, _row_name: str) -> UpgradeEffect:
    stated.only("kind", "essence", "from")
    supply = stated.one("from", ("board", "supply"), "board") == "supply"
    return StartsWith(stated.number("essence", 1, default=1), supply)


def _earns(stated: Stated, row: str) -> UpgradeEffect:
    stated.only("kind", "on", "gain")
    leaving = stated.one("on", ("action", "leaves"), "action") == "leaves"
    if leaving and row != "quell":
        raise stated.wrong("on", "leaves is only for an upgrade of quell")
    return Earns(gain_from(_table(stated.data.get("gain"), (*stated.path, "gain"))), leaving)


def _reaches(stated: Stated, row: str) -> UpgradeEffect:
    stated.only("kind", "area")
    return Reaches(row, stated.one("area", AREAS, "near"))


@dataclass(frozen=True, slots=True)
class UpgradeKind:
    """A kind of effect of an upgrade: how it is read, and in which rows it can stand."""

    read: Callable[[Stated, str], UpgradeEffect]
    rows: tuple[str, ...] = ROWS


UPGRADE_KINDS: Final[Mapping[str, UpgradeKind]] = {
    "gain": UpgradeKind(_earns),
    "swap": UpgradeKind(_swaps, ("move",)),
    "start-essence": UpgradeKind(_starts_with, ("invoke",)),
    "reach": UpgradeKind(_reaches, TARGETED),
}
"""By the name in the data."""
