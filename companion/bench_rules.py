"""The rules' part of `companion bench`: what a verdict, a list, a game and a kept position cost.

Everything is taken from random games that are played anew each time; their seed stands in the notes.
"""

import copy
import gc
import json
import statistics
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from companion.content import catalogue
from companion.rules.actions import Action
from companion.rules.engine import check, legal_actions
from companion.rules.position import Position
from companion.scenario.notation import position_to
from companion.scenario.random_play import assumed
from companion.scenario.simulate import Game, games

SEED: Final = 1
PLAYERS: Final = 4
GAMES: Final = 5
"""They differ in length, and in how many actions are legal."""

REPEATS: Final = 5
"""Per figure; the median of them counts."""

PLAYED: Final = f"the first {GAMES} random games of seed {SEED}, full mode, {PLAYERS} players"
"""Which ones, for the notes."""


@dataclass(frozen=True, slots=True)
class Lists:
    """The full legal lists, Vibe tokens placed included, of positions in the middle third of their game."""

    typical_ms: float
    """The median of them."""
    slowest_ms: float
    typical_actions: int
    """The median length."""
    most_actions: int
    positions: int


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes a position when all those of some games are kept, in three forms."""

    kept: float
    """As the rules make them: what an action leaves alone is shared with the position before."""
    copied: float
    """The same positions with nothing shared."""
    text: float
    """The same positions written as JSON."""


class PlayedGames:
    """Random games that can be measured."""

    def __init__(self) -> None:
        self._cards = assumed(catalogue())
        self._games = self._play()

    def _play(self) -> list[Game]:
        return list(games(GAMES, SEED, "full", PLAYERS, self._cards))

    def _positions(self, game: Game) -> list[Position]:
        """Play a game once more, all its positions kept."""
        kept = [game.start]
        for action in game.steps:
            after = check(kept[-1], action, self._cards).after
            if after is None:
                raise RuntimeError(f"the game that was just played does not replay: {action} is not legal")
            kept.append(after)
        return kept

    def _all_positions(self) -> list[Position]:
        return [position for game in self._games for position in self._positions(game)]

    def verdict_ms(self) -> float:
        """Median time of a verdict on the actions of the games, the position that follows worked out."""

        def judge(position: Position, action: Action) -> None:
            _ = check(position, action, self._cards).after

        steps = [
            step for game in self._games for step in zip(self._positions(game), game.steps, strict=False)
        ]
        return statistics.median(_median_ms(partial(judge, *step)) for step in steps)

    def lists(self) -> Lists:
        """Time the lists of each middle third, as far as an Action is left: others are short."""
        middle = []
        for game in self._games:
            positions = self._positions(game)
            third = len(positions) // 3
            middle += [p for p in positions[third : 2 * third] if p.turn.actions_left and not p.turn.pending]
        lengths = [self._length(position) for position in middle]
        times = [_median_ms(partial(self._length, position)) for position in middle]
        return Lists(
            statistics.median(times), max(times), statistics.median_low(lengths), max(lengths), len(middle)
        )

    def _length(self, position: Position) -> int:
        return sum(1 for _ in legal_actions(position, self._cards))

    def games_per_s(self) -> float:
        """Play whole games, every invariant checked after each action, as `companion simulate` does."""
        begin_s = time.perf_counter()
        played = self._play()
        return len(played) / (time.perf_counter() - begin_s)

    def memory(self) -> Memory:
        """Weigh all positions of the games."""
        positions = self._all_positions()
        count = len(positions)
        return Memory(
            _bytes_of(self._all_positions) / count,
            _bytes_of(lambda: [copy.deepcopy(position) for position in positions]) / count,
            sum(len(json.dumps(position_to(position)).encode()) for position in positions) / count,
        )


def _median_ms(work: Callable[[], object]) -> float:
    times = []
    for _ in range(REPEATS):
        begin_s = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin_s)
    return statistics.median(times) * 1000


def _bytes_of(make: Callable[[], list[Position]]) -> int:
    """Return what the positions hold in memory that was not there before."""
    make()  # what is kept for good after a first run belongs to nobody
    gc.collect()
    tracemalloc.start()
    try:
        made = make()
        gc.collect()
        size, _ = tracemalloc.get_traced_memory()
        del made
    finally:
        tracemalloc.stop()
    return size
