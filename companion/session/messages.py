"""What the session publishes, as JSON (contracts, section 4)."""

import json
from collections.abc import Mapping
from typing import Any, Final

from companion.rules.words import title, vibe_words
from companion.scenario.notation import cost_to, position_to
from companion.session.secrets import public_turn
from companion.session.session import Outcome, Session
from companion.table.layout import Content
from companion.table.meanings import Placing
from companion.table.mends import Problem
from companion.table.reconcile import Look

HISTORY_LINES: Final = 40
"""Steps that `game/state` carries: more than a screen shows, few enough to send at each change."""


def dump(data: Mapping[str, Any]) -> bytes:
    """Write a payload."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()


def state(session: Session, look: Look) -> dict[str, Any]:
    """Return `game/state`: the public position and how the table stands to it.

    Beyond the contract's keys: `undo` and `redo` (how many steps can be wound), `history` (the newest steps),
    and `waiting` where a Vibe token waits for the next Spirit Action.
    """
    data = position_to(session.position, public=True)
    data |= {
        "turn": public_turn(data["turn"]),
        "seq": session.seq,
        "table_ok": look.in_step,
        "problems": [problem_to(problem) for problem in look.problems],
        "undo": session.undoable,
        "redo": session.redoable,
        "history": history(session),
    }
    if look.placing is not None:
        data["waiting"] = waiting_to(look.placing)
    return data


def history(session: Session) -> list[dict[str, Any]]:
    """Return the newest steps, oldest first."""
    return [
        {
            "seq": step.seq,
            "player": step.player,
            "message": step.message,
            "cost": step.cost,
            "at": step.at_ms,
            "undone": step.undone,
        }
        for step in session.history(HISTORY_LINES)
    ]


def problem_to(problem: Problem) -> dict[str, Any]:
    """Return one of the `problems` of `game/state`; found and expected are names, an unknown tag its id."""
    return {
        "space": problem.space,
        "found": _names(problem.found),
        "expected": _names(problem.expected),
        "mend": problem.mend,
    }


def _names(content: Content) -> list[str]:
    return [piece.name or piece.kind for piece in content]


def waiting_to(placing: Placing) -> dict[str, Any]:
    """Return the Vibe token that waits, in words; answering the ask `waiting` with `cancel` takes it back."""
    text = (
        f"{title(placing.discard)} for a {vibe_words(placing.colour)}: "
        "it is placed with the next Spirit Action"
    )
    return {"discard": placing.discard, "colour": placing.colour, "text": text}


def event(outcome: Outcome, do: Mapping[str, Any], *, player: str, at_ms: int) -> dict[str, Any]:
    """Return a `game/event`; `do` of an undo, redo or set-up is that command."""
    return {
        "seq": outcome.seq,
        "player": player,
        "do": do,
        "verdict": outcome.verdict,
        "rules": list(outcome.rules),
        "cost": cost_to(outcome.cost),
        "message": outcome.message,
        "at": at_ms,
    }


def reply(command_id: str | int, outcome: Outcome) -> dict[str, Any]:
    """Return the answer to a command."""
    return {
        "id": command_id,
        "verdict": outcome.verdict,
        "rules": list(outcome.rules),
        "message": outcome.message,
        "seq": outcome.seq,
    }
