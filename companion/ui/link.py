"""All that the screens know of the rest: messages in, commands out, what could be done, what lies where.

Free of Kivy, so that whoever implements it needs no display. The methods are called on the Kivy thread and
must not wait: an implementation answers from what it knows already.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Verdict = Literal["legal", "illegal", "unknown"]


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that could be done with what was tapped, or why it can't be done now."""

    do: Mapping[str, Any]
    """The action, as in the `do` tables of the contracts' section 3."""
    text: str
    """For people: "Empower Kindness"."""
    cost: str
    """For people: "3 Willpower"; empty where nothing is spent."""
    verdict: Verdict
    rules: tuple[str, ...] = ()
    message: str = ""
    """Why not, or what would change."""
    remedy: str = ""
    """What would make it legal; empty where nothing would."""


@dataclass(frozen=True, slots=True)
class Start:
    """A named starting position."""

    name: str
    title: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the virtual table: its tag and what it is."""

    uid: str
    """Upper-case hex."""
    component: str
    """As the registry writes it: `emotion/bliss/kindness/1`."""


class UiLink(Protocol):
    """What the app needs from the session, the bus and the virtual table."""

    def drain(self) -> list[tuple[str, dict[str, Any]]]:
        """Return the messages since the last call, oldest first.

        Each is a kind (`game/state`, `game/event`, `game/ask`, `reply` or `link`) and its payload; that of
        `link` is `{"up": true|false}`. Safe to call while other threads add to the queue.
        """
        ...

    def send(self, command: dict[str, Any]) -> None:
        """Send a command without `id` and `at`: `{"do": ..}`, `{"answer": ..}`, `{"undo": 1}` and so on.

        `{"setup": {"start": name}}` asks for the named starting position of `starts`.
        """
        ...

    def options(self, target: str) -> list[Option]:
        """Return what could be done with what was tapped.

        `target` is `slot/valley.1`, `spirit/valley`, `row/move`, `player/diana`, `team/bliss` for its
        Intentions, or `step` for what is to be placed, shown or chosen now.
        """
        ...

    def starts(self) -> list[Start]:
        """Return the named starting positions, in the order to show."""
        ...

    def pieces(self) -> list[Piece]:
        """Return the pieces of the virtual table; none where the table is a real one."""
        ...

    def fields(self) -> dict[str, tuple[str, ...]]:
        """Return what lies in each simulated field now: bus space to UIDs."""
        ...

    def lay(self, space: str, uids: tuple[str, ...]) -> None:
        """Make `uids` all that lies in the simulated field of the bus space `space`."""
        ...
