"""The tags that the session knows: the data folder's registry, what tags say themselves, and the virtual set.

The registry is read anew when somebody has imported one. It wins where a tag says something else of itself;
such a tag, a second one of the same name, and one of another game are named for what they are.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from companion.table.enrol import component_words
from companion.table.registry import FILE, Registry, component_fault, load, save

PREFIX: Final = "companion:"
"""How the text of a tag begins that names its component (contracts, section 6)."""

MOST_SAID: Final = 1000
"""Tags whose words are remembered: several boxes full."""

MOST_REMARKS: Final = 20


class Tags:
    """The registry of a data folder over what tags say, over another one.

    Args:
        folder: the data folder.
        below: what is known besides: the virtual set, or nothing.
    """

    def __init__(self, folder: Path, below: Registry) -> None:
        self._folder = folder
        self._below = below
        self._said: dict[str, str] = {}
        """Texts of tags that name a component or claim to, by id; in the order in which they came."""
        self._stamp = self._stamped()
        self.own, self.notices = load(folder)
        """What the data folder's registry says; and what people should hear of it."""
        self.remarks: tuple[str, ...] = ()
        """What is odd about tags that say what they are, a line each."""
        self.registry = Registry()
        """All together."""
        self._combine()

    def changed(self) -> bool:
        """Read the file again if it is another one than at the last look; tell whether it was."""
        stamp = self._stamped()
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        self.own, self.notices = load(self._folder)
        self._combine()
        return True

    def keep(self, own: Registry) -> None:
        """Write the data folder's registry; raises RegistryNotSaved, then the old one counts."""
        save(self._folder, own)
        self._stamp = self._stamped()
        self.own = own
        self._combine()

    def learn(self, texts: Mapping[str, str]) -> bool:
        """Take note of what tags say themselves; tell whether anything of it is new."""
        new = {uid: text for uid, text in texts.items() if self._said.get(uid) != text}
        if not new or len(self._said.keys() | new.keys()) > MOST_SAID:
            return False
        self._said |= new
        self._combine()
        return True

    def said_by(self, uid: str) -> str | None:
        """Return the component that a tag names, whether it is one or not; None where it names none."""
        text = self._said.get(uid)
        return None if text is None else text.removeprefix(PREFIX)

    def _combine(self) -> None:
        described: dict[str, str] = {}
        notes: dict[str, str] = {}
        remarks: list[str] = []
        first = {component: uid for uid, component in self.own.components.items()}
        for uid in self._said:
            component, registered = self.said_by(uid) or "", self.own.component(uid)
            words = component_words(component)
            if registered is not None:
                if registered != component:
                    counts = f"the registry says {component_words(registered)}, and that counts"
                    remarks.append(f"Tag {uid} says it is {words}; {counts}.")
            elif component_fault(component):
                notes[uid] = f"a tag that is not of this game ({uid} says {component!r})"
            elif component in first:
                notes[uid] = f"a second tag for {words} ({uid}; the first is {first[component]})"
            else:
                first[component] = uid
                described[uid] = component
        remarks += (f"There is {note}." for note in notes.values())
        self.remarks = tuple(remarks[:MOST_REMARKS])
        self.registry = self.own.over(Registry(described)).over(self._below).noted(notes)

    def _stamped(self) -> tuple[int, int] | None:
        try:
            found = (self._folder / FILE).stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns
