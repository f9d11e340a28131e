"""What the pieces mean, once they count as put down: an action, a question, or a refusal with the way out."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from companion.rules.actions import (
    Absorb,
    Action,
    Ambition,
    Empower,
    EndTurn,
    Invoke,
    Move,
    PlaceSpirit,
    Quell,
    SpiritActionDone,
)
from companion.rules.board import SLOTS
from companion.rules.engine import check
from companion.rules.position import Position
from companion.rules.remedy import remedy
from companion.rules.verdict import Refusal, Remedy, Verdict
from companion.rules.words import naming, person, slot_words, title
from companion.table.decisions import BOARD_RIGHT, PUT_BACK, Ask, Choice, Decision, Done, Refused, Waiting
from companion.table.game import Game, Table
from companion.table.layout import Content, Layout, layout_of
from companion.table.legal import Group
from companion.table.meanings import (
    MOST_CHOICES,
    Meaning,
    Placing,
    choice_words,
    deed_words,
    effect_words,
    nearest,
    price,
    unbeaten,
    variants,
)
from companion.table.mends import mend_words
from companion.table.pads import vibe_of
from companion.table.readings import only_takes, only_tokens, readings
from companion.table.restating import restated
from companion.table.setting_up import (
    Placed,
    awaited,
    mate_to_place,
    only_awaited,
    placing_now,
    step_footprint,
    step_shapes,
)
from companion.table.several import Firsts, after_the_turn, first_of_several
from companion.table.wrongs import Deed, deeds, is_wrong_counterpart

Acting = TypeVar("Acting", bound=Action)

ONLY_LIFTED = "only-lifted"
"""Id of the choice that a card was taken up for nothing."""
FOR_AN_ACTION = "for-an-action"
"""Id of the choice that a Vibe token goes with the next Spirit Action."""


def meant(table: Table) -> Decision | None:
    """Decide what the pieces mean by the rules; None where nothing legal explains them."""
    if placing_now(table.game.position) is not None:
        return None
    group = table.explaining()
    return None if group is None else _of_group(group, table)


def several(table: Table) -> Decision | None:
    """Decide what comes first where several quick actions explain the pieces; None where none do."""
    firsts = first_of_several(table)
    if not firsts:
        return None
    first = firsts[0]
    sure = len(firsts) == 1 and not first.verdict.cost.ambition and not _needs_a_word(first.action, table)
    if sure:
        return Done(_by_actor(first.action, table.game.position), first.verdict)
    return Ask(_question(first.action, table), (*_choices(firsts, table, MOST_CHOICES - 1), _back(table)))


def takes_token(decision: Decision, table: Table) -> bool:
    """Tell whether a decision is about a Spirit Action that the card on the pad may give a Vibe token for."""
    if isinstance(decision, Done | Refused):
        action: Action | None = decision.action
    else:
        action = decision.choices[0].action if isinstance(decision, Ask) else None
    shows = isinstance(action, Quell) and action.reveal == table.promised
    return isinstance(action, SpiritActionDone) and action.place is None and not shows


def with_promised(decision: Decision, table: Table) -> Decision:
    """Ask whether the card on the pad is given for a Vibe token, where it would be taken for nothing else."""
    colour = None if table.promised is None else vibe_of(table.promised, table.game.cards)
    if not isinstance(decision, Done) or colour is None or not takes_token(decision, table):
        return decision
    ways = _with_token(decision, Placing(table.promised or "", colour), table)
    if not ways:
        return decision
    plain = Meaning(decision.action, decision.verdict)
    return Ask(_question(decision.action, table), _choices((plain, *ways), table))


def _with_token(done: Done, placing: Placing, table: Table) -> Firsts:
    """Return the ways to do the same with a Vibe token, wherever that lies or will lie."""
    game, action = table.game, done.action
    if not isinstance(action, SpiritActionDone):
        return ()
    bare = replace(action, upgrades=(), place=None)
    meanings: list[Meaning[Action]] = []
    seen = _but_for_tokens(done.verdict.after, game)
    for form in variants(bare, game.position, placing, game.cards):
        verdict = check(game.position, form, game.cards)
        if verdict.status == "legal" and _but_for_tokens(verdict.after, game) == seen:
            meanings.append(Meaning(form, verdict))
    return unbeaten(meanings)


def _but_for_tokens(position: Position | None, game: Game) -> dict[str, Content]:
    layout = {} if position is None else layout_of(position, game.cards)
    return {space: content for space, content in layout.items() if not space.startswith("vibe/")}


def wrong(table: Table) -> Decision:
    """Decide which rule speaks against what the pieces show, once nothing legal explains them."""
    if placing_now(table.game.position) is not None:
        return step_refused(table) or Waiting()
    fitting = [deed for deed in deeds(table) if table.shows(deed.left) and table.fits(deed.left)]
    closest = [(deed, found) for deed in fitting if (found := _closest(deed.action, table)) is not None]
    if not closest:
        return _wrong_counterpart(table) or Waiting()
    deed, found = min(closest, key=lambda pair: len(pair[1].verdict.refusals))
    return _refused(deed, found, (), table)


def step_meant(table: Table) -> Decision | None:
    """Decide what newly laid pieces come to as the step of the set-up that is due."""
    game = table.game
    pieces = awaited(game.position, game.cards)
    later = frozenset(
        space
        for space in table.open
        if only_awaited(table.seen.content(space), table.expected(space), pieces)
    )
    # Where a picture decides (R-SETUP-21), any card might be anybody's.
    loose = later if game.position.mode == "full" else frozenset()
    for shape, left in _steps(table):
        verdict = check(game.position, shape, game.cards)
        if verdict.status == "legal" and table.fits(left, but=loose.difference(left)):
            return Done(_by_actor(shape, game.position), verdict)
    return None


def step_refused(table: Table) -> Decision | None:
    """Decide whether newly laid pieces are surely meant as the step that is due, and why it can't be."""
    game = table.game
    for shape, left in _steps(table):
        verdict = check(game.position, shape, game.cards)
        if verdict.status == "illegal" and table.fits(left) and _surely_meant(shape, game):
            return Refused(_by_actor(shape, game.position), verdict, (), "", put_back_words(table))
    return None


def offered(table: Table) -> Decision | None:
    """Decide what pieces that were moved unseen come to: a question, never an action (F-135, F-149)."""
    setting_up = placing_now(table.game.position) is not None
    decision = step_meant(table) if setting_up else meant(table) or several(table)
    if not isinstance(decision, Done):
        return decision
    position, action = table.game.position, decision.action
    if isinstance(action, Placed):
        ways: tuple[Choice, ...] = (Choice("1", naming(action, position), action),)
    else:
        ways = _choices((Meaning(action, decision.verdict),), table, 1)
    text = "Pieces were moved while the table was not watched. Does it count?"
    return Ask(text, (*ways, _back(table)))


def stays(table: Table, answer: Decision) -> Ask | None:
    """Ask whether the board is right, where the table goes on differing; None where it can't be right."""
    follow = restated(table)
    if follow is None or check(table.game.position, follow, table.game.cards).status != "legal":
        return None
    ways = answer.remedies[: MOST_CHOICES - 2] if isinstance(answer, Refused) else ()
    kept = tuple(way for way in ways if way.id != PUT_BACK)
    right = Choice(BOARD_RIGHT, "The board is right: the game follows it", follow)
    return Ask("The pieces lie differently from the game. Which one is right?", (*kept, _back(table), right))


def put_back_words(table: Table) -> str:
    """Say what goes back where; a figure is named once, where it belongs."""
    missing = [space for space in table.open if table.expected(space)]
    return " ".join(
        mend_words(
            space,
            table.seen.content(space),
            table.expected(space),
            players=tuple(table.game.position.players),
        )
        for space in missing or table.open
    )


# Legal ones


def _of_group(group: Group, table: Table) -> Done | Ask | Refused | None:
    """Decide what actions that fit come to; None where something more is to come."""
    meanings = readings(group, table)
    frugal = [meaning for meaning in meanings if not meaning.verdict.cost.ambition]
    first = meanings[0]
    if only_tokens(group):
        return _token_alone(group, meanings, table)
    if only_takes(group, table) and (len(meanings) > 1 or not frugal or _needs_a_word(first.action, table)):
        lifted = Choice(ONLY_LIFTED, f"Nothing: {put_back_words(table)}", None)
        return Ask(_question(first.action, table), (*_choices(meanings, table, MOST_CHOICES - 1), lifted))
    if len(meanings) == 1 and frugal:
        return Done(_by_actor(first.action, table.game.position), first.verdict)
    if frugal:
        return Ask(_question(first.action, table), _choices(meanings, table))
    return _ambitious(group, meanings, table)


def _ambitious(group: Group, meanings: Firsts, table: Table) -> Done | Ask | Refused:
    """Explain why it can't be had for less, and offer what spends the team's Ambition."""
    action = meanings[0].action
    if isinstance(action, SpiritActionDone):
        bare = replace(action, upgrades=(), place=None)
        closest = _closest(bare, table)
        if closest is not None:
            return _refused(Deed(bare, group.left), closest, meanings, table)
    return Ask(_question(action, table), (*_choices(meanings, table, MOST_CHOICES - 1), _back(table)))


def _token_alone(group: Group, meanings: Firsts, table: Table) -> Ask | None:
    """Ask what a Vibe token is that was laid on the Spirit board without a card shown for it."""
    tokens = [piece.name for content in group.left.values() for piece in content]
    if table.shown is not None and vibe_of(table.shown, table.game.cards) in tokens:
        return None
    later = Choice(FOR_AN_ACTION, "It goes with the next Spirit Action, for a card", None)
    return Ask("What is the Vibe token for?", (*_choices(meanings, table, MOST_CHOICES - 1), later))


def _needs_a_word(action: Action, table: Table) -> bool:
    """Tell whether an action is not told by pieces alone.

    A card that has gone may have been lifted; a Vibe token may wait for the card that is given for it.
    """
    if isinstance(action, Absorb | Ambition):
        return True
    return isinstance(action, Quell) and table.shown is None


# Illegal ones


def _closest(action: Action, table: Table) -> Meaning[Action] | None:
    """Return the form of a deed that the fewest rules forbid; None where one is legal."""
    game = table.game
    if isinstance(action, SpiritActionDone):
        forms: Iterable[Action] = (
            form for form in variants(action, game.position, table.placing, game.cards) if not form.upgrades
        )
    else:
        forms = (action,)
    found = nearest(forms, game.position, game.cards)
    return None if found is None or found.verdict.status == "legal" else found


def _refused(deed: Deed, closest: Meaning[Action], ambitious: Firsts, table: Table) -> Refused:
    game = table.game
    hint = remedy(game.position, closest.action, game.cards)
    ways = [*_choices(_ways_out(closest, ambitious, hint, table), table, MOST_CHOICES - 1)]
    if len(ways) < MOST_CHOICES - 1:
        ways += _roundabout(hint, table)
        ways += _next_turn(deed, table)
    put_back = put_back_words(table)
    ways = [replace(way, id=str(number)) for number, way in enumerate(ways[: MOST_CHOICES - 1], 1)]
    return Refused(
        _by_actor(closest.action, game.position),
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


def _roundabout(hint: Remedy | None, table: Table) -> list[Choice]:
    """Return the way by steps before the deed, in one turn, where the pieces lie as after all of them."""
    if hint is None or len(hint.steps) < 2 or any(isinstance(step, EndTurn) for step in hint.steps):
        return []
    return [Choice("", hint.text, hint.action)] if _ends_as_seen(hint.steps, table) else []


def _next_turn(deed: Deed, table: Table) -> list[Choice]:
    """Return the ends of the turn after which what was done is the next player's action."""
    if deed.action.player in (None, table.game.position.turn.player):
        return []
    return [replace(choice, id="") for choice in _choices(after_the_turn(table), table)]


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


# Set-up


def _steps(table: Table) -> Iterable[tuple[Placed, Layout]]:
    game = table.game
    for shape in step_shapes(game.position, table.seen, table.open, game.layout, game.cards):
        left = _readable(step_footprint(shape, game.position, game.cards), table)
        if table.shows(left):
            yield shape, left


def _readable(left: Layout, table: Table) -> Layout:
    """Leave out the figure of a footprint where no Spirit space can be read."""
    if any(space.startswith("spirit/") for space in table.seen.layout):
        return left
    return {space: content for space, content in left.items() if not space.startswith("spirit/")}


def _surely_meant(shape: Placed, game: Game) -> bool:
    """Tell whether a step that is not legal can be called wrong: the card may be a teammate's, laid early."""
    if not isinstance(shape, PlaceSpirit) or not mate_to_place(game.position):
        return True
    other_slots = (replace(shape, slot=slot) for slot in SLOTS)
    return not any(check(game.position, other, game.cards).status == "legal" for other in other_slots)


# Questions


def _by_actor(action: Acting, position: Position) -> Acting:
    return replace(action, player=None) if action.player == position.turn.player else action


def _back(table: Table) -> Choice:
    return Choice(PUT_BACK, put_back_words(table), None)


def _choices(meanings: Firsts, table: Table, most: int = MOST_CHOICES) -> tuple[Choice, ...]:
    """Return a button for each meaning; where they are not one deed in several ways, the deed is named."""
    position, cards = table.game.position, table.game.cards
    alike = len({type(meaning.action) for meaning in meanings}) == 1
    found = []
    for number, meaning in enumerate(meanings[:most], 1):
        action = _by_actor(meaning.action, position)
        spirited = isinstance(action, SpiritActionDone)
        words = choice_words if alike and spirited else None
        text = words(meaning, cards) if words else deed_words(meaning, position, cards)  # type: ignore[arg-type]
        found.append(Choice(str(number), text, action, effect_words(meaning, position, cards)))
    return tuple(found)


def _question(action: Action, table: Table) -> str:
    position = table.game.position
    if isinstance(action, EndTurn):
        return f"Does {person(position.turn.player)}'s turn end?"
    if isinstance(action, Move):
        return "How does the figure move?"
    if isinstance(action, Invoke):
        return f"How is {title(action.emotion)} invoked?"
    if isinstance(action, Empower):
        return f"How is {title(position.slots[action.slot].name)} empowered?"
    if isinstance(action, Quell):
        return f"Is {title(position.slots[action.slot].name)} quelled?"
    return "What is meant?"
