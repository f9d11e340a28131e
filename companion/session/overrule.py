"""Refusals as questions: the ways out, what goes back where, and that people do it all the same."""

from collections.abc import Mapping
from typing import Any, Final

from companion.rules.accounts import describe
from companion.rules.actions import Action, Adjust
from companion.rules.engine import check
from companion.rules.overruling import overruled
from companion.rules.remedy import remedy
from companion.rules.verdict import Cost, Verdict
from companion.rules.words import cost_words
from companion.session.asked import Asked
from companion.session.options import label
from companion.session.session import refusal_words
from companion.table.decisions import BOARD_RIGHT, PUT_BACK, Ask, Choice, Refused
from companion.table.game import Game, Table
from companion.table.meanings import MOST_CHOICES
from companion.table.overruling import all_the_same
from companion.table.setting_up import placing_now

OVERRULE: Final = "overrule"
"""Id of the choice that people do it all the same; it is asked once more, so that a slip does nothing."""
YES: Final = "yes"

_WORDS: Final = "We do it all the same"


def overruling(action: Action, verdict: Verdict, game: Game, table: Table | None = None) -> Adjust | None:
    """Return the adjustment with which a refused action counts; None where it can't be made one."""
    words = label(action, game.position, game.cards)
    return all_the_same(action, verdict, words, game, table)


def refusal_question(refused: Refused, table: Table, name: str) -> Asked | None:
    """Return the question of a refusal by pieces: at most four choices, the ways out first."""
    ways = tuple(way for way in refused.remedies if way.id != PUT_BACK)
    back = tuple(way for way in refused.remedies if way.id == PUT_BACK)
    if not back and refused.put_back:
        back = (Choice(PUT_BACK, refused.put_back, None),)
    adjust = overruling(refused.action, refused.verdict, table.game, table)
    if adjust is None:
        choices = (*ways[: MOST_CHOICES - len(back)], *back) if ways else ()
        return Asked(name, refusal_words(refused.verdict), choices) if choices else None
    effect = _effect(adjust, table.game)
    all_same = Choice(OVERRULE, _WORDS, None, effect)
    choices = (*ways[: MOST_CHOICES - len(back) - 1], *back, all_same)
    words = label(refused.action, table.game.position, table.game.cards)
    done = overruled(table.game.position, refused.action, table.game.cards)
    cost = Cost() if done is None else done.paid
    yes = Choice(YES, f"Yes, it counts: {cost_words(cost)}", adjust)
    sure = Asked(name, f"Against the rules: {words}?", (yes, *back), detail=effect)
    return Asked(name, refusal_words(refused.verdict), choices, opens={OVERRULE: sure})


def asked_again(ask: Ask, before: Asked | None, name: str) -> Asked:
    """Return the question of the table; a refusal whose pieces have stayed can be overruled still.

    Args:
        ask: what is asked now.
        before: the question that was open.
        name: id of the new one.
    """
    right = next((choice for choice in ask.choices if choice.id == BOARD_RIGHT), None)
    if right is None or before is None:
        return Asked(name, ask.text, ask.choices)
    if before.wanted is not None or any(choice.id == YES for choice in before.choices):
        return before  # People look at the card, or are about to answer.
    same = tuple(choice for choice in before.choices if choice.id == OVERRULE)
    back = tuple(choice for choice in ask.choices if choice.id == PUT_BACK)
    ways = tuple(choice for choice in ask.choices if choice not in (*back, right))
    room = MOST_CHOICES - len(back) - len(same) - 1
    return Asked(name, ask.text, (*ways[:room], *back, *same, right), opens=before.opens)


def _effect(adjust: Adjust, game: Game) -> str:
    after = check(game.position, adjust, game.cards).after
    return "" if after is None else describe(game.position, adjust, after, game.cards)


def way_out(action: Action, verdict: Verdict | None, game: Game) -> Mapping[str, Any]:
    """Return what the reply to a refused command says besides.

    `remedy`: what would make it legal; `overrule`: what would happen where people say that it counts all the
    same. Both in words.
    """
    if verdict is None or verdict.status == "legal":
        return {}
    said: dict[str, Any] = {}
    if verdict.status == "illegal" and placing_now(game.position) is None:
        hint = remedy(game.position, action, game.cards)
        if hint is not None:
            said["remedy"] = hint.text
    adjust = overruling(action, verdict, game)
    if adjust is not None:
        said["overrule"] = _effect(adjust, game)
    return said
