"""What a node says, typed and checked: who it is (`H`), what lies on its spaces (`S`)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self, cast, get_args

from firmware_bridge.contract.errors import MessageError
from firmware_bridge.contract.messages import SpaceState, tags_in
from firmware_bridge.contract.spaces import is_space
from firmware_bridge.errors import HelloError
from firmware_bridge.presence.debounce import Fact
from hardware.firmware.frames import PROTOCOL

PROTOCOLS: Final = (PROTOCOL,)
"""The versions that this bridge speaks."""

MAX_SPACES: Final = 20
"""Of one node: with more, what lies on them does not fit into a line of 1024 bytes."""

MAX_WORD: Final = 64
"""Characters of a name or version: as many as one level of a topic may have."""

_WORD: Final = re.compile(rf"[A-Za-z0-9._+-]{{1,{MAX_WORD}}}")


@dataclass(frozen=True, slots=True)
class Hello:
    """Who a node is.

    Args:
        node: its name.
        boot: different at every start of the node.
        firmware: its version.
        spaces: what its readers stand below, in its own order.
    """

    node: str
    boot: str
    firmware: str
    spaces: tuple[str, ...]

    @classmethod
    def from_payload(cls, payload: Mapping[str, object]) -> Self:
        """Read the payload of an `H`.

        Raises:
            HelloError: it can't be served; the text names the node, if it says a name, and the mend.
        """
        said = name_in(payload)
        name = f'node "{said}"' if said else "a node without a good name"
        protocol = payload.get("protocol")
        if protocol not in PROTOCOLS or isinstance(protocol, bool):
            is_number = isinstance(protocol, int) and not isinstance(protocol, bool)
            shown = protocol if is_number else "none that is a number"
            spoken = ", ".join(map(str, PROTOCOLS))
            raise HelloError(
                f"{name} speaks version {shown} of the protocol, this bridge speaks {spoken}: install the"
                " node's firmware and this program from the same release"
            )
        return cls(
            _word(payload, "node", name),
            _word(payload, "boot", name),
            _word(payload, "firmware", name),
            _spaces(payload.get("spaces"), name),
        )


def name_in(payload: Mapping[str, object]) -> str:
    """Return the name that an `H` says; nothing if it says no good one."""
    name = payload.get("node")
    return name if isinstance(name, str) and _is_word(name) else ""


def states_in(payload: Mapping[str, object], spaces: tuple[str, ...]) -> Mapping[str, Fact]:
    """Read the payload of an `S`: what lies on every space of the node.

    Args:
        payload: of the frame.
        spaces: those that the node said it has.

    Raises:
        MessageError: it can't be used; nothing of it may be then.
    """
    if payload.keys() != set(spaces):
        raise MessageError("", "must have every space that the node said it has, and no other")
    return {space: _fact(payload[space], space) for space in spaces}


def _fact(data: object, space: str) -> Fact:
    if not isinstance(data, dict):
        raise MessageError(space, "must be an object")
    state = data.get("state")
    if state not in get_args(SpaceState):
        raise MessageError(f"{space}.state", f"must be one of {', '.join(get_args(SpaceState))}")
    return Fact(tuple(map(bytes.fromhex, tags_in(data))), cast("SpaceState", state))


def _word(payload: Mapping[str, object], key: str, name: str) -> str:
    word = payload.get(key)
    if not isinstance(word, str) or not _is_word(word):
        raise HelloError(
            f"{name} says no good `{key}`: 1 to {MAX_WORD} of a-z, A-Z, 0-9 and . _ + -; correct its"
            " configuration"
        )
    return word


def _is_word(text: str) -> bool:
    return _WORD.fullmatch(text) is not None


def _spaces(spaces: object, name: str) -> tuple[str, ...]:
    if not isinstance(spaces, list) or not spaces:
        raise HelloError(f"{name} says no spaces: list what its readers stand below in its configuration")
    for space in spaces:
        if not isinstance(space, str) or not is_space(space):
            shown = f'"{space[:40]}"' if isinstance(space, str) and space.isprintable() else "that is no text"
            raise HelloError(
                f"{name} says a space {shown}, which there is not: correct its configuration; spaces are"
                " written like slot/valley.1, spirit/valley or pad/1"
            )
    if len(spaces) > MAX_SPACES:
        raise HelloError(f"{name} says {len(spaces)} spaces, at most {MAX_SPACES} are served: use more nodes")
    if len(set(spaces)) < len(spaces):
        raise HelloError(f"{name} says a space twice: correct its configuration")
    return tuple(spaces)
