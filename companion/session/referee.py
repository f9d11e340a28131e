"""The table's referee: facts, commands and time in; state, events, questions and replies out.

Everything here runs on one thread and takes the time as an argument. `Host` gives it a thread and a queue.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from companion.rules.actions import Action
from companion.rules.cards import Catalogue
from companion.rules.engine import check
from companion.scenario.errors import NotationError
from companion.scenario.notation import action_from, position_from
from companion.session import messages
from companion.session.asked import Asked
from companion.session.commands import CommandError, Request, parse
from companion.session.enrolling import ACTIONS as ENROL_ACTIONS
from companion.session.enrolling import Enrolling
from companion.session.errors import PackNotSaved
from companion.session.facts import Facts
from companion.session.fields import Fields
from companion.session.lines import who_acts
from companion.session.overrule import asked_again, overruling, refusal_question, way_out
from companion.session.pack import Pack, Value, value_from
from companion.session.secrets import public_do
from companion.session.session import Command, Outcome, Session, refusal_words
from companion.session.shelf import Shelf
from companion.session.speaker import Bus, Speaker
from companion.session.steps import step_question
from companion.session.tags import Tags
from companion.session.values import asked_of, stated_words
from companion.table import reconcile as table
from companion.table.decisions import Ask, Choice, Decision, Done, Nothing, Refused, TakenBack
from companion.table.game import Game
from companion.table.lay import beyond_the_box, lay_table
from companion.table.layout import words_of
from companion.table.lights import lights
from companion.table.overruling import beside
from companion.table.patience import Patience
from companion.table.registry import Registry
from firmware_bridge.contract.errors import MessageError
from firmware_bridge.contract.messages import SpaceMessage
from firmware_bridge.contract.topics import Topics

_LOG: Final = logging.getLogger(__name__)

SNAPSHOT_S: Final = 0.3
"""Quiet after a connection before the table is judged: what a broker retains comes in one go (29 spaces
within 20 ms on loopback, measured), and nothing is missing just because it has not come yet."""

WAITING: Final = "waiting"
"""The ask id under which the Vibe token that waits can be taken back."""
CANCEL: Final = "cancel"
"""Its only choice."""

_KEPT: Final = "Stale: a retained command may be of any age. Send it anew, without the retain flag."

_NO_MORE: Final[Mapping[str, Any]] = MappingProxyType({})

_NOT_EVEN_SO: Final = "Nothing would come of it: put the table right by hand instead."

AGAIN: Final = "again"
"""Id of the choice to try once more what could not be stored."""

MOST_COMPLAINTS: Final = 1000
"""Topics of which it is remembered that their bad payload was logged."""


@dataclass(frozen=True, slots=True)
class Now:
    """One moment on two clocks."""

    s: float
    """Monotonic seconds: what waits are measured with."""
    ms: int
    """Unix time in ms: what is written down."""


class Referee:
    """One table's facts and questions over a session.

    Args:
        session: the game.
        cards: the printed values.
        tags: which tag sticks to what.
        topics: of this table.
        bus: where to publish.
        virtual: whether the table is a virtual one, whose pieces are laid by publishing `sim/field`.
        patience: how long things may lie; None: as on a real table.
        pack: the table's own card values over `cards`; None: those in the session's data folder.
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
    ) -> None:
        self.session = session
        self.bad_payloads = 0
        """Messages that were dropped."""
        self._complained: set[str] = set()
        self._pack = pack or Pack(session.journal.folder, cards)
        self._cards = self._pack.cards
        session.use(self._cards, self._pack.stated)
        self._tags = tags
        self._topics = topics
        self._speaker = Speaker(bus, topics)
        self._shelf = Shelf(session, session.journal, self._pack)
        self._virtual = virtual
        self._patience = patience or Patience()
        self._game_before: Game | None = None
        self._facts = Facts()
        self._fields = Fields()
        self._memory = table.Memory()
        self._look = _no_look(self._memory)
        self._asked: Asked | None = None
        self._inquiry: Asked | None = None
        """What a command leaves to ask: a printed value that nobody knows."""
        self._stepped: Asked | None = None
        self._step_of: object = None
        self._asks = 0
        self._enrolling: Enrolling | None = None
        self._shown: object = None
        self._lit_for: object = None
        self._up = False
        self._snapshot_due_s: float | None = None

    # What comes in

    def link(self, now: Now, *, up: bool) -> None:
        """Take note of a connection to the broker, or of its loss; a new one hears everything again."""
        self._up = up
        self._snapshot_due_s = now.s + SNAPSHOT_S if up else None
        if up:
            self._fields.forget_connection()
            self._speaker.forget_connection()
            self._shown = self._lit_for = None
            self._memory = table.unwatched(self._memory)
            self.speak()

    def message(self, topic: str, payload: bytes, now: Now, *, retained: bool) -> None:
        """Take a message of the bus; what can't be used is logged once, counted and dropped."""
        kind, name = self._topics.parse(topic) or ("", topic)
        try:
            if kind == "command":
                self.command(name, payload, now, retained=retained)
            elif kind in ("space", "node", "sim_field"):
                self._take(kind, name, payload, now)
                if retained and self._snapshot_due_s is not None:
                    self._snapshot_due_s = now.s + SNAPSHOT_S
                self.tick(now)
            else:
                raise MessageError("", "it is no topic of the bus")  # noqa: TRY301 - one place that drops
        except (MessageError, CommandError) as error:
            self._complain(topic, error)
            if kind == "space" and self._enrolling is not None:
                self._enrolling.garbled(f"{name}: {error}")
                self.speak()

    def tick(self, now: Now) -> None:
        """Do what time alone makes due, and say what is new."""
        if self._up and self._snapshot_due_s is not None and now.s >= self._snapshot_due_s:
            self._snapshot_due_s = None
            if self._virtual:
                self._fields.lay_missing(self._laid(self._fields.lying), self._speaker.lay)
        if self._judging:
            self._judge(now)
        self.speak()

    @property
    def wake_s(self) -> float | None:
        """When `tick` has something to do, on the monotonic clock; None: not before something comes in."""
        return self._look.wake_s if self._judging else self._snapshot_due_s

    @property
    def cards(self) -> Catalogue:
        """The printed values, the table's own among them."""
        return self._cards

    @property
    def look(self) -> table.Look:
        """What the last look at the table came to."""
        return self._look

    @property
    def asked(self) -> Asked | None:
        """The question that is open: what the pieces leave to say, else what people must still choose."""
        return self._asked or self._inquiry or self._step()

    def _step(self) -> Asked | None:
        """Return the question of `turn.pending`; worked out once for each position."""
        position = self.session.position
        if self._step_of is not position:
            step, self._step_of, self._stepped = step_question(position, self._cards), position, None
            if step is not None:
                name = f"step-{self.session.seq}"
                self._stepped = Asked(name, step.text, step.choices, step.kind, step.detail)
        return self._stepped

    @property
    def _judging(self) -> bool:
        """Whether all is heard that the broker retains, so that what is not there is known not to be.

        While tags are enrolled what is laid is no play.
        """
        return self._up and self._snapshot_due_s is None and self._enrolling is None

    def _take(self, kind: str, name: str, payload: bytes, now: Now) -> None:
        if kind == "node":
            self._facts.node(name, payload, now.s)
        elif kind == "sim_field":
            self._fields.take(name, payload)
        else:
            message = self._facts.space(name, payload, now.s)
            if message is not None:
                self._tags_heard(message)
            if self._enrolling is not None:
                self._enrolling.space(name, message)

    def _tags_heard(self, message: SpaceMessage) -> None:
        before = self._tags.registry
        self._tags.learn(message.texts)
        if any(self._tags.registry.component(tag) is None for tag in message.tags):
            self._tags.changed()  # Somebody may have imported tags since.
        if self._tags.registry is not before:
            self._relabelled(before)

    def _relabelled(self, before: Registry) -> None:
        """Take note that tags stand for something else now: a piece that was renamed has not been moved."""
        after = self._tags.registry
        renamed = (
            space
            for space, fact in self._facts.current.items()
            if before.content(fact.tags) != after.content(fact.tags)
            and not any(piece.kind == "unknown" for piece in before.content(fact.tags))
        )
        held: dict[str, table.Hold] = dict.fromkeys(renamed, "returned")
        self._memory = replace(self._memory, held={**self._memory.held, **held})

    # Judging pieces

    @property
    def _game(self) -> Game:
        """The game at hand; made anew only when position or tags are others, since each look asks for it."""
        position, registry, game = self.session.position, self._tags.registry, self._game_before
        known = game is not None and game.registry is registry and game.cards is self._cards
        if game is None or not known or game.position is not position:
            game = self._game_before = Game(position, self._cards, registry, self._patience)
        return game

    def _judge(self, now: Now) -> None:
        """Look until the table says nothing new: a look may accept the first of two quick actions."""
        moved = True
        while moved:
            answered = self._memory.answered
            self._look = table.reconcile(self._memory, self._facts.current, self._game, now.s)
            self._memory = self._look.memory
            moved = self._memory.answered != answered and self._act(self._look.decision, now)
        if self._memory.answered is None:
            self._asked = None

    def _act(self, decision: Decision, now: Now) -> bool:
        """Act on a decision that is new; tell whether the game moved on."""
        if isinstance(decision, Done):
            return self._corrected(decision, now) if decision.corrects else self._done(decision, now)
        if isinstance(decision, TakenBack):
            return self._taken_back(now, decision.steps)
        if isinstance(decision, Ask):
            self._asked = asked_again(decision, self._asked, self._name(now))
        elif isinstance(decision, Refused):
            self._refused(decision, now)
        return False

    def _take_back(self, now: Now, steps: int = 1) -> bool:
        """Take back the last action: its piece had not been put down there."""
        outcome = self.session.undo(steps, at_ms=now.ms)
        self._event(outcome, {"undo": steps}, self.session.position.turn.player, now)
        return outcome.changed

    def _taken_back(self, now: Now, steps: int = 1) -> bool:
        if not self._take_back(now, steps):
            return False
        self._moved_on(now, hold=None)
        return True

    def _corrected(self, done: Done, now: Now) -> bool:
        if not self._take_back(now):
            return False
        if not self._done(done, now):
            self._moved_on(now, hold=None)
        return True

    def _done(self, done: Done, now: Now) -> bool:
        action = done.action
        player = who_acts(self.session.position, action)
        outcome = self.session.do(action, at_ms=now.ms, verdict=done.verdict)
        if outcome.changed:
            self._moved_on(now, hold=None)
        elif outcome.verdict == "error":
            self._open(outcome.message, (Choice(AGAIN, "Try again", action),), now)
        self._event(outcome, public_do(action, accepted=outcome.changed), player, now)
        self.speak()  # Nobody waits for the next look.
        return outcome.changed

    def _refused(self, refused: Refused, now: Now) -> None:
        text = refusal_words(refused.verdict)
        name, game = self._name(now), self._game
        asked = asked_of(refused.verdict.missing, self._cards, refused.put_back, name=name)
        if asked is None:
            lying = beside(self._facts.current, game, frozenset(self._memory.held))
            asked = refusal_question(refused, lying, name)
        self._asked = asked
        message = f"{text} {_sentence(refused.remedy_text)}".rstrip()
        outcome = Outcome(refused.verdict.status, message, self.session.seq, refused.verdict.rules)
        player = who_acts(self.session.position, refused.action)
        self._event(outcome, public_do(refused.action, accepted=False), player, now)

    def _moved_on(self, now: Now, *, hold: table.Hold | None, token_waits: bool = False) -> None:
        """Take note that the position is another one now."""
        told, held = self._look.problems, self._memory.held
        self._memory = table.changed(
            self._memory, self._facts.current, self._game, now.s, hold=hold, token_waits=token_waits
        )
        self._asked = self._inquiry = None
        # Until the next look: what was wrong before and has nothing to do with what was done.
        told = tuple(problem for problem in told if not problem.blocking or problem.space in held)
        in_step = not any(problem.blocking for problem in told)
        self._look = replace(_no_look(self._memory), problems=told, in_step=in_step)

    # Commands

    def command(self, client: str, payload: bytes, now: Now, *, retained: bool = False) -> Outcome:
        """Carry out a command and reply.

        Args:
            client: who asks.
            payload: the command.
            now: when it came.
            retained: whether the broker had kept it: then it may be of any age (F-77).

        Raises:
            CommandError: it has no id, so there is nobody to reply to.
        """
        try:
            request = parse(payload)
        except CommandError as error:
            if error.id is None:
                raise
            return self._reply(client, error.id, Outcome("error", str(error), self.session.seq))
        by = Command(client, request.key, request.base, request.sent_ms)
        outcome = self.session.answered(by, now.ms)
        more = _NO_MORE
        if outcome is None and retained:
            outcome = self.session.note(by, "illegal", _KEPT, at_ms=now.ms)
        elif outcome is None and request.verb == "games":
            outcome, more = self._games(request.value, by, now)
        elif outcome is None and request.verb == "enrol":
            outcome = self._enrol(request.value, by, now)
        elif outcome is None:
            outcome = self._carry_out(request, by, now)
            if request.verb == "do" and outcome.ruling is not None:
                more = way_out(action_from(request.value, self._cards), outcome.ruling, self._game)
        if outcome.changed and self._judging:
            self._judge(now)
        return self._reply(client, request.id, outcome, more)

    def _carry_out(self, request: Request, by: Command, now: Now) -> Outcome:
        try:
            if request.verb == "do":
                return self._do(action_from(request.value, self._cards), by, now)
            if request.verb == "answer":
                return self._answer(request.value["ask"], request.value["choice"], by, now)
            if request.verb == "setup":
                return self._setup(request.value, by, now)
            if request.verb == "overrule":
                return self._overrule(action_from(request.value, self._cards), by, now)
            if request.verb == "value":
                return self._value(value_from(request.value, self._cards), by, now)
            return self._wind(request, by, now)
        except NotationError as error:
            where = f"{request.verb}.{error.key}" if error.key else request.verb
            return self.session.note(by, "error", f"{where}: {error.problem}", at_ms=now.ms)

    def _do(self, action: Action, by: Command, now: Now, *, by_pieces: bool = False) -> Outcome:
        before = self.session.position
        outcome = self.session.do(action, at_ms=now.ms, by=by)
        if outcome.changed:
            same_turn = self.session.position.turn.player == before.turn.player
            unplaced = getattr(action, "place", None) is None
            hold: table.Hold | None = None if by_pieces else "ahead"
            self._moved_on(now, hold=hold, token_waits=same_turn and unplaced and not by_pieces)
        elif outcome.ruling is not None and outcome.ruling.missing:
            missing = outcome.ruling.missing
            self._inquiry = asked_of(missing, self._cards, "", name=self._name(now), resumes=action)
        do = public_do(action, accepted=outcome.changed)
        self._event(outcome, do, who_acts(before, action), now)
        return outcome

    def _overrule(self, action: Action, by: Command, now: Now) -> Outcome:
        """Do what the rules refuse; what they allow is simply done."""
        verdict = check(self.session.position, action, self._cards)
        if verdict.status == "legal":
            return self._do(action, by, now)
        adjust = overruling(action, verdict, self._game)
        if adjust is None:
            return self.session.note(by, "illegal", _NOT_EVEN_SO, at_ms=now.ms)
        return self._do(adjust, by, now)

    def _value(self, value: Value, by: Command, now: Now) -> Outcome:
        """Note a printed value, and go on with what hung on it."""
        inquiry = self._inquiry
        try:
            self._pack.state(value)
        except PackNotSaved as error:
            return self.session.note(by, "error", str(error), at_ms=now.ms)
        self._cards, self._step_of = self._pack.cards, None
        self.session.use(self._cards, self._pack.stated)
        self._moved_on(now, hold=None, token_waits=True)
        said = Outcome("legal", stated_words(value), self.session.seq)
        self._event(said, {"value": value.data}, self.session.position.turn.player, now)
        if inquiry is not None and inquiry.resumes is not None and inquiry.asks_for(value):
            outcome = self._do(inquiry.resumes, by, now)
        else:
            outcome = self.session.note(by, "legal", said.message, at_ms=now.ms)
        if self._judging:
            self._judge(now)
        return outcome

    def _wind(self, request: Request, by: Command, now: Now) -> Outcome:
        wind = self.session.undo if request.verb == "undo" else self.session.redo
        outcome = wind(request.value, at_ms=now.ms, by=by)
        if outcome.changed:
            self._moved_on(now, hold="undone" if request.verb == "undo" else "ahead")
        self._event(outcome, {request.verb: request.value}, self.session.position.turn.player, now)
        return outcome

    def _setup(self, data: Mapping[str, Any], by: Command, now: Now) -> Outcome:
        position = position_from(data, self._cards)
        if excess := beyond_the_box(position, self._cards):
            text = f"setup: the position has more of these than the game: {words_of(excess)}"
            return self.session.note(by, "error", text, at_ms=now.ms)
        outcome = self.session.setup(position, at_ms=now.ms, by=by)
        self._another_game(outcome, {"setup": {}}, now)
        return outcome

    def _games(self, request: Mapping[str, Any], by: Command, now: Now) -> tuple[Outcome, Mapping[str, Any]]:
        outcome, more = self._shelf.ask(request, by, at_ms=now.ms)
        self._cards = self._pack.cards  # A saved game may have brought some.
        if outcome.changed:
            said = {key: value for key, value in request.items() if key != "file"}
            self._another_game(outcome, {"games": said}, now)
        return outcome, more

    def _enrol(self, request: Mapping[str, Any], by: Command, now: Now) -> Outcome:
        action, sitting = request.get("action"), self._enrolling
        if action not in ENROL_ACTIONS:
            text = f"enrol.action: one of {', '.join(ENROL_ACTIONS)}"
            return self.session.note(by, "error", text, at_ms=now.ms)
        if action == "start":
            self._tags.changed()
            self._enrolling = sitting = Enrolling(self._tags, self._facts.current)
            return self.session.note(by, "legal", sitting.sitting.asks, at_ms=now.ms)
        if sitting is None:
            return self.session.note(by, "illegal", "No tags are being enrolled: start it.", at_ms=now.ms)
        if action == "stop":
            self._enrolling = None
            # What was laid meanwhile is no play; it is listed, and ticked off as it is put right.
            self._memory = table.unwatched(self._memory)
            self.tick(now)
            return self.session.note(by, "legal", f"{sitting.sitting.left} are without a tag.", at_ms=now.ms)
        done = sitting.ask(request)
        text = f"{sitting.sitting.message} {sitting.sitting.asks}".strip()
        return self.session.note(by, "legal" if done else "illegal", text, at_ms=now.ms)

    def _another_game(self, outcome: Outcome, do: Mapping[str, Any], now: Now) -> None:
        """Turn the table to the game that is played now."""
        if outcome.changed:
            if self._virtual:
                self._fields.lay_anew(self._laid(), self._speaker.lay)
            self._moved_on(now, hold="laying" if self._virtual else "ahead")
        self._event(outcome, do, self.session.position.turn.player, now)

    def _answer(self, ask: str, choice_id: str, by: Command, now: Now) -> Outcome:
        if ask == WAITING and choice_id == CANCEL and self._look.placing is not None:
            self._memory = table.without_token(self._memory, self._facts.current, self._game)
            self._judge(now)
            return self.session.note(by, "legal", "The Vibe token is taken back.", at_ms=now.ms)
        open_now = (self._asked, self._inquiry, self._step())
        asked = next((it for it in open_now if it is not None and it.id == ask), None)
        if asked is None:
            return self.session.note(by, "error", "That question is no longer open.", at_ms=now.ms)
        chosen = next((choice for choice in asked.choices if choice.id == choice_id), None)
        if chosen is None:
            text = f"The question has no choice {choice_id!r}."
            return self.session.note(by, "error", text, at_ms=now.ms)
        if choice_id in asked.values:
            return self._value(asked.values[choice_id], by, now)
        if chosen.action is None:
            self._follow(asked, choice_id, now)
            return self.session.note(by, "legal", chosen.text, at_ms=now.ms)
        if chosen.corrects and not self._taken_back(now):
            return self.session.note(by, "error", "The last action can't be taken back.", at_ms=now.ms)
        return self._do(chosen.action, by, now, by_pieces=not asked.step)

    def _follow(self, asked: Asked, choice_id: str, now: Now) -> None:
        """Close a question that comes to nothing, or turn to the one that a choice leads to."""
        then = asked.opens.get(choice_id)
        after = None if then is None else replace(then, id=self._name(now))
        if asked is self._inquiry:
            self._inquiry = after
        else:
            self._asked = after

    # What goes out

    def _laid(self, lying: frozenset[str] = frozenset()) -> Mapping[str, tuple[str, ...]]:
        return lay_table(self.session.position, self._cards, self._tags.registry, lying=lying)

    def speak(self) -> None:
        """Say what is new."""
        look, asked = self._look, self.asked
        tags = self._tag_state()
        shown = (self.session.seq, look.in_step, look.problems, look.placing, asked, tags)
        if shown != self._shown:
            ask = {} if asked is None else asked.message()
            self._speaker.retain(messages.state(self.session, look) | tags, ask)
            self._shown = shown
        self._light()
        self._speaker.speak()
        self.session.keep_position()

    def _light(self) -> None:
        """Light the spaces where something is to be put right."""
        lit = (self._look.problems, self._facts.nodes)
        if self._judging and lit != self._lit_for:
            self._lit_for = lit
            self._speaker.light(lights(lit[0]), lit[1])

    def _tag_state(self) -> dict[str, Any]:
        """Return what `game/state` says of tags, and of how the games were taken up."""
        data: dict[str, Any] = {} if self._enrolling is None else {"enrol": self._enrolling.state()}
        if self._tags.remarks:
            data["tags"] = list(self._tags.remarks)
        if self.session.notices:
            data["notices"] = list(self.session.notices)
        return data

    def _event(self, outcome: Outcome, do: Mapping[str, Any], player: str, now: Now) -> None:
        if not outcome.again:
            self._speaker.event(messages.event(outcome, do, player=player, at_ms=now.ms))

    def _reply(
        self, client: str, command_id: str | int, outcome: Outcome, more: Mapping[str, Any] = _NO_MORE
    ) -> Outcome:
        self._speaker.reply(client, command_id, outcome, more)
        self.speak()
        return outcome

    def _open(self, text: str, choices: tuple[Choice, ...], now: Now) -> None:
        self._asked = Asked(self._name(now), text, choices)

    def _name(self, now: Now) -> str:
        """Return the id of a new question."""
        self._asks += 1
        # With the time: an answer meant for a question of before a restart must not fit one of now.
        return f"{now.ms:x}-{self._asks}"

    def _complain(self, topic: str, error: Exception) -> None:
        self.bad_payloads += 1
        if topic not in self._complained and len(self._complained) < MOST_COMPLAINTS:
            self._complained.add(topic)
            _LOG.warning("%s: dropped: %s", topic, error)


def _no_look(memory: table.Memory) -> table.Look:
    return table.Look(memory, Nothing(), (), in_step=True, placing=None, wake_s=None)


def _sentence(text: str) -> str:
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."
