"""The answer to "may I?": legal with its cost, illegal with every rule that forbids it, or unknown."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from companion.rules.actions import Action
from companion.rules.position import Position


@dataclass(frozen=True, slots=True)
class Cost:
    """All that leaves the player and the team by one action."""

    willpower: int = 0
    essence: int = 0
    """Taken from the own Spirit board."""
    ambition: int = 0


@dataclass(frozen=True, slots=True)
class Refusal:
    """One rule that forbids an action, and why in words a player understands."""

    rule: str
    """The id, such as `R-EMP-2`."""
    template: str
    """The sentence, with `{name}` for each fact: the key of the message catalogues."""
    facts: Mapping[str, object] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The sentence in English, facts filled in."""
        return self.template.format(**self.facts)


@dataclass(frozen=True, slots=True)
class Missing:
    """A printed value on which the answer hangs and that the card data does not have."""

    card: str
    key: str
    """The key in a card pack, such as `empower_threshold`."""

    @property
    def name(self) -> str:
        """The dotted name that `missing` lists in the JSON output: `trust.empower_threshold`."""
        return f"{self.card}.{self.key}"


@dataclass(frozen=True, slots=True)
class Remedy:
    """The cheapest change that would make an illegal action legal."""

    action: Action
    """What to do now: the deed in another form, or the first step on the way to it."""
    cost: Cost
    """Of all the steps together."""
    text: str
    """For people: "Channeled Power adds the missing Essence, for 1 Ambition"."""
    steps: tuple[Action, ...] = ()
    """All there is to do, in order: what comes first, and last the deed as it is legal then.

    Where the way is to wait, the turns of the others are in between as ends of their turns.
    """


class Later:
    """The position after a legal action, worked out when first asked for: most of a list nobody plays."""

    __slots__ = ("_found", "_work")

    def __init__(self, work: Callable[[], Position | None]) -> None:
        self._work: Callable[[], Position | None] | None = work
        self._found: Position | None = None

    def position(self) -> Position | None:
        """Return the position, the same one each time."""
        if self._work is not None:
            self._found, self._work = self._work(), None
        return self._found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Later) and self.position() == other.position()

    __hash__ = None  # type: ignore[assignment] # as a Position has none

    def __repr__(self) -> str:
        return repr(self.position())


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to one action in one position."""

    status: Literal["legal", "illegal", "unknown"]
    cost: Cost = Cost()
    """Meaningful for a legal action."""
    refusals: tuple[Refusal, ...] = ()
    """Every rule that forbids it, the one to show first; empty unless illegal."""
    missing: tuple[Missing, ...] = ()
    """The unknown printed values; empty unless unknown."""
    later: Later | None = None
    """Of a legal action; `after` is what it comes to."""

    @property
    def after(self) -> Position | None:
        """The position after a legal action."""
        return None if self.later is None else self.later.position()

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of `refusals`, in their order, each once."""
        return tuple(dict.fromkeys(refusal.rule for refusal in self.refusals))
