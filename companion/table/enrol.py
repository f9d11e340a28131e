"""Enrolment in one sitting: a component is named, its tag is laid on any reader, the next one is named.

Pure: values in, values out. A tag or component that comes twice, a tag that can't be read, an id that is cut
off are each said at once and change nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from companion.rules.words import title
from companion.table.errors import ComponentError
from companion.table.pieces import piece
from companion.table.registry import Registry, component_fault, uid_fault

_KINDS: Final = ("spirit", "emotion", "fortress", "vibe", "staff")
"""In this order they are named: the few large ones first, as they come out of the box."""


@dataclass(frozen=True, slots=True)
class Enrolment:
    """One sitting, as it stands."""

    registry: Registry
    """All that is registered by now."""
    order: tuple[str, ...]
    """The components that are gone through."""
    at: int = 0
    """Index of the one that is named; behind the last one all are done."""
    message: str = ""
    """What came of the last thing that was done."""
    fault: bool = False
    """Whether that was something wrong."""

    @property
    def component(self) -> str | None:
        """The component whose tag is awaited."""
        return self.order[self.at] if self.at < len(self.order) else None

    @property
    def asks(self) -> str:
        """What people are asked to do."""
        if self.component is None:
            return "Every component has its tag."
        return f"Now lay: {component_words(self.component)}"

    @property
    def left(self) -> int:
        """How many components of the list have no tag yet."""
        tagged = set(self.registry.components.values())
        return sum(component not in tagged for component in self.order)


def begin(registry: Registry, components: Iterable[str]) -> Enrolment:
    """Begin with the components that have no tag.

    Args:
        registry: what is known.
        components: all there are.
    """
    tagged = set(registry.components.values())
    order = sorted((name for name in components if name not in tagged), key=_place)
    return Enrolment(registry, tuple(order))


def laid(sitting: Enrolment, uids: tuple[str, ...], names: Mapping[str, str] | None = None) -> Enrolment:
    """Take the tags that were just laid on a reader, or tapped.

    Args:
        sitting: as it stands.
        uids: all that came in one go.
        names: components that tags say themselves, by id.
    """
    if len(uids) > 1:
        return _wrong(sitting, f"{len(uids)} tags at once ({', '.join(uids)}): lay one, with one sticker.")
    [uid] = uids
    if fault := uid_fault(uid):
        return _wrong(sitting, fault)
    own = sitting.registry.component(uid)
    if own is not None:
        return _wrong(sitting, f"This tag is that of {component_words(own)} already.")
    said = (names or {}).get(uid)
    if said is not None:
        return _said_itself(sitting, uid, said)
    if sitting.component is None:
        return _wrong(sitting, f"Tag {uid} is a spare one: every component has its tag.")
    return _taken(sitting, uid, sitting.component)


def told(sitting: Enrolment, uid: str, component: str) -> Enrolment:
    """Take what a tag says of itself after it was laid: it was taken for something else, perhaps.

    Args:
        sitting: as it stands.
        uid: of the tag.
        component: what it says.
    """
    taken = sitting.registry.component(uid)
    if taken is None or taken == component or taken not in sitting.order[: sitting.at]:
        return sitting
    kept = {tag: name for tag, name in sitting.registry.components.items() if tag != uid}
    registry = Registry(MappingProxyType(kept))
    return _said_itself(replace(sitting, registry=registry, at=sitting.order.index(taken)), uid, component)


def _said_itself(sitting: Enrolment, uid: str, component: str) -> Enrolment:
    """Take a tag that carries a component's name, whichever was asked for."""
    if fault := component_fault(component):
        return _wrong(sitting, f"Tag {uid} carries the name {component!r}: {fault}.")
    if others := sitting.registry.tags(component):
        text = f"Tag {uid} says it is {component_words(component)}, which has a tag already ({others[0]})."
        return _wrong(sitting, text)
    return _taken(sitting, uid, component)


def _taken(sitting: Enrolment, uid: str, component: str) -> Enrolment:
    before = sitting.registry.tags(component)
    kept = {tag: name for tag, name in sitting.registry.components.items() if name != component}
    registry = Registry(MappingProxyType({**kept, uid: component}))
    instead = f" instead of {before[0]}" if before else ""
    text = f"{component_words(component)}: tag {uid}{instead}."
    return _onward(replace(sitting, registry=registry, message=text, fault=False), sitting.at)


def _onward(sitting: Enrolment, at: int) -> Enrolment:
    """Go on to the next component without a tag, from the one at `at` on."""
    tagged = set(sitting.registry.components.values())
    while at < len(sitting.order) and sitting.order[at] in tagged:
        at += 1
    return replace(sitting, at=at)


def skip(sitting: Enrolment) -> Enrolment:
    """Leave a component without a tag for now."""
    if sitting.component is None:
        return _wrong(sitting, "There is nothing to skip.")
    text = f"{component_words(sitting.component)} is left out."
    return _onward(replace(sitting, message=text, fault=False), sitting.at + 1)


def back(sitting: Enrolment) -> Enrolment:
    """Go back to the component before; the tag that it got is forgotten, to be laid again."""
    if sitting.at == 0:
        return _wrong(sitting, "This is the first one.")
    component = sitting.order[sitting.at - 1]
    kept = {tag: name for tag, name in sitting.registry.components.items() if name != component}
    forgotten = len(kept) < len(sitting.registry.components)
    text = f"{component_words(component)} again" + ("; its tag is forgotten." if forgotten else ".")
    registry = Registry(MappingProxyType(kept))
    return replace(sitting, registry=registry, at=sitting.at - 1, message=text, fault=False)


def pick(sitting: Enrolment, component: str) -> Enrolment:
    """Name a certain component next, such as one whose sticker was replaced."""
    if fault := component_fault(component):
        return _wrong(sitting, f"{fault}.")
    order = sitting.order
    if component not in order:
        order = (*order[: sitting.at], component, *order[sitting.at :])
    has = sitting.registry.tags(component)
    text = f"It has the tag {has[0]}; the one laid now takes its place." if has else ""
    return replace(sitting, order=order, at=order.index(component), message=text, fault=False)


def unreadable(sitting: Enrolment, space: str) -> Enrolment:
    """Say that something lies on a reader that can't be read."""
    text = (
        f"{space}: this tag can't be read. Lay it flat and alone, away from metal, or take another sticker."
    )
    return _wrong(sitting, text)


def garbled(sitting: Enrolment, why: str) -> Enrolment:
    """Say that a reader told something that is no tag, such as a cut-off id."""
    return _wrong(sitting, why)


def _wrong(sitting: Enrolment, message: str) -> Enrolment:
    return replace(sitting, message=message, fault=True)


def component_words(component: str) -> str:
    """Say which piece of the box a component is; two copies of a title are told apart."""
    try:
        found = piece(component)
    except ComponentError:
        return component
    number = component.rsplit("/", 1)[1]
    if found.kind == "emotion":
        return f"{title(found.name)} ({title(found.team)}), copy {number}"
    if found.kind == "spirit":
        return f"the figure of {title(found.name)}"
    if found.kind == "vibe":
        return f"{found.name} Vibe token {number}"
    if found.kind == "fortress":
        return f"{title(found.team)} {title(found.name)} Fragment {number}"
    return f"staff card {number}"


def _place(component: str) -> tuple[int, tuple[tuple[int, str], ...]]:
    parts = component.split("/")
    return _KINDS.index(parts[0]), tuple((int(part), "") if part.isdigit() else (0, part) for part in parts)
