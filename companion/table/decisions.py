"""What a look at the table can come to."""

from dataclasses import dataclass
from typing import Any, Final

from companion.rules.actions import Action
from companion.rules.verdict import Verdict
from companion.scenario.notation import action_to

PUT_BACK: Final = "put-back"
"""Id of the choice that does nothing but say what goes back where."""
BOARD_RIGHT: Final = "board-right"
"""Id of the choice that lets the game follow the pieces."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A button of a question."""

    id: str
    text: str
    action: Action | None
    """None: nothing is done, the pieces go back."""
    effect: str = ""
    """What it would do, for people: "Diana moves to the Cradle"; "" where the text says it all."""
    corrects: bool = False
    """Whether the last action is taken back first: the pieces went on."""

    @property
    def do(self) -> dict[str, Any]:
        """The action as a `do` table; empty where nothing is done."""
        return {} if self.action is None else action_to(self.action)


@dataclass(frozen=True, slots=True)
class Nothing:
    """The table matches, or what differs is held."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something is in motion, or in a hand."""


@dataclass(frozen=True, slots=True)
class Done:
    """The pieces can mean only this."""

    action: Action
    verdict: Verdict
    """Of the rules on this action in the position that was looked at, in the one before if it corrects."""
    corrects: bool = False
    """Whether the last action is taken back first: the piece had not been put down there (F-126)."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The pieces of the last action went back at once: it was none, and it is taken back."""

    steps: int = 1
    """Actions to take back: with it the end of the turn that was read from it."""


@dataclass(frozen=True, slots=True)
class Ask:
    """The pieces can mean several things, or it is for people to say whether they mean it."""

    text: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """The pieces mean something that is not allowed, or can't be judged."""

    action: Action
    verdict: Verdict
    """Illegal, or unknown."""
    remedies: tuple[Choice, ...]
    """Ways out; where there are any, the last one is to put the pieces back."""
    remedy_text: str
    """What would make it legal, "" where nothing would."""
    put_back: str
    """What goes back where."""


Decision = Nothing | Waiting | Done | TakenBack | Ask | Refused
