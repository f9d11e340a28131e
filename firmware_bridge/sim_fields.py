"""Tags for simulated readers, from the bus. Whatever else comes on those topics is dropped."""

import logging
import re
from collections import Counter
from collections.abc import Callable, Collection
from typing import Final

from firmware_bridge.contract.errors import MessageError
from firmware_bridge.contract.messages import SimFault, SimField
from firmware_bridge.contract.spaces import is_space
from firmware_bridge.contract.topics import Topics

_LOG: Final = logging.getLogger(__name__)

_SHOWN_CHARACTERS: Final = 80
_INDEX: Final = re.compile(r"\[\d+\]")


class SimFields:
    """Takes in `sim/field/...`: each kind of garbage is logged once and counted.

    Args:
        topics: of the table.
        spaces: those with a simulated reader.
        lay: makes exactly these tags (upper-case hex) lie on a space.
        break_reader: makes exactly this be wrong with the reader of a space; None: nothing.
    """

    def __init__(
        self,
        topics: Topics,
        spaces: Collection[str],
        lay: Callable[[str, tuple[str, ...]], None],
        break_reader: Callable[[str, SimFault | None], None] = lambda _space, _fault: None,
    ) -> None:
        self._topics = topics
        self._spaces = frozenset(spaces)
        self._lay = lay
        self._break = break_reader
        self.dropped: Counter[str] = Counter()
        """How many messages of each kind of garbage came."""

    def arrived(self, topic: str, payload: bytes, _retain: bool = True) -> None:  # noqa: FBT001, FBT002
        """Take in one message; no bytes at all is a deleted topic: an empty field (F-75)."""
        parsed = self._topics.parse(topic)
        if parsed is None or parsed[0] != "sim_field":
            self._drop("topic", topic, "not a topic of a simulated field")
            return
        space = parsed[1]
        if space not in self._spaces:
            known = is_space(space)
            self._drop(
                "space", topic, "its reader is not simulated here" if known else "there is no such space"
            )
            return
        try:
            field = SimField.from_json(payload) if payload else SimField.NOTHING
        except MessageError as error:
            where = _INDEX.sub("[]", error.path) or "as a whole"
            self._drop(f"payload {where}", topic, str(error))
            return
        self._break(space, field.fault)
        self._lay(space, field.tags)

    def _drop(self, kind: str, topic: str, problem: str) -> None:
        self.dropped[kind] += 1
        if self.dropped[kind] == 1:
            shown = topic[:_SHOWN_CHARACTERS]
            _LOG.warning("%s: %s; dropped, and more of the kind will only be counted", shown, problem)
