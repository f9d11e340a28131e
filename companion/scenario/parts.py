"""Parts of a position in the keys of a scenario file, as the table states them: from data and back."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from companion.rules.parts import EmotionPart, FortressPart, Part, PlayerPart, TeamPart, TurnPart
from companion.rules.position import Pending, Result

_EMOTION: Final = {"emotion": "name", "essence": "essence", "intensity_token": "intensity_token"}
"""By key: the field of an Emotion."""


def part_from(data: Mapping[str, Any]) -> Part:
    """Make what is stated about a position out of its keys, which are valid already."""
    origin, result = data.get("origin", {}), data.get("result")
    return Part(
        mode=data.get("mode"),
        teams={team: TeamPart(**part) for team, part in data.get("teams", {}).items()},
        players={name: _player(part) for name, part in data.get("players", {}).items()},
        slots={slot: _emotion(part) for slot, part in data.get("slots", {}).items()},
        fortresses={
            r: FortressPart(**part) if part else None for r, part in data.get("fortresses", {}).items()
        },
        facing=origin.get("facing"),
        willpower=dict(origin.get("willpower", {})),
        common=_listed(data.get("aspirations", {}), "common"),
        identity=_listed(data.get("identity", {}), "fragments"),
        turn=_turn(data.get("turn", {})),
        rulings={key: tuple(v) if isinstance(v, list) else v for key, v in data.get("rulings", {}).items()},
        result=Result(**{"ended": True, **result}) if result else None,
        goes_on=result == {},
    )


def _listed(part: Mapping[str, Any], key: str) -> tuple[str, ...] | None:
    return tuple(part[key]) if key in part else None


def _player(part: Mapping[str, Any]) -> PlayerPart:
    values = dict(part)
    for key in ("hand", "deck"):
        if key in values:
            values[key] = tuple(sorted(values[key]))
    if "vibes" in values:
        values["vibes"] = {row: tuple(tokens) for row, tokens in values["vibes"].items()}
    return PlayerPart(**values)


def _emotion(part: Mapping[str, Any]) -> EmotionPart | None:
    return EmotionPart(**{_EMOTION[key]: value for key, value in part.items()}) if part else None


def _turn(part: Mapping[str, Any]) -> TurnPart:
    values = dict(part)
    if "ambition_used" in values:
        values["ambition_used"] = tuple(values["ambition_used"])
    if "pending" in values:
        values["pending"] = tuple(Pending(**step) for step in values["pending"])
    return TurnPart(**values)


def part_to(part: Part) -> dict[str, Any]:
    """Write what is stated about a position; `part_from` makes the same of it again."""
    origin: dict[str, Any] = {} if part.facing is None else {"facing": part.facing}
    if part.willpower:
        origin["willpower"] = dict(part.willpower)
    result = {} if part.result is None else _stated(part.result)
    data: dict[str, Any] = {
        "mode": part.mode,
        "teams": {team: _stated(state) for team, state in part.teams.items()},
        "players": {name: _stated(player) for name, player in part.players.items()},
        "slots": {slot: _emotion_to(card) for slot, card in part.slots.items()},
        "fortresses": {realm: _stated(fortress) for realm, fortress in part.fortresses.items()},
        "origin": origin,
        "aspirations": {} if part.common is None else {"common": list(part.common)},
        "identity": {} if part.identity is None else {"fragments": list(part.identity)},
        "turn": _stated(part.turn),
        "rulings": {key: _plain(value) for key, value in part.rulings.items()},
        "result": result,
    }
    said = {key: value for key, value in data.items() if value}
    return {**said, "result": {}} if part.goes_on else said


def _stated(part: object) -> dict[str, Any]:
    """Return the fields that a part states, as data that JSON can hold; nothing for None."""
    if part is None:
        return {}
    names = [field.name for field in fields(part)]  # type: ignore[arg-type] # every part is a dataclass
    found = {name: value for name in names if (value := getattr(part, name)) is not None}
    if found.get("vibes") == {}:
        del found["vibes"]
    return {name: _plain(value) for name, value in found.items()}


def _emotion_to(card: EmotionPart | None) -> dict[str, Any]:
    data = _stated(card)
    return {key: data[name] for key, name in _EMOTION.items() if name in data}


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Pending):
        return _stated(value)
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return value
