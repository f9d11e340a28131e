"""A scripted game killed at random points: nothing accepted is lost or doubled, each restart is quick."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion import content
from companion.session.journal import Journal
from companion.session.session import Session
from tests.session.scripted import first, play

KILLS = 50
RESTART_S = 3.0


@pytest.fixture
def player() -> Iterator[subprocess.Popen[str]]:
    """The process that plays scripted games, each in a child of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.session.scripted"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
        text=True,
    )
    with process:
        yield process
        if process.stdin is not None:
            process.stdin.close()


def play_and_kill(
    player: subprocess.Popen[str], folder: Path, start: int, rng: random.Random
) -> tuple[list[tuple[int, int]], float]:
    """Play from command `start` and kill the game after a random number of microseconds or of actions.

    Returns:
        What the game said was accepted, as command and seq, and how long it took to take up the journal.
    """
    assert player.stdin is not None
    assert player.stdout is not None
    player.stdin.write(f"{folder} {start}\n")
    player.stdin.flush()
    _, pid, restart_s = player.stdout.readline().split()
    said = [player.stdout.readline() for _ in range(rng.randrange(12))]
    # From the last line heard on, the next action is in work: stop somewhere within it.
    deadline_s = time.monotonic() + rng.uniform(0.0, 0.003)
    while time.monotonic() < deadline_s:
        pass
    os.kill(int(pid), signal.SIGKILL)
    said += iter(player.stdout.readline, "killed\n")
    answers = (line.removesuffix("killed\n").split() for line in said)
    return [(int(words[1]), int(words[2])) for words in answers if len(words) == 4], float(restart_s)


def test_fifty_kills_lose_nothing_and_double_nothing(tmp_path: Path, player: subprocess.Popen[str]) -> None:
    rng = random.Random(50)  # noqa: S311 - when to kill is no secret
    told: dict[int, int] = {}
    slowest_s = 0.0
    for _ in range(KILLS):
        accepted, restart_s = play_and_kill(player, tmp_path, max(told, default=0) + 1, rng)
        slowest_s = max(slowest_s, restart_s)
        for number, seq in accepted:
            assert told.setdefault(number, seq) == seq
    assert slowest_s < RESTART_S

    with closing(Journal(tmp_path)) as journal:
        stored = {int(entry.command): entry.seq for entry in journal.entries(1) if entry.command}
        assert journal.notices == ()
        session = Session(journal, content.catalogue(), first, now_ms=0)
        # At most the one action is stored of which nobody was told.
        assert {number: stored[number] for number in told} == told
        assert set(stored) - set(told) <= {max(told, default=0) + 1}
        assert sorted(stored) == list(range(1, len(stored) + 1))
        assert sorted(stored.values()) == list(range(2, len(stored) + 2))
        position = session.position

    # The same things done without any kill come to the same game.
    with closing(Journal(tmp_path / "undisturbed")) as journal:
        session = Session(journal, content.catalogue(), first, now_ms=0)
        for number in range(1, len(stored) + 1):
            assert play(session, number).changed
        assert session.position == position
