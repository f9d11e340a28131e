"""The rules' part of `companion bench`: what a verdict, a list, a game and a kept position cost.

Everything is taken from one random game that is played anew each time, so its seed stands in the notes.
"""

import copy
import gc
import json
import statistics
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from companion.content import catalogue
from companion.rules.actions import Action
from companion.rules.engine import check, legal_actions
from companion.rules.position import Position
from companion.scenario.notation import position_to
from companion.scenario.random_play import assumed
from companion.scenario.simulate import games

SEED: Final = 1
PLAYERS: Final = 4
GAMES: Final = 5
"""For games per second: they differ in length."""

REPEATS: Final = 5
"""Per figure; the median of them counts."""

PLAYED: Final = f"of random game 1 of seed {SEED}, full mode, {PLAYERS} players"
"""Which one, for the notes."""


@dataclass(frozen=True, slots=True)
class Lists:
    """The full legal lists, Vibe tokens placed included, of the positions in the middle third of a game."""

    typical_ms: float
    """The median of them."""
    slowest_ms: float
    typical_actions: int
    """The median length."""
    most_actions: int
    positions: int


@dataclass(frozen=True, slots=True)
class Memory:
    """Bytes for each position of a game, in three forms."""

    kept: float
    """As the rules make them: what an action leaves alone is shared with the position before."""
    copied: float
    """The same positions with nothing shared."""
    text: float
    """The same positions written as JSON."""


class PlayedGame:
    """A random game that can be measured."""

    def __init__(self) -> None:
        self._cards = assumed(catalogue())
        self._game = next(games(1, SEED, "full", PLAYERS, self._cards))

    def _positions(self) -> list[Position]:
        """Play the game once more, all its positions kept."""
        kept = [self._game.start]
        for action in self._game.steps:
            after = check(kept[-1], action, self._cards).after
            if after is None:
                raise RuntimeError(f"the game that was just played does not replay: {action} is not legal")
            kept.append(after)
        return kept

    def verdict_ms(self) -> float:
        """Median time of a verdict on the actions of the game, the position that follows worked out."""

        def judge(position: Position, action: Action) -> None:
            _ = check(position, action, self._cards).after

        steps = zip(self._positions(), self._game.steps, strict=False)
        return statistics.median([_median_ms(lambda p=p, a=a: judge(p, a)) for p, a in steps])  # type: ignore[misc]

    def lists(self) -> Lists:
        """Time the lists of the middle third, as far as an Action is left: others are short."""
        positions = self._positions()
        third = len(positions) // 3
        middle = [p for p in positions[third : 2 * third] if p.turn.actions_left and not p.turn.pending]
        lengths = [sum(1 for _ in legal_actions(p, self._cards)) for p in middle]
        times = [_median_ms(lambda p=p: sum(1 for _ in legal_actions(p, self._cards))) for p in middle]  # type: ignore[misc]
        return Lists(
            statistics.median(times), max(times), statistics.median_low(lengths), max(lengths), len(middle)
        )

    def games_per_s(self) -> float:
        """Play whole games, every invariant checked after each action, as `companion simulate` does."""
        begin_s = time.perf_counter()
        played = list(games(GAMES, SEED, "full", PLAYERS, self._cards))
        return len(played) / (time.perf_counter() - begin_s)

    def memory(self) -> Memory:
        """Weigh all positions of the game."""
        positions = self._positions()
        count = len(positions)
        return Memory(
            _bytes_of(self._positions) / count,
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
