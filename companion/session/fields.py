"""The fields of the virtual table: what was laid in them, kept over a broker that forgets."""

from collections.abc import Callable, Mapping

from companion.table.lay import FIELDS
from firmware_bridge.contract.messages import SimField

Lay = Callable[[str, tuple[str, ...]], None]
"""Publishes the tags that lie in the field of a space."""


class Fields:
    """What lies in each simulated field, as the bus said last."""

    def __init__(self) -> None:
        self._lying: dict[str, tuple[str, ...]] = {}
        self._heard: set[str] = set()

    def forget_connection(self) -> None:
        """A new connection: which fields the broker still retains is not known yet."""
        self._heard.clear()

    def take(self, space: str, payload: bytes) -> None:
        """Take a `sim/field/..` message; raises MessageError."""
        self._lying[space] = (SimField.from_json(payload) if payload else SimField.NOTHING).tags
        self._heard.add(space)

    @property
    def lying(self) -> frozenset[str]:
        """Every tag that lies in some field."""
        return frozenset(uid for tags in self._lying.values() for uid in tags)

    def lay_missing(self, table: Mapping[str, tuple[str, ...]], lay: Lay) -> None:
        """Lay the fields that the broker doesn't retain: as they were last, else as `table` has them."""
        for space in FIELDS:
            if space not in self._heard:
                self._lay(space, self._lying.get(space, table.get(space, ())), lay)

    def lay_anew(self, table: Mapping[str, tuple[str, ...]], lay: Lay) -> None:
        """Lay everything as `table` has it, and nothing anywhere else."""
        for space in (*FIELDS, *(space for space in self._lying if space not in FIELDS)):
            self._lay(space, table.get(space, ()), lay)

    def _lay(self, space: str, tags: tuple[str, ...], lay: Lay) -> None:
        self._lying[space] = tags
        self._heard.add(space)
        lay(space, tags)
