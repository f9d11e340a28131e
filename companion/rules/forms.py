"""The forms that a refused deed could take: what is wanted stays, the manner of doing it changes.

Some of them lack a token or a card that the player would have to get first: they tell what is missing.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from companion.rules.actions import (
    Absorb,
    Action,
    Ambition,
    EndTurn,
    Invoke,
    Land,
    Place,
    Quell,
    SpiritActionDone,
    Willow,
)
from companion.rules.boards import is_known, own_row
from companion.rules.choices import free_tokens
from companion.rules.derived import Derived
from companion.rules.engine import PROCEDURES
from companion.rules.position import HIDDEN, Player, Row
from companion.rules.upgrades import subsets, total_cost
from companion.rules.verdict import Cost
from companion.rules.vibes import UNLOCK_SPACE, colour_of, is_unlocked

_DEEDS: Final = frozenset({"exalt", "raze"})
"""Upgrades that make another deed of a Fortify (R-FORT-1)."""

MOST_AMOUNTS: Final = 8
"""Smaller amounts tried in place of the one asked for."""

BONUS: Final = 3
"""How much of an Absorb is lost without its bonus, where another space or colour of a token counts 1 each."""


NOTHING: Final = Cost()


@dataclass(frozen=True, slots=True)
class Form:
    """One way to do the deed."""

    action: Action
    lost: int = 0
    """How far it falls short of what was asked for: an amount, a bonus; never of a Spirit Action."""
    cost: Cost = NOTHING
    """Of a Spirit Action its price, Essence left out; otherwise nothing: what can be told without judging."""
    cards: int = 0
    """Hand cards discarded."""
    guesses: int = 0
    """Cards named that only an unknown hand card could be."""
    changes: int = 0
    """How many things are different from what was asked for."""
    at_hand: bool = True
    """False where tokens, cards, Willpower or Ambition for it are not there for sure."""

    @property
    def price(self) -> tuple[int, int, int, int]:
        """What is compared first, cheapest first."""
        return self.lost, self.cost.ambition, self.cards, self.cost.willpower


def forms(derived: Derived, player: Player, asked: Action) -> list[Form]:
    """Return the forms of a deed, the cheapest first.

    Args:
        derived: the position to do it in.
        player: who acts.
        asked: what was refused.
    """
    found = (
        list(_spirit_forms(derived, player, asked))
        if isinstance(asked, SpiritActionDone)
        else [Form(asked), *_plain_forms(derived, player, asked)]
    )
    return sorted(found, key=lambda form: (*form.price, form.guesses, form.changes))


def named_cards(action: Action) -> tuple[str, ...]:
    """Return the hand cards that a Spirit Action shows or plays, the one for a token left out."""
    if isinstance(action, Invoke):
        return (action.emotion,)
    return (action.reveal,) if isinstance(action, Quell) and action.reveal is not None else ()


# Spirit Actions


def _spirit_forms(derived: Derived, player: Player, asked: SpiritActionDone) -> Iterator[Form]:
    name, _ = PROCEDURES[type(asked)]
    board_row, tokens = own_row(player, name, derived.cards), player.row(name)
    ambition = derived.position.teams[player.team].ambition
    none_yet = True
    # Where nobody knows the upgrades of a side B, no use of them can be legal.
    known = is_known(player, name, derived.cards)
    for upgrades in subsets(tuple(upgrade.name for upgrade in board_row.upgrades) if known else ()):
        lacking = [
            space
            for space, upgrade in enumerate(board_row.upgrades, 2)
            if upgrade.name in upgrades and not tokens[space - 1]
        ]
        if not is_unlocked(tokens):
            lacking.insert(0, UNLOCK_SPACE)
        # One action places one token, so what lacks two is out of reach (R-VIBE-3).
        if len(lacking) > 1 or not _same_deed(asked, upgrades):
            continue
        cost = total_cost(board_row, upgrades)
        payable = cost.willpower <= player.willpower and cost.ambition <= ambition
        for shown in _shown(derived, player, replace(asked, upgrades=upgrades, place=None)):
            for place, there in _places(derived, player, asked, shown, lacking):
                none_yet = False
                form = replace(shown, place=place)
                yield Form(
                    form,
                    cost=cost,
                    cards=int(place is not None),
                    guesses=_guesses(form, player.hand),
                    changes=_changes(asked, form),
                    at_hand=payable and there,
                )
    if none_yet:
        yield Form(asked, at_hand=False)


def _same_deed(asked: SpiritActionDone, upgrades: tuple[str, ...]) -> bool:
    """Tell whether a Fortify stays a Fortify, an Exalt an Exalt; of two deeds at once either will do."""
    wanted, chosen = _DEEDS.intersection(asked.upgrades), _DEEDS.intersection(upgrades)
    return chosen == wanted or (len(wanted) > 1 and len(chosen) == 1)


def _shown(derived: Derived, player: Player, action: SpiritActionDone) -> Iterator[SpiritActionDone]:
    """Yield the action with each card that a Quell could show; any other action as it is."""
    if not isinstance(action, Quell):
        yield action
        return
    if "extinguish" in action.upgrades:
        yield replace(action, reveal=None)
        return
    cards = derived.cards
    target = derived.position.slots.get(action.slot)
    vibe = None if target is None else cards.cards[target.name].vibe
    titles = derived.titles(player.name, player.hand)
    fitting = [title for title in titles if vibe is None or colour_of(title, cards) == vibe]
    known = [title for title in fitting if title in player.hand]
    # Unknown cards of one colour serve alike; two of them, as the first may be the one for the token.
    unknown = [title for title in fitting if title not in player.hand][:2]
    if action.reveal in fitting:
        fitting.remove(action.reveal)
        yield action
    for title in (*known, *unknown):
        if title != action.reveal:
            yield replace(action, reveal=title)
    if not known and not unknown:
        yield action


def _places(
    derived: Derived, player: Player, asked: SpiritActionDone, shown: SpiritActionDone, lacking: list[int]
) -> Iterator[tuple[Place | None, bool]]:
    """Yield the ways to come by the token that is lacking, and whether that can be done now.

    Without a token placed it has to come from elsewhere: an Ability, Knowledge.
    """
    if not lacking:
        yield None, True
        return
    [space] = lacking
    yield None, False
    if asked.place is not None and asked.place.space == space:
        yield asked.place, True
    name, _ = PROCEDURES[type(asked)]
    discards = _discards(derived, player, player.row(name), named_cards(shown))
    yield from ((Place(title, space), True) for title in discards)
    if not discards:
        wished = _wished(derived, player, player.row(name))
        if wished is not None:
            yield Place(wished, space), False


def _discards(derived: Derived, player: Player, tokens: Row, named: tuple[str, ...]) -> list[str]:
    """Return a known card for a token and one that an unknown card could be, where there are such."""
    fitting = [
        title
        for title in derived.titles(player.name, player.hand)
        if (colour := colour_of(title, derived.cards)) is not None and colour not in tokens
    ]
    known = [title for title in fitting if title in player.hand]
    unknown = [title for title in fitting if title not in player.hand]
    # A card that is shown or played as well is the last one to give away.
    known.sort(key=lambda title: title in named and player.hand.count(title) < 2)
    unknown.sort(key=lambda title: title in named)
    return known[:1] + unknown[:1]


def _wished(derived: Derived, player: Player, tokens: Row) -> str | None:
    """Return a title that a card drawn for a token could have."""
    return next(
        (
            card.name
            for card in derived.cards.cards.values()
            if card.team == player.team and card.strength == "mild" and card.vibe not in (None, *tokens)
        ),
        None,
    )


def _guesses(action: SpiritActionDone, hand: tuple[str, ...]) -> int:
    named = [action.place.discard] if action.place else []
    if isinstance(action, Quell) and action.reveal:
        named.append(action.reveal)
    return sum(title not in hand for title in named) if HIDDEN in hand else 0


def _changes(asked: SpiritActionDone, form: SpiritActionDone) -> int:
    changes = len(set(asked.upgrades).symmetric_difference(form.upgrades)) + (asked.place != form.place)
    if isinstance(asked, Quell) and isinstance(form, Quell):
        changes += asked.reveal != form.reveal
    return changes


# All others


def _plain_forms(derived: Derived, player: Player, asked: Action) -> Iterator[Form]:
    """Yield the same deed with something else: a smaller amount, another token, no bonus."""
    if isinstance(asked, EndTurn):
        yield Form(replace(asked, gain="cards" if asked.gain == "ambition" else "ambition"), lost=1)
    elif isinstance(asked, Willow):
        for amount in _less(asked.amount, player.willpower):
            yield Form(replace(asked, amount=amount), lost=asked.amount - amount)
    elif isinstance(asked, Land):
        for essence in _less(asked.essence, player.essence):
            yield Form(replace(asked, essence=essence), lost=asked.essence - essence)
    elif isinstance(asked, Absorb | Ambition):
        yield from _other_tokens(derived, player, asked)
        if isinstance(asked, Absorb) and asked.bonus:
            yield Form(replace(asked, bonus=False, token=None), lost=BONUS)


def _less(asked: int, has: int) -> tuple[int, ...]:
    """Return the smaller amounts worth a try: those that could be there, else the least there is."""
    most = min(asked - 1, has)
    return tuple(range(most, max(0, most - MOST_AMOUNTS), -1)) or ((1,) if asked > 1 else ())


def _other_tokens(derived: Derived, player: Player, asked: Absorb | Ambition) -> Iterator[Form]:
    """Yield the same with another token of its row."""
    if asked.token is None:
        return
    for token in free_tokens(player, derived.cards):
        if token.row == asked.token.row and token != asked.token:
            lost = (token.space != asked.token.space) + (token.vibe != asked.token.vibe)
            yield Form(replace(asked, token=token), lost=lost)
