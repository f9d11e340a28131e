"""The same random operations on the session and on a plain list of positions, compared after each step."""

import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from companion import content
from companion.rules.engine import check
from companion.scenario.notation import action_from
from companion.session.journal import Journal
from companion.session.session import Command, Session
from tests.session.scripted import first

CARDS = content.catalogue()
SPACES = ("valley", "valley-cradle", "willow-valley", "network", "network-land", "land")


class JournalAgrees(RuleBasedStateMachine):
    """A model that is nothing but a list of positions and a cursor in it."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.session = Session(Journal(self.folder), CARDS, first, now_ms=0)
        self.line = [first()]
        self.at = 0
        self.seq = 1
        self.commands = 0

    def teardown(self) -> None:
        self.session._journal.close()
        shutil.rmtree(self.folder)

    @rule(to=st.sampled_from(SPACES), twice=st.booleans())
    def move(self, to: str, *, twice: bool) -> None:
        self._do({"action": "move", "to": to}, twice=twice)

    @rule(gain=st.sampled_from(("ambition", "cards")), twice=st.booleans())
    def end_turn(self, gain: str, *, twice: bool) -> None:
        self._do({"action": "end-turn", "gain": gain}, twice=twice)

    def _do(self, do: dict[str, str], *, twice: bool) -> None:
        self.commands += 1
        action, by = action_from(do), Command("model", str(self.commands))
        after = check(self.line[self.at], action, CARDS).after
        outcome = self.session.do(action, at_ms=0, by=by)
        assert outcome.changed == (after is not None)
        if after is not None:
            self.line = [*self.line[: self.at + 1], after]
            self.at += 1
            self.seq += 1
        if twice:
            assert self.session.do(action, at_ms=0, by=by).again

    @rule(steps=st.integers(1, 4))
    def undo(self, steps: int) -> None:
        possible = steps <= self.at
        assert self.session.undo(steps, at_ms=0).changed == possible
        if possible:
            self.at -= steps
            self.seq += 1

    @rule(steps=st.integers(1, 4))
    def redo(self, steps: int) -> None:
        possible = self.at + steps < len(self.line)
        assert self.session.redo(steps, at_ms=0).changed == possible
        if possible:
            self.at += steps
            self.seq += 1

    @precondition(lambda self: self.at > 0)
    @rule()
    def set_up(self) -> None:
        position = self.line[self.at]
        assert self.session.setup(position, at_ms=0).changed
        self.line, self.at = [position], 0
        self.seq += 1

    @rule()
    def keep_position(self) -> None:
        self.session.keep_position()

    @rule()
    def start_again(self) -> None:
        self.session._journal.close()
        self.session = Session(Journal(self.folder), CARDS, first, now_ms=0)

    @invariant()
    def the_session_agrees_with_the_list(self) -> None:
        assert self.session.position == self.line[self.at]
        assert self.session.seq == self.seq
        assert self.session.undoable == self.at
        assert self.session.redoable == len(self.line) - 1 - self.at


TestJournalAgrees = JournalAgrees.TestCase
TestJournalAgrees.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)
