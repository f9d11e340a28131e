"""Payloads of the bridge's topics: typed, checked on arrival with the path of the fault."""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Final, Literal, Self, cast, get_args

from firmware_bridge.contract.errors import MessageError
from firmware_bridge.contract.figures import ReaderFigures, figures_in, text_in, texts_in
from firmware_bridge.contract.spaces import is_space

SpaceState = Literal["ok", "unreadable", "fault"]
NodeState = Literal["online", "offline"]
ReaderState = Literal["ok", "silent", "recovering"]
SimFault = Literal["dead", "noise"]
Colour = Literal["green", "amber", "red", "off"]

MAX_PAYLOAD_BYTES: Final = 65_536
"""Twice the largest honest message: a node with all 109 spaces and their figures needs some 30 kB."""

MAX_TAGS: Final = 16
"""More tags than a field of some 4 cm can hold (NXP MFRC522 antennas answer to a handful)."""

MAX_TEXT_CHARACTERS: Final = 120
"""In a tag's text: the longest component needs some 40."""

_TAG: Final = re.compile(r"(?:[0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{20})")
_ANY_HEX: Final = re.compile(r"[0-9A-Fa-f]*")


def tag_text(uid: bytes) -> str:
    """Write a UID of 4, 7 or 10 bytes as the bus does: upper-case hex, two digits a byte."""
    return uid.hex().upper()


@dataclass(frozen=True, slots=True)
class SpaceMessage:
    """What lies on a space (retained).

    Args:
        tags: ids of the tags, sorted, each once.
        state: `unreadable`: something is there that can't be read; `fault`: the reader or its node is in
            trouble, and `tags` are the last ones known.
        node: the node that says so.
        at: unix time of the change, in ms.
        texts: what tags say themselves (contracts, section 6), by id, as far as it was read.
    """

    tags: tuple[str, ...]
    state: SpaceState
    node: str
    at: int
    texts: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> bytes:
        """Write the payload."""
        data = {"tags": list(self.tags), "state": self.state, "node": self.node, "at": self.at}
        return _dump(data | ({"texts": dict(self.texts)} if self.texts else {}))

    @classmethod
    def from_json(cls, payload: bytes) -> Self:
        """Read a payload; raises MessageError."""
        data = _load(payload)
        state = cast("SpaceState", _one_of(data, "state", get_args(SpaceState)))
        tags = tags_in(data)
        return cls(tags, state, _text(data, "node"), _milliseconds(data), _texts_of(data.get("texts"), tags))


@dataclass(frozen=True, slots=True)
class NodeMessage:
    """Whether a node is there (retained, and the node's will).

    Args:
        state: online or offline.
        firmware: version of what runs on it.
        readers: for each space of the node how its reader does.
        at: unix time in ms; in a will the time of connecting.
        health: for each space of the node how its reader does in figures, as of some seconds ago; nothing in
            a will.
        problem: why the node is offline, one line for people; empty where it is not, or where nobody knows,
            as in a will.
        warnings: what should be looked at on the way to the node.
    """

    state: NodeState
    firmware: str
    readers: Mapping[str, ReaderState]
    at: int
    health: Mapping[str, ReaderFigures] = field(default_factory=dict)
    problem: str = ""
    warnings: tuple[str, ...] = ()

    def to_json(self) -> bytes:
        """Write the payload."""
        data: dict[str, Any] = {
            "state": self.state,
            "firmware": self.firmware,
            "readers": dict(self.readers),
            "at": self.at,
        }
        if self.health:
            data["health"] = {space: figures.as_json() for space, figures in self.health.items()}
        if self.problem:
            data["problem"] = self.problem
        if self.warnings:
            data["warnings"] = list(self.warnings)
        return _dump(data)

    @classmethod
    def from_json(cls, payload: bytes) -> Self:
        """Read a payload; raises MessageError."""
        data = _load(payload)
        state = cast("NodeState", _one_of(data, "state", get_args(NodeState)))
        readers = _choices_by_space(_object(data, "readers"), "readers.", get_args(ReaderState))
        return cls(
            state,
            _text(data, "firmware"),
            cast("Mapping[str, ReaderState]", readers),
            _milliseconds(data),
            _figures(data.get("health")),
            text_in(data, "problem"),
            texts_in(data, "warnings"),
        )


@dataclass(frozen=True, slots=True)
class SimField:
    """The tags in the field of a simulated reader (retained).

    Args:
        tags: their ids.
        fault: what is wrong with the reader, to try what becomes of it: `dead`: it does not answer; `noise`:
            a fifth of all that goes over the air is disturbed.
    """

    tags: tuple[str, ...]
    fault: SimFault | None = None

    NOTHING: ClassVar[Self]
    """What a deleted (zero-length) retained message means: an empty field."""

    def to_json(self) -> bytes:
        """Write the payload."""
        return _dump({"tags": list(self.tags)} | ({"fault": self.fault} if self.fault is not None else {}))

    @classmethod
    def from_json(cls, payload: bytes) -> Self:
        """Read a payload; raises MessageError."""
        data = _load(payload)
        fault = _one_of(data, "fault", get_args(SimFault)) if data.get("fault") is not None else None
        return cls(tags_in(data), cast("SimFault | None", fault))


SimField.NOTHING = SimField(())


@dataclass(frozen=True, slots=True)
class Lights:
    """The colour of the light beside each space of a node (retained)."""

    colours: Mapping[str, Colour]

    def to_json(self) -> bytes:
        """Write the payload."""
        return _dump(dict(self.colours))

    @classmethod
    def from_json(cls, payload: bytes) -> Self:
        """Read a payload; raises MessageError. Keys that are no space are ignored."""
        data = {key: value for key, value in _load(payload).items() if is_space(key)}
        return cls(cast("Mapping[str, Colour]", _choices_by_space(data, "", get_args(Colour))))


def _texts_of(data: object, tags: Collection[str]) -> Mapping[str, str]:
    """Read the texts of tags; what can't be used is left out, since the tags alone are worth knowing."""
    if not isinstance(data, dict):
        return {}
    return {tag: text for tag, text in data.items() if tag in tags and is_tag_text(text)}


def is_tag_text(text: object) -> bool:
    """Tell whether it can be a text of a tag: short, in one line, without half characters."""
    return isinstance(text, str) and 0 < len(text) <= MAX_TEXT_CHARACTERS and text.isprintable()


def _figures(data: object) -> Mapping[str, ReaderFigures]:
    if not isinstance(data, dict):
        return {}
    read = {space: figures_in(entry) for space, entry in data.items() if is_space(space)}
    return {space: figures for space, figures in read.items() if figures is not None}


def _dump(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()


def _load(payload: bytes) -> dict[str, Any]:
    if len(payload) > MAX_PAYLOAD_BYTES:
        raise MessageError("", f"{len(payload)} bytes are too many, at most {MAX_PAYLOAD_BYTES} are read")
    try:
        data = json.loads(payload.decode("utf-8"), parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise MessageError("", f"not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise MessageError("", f"not JSON at character {error.pos}: {error.msg}") from None
    except MessageError:
        raise
    except (RecursionError, ValueError):
        # Thousands of brackets, or a number of thousands of digits.
        raise MessageError("", "not JSON that can be read: too deep, or a number too long") from None
    if not isinstance(data, dict):
        raise MessageError("", f"must be a JSON object, is {_kind(data)}")
    return data


def _no_constant(name: str) -> Any:
    raise MessageError("", f"{name} is no JSON")


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def _need(data: Mapping[str, Any], key: str) -> Any:
    if key not in data:
        raise MessageError(key, "is missing")
    return data[key]


def _object(data: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = _need(data, key)
    if not isinstance(value, dict):
        raise MessageError(key, f"must be an object, is {_kind(value)}")
    return value


def _text(data: Mapping[str, Any], key: str) -> str:
    value = _need(data, key)
    if not isinstance(value, str):
        raise MessageError(key, f"must be a text, is {_kind(value)}")
    try:
        value.encode()
    except UnicodeEncodeError:
        # Half a surrogate pair is JSON, but no text that could be said again (RFC 8259, 8.2).
        raise MessageError(key, "must be a text, has half a character") from None
    return value


def _milliseconds(data: Mapping[str, Any]) -> int:
    value = _need(data, "at")
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise MessageError("at", "must be unix time in ms, a whole number")
    return value


def _one_of(data: Mapping[str, Any], key: str, choices: Collection[str], path: str = "") -> str:
    value = _need(data, key)
    if not isinstance(value, str) or value not in choices:
        shown = repr(value[:40]) if isinstance(value, str) else _kind(value)
        raise MessageError(path + key, f"must be one of {', '.join(choices)}; is {shown}")
    return value


def _choices_by_space(data: Mapping[str, Any], path: str, choices: Collection[str]) -> Mapping[str, str]:
    return MappingProxyType({key: _one_of(data, key, choices, path) for key in data})


def tags_in(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Read the tags of a payload, sorted and each once; raises MessageError."""
    tags = _need(data, "tags")
    if not isinstance(tags, list):
        raise MessageError("tags", f"must be a list, is {_kind(tags)}")
    if len(tags) > MAX_TAGS:
        raise MessageError("tags", f"{len(tags)} tags are too many for one field, at most {MAX_TAGS}")
    return tuple(sorted({_tag(tag, f"tags[{i}]") for i, tag in enumerate(tags)}))


def _tag(tag: object, path: str) -> str:
    if not isinstance(tag, str):
        raise MessageError(path, f"must be a text, is {_kind(tag)}")
    if _TAG.fullmatch(tag):
        if len(tag) == 8 and tag.startswith("88"):
            # ISO 14443-3, 6.4.4: 0x88 is the cascade tag; no 4-byte UID begins with it.
            raise MessageError(path, "88 begins a cut-off id, not a UID: read all cascade levels")
        return tag
    if not _ANY_HEX.fullmatch(tag):
        raise MessageError(path, "must be a UID in upper-case hex")
    if len(tag) not in (8, 14, 20):
        raise MessageError(path, f"a UID has 8, 14 or 20 hex digits, this has {len(tag)}")
    raise MessageError(path, "must be in upper case")
