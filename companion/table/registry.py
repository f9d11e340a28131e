"""The tag registry: which tag sticks below which component.

Kept as CSV in the data folder, written whole or not at all (temporary file, fsync, rename: F-118). The
virtual table has made-up tags for every component; what the folder's own registry says goes before them.
"""

import csv
import hashlib
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

from companion import content
from companion.files import write_whole
from companion.table.errors import ComponentError, RegistryNotSaved, TagListError
from companion.table.pieces import Piece, piece, unknown

FILE: Final = "tags.csv"
"""Name of the registry in the data folder."""

HEADER: Final = ("uid", "component")

MOST_CONTENTS: Final = 1000
"""Sets of tags whose pieces are remembered: a bound, not a need."""

_NXP: Final = 0x04
"""First byte of the UIDs of NTAG stickers: the maker's code (ISO/IEC 7816-6)."""
_CASCADE_TAG: Final = 0x88
"""Never the fourth byte of a 7-byte UID (ISO 14443-3, 6.4.4)."""


@dataclass(frozen=True, slots=True)
class Registry:
    """Tags and components, one to one.

    Args:
        components: component by tag id.
        notes: what is known of tags that stand for no component, in words, by tag id.
    """

    components: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, str] = field(default_factory=dict)
    _contents: dict[tuple[str, ...], tuple[Piece, ...]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )
    """Pieces by tags: each look asks for the same few dozen."""

    def component(self, uid: str) -> str | None:
        """Return what the tag sticks to, None for a tag that nobody registered."""
        return self.components.get(uid)

    def piece(self, uid: str) -> Piece:
        """Return the piece that the tag sticks to, an `unknown` one for a tag that nobody registered."""
        component = self.components.get(uid)
        return unknown(uid, self.notes.get(uid, "")) if component is None else piece(component)

    def content(self, tags: tuple[str, ...]) -> tuple[Piece, ...]:
        """Return the pieces that the tags stick to, sorted."""
        found = self._contents.get(tags)
        if found is None:
            if len(self._contents) >= MOST_CONTENTS:
                self._contents.clear()
            found = self._contents[tags] = tuple(sorted(map(self.piece, tags)))
        return found

    def tags(self, component: str) -> tuple[str, ...]:
        """Return the tags of a component: one, or none."""
        return tuple(uid for uid, name in self.components.items() if name == component)

    def over(self, other: "Registry") -> "Registry":
        """Return both together; where they speak of the same tag or component, this one is right."""
        taken = set(self.components.values())
        rest = {
            uid: name
            for uid, name in other.components.items()
            if uid not in self.components and name not in taken
        }
        return Registry(MappingProxyType({**rest, **self.components}))

    def noted(self, notes: Mapping[str, str]) -> "Registry":
        """Return the same components with notes on other tags."""
        return replace(self, notes=notes)


def virtual_registry(components: Iterable[str] | None = None) -> Registry:
    """Return made-up 7-byte ids, the same each time, for every component of the base game.

    Args:
        components: None: all of `companion.content.components()`.
    """
    names: Iterable[str] = content.components() if components is None else components
    return Registry(MappingProxyType({_made_up(name): name for name in names}))


def _made_up(component: str) -> str:
    digest = bytearray(hashlib.sha256(component.encode()).digest()[:7])
    digest[0] = _NXP
    if digest[3] == _CASCADE_TAG:
        digest[3] ^= 0x01
    return digest.hex().upper()


# CSV


def to_csv(registry: Registry) -> str:
    """Write a registry as CSV, sorted by component."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    rows = sorted(registry.components.items(), key=lambda item: (_natural(item[1]), item[0]))
    writer.writerows(rows)
    return out.getvalue()


def from_csv(text: str, name: str) -> Registry:
    """Read a registry from CSV with the header `uid,component`.

    Args:
        text: the whole file.
        name: what the file is called in messages.

    Raises:
        TagListError: with `name:line: what is wrong, and the mend` for every fault.
    """
    text = text.removeprefix("\ufeff")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    faults: list[str] = []
    lines_by_uid: dict[str, int] = {}
    lines_by_component: dict[str, int] = {}
    components: dict[str, str] = {}
    try:
        head = next(reader, [])
        if head and head[0].lower().startswith("sep="):
            head = next(reader, [])
        if tuple(field.strip().lower() for field in head) != HEADER:
            raise TagListError((f"{name}:1: the first line must be `uid,component`",))
        for fields in reader:
            row = [field.strip() for field in fields]
            if not any(row):
                continue
            line = reader.line_num
            fault = _fault(row) or _seen_before(row, lines_by_uid, lines_by_component)
            if fault:
                faults.append(f"{name}:{line}: {fault}")
                continue
            lines_by_uid[row[0]] = lines_by_component[row[1]] = line
            components[row[0]] = row[1]
    except csv.Error as error:
        faults.append(f"{name}:{reader.line_num}: not CSV ({error})")
    if faults:
        raise TagListError(tuple(faults))
    return Registry(MappingProxyType(components))


def _delimiter(text: str) -> str:
    """Return what stands between the fields: spreadsheets of many countries write semicolons, or tabs."""
    head = next((line for line in text.splitlines() if not line.lower().startswith("sep=")), "")
    return next((mark for mark in ",;\t" if mark in head), ",")


def uid_fault(uid: str) -> str | None:
    """Return what is wrong with a tag's id, None for a right one (contracts, section 6; F-03)."""
    if uid.startswith("88") and len(uid) in (8, 10):
        return f"{uid} is a cut-off id (88 is a cascade byte, not part of a UID): read the whole UID"
    if re.fullmatch(r"[0-9][.,][0-9]+E\+[0-9]+", uid) or (uid.isdecimal() and len(uid) in (7, 13, 19)):
        return f"{uid!r} was a tag id that a spreadsheet took for a number: format that column as text"
    if not re.fullmatch(r"[0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{20}", uid):
        shown = uid[:40]
        return f"{shown!r} is no tag id: write 8, 14 or 20 hex digits in upper case, nothing between them"
    return None


def _fault(row: list[str]) -> str | None:
    if len(row) != len(HEADER):
        return f"{len(row)} fields instead of two: write `uid,component`"
    fault = uid_fault(row[0])
    if fault:
        return fault
    return component_fault(row[1])


def component_fault(component: str) -> str | None:
    """Return what is wrong with a component's name, None for one of this game."""
    try:
        found = piece(component)
    except ComponentError as error:
        return str(error)
    return _unheard_of(found)


def _unheard_of(found: Piece) -> str | None:
    cards = content.catalogue()
    if found.kind == "emotion":
        card = cards.cards.get(found.name)
        if card is None:
            return f"there is no Emotion {found.name!r}: check the spelling (lower case, words joined by -)"
        if card.team != found.team:
            return f"{found.name} belongs to {card.team}, not to {found.team}"
    if found.kind == "spirit" and found.name not in cards.spirits:
        return f"there is no Spirit {found.name!r}: one of {', '.join(sorted(cards.spirits))}"
    return None


def _seen_before(row: list[str], uids: Mapping[str, int], components: Mapping[str, int]) -> str | None:
    if row[0] in uids:
        return f"tag {row[0]} stands in line {uids[row[0]]} already: a tag sticks to one component"
    if row[1] in components:
        return f"{row[1]} has a tag in line {components[row[1]]} already: a component has one tag"
    return None


def _natural(component: str) -> tuple[tuple[int, str], ...]:
    return tuple((int(part), "") if part.isdigit() else (0, part) for part in component.split("/"))


# The data folder


def load(folder: Path) -> tuple[Registry, tuple[str, ...]]:
    """Read the registry of a data folder.

    Returns:
        The registry, empty where there is none, and the lines that people should hear: a damaged file is set
        aside and the game goes on without it.
    """
    path = folder / FILE
    try:
        return from_csv(path.read_bytes().decode("utf-8"), str(path)), ()
    except (FileNotFoundError, NotADirectoryError):
        return Registry(), ()
    except OSError as error:
        return Registry(), (f"{path}: the tags can't be read ({error.strerror}): check the file's rights",)
    except (TagListError, UnicodeDecodeError) as error:
        why = (
            error.problems[0]
            if isinstance(error, TagListError)
            else f"{path}: not UTF-8 at byte {error.start}"
        )
    aside = _free_name(folder)
    try:
        path.rename(aside)
    except OSError:
        return Registry(), (f"{why}; no tags are known",)
    return Registry(), (
        f"{why}; the file was set aside as {aside.name}: mend it, then `companion tags import`",
    )


def save(folder: Path, registry: Registry) -> None:
    """Write the registry of a data folder, whole or not at all.

    Raises:
        RegistryNotSaved: the old file is as it was.
    """
    path = folder / FILE
    try:
        write_whole(path, to_csv(registry).encode())
    except OSError as error:
        raise RegistryNotSaved(path, error.strerror or str(error)) from error


def _free_name(folder: Path) -> Path:
    number = 1
    while (aside := folder / f"tags.damaged-{number}.csv").exists():
        number += 1
    return aside
