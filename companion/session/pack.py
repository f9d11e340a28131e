"""The table's own card values, in `cards.toml` of the data folder: what people read off their cards.

The file has the keys of a card pack (contracts, section 3): `[cards.trust]` with `empower_threshold = 2`. It
may be written by hand too; what is stated over the bus rewrites it, whole or not at all.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from companion.files import write_whole
from companion.rules.cards import Catalogue
from companion.rules.words import title
from companion.scenario.errors import NotationError
from companion.scenario.files import overlaid
from companion.scenario.keys import CARD_PACK
from companion.scenario.lines import line_of
from companion.scenario.packs import SPIRIT_PACK, with_spirits
from companion.scenario.saved import position_text
from companion.scenario.schema import TEXT, Keys, Named, Node, validate
from companion.session.errors import PackNotSaved

FILE: Final = "cards.toml"
"""Name of the pack in the data folder."""

_HEAD: Final = "# Printed values that this table read off its own cards.\n"

Stated = Mapping[str, Mapping[str, Any]]
"""By card or Spirit, by key of a pack."""


@dataclass(frozen=True, slots=True)
class Value:
    """One printed value, as the table states it."""

    card: str
    """Or a Spirit."""
    key: str
    """Of a card pack."""
    value: Any

    @property
    def data(self) -> dict[str, Any]:
        """As in a command."""
        return {"card": self.card, "key": self.key, "value": self.value}


class Pack:
    """The card values of one data folder over the printed ones.

    Args:
        folder: the data folder.
        printed: the card data.
    """

    def __init__(self, folder: Path, printed: Catalogue) -> None:
        self._path = folder / FILE
        self._printed = printed
        self.notices: tuple[str, ...] = ()
        """What people should hear about the file, a line each."""
        self._unread = ""
        self._cards: Stated = {}
        self._spirits: Stated = {}
        self.cards = printed
        """The printed values with the table's own laid over."""
        self._stamp: tuple[int, int] | None = None
        """Of the file that was read or written last: another one was written by hand."""
        self._load()

    @property
    def stated(self) -> Stated:
        """The table's own values of cards, which a saved game needs to be replayed."""
        return self._cards

    def state(self, *values: Value) -> None:
        """State values, in place of those before; when this returns, they stay.

        Raises:
            NotationError: there is no such card or key, or the value can't be.
            PackNotSaved: it can't be written.
        """
        self._read_anew()
        cards, spirits = self._cards, self._spirits
        for value in values:
            if value.card in self._printed.spirits:
                spirits = _with(spirits, value)
            else:
                cards = _with(cards, value)
        found = self._checked({"cards": cards, "spirits": spirits})
        for value in values:
            _check_threshold(value, found)
        if self._unread:
            raise PackNotSaved(self._path, self._unread)
        try:
            write_whole(self._path, (_HEAD + position_text({"cards": cards, "spirits": spirits})).encode())
        except OSError as error:
            raise PackNotSaved(self._path, error.strerror or str(error)) from error
        self._cards, self._spirits, self.cards = cards, spirits, found
        self._stamp = self._stamped()

    def _read_anew(self) -> None:
        """Take in what somebody has written into the file by hand since; what can't be used is set aside."""
        if self._stamped() != self._stamp:
            self._cards, self._spirits, self.cards, self._unread = {}, {}, self._printed, ""
            self._load()

    def _stamped(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns

    def _load(self) -> None:
        self._stamp = self._stamped()
        try:
            text = self._path.read_bytes().decode("utf-8")
            data = tomllib.loads(text)
            self.cards = self._checked(data)
        except FileNotFoundError:
            return
        except OSError as error:
            self._unread = f"can't be read: {error.strerror or error}"
            self.notices = (f"{self._path}: {self._unread}; the table's own card values are not used",)
        except NotationError as error:
            self._set_aside(f"line {line_of(text, error.path)}: {error.key}: {error.problem}")
        except (ValueError, RecursionError) as error:
            self._set_aside(" ".join(str(error).split()) or type(error).__name__)
        else:
            self._cards, self._spirits = data.get("cards", {}), data.get("spirits", {})

    def _checked(self, data: Mapping[str, Any]) -> Catalogue:
        """Return the values with what a pack says laid over; raises NotationError."""
        keys: dict[str, Node] = {
            "title": TEXT,
            "source": TEXT,
            "cards": Named(CARD_PACK, tuple(self._printed.cards), "card"),
            "spirits": Named(SPIRIT_PACK, tuple(self._printed.spirits), "Spirit"),
        }
        validate(Keys(keys), data)
        return with_spirits(overlaid(self._printed, data.get("cards", {})), data.get("spirits", {}))

    def _set_aside(self, why: str) -> None:
        number = 1
        while (aside := self._path.with_name(f"cards.damaged-{number}.toml")).exists():
            number += 1
        try:
            self._path.rename(aside)
        except OSError as error:
            self._unread = f"damaged, and can't be set aside: {error.strerror or error}"
            self.notices = (f"{self._path}: {self._unread} ({why})",)
            return
        mend = "mend it and put it back, or answer anew when the table asks"
        self.notices = (f"{self._path}: can't be used ({why}); it was set aside as {aside.name}: {mend}",)


def lacking(known: Catalogue, other: Catalogue) -> tuple[Value, ...]:
    """Return the printed values that only the other one knows, such as those that a saved game carries."""
    found: list[Value] = []
    for name, card in other.cards.items():
        mine = known.cards[name]
        if mine.empower_threshold is None and card.empower_threshold is not None:
            found.append(Value(name, "empower_threshold", card.empower_threshold))
        if mine.intensity is None and card.intensity is not None:
            found.append(Value(name, "intensity", list(card.intensity)))
    return tuple(found)


def with_values(cards: Catalogue, values: Iterable[Value]) -> Catalogue:
    """Lay values of cards over printed ones."""
    stated: Stated = {}
    for value in values:
        stated = _with(stated, value)
    return overlaid(cards, stated)


def value_from(data: Mapping[str, Any], cards: Catalogue) -> Value:
    """Make a value out of a command's keys; whether it can be is for the pack to say.

    Raises:
        NotationError: a key is missing, or there is no such card.
    """
    for key in ("card", "key", "value"):
        if key not in data:
            raise NotationError((key,), "is missing")
    card, key = data["card"], data["key"]
    if not isinstance(card, str) or not (card in cards.cards or card in cards.spirits):
        raise NotationError(("card",), "must be the title of an Emotion, or a Spirit")
    if not isinstance(key, str):
        raise NotationError(("key",), "must be a key of a card pack")
    return Value(card, key, data["value"])


def _check_threshold(value: Value, cards: Catalogue) -> None:
    """Refuse a slip: a threshold that no Essence on the card could reach."""
    spaces = cards.cards[value.card].spaces if value.card in cards.cards else None
    if value.key == "empower_threshold" and spaces is not None and value.value > spaces:
        problem = f"{title(value.card)} has {spaces} Essence spaces: a threshold is no greater"
        raise NotationError(("value",), problem)


def _with(stated: Stated, value: Value) -> Stated:
    return {**stated, value.card: {**stated.get(value.card, {}), value.key: value.value}}
