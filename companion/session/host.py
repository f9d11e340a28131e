"""The host: one thread and one queue around a referee. Everything from outside is put in; nothing waits."""

import json
import logging
import queue
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from companion.rules.cards import Catalogue
from companion.rules.position import Position
from companion.session import messages
from companion.session.asked import Asked
from companion.session.commands import CommandError
from companion.session.options import Option, options
from companion.session.pack import Pack
from companion.session.referee import Now, Referee
from companion.session.session import Session
from companion.session.speaker import Bus
from companion.session.tags import Tags
from companion.session.timeline import Step
from companion.table.mends import Problem
from companion.table.patience import Patience
from firmware_bridge.contract.topics import Topics

_LOG: Final = logging.getLogger(__name__)

FAULT_PAUSE_S: Final = 1.0
"""After a fault what time alone makes due waits this long: a fault that stays must not fill the log."""

COPY_AFTER_S: Final = 5.0
"""Quiet for so long, the readable copy of the game is brought up to date: between two actions as a rule, so
that an fsync of a slow card (some 100 ms) holds nobody up, and not after each of three quick ones."""

STOP_WAIT_S: Final = 5.0
"""How long `stop` waits for the last message to be worked off: far longer than an fsync of a slow card."""


@dataclass(frozen=True, slots=True)
class View:
    """All that a screen in the same process needs, at one moment."""

    position: Position
    seq: int
    table_ok: bool
    problems: tuple[Problem, ...]
    asked: Asked | None
    history: tuple[Step, ...]
    """The newest steps, oldest first."""


def _now() -> Now:
    return Now(time.monotonic(), time.time_ns() // 1_000_000)


class Host:
    """One game at one table, live.

    `on_message` and `on_link` are what a `Link` calls; both only fill the queue. The journal and all judging
    belong to the host's thread from `start` to `stop`.

    Args:
        session: the game.
        cards: the printed values.
        tags: which tag sticks to what.
        topics: of this table.
        bus: where to publish; its `publish` must not wait.
        virtual: whether the pieces are virtual ones, laid by publishing `sim/field`.
        patience: how long things may lie; None: as on a real table.
        pack: the table's own card values over `cards`; None: those in the session's data folder.
        clock: the time.
    """

    def __init__(
        self,
        session: Session,
        cards: Catalogue,
        tags: Tags,
        topics: Topics,
        bus: Bus,
        *,
        virtual: bool = False,
        patience: Patience | None = None,
        pack: Pack | None = None,
        clock: Callable[[], Now] = _now,
    ) -> None:
        self._referee = Referee(
            session, cards, tags, topics, bus, virtual=virtual, patience=patience, pack=pack
        )
        self._clock = clock
        self._queue: queue.SimpleQueue[Callable[[Now], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="host")
        self._pause_s = 0.0
        self._copy_problem = ""
        self._view = self._looked()

    @staticmethod
    def filters(topics: Topics, *, virtual: bool) -> tuple[str, ...]:
        """Return what to subscribe to; no two overlap (F-95)."""
        fields = (topics.all_sim_fields,) if virtual else ()
        return (topics.all_spaces, topics.all_nodes, topics.all_commands, *fields)

    # Called from any thread

    def on_message(self, topic: str, payload: bytes, retained: bool) -> None:  # noqa: FBT001 - Link's signature
        """Take a message of the bus."""
        self._queue.put(lambda now: self._referee.message(topic, payload, now, retained=retained))

    def on_link(self, up: bool) -> None:  # noqa: FBT001 - Link's signature
        """Take note of a connection, or of its loss."""
        self._queue.put(lambda now: self._referee.link(now, up=up))

    def command(self, client: str, command: Mapping[str, Any]) -> None:
        """Take a command from within the process; it is answered on the bus like any other.

        Args:
            client: who asks: a name that no client on the bus uses.
            command: with its `id`, as in the contracts' section 4.
        """
        payload = json.dumps(command).encode()
        self._queue.put(lambda now: self._command(client, payload, now))

    def view(self) -> View:
        """Return how everything stands: a value that never changes."""
        return self._view

    def options(self, target: str) -> list[Option]:
        """Return what the player to act could do with what was tapped; see `companion.session.options`."""
        return options(self._view.position, self._referee.cards, target)

    # The thread

    def start(self) -> None:
        """Begin to work off the queue."""
        self._thread.start()

    def stop(self) -> None:
        """Work off what has come in, and end; further calls do nothing."""
        self._queue.put(None)
        if self._thread.is_alive():
            self._thread.join(STOP_WAIT_S)

    def _run(self) -> None:
        while True:
            work = self._next()
            if work is None:
                self._copy()
                return
            self._pause_s = 0.0 if self._worked(work) else FAULT_PAUSE_S

    def _worked(self, work: Callable[[Now], None]) -> bool:
        """Work something off; a fault in it must not silence the table."""
        try:
            work(self._clock())
            self._view = self._looked()
        except Exception:  # noqa: BLE001 - whatever it is, the table plays on
            _LOG.exception("a message could not be worked off")
        else:
            return True
        # What was accepted before the fault is said all the same.
        with suppress(Exception):
            self._referee.speak()
        return False

    def _next(self) -> Callable[[Now], None] | None:
        wake_s = self._referee.wake_s
        wait_s = None if wake_s is None else max(self._pause_s, wake_s - self._clock().s)
        copies = self._referee.session.uncopied and (wait_s is None or wait_s > COPY_AFTER_S)
        try:
            return self._queue.get(timeout=COPY_AFTER_S if copies else wait_s)
        except queue.Empty:
            if copies:
                self._copy()
            return self._referee.tick

    def _copy(self) -> None:
        """Bring the readable copy of the game up to date."""
        try:
            problem = self._referee.session.keep_copy()
        except Exception:  # noqa: BLE001 - the journal has the game; the table plays on
            _LOG.exception("the game could not be copied")
        else:
            if problem and problem != self._copy_problem:
                _LOG.warning("%s: the game itself is saved", problem)
            self._copy_problem = problem

    def _command(self, client: str, payload: bytes, now: Now) -> None:
        try:
            self._referee.command(client, payload, now)
        except CommandError as error:
            _LOG.warning("command of %s: %s", client, error)

    def _looked(self) -> View:
        referee = self._referee
        session, look = referee.session, referee.look
        return View(
            session.position,
            session.seq,
            look.in_step,
            look.problems,
            referee.asked,
            session.history(messages.HISTORY_LINES),
        )
