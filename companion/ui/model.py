"""What the screens know: the last state, the question open, what was said last, the history. Free of Kivy.

One `Table` takes every message of the link in turn and answers with views; nothing in it is drawn.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from companion.rules.board import SLOTS
from companion.rules.frame import SETUP
from companion.rules.verdict import Cost
from companion.rules.words import cost_words, person, slot_words, space_words, title
from companion.ui import texts
from companion.ui.pieces import Box, Fields
from companion.ui.views import State, acting_player

Tone = Literal["accepted", "question", "refused", "quiet"]

HISTORY_KEPT: Final = 300
"""Lines of the history that are kept: more than a game has actions."""

WAYS_SHOWN: Final = 3
"""At most that many ways on after a refusal (visual language)."""

CHOICES_SHOWN: Final = 4
"""At most that many meanings in one question (journey J4)."""


@dataclass(frozen=True, slots=True)
class Send:
    """A command to send."""

    command: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PutBack:
    """Everything to be put where the game has it: done on a virtual table, shown on a real one."""

    command: Mapping[str, Any] | None = None
    """To send first: the answer that the question waits for."""


@dataclass(frozen=True, slots=True)
class OpenDiffers:
    """The list of misplaced pieces to open."""


@dataclass(frozen=True, slots=True)
class AskAbout:
    """What could be done with something, to be listed."""

    target: str
    """As `UiLink.options` takes it."""
    action: str = ""
    """The only action that is asked about; empty for all."""


Intent = Send | PutBack | OpenDiffers | AskAbout


@dataclass(frozen=True, slots=True)
class Way:
    """A way on, as a button."""

    text: str
    detail: str
    intent: Intent
    tone: Tone = "question"


@dataclass(frozen=True, slots=True)
class Say:
    """What the band says."""

    tone: Tone
    text: str
    detail: str = ""
    rule: str = ""
    ways: tuple[Way, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the history."""

    seq: int
    text: str
    cost: str
    verdict: str
    rule: str = ""
    undone: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """A piece that lies where it doesn't belong, or is not where it does."""

    space: str
    text: str
    also: tuple[str, ...] = ()
    """Other spaces of which the very same is to be said."""


@dataclass(slots=True)
class Table:
    """Everything that the screens know."""

    state: State = field(default_factory=dict)
    ask: Mapping[str, Any] = field(default_factory=dict)
    event: Mapping[str, Any] | None = None
    """The last event that still stands in the band."""
    refused: list[Line] = field(default_factory=list)
    """What was tried and refused since the app started."""
    linked: bool = True
    virtual: bool = False
    """Whether pieces can be put right by touch."""

    def take(self, kind: str, payload: Mapping[str, Any]) -> None:
        """Take one message of the link; unknown kinds are ignored, as the contracts say."""
        taker = {
            "game/state": self._take_state,
            "game/event": self._take_event,
            "game/ask": self._take_ask,
            "reply": self._take_reply,
            "link": self._take_link,
        }.get(kind)
        if taker is not None:
            taker(payload)

    def _take_state(self, payload: Mapping[str, Any]) -> None:
        was_wrong = bool(self.state) and not self.state.get("table_ok", True)
        self.state = payload
        event = self.event
        if event is None or event.get("verdict") == "legal":
            return
        put_right = was_wrong and payload.get("table_ok", True)
        if put_right or int(payload.get("seq", 0)) > int(event.get("seq", 0)):
            self.event = None

    def _take_event(self, payload: Mapping[str, Any]) -> None:
        self.event = payload
        verdict = str(payload.get("verdict", ""))
        if verdict != "legal":
            rule = next(iter(payload.get("rules", ())), "")
            text = str(payload.get("message", "")).partition(". ")[0]
            self.refused.append(Line(int(payload.get("seq", 0)), text, "", verdict, rule))
            del self.refused[:-HISTORY_KEPT]

    def _take_ask(self, payload: Mapping[str, Any]) -> None:
        self.ask = payload if payload.get("choices") or payload.get("step") else {}

    def _take_reply(self, payload: Mapping[str, Any]) -> None:
        # What was judged comes as an event too; only so comes what could not be (stale, no longer open).
        if payload.get("verdict") == "error" and payload.get("message"):
            self.event = {**payload, "do": {}}

    def _take_link(self, payload: Mapping[str, Any]) -> None:
        self.linked = bool(payload.get("up", True))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What the table has otherwise than the game, with the mend of each; the same is said once."""
        spaces: dict[str, list[str]] = {}
        for problem in self.state.get("problems", ()):
            spaces.setdefault(str(problem.get("mend", "")), []).append(str(problem.get("space", "")))
        return tuple(Problem(first, mend, tuple(also)) for mend, (first, *also) in spaces.items())

    def say(self) -> Say:
        """Return what the band says now: why not, the question, what is misplaced, what was done."""
        if not self.state:
            return Say("quiet", texts.WAITING)
        said = self._said()
        if not self.linked and said.tone == "quiet":
            return replace(said, text=texts.NOT_LINKED)
        return said

    @property
    def history(self) -> tuple[Line, ...]:
        """What happened, oldest first: the steps that the state names, and between them what was refused."""
        steps = [
            Line(
                int(step.get("seq", 0)),
                str(step.get("message", "")),
                cost_of(step),
                "legal",
                undone=bool(step.get("undone", False)),
            )
            for step in self.state.get("history", ())
        ]
        first = steps[0].seq if steps else 0
        refused = [line for line in self.refused if line.seq >= first]
        return tuple(sorted([*steps, *refused], key=lambda line: (line.seq, line.verdict != "legal")))

    @property
    def can_undo(self) -> bool:
        """Whether a step can be taken back."""
        return bool(self.state.get("undo", False))

    @property
    def can_redo(self) -> bool:
        """Whether a step that was taken back can be done again."""
        return bool(self.state.get("redo", False))

    def _said(self) -> Say:
        event, step = self.event, str(self.ask.get("step", ""))
        if self.ask.get("detail") and not step:
            # A question that follows from a refusal: it says itself what it is about.
            told = str(self.ask.get("detail", ""))
            return Say("question", str(self.ask.get("text", "")), told, ways=self._choices(CHOICES_SHOWN))
        if event is not None and event.get("verdict") not in ("legal", None):
            return self._refused(event)
        if self.ask and not step:
            return Say("question", str(self.ask.get("text", "")), ways=self._choices(CHOICES_SHOWN))
        if self.problems and not (step and self.in_step):
            return self._misplaced()
        if step and not (step == "power" and self.state.get("waiting")):
            return self._open_step(step)
        waiting = self.state.get("waiting")
        if waiting:
            back = Send({"answer": {"ask": "waiting", "choice": "cancel"}})
            head, rest = halves(str(waiting.get("text", "")))
            return Say("question", head, _sentence(rest), ways=(Way(texts.TAKE_BACK, "", back),))
        if event is not None:
            return self._accepted(event)
        return Say("quiet", texts.READY, self._secret(), ways=self._end_of_turn())

    def _secret(self) -> str:
        """Say which team may pick its next Hidden Aspiration, which nobody is asked for (R-REV-17)."""
        for step in self.state.get("turn", {}).get("pending", ()):
            if step.get("action") == "keep-hidden":
                return texts.picks_in_secret(title(str(step.get("team", ""))))
        return ""

    def _open_step(self, step: str) -> Say:
        """Say what people must still place, show or choose."""
        choices = self._choices(CHOICES_SHOWN)
        if step in SETUP or len(self.ask.get("choices", ())) > CHOICES_SHOWN:
            choices = ()
            if self.ask.get("choices"):
                words = texts.BY_TOUCH if step in SETUP else texts.CHOOSE
                choices = (Way(words, "", AskAbout("step")), *self._declining())
        if self.can_undo and len(choices) < CHOICES_SHOWN:
            choices += (Way(texts.UNDO, "", Send({"undo": 1}), "quiet"),)
        return Say("question", str(self.ask.get("text", "")), str(self.ask.get("detail", "")), ways=choices)

    def _declining(self) -> tuple[Way, ...]:
        """Return the choice to leave a power unused, where there is one."""
        return tuple(
            Way(
                str(c.get("text", "")),
                "",
                Send({"answer": {"ask": self.ask.get("id"), "choice": c.get("id")}}),
            )
            for c in self.ask.get("choices", ())
            if (c.get("do") or {}).get("decline")
        )

    def _end_of_turn(self) -> tuple[Way, ...]:
        player = acting_player(self.state)
        over = bool(self.state.get("result", {}).get("ended", False))
        return (
            (Way(texts.END_TURN, "", AskAbout(f"player/{player}", "end-turn"), "quiet"),)
            if player and not over
            else ()
        )

    def _accepted(self, event: Mapping[str, Any]) -> Say:
        ways: tuple[Way, ...] = ()
        if "undo" in event.get("do", {}) and self.can_redo:
            ways = (Way(texts.REDO, "", Send({"redo": 1}), "accepted"),)
        elif self.can_undo:
            ways = (Way(texts.UNDO, "", Send({"undo": 1}), "accepted"),)
        detail = cost_of(event) or self._secret()
        return Say("accepted", str(event.get("message", "")), detail, ways=ways + self._end_of_turn())

    def _misplaced(self) -> Say:
        more = len(self.problems) - 1
        detail = texts.and_more(more) if more else self.differs_note
        ways: tuple[Way, ...] = (Way(texts.SHOW_WHERE, "", OpenDiffers()),)
        if self.virtual:
            ways = (Way(texts.PUT_ALL, "", PutBack(), "accepted"), *ways)
        if self.in_step and self.event is not None:
            # The game goes on beside a small thing like a token left on a pad: what was done stays in sight.
            detail = str(self.event.get("message", "")) or detail
            ways += self._accepted(self.event).ways[:1] if self.can_undo or self.can_redo else ()
        return Say("question", self.problems[0].text, detail, ways=ways)

    @property
    def in_step(self) -> bool:
        """Whether the game goes on, though there may be something to tidy up."""
        return bool(self.state.get("table_ok", True))

    @property
    def differs_note(self) -> str:
        """What the pieces in the wrong place mean for the game."""
        return texts.TIDY_NOTE if self.in_step else texts.DIFFERS_NOTE

    def _refused(self, event: Mapping[str, Any]) -> Say:
        tone: Tone = "refused" if event.get("verdict") == "illegal" else "question"
        head, detail = halves(str(event.get("message", "")))
        ways = self._choices(WAYS_SHOWN)
        if ways:
            # The buttons say it better.
            detail = texts.NOTHING_SPENT
        elif self.problems:
            where = halves(self.problems[0].text)
            ways = (Way(where[0], where[1], PutBack()),)
        rule = next(iter(event.get("rules", ())), "")
        return Say(tone, head, detail or texts.NOTHING_SPENT, rule, tuple(ways))

    def _choices(self, most: int) -> tuple[Way, ...]:
        """Return the choices of the open question; the one that puts things back always stays."""
        choices = list(self.ask.get("choices", ()))
        acting = [choice for choice in choices if choice.get("do") or choice.get("value")]
        leading = [choice for choice in choices if choice.get("opens")]
        others = [choice for choice in choices if choice not in acting and choice not in leading]
        last = [*others[:1], *leading[:1]]
        kept = [*acting[: most - len(last)], *last]
        spoken = [halves(str(choice.get("text", ""))) for choice in kept]
        ways = []
        for choice, (text, rest) in zip(kept, spoken, strict=True):
            answer = {"answer": {"ask": self.ask.get("id"), "choice": choice.get("id")}}
            detail, cost = texts.COSTS_NOTHING if rest == "nothing" else rest, cost_of(choice)
            if cost and cost.split(",")[0] not in detail:
                detail = f"{detail} · {cost}" if detail else cost
            back = choice in others
            intent = PutBack(answer) if back else Send(answer)
            ways.append(Way(text, detail, intent, "question" if back else "accepted"))
        return tuple(ways)

    def marks(self) -> dict[str, str]:
        """Return what the board points out: tone by bus space (slots and Spirit spaces share names)."""
        marks: dict[str, str] = {}
        event = self.event
        if event is not None:
            place = place_of(event.get("do", {}))
            if place:
                marks[place] = "accepted" if event.get("verdict") == "legal" else "refused"
        # Where a figure may start is said in words: ten marks would point out nothing.
        choices = () if self.ask.get("step") in SETUP else self.ask.get("choices", ())
        for choice in choices:
            place = place_of(choice.get("do") or {})
            if place:
                marks.setdefault(place, "question")
        for problem in self.problems:
            for space in (problem.space, *problem.also):
                marks.setdefault(space, "refused")
        return marks


def place_of(do: Mapping[str, Any]) -> str:
    """Return the bus space that an action is about, empty if it is about none."""
    if do.get("slot"):
        return f"slot/{do['slot']}"
    space = do.get("to") or do.get("realm")
    return f"spirit/{space}" if space else ""


def cost_of(payload: Mapping[str, Any]) -> str:
    """Return the cost in an event or a choice as words, empty where nothing is spent."""
    cost = payload.get("cost") or {}
    known = {key: int(cost.get(key, 0)) for key in ("willpower", "essence", "ambition")}
    return cost_words(Cost(**known)) if any(known.values()) else ""


def halves(message: str) -> tuple[str, str]:
    """Cut a message at its first full stop or dash into what is said large and what stands below."""
    for mark in (". ", ": ", " · ", " — "):
        head, found, rest = message.partition(mark)
        if found:
            return head, rest
    return message.removesuffix("."), ""


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def place_words(space: str, players: Sequence[str] = ()) -> str:
    """Name a bus space for people: "left Valley slot", "Otto's pad".

    Args:
        space: as on the bus.
        players: their names, in player order: seat 1 is the first one's.
    """
    kind, _, name = space.partition("/")
    seat, _, rest = name.partition("/")
    if kind in ("pad", "vibe") and seat.isdecimal() and 1 <= int(seat) <= len(players):
        return texts.of_seat(person(players[int(seat) - 1]), title(rest.partition("/")[0]))
    if kind == "slot" and name in SLOTS:
        return slot_words(name)
    if kind == "spirit":
        return space_words(name)
    return title(name.replace("/", "-")) if name else space


def right_fields(
    state: State, box: Box, fields: Fields, space: str, at_hand: Sequence[str]
) -> tuple[str, ...]:
    """Return the UIDs that belong in the field of a bus space, as far as they can be had.

    Args:
        state: the public state.
        box: the pieces of the virtual table.
        fields: what lies where.
        space: `slot/valley.1` or `spirit/valley`; any other should be empty.
        at_hand: UIDs that may be taken: those in somebody's hand.
    """
    kind, _, name = space.partition("/")
    if kind == "slot":
        wanted = [state.get("slots", {}).get(name, {}).get("emotion")]
    elif kind == "spirit":
        wanted = [p.get("spirit") for p in state.get("players", {}).values() if p.get("at") == name]
    else:
        wanted = []
    there = fields.get(space, ())
    found: list[str] = []
    for title_ in wanted:
        having = [uid for uid in (*there, *at_hand) if uid not in found and box.kind(uid) == title_]
        found.extend(having[:1])
    return tuple(found)
