"""A data folder that can't be written: the game is shown as it was, and nothing is accepted."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from companion import content
from companion.app import Settings, _journal, start
from companion.session.errors import FolderUnwritable
from companion.session.journal import FILE, Journal
from companion.session.session import Session
from tests.session.scripted import first, play
from tests.support.bus import wait_until

CARDS = content.catalogue()


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder of this user's, whose rights a test may take away."""
    data = Path(tempfile.mkdtemp())
    try:
        yield data
    finally:
        if os.getuid() == 0:
            os.seteuid(0)
        data.chmod(0o755)
        shutil.rmtree(data)


def lock(folder: Path) -> None:
    """Make it read-only; as root, by taking another user's rights."""
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    if os.geteuid() == 0:
        os.seteuid(65534)


def test_the_game_opens_and_each_action_says_why_it_does_not_count(folder: Path) -> None:
    journal = Journal(folder)
    session = Session(journal, CARDS, first, now_ms=0)
    assert play(session, 1).changed
    position = session.position
    # As after a power cut: the log is still beside the file.
    with tempfile.TemporaryDirectory() as name:
        for file in folder.iterdir():
            shutil.copy(file, name)
        journal.close()
        for file in Path(name).iterdir():
            shutil.copy(file, folder / file.name)
    before = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    assert f"{FILE}-wal" in before
    lock(folder)
    with ExitStack() as stack:
        shown, refusal = _journal(folder, stack)
        assert refusal is not None
        session = Session(shown, CARDS, first, now_ms=0)
        shown.refuse(refusal)
        assert session.position == position
        outcome = play(session, 4)
        assert (outcome.verdict, outcome.changed) == ("error", False)
        assert outcome.message.startswith(f"{folder}: not saved, so it does not count (")
        assert outcome.message.endswith("make the folder writable, then start again")
        assert session.position == position
    assert {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()} == before


def test_without_a_game_to_show_it_is_one_line(folder: Path) -> None:
    lock(folder)
    with ExitStack() as stack, pytest.raises(FolderUnwritable, match="games can't be saved here"):
        _journal(folder, stack)


def test_a_folder_that_can_be_written_is_used_itself(folder: Path) -> None:
    with ExitStack() as stack:
        journal, refusal = _journal(folder, stack)
        with closing(journal):
            assert (journal.folder, refusal) == (folder, None)


def test_the_whole_app_opens_and_says_it_on_the_bus(folder: Path) -> None:
    with closing(Journal(folder)) as journal:
        seq = Session(journal, CARDS, first, now_ms=0).seq
    # Not by rights: they would be taken from the bridge and its files too.
    (folder / "lock").unlink()
    (folder / "lock").mkdir()
    with ExitStack() as stack:
        screen = start(Settings(table=None, data=folder, broker=None, headless=True), stack)
        states: list[dict[str, Any]] = []

        def heard() -> bool:
            states.extend(data for kind, data in screen.drain() if kind == "game/state")
            return bool(states)

        wait_until(heard, "the state is said")
        assert states[-1]["seq"] == seq
        assert states[-1]["notices"][-1].endswith("; the game is shown as it was saved last")
        screen.send({"do": {"action": "move", "to": "valley-cradle"}})
        replies: list[dict[str, Any]] = []

        def answered() -> bool:
            replies.extend(data for kind, data in screen.drain() if kind == "reply")
            return bool(replies)

        wait_until(answered, "the command is answered")
        assert replies[0]["verdict"] == "error"
        assert "not saved, so it does not count" in replies[0]["message"]
