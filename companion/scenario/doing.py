"""Actions as the `do` tables of the contracts' section 3: from plain data and back."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from companion.content import catalogue
from companion.rules.actions import (
    Absorb,
    Action,
    Adjust,
    Ambition,
    Cradle,
    Empower,
    EndTurn,
    Fortify,
    Invoke,
    KeepHidden,
    Land,
    Move,
    Network,
    Place,
    PlaceSpirit,
    PlaceWild,
    Quell,
    ReturnCommon,
    Reveal,
    Score,
    SpiritActionDone,
    Token,
    UsePower,
    Valley,
    Willow,
)
from companion.rules.cards import Catalogue
from companion.scenario.errors import NotationError, shown
from companion.scenario.keys import action_keys, position_keys
from companion.scenario.parts import part_from, part_to
from companion.scenario.schema import validate

_KINDS: Final[Mapping[str, tuple[Callable[..., Action], tuple[str, ...]]]] = {
    "move": (Move, ("to",)),
    "invoke": (Invoke, ("emotion", "slot")),
    "quell": (Quell, ("slot", "reveal")),
    "fortify": (Fortify, ("realm",)),
    "empower": (Empower, ("slot",)),
    "valley": (Valley, ()),
    "cradle": (Cradle, ()),
    "network": (Network, ("slot", "to")),
    "land": (Land, ("slot", "essence")),
    "willow": (Willow, ("amount",)),
    "absorb": (Absorb, ("sphere",)),
    "ambition": (Ambition, ("ability",)),
    "reveal": (Reveal, ("team", "aspiration")),
    "return-common": (ReturnCommon, ("team", "aspiration")),
    "keep-hidden": (KeepHidden, ("team", "aspiration")),
    "place-spirit": (PlaceSpirit, ("at", "slot")),
    "place-wild": (PlaceWild, ("row", "space")),
    "score": (Score, ("intentions",)),
    "adjust": (Adjust, ("reason",)),
    "power": (UsePower, ("power", "slot", "to", "gain", "decline")),
    "end-turn": (EndTurn, ("gain",)),
}
"""By name: the action, and the keys that are its own and have the name of its parts."""

_NAMES: Final = {kind: name for name, (kind, _) in _KINDS.items()}

_SPIRIT_ACTIONS: Final = ("move", "invoke", "quell", "fortify", "empower")

_TOKEN_KEYS: Final = ("row", "space", "vibe")

_WITH_TOKEN: Final = {"absorb": ("sphere", "knowledge"), "ambition": ("ability", "vibe")}
"""The actions that may add a Vibe token: the key and the value with which they do."""


def action_from(do: Mapping[str, Any], cards: Catalogue | None = None) -> Action:
    """Make an action out of a `do` table.

    Args:
        do: the keys of section 3.
        cards: where given, titles and Abilities must be among these.

    Raises:
        NotationError: no such action, a key unknown or missing, a value that can't be.
    """
    name = do.get("action") if isinstance(do, Mapping) else None
    if not isinstance(name, str):
        raise NotationError(("action",), "the name of the action is missing")
    keys = action_keys(name, cards)
    if keys is None:
        raise NotationError(("action",), f"this version does not know the action {shown(name)}")
    validate(keys, do)
    kind, own = _KINDS[name]
    parts = {key: do[key] for key in own if key in do}
    if "player" in do:
        parts["player"] = do["player"]
    if "with" in do:
        parts["trade_with"] = do["with"]
    if name in _SPIRIT_ACTIONS:
        parts["upgrades"] = tuple(do.get("upgrades", ()))
        parts["place"] = Place(**do["place"]) if "place" in do else None
    if name in _WITH_TOKEN:
        parts |= _token_parts(name, do)
    if name == "adjust":
        validate(position_keys(cards or catalogue()), do["set"], ("set",), partial=True)
        parts["part"] = part_from(do["set"])
    return kind(**parts)


def _token_parts(name: str, do: Mapping[str, Any]) -> dict[str, Any]:
    """Return bonus and token of an action that may add one; the three keys stand together or not at all."""
    parts: dict[str, Any] = {"bonus": do["bonus"]} if "bonus" in do else {}
    given = [key for key in _TOKEN_KEYS if key in do]
    key, value = _WITH_TOKEN[name]
    adds = do[key] == value and do.get("bonus", True)
    if given and not adds:
        raise NotationError((given[0],), f"no Vibe token is added here: only with {key} = {shown(value)}")
    # What Knowledge adds may be left open in a file: that is a bonus not said, and judged as such.
    if given or (adds and name == "ambition"):
        for missing in (key for key in _TOKEN_KEYS if key not in do):
            raise NotationError((missing,), "is missing")
        parts["token"] = Token(do["row"], do["space"], do["vibe"])
    return parts


def action_to(action: Action) -> dict[str, Any]:
    """Write an action as a `do` table; what has its default is left out."""
    name = _NAMES[type(action)]
    _, own = _KINDS[name]
    do: dict[str, Any] = {"action": name}
    stated = {key: getattr(action, key) for key in own}
    do.update({key: value for key, value in stated.items() if value is not None and value is not False})
    if isinstance(action, Move) and action.trade_with is not None:
        do["with"] = action.trade_with
    if isinstance(action, SpiritActionDone):
        if action.upgrades:
            do["upgrades"] = list(action.upgrades)
        if action.place is not None:
            do["place"] = {"discard": action.place.discard, "space": action.place.space}
    if isinstance(action, Adjust):
        do["set"] = part_to(action.part)
        if not action.reason:
            del do["reason"]
    if isinstance(action, Absorb) and not action.bonus:
        do["bonus"] = False
    if isinstance(action, Absorb | Ambition) and action.token is not None:
        do |= {"row": action.token.row, "space": action.token.space, "vibe": action.token.vibe}
    if action.player is not None:
        do["player"] = action.player
    return do
