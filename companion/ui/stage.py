"""A game without a bus: the real rules behind the screens' link, for pictures and tests."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from companion.content import catalogue, components, starts
from companion.rules.accounts import describe
from companion.rules.actions import Empower, Move
from companion.rules.engine import check, legal_actions
from companion.rules.remedy import remedy
from companion.rules.verdict import Verdict as Judged
from companion.rules.words import missing_words
from companion.scenario.notation import action_from, action_to, cost_to, position_from, position_to
from companion.session.options import options as judged_options
from companion.session.steps import step_question
from companion.table.decisions import PUT_BACK
from companion.table.meanings import Meaning, choice_words
from companion.ui.link import Option, Piece, Start, Verdict


class Stage:
    """A `UiLink` that judges by the real rules and keeps what it was told."""

    def __init__(self, start: str = "empower-example", *, virtual: bool = False) -> None:
        """Begin at a named starting position; `virtual` lays its pieces out."""
        self.cards = catalogue()
        self.position = position_from(starts()[start].data, self.cards)
        self.queue: deque[tuple[str, dict[str, Any]]] = deque()
        self.sent: list[dict[str, Any]] = []
        self.laid: list[tuple[str, tuple[str, ...]]] = []
        self.seq = 1
        self.state: dict[str, Any] = {}
        self.history: list[dict[str, Any]] = []
        self._pieces = tuple(
            Piece(f"04{i:06X}", component) for i, component in enumerate(components() if virtual else ())
        )
        self._fields: dict[str, tuple[str, ...]] = {}
        self._step_told = False
        if virtual:
            self.lay_out()
        self.tell()

    def begin(self, data: Mapping[str, Any]) -> None:
        """Begin anew from a position in the keys of the contracts' section 3."""
        self.position = position_from(data, self.cards)
        self.seq, self.history = self.seq + 1, []
        if self._pieces:
            self.lay_out()
        self.tell()

    def lay_out(self) -> None:
        """Lay the pieces as the position has them."""
        self._fields = {}
        free = {piece.uid: piece.component.split("/") for piece in self._pieces}

        def take(family: str, name: str) -> tuple[str, ...]:
            column = 2 if family == "emotion" else 1
            uid = next(u for u, parts in free.items() if parts[0] == family and parts[column] == name)
            del free[uid]
            return (uid,)

        for slot, emotion in self.position.slots.items():
            self._fields[f"slot/{slot}"] = take("emotion", emotion.name)
        for player in self.position.players.values():
            if player.at and player.spirit:
                space = f"spirit/{player.at}"
                self._fields[space] = self._fields.get(space, ()) + take("spirit", player.spirit)

    def tell(self, problems: Iterable[Mapping[str, Any]] = (), *, in_step: bool = False) -> None:
        """Publish the state; `in_step`: the game goes on in spite of the problems."""
        listed = [dict(problem) for problem in problems]
        self.state = {
            **position_to(self.position, public=True),
            "seq": self.seq,
            "table_ok": in_step or not listed,
            "problems": listed,
            "undo": len(self.history),
            "redo": 0,
            "history": list(self.history),
        }
        self.queue.append(("game/state", self.state))
        self._tell_step()

    def _tell_step(self) -> None:
        """Publish the question of what people must still place, show or choose, as the session does."""
        step = step_question(self.position, self.cards)
        if step is not None:
            choices = [{"id": c.id, "text": c.text, "do": c.do} for c in step.choices]
            ask = {"id": "step", "text": step.text, "choices": choices}
            self.queue.append(("game/ask", {**ask, "step": step.kind, "detail": step.detail}))
        elif self._step_told:
            self.queue.append(("game/ask", {}))
        self._step_told = step is not None

    def play(self, do: Mapping[str, Any], problems: Sequence[Mapping[str, Any]] = ()) -> None:
        """Try an action: publish what happened, or why not with the ways on."""
        action = action_from(do, self.cards)
        verdict = check(self.position, action, self.cards)
        event: dict[str, Any] = {"seq": self.seq, "player": self.position.turn.player, "do": dict(do)}
        event |= {"verdict": verdict.status, "rules": list(verdict.rules), "cost": cost_to(verdict.cost)}
        if verdict.after is not None:
            event["message"] = describe(self.position, action, verdict.after, self.cards)
            self.position, self.seq = verdict.after, self.seq + 1
            self.history.append(
                {"seq": self.seq, **{key: event[key] for key in ("player", "message", "cost")}}
            )
            self.queue.append(("game/event", {**event, "seq": self.seq}))
        else:
            event["message"] = _why_not(verdict)
            self.queue.append(("game/event", event))
            better = remedy(self.position, action, self.cards)
            if better is not None and isinstance(better.action, Move | Empower):
                way: Meaning[Move | Empower] = Meaning(
                    better.action, check(self.position, better.action, self.cards)
                )
                use = {"id": "1", "text": choice_words(way, self.cards), "do": action_to(better.action)}
                mends = " ".join(str(problem["mend"]) for problem in problems)
                self.ask(event["message"], [use, {"id": PUT_BACK, "text": mends, "do": None}])
        self.tell(problems)

    def ask(self, text: str, choices: list[dict[str, Any]]) -> None:
        """Publish a question."""
        self.queue.append(("game/ask", {"id": "a1", "text": text, "choices": choices}))

    def meanings(self, place: str) -> list[dict[str, Any]]:
        """Return the choices of a question: the ways to empower in a slot, one for each set of upgrades."""
        found: dict[tuple[str, ...], Meaning[Empower]] = {}
        for action, verdict in legal_actions(self.position, self.cards):
            if isinstance(action, Empower) and action.slot == place:
                found.setdefault(action.upgrades, Meaning(action, verdict))
        return [
            {"id": str(i), "text": choice_words(meaning, self.cards), "do": action_to(meaning.action)}
            for i, meaning in enumerate(found.values())
        ]

    # --- UiLink -----------------------------------------------------------------------------------------

    def drain(self) -> list[tuple[str, dict[str, Any]]]:
        """Return what was published since the last call."""
        messages = []
        while self.queue:
            messages.append(self.queue.popleft())
        return messages

    def send(self, command: dict[str, Any]) -> None:
        """Keep a command."""
        self.sent.append(command)

    def options(self, target: str) -> list[Option]:
        """Judge what is about the target."""
        return [
            Option(
                option.do,
                option.text,
                option.cost_text,
                cast("Verdict", option.verdict),
                option.rules,
                option.message,
                option.remedy_text,
            )
            for option in judged_options(self.position, self.cards, target)
        ]

    def starts(self) -> list[Start]:
        """Return the named starting positions."""
        return [Start(start.name, start.title) for start in starts().values()]

    def pieces(self) -> list[Piece]:
        """Return the pieces of the virtual table."""
        return list(self._pieces)

    def fields(self) -> dict[str, tuple[str, ...]]:
        """Return what lies where."""
        return dict(self._fields)

    def lay(self, space: str, uids: tuple[str, ...]) -> None:
        """Lay pieces, and keep that it was asked for."""
        self.laid.append((space, uids))
        self._fields[space] = uids

    def uid(self, component: str) -> str:
        """Return the UID of a component."""
        return next(piece.uid for piece in self._pieces if piece.component == component)


def _why_not(verdict: Judged) -> str:
    if verdict.missing:
        return missing_words(verdict.missing)
    return verdict.refusals[0].text if verdict.refusals else ""
