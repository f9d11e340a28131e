"""Judges actions: legal with what follows, illegal with every rule that forbids it, or unknown."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from functools import partial
from operator import attrgetter
from typing import Any, Final

from companion.rules import (
    absorb,
    adjust,
    ambition,
    empower,
    end_turn,
    fortify,
    intentions,
    invoke,
    move,
    quell,
    realms,
    revealing,
    starting,
    use_power,
)
from companion.rules.actions import (
    Absorb,
    Action,
    Adjust,
    Ambition,
    Empower,
    EndTurn,
    Fortify,
    Invoke,
    Move,
    PlainDone,
    Quell,
    Score,
    SpiritActionDone,
    UsePower,
)
from companion.rules.attempt import Attempt, Rule, SpiritAttempt
from companion.rules.boards import earned, own_row
from companion.rules.cards import Catalogue
from companion.rules.choices import choices
from companion.rules.dearer import POWERS_PAYMENT
from companion.rules.derived import Declared, Derived
from companion.rules.following import follow
from companion.rules.frame import EVERY_ACTION, another_turn, no_actions_left
from companion.rules.gains import paid
from companion.rules.position import Player, Position
from companion.rules.procedure import Plain, Procedure
from companion.rules.surcharge import Surcharge, surcharge
from companion.rules.upgrades import CHOICE, PAYMENT, names_unknown_upgrade, total_cost, unknown_board
from companion.rules.verdict import Cost, Later, Refusal, Verdict
from companion.rules.vibes import PLACING, intended, row_locked

PROCEDURES: Final[Mapping[type, tuple[str, Procedure[Any]]]] = {
    Move: ("move", move.PROCEDURE),
    Invoke: ("invoke", invoke.PROCEDURE),
    Quell: ("quell", quell.PROCEDURE),
    Fortify: ("fortify", fortify.PROCEDURE),
    Empower: ("empower", empower.PROCEDURE),
}
"""The Spirit Actions: the row of the Spirit board, and what the Action adds to the common frame."""

PLAIN: Final[Mapping[type, Plain[Any]]] = {
    **realms.PROCEDURES,
    Absorb: absorb.PROCEDURE,
    Ambition: ambition.PROCEDURE,
    **revealing.PROCEDURES,
    **starting.PROCEDURES,
    Score: intentions.PROCEDURE,
    Adjust: adjust.PROCEDURE,
    UsePower: use_power.PROCEDURE,
    EndTurn: end_turn.PROCEDURE,
}
"""Whatever is no Spirit Action."""


_DECLARING: Final[Mapping[tuple[type, bool, bool], tuple[Rule[Any], ...]]] = {
    (kind, placing, upgrading): (
        *EVERY_ACTION,
        *procedure.mode,
        no_actions_left,
        *(PLACING if placing else ()),
        row_locked,
        *(CHOICE if upgrading else ()),
    )
    for kind, (_, procedure) in PROCEDURES.items()
    for placing in (False, True)
    for upgrading in (False, True)
}
"""The rules that forbid a Spirit Action whatever it is aimed at; people hear of them first.

Those on a token or on upgrades are left out for an Action without any: it can't break them.
"""

_AIMING: Final[Mapping[type, tuple[Rule[Any], ...]]] = {
    kind: (*procedure.target, *PAYMENT) for kind, (_, procedure) in PROCEDURES.items()
}
"""The rules that hang on the target."""

_WHATEVER_HAND: Final[Mapping[type, tuple[Rule[Any], ...]]] = {
    kind: tuple(rule for rule in _AIMING[kind] if rule is not procedure.in_hand)
    for kind, (_, procedure) in PROCEDURES.items()
}
"""Those of them that hang on nothing else."""

_AIM: Final[Mapping[type, Callable[[Any], object]]] = {
    kind: attrgetter(
        *(part.name for part in fields(kind) if part.name not in {"upgrades", "place", "player"})
    )
    for kind in PROCEDURES
}
"""What tells one target from another."""


def check(position: Position, action: Action, cards: Catalogue) -> Verdict:
    """Judge one action in one position; neither is changed.

    Args:
        position: what the table knows.
        action: what a player wants to do.
        cards: the printed values, a scenario's or table's own ones laid over.

    Returns:
        The verdict. Of a legal action `after` is the position that follows; the refusals of an illegal one
        name every rule that forbids it, the most fundamental first.
    """
    return _judged(Derived(position, cards), action, _refusals)


def judged(derived: Derived, action: Action) -> Verdict:
    """Judge like `check`, for many actions in one position: control and hands are worked out once."""
    return _judged(derived, action, _refusals)


def legal_actions(
    position: Position, cards: Catalogue, *, placing: bool = True
) -> Iterator[tuple[Action, Verdict]]:
    """List every legal action of the player to act with its verdict, lazily.

    Args:
        position: the position.
        cards: the printed values.
        placing: False leaves out the actions that place a Vibe token first: far fewer, where a hand has
            unknown cards that could be many titles.

    Returns:
        Actions with `player` left out and upgrades in the order of the board.
    """
    derived = Derived(position, cards)
    return legal_among(derived, choices(derived, placing=placing))


def legal_among(derived: Derived, tries: Iterable[Action]) -> Iterator[tuple[Action, Verdict]]:
    """Yield the legal ones of many actions in one position with their verdicts, lazily."""
    for action in tries:
        if isinstance(action, SpiritActionDone):
            verdict = _listed(derived, action)
        else:
            verdict = _judged(derived, action, _one_refusal)
        if verdict.status == "legal":
            yield action, verdict


def _listed(derived: Derived, action: SpiritActionDone) -> Verdict:
    """Judge a Spirit Action for a list, where most differ from each other in the token placed alone.

    What hangs on the target is the same for all tokens but for what the hand that is left can show, so the
    target is judged once. An illegal action has one refusal at most.
    """
    kind, player = type(action), derived.position.players.get(action.player or derived.position.turn.player)
    if player is None:
        return judged(derived, action)
    declared = _declared(derived, player, action)
    if declared.refusals:
        return Verdict("illegal", refusals=declared.refusals[:1])
    _, procedure = PROCEDURES[kind]
    aim = (kind, player.name, action.upgrades, _AIM[kind](action))
    found = derived.aimed.get(aim)
    if found is None:
        found = _spirit_action(derived, player, action, _WHATEVER_HAND[kind], _one_refusal)
        derived.aimed[aim] = found
    if found.status != "legal":
        return found
    if procedure.in_hand is not None:
        refusals = _one_refusal(_aimed(derived, player, action, declared), (procedure.in_hand,))
        if refusals:
            return Verdict("illegal", refusals=refusals)
    return Verdict("legal", found.cost, later=Later(partial(_after, derived, action)))


def _after(derived: Derived, action: Action) -> Position | None:
    return judged(derived, action).after


Forbidding = Callable[[Any, tuple[Rule[Any], ...]], tuple[Refusal, ...]]
"""How an attempt is held against rules: which of the refusals are wanted."""


def _refusals(attempt: Any, rules: tuple[Rule[Any], ...]) -> tuple[Refusal, ...]:
    """Return every refusal: for people."""
    return tuple(
        [
            Refusal(rule.rule, rule.template, facts)
            for rule in rules
            if (facts := rule.broken(attempt)) is not None
        ]
    )


def _one_refusal(attempt: Any, rules: tuple[Rule[Any], ...]) -> tuple[Refusal, ...]:
    """Return one refusal at most: for lists. The last rules are the ones that forbid most tries."""
    for rule in reversed(rules):
        facts = rule.broken(attempt)
        if facts is not None:
            return (Refusal(rule.rule, rule.template, facts),)
    return ()


def _judged(derived: Derived, action: Action, forbidding: Forbidding) -> Verdict:
    position, cards = derived.position, derived.cards
    player = position.players.get(action.player or position.turn.player)
    if player is None:
        stranger = Player(action.player or "", "bliss")
        attempt: Attempt[Any] = Attempt(position, action, cards, stranger, derived)
        return Verdict("illegal", refusals=forbidding(attempt, (another_turn,)))
    if isinstance(action, SpiritActionDone):
        return _spirit_action(derived, player, action, _AIMING[type(action)], forbidding)
    return _plain(Attempt(position, action, cards, player, derived), forbidding)


def _plain(attempt: Attempt[PlainDone], forbidding: Forbidding) -> Verdict:
    procedure = PLAIN[type(attempt.action)]
    refusals = forbidding(attempt, procedure.rules)
    if refusals:
        return Verdict("illegal", refusals=refusals)
    cost, missing = procedure.cost(attempt), procedure.missing(attempt)
    if missing:
        return Verdict("unknown", cost, missing=missing)
    return Verdict("legal", cost, later=Later(partial(_after_plain, procedure, attempt, cost)))


def _after_plain(procedure: Plain[Any], attempt: Attempt[Any], cost: Cost) -> Position:
    position = paid(attempt.position, attempt.player.name, cost)
    if procedure.takes_action:
        after = procedure.effect(attempt, _one_action_less(position))
        return follow(attempt.position, attempt.action, after, attempt.cards)
    return procedure.effect(attempt, position)


def _one_action_less(position: Position) -> Position:
    return replace(position, turn=replace(position.turn, actions_left=position.turn.actions_left - 1))


def _spirit_action(
    derived: Derived,
    player: Player,
    action: SpiritActionDone,
    rules: tuple[Rule[Any], ...],
    forbidding: Forbidding,
) -> Verdict:
    name, procedure = PROCEDURES[type(action)]
    declared = _declared(derived, player, action)
    attempt = _aimed(derived, player, action, declared)
    if not declared.refusals and names_unknown_upgrade(attempt):
        return Verdict("unknown", attempt.cost, missing=unknown_board(attempt))
    asked = surcharge(derived, player, name, action)
    if asked is not None:
        attempt, rules = _surcharged(attempt, procedure, asked), (*rules, *POWERS_PAYMENT)
    refusals = declared.refusals + forbidding(attempt, rules)
    if refusals:
        return Verdict("illegal", refusals=refusals)
    cost = attempt.cost if attempt.surcharge is not None else _with_essence(attempt, procedure)
    missing = unknown_board(attempt) + procedure.missing(attempt)
    if missing:
        return Verdict("unknown", cost, missing=missing)
    return Verdict("legal", cost, later=Later(partial(_after_spirit_action, procedure, attempt, cost)))


def _after_spirit_action(procedure: Procedure[Any], attempt: SpiritAttempt[Any], cost: Cost) -> Position:
    after = earned(attempt, procedure.effect(attempt, _paid(attempt, cost)))
    return follow(attempt.position, attempt.action, after, attempt.cards)


def _with_essence(attempt: SpiritAttempt[Any], procedure: Procedure[Any]) -> Cost:
    essence, cost = procedure.essence(attempt), attempt.cost
    return Cost(cost.willpower, essence, cost.ambition) if essence else cost


def _surcharged(
    attempt: SpiritAttempt[Any], procedure: Procedure[Any], asked: Surcharge
) -> SpiritAttempt[Any]:
    cost = asked.added_to(_with_essence(attempt, procedure))
    return replace(attempt, cost=cost, surcharge=asked)


def _declared(derived: Derived, player: Player, action: SpiritActionDone) -> Declared:
    """Return what an Action comes to before its target is looked at: the same for every target, so kept."""
    key = (type(action), player.name, action.place, action.upgrades)
    found = derived.declared.get(key)
    if found is not None:
        return found
    name, _ = PROCEDURES[type(action)]
    board_row = own_row(player, name, derived.cards)
    row, hand = intended(derived, player, action.place, name)
    upgrades = frozenset(u.name for u in board_row.upgrades if u.name in action.upgrades)
    attempt: SpiritAttempt[Any] = SpiritAttempt(
        *(derived.position, action, derived.cards, player, derived),
        *(board_row, row, hand, upgrades, total_cost(board_row, upgrades)),
    )
    rules = _DECLARING[type(action), action.place is not None, action.upgrades != ()]
    declared = Declared(board_row, row, hand, upgrades, attempt.cost, _refusals(attempt, rules))
    derived.declared[key] = declared
    return declared


def _aimed(
    derived: Derived, player: Player, action: SpiritActionDone, declared: Declared
) -> SpiritAttempt[Any]:
    return SpiritAttempt(
        derived.position,
        action,
        derived.cards,
        player,
        derived,
        declared.board_row,
        declared.row,
        declared.hand,
        declared.upgrades,
        declared.cost,
    )


def _paid(attempt: SpiritAttempt[Any], cost: Cost) -> Position:
    """Return the position with token placed, card discarded, cost paid and one Action used."""
    player = attempt.player
    if attempt.action.place is not None:
        vibes = {**player.vibes, attempt.board_row.name: attempt.row}
        player = replace(player, hand=attempt.hand, vibes=vibes)
    position = attempt.position.with_player(player)
    return _one_action_less(paid(position, player.name, cost))
