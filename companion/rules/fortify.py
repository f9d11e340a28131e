"""Fortify, Exalt and Raze: Fragments as Fortresses (R-FORT-1 to R-FORT-16)."""

from dataclasses import replace
from typing import Literal

from companion.rules.actions import Fortify
from companion.rules.attempt import Facts, SpiritAttempt, rule
from companion.rules.board import other_team, realms_of
from companion.rules.control import Control
from companion.rules.fragments import lowered
from companion.rules.position import Fortress, Position
from companion.rules.procedure import Procedure
from companion.rules.verdict import Missing
from companion.rules.words import person, space_words, title

Try = SpiritAttempt[Fortify]


def _deed(attempt: Try) -> Literal["fortify", "exalt", "raze", "both"]:
    exalt, raze = "exalt" in attempt.upgrades, "raze" in attempt.upgrades
    if exalt and raze:
        return "both"
    if exalt:
        return "exalt"
    return "raze" if raze else "fortify"


def _standing(attempt: Try) -> Fortress | None:
    return attempt.position.fortresses.get(attempt.action.realm)


def _control(attempt: Try) -> Control:
    return attempt.derived.realm(attempt.action.realm)


def _realm(attempt: Try) -> str:
    return space_words(attempt.action.realm)


@rule("R-FORT-1", "One Action fortifies, exalts or razes: never two of them.")
def two_deeds(attempt: Try) -> Facts | None:
    """Exactly one of the three in an Action (R-UPG-2)."""
    return {} if _deed(attempt) == "both" else None


@rule("R-FORT-2", "The Fortress location of the {realm} is not next to {player}'s figure.")
def out_of_reach(attempt: Try) -> Facts | None:
    """The figure stands in the Realm or on one of its Frontiers (R-BOARD-13)."""
    at = attempt.player.at
    if at is not None and attempt.action.realm in realms_of(at):
        return None
    return {"realm": _realm(attempt), "player": person(attempt.player.name)}


@rule("R-FORT-3", "A Fortress of {team} stands in the {realm} already.")
def location_taken(attempt: Try) -> Facts | None:
    """The location is empty (R-FORT-13)."""
    standing = _standing(attempt)
    if _deed(attempt) != "fortify" or standing is None:
        return None
    return {"team": title(standing.team), "realm": _realm(attempt)}


@rule("R-FORT-7", "{team} has no Fortress in the {realm} to exalt.")
def nothing_to_exalt(attempt: Try) -> Facts | None:
    """The own team has a Fragment there."""
    standing, team = _standing(attempt), attempt.player.team
    if _deed(attempt) != "exalt" or (standing is not None and standing.team == team):
        return None
    return {"team": title(team), "realm": _realm(attempt)}


@rule("R-FORT-7", "The Fortress in the {realm} is a Major Fragment already.")
def major_already(attempt: Try) -> Facts | None:
    """Only a Minor Fragment can be exalted."""
    standing = _standing(attempt)
    if _deed(attempt) != "exalt" or standing is None or standing.team != attempt.player.team:
        return None
    return {"realm": _realm(attempt)} if standing.fragment == "major" else None


@rule("R-FORT-9", "There is no Fortress of {opponents} in the {realm} to raze.")
def nothing_to_raze(attempt: Try) -> Facts | None:
    """The other team has a Fragment there."""
    standing, team = _standing(attempt), attempt.player.team
    if _deed(attempt) != "raze" or (standing is not None and standing.team != team):
        return None
    return {"opponents": "Gloom" if team == "bliss" else "Bliss", "realm": _realm(attempt)}


@rule("R-FORT-7", "{team} controls the {realm}: no Exalt there.")
def exalt_under_the_opponent(attempt: Try) -> Facts | None:
    """No Exalt in a Realm that the other team controls."""
    return _held_by_the_opponent(attempt) if _deed(attempt) == "exalt" else None


@rule("R-FORT-3", "{team} controls the {realm}: no Fortress of the other side there.")
def held_by_the_opponent(attempt: Try) -> Facts | None:
    """Neither Fortify nor Exalt in a Realm that the other team controls (R-CTRL-R9)."""
    return _held_by_the_opponent(attempt) if _deed(attempt) in ("fortify", "exalt") else None


def _held_by_the_opponent(attempt: Try) -> Facts | None:
    holder = _control(attempt).team
    if holder in (None, attempt.player.team):
        return None
    return {"team": title(str(holder)), "realm": _realm(attempt)}


@rule("R-FORT-14", "{team} has no {fragment} Fragment left.")
def no_fragment_left(attempt: Try) -> Facts | None:
    """An unused Fragment of the right kind is at hand."""
    team, deed = attempt.position.teams[attempt.player.team], _deed(attempt)
    if (deed == "fortify" and team.minor < 1) or (deed == "exalt" and team.major < 1):
        return {
            "team": title(attempt.player.team),
            "fragment": "Minor" if deed == "fortify" else "Major",
        }
    return None


def _missing(attempt: Try) -> tuple[Missing, ...]:
    """Return the unknown Intensities with which the other team could turn out to control the Realm."""
    if _deed(attempt) == "raze":
        return ()
    control = _control(attempt)
    return control.missing if other_team(attempt.player.team) in control.possible else ()


def _effect(attempt: Try, position: Position) -> Position:
    deed = _deed(attempt)
    if deed == "raze":
        return lowered(position, attempt.action.realm)
    team = position.teams[attempt.player.team]
    if deed == "fortify":
        team = replace(team, minor=team.minor - 1)
    else:
        team = replace(team, minor=team.minor + 1, major=team.major - 1)
    built = Fortress(attempt.player.team, "minor" if deed == "fortify" else "major", this_turn=True)
    position = position.with_team(attempt.player.team, team)
    return replace(position, fortresses={**position.fortresses, attempt.action.realm: built})


PROCEDURE: Procedure[Fortify] = Procedure(
    mode=(),
    target=(
        two_deeds,
        out_of_reach,
        location_taken,
        nothing_to_exalt,
        major_already,
        nothing_to_raze,
        exalt_under_the_opponent,
        held_by_the_opponent,
        no_fragment_left,
    ),
    effect=_effect,
    missing=_missing,
)
"""Fortify, complete."""
