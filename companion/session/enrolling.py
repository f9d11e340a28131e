"""Enrolment at the table: what readers say while a sitting is open, and what people ask for in it."""

from collections.abc import Mapping
from typing import Any, Final

from companion.content import components
from companion.session.tags import Tags
from companion.table import enrol
from companion.table.errors import RegistryError
from companion.table.layout import Fact
from firmware_bridge.contract.messages import SpaceMessage

ACTIONS: Final = ("start", "skip", "back", "pick", "stop")


class Enrolling:
    """One sitting; each tag is in the registry's file before it counts.

    Args:
        tags: the registry that grows.
        facts: what lies on the readers already: that is not laid now.
    """

    def __init__(self, tags: Tags, facts: Mapping[str, Fact]) -> None:
        self._tags = tags
        self._lying = {space: frozenset(fact.tags) for space, fact in facts.items()}
        self._unreadable = {space for space, fact in facts.items() if fact.state == "unreadable"}
        known = set(tags.registry.components.values())
        missing = [component for component in components() if component not in known]
        self.sitting = enrol.begin(tags.own, missing)

    def lies(self, space: str, message: SpaceMessage) -> None:
        """Take note of what lies on a reader without being laid for enrolment."""
        self._lying[space] = frozenset(message.tags)

    def space(self, space: str, message: SpaceMessage | None) -> None:
        """Take what a reader says, already learnt by the tags; None: it is not instrumented any more."""
        if message is None:
            self._lying.pop(space, None)
            return
        new = tuple(uid for uid in message.tags if uid not in self._lying.get(space, frozenset()))
        self._lying[space] = frozenset(message.tags)
        unreadable = message.state == "unreadable"
        if unreadable and space not in self._unreadable:
            self._become(enrol.unreadable(self.sitting, space))
        (self._unreadable.add if unreadable else self._unreadable.discard)(space)
        if new and message.state != "fault":
            self._become(enrol.laid(self.sitting, new, self._names(new)))
        elif named := self._names(tuple(uid for uid in message.texts if uid not in new)):
            # A tag's own words come a moment after the tag.
            for uid, component in named.items():
                self._become(enrol.told(self.sitting, uid, component))

    def garbled(self, why: str) -> None:
        """Take note that a reader said something that is no tag."""
        self._become(enrol.garbled(self.sitting, why))

    def ask(self, request: Mapping[str, Any]) -> bool:
        """Do what people ask for, but start and stop; False where it can't be done: `sitting` says why."""
        action = request.get("action")
        if action == "pick":
            self._become(enrol.pick(self.sitting, str(request.get("component"))))
        else:
            self._become(enrol.skip(self.sitting) if action == "skip" else enrol.back(self.sitting))
        return not self.sitting.fault

    def state(self) -> dict[str, Any]:
        """Return what a screen shows: `enrol` of `game/state`."""
        sitting = self.sitting
        return {
            "component": sitting.component,
            "text": sitting.asks,
            "message": sitting.message,
            "fault": sitting.fault,
            "left": sitting.left,
            "of": len(sitting.order),
        }

    def _names(self, uids: tuple[str, ...]) -> dict[str, str]:
        return {uid: said for uid in uids if (said := self._tags.said_by(uid)) is not None}

    def _become(self, sitting: enrol.Enrolment) -> None:
        if sitting.registry != self.sitting.registry:
            try:
                self._tags.keep(sitting.registry)
            except RegistryError as error:
                self.sitting = enrol.garbled(self.sitting, str(error))
                return
        self.sitting = sitting
