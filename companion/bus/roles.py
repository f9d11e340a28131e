"""Who may read and write what on the bus: one table for the embedded broker and for Mosquitto alike.

A subscription itself is never refused: what its owner may not read is left out of what is delivered, through
wildcards too. Mosquitto's access lists work like that, and so does the embedded broker.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from firmware_bridge.contract.topics import Topics


@dataclass(frozen=True, slots=True)
class Role:
    """What a role may do, as filters below `companion/1/<table>/`."""

    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()


ROLES: Final[Mapping[str, Role]] = MappingProxyType(
    {
        # A bridge also reads its own node topics, to contradict the will of an earlier connection (F-78).
        "bridge": Role(
            read=("node/+", "node/+/lights", "node/+/write", "sim/#"), write=("space/#", "node/#")
        ),
        "app": Role(read=("#",), write=("#",)),
        "display": Role(read=("game/#",)),
        "staff": Role(read=("#",), write=("command/#",)),
    }
)
"""Contracts, section 4; the names are the user names."""


def may_read(role: str, table: str, topic: str) -> bool:
    """Tell whether a message on `topic` may be delivered to `role`; an unknown role may nothing."""
    return role in ROLES and _any_matches(ROLES[role].read, table, topic)


def may_write(role: str, table: str, topic: str) -> bool:
    """Tell whether `role` may publish on `topic`; an unknown role may nothing."""
    return role in ROLES and _any_matches(ROLES[role].write, table, topic)


def matches(topic_filter: str, topic: str) -> bool:
    """Tell whether `topic` is among those that `topic_filter` names (MQTT 5, 4.7)."""
    wanted = topic_filter.split("/")
    levels = topic.split("/")
    if topic.startswith("$") and wanted[0] in ("+", "#"):
        return False
    for i, level in enumerate(wanted):
        if level == "#":
            return True
        if i >= len(levels) or level not in ("+", levels[i]):
            return False
    return len(wanted) == len(levels)


def _any_matches(filters: tuple[str, ...], table: str, topic: str) -> bool:
    root = Topics(table).root
    return any(matches(root + below, topic) for below in filters)
