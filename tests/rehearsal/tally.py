"""What became of the actions of some games, counted."""

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final

FAULTS: Final = ("wrong", "accused", "tapped", "lost", "dead", "unclear", "astray")
"""What must not happen, each a list with a line a case."""


@dataclass(slots=True)
class Tally:
    """Counts and times; each can be added to those of other games."""

    games: int = 0
    actions: int = 0
    by_touch: int = 0
    """Actions that no reader can see, or that people chose to say first."""
    by_pieces: int = 0
    """Actions that came into the game by pieces, asked or not, or that people meant so and had to say."""
    forgotten: int = 0
    """Ends of turns that nobody said: the next player just acted."""
    asked: int = 0
    """By pieces, with a question: several meanings, or Ambition to spend."""
    asked_unwatched: int = 0
    """Likewise, while something was broken."""
    said: int = 0
    """Laid down and then said by touch, as the table told people to: nobody watched, or it can't be told."""
    crowded: int = 0
    """More meanings than a question has choices: said by touch."""
    refused: int = 0
    """Explained by a rule, with what was meant as the way out: Ambition to spend."""
    told_off: int = 0
    """Refusals while two cards lay mixed up."""
    passing: int = 0
    """Questions that were open for a moment and went away by themselves."""
    corrected: int = 0
    """First guesses that the table took back by itself."""
    misled: list[str] = field(default_factory=list)
    """Accepted and not meant, since something broke in the middle of a movement; the table says so."""
    wrong: list[str] = field(default_factory=list)
    """Accepted and not meant, and not corrected by the table."""
    accused: list[str] = field(default_factory=list)
    """Refused though nobody did anything wrong."""
    tapped: list[str] = field(default_factory=list)
    """Only one thing could be meant, and people had to tap for it."""
    lost: list[str] = field(default_factory=list)
    """Laid down, not accepted, and nothing said."""
    dead: list[str] = field(default_factory=list)
    """The table is not right and nothing leads out."""
    unclear: list[str] = field(default_factory=list)
    """A question without the choice that was meant."""
    rest_s: list[float] = field(default_factory=list)
    """From the last piece at rest to the verdict, of what went through unasked, in moved time."""
    question_s: list[float] = field(default_factory=list)
    """From the last piece at rest to the question."""
    work_ms: list[float] = field(default_factory=list)
    """Real time of the app for a message with an acceptance."""
    kinds: Counter[str] = field(default_factory=Counter)
    """Questions by kind of action."""
    illegal: int = 0
    refused_rightly: int = 0
    led_back: int = 0
    astray: list[str] = field(default_factory=list)
    """Illegal actions that were not refused by a right rule, or from which nothing led back."""

    def add(self, other: "Tally") -> None:
        """Add what became of other games."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

    @property
    def faults(self) -> list[str]:
        """Everything that must not happen, a line each."""
        return [f"{kind}: {line}" for kind in FAULTS for line in getattr(self, kind)]

    @property
    def asked_share(self) -> float:
        """The share of the actions by pieces that needed a question."""
        return (self.asked + self.asked_unwatched) / max(self.by_pieces, 1)

    def figures(self) -> dict[str, Any]:
        """Return all of it as numbers."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        counts = {name: len(value) if isinstance(value, list) else value for name, value in values.items()}
        for name in ("rest_s", "question_s", "work_ms"):
            counts[name] = {"median": median(values[name]), "p99": percentile(values[name])}
        return {**counts, "asked_share": round(self.asked_share, 4), "kinds": dict(self.kinds)}


def median(values: Sequence[float]) -> float:
    """Return the median, 0 for nothing."""
    return round(statistics.median(values), 4) if values else 0.0


def percentile(values: Sequence[float], share: float = 0.99) -> float:
    """Return the least value that so many are not above, 0 for nothing."""
    return round(sorted(values)[min(int(len(values) * share), len(values) - 1)], 4) if values else 0.0
