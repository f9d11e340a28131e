"""`python -m tests.rehearsal`: games by careless people, and what the table made of them."""

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, get_args

from companion.content import catalogue, components
from companion.rules.position import Mode
from companion.scenario.random_play import assumed
from companion.table.patience import patience_from
from companion.table.pieces import VIBES
from companion.table.registry import Registry, virtual_registry
from firmware_bridge.contract.table_file import Profile
from tests.rehearsal.evening import NO_FAULTS, Evening
from tests.rehearsal.hands import CALM
from tests.rehearsal.illegal import offend
from tests.rehearsal.tally import FAULTS, Tally

PROFILES: Final = get_args(Profile)
MODES: Final[tuple[Mode, ...]] = ("full", "full", "full", "basic")
PLAYERS: Final = (4, 2, 3)

MORE_TOKENS: Final = tuple(f"vibe/{colour}/{number}" for colour in VIBES for number in range(30, 50))
"""The rules know no limit to the tokens of a colour; the virtual set has eight."""


def registry() -> Registry:
    """Return stickers for everything that a game can need."""
    return virtual_registry((*components(), *MORE_TOKENS))


def evenings(arguments: argparse.Namespace) -> Iterator[tuple[str, Evening]]:
    """Set up the games that are asked for, one after the other, each with its description."""
    cards, stickers = assumed(catalogue()), registry()
    for number in range(arguments.first, arguments.first + arguments.games):
        profile = arguments.profile or PROFILES[number % len(PROFILES)]
        mode, players = MODES[number // 4 % len(MODES)], PLAYERS[number % len(PLAYERS)]
        with tempfile.TemporaryDirectory() as folder:
            evening = Evening(
                f"{arguments.seed}/{number}",
                Path(folder),
                cards,
                stickers,
                profile=profile,
                players=players,
                mode=mode,
                habits=CALM if arguments.calm else None,
                faults=NO_FAULTS if arguments.sound else None,
                patience=patience_from(dict(arguments.waits)),
            )
            yield f"game {number}: {profile}, {mode}, {players} players", evening


def main(argv: list[str] | None = None) -> int:
    """Play, and say what must not happen; returns 1 if something of it did."""
    arguments = _arguments(argv)
    rules = frozenset(re.findall(r"R-[A-Z]+-\d+", arguments.rules.read_text())) if arguments.rules else None
    total = Tally()
    for name, evening in evenings(arguments):
        evening.rule_ids = rules
        tally = evening.play(offences=arguments.offences, offend=offend)
        total.add(tally)
        if not arguments.json:
            asked = tally.asked + tally.asked_unwatched
            print(f"{name}: {tally.actions} actions, {tally.by_pieces} by pieces, {asked} asked", flush=True)
            for line in tally.faults:
                print(f"    {line}", flush=True)
    print(json.dumps(total.figures(), indent=None if arguments.json else 4))
    return 1 if total.faults else 0


def _arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.rehearsal", description=main.__doc__)
    parser.add_argument("--games", type=int, default=4, help="how many whole games (default 4)")
    parser.add_argument("--first", type=int, default=1, help="the number of the first one")
    parser.add_argument("--seed", type=int, default=1, help="the same seed and number play the same game")
    parser.add_argument("--profile", choices=PROFILES, help="what is instrumented (default: each in turn)")
    parser.add_argument("--calm", action="store_true", help="people do one thing after the other")
    parser.add_argument("--sound", action="store_true", help="nothing breaks but polls and frames")
    parser.add_argument(
        "--offences", type=float, default=0.0, help="share of steps after which a rule is broken"
    )
    parser.add_argument("--rules", type=Path, help="the rules whose ids a refusal may name")
    parser.add_argument("--wait", dest="waits", action="append", default=[], type=_wait, help="NAME=SECONDS")
    parser.add_argument("--json", action="store_true", help="only the figures, on one line")
    return parser.parse_args(argv)


def _wait(text: str) -> tuple[str, float]:
    name, _, seconds = text.partition("=")
    return name, float(seconds)


__all__ = ["FAULTS", "evenings", "main", "registry"]

if __name__ == "__main__":
    sys.exit(main())
