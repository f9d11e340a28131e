"""What people show and choose in a Revelation (R-REV-2, R-REV-12, R-REV-17)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from companion.rules import revelation
from companion.rules.actions import KeepHidden, ReturnCommon, Reveal, RevelationStep
from companion.rules.attempt import Attempt, Facts, rule
from companion.rules.ending import is_triggered
from companion.rules.frame import game_over, revelation_open
from companion.rules.position import Pending, Position
from companion.rules.procedure import Plain
from companion.rules.verdict import Missing
from companion.rules.words import person, title

STEP_NAMES: Final[Mapping[type, str]] = {
    Reveal: "reveal",
    ReturnCommon: "return-common",
    KeepHidden: "keep-hidden",
}
"""The steps as `turn.pending` names them."""


def _asked(attempt: Attempt[RevelationStep]) -> Pending | None:
    """Return the open part of the Revelation that this step settles."""
    action = attempt.action
    return next(
        (
            pending
            for pending in attempt.position.turn.pending
            if (pending.action, pending.team) == (STEP_NAMES[type(action)], action.team)
        ),
        None,
    )


def _not_asked(attempt: Attempt[Any]) -> Facts | None:
    return {"team": title(attempt.action.team)} if _asked(attempt) is None else None


@rule("R-TURN-1", "This is for {team} to say, not for {player}.")
def for_the_other_team(attempt: Attempt[RevelationStep]) -> Facts | None:
    """A team's players, or whoever's turn it is, say what the team shows or chose."""
    player, team = attempt.player, attempt.action.team
    if player.team == team or player.name == attempt.position.turn.player:
        return None
    return {"team": title(team), "player": person(player.name)}


@rule("R-REV-2", "{team} has no Hidden Aspiration to show now.")
def nothing_to_reveal(attempt: Attempt[Reveal]) -> Facts | None:
    """Hidden Aspirations are shown at a Revelation, once."""
    return _not_asked(attempt)


@rule("R-REV-12", "{team} has no Common Aspiration to take out now.")
def nothing_to_return(attempt: Attempt[ReturnCommon]) -> Facts | None:
    """Only the other team's Major Fragment asks for it."""
    return _not_asked(attempt)


@rule("R-REV-17", "{team} has no Hidden Aspiration to choose now.")
def nothing_to_keep(attempt: Attempt[KeepHidden]) -> Facts | None:
    """Only a team that accomplished nothing chooses."""
    return _not_asked(attempt)


@rule("R-REV-2", "{team} shows {asked}, not {aspiration}.")
def another_one(attempt: Attempt[RevelationStep]) -> Facts | None:
    """Where it is settled already which one, it is that."""
    asked, action = _asked(attempt), attempt.action
    if asked is None or asked.aspiration in (None, action.aspiration):
        return None
    return {
        "team": title(action.team),
        "asked": title(str(asked.aspiration)),
        "aspiration": title(action.aspiration),
    }


@rule("R-ASP-10", "The basic game has no {aspiration}.")
def not_in_the_basic_game(attempt: Attempt[RevelationStep]) -> Facts | None:
    """The basic game uses seven of the nine."""
    aspiration = attempt.cards.aspirations.get(attempt.action.aspiration)
    if aspiration is None or aspiration.basic_game or attempt.position.mode == "full":
        return None
    return {"aspiration": title(aspiration.name)}


@rule("R-REV-12", "{aspiration} is not among the open Common Aspirations.")
def not_open(attempt: Attempt[ReturnCommon]) -> Facts | None:
    """It is one of those that are still open."""
    aspiration = attempt.action.aspiration
    if aspiration in (attempt.position.common or ()):
        return None
    return {"aspiration": title(aspiration)}


@rule("R-REV-19", "{aspiration} is the current Common Aspiration: a Hidden one differs from it.")
def same_as_the_common_one(attempt: Attempt[RevelationStep]) -> Facts | None:
    """The titles differ, unless the team may have no other card left (OQ-18)."""
    common, aspiration = attempt.position.common or (), attempt.action.aspiration
    if aspiration not in common[:1] or _hidden_left_at_least(attempt) < 2:
        return None
    return {"aspiration": title(aspiration)}


@rule("R-REV-17", "The Hidden Aspiration picked next has another title than the Common one, {aspiration}.")
def picked_the_common_one(attempt: Attempt[KeepHidden]) -> Facts | None:
    """The same for a title that is picked."""
    return same_as_the_common_one.broken(attempt)


def _hidden_left_at_least(attempt: Attempt[RevelationStep]) -> int:
    """Return how many Hidden cards a team has at the least, the current one included.

    A Revelation takes one Hidden card from each team and at least one Common card, and there is at most one
    in a turn, none in the first (R-ABS-1, R-ABS-2).
    """
    position = attempt.position
    in_all = sum(a.basic_game or position.mode == "full" for a in attempt.cards.aspirations.values())
    return max(len(position.common or ()), in_all - (position.turn.number - 1))


def _settled(attempt: Attempt[Any], position: Position) -> Position:
    asked = _asked(attempt)
    pending = tuple(item for item in position.turn.pending if item != asked)
    return replace(position, turn=replace(position.turn, pending=pending))


def _shown(attempt: Attempt[Reveal], position: Position) -> Position:
    """Note what was shown; the Revelation goes on once every team has."""
    team = attempt.action.team
    state = replace(position.teams[team], aspiration=attempt.action.aspiration)
    position = _settled(attempt, position.with_team(team, state))
    if any(pending.action == "reveal" for pending in position.turn.pending):
        return position
    return revelation.resolved(position, attempt.cards)


def _missing(attempt: Attempt[Reveal]) -> tuple[Missing, ...]:
    """Return what the Revelation hangs on, if this is the last Aspiration to be shown."""
    if sum(pending.action == "reveal" for pending in attempt.position.turn.pending) > 1:
        return ()
    team = attempt.action.team
    state = replace(attempt.position.teams[team], aspiration=attempt.action.aspiration)
    return revelation.missing(attempt.position.with_team(team, state), attempt.cards)


def _returned(attempt: Attempt[ReturnCommon], position: Position) -> Position:
    """Take the card out; with the last one gone there is nothing left to choose (R-END-1)."""
    common = tuple(name for name in position.common or () if name != attempt.action.aspiration)
    position = _settled(attempt, replace(position, common=common))
    if not is_triggered(position):
        return position
    still = ("power", "return-common") if common else ("power",)
    pending = tuple(item for item in position.turn.pending if item.action in still)
    return replace(position, turn=replace(position.turn, pending=pending))


def _kept(attempt: Attempt[KeepHidden], position: Position) -> Position:
    team = attempt.action.team
    state = replace(position.teams[team], aspiration=attempt.action.aspiration)
    return _settled(attempt, position.with_team(team, state))


PROCEDURES: Final[Mapping[type, Plain[Any]]] = {
    Reveal: Plain(
        (
            game_over,
            for_the_other_team,
            nothing_to_reveal,
            another_one,
            not_in_the_basic_game,
            same_as_the_common_one,
        ),
        _shown,
        missing=_missing,
    ),
    ReturnCommon: Plain((game_over, for_the_other_team, nothing_to_return, another_one, not_open), _returned),
    KeepHidden: Plain(
        (
            game_over,
            for_the_other_team,
            nothing_to_keep,
            revelation_open,
            another_one,
            not_in_the_basic_game,
            picked_the_common_one,
            same_as_the_common_one,
        ),
        _kept,
    ),
}
"""The steps of a Revelation that people take, complete."""
