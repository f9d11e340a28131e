"""Commands of other screens, scripts and staff: from JSON to what is asked for (contracts, section 4)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from companion.session.errors import SessionError

Verb = Literal["do", "answer", "undo", "redo", "setup", "games", "enrol", "value", "overrule"]

VERBS: Final[tuple[Verb, ...]] = (
    *("do", "answer", "undo", "redo", "setup", "games", "enrol"),
    *("value", "overrule"),
)

MOST_BYTES: Final = 262_144
"""A whole position is some 4 kB, a saved game of four hundred steps some 40 kB."""

MOST_ID_CHARACTERS: Final = 200


class CommandError(SessionError, ValueError):
    """A payload that is no command.

    Attributes:
        id: the command's id where it has one that can be answered, else None.
    """

    def __init__(self, problem: str, command_id: str | int | None = None) -> None:
        self.id = command_id
        super().__init__(problem)


@dataclass(frozen=True, slots=True)
class Request:
    """One command, taken apart but not yet understood."""

    id: str | int
    """As it came, for the reply."""
    verb: Verb
    value: Any
    """A number of steps for undo and redo, else a mapping."""
    base: int | None
    sent_ms: int | None

    @property
    def key(self) -> str:
        """The id as the journal keeps it: the number 1 and the text "1" are two ids."""
        return json.dumps(self.id)


def parse(payload: bytes) -> Request:
    """Read a command.

    Raises:
        CommandError: it is none; says why.
    """
    data = _load(payload)
    command_id = data.get("id")
    if isinstance(command_id, bool) or not isinstance(command_id, str | int):
        raise CommandError("id: must be a text or a number")
    if len(str(command_id)) > MOST_ID_CHARACTERS:
        raise CommandError(f"id: at most {MOST_ID_CHARACTERS} characters")
    verbs = [verb for verb in VERBS if verb in data]
    if len(verbs) != 1:
        raise CommandError(f"needs exactly one of {', '.join(VERBS)}", command_id)
    return Request(
        command_id,
        verbs[0],
        _value(verbs[0], data[verbs[0]], command_id),
        _number(data, "base", command_id),
        _number(data, "at", command_id),
    )


def _load(payload: bytes) -> Mapping[str, Any]:
    if len(payload) > MOST_BYTES:
        raise CommandError(f"{len(payload)} bytes are too many: at most {MOST_BYTES}")
    try:
        data = json.loads(payload)
        # Half a surrogate pair is JSON, but no text that could be stored or said again (RFC 8259, 8.2).
        json.dumps(data, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise CommandError(f"not JSON ({type(error).__name__})") from error
    if not isinstance(data, dict):
        raise CommandError("must be a JSON object")
    return data


def _value(verb: Verb, value: Any, command_id: str | int) -> Any:
    if verb in ("undo", "redo"):
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise CommandError(f"{verb}: must be a number of steps, 1 or more", command_id)
        return value
    if not isinstance(value, dict):
        raise CommandError(f"{verb}: must be an object", command_id)
    if verb == "answer":
        for key in ("ask", "choice"):
            if not isinstance(value.get(key), str):
                raise CommandError(f"answer.{key}: must be a text", command_id)
    return value


def _number(data: Mapping[str, Any], key: str, command_id: str | int) -> int | None:
    value = data.get(key)
    if value is None:
        return None
    # JSON of other languages may write whole numbers as 12.0.
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        raise CommandError(f"{key}: must be a whole number", command_id)
    return int(value)
