"""What follows from a public state and is not in it: who controls which Realm and Frontier. Free of Kivy."""

from typing import Any, Final

from companion.rules.board import FRONTIERS, REALMS
from companion.rules.cards import Catalogue
from companion.rules.control import frontier_control, realm_control
from companion.rules.position import HIDDEN, Position
from companion.scenario.errors import NotationError
from companion.scenario.notation import position_from
from companion.ui.views import State

PARTS: Final = (
    "mode",
    "teams",
    "players",
    "slots",
    "fortresses",
    "origin",
    "aspirations",
    "identity",
    "turn",
    "rulings",
)
"""Keys of `game/state` that are a part of the position; whatever else a session adds is not."""


def position_of(state: State, cards: Catalogue) -> Position | None:
    """Return the position behind a public state, with every hand hidden; None where it can't be read."""
    data: dict[str, Any] = {key: state[key] for key in PARTS if key in state}
    data["turn"] = {key: value for key, value in state.get("turn", {}).items() if key != "pending"}
    data["players"] = {
        name: {
            **{key: value for key, value in player.items() if key != "hand_size"},
            "hand": [HIDDEN] * int(player.get("hand_size", 0)),
        }
        for name, player in state.get("players", {}).items()
    }
    try:
        return position_from(data, cards)
    except NotationError:
        return None


def control(state: State, cards: Catalogue) -> dict[str, str]:
    """Return the team that controls each Realm and Frontier; what nobody surely has is not in it."""
    position = position_of(state, cards)
    if position is None:
        return {}
    held = {realm: realm_control(position, realm, cards).team for realm in REALMS}
    held |= {frontier: frontier_control(position, frontier, cards).team for frontier in FRONTIERS}
    return {area: team for area, team in held.items() if team is not None}
