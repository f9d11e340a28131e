"""Positions, actions and verdicts in the keys of the contracts' section 3: from plain data and back."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from companion.rules.board import SPHERES, TEAMS, Team
from companion.rules.cards import Catalogue
from companion.rules.position import (
    EMPTY_ROW,
    HIDDEN,
    SPHERE_FULL,
    Emotion,
    Fortress,
    Origin,
    Pending,
    Player,
    Position,
    Result,
    Row,
    TeamState,
    Turn,
    order_of_turns,
)
from companion.rules.verdict import Cost, Verdict
from companion.rules.words import missing_words
from companion.scenario.doing import action_from, action_to
from companion.scenario.errors import NotationError, shown
from companion.scenario.keys import PLAYER_NAME, position_keys
from companion.scenario.schema import validate

__all__ = [
    "NotationError",
    "action_from",
    "action_to",
    "cost_to",
    "position_from",
    "position_to",
    "verdict_to",
]

_FRAGMENTS_PER_TEAM: Final = (6, 3)
"""Minor and Major, where the table has no ruling of its own (R-COMP-12, OQ-8)."""

_PLAYERS_PER_TEAM: Final = 2


def position_from(data: Mapping[str, Any], cards: Catalogue) -> Position:
    """Make a position out of its keys; what is left out has the default of the contracts.

    Args:
        data: the keys of section 3 (`mode`, `teams`, `players`, ... `rulings`, `result`).
        cards: the printed values, for titles and the number of Essence spaces.

    Raises:
        NotationError: a key is unknown or missing, or a value can't be.
    """
    validate(position_keys(cards), data)
    players = {name: _player(name, part, cards) for name, part in data["players"].items()}
    _check_players(players)
    slots = {slot: _emotion(slot, part, cards) for slot, part in data.get("slots", {}).items()}
    fortresses = {realm: Fortress(**part) for realm, part in data.get("fortresses", {}).items()}
    aspirations = data.get("aspirations", {})
    common = aspirations.get("common")
    return Position(
        players=players,
        turn=_turn(data.get("turn", {}), players),
        mode=data.get("mode", "full"),
        teams=_teams(data, fortresses),
        slots=slots,
        fortresses=fortresses,
        origin=_origin(data.get("origin", {})),
        common=None if common is None else tuple(common),
        identity=tuple(data.get("identity", {}).get("fragments", ())),
        rulings={key: _plain(value) for key, value in data.get("rulings", {}).items()},
        result=Result(**data["result"]) if "result" in data else None,
    )


def _plain(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _player(name: str, part: Mapping[str, Any], cards: Catalogue) -> Player:
    spirit = part.get("spirit")
    if spirit is not None and cards.spirits[spirit].team != part["team"]:
        problem = f"{shown(spirit)} is a Spirit of {cards.spirits[spirit].team}, not of {part['team']}"
        raise NotationError(("players", name, "spirit"), problem)
    vibes = {row: _row(tokens) for row, tokens in part.get("vibes", {}).items()}
    return Player(
        name=name,
        team=part["team"],
        spirit=spirit,
        side=part.get("side", "a"),
        at=part.get("at"),
        willpower=part.get("willpower", 0),
        essence=part.get("essence", 0),
        hand=tuple(sorted(part.get("hand", ()))),
        top=_seen(part.get("top")),
        vibes={row: tokens for row, tokens in vibes.items() if tokens != EMPTY_ROW},
        deck=tuple(sorted(part["deck"])) if "deck" in part else None,
    )


def _seen(title: str | None) -> str | None:
    """Return a title; None where it is said that nobody knows it."""
    return None if title == HIDDEN else title


def _row(tokens: list[str]) -> Row:
    return tokens[0], tokens[1], tokens[2], tokens[3]


def _check_players(players: Mapping[str, Player]) -> None:
    if not players:
        raise NotationError(("players",), "at least the player to act must be listed")
    for name in players:
        validate(PLAYER_NAME, name, ("players", name))
    for team, count in Counter(player.team for player in players.values()).items():
        if count > _PLAYERS_PER_TEAM:
            raise NotationError(("players",), f"{count} players of {team}: a team has one or two")


def _emotion(slot: str, part: Mapping[str, Any], cards: Catalogue) -> Emotion:
    emotion = Emotion(part["emotion"], part.get("essence", 1), part.get("intensity_token", 0))
    spaces = cards.cards[emotion.name].spaces
    if spaces is not None and emotion.essence > spaces:
        problem = f"{emotion.name} has {spaces} Essence spaces, not {emotion.essence}"
        raise NotationError(("slots", slot, "essence"), problem)
    return emotion


def _teams(data: Mapping[str, Any], fortresses: Mapping[str, Fortress]) -> dict[Team, TeamState]:
    counts = data.get("rulings", {}).get("fragments", _FRAGMENTS_PER_TEAM)
    used = Counter(data.get("identity", {}).get("fragments", ()))
    used.update(f"{fortress.team} {fortress.fragment}" for fortress in fortresses.values())
    teams: dict[Team, TeamState] = {}
    for team in TEAMS:
        part = data.get("teams", {}).get(team, {})
        left = {}
        for kind, count in zip(("minor", "major"), counts, strict=True):
            left[kind] = part.get(kind, max(0, count - used[f"{team} {kind}"]))
        teams[team] = TeamState(
            part.get("ambition", 0),
            part.get("points", 0),
            left["minor"],
            left["major"],
            _seen(part.get("aspiration")),
        )
    return teams


def _origin(part: Mapping[str, Any]) -> Origin:
    willpower = part.get("willpower", {})
    return Origin(
        part.get("facing", "commitment"), {sphere: willpower.get(sphere, SPHERE_FULL) for sphere in SPHERES}
    )


def _turn(part: Mapping[str, Any], players: Mapping[str, Player]) -> Turn:
    player = part.get("player", next(iter(players)))
    if player not in players:
        raise NotationError(("turn", "player"), f"{shown(player)} is not among the players listed")
    for i, item in enumerate(part.get("pending", ())):
        if item.get("player") not in (None, *players):
            problem = f"{shown(item['player'])} is not among the players listed"
            raise NotationError(("turn", "pending", i, "player"), problem)
    return Turn(
        player=player,
        number=part.get("number") or _second_round(player, players),
        actions_left=part.get("actions_left", 3),
        absorbed=part.get("absorbed", False),
        ambition_used=tuple(part.get("ambition_used", ())),
        pending=tuple(Pending(**item) for item in part.get("pending", ())),
        intentions=part.get("intentions", 0),
    )


def _second_round(player: str, players: Mapping[str, Player]) -> int:
    """Return the number of this player's (first) turn in the second round."""
    order = order_of_turns(Position(players=players, turn=Turn(player, 1)))
    return len(order) + order.index(player) + 1


def position_to(position: Position, *, public: bool = False) -> dict[str, Any]:
    """Write a position in the keys of section 3, as data that JSON can hold.

    Args:
        position: the position.
        public: for everybody's eyes: `hand_size` in place of `hand`, and no Hidden Aspirations. Otherwise
            `position_from` makes the same position of it again.
    """
    data: dict[str, Any] = {
        "mode": position.mode,
        "teams": {name: _team_to(team, public=public) for name, team in position.teams.items()},
        "players": {name: _player_to(player, public=public) for name, player in position.players.items()},
        "slots": {
            slot: {
                "emotion": emotion.name,
                "essence": emotion.essence,
                "intensity_token": emotion.intensity_token,
            }
            for slot, emotion in position.slots.items()
        },
        "fortresses": {
            realm: {"team": f.team, "fragment": f.fragment, "this_turn": f.this_turn}
            for realm, f in position.fortresses.items()
        },
        "origin": {"facing": position.origin.facing, "willpower": dict(position.origin.willpower)},
        "aspirations": {} if position.common is None else {"common": list(position.common)},
        "identity": {"fragments": list(position.identity)},
        "turn": _turn_to(position.turn),
    }
    if position.rulings:
        data["rulings"] = {
            key: list(value) if isinstance(value, tuple) else value for key, value in position.rulings.items()
        }
    if position.result is not None:
        data["result"] = _known(
            ended=position.result.ended, winner=position.result.winner, score=dict(position.result.score)
        )
    return data


def _known(**values: object) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def _team_to(team: TeamState, *, public: bool) -> dict[str, Any]:
    return _known(
        ambition=team.ambition,
        points=team.points,
        minor=team.minor,
        major=team.major,
        aspiration=None if public else team.aspiration,
    )


def _player_to(player: Player, *, public: bool) -> dict[str, Any]:
    hand = {"hand_size": len(player.hand)} if public else {"hand": list(player.hand)}
    return _known(
        team=player.team,
        spirit=player.spirit,
        side=player.side,
        at=player.at,
        willpower=player.willpower,
        essence=player.essence,
        **hand,
        top=player.top,
        vibes={row: list(tokens) for row, tokens in player.vibes.items()},
        deck=None if public or player.deck is None else list(player.deck),
    )


def _turn_to(turn: Turn) -> dict[str, Any]:
    data: dict[str, Any] = {
        "player": turn.player,
        "number": turn.number,
        "actions_left": turn.actions_left,
        "absorbed": turn.absorbed,
        "ambition_used": list(turn.ambition_used),
        "intentions": turn.intentions,
    }
    if turn.pending:
        data["pending"] = [
            _known(
                action=item.action,
                team=item.team,
                aspiration=item.aspiration,
                player=item.player,
                power=item.power,
                effect=None if item.effect == 1 else item.effect,
                slot=item.slot,
            )
            for item in turn.pending
        ]
    return data


def cost_to(cost: Cost) -> dict[str, int]:
    """Write a cost; a resource that is not spent is left out."""
    parts = {"willpower": cost.willpower, "essence": cost.essence, "ambition": cost.ambition}
    return {name: amount for name, amount in parts.items() if amount}


def verdict_to(verdict: Verdict) -> dict[str, Any]:
    """Write a verdict: `verdict`, `rules`, `message`, `cost`, `missing`.

    The message is the first refusal's, or what an unknown verdict asks for; "" for a legal action.
    """
    message = verdict.refusals[0].text if verdict.refusals else ""
    if verdict.missing:
        message = missing_words(verdict.missing)
    return {
        "verdict": verdict.status,
        "rules": list(verdict.rules),
        "message": message,
        "cost": {} if verdict.status == "illegal" else cost_to(verdict.cost),
        "missing": [item.name for item in verdict.missing],
    }
