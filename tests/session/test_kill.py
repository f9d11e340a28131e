"""A scripted game killed at random points: nothing accepted is lost, nothing is doubled, each restart is quick."""

import random
import select
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from companion import content
from companion.session.journal import Journal
from companion.session.session import Session
from tests.session.scripted import first, play

KILLS = 50
RESTART_S = 3.0


def run_and_kill(folder: Path, start: int, after_s: float) -> tuple[list[tuple[int, int]], float]:
    """Play from command `start` until killed `after_s` after the game is ready.

    Returns:
        What the script said was accepted, as command and seq, and how long the restart took.
    """
    began_s = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.session.scripted", folder, str(start)],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdout is not None
    with process.stdout:
        assert process.stdout.readline().startswith(b"ready")
        restart_s = time.monotonic() - began_s
        # The pipe holds more than is printed in this time, so nobody has to read it before the kill.
        deadline_s = time.monotonic() + after_s
        while (left_s := deadline_s - time.monotonic()) > 0:
            select.select([], [], [], left_s)
        process.kill()
        said = process.stdout.read().decode()
    process.wait()
    lines = [line.split() for line in said.splitlines(keepends=True) if line.endswith("\n")]
    return [(int(number), int(seq)) for _, number, seq, _ in lines], restart_s


def test_fifty_kills_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    rng = random.Random(50)  # noqa: S311 - when to kill is no secret
    told: dict[int, int] = {}
    slowest_s = 0.0
    for _ in range(KILLS):
        accepted, restart_s = run_and_kill(tmp_path, max(told, default=0) + 1, rng.uniform(0.0, 0.12))
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
