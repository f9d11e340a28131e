"""Which rule speaks against what pieces show that nothing legal explains, and the ways out of it."""

from collections.abc import Iterator
from dataclasses import replace

from companion.rules.actions import Action, Empower, EndTurn, Move, SpiritActionDone
from companion.rules.engine import check
from companion.rules.remedy import remedy
from companion.rules.verdict import Cost, Refusal, Remedy, Verdict
from companion.rules.words import cost_words, slot_words, space_words, title
from companion.table.decisions import PUT_BACK, Choice, Refused
from companion.table.game import Table
from companion.table.layout import Layout, layout_of
from companion.table.meanings import MOST_CHOICES, Meaning, nearest, price, variants
from companion.table.questions import by_actor, choices_of, put_back_words
from companion.table.readings import readings
from companion.table.several import Firsts, after_the_turn
from companion.table.wrongs import Deed, deeds, is_wrong_counterpart


def refusal(table: Table) -> Refused | None:
    """Return the refusal of what people must have meant; None where the pieces show no deed."""
    seen = (deed for deed in deeds(table) if table.shows(deed.left) and table.fits(deed.left))
    fitting = [deed for deed in seen if table.by_its_tag(deed.left)]
    closest = [(deed, found) for deed in fitting if (found := closest_form(deed.action, table)) is not None]
    if not closest:
        return _wrong_counterpart(table)
    deed, found = min(closest, key=lambda pair: len(pair[1].verdict.refusals))
    return refused_for(deed, found, (), table)


def closest_form(action: Action, table: Table) -> Meaning[Action] | None:
    """Return the form of a deed that the fewest rules forbid; None where one is legal."""
    game = table.game
    found = nearest(_forms(action, table), game.position, game.cards)
    return None if found is None or found.verdict.status == "legal" else found


def _forms(action: Action, table: Table) -> Iterator[Action]:
    """Yield the forms of a deed without upgrades."""
    if not isinstance(action, SpiritActionDone):
        yield action
        return
    for form in variants(action, table.game.position, table.placing, table.game.cards):
        if not form.upgrades:
            yield form


def refused_for(deed: Deed, closest: Meaning[Action], ambitious: Firsts, table: Table) -> Refused:
    """Return the refusal of a deed with its ways out.

    Args:
        deed: what the pieces show.
        closest: the form of it that the fewest rules forbid.
        ambitious: forms that are legal, but spend the team's Ambition.
        table: the facts.
    """
    game = table.game
    hint = remedy(game.position, closest.action, game.cards)
    ways = [*choices_of(_ways_out(closest, ambitious, hint, table), table, MOST_CHOICES - 1)]
    if len(ways) < MOST_CHOICES - 1:
        ways += _two_moves(deed, table) or _roundabout(hint, table)
        ways += _next_turn(deed, table)
    put_back = put_back_words(table)
    ways = [replace(way, id=str(number)) for number, way in enumerate(ways[: MOST_CHOICES - 1], 1)]
    return Refused(
        by_actor(closest.action, game.position),
        closest.verdict,
        (*ways, Choice(PUT_BACK, put_back, None)) if ways else (),
        hint.text if hint else "",
        put_back,
    )


def _ways_out(
    closest: Meaning[Action], ambitious: Firsts, hint: Remedy | None, table: Table
) -> tuple[Meaning[Action], ...]:
    """Return what would be legal with the pieces as they lie: the cheapest first, none twice."""
    ways = [*ambitious, *_without_token(closest, table)]
    if hint is not None and len(hint.steps) == 1:
        verdict = check(table.game.position, hint.action, table.game.cards)
        if verdict.status == "legal" and _ends_as_seen((hint.action,), table):
            ways.append(Meaning(hint.action, verdict))
    ways.sort(key=price)
    return tuple(way for i, way in enumerate(ways) if all(way.action != other.action for other in ways[:i]))


def _without_token(closest: Meaning[Action], table: Table) -> Firsts:
    """Return the ways to do it without the Vibe token that only waits on the pad."""
    if getattr(closest.action, "place", None) is None:
        return ()
    bare = replace(table, placing=None)
    group = bare.explaining()
    found = () if group is None else readings(group, bare)
    return tuple(meaning for meaning in found if type(meaning.action) is type(closest.action))


def _two_moves(deed: Deed, table: Table) -> list[Choice]:
    """Return the cheapest way by which a figure that went too far has made two Moves (F-127)."""
    action, game = deed.action, table.game
    if not isinstance(action, Move) or action.player != game.position.turn.player:
        return []
    found = []
    for group in table.legal.groups:
        for first in group.meanings:
            if not isinstance(first.action, Move) or first.verdict.cost.ambition:
                continue
            for second in variants(action, first.after, None, game.cards):
                verdict = check(first.after, second, game.cards)
                if verdict.status == "legal" and not verdict.cost.ambition:
                    found.append((first.verdict.cost.willpower + verdict.cost.willpower, first.action))
    if not found:
        return []
    cost, move = min(found, key=lambda way: (way[0], len(way[1].upgrades)))
    words = f"Move twice, by way of the {space_words(move.to)}: {cost_words(Cost(cost))}"
    return [Choice("", words, by_actor(move, game.position))]


def _roundabout(hint: Remedy | None, table: Table) -> list[Choice]:
    """Return the way by steps before the deed, in one turn, where the pieces lie as after all of them."""
    if hint is None or len(hint.steps) < 2 or any(isinstance(step, EndTurn) for step in hint.steps):
        return []
    return [Choice("", hint.text, hint.action)] if _ends_as_seen(hint.steps, table) else []


def _next_turn(deed: Deed, table: Table) -> list[Choice]:
    """Return the ends of the turn after which what was done is the next player's action."""
    if deed.action.player in (None, table.game.position.turn.player):
        return []
    return [replace(choice, id="") for choice in choices_of(after_the_turn(table), table)]


def _ends_as_seen(steps: tuple[Action, ...], table: Table) -> bool:
    """Tell whether the pieces lie as after these steps."""
    game, position = table.game, table.game.position
    for step in steps:
        after = check(position, step, game.cards).after
        if after is None:
            return False
        position = after
    left: Layout = layout_of(position, game.cards)
    spaces = {*left, *game.layout}
    left = {space: left.get(space, ()) for space in spaces if left.get(space, ()) != table.expected(space)}
    return bool(left) and table.shows(left) and table.fits(left)


def _wrong_counterpart(table: Table) -> Refused | None:
    """Refuse a Mild Emotion's exchange for a Strong one that is not its counterpart (R-EMP-3)."""
    cards = table.game.cards.cards
    for space in table.open:
        slot, gained = space.removeprefix("slot/"), table.gained(space)
        alone = len(table.everything.content(space)) == len(gained) == 1
        if not alone or not is_wrong_counterpart(slot, gained[0], table):
            continue
        if not table.fits({}, but=frozenset((space,))):
            continue
        mild, laid = table.game.position.slots[slot].name, gained[0].name
        strong = cards[mild].strong or ""
        facts = {"mild": title(mild), "strong": title(strong), "laid": title(laid)}
        refusal = Refusal("R-EMP-3", "{mild} becomes {strong}, not {laid}.", facts)
        hint = f"Lay {title(strong)} on the {slot_words(slot)}, or put {title(mild)} back."
        verdict = Verdict("illegal", refusals=(refusal,))
        return Refused(Empower(slot), verdict, (), hint, put_back_words(table))
    return None
