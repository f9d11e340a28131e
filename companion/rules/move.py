"""Move: one step round the ring of Spirit spaces, and what the upgrades add (R-MOVE-1 to R-MOVE-8)."""

from dataclasses import replace

from companion.rules.actions import Move
from companion.rules.attempt import Facts, SpiritAttempt, rule
from companion.rules.board import steps_between
from companion.rules.boards import trades_spaces
from companion.rules.position import Player, Position
from companion.rules.procedure import Procedure
from companion.rules.words import person, space_words, standing_words

Try = SpiritAttempt[Move]


def _steps(attempt: Try) -> int | None:
    return None if attempt.player.at is None else steps_between(attempt.player.at, attempt.action.to)


def _trades(attempt: Try) -> bool:
    """Tell whether the figure trades spaces with another one in place of moving (R-COMP-2)."""
    return trades_spaces(attempt.board_row, attempt.upgrades)


def _there(attempt: Try) -> tuple[Player, ...]:
    """Return the other players whose figures stand where the move ends."""
    return tuple(
        other
        for other in attempt.position.players.values()
        if other.at == attempt.action.to and other.name != attempt.player.name
    )


def _partner(attempt: Try) -> Player | None:
    """Return who trades spaces with the figure: the one named, or the only one there."""
    if not _trades(attempt):
        return None
    there, named = _there(attempt), attempt.action.trade_with
    if named is None:
        return there[0] if len(there) == 1 else None
    return next((other for other in there if other.name == named), None)


@rule("R-MOVE-1", "{player}'s figure is not on the board.")
def not_on_the_board(attempt: Try) -> Facts | None:
    """A move starts from a Spirit space."""
    return {"player": person(attempt.player.name)} if attempt.player.at is None else None


@rule("R-MOVE-1", "{player}'s figure stands {there} already.")
def stays(attempt: Try) -> Facts | None:
    """A move ends on another space."""
    if _steps(attempt) != 0:
        return None
    return {"player": person(attempt.player.name), "there": standing_words(attempt.action.to)}


@rule("R-MOVE-1", "The {space} is {steps} steps away; a move goes one step, with Haste two.")
def too_far(attempt: Try) -> Facts | None:
    """One step to a neighbouring space; Haste adds exactly one."""
    if _trades(attempt):
        return None
    steps = _steps(attempt) or 0
    reach = 2 if "haste" in attempt.upgrades else 1
    return {"space": space_words(attempt.action.to), "steps": steps} if steps > reach else None


@rule("R-MOVE-4", "With Haste the figure goes exactly two steps; the {space} is {steps} away.")
def not_two_with_haste(attempt: Try) -> Facts | None:
    """Haste makes it two steps, no more and no fewer."""
    steps = _steps(attempt)
    if steps in (None, 0, 2) or "haste" not in attempt.upgrades or _trades(attempt):
        return None
    away = "1 step" if steps == 1 else f"{steps} steps"
    return {"space": space_words(attempt.action.to), "steps": away}


@rule("R-MOVE-4", "Haste goes exactly two steps, and who trades spaces goes none.")
def haste_with_a_trade(attempt: Try) -> Facts | None:
    """A trade stands in place of the normal move that Haste makes longer."""
    return {} if "haste" in attempt.upgrades and _trades(attempt) else None


@rule("R-COMP-2", "No other Spirit stands {there} to trade spaces with.")
def nobody_to_trade_with(attempt: Try) -> Facts | None:
    """A trade takes two."""
    if not _trades(attempt) or _there(attempt):
        return None
    return {"there": standing_words(attempt.action.to)}


@rule("R-COMP-2", "{other} does not stand {there}.")
def partner_elsewhere(attempt: Try) -> Facts | None:
    """The figure goes where the other one stands."""
    named = attempt.action.trade_with
    if not _trades(attempt) or not _there(attempt) or named is None or _partner(attempt) is not None:
        return None
    return {"other": person(named), "there": standing_words(attempt.action.to)}


@rule("R-COMP-2", "{first} and {second} stand {there}: say which of them trades spaces.")
def no_partner_named(attempt: Try) -> Facts | None:
    """With two or three figures on one space somebody must say which one comes back."""
    there = _there(attempt)
    if not _trades(attempt) or len(there) < 2 or attempt.action.trade_with is not None:
        return None
    first, second = person(there[0].name), person(there[1].name)
    return {"first": first, "second": second, "there": standing_words(attempt.action.to)}


@rule("R-MOVE-1", "{player} trades no spaces here: a move goes one step.")
def trade_without_upgrade(attempt: Try) -> Facts | None:
    """Only an upgrade that says so lets figures trade spaces."""
    if attempt.action.trade_with is None or _trades(attempt):
        return None
    return {"player": person(attempt.player.name)}


@rule("R-MOVE-2", "{opponent} stands {there}; only Surmount may end there.")
def ends_on_an_opponent(attempt: Try) -> Facts | None:
    """Opponents are passed with Haste (R-MOVE-5), joined with Surmount only (R-MOVE-6)."""
    if "surmount" in attempt.upgrades:
        return None
    partner = _partner(attempt)
    for other in _there(attempt):
        if other.team != attempt.player.team and other != partner:
            return {"opponent": person(other.name), "there": standing_words(attempt.action.to)}
    return None


def _effect(attempt: Try, position: Position) -> Position:
    player, partner = position.players[attempt.player.name], _partner(attempt)
    if partner is not None:
        position = position.with_player(replace(partner, at=player.at))
    return position.with_player(replace(player, at=attempt.action.to))


PROCEDURE: Procedure[Move] = Procedure(
    mode=(),
    target=(
        not_on_the_board,
        stays,
        too_far,
        not_two_with_haste,
        haste_with_a_trade,
        nobody_to_trade_with,
        partner_elsewhere,
        no_partner_named,
        trade_without_upgrade,
        ends_on_an_opponent,
    ),
    effect=_effect,
)
"""Move, complete."""
