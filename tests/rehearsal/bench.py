"""What careless people get from the table, for `companion bench`: `python -m tests.rehearsal.bench --json`.

Waits are in moved time: they are what polls, frames and the rest of the pieces come to, on any machine.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import asdict, dataclass
from typing import Final

from companion.table.patience import Patience
from tests.rehearsal.__main__ import evenings
from tests.rehearsal.tally import Tally, median, percentile

GAMES: Final = 6
SEED: Final = 7
PROFILE: Final = "virtual"


@dataclass(frozen=True, slots=True)
class Row:
    """One figure beside another one."""

    name: str
    ours: float
    against: str
    theirs: float
    unit: str
    note: str = ""


def rows(tally: Tally) -> list[Row]:
    """Return the figures of some games."""
    rest_ms = Patience().settle_s * 1000
    note = (
        f"Careless people: {tally.games} whole games of seed {SEED}, profile {PROFILE}, {tally.actions}"
        f" actions, {tally.by_pieces} of them by pieces; 30 % of polls lost, 10 % of frames, restarts;"
        f" {len(tally.tapped)} taps too many, {len(tally.wrong)} wrong acceptances."
    )
    against = "the rest that a piece must have"
    return [
        Row(
            "actions by pieces that needed a question",
            round(100 * tally.asked_share, 2),
            "all actions by pieces",
            100.0,
            "of 100",
            note,
        ),
        Row(
            "last piece at rest to verdict, median", 1000 * median(tally.rest_s), against, rest_ms, "ms", note
        ),
        Row(
            "last piece at rest to verdict, 99 of 100",
            1000 * percentile(tally.rest_s),
            against,
            rest_ms,
            "ms",
            note,
        ),
        Row("of that the app's work, median", median(tally.work_ms), against, rest_ms, "ms", note),
    ]


def measured(games: int = GAMES) -> Tally:
    """Play some games and return what became of them."""
    asked = Namespace(games=games, first=1, seed=SEED, profile=PROFILE, calm=False, sound=False, waits=[])
    total = Tally()
    for _, evening in evenings(asked):
        total.add(evening.play())
    return total


def main() -> int:
    """Print the rows as JSON; returns the exit status."""
    parser = ArgumentParser(prog="python -m tests.rehearsal.bench", description=main.__doc__)
    parser.add_argument("--json", action="store_true", help="the only form there is")
    parser.parse_args()
    sys.stdout.write(json.dumps([asdict(row) for row in rows(measured())]) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
