"""Small tables to judge actions on: a position in the keys of a scenario, and one call per question."""

from typing import Any

from companion.content import catalogue
from companion.rules.engine import check
from companion.rules.position import Position
from companion.rules.verdict import Verdict
from companion.scenario.files import overlaid
from companion.scenario.notation import action_from, position_from

CARDS = catalogue()
WILD_ROW = ["wild", "", "", ""]
FULL_ROW = ["red", "green", "yellow", "blue"]


def table(diana: dict[str, Any] | None = None, **parts: Any) -> Position:
    """Diana of Bliss in the Valley with all rows full, and whatever else is stated."""
    everything = {"move", "invoke", "quell", "fortify", "empower"}
    player = {
        "team": "bliss",
        "spirit": "harmony",
        "at": "valley",
        "willpower": 9,
        "essence": 3,
        "vibes": dict.fromkeys(everything, FULL_ROW),
    } | (diana or {})
    players = {"diana": player} | parts.pop("players", {})
    parts.setdefault("teams", {"bliss": {"ambition": 3}, "gloom": {"ambition": 3}})
    return position_from({"players": players, **parts}, CARDS)


def judge(position: Position, action: str, **do: Any) -> Verdict:
    """The verdict on an action in the keys of a `do` table; `pack` lays card values over."""
    cards = overlaid(CARDS, do.pop("pack", {}))
    return check(position, action_from({"action": action, **do}), cards)


def after(position: Position, action: str, **do: Any) -> Position:
    """The position after an action that must be legal."""
    verdict = judge(position, action, **do)
    assert verdict.after is not None, [refusal.text for refusal in verdict.refusals]
    return verdict.after


OTTO = {"team": "gloom", "spirit": "hatred", "at": "land"}
PIA = {"team": "bliss", "spirit": "love", "at": "willow"}
NILS = {"team": "gloom", "spirit": "malice", "at": "network"}
