"""When the cost that powers add can't be paid (R-POWER-4)."""

from typing import Any

from companion.rules.attempt import Facts, SpiritAttempt, rule
from companion.rules.upgrades import unknown_board
from companion.rules.verdict import Cost
from companion.rules.words import cost_words, person, title

Try = SpiritAttempt[Any]


@rule("R-POWER-4", "{powers}: this costs {more} more, and {player} can't pay it.")
def dearer_by_a_power(attempt: Try) -> Facts | None:
    """What a power asks for on top must be paid too, or the Action can't be done (R-POWER-7)."""
    asked, cost, player = attempt.surcharge, attempt.cost, attempt.player
    if asked is None or unknown_board(attempt):
        return None
    ambition = attempt.position.teams[player.team].ambition
    short = (
        (asked.cost.willpower > 0 and player.willpower < cost.willpower)
        or (asked.cost.essence > 0 and player.essence < cost.essence)
        or (asked.cost.ambition > 0 and ambition < cost.ambition)
    )
    if not short:
        return None
    powers = " and ".join(title(name) for name in dict.fromkeys(asked.by))
    # What another power takes off is not what this one asks for.
    more = Cost(*(max(0, n) for n in (asked.cost.willpower, asked.cost.essence, asked.cost.ambition)))
    return {"powers": powers, "more": cost_words(more), "player": person(player.name)}


@rule("R-TURN-8", "This costs {cost} Essence; {player} has {has}.")
def essence_short(attempt: Try) -> Facts | None:
    """The Essence that a power asks for comes off the own Spirit board."""
    asked, has = attempt.surcharge, attempt.player.essence
    if asked is None or not asked.cost.essence or has >= attempt.cost.essence:
        return None
    return {"cost": attempt.cost.essence, "player": person(attempt.player.name), "has": has}


POWERS_PAYMENT = (dearer_by_a_power, essence_short)
"""Whether what powers add can be paid."""
