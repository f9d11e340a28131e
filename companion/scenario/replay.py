"""`companion replay`: a saved game, move by move."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from companion.rules.accounts import describe
from companion.rules.cards import Catalogue
from companion.rules.engine import check
from companion.rules.position import Position
from companion.rules.verdict import Cost
from companion.rules.words import cost_words, person, result_words
from companion.scenario.compare import differences
from companion.scenario.errors import ScenarioError
from companion.scenario.notation import position_to, verdict_to
from companion.scenario.saved import Recorded, SavedGame, position_text, read_game
from companion.scenario.telling import DONE, FAILED, UNUSABLE, counted, printed_values, say


@dataclass(frozen=True, slots=True)
class Replayed:
    """One move as it was carried out, or not."""

    position: Position
    """After it; the one before it where it could not be carried out."""
    words: str
    """What happened, with its cost."""
    faults: tuple[str, ...] = ()
    """Why it could not be carried out, or where the file says otherwise: the game stops here."""


def replayed(game: SavedGame) -> Iterator[Replayed]:
    """Carry out the moves of a game in their order, up to the first fault."""
    position = game.start
    for move in game.moves:
        done = _carried_out(position, move, game.cards)
        if move.after is not None and not done.faults:
            done = Replayed(done.position, done.words, differences(move.after, done.position))
        yield done
        if done.faults:
            return
        position = done.position


def _carried_out(position: Position, move: Recorded, cards: Catalogue) -> Replayed:
    verdict = check(position, move.do, cards)
    if verdict.after is None:
        told = verdict_to(verdict)
        rules = f" ({', '.join(verdict.rules)})" if verdict.rules else ""
        return Replayed(position, "", (f"{verdict.status}: {told['message']}{rules}",))
    cost = f" ({cost_words(verdict.cost)})" if verdict.cost != Cost() else ""
    return Replayed(verdict.after, f"{describe(position, move.do, verdict.after, cards)}{cost}")


def replay(path: str | Path, *, out: TextIO, err: TextIO) -> int:
    """Print a saved game move by move, and the final position.

    Args:
        path: the file.
        out: where the game goes.
        err: where it is said why the file can't be used, or which move can't be carried out.

    Returns:
        0, 1 where a move can't be carried out or ends otherwise than the file says, 2 where the file can't be
        used.
    """
    cards = printed_values(err)
    if cards is None:
        return UNUSABLE
    try:
        game = read_game(str(path), cards)
    except ScenarioError as e:
        err.write(f"{e}\n")
        return UNUSABLE
    if game.title:
        say(out, game.title)
    position, shown_turn, failed = game.start, 0, False
    for number, done in enumerate(replayed(game), 1):
        turn = position.turn
        if turn.number != shown_turn:
            say(out, f"turn {turn.number}, {person(turn.player)}")
            shown_turn = turn.number
        if done.words:
            say(out, f"{number:>5}. {done.words}")
        for fault in done.faults:
            say(err, f"{path}: move {number}: {fault}")
            failed = True
        position = done.position
    _close(position, len(game.moves), out)
    return FAILED if failed else DONE


def _close(position: Position, moves: int, out: TextIO) -> None:
    if position.result is not None:
        say(out, result_words(position.result))
    say(out, f"{counted(moves, 'move', 'moves')}; the position afterwards:")
    for line in position_text(position_to(position)).splitlines():
        say(out, line)
