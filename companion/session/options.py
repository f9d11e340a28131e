"""Asking the table: what could be done with a slot, Spirit space, Spirit Action or player, and why not."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules import words
from companion.rules.accounts import describe
from companion.rules.actions import (
    Action,
    Empower,
    EndTurn,
    Fortify,
    Invoke,
    Land,
    Move,
    Network,
    PlaceSpirit,
    Quell,
    RealmActionDone,
    Score,
    SpiritActionDone,
    UsePower,
)
from companion.rules.board import SLOTS, SPACES, neighbours, realms_of, slots_beside
from companion.rules.cards import Catalogue
from companion.rules.engine import check, legal_actions
from companion.rules.hands import possible_titles
from companion.rules.position import HIDDEN, ROWS, Position
from companion.rules.quell import fits
from companion.rules.remedy import remedy
from companion.rules.verdict import Verdict
from companion.scenario.notation import action_to
from companion.session.secrets import is_secret
from companion.session.session import refusal_words
from companion.session.steps import step_tries
from companion.table.meanings import Meaning, Placing, price, unbeaten, variants
from companion.table.pads import vibe_of
from companion.table.setting_up import placing_now


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that could be done, or why it can't be done now."""

    do: Mapping[str, Any]
    text: str
    """For people: "Empower Kindness with Channeled Power"."""
    cost_text: str
    """For people: "3 Willpower, 1 Ambition"; empty where nothing is spent, or it can't be done."""
    verdict: str
    """legal, illegal or unknown."""
    rules: tuple[str, ...]
    message: str
    """What would change, or why not."""
    remedy_text: str
    """What would make it legal; empty where nothing would."""


def options(position: Position, cards: Catalogue, target: str) -> list[Option]:
    """Return what the player to act could do with what was tapped.

    Args:
        position: the game.
        cards: the printed values.
        target: a slot, a Spirit space (a Frontier is both), a row of the Spirit board or a player; also
            with the kind before it: `slot/valley.1`, `spirit/valley`, `row/move`, `player/diana`. Only with
            it: `team/bliss` for its Intentions, and `step` for what people must still place or choose.

    Returns:
        Legal ones first, the cheapest first, then what is refused and why.
    """
    kind, name = _target(target, position)
    if kind == "step":
        return _of_step(position, cards)
    if kind == "team":
        return [_option(Score(count, player=_speaker(name, position)), position, cards) for count in (1, 2)]
    if kind == "player" and name != (placing_now(position) or position.actor).name:
        return [_option(EndTurn("cards", name), position, cards)] if name in position.players else []
    if kind in ("slot", "place") and name in SLOTS and placing_now(position) is None:
        tries = _closest(kind, name, position, cards)
    elif kind == "row" and name in ("invoke", "quell"):
        tries = _aimed(name, position, cards)
    else:
        tries = tuple(_plain(kind, name, position))
    legal = unbeaten(
        Meaning(action, verdict)
        for action, verdict in _legal(position, cards)
        if _concerns(action, kind, name)
    )
    found = [_option(meaning.action, position, cards, meaning.verdict) for meaning in legal]
    covered = {_row(meaning.action) for meaning in legal}
    for action in tries:
        if _row(action) not in covered or kind == "row":
            option = _option(action, position, cards)
            if option.verdict != "legal":
                found.append(option)
    return found


def _of_step(position: Position, cards: Catalogue) -> list[Option]:
    """Return the ways to settle the open step; what is refused there says nothing that would help."""
    found = (_option(action, position, cards) for action in step_tries(position, cards))
    return [option for option in found if option.verdict != "illegal"]


def _speaker(team: str, position: Position) -> str | None:
    """Return who says what a team did: whoever's turn it is, if it is the team's, else one of the team."""
    mates = [player.name for player in position.players.values() if player.team == team]
    return None if position.turn.player in mates else next(iter(mates), None)


def _target(target: str, position: Position) -> tuple[str, str]:
    kind, slash, name = target.partition("/")
    if target == "step" or (kind == "team" and name in position.teams):
        return kind, name
    if slash and kind in ("slot", "spirit", "row", "player"):
        return kind, name
    if target in position.players:
        return "player", target
    if target in ROWS:
        return "row", target
    return "place", target


def _legal(position: Position, cards: Catalogue) -> Iterator[tuple[Action, Verdict]]:
    """Yield the legal actions: with no new Vibe token, in locked rows with one for a known hand card."""
    yield from legal_actions(position, cards, placing=False)
    player = position.actor
    shapes: list[Move | Empower] = []
    if not player.row("move")[0]:
        shapes += [Move(space) for space in SPACES]
    if not player.row("empower")[0]:
        shapes += [Empower(slot) for slot in position.slots]
    for title in sorted(set(player.hand) - {HIDDEN}):
        for shape in shapes:
            for action in variants(shape, position, Placing(title, vibe_of(title, cards) or ""), cards):
                verdict = check(position, action, cards)
                if verdict.status == "legal":
                    yield action, verdict


def _concerns(action: Action, kind: str, name: str) -> bool:
    """Tell whether an action has to do with what was tapped; a bare place may be a slot or a Spirit space."""
    if is_secret(action):
        return False
    if kind in ("player", "row"):
        return kind == "player" or name in (_row(action), getattr(action, "row", None))
    if kind in ("slot", "place") and name in _slots(action):
        return True
    return kind in ("spirit", "place") and name == _space(action)


def _slots(action: Action) -> tuple[str, ...]:
    if isinstance(action, Network):
        return action.slot, action.to
    if isinstance(action, UsePower):
        return () if action.slot is None else (action.slot,)
    return (action.slot,) if isinstance(action, Invoke | Quell | Empower | Land | PlaceSpirit) else ()


def _space(action: Action) -> str | None:
    if isinstance(action, Move):
        return action.to
    if isinstance(action, Fortify):
        return action.realm
    if isinstance(action, PlaceSpirit):
        return action.at
    return _row(action) if isinstance(action, RealmActionDone) else None


def _plain(kind: str, name: str, position: Position) -> Iterator[Action]:
    """Yield the plain tries whose refusal tells people something."""
    if kind in ("spirit", "place") and name in SPACES and name != position.actor.at:
        yield Move(name)
    at = position.actor.at
    if kind == "row" and at is not None:
        if name == "move":
            yield from (Move(space) for space in neighbours(at))
        if name == "empower":
            yield from (Empower(slot) for slot in slots_beside(at))
        if name == "fortify":
            yield from (Fortify(realm) for realm in realms_of(at))


def _closest(kind: str, slot: str, position: Position, cards: Catalogue) -> tuple[Action, ...]:
    """Return what a slot is for, to be refused with what tells people most: of several tries the nearest one.

    An own Emotion is empowered, another one quelled, into an empty slot, where that is surely meant, one is
    invoked.
    """
    lying = position.slots.get(slot)
    titles = possible_titles(position, position.actor, cards)
    tries: list[Invoke | Quell | Empower]
    if lying is None:
        tries = [Invoke(title, slot) for title in titles] if kind == "slot" else []
    elif cards.cards[lying.name].team == position.actor.team:
        tries = [Empower(slot)]
    else:
        shown = [title for title in titles if fits(cards.cards[title], cards.cards[lying.name])]
        tries = [Quell(slot, title) for title in shown] or [Quell(slot)]
    nearest = min(tries, key=lambda action: len(check(position, action, cards).refusals), default=None)
    moves = (Move(slot),) if slot in SPACES and slot != position.actor.at else ()
    return moves if nearest is None else (nearest, *moves)


def _aimed(row: str, position: Position, cards: Catalogue) -> tuple[Action, ...]:
    """Return what an Invoke or a Quell could be aimed at, to be refused: beside the figure, else anywhere."""
    at = position.actor.at
    beside = () if at is None else slots_beside(at)
    for slots in (beside, SLOTS):
        tries = (action for slot in slots for action in _closest("slot", slot, position, cards))
        if found := tuple(action for action in tries if _row(action) == row):
            return found[:1] if slots is SLOTS else found
    return ()


def _row(action: Action) -> str:
    return type(action).__name__.lower()


def _option(action: Action, position: Position, cards: Catalogue, verdict: Verdict | None = None) -> Option:
    verdict = verdict or check(position, action, cards)
    do, text = action_to(action), label(action, position, cards)
    if verdict.status == "legal" and verdict.after is not None:
        message = describe(position, action, verdict.after, cards)
        cost = words.cost_words(verdict.cost) if any(price(Meaning(action, verdict))[:3]) else ""
        return Option(do, text, cost, "legal", (), message, "")
    # While a game is set up, the step that is due is the way out of everything, and the refusal says so.
    judged = verdict.status == "illegal" and placing_now(position) is None
    hint = remedy(position, action, cards) if judged else None
    return Option(
        do, text, "", verdict.status, verdict.rules, refusal_words(verdict), hint.text if hint else ""
    )


def label(action: Action, position: Position, cards: Catalogue) -> str:
    """Name an action for a button: "Move to the Cradle with Haste"."""
    if not isinstance(action, SpiritActionDone):
        return words.naming(action, position)
    parts = [_base_label(action, position)]
    upgrades = [upgrade for upgrade in action.upgrades if upgrade not in ("exalt", "raze")]
    if upgrades:
        parts.append("with " + " and ".join(words.title(upgrade) for upgrade in upgrades))
    if action.place is not None:
        colour = vibe_of(action.place.discard, cards) or ""
        parts.append(f"after giving {words.title(action.place.discard)} for a {words.vibe_words(colour)}")
    return " ".join(parts)


def _base_label(action: Move | Invoke | Quell | Fortify | Empower, position: Position) -> str:
    if isinstance(action, Move) and action.trade_with is not None:
        return f"Trade spaces with {words.person(action.trade_with)} {words.standing_words(action.to)}"
    if isinstance(action, Move):
        return f"Move to the {words.space_words(action.to)}"
    if isinstance(action, Invoke):
        return f"Invoke {words.title(action.emotion)} into the {words.slot_words(action.slot)}"
    if isinstance(action, Fortify):
        verb = next((words.title(name) for name in ("exalt", "raze") if name in action.upgrades), "Fortify")
        return f"{verb} the {words.space_words(action.realm)}"
    verb = "Quell" if isinstance(action, Quell) else "Empower"
    lying = position.slots.get(action.slot)
    return f"{verb} {words.title(lying.name) if lying else 'the ' + words.slot_words(action.slot)}"
