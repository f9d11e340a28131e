"""Commands to write tags: handed to the thread that polls the reader, and answered."""

import logging
from collections.abc import Callable, Sequence
from typing import Final

from firmware_bridge.contract.errors import MessageError
from firmware_bridge.contract.messages import tag_text
from firmware_bridge.contract.writing import WriteCommand, Written
from firmware_bridge.scanner import Scanner
from firmware_bridge.texts import TagTexts

_LOG: Final = logging.getLogger(__name__)

NO_WRITER: Final = "a node on a serial line can't write tags: lay it on a reader of the Pi itself"


class Writing:
    """Takes the commands of one node.

    Args:
        topic: on which they come.
        tell: told what came of each.
        scanners: with the texts of their readers; None: this node can't write.
    """

    def __init__(
        self,
        topic: str,
        tell: Callable[[Written], None],
        scanners: Sequence[tuple[Scanner, TagTexts]] | None,
    ) -> None:
        self._topic = topic
        self._tell = tell
        self._scanners = scanners

    def arrived(self, topic: str, payload: bytes, retain: bool) -> None:  # noqa: FBT001 - the link's own
        """Take a message; one that the broker kept may be of any age, and is not obeyed (F-77)."""
        if topic != self._topic or retain or not payload:
            return
        try:
            command = WriteCommand.from_json(payload)
        except MessageError as error:
            _LOG.warning("%s: dropped: %s", topic, error)
            return
        if self._scanners is None:
            self._tell(Written(command.id, command.tag, None, NO_WRITER))
            return
        for scanner, texts in self._scanners:
            facts = (fact for fact in scanner.facts.values() if fact is not None)
            if any(command.tag == tag_text(uid) for fact in facts for uid in fact.uids):
                scanner.ask(lambda texts=texts: self._tell(texts.write(command)))  # type: ignore[misc]
                return
        self._tell(Written(command.id, command.tag, None, "it does not lie on a reader of this node"))
