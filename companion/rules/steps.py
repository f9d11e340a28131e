"""What a player could do first, and what came of it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, Literal

from companion.rules.actions import (
    Absorb,
    Action,
    Ambition,
    Cradle,
    Invoke,
    Land,
    Network,
    Quell,
    SpiritActionDone,
    Valley,
    Willow,
)
from companion.rules.board import REALMS, SLOTS, Team
from companion.rules.boards import own_row, trades_spaces
from companion.rules.cards import Catalogue, SpiritAction
from companion.rules.choices import ability_choices, realm_choices, spirit_choices
from companion.rules.derived import Derived
from companion.rules.gains import AMBITION_TOKENS
from companion.rules.position import HIDDEN, ROWS, Emotion, Fortress, Position, Row
from companion.rules.upgrades import total_cost
from companion.rules.vibes import WILD

Manners = tuple[Action, ...]
"""One deed done in several manners, the cheapest first."""

_REALM_ACTIONS: Final = {
    "all": (Valley, Cradle, Willow, Land, Network),
    "own": (Valley, Cradle, Willow),
}
_ROWS: Final[Mapping[str, tuple[str, ...]]] = {"all": ROWS, "moves": ("move",), "own": ()}
_DEEDS: Final = ("exalt", "raze")


Scope = Literal["all", "moves", "own"]
"""What is looked at: everything, Moves, or what changes nothing but the player's own things."""


def kinds(derived: Derived, row: str | None, scope: Scope = "all") -> Iterator[Iterable[Manners]]:
    """Yield what could be done first, kind by kind: what uses no Action, Realm Actions, Spirit Actions.

    One of a kind changes the same parts of a position as the next. Nothing that shows an unknown card or
    discards one is among them, and no end of a turn.

    Args:
        derived: the position.
        row: the Spirit Action whose row may want a Vibe token, None for none.
        scope: what is looked at.
    """
    position = derived.position
    if scope != "moves":
        for action in _free_of_action(derived, row):
            yield ((action,),)
    if position.turn.actions_left < 1:
        return
    if scope != "moves":
        realm_actions = list(realm_choices(position, derived.cards))
        for kind in _REALM_ACTIONS[scope]:
            yield [(action,) for action in realm_actions if isinstance(action, kind)]
    for name in _ROWS[scope]:
        yield _by_target(derived, name)


def _free_of_action(derived: Derived, row: str | None) -> Iterator[Absorb | Ambition]:
    """Yield Abilities and Absorbs, one colour of a Vibe token for all and tokens of one row only."""
    seen = set()
    for action in ability_choices(derived.position, derived.cards):
        if not isinstance(action, Absorb | Ambition):
            continue
        if action.token is not None:
            key = (type(action), action.token.space)
            if action.token.row != row or key in seen:
                continue
            seen.add(key)
        yield action


def _by_target(derived: Derived, row: str) -> Iterator[Manners]:
    """Yield the Spirit Actions of a row without a new token, the ways to one end together."""
    actor = derived.position.actor
    board_row, hand = own_row(actor, row, derived.cards), actor.hand
    groups: dict[Action, list[SpiritActionDone]] = {}
    for action in spirit_choices(derived, row, placing=False):
        if not isinstance(action, SpiritActionDone) or _names_unknown(action, hand):
            continue
        deeds = tuple(name for name in action.upgrades if _is_a_deed(board_row, name))
        end = replace(action, upgrades=deeds)
        if isinstance(end, Quell):
            end = replace(end, reveal=None)
        groups.setdefault(end, []).append(action)

    def price(action: SpiritActionDone) -> tuple[int, int, int]:
        cost = total_cost(board_row, action.upgrades)
        return cost.ambition, cost.willpower, len(action.upgrades)

    for manners in groups.values():
        manners.sort(key=price)
        yield tuple(manners)


def _is_a_deed(board_row: SpiritAction, upgrade: str) -> bool:
    """Tell whether an upgrade makes another end of the Action, rather than another way to it."""
    return upgrade in _DEEDS or trades_spaces(board_row, frozenset((upgrade,)))


def _names_unknown(action: SpiritActionDone, hand: tuple[str, ...]) -> bool:
    if isinstance(action, Invoke):
        return action.emotion not in hand
    return isinstance(action, Quell) and action.reveal is not None and action.reveal not in hand


# What came of it


def gained(before: Position, after: Position, name: str) -> frozenset[str]:
    """Return the parts of a position that are better for a player, or other ones, than before."""
    return frozenset(part for part, differs in _GAINED.items() if differs(before, after, name))


def _own(part: str) -> Callable[[Position, Position, str], bool]:
    def more(before: Position, after: Position, name: str) -> bool:
        return bool(getattr(after.players[name], part) > getattr(before.players[name], part))

    return more


def _more_ambition(before: Position, after: Position, name: str) -> bool:
    team = before.players[name].team
    return after.teams[team].ambition > before.teams[team].ambition


def _other_fragments(before: Position, after: Position, _name: str) -> bool:
    return any(
        (after.teams[team].minor, after.teams[team].major) != (state.minor, state.major)
        for team, state in before.teams.items()
    )


def _elsewhere(before: Position, after: Position, _name: str) -> bool:
    return any(after.players[name].at != player.at for name, player in before.players.items())


_GAINED: Final[Mapping[str, Callable[[Position, Position, str], bool]]] = {
    "willpower": _own("willpower"),
    "essence": _own("essence"),
    "hand": lambda before, after, name: len(after.players[name].hand) > len(before.players[name].hand),
    "ambition": _more_ambition,
    "actions": lambda before, after, _: after.turn.actions_left > before.turn.actions_left,
    "tokens": lambda before, after, name: after.players[name].vibes != before.players[name].vibes,
    "figures": _elsewhere,
    "slots": lambda before, after, _: after.slots != before.slots,
    "fortresses": lambda before, after, _: after.fortresses != before.fortresses,
    "fragments": _other_fragments,
    "origin": lambda before, after, _: after.origin.facing != before.origin.facing,
}

BOARD: Final = frozenset({"figures", "slots", "fortresses", "fragments", "origin"})
"""The parts of which only a try tells whether they help."""

OWN: Final = ("willpower", "essence", "hand", "ambition", "actions", "tokens")
"""The parts that are a player's own, as far as a deed hangs on them."""

PLENTY: Final = 20
"""More of anything than one deed costs."""


def with_plenty(position: Position, name: str, row: str | None, part: str | None = None) -> Position:
    """Return the position in which a player has plenty of a part that is the player's own, or of all parts.

    Args:
        position: the position.
        name: the player.
        row: the Spirit Action whose row is full then; None for none.
        part: one of `OWN`; None: all of them.
    """
    parts = OWN if part is None else (part,)
    player, turn = position.players[name], position.turn
    if "willpower" in parts:
        player = replace(player, willpower=player.willpower + PLENTY)
    if "essence" in parts:
        player = replace(player, essence=player.essence + PLENTY)
    if "hand" in parts:
        player = replace(player, hand=tuple(sorted((*player.hand, HIDDEN, HIDDEN))))
    if "tokens" in parts and row is not None:
        player = replace(player, vibes={**player.vibes, row: _full(player.row(row))})
    if "actions" in parts:
        position = replace(position, turn=replace(turn, actions_left=turn.actions_left + 1))
    if "ambition" in parts:
        # One token is left used: there are deeds that turn one over, and none that costs all three.
        team = replace(position.teams[player.team], ambition=AMBITION_TOKENS - 1)
        position = position.with_team(player.team, team)
    return position.with_player(player)


def _full(tokens: Row) -> Row:
    first, second, third, fourth = (token or WILD for token in tokens)
    return first, second, third, fourth


def with_other_board(position: Position, team: Team, cards: Catalogue) -> Iterator[Position]:
    """Yield the position with another board: what a team could bring about at best, part by part."""
    yield replace(position, slots={})
    full = {
        slot: replace(emotion, essence=cards.cards[emotion.name].spaces or PLENTY)
        for slot, emotion in position.slots.items()
    }
    yield replace(position, slots=full)
    mild = [card for card in cards.cards.values() if (card.team, card.strength) == (team, "mild")]
    if mild:
        roomy = max(mild, key=lambda card: card.spaces or 0)
        yield replace(position, slots=dict.fromkeys(SLOTS, Emotion(roomy.name)) | full)
    yield replace(position, fortresses={})
    yield replace(position, fortresses={realm: Fortress(team, "minor") for realm in REALMS})
    state = position.teams[team]
    yield position.with_team(team, replace(state, minor=PLENTY, major=PLENTY))
