"""What tags say themselves: read each time a tag is laid, one between two sweeps, and written when asked.

All of it happens on the thread that polls: nobody else may talk to a reader.
"""

from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from firmware_bridge.contract.messages import is_tag_text
from firmware_bridge.contract.writing import WriteCommand, Written
from hardware.rfid.type2 import TagText

TRIES: Final = 3
"""Disturbed readings of one tag before it is left alone until it is laid again: a tag that is just
being laid often is not steady yet. One that says that it has no text is believed."""


class TextReader(Protocol):
    """A reader that can do more with a tag than name it."""

    def read_text(self, uid: bytes) -> TagText:
        """Read the text of a tag that lies there."""
        ...

    def write_text(self, uid: bytes, text: str) -> TagText:
        """Write the text of a tag that lies there, and read it back."""
        ...


@dataclass(slots=True)
class _Due:
    space: str
    uid: bytes
    tries: int = 0


class TagTexts:
    """The texts of the tags on some readers.

    Args:
        readers: by space.
        tell: told of all texts that are known of a space, when one is new.
    """

    def __init__(
        self, readers: Mapping[str, TextReader], tell: Callable[[str, Mapping[bytes, str]], None]
    ) -> None:
        self._readers = readers
        self._tell = tell
        self._known: dict[str, dict[bytes, str]] = {}
        self._lying: dict[str, frozenset[bytes]] = {}
        self._newest: dict[bytes, str] = {}
        """Where each tag was laid last: that it was lifted elsewhere takes longer to be seen."""
        self._due: deque[_Due] = deque()

    def lie(self, space: str, uids: Collection[bytes]) -> None:
        """Take note of what lies on a space now; what was lifted is read again when it comes back."""
        before, now = self._lying.get(space, frozenset()), frozenset(uids)
        self._lying[space] = now
        self._newest |= dict.fromkeys(now - before, space)
        for uid in before - now:
            if self._newest.get(uid) == space:
                del self._newest[uid]
        known = self._known.get(space, {})
        self._known[space] = {uid: text for uid, text in known.items() if uid in now}
        if space in self._readers:
            self._due.extend(_Due(space, uid) for uid in sorted(now - before))

    def read_next(self) -> None:
        """Read one tag that was not read yet; costs nothing where there is none."""
        while self._due:
            due = self._due.popleft()
            if due.uid in self._lying.get(due.space, ()):
                self._read(due)
                return

    def _read(self, due: _Due) -> None:
        due.tries += 1
        found = self._readers[due.space].read_text(due.uid)
        if found.text is not None and is_tag_text(found.text):
            self._learn(due.space, due.uid, found.text)
        elif not found.sure and due.tries < TRIES:
            self._due.append(due)

    def _learn(self, space: str, uid: bytes, text: str) -> None:
        known = self._known.setdefault(space, {})
        known[uid] = text
        self._tell(space, dict(known))

    def write(self, command: WriteCommand) -> Written:
        """Write a tag wherever it lies."""
        uid = bytes.fromhex(command.tag)
        space = self._newest.get(uid)
        if space is None or space not in self._readers:
            return Written(command.id, command.tag, None, "it does not lie on a reader of this node")
        done = self._readers[space].write_text(uid, command.text)
        if done.text is not None:
            self._learn(space, uid, done.text)
        return Written(command.id, command.tag, done.text, done.reason)
