"""The cheapest change that makes an illegal action legal, found by search over what a player can change.

Cheapest means, in this order: least Ambition, fewest hand cards discarded, least Willpower, least Essence, no
card that would have to turn out to be the right one, fewest changes. Ambition comes first because a team has
three at most; a card comes before Willpower because nobody gives one away to save 1 Willpower.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from companion.rules.actions import Action, Move, Place, Quell, SpiritActionDone
from companion.rules.cards import Catalogue
from companion.rules.choices import placings
from companion.rules.derived import Derived
from companion.rules.engine import PROCEDURES, check
from companion.rules.hands import possible_titles
from companion.rules.plain_remedy import added_up, first_words, moves, plain_remedy, spent
from companion.rules.position import HIDDEN, Player, Position
from companion.rules.upgrades import subsets, with_tokens
from companion.rules.verdict import Cost, Remedy, Verdict
from companion.rules.vibes import WILD, colour_of, with_token
from companion.rules.words import ACTION_TITLES, title

_HOPELESS: Final = frozenset({"R-TURN-1", "R-TURN-2", "R-TURN-7", "R-END-5", "R-EMP-1"})
"""Nothing that the player changes in the action helps against these."""

_DOES: Final = {
    "haste": "Haste goes two steps",
    "surmount": "Surmount ends on an opponent's space",
    "bolster": "Bolster adds an Essence",
    "inner-force": "Inner Force takes the Essence from the supply",
    "subdue": "Subdue takes a second Essence",
    "extinguish": "Extinguish needs no card shown",
    "exalt": "Exalt makes the Fortress a Major Fragment",
    "raze": "Raze brings the Fortress down",
    "channeled-power": "Channeled Power adds the missing Essence",
    "emotional-outburst": "Emotional Outburst reaches any slot",
    "determination": "Determination saves 1 Willpower",
}
"""What an upgrade does for the action, as the reason to add it."""

Rank = tuple[int, int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class _Way:
    """A changed action that is legal."""

    action: SpiritActionDone
    cost: Cost
    rank: Rank


def remedy(position: Position, action: Action, cards: Catalogue) -> Remedy | None:
    """Find the cheapest way to do what an illegal action was meant to do.

    The same Action on the same target with other upgrades, another Vibe token placed or another card shown;
    where none of that helps and an Action is left over, a Move before it.

    Args:
        position: the position.
        action: what was refused; for an action that is not illegal there is nothing to mend.
        cards: the printed values.

    Returns:
        The way, or None. Where it takes two Actions, `action` is the first of them and `cost` counts both.
    """
    verdict = check(position, action, cards)
    if verdict.status != "illegal" or _HOPELESS.intersection(verdict.rules):
        return None
    if not isinstance(action, SpiritActionDone):
        return plain_remedy(position, action, cards)
    way = _best(_changed(position, action, cards))
    if way is not None:
        return Remedy(way.action, way.cost, _says(action, way, position.actor.hand, cards))
    return _move_first(position, action, cards)


def _best(ways: Iterator[_Way]) -> _Way | None:
    return min(ways, key=lambda way: way.rank, default=None)


def _changed(position: Position, action: SpiritActionDone, cards: Catalogue) -> Iterator[_Way]:
    """Yield every legal action with the same deed and target, unknown cards tried as one title per colour."""
    row, _ = PROCEDURES[type(action)]
    player = position.actor
    places = [place for place in placings(Derived(position, cards), player, row) if place != action.place]
    for place in (action.place, *_distinct(places, player, cards)):
        tokens = player.row(row)
        if place is not None:
            tokens = with_token(tokens, place.space, WILD)
        for upgrades in subsets(with_tokens(cards.rows[row], tokens)):
            if not _same_deed(action, upgrades):
                continue
            for other in _shown(position, replace(action, upgrades=upgrades, place=place), cards):
                verdict = check(position, other, cards)
                if verdict.status == "legal":
                    yield _Way(other, verdict.cost, _rank(position, action, other, verdict))


def _same_deed(action: SpiritActionDone, upgrades: tuple[str, ...]) -> bool:
    """Tell whether a Fortify stays a Fortify, an Exalt an Exalt; of two deeds at once either will do."""
    asked = {"exalt", "raze"}.intersection(action.upgrades)
    chosen = {"exalt", "raze"}.intersection(upgrades)
    return chosen == asked or (len(asked) > 1 and len(chosen) == 1)


def _distinct(places: Iterable[Place | None], player: Player, cards: Catalogue) -> Iterator[Place | None]:
    """Leave out placings that differ only in which title of a colour an unknown card would be."""
    seen = set()
    for place in places:
        if place is not None and place.discard not in player.hand:
            key = (colour_of(place.discard, cards), place.space)
            if key in seen:
                continue
            seen.add(key)
        yield place


def _shown(position: Position, action: SpiritActionDone, cards: Catalogue) -> Iterator[SpiritActionDone]:
    """Yield the action with each card that a Quell could show; any other action as it is."""
    if not isinstance(action, Quell):
        yield action
        return
    if "extinguish" in action.upgrades:
        yield replace(action, reveal=None)
        return
    target = position.slots.get(action.slot)
    vibe = None if target is None else cards.cards[target.name].vibe
    hand, guessed = position.actor.hand, False
    for name in dict.fromkeys((action.reveal, *possible_titles(position, position.actor, cards))):
        if name is None or (vibe is not None and colour_of(name, cards) != vibe):
            continue
        if name not in hand and guessed:
            continue
        guessed = guessed or name not in hand
        yield replace(action, reveal=name)


def _rank(position: Position, asked: SpiritActionDone, other: SpiritActionDone, verdict: Verdict) -> Rank:
    hand = position.actor.hand
    named = [other.place.discard] if other.place else []
    if isinstance(other, Quell) and other.reveal:
        named.append(other.reveal)
    guesses = sum(name not in hand for name in named) if HIDDEN in hand else 0
    changes = len(set(asked.upgrades).symmetric_difference(other.upgrades))
    changes += asked.place != other.place
    if isinstance(asked, Quell) and isinstance(other, Quell):
        changes += asked.reveal != other.reveal
    cost = verdict.cost
    return cost.ambition, int(other.place is not None), cost.willpower, cost.essence, guesses, changes


def _card_words(name: str, hand: tuple[str, ...], cards: Catalogue) -> str:
    """Name a card of the hand; of an unknown one only the colour is asked for."""
    return title(name) if name in hand else f"a {colour_of(name, cards)} card"


def _says(asked: SpiritActionDone, way: _Way, hand: tuple[str, ...], cards: Catalogue) -> str:
    """Say what is different, and what it costs then."""
    text = _difference(asked, way.action, hand, cards) or "name each upgrade once"
    return f"{text[0].upper()}{text[1:]}: {spent(way.cost)}."


def _difference(
    asked: SpiritActionDone, other: SpiritActionDone, hand: tuple[str, ...], cards: Catalogue
) -> str:
    """Say how two tries of one Action differ, "" where they only name upgrades otherwise."""
    parts = []
    if other.place is not None and other.place != asked.place:
        parts.append(_placing_words(other, other.place, _card_words(other.place.discard, hand, cards)))
    parts += [_DOES[name] for name in other.upgrades if name not in asked.upgrades]
    if isinstance(other, Quell) and isinstance(asked, Quell) and other.reveal not in (None, asked.reveal):
        parts.append(f"show {_card_words(other.reveal or '', hand, cards)}")
    dropped = [name for name in dict.fromkeys(asked.upgrades) if name not in other.upgrades]
    if dropped:
        parts.append("do without " + " and ".join(title(name) for name in dropped))
    if asked.place is not None and other.place is None:
        parts.append("place no Vibe token")
    return ", ".join(parts)


def _placing_words(action: SpiritActionDone, place: Place, card: str) -> str:
    row, _ = PROCEDURES[type(action)]
    if place.space == 1:
        return f"discard {card} to unlock {ACTION_TITLES[row]}"
    return f"discard {card} for a token on space {place.space} of {ACTION_TITLES[row]}"


def _move_first(position: Position, action: SpiritActionDone, cards: Catalogue) -> Remedy | None:
    """Find the cheapest Move after which the action, as it was asked for or changed, is legal."""
    player = position.actor
    if position.turn.actions_left < 2 or (isinstance(action, Move) and action.to == player.at):
        return None
    best: tuple[Rank, Move, _Way, Cost] | None = None
    for step, moved in moves(position, cards):
        way = None if moved.after is None else _best(_changed(moved.after, action, cards))
        if way is None:
            continue
        cost = added_up(moved.cost, way.cost)
        rank = (cost.ambition, way.rank[1], cost.willpower, cost.essence, way.rank[4], way.rank[5])
        if best is None or rank < best[0]:
            best = (rank, step, way, cost)
    if best is None:
        return None
    _, step, way, cost = best
    then = _difference(action, way.action, player.hand, cards)
    text = first_words(position, step)
    return Remedy(step, cost, f"{text}{', then ' + then if then else ''}: {spent(cost)} in all.")
