"""What differs between two positions, as the part that an adjustment states."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final, TypeVar

from companion.rules.parts import EmotionPart, FortressPart, Part, PlayerPart, TeamPart, TurnPart
from companion.rules.position import EMPTY_ROW, HIDDEN, ROWS, Player, Position

Stated = TypeVar("Stated", PlayerPart, TeamPart, TurnPart)
Held = TypeVar("Held")

_FORGETTABLE: Final = ("top", "aspiration")
"""What is stated as hidden where it is not known any more."""


def difference(before: Position, after: Position) -> Part:
    """Return what has to be stated in `before` to make it `after`.

    Args:
        before: a position.
        after: another one of the same game: with the same players, rulings and mode. That a figure is not on
            the board, or a deck or the Common Aspirations are not known any more, can't be stated.
    """
    return Part(
        teams={
            name: _part(TeamPart, before.teams[name], team)
            for name, team in after.teams.items()
            if team != before.teams[name]
        },
        players={
            name: _player(before.players[name], player)
            for name, player in after.players.items()
            if player != before.players[name]
        },
        slots={
            slot: None if card is None else EmotionPart(card.name, card.essence, card.intensity_token)
            for slot, card in _changed(before.slots, after.slots).items()
        },
        fortresses={
            realm: None if there is None else FortressPart(there.team, there.fragment, there.this_turn)
            for realm, there in _changed(before.fortresses, after.fortresses).items()
        },
        facing=_new(before.origin.facing, after.origin.facing),
        willpower={
            sphere: inside
            for sphere, inside in after.origin.willpower.items()
            if inside != before.origin.willpower[sphere]
        },
        common=_new(before.common, after.common),
        identity=_new(before.identity, after.identity),
        turn=_part(TurnPart, before.turn, after.turn),
        result=_new(before.result, after.result),
        goes_on=before.result is not None and after.result is None,
    )


def _new(before: Held, after: Held) -> Held | None:
    return None if before == after else after


def _changed(before: Mapping[str, Held], after: Mapping[str, Held]) -> dict[str, Held | None]:
    """Return what is there now by place, None for nothing, where it was something else."""
    places = (*before, *(place for place in after if place not in before))
    return {place: after.get(place) for place in places if before.get(place) != after.get(place)}


def _part(kind: type[Stated], before: object, after: object) -> Stated:
    return kind(**_values(kind, before, after))


def _values(kind: type, before: object, after: object) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for field in fields(kind):
        name = field.name
        if getattr(before, name) != getattr(after, name):
            value = getattr(after, name)
            found[name] = HIDDEN if value is None and name in _FORGETTABLE else value
    return found


def _player(before: Player, after: Player) -> PlayerPart:
    values = _values(PlayerPart, before, after)
    values.pop("vibes", None)
    rows = {row: after.vibes.get(row, EMPTY_ROW) for row in ROWS if before.row(row) != after.row(row)}
    return PlayerPart(**values, vibes=rows)
