"""`companion perft`: the size of the tree of legal actions, the yardstick of a rules engine.

A leaf is a line of exactly `depth` legal actions. A game that ends earlier has no leaf, and an action whose
verdict is unknown is none: it is counted once the printed value is known.
"""

import json
from pathlib import Path
from typing import TextIO

from companion.rules.accounts import describe
from companion.rules.actions import Action
from companion.rules.cards import Catalogue
from companion.rules.engine import legal_actions
from companion.rules.position import Position
from companion.scenario.notation import action_to
from companion.scenario.telling import DONE, UNUSABLE, counted, say, usable_scenario


def leaves(position: Position, cards: Catalogue, depth: int) -> int:
    """Count the lines of exactly `depth` legal actions.

    Args:
        position: where they start.
        cards: the printed values.
        depth: 0 or more; of 0 actions there is one line.
    """
    if depth == 0:
        return 1
    if depth == 1:
        return sum(1 for _ in legal_actions(position, cards))
    return sum(
        leaves(verdict.after, cards, depth - 1)
        for _, verdict in legal_actions(position, cards)
        if verdict.after is not None
    )


def divided(position: Position, cards: Catalogue, depth: int) -> list[tuple[Action, Position, int]]:
    """Count the lines by their first action.

    Args:
        position: where they start.
        cards: the printed values.
        depth: 1 or more.

    Returns:
        Each legal action, the position after it, and the number of lines that begin with it.
    """
    return [
        (action, verdict.after, leaves(verdict.after, cards, depth - 1))
        for action, verdict in legal_actions(position, cards)
        if verdict.after is not None
    ]


def perft(path: str | Path, depth: int, *, as_json: bool, out: TextIO, err: TextIO) -> int:
    """Count the tree of legal actions of a scenario file's position, per first action and in all.

    Args:
        path: the file.
        depth: actions in a line, at least 1.
        as_json: one JSON object a line, `{"do", "leaves"}`, then `{"depth", "actions", "leaves"}`.
        out: where the figures go.
        err: where it is said why the file can't be used.

    Returns:
        0, or 2 where the file can't be used.
    """
    scenario = usable_scenario(path, err)
    if scenario is None:
        return UNUSABLE
    start, cards = scenario.position, scenario.cards
    figures = divided(start, cards, depth)
    for action, after, count in figures:
        if as_json:
            say(out, json.dumps({"do": action_to(action), "leaves": count}))
        else:
            say(out, f"{count:>10}  {describe(start, action, after, cards)}")
    total = sum(count for _, _, count in figures)
    if as_json:
        say(out, json.dumps({"depth": depth, "actions": len(figures), "leaves": total}))
    else:
        leaf, action_count = counted(total, "leaf", "leaves"), counted(len(figures), "action", "actions")
        say(out, f"depth {depth}: {leaf} below {action_count}")
    return DONE
