"""Faults of a simulated reader, by name, from any thread: for rehearsals and tests over the bus."""

import random
import threading
from collections.abc import Mapping
from typing import Final, Literal

from hardware.simulated.chip import Chip
from hardware.simulated.field import RandomDisturbance

Fault = Literal["dead", "noise"]

NOISE_SHARE: Final = 0.2
"""Of all exchanges: at that much, half of all polls can't be understood (hardware facts, C6)."""


class Faults:
    """Breaks and mends chips between sweeps, where nothing is under way on their wires.

    Args:
        chips: by space.
    """

    def __init__(self, chips: Mapping[str, Chip]) -> None:
        self._chips = chips
        self._lock = threading.Lock()
        self._wanted: dict[str, Fault | None] = {}
        self._is: dict[str, Fault | None] = {}

    def want(self, space: str, fault: Fault | None) -> None:
        """Let exactly this be wrong with a reader from the next sweep on; None: nothing."""
        with self._lock:
            self._wanted[space] = fault

    def settle(self) -> None:
        """Do what is wanted; called by the thread that polls."""
        with self._lock:
            wanted, self._wanted = self._wanted, {}
        for space, fault in wanted.items():
            if fault != self._is.get(space):
                self._set(self._chips[space], fault, before=self._is.get(space))
                self._is[space] = fault

    @staticmethod
    def _set(chip: Chip, fault: Fault | None, *, before: Fault | None) -> None:
        rng = random.Random(0)  # noqa: S311 - noise, not secrets
        chip.field.disturbance = RandomDisturbance(NOISE_SHARE, rng) if fault == "noise" else None
        if fault == "dead":
            chip.unplug()
        elif before == "dead":
            chip.replug()
