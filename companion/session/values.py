"""Printed values that nobody knows, as questions: people look at the card, and say it once."""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from companion.rules.actions import Action
from companion.rules.cards import Card, Catalogue
from companion.rules.verdict import Missing
from companion.rules.words import title
from companion.session.asked import Asked
from companion.session.pack import Value
from companion.table.decisions import PUT_BACK, Choice
from companion.table.meanings import MOST_CHOICES

LEAVE: Final = "leave"
"""Id of the choice to answer nothing, where no pieces have moved."""
ANOTHER: Final = "another"
"""Id of the choice for a value that is none of those offered."""

_ASKABLE: Final = ("empower_threshold", "intensity")

_USUAL_THRESHOLDS: Final = (2, 3, 1, 4)
"""Offered where a card's number of Essence spaces is not known: cards have 2 to 4 (R-ESS-1)."""


def asked_of(
    missing: Iterable[Missing], cards: Catalogue, put_back: str, *, name: str, resumes: Action | None = None
) -> Asked | None:
    """Return the question for the first printed value that people can say with a tap; None where none is one.

    Args:
        missing: what a verdict hangs on.
        cards: the printed values: the likeliest answer is what most cards of the kind have.
        put_back: which pieces go back where, "" where none have moved.
        name: id of the question.
        resumes: what goes on once the value is known; None: what the pieces say then.
    """
    wanted = next((item for item in missing if item.key in _ASKABLE and item.card in cards.cards), None)
    if wanted is None:
        return None
    card = cards.cards[wanted.card]
    text, detail = _words(wanted, card)
    values = [Value(card.name, wanted.key, value) for value in _likely(wanted.key, card, cards)]
    back = (Choice(PUT_BACK, put_back, None) if put_back else Choice(LEAVE, "Leave it", None),)
    sure = wanted.key == "empower_threshold" and card.spaces is not None
    room = MOST_CHOICES - len(back)
    opens: dict[str, Asked] = {}
    if not sure or len(values) > room:
        values, rest = values[: room - 1], values[room - 1 :]
        another = Asked(name, text, (*_choices(rest[:room]), *back), detail=detail, wanted=wanted)
        opens[ANOTHER] = _with_values(another, rest[:room], resumes)
    choices = (*_choices(values), *((Choice(ANOTHER, "Another", None),) if opens else ()), *back)
    asked = Asked(name, text, choices, detail=detail, wanted=wanted, opens=opens)
    return _with_values(asked, values, resumes)


def _with_values(asked: Asked, values: list[Value], resumes: Action | None) -> Asked:
    told = {str(number): value for number, value in enumerate(values, 1)}
    return Asked(
        asked.id,
        asked.text,
        asked.choices,
        detail=asked.detail,
        opens=asked.opens,
        values=told,
        wanted=asked.wanted,
        resumes=resumes,
    )


def _choices(values: Iterable[Value]) -> tuple[Choice, ...]:
    return tuple(Choice(str(number), value_words(value), None) for number, value in enumerate(values, 1))


def _likely(key: str, card: Card, cards: Catalogue) -> list[Any]:
    """Return what it could be, first what most cards of the kind have."""
    alike = [other for other in cards.cards.values() if other.strength == card.strength]
    if key == "empower_threshold":
        known = Counter(other.empower_threshold for other in alike)
        amounts = range(1, card.spaces + 1) if card.spaces is not None else _USUAL_THRESHOLDS
        return sorted(amounts, key=lambda amount: -known[amount])
    tracks = Counter(other.intensity for other in alike if other.intensity is not None)
    return [list(track) for track, _ in tracks.most_common()]


def _words(wanted: Missing, card: Card) -> tuple[str, str]:
    """Return the question, and where the value stands."""
    if wanted.key == "empower_threshold":
        return (
            f"What is the Empower threshold of {title(card.name)}?",
            "Look at the card: printed on it is how much Essence it needs to be empowered.",
        )
    return (
        f"Which Intensity does {title(card.name)} show?",
        "Look at the card: the numbers on its row of Essence spaces, from left to right.",
    )


def value_words(value: Value) -> str:
    """Say a value for a button: "2 Essence", "1, 2, 2"."""
    if isinstance(value.value, list | tuple):
        return ", ".join(str(part) for part in value.value)
    return f"{value.value} Essence" if value.key == "empower_threshold" else str(value.value)


def stated_words(value: Value) -> str:
    """Say for the log what was stated."""
    if value.key == "empower_threshold":
        return f"The Empower threshold of {title(value.card)} is {value.value}."
    if value.key == "intensity":
        return f"The Intensity of {title(value.card)} is {value_words(value)}."
    what = {"vibe": "Vibe", "power": "power", "side_b": "side B"}.get(value.key, value.key)
    return f"The {what} of {title(value.card)} is noted."
