"""Writing a tag's text by way of the node on whose reader it lies: the command, and what came of it."""

import json
from dataclasses import dataclass
from typing import Any, Final, Self

from firmware_bridge.contract.errors import MessageError
from firmware_bridge.contract.messages import is_tag_text, tags_in

PREFIX: Final = "companion:"
"""No other text is ever written."""

MAX_BYTES: Final = 2_000
MAX_ID_CHARACTERS: Final = 64


@dataclass(frozen=True, slots=True)
class WriteCommand:
    """Write this text into this tag (not retained)."""

    id: str
    tag: str
    text: str

    def to_json(self) -> bytes:
        """Write the payload."""
        return json.dumps({"id": self.id, "tag": self.tag, "text": self.text}).encode()

    @classmethod
    def from_json(cls, payload: bytes) -> Self:
        """Read a payload; raises MessageError."""
        data = _load(payload)
        command, tag = _id_and_tag(data)
        text = data.get("text")
        if not (isinstance(text, str) and is_tag_text(text) and text.startswith(PREFIX)):
            raise MessageError("text", f"must be a text in one line that begins with {PREFIX}")
        return cls(command, tag, text)


@dataclass(frozen=True, slots=True)
class Written:
    """What came of a `WriteCommand` (not retained).

    Args:
        id: of the command.
        tag: the tag.
        text: what it says now, as it was read back; None: nothing was written that could be read back.
        reason: why not.
    """

    id: str
    tag: str
    text: str | None
    reason: str = ""

    def to_json(self) -> bytes:
        """Write the payload."""
        data = {"id": self.id, "tag": self.tag, "text": self.text, "reason": self.reason}
        return json.dumps(data).encode()

    @classmethod
    def from_json(cls, payload: bytes) -> Self:
        """Read a payload; raises MessageError."""
        data = _load(payload)
        command, tag = _id_and_tag(data)
        text, reason = data.get("text"), data.get("reason", "")
        if not (text is None or isinstance(text, str)) or not isinstance(reason, str):
            raise MessageError("text", "must be a text or null, and reason a text")
        return cls(command, tag, text, reason)


def _id_and_tag(data: dict[str, Any]) -> tuple[str, str]:
    command = data.get("id")
    if not isinstance(command, str) or not 0 < len(command) <= MAX_ID_CHARACTERS:
        raise MessageError("id", f"must be a text of 1 to {MAX_ID_CHARACTERS} characters")
    [*tags] = tags_in({"tags": [data.get("tag")]})
    return command, tags[0]


def _load(payload: bytes) -> dict[str, Any]:
    if len(payload) > MAX_BYTES:
        raise MessageError("", f"{len(payload)} bytes are too many, at most {MAX_BYTES}")
    try:
        data = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise MessageError("", f"not JSON ({type(error).__name__})") from None
    if not isinstance(data, dict):
        raise MessageError("", "must be a JSON object")
    return data
