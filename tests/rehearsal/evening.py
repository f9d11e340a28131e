"""A whole game played by careless people through their pieces, and the truth beside what was made of it."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from companion.rules.actions import Action, EndTurn, PlaceWild, SetupStep
from companion.rules.cards import Catalogue
from companion.rules.engine import check
from companion.rules.position import Mode, Position
from companion.scenario.notation import action_from, action_to
from companion.scenario.random_play import POINTS_SHARES, chosen, opening, scored
from companion.table.layout import layout_of
from companion.table.meanings import MOST_CHOICES
from companion.table.patience import Patience
from companion.table.pieces import Piece
from companion.table.registry import Registry
from firmware_bridge.contract.table_file import Profile
from tests.rehearsal.air import Weather, spaces_of
from tests.rehearsal.hands import Habits, Hands, Touch
from tests.rehearsal.meant import Meant, alike, is_plain, meant, outside
from tests.rehearsal.pieces import Carry
from tests.rehearsal.table import Table
from tests.rehearsal.tally import Tally

MOST_ACTIONS: Final = 1500

REACTION_S: Final = 0.6
"""From the verdict to the hand on the piece that it was about, at the quickest."""

PATIENCE_S: Final = 12.0
"""How long people wait for the table before they say by touch what they meant."""


@dataclass(frozen=True, slots=True)
class Faults:
    """What breaks, as shares of actions."""

    broker: float = 0.008
    bridge: float = 0.008
    app: float = 0.008
    cable: float = 0.008
    stall: float = 0.02


NO_FAULTS: Final = Faults(0, 0, 0, 0, 0)


class Evening:
    """One game.

    Args:
        seed: decides everything.
        folder: for the journal.
        cards: the printed values.
        registry: the stickers.
        profile: what is instrumented.
        players: 2 to 4.
        mode: full or basic.
    """

    def __init__(
        self,
        seed: str,
        folder: Path,
        cards: Catalogue,
        registry: Registry,
        *,
        profile: Profile = "virtual",
        players: int = 4,
        mode: Mode = "full",
        habits: Habits | None = None,
        weather: Weather | None = None,
        faults: Faults | None = None,
        polls_all: bool = False,
        patience: Patience | None = None,
    ) -> None:
        self.seed, self.cards = seed, cards
        self.dice = random.Random(seed)  # noqa: S311 - games, not secrets
        start = opening(players, mode, self.dice, cards)
        self.spaces = spaces_of(profile, players)
        self._pads = any(space.startswith("pad/") for space in self.spaces)
        self.hands = Hands(habits or Habits(), self.dice)
        self._faults = faults or Faults()
        self._share = self.dice.choice(POINTS_SHARES)
        self._asked_turn = 0
        self.tally = Tally(games=1)
        self.rule_ids: frozenset[str] | None = None
        """The rules that there are; None: not looked up."""
        self._queue: list[Meant] = []
        self._expecting_refusal = False
        self._events: list[dict[str, Any]] = []
        self._taken: list[Meant] = []
        """Accepted as meant, the last one last."""
        self._guesses: list[str] = []
        """Accepted and not meant, so far."""
        self._last: Meant | None = None
        self._verdict_s = self._mixed_until_s = 0.0
        self._people_undo = self._showing = False
        self._begun_s = self._answered_s = 0.0
        self._skipped = self._asked_text = ""
        self._on_pad: list[tuple[str, str]] = []
        self.table = Table(
            folder,
            start,
            cards,
            registry,
            spaces=self.spaces,
            weather=weather or Weather(),
            dice=self.dice,
            on_event=self._event,
            polls_all=polls_all,
            patience=patience,
        )
        self.table.pieces.lay(layout_of(start, cards))
        self.table.start()

    # Playing

    @property
    def position(self) -> Position:
        """The game as the session has it."""
        return self.table.session.position

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        result = self.position.result
        return result is not None and result.ended

    def play(
        self,
        most: int = MOST_ACTIONS,
        *,
        offences: float = 0.0,
        offend: Callable[["Evening"], object] = lambda _evening: None,
    ) -> Tally:
        """Play to the end.

        Args:
            most: the actions after which the game is stopped.
            offences: how often, as a share of steps, somebody does something that is not allowed.
            offend: does it.
        """
        try:
            while not self.over and self.tally.actions < most and len(self.tally.faults) < 20:
                self.step()
                if self.hands.chance(offences) and not self.over:
                    offend(self)
        finally:
            self.tally.work_ms += self.table.work_ms
            self.table.close()
        return self.tally

    def step(self) -> None:
        """Do the next thing, or two in a row."""
        first = self._choose(self.position)
        batch = [first]
        forgotten = (
            isinstance(first.action, EndTurn)
            and not self.position.turn.actions_left
            and self.hands.chance(self.hands.habits.forgets)
        )
        if forgotten or (self._by_pieces(first) and self.hands.chance(self.hands.habits.hurries)):
            second = self._choose(first.after) if first.after.result is None else None
            if second is not None and self._by_pieces(second) and not self._same_pieces(first, second):
                batch.append(second)
        self.perform(batch)

    def _choose(self, position: Position) -> Meant:
        found = chosen(position, self.cards, self.dice)
        if found is None:
            raise RuntimeError("nothing is legal")
        action = found[0]
        if isinstance(action, EndTurn) and self._asked_turn < position.turn.number:
            self._asked_turn = position.turn.number
            points = scored(position, self.cards, self.dice, self._share)
            action = action if points is None else points[0]
        return meant(position, action, self.cards)

    def _by_pieces(self, it: Meant) -> bool:
        """Tell whether readers see anything of an action, and people can show all that it needs."""
        if isinstance(it.action, EndTurn):
            return False
        # A token alone tells nothing of what it is for: people say so by touch, and lay it.
        tokens = isinstance(it.action, PlaceWild)
        spaces = [space for space in self.spaces if tokens or not space.startswith("vibe/")]
        layouts = layout_of(it.before, self.cards), layout_of(it.after, self.cards)
        if outside(layouts[0], spaces) == outside(layouts[1], spaces):
            return False
        # A card given for a token is shown on a pad, or said by touch.
        return it.place is None or self._pads

    def _same_pieces(self, first: Meant, second: Meant) -> bool:
        """Tell whether two actions share a piece or a space: nobody can tell that from one movement."""
        if isinstance(first.action, SetupStep) and not isinstance(second.action, SetupStep):
            return True
        return not _touched(first, self.cards).isdisjoint(_touched(second, self.cards))

    @property
    def asks(self) -> bool:
        """Whether a question about pieces is open."""
        return self._open_question()

    def expect_refusal(self, *, over: bool = False) -> list[dict[str, Any]]:
        """Let what comes now be refused without counting as an accusation; returns where it is noted."""
        self._expecting_refusal = not over
        self._events = []
        return self._events

    def perform(self, batch: Sequence[Meant]) -> None:
        """Do some actions and see to it that the game comes to where they lead."""
        self.tally.actions += len(batch)
        self._maybe_break()
        first = batch[0]
        forgotten = isinstance(first.action, EndTurn) and len(batch) == 2
        if self._last is not None and self._same_pieces(self._last, first):
            # People look up, see the answer and reach for the piece again.
            self.table.advance(max(0.0, self._verdict_s + REACTION_S - self.table.now_s))
        self._last = batch[-1]
        if forgotten:
            self.tally.forgotten += 1
        elif not self._by_pieces(first) or self.hands.chance(self.hands.habits.taps_first):
            self._say(first)
            batch = batch[1:]
        if batch:
            self._show(batch)
        self._tidy()

    def _say(self, it: Meant) -> None:
        """Say an action by touch; what it moves is moved after it."""
        self.tally.by_touch += 1
        self._hush()
        self._command(it)

    def _command(self, it: Meant, rest: Sequence[Meant] = ()) -> None:
        self._queue = [it, *rest]
        reply = self.table.command(do=action_to(it.action))
        if reply["verdict"] != "legal":
            self.tally.dead.append(self._line(it, f"a command is refused: {reply['message']}"))
            self._queue = []
        elif it in self._queue:
            self._queue.remove(it)

    def _hush(self) -> None:
        """Wait until all hands are still."""
        self.table.advance_until(lambda: not self.table.moving, 120.0)

    # By pieces

    def _show(self, batch: Sequence[Meant]) -> None:
        self._queue, self._begun_s, self._skipped = list(batch), self.table.now_s, ""
        self._taken, self._showing = [], True
        end_s = self.table.now_s + self.hands.between(0.0, 0.5)
        busy: set[str] = set()
        for it in batch:
            if isinstance(it.action, EndTurn):
                continue
            end_s = self._script(it, end_s, busy)
        self._maybe_distract(busy, self._begun_s, end_s)
        self._watch_hands(end_s)
        while self._queue:
            self._await_verdict()
        self._showing = False

    def _watch_hands(self, end_s: float) -> None:
        """Let hands finish; a question meanwhile need not be meant for long."""
        table = self.table
        while table.moving or table.now_s < end_s:
            open_now = self._open_question()
            table.advance_until(lambda was=open_now: self._open_question() != was, 0.5)  # type: ignore[misc]
            self.tally.passing += open_now and not self._open_question()

    def _await_verdict(self) -> None:
        """Wait until the first of what is meant is accepted, answer what is asked, or say it by touch."""
        table, left = self.table, len(self._queue)
        until_s = max(table.last_touch_s, table.last_fault_s, self._answered_s) + PATIENCE_S

        def news() -> bool:
            return len(self._queue) < left or (self._open_question() and table.ask["id"] != self._skipped)

        table.advance_until(news, max(until_s - table.now_s, 0.0))
        if len(self._queue) < left:
            return
        if news():
            self._read_question(self._queue[0])
        elif not table.whole:
            table.advance_until(lambda: table.whole, 60.0)
        elif (
            table.now_s >= max(table.last_fault_s, self._answered_s) + PATIENCE_S
            and not self._look_at_guesses()
        ):
            self._give_up(self._queue[0], watched=self._watched)

    @property
    def _watched(self) -> bool:
        return self.table.last_fault_s < self._begun_s and self.table.whole

    def _read_question(self, it: Meant) -> None:
        """Read a question, which may go away by itself, and answer it."""
        table = self.table
        taken = len(self._taken)
        question_s, ask_id = table.now_s - table.last_touch_s, table.ask["id"]
        table.advance_until(lambda: it not in self._queue, self.hands.between(0.6, 3.0))
        if not self._open_question() or table.ask["id"] != ask_id or it not in self._queue:
            self.tally.passing += 1
        elif self._answer(it):
            self._answered_s = table.now_s
            it = next(iter(self._taken[taken:]), it)
            self._count_question(it, question_s, watched=self._watched)
        else:
            self._skipped = ask_id

    def _open_question(self) -> bool:
        asked = self.table.ask if self.table.app_up else {}
        return bool(asked) and "step" not in asked

    def _count_question(self, it: Meant, question_s: float, *, watched: bool) -> None:
        if not watched:
            self.tally.asked_unwatched += 1
            return
        self.tally.asked += 1
        self.tally.kinds[type(it.action).__name__] += 1
        self.tally.question_s.append(max(question_s, 0.0))
        if not isinstance(it.action, EndTurn) and is_plain(it, self.spaces, self.cards):
            self.tally.tapped.append(self._line(it, f"asked: {self._asked_text}"))

    def _answer(self, it: Meant) -> bool:
        """Answer the open question as somebody who knows what was meant; False if that is no choice."""
        asked = self.table.ask
        self._asked_text = f"{asked['text']} {[choice['text'] for choice in asked['choices']]}"
        swapped = self._swapped() if len(self._queue) == 2 else None
        for choice in asked["choices"]:
            action = action_from(choice["do"], self.cards) if choice["do"] else None
            if action is None:
                continue
            if self._is_it(action, it) or (swapped is not None and self._is_it(action, swapped[0])):
                self._showing = False
                self.tally.by_pieces += 1
                reply = self.table.command(answer={"ask": asked["id"], "choice": choice["id"]})
                if reply["verdict"] != "legal":
                    self.tally.dead.append(self._line(it, f"an answer is refused: {reply['message']}"))
                self._showing = True
                return True
        return False

    def _is_it(self, action: Action, it: Meant) -> bool:
        return check(it.before, action, self.cards).after == it.after

    def _give_up(self, it: Meant, *, watched: bool) -> None:
        """Say by touch what the table did not find out."""
        what = f"asked: {self._asked_text_now()}; problems: {[p['mend'] for p in self.table.problems]}"
        if self._open_question() and sum(1 for _ in alike(it, self.spaces, self.cards)) >= MOST_CHOICES:
            self.tally.crowded += 1
        elif self._open_question() and watched:
            self.tally.unclear.append(self._line(it, what))
        elif not self.table.problems and not self.table.ask:
            self.tally.lost.append(self._line(it, f"watched {watched}; {what}"))
        elif watched and is_plain(it, self.spaces, self.cards):
            self.tally.tapped.append(self._line(it, what))
        else:
            self.tally.said += 1
            self.tally.kinds[f"said {type(it.action).__name__}{'' if watched else ', unwatched'}"] += 1
        self._showing = False
        self._command(it, self._queue[1:])
        self._showing = True
        self.tally.by_pieces += 1

    def _asked_text_now(self) -> str:
        asked = self.table.ask
        return f"{asked['text']} {[choice['text'] for choice in asked['choices']]}" if asked else "nothing"

    def _script(self, it: Meant, start_s: float, busy: set[str]) -> float:
        """Plan the hands' movements of an action; returns when it is done."""
        touches: list[Touch] = []
        now_s = start_s
        seat = list(it.before.players).index(it.player) + 1
        pad = f"pad/{seat}"
        if self._pads and (it.reveal or it.place):
            now_s = self._clear_pads(now_s)
            card = it.reveal or (it.place.discard if it.place else "")
            now_s = self._lay_on_pad(Piece("emotion", card, self.cards.cards[card].team), pad, now_s, touches)
            if it.place is not None:
                boards = any(space.startswith("vibe/") for space in self.spaces)
                vibe = self.cards.cards[it.place.discard].vibe or ""
                if not boards:
                    now_s = self._lay_on_pad(Piece("vibe", vibe), pad, now_s, touches)
                if it.reveal is not None and it.place.discard != it.reveal:
                    shown = Piece("emotion", it.reveal, self.cards.cards[it.reveal].team)
                    now_s = self._lay_on_pad(shown, pad, now_s, touches)
        carries = self.table.pieces.carries(layout_of(it.after, self.cards))
        touches += self.hands.carry(carries, now_s)
        busy |= {touch.space for touch in touches}
        return self.table.touch(touches) + self.hands.between(0.05, 0.4)

    def _lay_on_pad(self, piece: Piece, pad: str, now_s: float, touches: list[Touch]) -> float:
        carry = self.table.pieces.shown(piece, pad)
        touches += self.hands.carry([carry], now_s)
        self._on_pad.append((pad, carry.uid))
        return max(touch.at_s for touch in touches) + self.hands.between(0.3, 1.2)

    def _clear_pads(self, now_s: float) -> float:
        """Take everything off the pads; the same card again is seen only after a pause."""
        if not self._on_pad:
            return now_s
        on_pad, self._on_pad = self._on_pad, []
        for pad, uid in on_pad:
            self.table.pieces.plan(Carry(uid, pad, None))
            now_s = self.table.touch([Touch(now_s, False, pad, uid)]) + self.hands.between(0.1, 0.4)
        return now_s + 1.0

    def _maybe_distract(self, busy: set[str], start_s: float, end_s: float) -> None:
        """Let somebody else lift something that has nothing to do with it."""
        if not self.hands.chance(self.hands.habits.distracts):
            return
        free = [
            (space, uids[0])
            for space, uids in self.table.pieces.fields.items()
            if uids and space not in busy and space.startswith(("slot/", "spirit/", "vibe/"))
            and self.table.pieces.lying(space) == uids
        ]  # fmt: skip
        if not free:
            return
        at_s = self.hands.between(start_s, end_s)
        if len(free) > 1 and self.hands.chance(0.15):
            (here, one), (there, two) = self.dice.sample(free, 2)
            if here.startswith("slot/") and there.startswith("slot/"):
                self._mixed_until_s = at_s + 12.0
                self.table.touch(self.hands.mix_up([(one, here), (two, there)], at_s))
                return
        space, uid = self.dice.choice(free)
        back = self.table.pieces.other_copy(uid) if self.hands.chance(0.1) else uid
        if back != uid:
            planned = tuple(sorted(back if u == uid else u for u in self.table.pieces.lying(space)))
            self.table.pieces._planned[space] = planned
        self.table.touch(self.hands.read(uid, space, back, at_s))

    def _maybe_break(self) -> None:
        now_s, faults, chance, between = (
            self.table.now_s,
            self._faults,
            self.hands.chance,
            self.hands.between,
        )
        at_s = now_s + between(0.0, 4.0)
        table = self.table
        if chance(faults.stall):
            table.at(at_s, lambda: table.stall(between(0.3, 2.0)))
        if chance(faults.broker):
            keeps, app_s, bridge_s = chance(0.5), between(0.3, 3.0), between(0.3, 3.0)
            table.at(at_s, lambda: table.restart_broker(keeps=keeps, app_s=app_s, bridge_s=bridge_s))
        if chance(faults.bridge):
            seconds = between(0.5, 4.0)
            table.at(at_s, lambda: table.restart_bridge(seconds))
        if chance(faults.app):
            seconds = between(0.5, 3.0)
            table.at(at_s, lambda: table.restart_app(seconds))
        if chance(faults.cable):
            node, seconds = self.dice.choice(table.node_names), between(0.5, 10.0)
            table.at(at_s, lambda: table.pull_cable(node, seconds))

    # Afterwards

    def _tidy(self) -> None:
        """Take pads clear, lay what the game moved by itself, and look whether the table is content."""
        self._hush()
        if self._guesses:
            # The table may see by itself that a piece had not been put down there.
            self.table.advance(3.0)
        self._look_at_guesses()
        if self.hands.chance(0.8) or not self.hands.habits.hurries:
            self._clear_pads(self.table.now_s + self.hands.between(0.0, 1.0))
        if not self.table.right:
            self._clear_pads(self.table.now_s)
            carries = self.table.pieces.carries(layout_of(self.position, self.cards))
            self.table.touch(self.hands.carry(carries, self.table.now_s + self.hands.between(0.3, 2.0)))
            self._hush()
        if not self.hands.chance(self.hands.habits.hurries):
            self.table.advance(self.hands.between(0.5, 3.0))
        if not self.table.in_step or self._open_question():
            content = self.table.advance_until(
                lambda: self.table.whole and self.table.in_step and not self._open_question(), 15.0
            )
            if not content:
                mends = [problem["mend"] for problem in self.table.problems]
                line = f"pieces right {self.table.right}, not content: {mends} {self._asked_text_now()}"
                self.tally.dead.append(f"{self.seed} action {self.tally.actions}: {line}")

    def _event(self, event: dict[str, Any]) -> None:
        """Look at what the app says it did, the moment it says so."""
        self._events.append(event)
        if "undo" in event["do"]:
            self._undone()
        elif "action" in event["do"] or not event["do"]:
            if event["verdict"] == "legal":
                self._accepted(event)
            elif not self._expecting_refusal:
                self._accused(event)

    def _accepted(self, event: dict[str, Any]) -> None:
        self._verdict_s = self.table.now_s
        after = self._after(event)
        self._swap_order(after)
        if self._queue and not self._guesses and after == self._queue[0].after:
            self._taken.append(self._queue.pop(0))
            if self._showing:
                self.tally.by_pieces += 1
                self._note_rest()
            return
        meant_now = action_to(self._queue[0].action) if self._queue else "nothing"
        line = f"{self.seed} action {self.tally.actions}: {meant_now} taken for {event['do']}"
        self._guesses.append(line)

    def _after(self, event: dict[str, Any]) -> Position | None:
        """Return the position after what was accepted; the game may be further already when it is said."""
        if event["seq"] == self.table.session.seq:
            return self.position
        return check(self._queue[0].before, action_from(event["do"], self.cards), self.cards).after

    def _swap_order(self, after: Position | None) -> None:
        """Two quick actions may count in the other order, where both orders come to the same."""
        if len(self._queue) == 2 and after is not None and after != self._queue[0].after:
            swapped = self._swapped()
            if swapped is not None and swapped[0].after == after:
                self._queue = list(swapped)

    def _swapped(self) -> tuple[Meant, Meant] | None:
        first, second = self._queue
        one = check(first.before, second.action, self.cards)
        if one.after is None:
            return None
        two = check(one.after, first.action, self.cards)
        if two.after != second.after:
            return None
        return (
            Meant(first.before, second.action, one.after, one.cost),
            Meant(one.after, first.action, two.after, two.cost),
        )

    def _undone(self) -> None:
        """The table took back what was accepted last."""
        if self._people_undo:
            return
        if self._guesses:
            self._guesses.pop()
        elif self._taken:
            self._queue.insert(0, self._taken.pop())
        self.tally.corrected += 1

    def _look_at_guesses(self) -> bool:
        """Note what was accepted, not meant and not corrected by the table; people take it back then."""
        if not self._guesses:
            return False
        lines, self._guesses = self._guesses, []
        if self._watched:
            self.tally.wrong += lines
        else:
            self.table.advance_until(lambda: self.table.whole, 60.0)
            self.table.advance(4.0)
            said = self.table.problems or self._open_question()
            (self.tally.misled if said else self.tally.wrong).extend(lines)
        self._people_undo = True
        self.table.command(undo=len(lines))
        self._people_undo = False
        self._queue = []
        return True

    def _note_rest(self) -> None:
        if self._watched and not self.table.moving:
            self.tally.rest_s.append(self.table.now_s - self.table.last_touch_s)

    def _accused(self, event: dict[str, Any]) -> None:
        it = self._queue[0] if self._queue else None
        if (
            it is not None
            and it.cost.ambition
            and event["do"].get("action") == action_to(it.action)["action"]
        ):
            self.tally.refused += 1
            return
        if self.table.now_s < self._mixed_until_s:
            self.tally.told_off += 1
            return
        if not self._watched:
            self.tally.misled.append(f"{self.seed} action {self.tally.actions}: {event['do']}")
            return
        line = f"{event['do']}: {event['message']} {event['rules']}"
        self.tally.accused.append(
            f"{self.seed} action {self.tally.actions}: {line}" if it is None else self._line(it, line)
        )

    def _line(self, it: Meant, text: str) -> str:
        return f"{self.seed} action {self.tally.actions}: {action_to(it.action)} {text}"


def _touched(it: Meant, cards: Catalogue) -> set[object]:
    """Return the spaces that an action changes, and the pieces."""
    before, after = layout_of(it.before, cards), layout_of(it.after, cards)
    spaces = {space for space in {*before, *after} if before.get(space) != after.get(space)}
    pieces = {piece for space in spaces for piece in (*before.get(space, ()), *after.get(space, ()))}
    return {*spaces, *pieces}
