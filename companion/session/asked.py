"""A question that is open, and what each of its answers brings about."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.rules.actions import Action
from companion.rules.verdict import Missing
from companion.session.pack import Value
from companion.session.secrets import public_do
from companion.table.decisions import Choice


@dataclass(frozen=True, slots=True)
class Asked:
    """The question on the screen."""

    id: str
    text: str
    choices: tuple[Choice, ...]
    step: str = ""
    """What it is about where it comes from `turn.pending`; then it holds no piece up."""
    detail: str = ""
    """What may be said below the text."""
    opens: Mapping[str, "Asked"] = field(default_factory=dict)
    """By choice: the question that it leads to, under the same id."""
    values: Mapping[str, Value] = field(default_factory=dict)
    """By choice: what it states about a card."""
    wanted: Missing | None = None
    """The printed value that is asked for, where it is one; a screen may let people enter any."""
    resumes: Action | None = None
    """What was asked for by touch or command, and goes on once the value is known."""

    def asks_for(self, value: Value) -> bool:
        """Tell whether it is this value that is wanted."""
        return self.wanted is not None and (self.wanted.card, self.wanted.key) == (value.card, value.key)

    def message(self) -> dict[str, Any]:
        """Return `game/ask`; nothing that only one player knows."""
        data: dict[str, Any] = {
            "id": self.id,
            "text": self.text,
            "choices": [self._choice(choice) for choice in self.choices],
        }
        if self.step:
            data["step"] = self.step
        if self.step or self.detail:
            data["detail"] = self.detail
        if self.wanted is not None:
            data["value"] = {"card": self.wanted.card, "key": self.wanted.key}
        return data

    def _choice(self, choice: Choice) -> dict[str, Any]:
        do = {} if choice.action is None else public_do(choice.action, accepted=True)
        said: dict[str, Any] = {"id": choice.id, "text": choice.text, "do": do}
        if choice.effect:
            said["effect"] = choice.effect
        if choice.id in self.values:
            said["value"] = self.values[choice.id].data
        if choice.id in self.opens:
            said["opens"] = True
        return said
