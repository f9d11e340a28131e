"""Pieces of actions that are not allowed: refused with a rule that forbids them, and the table led back."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from companion.rules.actions import Action, Empower, EndTurn, Invoke, Move, Network
from companion.rules.board import SLOTS, SPACES
from companion.rules.cards import Catalogue
from companion.rules.choices import choices
from companion.rules.derived import Derived
from companion.rules.engine import check, legal_actions
from companion.rules.hands import possible_titles
from companion.rules.position import Position
from companion.scenario.notation import action_from, action_to
from companion.table.layout import Layout, emotion_piece, layout_of, surplus
from companion.table.pieces import Piece
from tests.rehearsal.evening import PATIENCE_S, Evening
from tests.rehearsal.meant import outside

RULE: Final = re.compile(r"R-[A-Z]+-\d+")

MOST_ROUNDS: Final = 6
"""How often people follow what the table lists before it has to be right."""


@dataclass(frozen=True, slots=True)
class Offence:
    """An illegal action with what it does to the pieces."""

    action: Action
    layout: Layout


def offences(position: Position, cards: Catalogue) -> Iterator[Offence]:
    """Yield illegal actions of the player to act that move pieces, whatever forbids them."""
    player = position.actor
    layout = dict(layout_of(position, cards))
    figure = (Piece("spirit", player.spirit or ""),)
    own = [slot for slot, lying in position.slots.items() if cards.cards[lying.name].team == player.team]
    for space in SPACES:
        if player.at is not None and space != player.at:
            start, end = f"spirit/{player.at}", f"spirit/{space}"
            then = layout | {start: surplus(layout[start], figure)}
            yield from _if_illegal(Move(space), position, then | {end: _with(layout, end, figure)}, cards)
    for title in possible_titles(position, player, cards)[:4]:
        card = (emotion_piece(title, cards),)
        for slot in SLOTS:
            if slot not in position.slots:
                yield from _if_illegal(Invoke(title, slot), position, layout | {f"slot/{slot}": card}, cards)
    for slot in own:
        here, strong = f"slot/{slot}", cards.cards[position.slots[slot].name].strong
        if strong is not None:
            yield from _if_illegal(
                Empower(slot), position, layout | {here: (emotion_piece(strong, cards),)}, cards
            )
        for to in SLOTS:
            if to not in position.slots:
                yield from _if_illegal(
                    Network(slot, to), position, layout | {here: (), f"slot/{to}": layout[here]}, cards
                )


def _with(layout: Layout, space: str, more: tuple[Piece, ...]) -> tuple[Piece, ...]:
    return tuple(sorted((*layout.get(space, ()), *more)))


def _if_illegal(action: Action, position: Position, layout: Layout, cards: Catalogue) -> Iterator[Offence]:
    if check(position, action, cards).status == "illegal":
        yield Offence(action, layout)


def is_nothing_legal(offence: Offence, position: Position, evening: Evening) -> bool:
    """Tell whether no legal action, nor one of the next player's, nor two in a row, look like this."""
    seen, cards = outside(offence.layout, evening.spaces), evening.cards
    starts = [position]
    for action, verdict in legal_actions(position, cards, placing=False):
        if verdict.after is None:
            continue
        if outside(layout_of(verdict.after, cards), evening.spaces) == seen:
            return False
        if isinstance(action, Move | Network | Invoke | Empower | EndTurn):
            starts.append(verdict.after)
    for start in starts[1:]:
        derived = Derived(start, cards)
        for action in choices(derived, placing=False):
            if isinstance(action, type(offence.action)):
                after = check(start, action, cards).after
                if after is not None and outside(layout_of(after, cards), evening.spaces) == seen:
                    return False
    return True


def offend(evening: Evening) -> bool:
    """Let somebody do something that is not allowed, and look what comes of it; False for nothing."""
    position, table = evening.position, evening.table
    if position.turn.pending or not table.in_step or not table.right or table.ask:
        return False
    found = list(offences(position, evening.cards))
    evening.dice.shuffle(found)
    # Of each kind the same chance.
    found.sort(key=lambda offence: evening.dice.random() * (type(offence.action) is Move))
    by_kind = {type(offence.action): offence for offence in found}
    kinds = list(by_kind.values())
    evening.dice.shuffle(kinds)
    offence = next((o for o in kinds if is_nothing_legal(o, position, evening)), None)
    if offence is None:
        return False
    evening.tally.illegal += 1
    _lay_and_look(offence, evening)
    return True


def _lay_and_look(offence: Offence, evening: Evening) -> None:
    table, position, tally = evening.table, evening.position, evening.tally
    # Whoever takes the piece of the last action on at once corrects that.
    table.advance(2.5)
    events = evening.expect_refusal()
    carries = table.pieces.carries(offence.layout)
    table.touch(evening.hands.carry(carries, table.now_s + evening.hands.between(0.1, 0.5)))
    table.advance_until(lambda: not table.moving, 60.0)
    # A first guess may be accepted on the way, and taken back.
    table.advance_until(lambda: any(event["verdict"] == "illegal" for event in events), PATIENCE_S)
    line = f"{evening.seed} action {tally.actions}: {action_to(offence.action)}"
    refusals = [event for event in events if event["verdict"] == "illegal"]
    if evening.position != position:
        tally.astray.append(f"{line} was accepted: {events}")
    elif not refusals:
        mends = [problem["mend"] for problem in table.problems]
        tally.astray.append(f"{line} was not refused; asked {table.ask.get('text')}, {mends}")
    elif (wrong := _speaks_wrongly(refusals[-1], evening)) is not None:
        tally.astray.append(f"{line} was refused by {refusals[-1]['rules']}: {wrong}")
    else:
        tally.refused_rightly += 1
    _lead_back(line, evening)
    evening.expect_refusal(over=True)


def _speaks_wrongly(event: dict[str, Any], evening: Evening) -> str | None:
    """Tell what is wrong with a refusal; None for nothing."""
    rules = event["rules"]
    if event["verdict"] != "illegal" or not rules or not all(map(RULE.fullmatch, rules)):
        return f"it is no refusal with rules, {event['verdict']}"
    if evening.rule_ids is not None and not set(rules) <= evening.rule_ids:
        return "a rule that there is not"
    verdict = check(evening.position, action_from(event["do"], evening.cards), evening.cards)
    if verdict.status != "illegal":
        return f"the rules say {verdict.status}"
    return None if set(rules) <= set(verdict.rules) else f"the rules name {verdict.rules}"


def _lead_back(line: str, evening: Evening) -> None:
    """Follow what the table lists, space by space, until it is right."""
    table = evening.table
    for _ in range(MOST_ROUNDS):
        table.advance_until(lambda: bool(table.problems), PATIENCE_S)
        named = {problem["space"] for problem in table.problems}
        if not named:
            break
        goal = table.pieces.goal(layout_of(evening.position, evening.cards))
        now = dict(table.pieces.layout)
        wanted = {
            space: goal.get(space, ()) if space in named else now.get(space, ()) for space in {*goal, *now}
        }
        carries = table.pieces.carries(wanted)
        if not carries:
            break
        table.touch(evening.hands.carry(carries, table.now_s + evening.hands.between(0.3, 2.0)))
        table.advance_until(lambda: not table.moving, 60.0)
        table.advance(2.5)
    table.advance_until(lambda: table.in_step and not evening.asks, PATIENCE_S)
    if table.right and table.in_step and not evening.asks:
        evening.tally.led_back += 1
    else:
        mends = [problem["mend"] for problem in table.problems]
        evening.tally.astray.append(f"{line} is not led back: right {table.right}, {mends}, {table.ask}")
