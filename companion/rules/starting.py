"""What players place at set-up: figures, Starting Emotions, wild Vibe tokens (R-SETUP-19 to R-SETUP-24)."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from companion.rules.actions import Action, PlaceSpirit, PlaceWild
from companion.rules.attempt import Attempt, Facts, rule
from companion.rules.board import FRONTIERS, REALMS, SLOTS, SPACES, Team, triad
from companion.rules.cards import Card, Catalogue
from companion.rules.frame import SETUP, game_over
from companion.rules.position import ROWS, Emotion, Pending, Player, Position
from companion.rules.procedure import Plain
from companion.rules.vibes import BOARD_SPACES, UNLOCK_SPACE, WILD, is_unlocked, open_spaces, with_token
from companion.rules.words import ACTION_TITLES, person, slot_words, space_words

_STEP_NAMES: Final[Mapping[type, str]] = {PlaceSpirit: "place-spirit", PlaceWild: "place-wild"}
"""The steps as `turn.pending` names them."""


def starting_emotion(team: Team, cards: Catalogue) -> Card:
    """Return the Starting Emotion of a team (R-SETUP-19)."""
    return next(card for card in cards.cards.values() if card.team == team and card.strength == "starting")


def setup_step(position: Position) -> Pending | None:
    """Return the step of the set-up that comes next, None once the game is on."""
    pending = position.turn.pending
    return pending[0] if pending and pending[0].action in SETUP else None


def placer(position: Position, step: Pending) -> Player:
    """Return who takes a step of the set-up."""
    return position.players[step.player or position.turn.player]


def _step(attempt: Attempt[Any]) -> Pending | None:
    """Return the next step where it is of the kind that is tried."""
    step = setup_step(attempt.position)
    return step if step is not None and step.action == _STEP_NAMES[type(attempt.action)] else None


def _placer(attempt: Attempt[Any]) -> Player:
    step = _step(attempt)
    return attempt.player if step is None else placer(attempt.position, step)


def _wrong_player(attempt: Attempt[Any]) -> Facts | None:
    step, named = _step(attempt), attempt.action.player
    if step is None or named is None or named == _placer(attempt).name:
        return None
    return {"player": person(_placer(attempt).name), "other": person(named)}


@rule("R-SETUP-19", "There is no figure and no Starting Emotion to place now.")
def no_figure_to_place(attempt: Attempt[PlaceSpirit]) -> Facts | None:
    """Figures come first, each once; a Shaper among three places a second Starting Emotion (OQ-21)."""
    return {} if _step(attempt) is None else None


@rule("R-SETUP-19", "{player} places the figure now, not {other}.")
def figure_out_of_order(attempt: Attempt[PlaceSpirit]) -> Facts | None:
    """Players place in player order."""
    return _wrong_player(attempt)


@rule("R-SETUP-19", "Say where {player}'s figure starts.")
def no_space_named(attempt: Attempt[PlaceSpirit]) -> Facts | None:
    """A figure that is not on the board yet needs a space."""
    player = _placer(attempt)
    return {"player": person(player.name)} if attempt.action.at is None and player.at is None else None


@rule("R-SETUP-19", "{player}'s figure stands already: name the slot alone.")
def figure_stands(attempt: Attempt[PlaceSpirit]) -> Facts | None:
    """The second Starting Emotion of a Shaper comes without a figure."""
    player, at = _placer(attempt), attempt.action.at
    return None if at is None or player.at is None else {"player": person(player.name)}


@rule("R-SETUP-19", "A figure starts on a Frontier, not in the {space}.")
def not_a_frontier(attempt: Attempt[PlaceSpirit]) -> Facts | None:
    """In the full game figures start on Frontiers; in the basic game as a picture shows it (R-SETUP-21)."""
    at = attempt.action.at
    if attempt.position.mode == "basic" or at is None or at in FRONTIERS:
        return None
    return {"space": space_words(at)}


@rule("R-SETUP-19", "{other} is on the {space} already.")
def space_taken(attempt: Attempt[PlaceSpirit]) -> Facts | None:
    """The space must be empty."""
    at, placing = attempt.action.at, _placer(attempt).name
    if at is None:
        return None
    there = next((p for p in attempt.position.players.values() if p.at == at and p.name != placing), None)
    return None if there is None else {"other": person(there.name), "space": space_words(at)}


@rule("R-SETUP-20", "A Starting Emotion goes into one of the two Realm slots next to the {space}'s own slot.")
def slot_out_of_reach(attempt: Attempt[PlaceSpirit]) -> Facts | None:
    """The one time that a figure on a Frontier reaches the Realm slots of its Triad."""
    player, slot = _placer(attempt), attempt.action.slot
    at = player.at or attempt.action.at
    if at is None or slot in _slots(attempt.position, player, at):
        return None
    return {"space": space_words(at)} if player.at is None and at in FRONTIERS else None


@rule("R-SETUP-20", "A Starting Emotion goes into a slot of a Realm, not of a Frontier.")
def slot_of_a_frontier(attempt: Attempt[PlaceSpirit]) -> Facts | None:
    """Where a Shaper's second one goes is not known (OQ-21), but in the full game none lies on a Frontier."""
    player, slot = _placer(attempt), attempt.action.slot
    second = player.at is not None
    return {} if second and attempt.position.mode == "full" and slot in FRONTIERS else None


@rule("R-SETUP-19", "The {slot} is taken: a Starting Emotion goes into an empty one.")
def slot_taken(attempt: Attempt[PlaceSpirit]) -> Facts | None:
    """The slot must be empty."""
    slot = attempt.action.slot
    return {"slot": slot_words(slot)} if slot in attempt.position.slots else None


def _slots(position: Position, player: Player, at: str) -> tuple[str, ...]:
    """Return the slots for a Starting Emotion, taken ones included.

    Args:
        position: during set-up.
        player: who places; with the figure on the board it is the second one.
        at: where the figure starts.
    """
    if position.mode == "basic":
        return SLOTS
    if player.at is not None:
        return tuple(slot for slot in SLOTS if slot not in FRONTIERS)
    if at not in FRONTIERS:
        return ()
    before, _, after = triad(at)
    return before, after


def _figure_placed(attempt: Attempt[PlaceSpirit], position: Position) -> Position:
    player = _placer(attempt)
    card = starting_emotion(player.team, attempt.cards)
    position = position.with_player(replace(player, at=player.at or attempt.action.at))
    position = position.with_slot(attempt.action.slot, Emotion(card.name, card.starting_essence))
    return position.with_pending(position.turn.pending[1:])


@rule("R-SETUP-23", "There is no wild Vibe token to place now.")
def no_token_to_place(attempt: Attempt[PlaceWild]) -> Facts | None:
    """Four tokens each, after the figures; in the basic game they lie where they always do (R-SETUP-24)."""
    return {} if _step(attempt) is None else None


@rule("R-SETUP-23", "{player} places wild Vibe tokens now, not {other}.")
def token_out_of_order(attempt: Attempt[PlaceWild]) -> Facts | None:
    """Players place in player order, all four of them before the next player."""
    return _wrong_player(attempt)


@rule("R-EMP-1", "The basic game has no Empower, so its row takes no token.")
def row_not_used(attempt: Attempt[PlaceWild]) -> Facts | None:
    """The lowest row of the Spirit board is not used in the basic game."""
    return {} if attempt.action.row == "empower" and attempt.position.mode == "basic" else None


@rule("R-VIBE-4", "The {action} row has the spaces 1 to 4, and no space {space}.")
def no_such_space(attempt: Attempt[PlaceWild]) -> Facts | None:
    """A row has four spaces."""
    row, space = attempt.action.row, attempt.action.space
    return None if space in BOARD_SPACES else {"action": ACTION_TITLES[row], "space": space}


@rule("R-SETUP-23", "The {action} row is locked: its first token goes on the leftmost space.")
def upgrade_of_a_locked_row(attempt: Attempt[PlaceWild]) -> Facts | None:
    """An upgrade takes a token once its row is unlocked."""
    row, space = attempt.action.row, attempt.action.space
    if space == UNLOCK_SPACE or is_unlocked(_placer(attempt).row(row)):
        return None
    return {"action": ACTION_TITLES[row]}


@rule("R-VIBE-4", "Space {space} of the {action} row holds a token already.")
def token_space_taken(attempt: Attempt[PlaceWild]) -> Facts | None:
    """A token goes on an empty space; how many wild ones are in the row does not matter (R-VIBE-6)."""
    row, space = attempt.action.row, attempt.action.space
    if space not in BOARD_SPACES or not _placer(attempt).row(row)[space - 1]:
        return None
    return {"action": ACTION_TITLES[row], "space": space}


def _token_placed(attempt: Attempt[PlaceWild], position: Position) -> Position:
    player, action = _placer(attempt), attempt.action
    row = with_token(player.row(action.row), action.space, WILD)
    position = position.with_player(replace(player, vibes={**player.vibes, action.row: row}))
    return position.with_pending(position.turn.pending[1:])


PROCEDURES: Final[Mapping[type, Plain[Any]]] = {
    PlaceSpirit: Plain(
        (
            game_over,
            no_figure_to_place,
            figure_out_of_order,
            no_space_named,
            figure_stands,
            not_a_frontier,
            space_taken,
            slot_out_of_reach,
            slot_of_a_frontier,
            slot_taken,
        ),
        _figure_placed,
    ),
    PlaceWild: Plain(
        (
            game_over,
            no_token_to_place,
            token_out_of_order,
            row_not_used,
            no_such_space,
            upgrade_of_a_locked_row,
            token_space_taken,
        ),
        _token_placed,
    ),
}
"""The steps of the set-up, complete."""


def setup_choices(position: Position) -> Iterator[Action]:
    """Yield the tries of the next step of the set-up; none once the game is on."""
    step = setup_step(position)
    if step is None:
        return
    player = placer(position, step)
    if step.action == "place-wild":
        for row in ROWS:
            yield from (PlaceWild(row, space) for space in open_spaces(player.row(row)))
        return
    spaces = SPACES if position.mode == "basic" else FRONTIERS
    for at in (None,) if player.at is not None else spaces:
        yield from (PlaceSpirit(slot, at) for slot in _slots(position, player, at or player.at or REALMS[0]))
