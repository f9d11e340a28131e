"""What can be put right by touch, one step at a time (`adjust`). Free of Kivy."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.cards import Catalogue
from companion.ui import texts
from companion.ui.views import AMBITION_TOKENS, State


@dataclass(frozen=True, slots=True)
class Dial:
    """A number that people may put right."""

    label: str
    value: int
    less: Mapping[str, Any] | None
    """What to state for one less; None where it can't be."""
    more: Mapping[str, Any] | None


def dials(target: str, state: State, cards: Catalogue) -> tuple[Dial, ...]:
    """Return what can be put right about `player/diana`, `team/bliss` or `slot/valley.1`."""
    kind, _, name = target.partition("/")
    if kind == "player" and name in state.get("players", {}):
        player = state["players"][name]
        return tuple(
            _dial(label, int(player.get(key, 0)), lambda value, key=key: {"players": {name: {key: value}}})
            for label, key in ((texts.NAMED_WILLPOWER, "willpower"), (texts.NAMED_ESSENCE, "essence"))
        )
    if kind == "team":
        return _of_team(name, state.get("teams", {}).get(name, {}))
    if kind == "slot" and state.get("slots", {}).get(name, {}).get("emotion"):
        return _of_card(name, state["slots"][name], cards)
    return ()


def _dial(label: str, value: int, stated: Any, least: int = 0, most: int | None = None) -> Dial:
    less = stated(value - 1) if value > least else None
    return Dial(label, value, less, stated(value + 1) if most is None or value < most else None)


def _of_team(name: str, team: Mapping[str, Any]) -> tuple[Dial, ...]:
    ambition, points = int(team.get("ambition", 0)), int(team.get("points", 0))
    return (
        _dial(
            texts.NAMED_AMBITION,
            ambition,
            lambda value: {"teams": {name: {"ambition": value}}},
            most=AMBITION_TOKENS,
        ),
        _dial(texts.NAMED_POINTS, points, lambda value: {"teams": {name: {"points": value}}}),
    )


def _of_card(slot: str, lying: Mapping[str, Any], cards: Catalogue) -> tuple[Dial, ...]:
    """Return the Essence on a card; where the last one goes, the card goes (R-ESS-3)."""
    essence = int(lying.get("essence", 1))
    card = cards.cards.get(str(lying["emotion"]))

    def stated(value: int) -> Mapping[str, Any]:
        return {"slots": {slot: {"essence": value} if value else {}}}

    return (
        _dial(
            texts.NAMED_ESSENCE if essence > 1 else texts.LAST_ESSENCE,
            essence,
            stated,
            most=None if card is None else card.spaces,
        ),
    )
