"""`companion simulate`: whole games with random legal actions, every invariant checked after each of them."""

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final, TextIO

from companion.errors import StartError
from companion.rules.actions import Action, EndTurn
from companion.rules.cards import Catalogue
from companion.rules.ending import POINTS_TO_END, capping_of
from companion.rules.position import Mode, Position
from companion.scenario.invariants import broken
from companion.scenario.notation import action_to, position_to
from companion.scenario.random_play import POINTS_SHARES, assumed, assumed_pack, chosen, opening, scored
from companion.scenario.saved import game_text
from companion.scenario.telling import DONE, FAILED, UNUSABLE, counted, printed_values, say

MOST_ACTIONS: Final = 3000
"""In one game: several times the length of a long one."""

ENDS: Final = ("no Common Aspiration left", "Capping Fragment", "20 points", "stopped")
"""How a game ends (R-END-1, R-END-2, R-END-4), or that it had MOST_ACTIONS."""


@dataclass(slots=True)
class Game:
    """A game as it was played."""

    start: Position
    position: Position
    """The last one."""
    steps: list[Action] = field(default_factory=list)
    faults: tuple[str, ...] = ()
    """The invariants that broke with the last step; the game stops there."""

    @property
    def actions(self) -> int:
        """The number of actions."""
        return len(self.steps)

    @property
    def end(self) -> str:
        """One of ENDS; meaningless where an invariant broke."""
        if self.position.result is None:
            return "stopped"
        if capping_of(self.position) is not None:
            return "Capping Fragment"
        full = self.position.mode == "full"
        if full and any(team.points >= POINTS_TO_END for team in self.position.teams.values()):
            return "20 points"
        return "no Common Aspiration left"


def play(start: Position, cards: Catalogue, dice: random.Random, most: int = MOST_ACTIONS) -> Game:
    """Play one game to its end.

    Args:
        start: where it begins.
        cards: the printed values.
        dice: decides.
        most: the actions after which it is stopped.
    """
    game = Game(start, start)
    share, asked = dice.choice(POINTS_SHARES), 0
    for _ in range(most):
        before, was = game.position, position_to(game.position)
        try:
            found = chosen(before, cards, dice)
        except Exception as e:  # noqa: BLE001
            # No reachable position may raise: the report needs the moves that led here more than a traceback.
            game.faults = (f"the rules failed with {type(e).__name__}: {e}",)
            return game
        if found is None:
            game.faults = ("nothing is legal",)
            return game
        action, after = found
        if isinstance(action, EndTurn) and asked < before.turn.number:
            asked = before.turn.number
            action, after = scored(before, cards, dice, share) or found
        game.steps.append(action)
        game.position = after
        game.faults = tuple(broken(before, after, cards, was))
        if game.faults or after.result is not None:
            return game
    return game


def games(count: int, seed: int, mode: Mode, players: int, cards: Catalogue) -> Iterator[Game]:
    """Play games one after the other; each has a generator of its own, so any of them can be played again.

    Args:
        count: how many.
        seed: of all of them.
        mode: full or basic.
        players: 2, 3 or 4.
        cards: the printed values.
    """
    for number in range(1, count + 1):
        dice = random.Random(f"{seed} {mode} {players} {number}")  # noqa: S311
        yield play(opening(players, mode, dice, cards), cards, dice)


def simulate(
    count: int,
    seed: int,
    *,
    mode: Mode,
    players: int,
    as_json: bool,
    out: TextIO,
    err: TextIO,
    clock: Callable[[], float],
    save: Path | None = None,
) -> int:
    """Play whole games by chance and tell what became of them.

    Args:
        count: how many games.
        seed: the same seed plays the same games.
        mode: full or basic.
        players: 2, 3 or 4.
        as_json: one JSON object in place of words.
        out: where the figures go.
        err: where a broken invariant is told, with the moves that led to it.
        clock: seconds from any start.
        save: the folder into which each game is written, made where there is none.

    Returns:
        0, 1 where an invariant broke, 2 where the card data can't be used.

    Raises:
        StartError: a game can't be written.
    """
    cards = printed_values(err)
    if cards is None:
        return UNUSABLE
    started_s, tally = clock(), _Tally()
    for number, game in enumerate(games(count, seed, mode, players, assumed(cards)), 1):
        tally.add(game)
        if save is not None:
            _save(game, f"random game {number} of seed {seed}", save / f"game-{number:04}.toml", cards)
        if game.faults:
            _tell_fault(game, number, seed, err)
    settings = {"simulation": "random play", "games": count, "seed": seed, "mode": mode, "players": players}
    figures = settings | tally.figures(clock() - started_s)
    if as_json:
        say(out, json.dumps(figures))
    else:
        _tell(figures, out)
    return FAILED if tally.broken else DONE


@dataclass(slots=True)
class _Tally:
    """Counts what became of the games."""

    actions: list[int] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    ends: Counter[str] = field(default_factory=Counter)
    winners: Counter[str] = field(default_factory=Counter)
    broken: int = 0

    def add(self, game: Game) -> None:
        self.actions.append(game.actions)
        self.turns.append(game.position.turn.number)
        if game.faults:
            self.broken += 1
            return
        self.ends[game.end] += 1
        result = game.position.result
        self.winners["nobody" if result is None else str(result.winner)] += 1

    def figures(self, took_s: float) -> dict[str, Any]:
        total = sum(self.actions)
        return {
            "broken": self.broken,
            "actions": total,
            "seconds": round(took_s, 3),
            "actions_per_s": round(total / took_s) if took_s > 0 else 0,
            "actions_per_game": _spread(self.actions),
            "turns_per_game": _spread(self.turns),
            "ends": {end: self.ends[end] for end in ENDS},
            "winners": {name: self.winners[name] for name in ("bliss", "gloom", "draw", "nobody")},
        }


def _save(game: Game, title: str, file: Path, cards: Catalogue) -> None:
    text = game_text(title, game.start, game.steps, assumed_pack(cards))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as e:
        raise StartError(f"{file}: the game can't be written: {e.strerror}; choose another folder") from e


def _spread(values: list[int]) -> dict[str, float]:
    return {"least": min(values), "median": median(values), "most": max(values)}


def _tell(figures: dict[str, Any], out: TextIO) -> None:
    rules = f"{figures['mode']}, {figures['players']} players, seed {figures['seed']}"
    say(out, f"simulation with random play: {counted(figures['games'], 'game', 'games')}, {rules}")
    speed = f"{figures['actions_per_s']} a second, invariants checked after each"
    say(out, f"actions    {figures['actions']} in {figures['seconds']:.1f} s: {speed}")
    for name, key in (("length", "actions"), ("", "turns")):
        spread = figures[f"{key}_per_game"]
        say(out, f"{name:<10} {spread['median']:g} {key} ({spread['least']} to {spread['most']})")
    for name in ("winners", "ends"):
        say(out, f"{name:<10} " + ", ".join(f"{what} {n}" for what, n in figures[name].items()))
    say(out, f"invariants {figures['broken'] or 'none'} broken")


def _tell_fault(game: Game, number: int, seed: int, err: TextIO) -> None:
    for fault in game.faults:
        say(err, f"seed {seed}, game {number}, after {counted(game.actions, 'action', 'actions')}: {fault}")
    say(err, f"    start {json.dumps(position_to(game.start))}")
    for step in game.steps:
        say(err, f"    {json.dumps({'do': action_to(step)})}")
