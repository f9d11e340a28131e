"""What everybody may see of an action: hands and Hidden Aspirations stay with those who know them."""

from collections.abc import Mapping
from typing import Any

from companion.rules.actions import Action, Adjust, KeepHidden, Reveal
from companion.scenario.notation import action_to


def is_secret(action: Action) -> bool:
    """Tell whether an action names what only one team may know."""
    return isinstance(action, KeepHidden)


def public_do(action: Action, *, accepted: bool) -> dict[str, Any]:
    """Write an action as a `do` table for everybody's eyes.

    Args:
        action: what was tried.
        accepted: whether it was done; a Hidden Aspiration that was shown too early was not shown.
    """
    do = action_to(action)
    if isinstance(action, KeepHidden) or (isinstance(action, Reveal) and not accepted):
        del do["aspiration"]
    if isinstance(action, Adjust):
        do["set"] = _public_set(do["set"])
    return do


def _public_set(stated: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what `game/state` leaves out: hands (but for their size), decks, Hidden Aspirations."""
    found = dict(stated)
    if "players" in found:
        found["players"] = {name: _public_player(part) for name, part in found["players"].items()}
    if "teams" in found:
        found["teams"] = {name: _without(part, "aspiration") for name, part in found["teams"].items()}
    if "turn" in found:
        found["turn"] = public_turn(found["turn"])
    return found


def _public_player(part: Mapping[str, Any]) -> dict[str, Any]:
    shown = _without(part, "hand", "deck")
    return {**shown, "hand_size": len(part["hand"])} if "hand" in part else shown


def public_turn(turn: Mapping[str, Any]) -> dict[str, Any]:
    """Return a turn whose open steps name no Hidden Aspiration."""
    if "pending" not in turn:
        return dict(turn)
    open_steps = [
        step if step["action"] == "return-common" else _without(step, "aspiration")
        for step in turn["pending"]
    ]
    return {**turn, "pending": open_steps}


def _without(part: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in part.items() if key not in keys}
