"""What the pieces mean, once they count as put down: an action, a question, or a refusal with the way out."""

from dataclasses import replace

from companion.rules.actions import (
    Absorb,
    Action,
    Ambition,
    Quell,
    SpiritActionDone,
)
from companion.rules.engine import check
from companion.rules.position import Position
from companion.rules.words import naming
from companion.table.decisions import BOARD_RIGHT, PUT_BACK, Ask, Choice, Decision, Done, Refused, Waiting
from companion.table.game import Game, Table
from companion.table.layout import Content, layout_of
from companion.table.legal import Group
from companion.table.meanings import (
    MOST_CHOICES,
    Meaning,
    Placing,
    unbeaten,
    variants,
)
from companion.table.pads import vibe_of
from companion.table.placing import step_meant, step_refused
from companion.table.questions import back, by_actor, choices_of, put_back_words, question_of
from companion.table.readings import only_takes, only_tokens, readings
from companion.table.refusals import closest_form, refusal, refused_for
from companion.table.restating import restated
from companion.table.setting_up import (
    Placed,
    placing_now,
)
from companion.table.several import Firsts, ends_before, first_of_several
from companion.table.wrongs import Deed

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
        return Done(by_actor(first.action, table.game.position), first.verdict)
    return Ask(question_of(first.action, table), (*choices_of(firsts, table, MOST_CHOICES - 1), back(table)))


def wrong(table: Table) -> Decision:
    """Decide which rule speaks against what the pieces show, once nothing legal explains them."""
    if placing_now(table.game.position) is not None:
        return step_refused(table) or Waiting()
    refused = refusal(table)
    if refused is None:
        return Waiting()
    # Whether the next player may do that is a matter of the turn after this one.
    ends = ends_before(refused.action.player, table)
    if ends:
        choices = (*choices_of(ends, table, MOST_CHOICES - 1), back(table))
        return Ask(question_of(ends[0].action, table), choices)
    return refused


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
    return Ask(question_of(decision.action, table), choices_of((plain, *ways), table))


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
        ways = choices_of((Meaning(action, decision.verdict),), table, 1)
    text = "Pieces were moved while the table was not watched. Does it count?"
    return Ask(text, (*ways, back(table)))


def stays(table: Table, answer: Decision) -> Ask | None:
    """Ask whether the board is right, where the table goes on differing; None where it can't be right."""
    follow = restated(table)
    if follow is None or check(table.game.position, follow, table.game.cards).status != "legal":
        return None
    ways = answer.remedies[: MOST_CHOICES - 2] if isinstance(answer, Refused) else ()
    kept = tuple(way for way in ways if way.id != PUT_BACK)
    right = Choice(BOARD_RIGHT, "The board is right: the game follows it", follow)
    return Ask("The pieces lie differently from the game. Which one is right?", (*kept, back(table), right))


def _of_group(group: Group, table: Table) -> Done | Ask | Refused | None:
    """Decide what actions that fit come to; None where something more is to come."""
    meanings = readings(group, table)
    frugal = [meaning for meaning in meanings if not meaning.verdict.cost.ambition]
    first = meanings[0]
    if only_tokens(group):
        return _token_alone(group, meanings, table)
    if only_takes(group, table) and (len(meanings) > 1 or not frugal or _needs_a_word(first.action, table)):
        lifted = Choice(ONLY_LIFTED, f"Nothing: {put_back_words(table)}", None)
        return Ask(question_of(first.action, table), (*choices_of(meanings, table, MOST_CHOICES - 1), lifted))
    if len(meanings) == 1 and frugal:
        return Done(by_actor(first.action, table.game.position), first.verdict)
    if frugal:
        return Ask(question_of(first.action, table), choices_of(meanings, table))
    return _ambitious(group, meanings, table)


def _ambitious(group: Group, meanings: Firsts, table: Table) -> Done | Ask | Refused:
    """Explain why it can't be had for less, and offer what spends the team's Ambition."""
    action = meanings[0].action
    if isinstance(action, SpiritActionDone):
        bare = replace(action, upgrades=(), place=None)
        closest = closest_form(bare, table)
        if closest is not None:
            return refused_for(Deed(bare, group.left), closest, meanings, table)
    return Ask(question_of(action, table), (*choices_of(meanings, table, MOST_CHOICES - 1), back(table)))


def _token_alone(group: Group, meanings: Firsts, table: Table) -> Ask | None:
    """Ask what a Vibe token is that was laid on the Spirit board without a card shown for it."""
    tokens = [piece.name for content in group.left.values() for piece in content]
    if table.shown is not None and vibe_of(table.shown, table.game.cards) in tokens:
        return None
    later = Choice(FOR_AN_ACTION, "It goes with the next Spirit Action, for a card", None)
    return Ask("What is the Vibe token for?", (*choices_of(meanings, table, MOST_CHOICES - 1), later))


def _needs_a_word(action: Action, table: Table) -> bool:
    """Tell whether an action is not told by pieces alone.

    A card that has gone may have been lifted; a Vibe token may wait for the card that is given for it.
    """
    if isinstance(action, Absorb | Ambition):
        return True
    return isinstance(action, Quell) and table.shown is None
