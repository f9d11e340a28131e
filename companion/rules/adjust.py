"""Adjustments: the table applies a power that nobody has told us, or puts right what went wrong.

Any player may enter one at any time, during a set-up and after the end of the game too. What it states
is taken as it is, as far as pieces and boards can lie like that; all else stays.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any, Final, TypeVar

from companion.rules.actions import Adjust
from companion.rules.attempt import Attempt, Facts, rule
from companion.rules.cards import Catalogue
from companion.rules.ending import final_result
from companion.rules.gains import AMBITION_TOKENS
from companion.rules.parts import EmotionPart, FortressPart, Part, PlayerPart
from companion.rules.position import EMPTY_ROW, HIDDEN, Emotion, Fortress, Player, Position, Row
from companion.rules.procedure import Plain
from companion.rules.vibes import WILD, is_unlocked
from companion.rules.words import ACTION_TITLES, person, slot_words, space_words, title

Try = Attempt[Adjust]
Laid = TypeVar("Laid")

_HELD_BACK: Final = ("top", "aspiration")
"""What can be stated as not known any more."""


# Laying a part over


def _stated(part: object) -> dict[str, Any]:
    """Return the fields that a part states, by name."""
    names = [field.name for field in fields(part)]  # type: ignore[arg-type]
    return {name: value for name in names if (value := getattr(part, name)) is not None}


def _over(whole: Laid, part: object) -> Laid:
    """Return `whole` with what a part states in place of its own fields of the same names."""
    stated = _stated(part)
    for name in _HELD_BACK:
        if stated.get(name) == HIDDEN:
            stated[name] = None
    return replace(whole, **stated)  # type: ignore[type-var]


def _player(player: Player, part: PlayerPart) -> Player:
    rows = {**player.vibes, **part.vibes}
    return _over(player, replace(part, vibes={name: row for name, row in rows.items() if row != EMPTY_ROW}))


def _emotion(there: Emotion | None, part: EmotionPart) -> Emotion:
    """Return the card that lies in a slot then; one that is named lies there anew."""
    if part.name is not None:
        return _over(Emotion(part.name), part)
    return _over(there or Emotion(""), part)


def _fortress(there: Fortress | None, part: FortressPart) -> Fortress:
    if part.team is not None and part.fragment is not None:
        return _over(Fortress(part.team, part.fragment), part)
    return _over(there or Fortress("bliss", "minor"), part)


def _board(position: Position, part: Part) -> Position:
    slots, fortresses = dict(position.slots), dict(position.fortresses)
    for slot, card in part.slots.items():
        there = slots.pop(slot, None)
        if card is not None:
            slots[slot] = _emotion(there, card)
    for realm, stated in part.fortresses.items():
        stands = fortresses.pop(realm, None)
        if stated is not None:
            fortresses[realm] = _fortress(stands, stated)
    origin = replace(
        position.origin,
        facing=part.facing or position.origin.facing,
        willpower={**position.origin.willpower, **part.willpower},
    )
    return replace(position, slots=slots, fortresses=fortresses, origin=origin)


def adjusted(position: Position, part: Part) -> Position:
    """Return the position with what a part states; whether it can be is for the rules to say.

    Args:
        position: before.
        part: what is stated, of players and places that there are.
    """
    position = _board(position, part)
    players = {
        name: _player(player, part.players[name]) if name in part.players else player
        for name, player in position.players.items()
    }
    teams = {
        name: _over(team, part.teams[name]) if name in part.teams else team
        for name, team in position.teams.items()
    }
    return replace(
        position,
        players=players,
        teams=teams,
        mode=part.mode or position.mode,
        common=position.common if part.common is None else part.common,
        identity=position.identity if part.identity is None else part.identity,
        turn=_over(position.turn, part.turn),
        rulings={**position.rulings, **part.rulings},
    )


def _effect(attempt: Try, position: Position) -> Position:
    """Lay the part over; a game that is over is counted anew (R-SCORE-1), unless its end is stated too."""
    part = attempt.action.part
    after = adjusted(position, part)
    if part.goes_on:
        return replace(after, result=None)
    if part.result is not None:
        return replace(after, result=part.result)
    return after if position.result is None else replace(after, result=final_result(after))


# What can't be


@rule("R-SETUP-17", "{player} is not among the players.")
def no_such_player(attempt: Try) -> Facts | None:
    """The players and their order never change during a game."""
    part = attempt.action.part
    named = [*part.players, *(() if part.turn.player is None else (part.turn.player,))]
    named += [step.player for step in part.turn.pending or () if step.player is not None]
    return next(({"player": person(name)} for name in named if name not in attempt.position.players), None)


@rule("R-SETUP-3", "{player} plays for {team}: nobody changes sides.")
def another_team(attempt: Try) -> Facts | None:
    """A player stays in the team."""
    for name, part in attempt.action.part.players.items():
        player = attempt.position.players.get(name)
        if player is not None and part.team not in (None, player.team):
            return {"player": person(name), "team": title(player.team)}
    return None


@rule("R-SETUP-6", "{spirit} is no Spirit of {team}.")
def another_teams_spirit(attempt: Try) -> Facts | None:
    """A Spirit belongs to one of the teams."""
    for name, part in attempt.action.part.players.items():
        player = attempt.position.players.get(name)
        if player is None or part.spirit is None:
            continue
        spirit = attempt.cards.spirits.get(part.spirit)
        if spirit is None or spirit.team != player.team:
            return {"spirit": title(part.spirit), "team": title(player.team)}
    return None


def _cards_named(part: Part) -> Iterator[str]:
    yield from (card.name for card in part.slots.values() if card is not None and card.name is not None)
    for player in part.players.values():
        yield from (*(player.hand or ()), *(player.deck or ()), player.top or HIDDEN)


@rule("R-COMP-8", "There is no Emotion {card}.")
def no_such_emotion(attempt: Try) -> Facts | None:
    """A card has one of the printed titles."""
    for name in _cards_named(attempt.action.part):
        if name != HIDDEN and name not in attempt.cards.cards:
            return {"card": title(name)}
    return None


@rule("R-COMP-7", "There is no Aspiration {aspiration}.")
def no_such_aspiration(attempt: Try) -> Facts | None:
    """Common and Hidden Aspirations have the same nine titles."""
    part = attempt.action.part
    hidden = (team.aspiration or HIDDEN for team in part.teams.values())
    for name in (*(part.common or ()), *hidden):
        if name != HIDDEN and name not in attempt.cards.aspirations:
            return {"aspiration": title(name)}
    return None


@rule("R-AMB-1", "{team} has {tokens} Ambition tokens, so {stated} can't be available.")
def too_much_ambition(attempt: Try) -> Facts | None:
    """There are three tokens."""
    for name, part in attempt.action.part.teams.items():
        if part.ambition is not None and not 0 <= part.ambition <= AMBITION_TOKENS:
            return {"team": title(name), "tokens": AMBITION_TOKENS, "stated": part.ambition}
    return None


@rule("R-BOARD-4", "The {slot} is empty: say which Emotion lies there.")
def empty_slot(attempt: Try) -> Facts | None:
    """Essence and Intensity tokens lie on a card."""
    for slot, part in attempt.action.part.slots.items():
        if part is not None and part.name is None and slot not in attempt.position.slots:
            return {"slot": slot_words(slot)}
    return None


@rule("R-FORT-13", "There is no Fortress in the {realm}: say whose, and which Fragment.")
def no_fortress(attempt: Try) -> Facts | None:
    """A Fortress is one team's Minor or Major Fragment."""
    for realm, part in attempt.action.part.fortresses.items():
        if part is None or realm in attempt.position.fortresses:
            continue
        if part.team is None or part.fragment is None:
            return {"realm": space_words(realm)}
    return None


def _spaces(name: str, cards: Catalogue) -> int | None:
    card = cards.cards.get(name)
    return None if card is None else card.spaces


@rule("R-DESIRE-3", "{card} has {spaces} Essence spaces, not {essence}.")
def too_much_essence(attempt: Try) -> Facts | None:
    """Never more Essence than the card has spaces."""
    for slot, part in attempt.action.part.slots.items():
        if part is None:
            continue
        card = _emotion(attempt.position.slots.get(slot), part)
        spaces = _spaces(card.name, attempt.cards)
        if spaces is not None and card.essence > spaces:
            return {"card": title(card.name), "spaces": spaces, "essence": card.essence}
    return None


@rule("R-ESS-3", "An Emotion in play has Essence on it: without any, empty the {slot}.")
def no_essence(attempt: Try) -> Facts | None:
    """At 0 it leaves the board."""
    for slot, part in attempt.action.part.slots.items():
        if part is not None and part.essence is not None and part.essence < 1:
            return {"slot": slot_words(slot)}
    return None


def _rows(attempt: Try) -> Iterator[tuple[str, Row]]:
    for part in attempt.action.part.players.values():
        yield from part.vibes.items()


@rule("R-VIBE-5", "The {action} row can't have two {colour} tokens.")
def colour_twice(attempt: Try) -> Facts | None:
    """No two tokens of one colour in a row; wild ones have none."""
    for name, row in _rows(attempt):
        for colour, count in Counter(token for token in row if token not in ("", WILD)).items():
            if count > 1:
                return {"action": ACTION_TITLES[name], "colour": colour}
    return None


@rule("R-VIBE-4", "The {action} row has no token on its leftmost space, so it has none further right.")
def upgrade_of_a_locked_row(attempt: Try) -> Facts | None:
    """A row's first token goes on the leftmost space, and tokens stay."""
    for name, row in _rows(attempt):
        if any(row) and not is_unlocked(row):
            return {"action": ACTION_TITLES[name]}
    return None


PROCEDURE: Plain[Adjust] = Plain(
    rules=(
        no_such_player,
        another_team,
        another_teams_spirit,
        no_such_emotion,
        no_such_aspiration,
        too_much_ambition,
        empty_slot,
        no_fortress,
        too_much_essence,
        no_essence,
        colour_twice,
        upgrade_of_a_locked_row,
    ),
    effect=_effect,
)
"""Adjusting, complete."""
