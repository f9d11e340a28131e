"""A scripted game in a process of its own, to be killed at any moment.

Each action is a command of one client with the number of the action as its id. The script goes on from the
first action whose answer it does not know of: like a client after a restart, it sends that one again.

    python -m tests.session.scripted

It reads lines `FOLDER FIRST` and plays each in a child process, so that fifty games need not import
everything fifty times.
"""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion import content
from companion.rules.position import Position
from companion.scenario.notation import action_from, position_from
from companion.session.journal import Journal
from companion.session.session import Command, Outcome, Session

CLIENT = "script"

START: dict[str, Any] = {
    "players": {
        name: {
            "team": team,
            "spirit": spirit,
            "at": at,
            "willpower": 9000,
            "vibes": {"move": ["wild", "", "", ""]},
        }
        for name, team, spirit, at in (
            ("diana", "bliss", "harmony", "valley"),
            ("otto", "gloom", "hatred", "network"),
        )
    }
}


def first() -> Position:
    return position_from(START, content.catalogue())


MOVES = {"diana": ("valley-cradle", "valley"), "otto": ("network-land", "network")}
TURN = 5
"""Things to do in a turn: move, take it back, do it again, move back, end the turn."""


def script(number: int) -> dict[str, Any]:
    """Return the `number`-th thing to do, from 1, as in a command."""
    turn, step = divmod(number - 1, TURN)
    there, back = MOVES[("diana", "otto")[turn % 2]]
    things: tuple[dict[str, Any], ...] = (
        {"do": {"action": "move", "to": there}},
        {"undo": 1},
        {"redo": 1},
        {"do": {"action": "move", "to": back}},
        {"do": {"action": "end-turn", "gain": "cards"}},
    )
    return things[step]


def play(session: Session, number: int) -> Outcome:
    """Do the `number`-th thing as a command."""
    what, by, at_ms = script(number), Command(CLIENT, str(number)), number * 1000
    if "do" in what:
        outcome = session.do(action_from(what["do"]), at_ms=at_ms, by=by)
    else:
        outcome = (session.undo if "undo" in what else session.redo)(1, at_ms=at_ms, by=by)
    session.keep_position()
    return outcome


def numbers(start: int) -> Iterator[int]:
    while True:
        yield start
        start += 1


def say(line: str) -> None:
    """Say a line at once and in one piece, so that no kill leaves half of it."""
    os.write(sys.stdout.fileno(), f"{line}\n".encode())


def play_on(folder: Path, start: int) -> None:
    """Play until killed, saying what was accepted."""
    began_s = time.monotonic()
    session = Session(Journal(folder), content.catalogue(), first, now_ms=0)
    say(f"ready {os.getpid()} {time.monotonic() - began_s:.3f}")
    for number in numbers(start):
        outcome = play(session, number)
        say(f"accepted {number} {outcome.seq} {outcome.verdict}")


def main() -> None:
    """Play one game a line, each in a child process."""
    for line in sys.stdin:
        folder, start = line.split()
        child = os.fork()
        if child == 0:
            play_on(Path(folder), int(start))
        os.waitpid(child, 0)
        say("killed")


if __name__ == "__main__":
    main()
