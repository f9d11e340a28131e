"""Everything a player could try that is not ruled out at first sight, one action at a time."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from companion.rules.actions import (
    Absorb,
    Action,
    Ambition,
    Cradle,
    Empower,
    EndTurn,
    Fortify,
    Invoke,
    KeepHidden,
    Land,
    Move,
    Network,
    Place,
    Quell,
    ReturnCommon,
    Reveal,
    Score,
    Token,
    Valley,
    Willow,
)
from companion.rules.board import SLOTS, Team, realms_of, slots_beside, spaces_at
from companion.rules.boards import effects_of, is_known, own_row, trades_spaces
from companion.rules.cards import Card, Catalogue, SpiritAction
from companion.rules.derived import Derived
from companion.rules.effects import Reaches
from companion.rules.frame import MUST
from companion.rules.hands import without
from companion.rules.position import ROWS, Player, Position, Row
from companion.rules.quell import fits
from companion.rules.reach import slots_reached, spheres_reached, supplied
from companion.rules.starting import setup_choices
from companion.rules.surcharge import saving
from companion.rules.upgrades import subsets, total_cost, with_tokens
from companion.rules.use_power import power_choices
from companion.rules.vibes import WILD, colour_of, is_unlocked, open_spaces, with_token


def placings(
    derived: Derived, player: Player, row: str, discard: str | None = None
) -> Iterator[Place | None]:
    """Yield no placing, then every Vibe token that may go on a row (R-VIBE-3 to R-VIBE-6).

    Known hand cards come first; then what an unknown card could be. With `discard` only that card is given.
    """
    yield None
    tokens = player.row(row)
    spaces = open_spaces(tokens)
    if not spaces or not player.hand:
        return
    for title in derived.titles(player.name, player.hand):
        colour = colour_of(title, derived.cards)
        if colour is not None and colour not in tokens and discard in (None, title):
            for space in spaces:
                yield Place(title, space)


def spirit_choices(
    derived: Derived, row: str, *, placing: bool = True, discard: str | None = None
) -> Iterator[Action]:
    """Yield the tries of one Spirit Action: every placing, payable choice of upgrades and target.

    Args:
        derived: what follows from the position; the player to act is meant.
        row: the Spirit Action.
        placing: whether to try Vibe tokens as well.
        discard: the card that is given for one; None: any.
    """
    player = derived.position.actor
    board_row, tokens = own_row(player, row, derived.cards), player.row(row)
    payable: dict[int | None, tuple[tuple[str, ...], ...]] = {None: _payable(derived, board_row, tokens)}
    for space in open_spaces(tokens) if placing else ():
        payable[space] = _payable(derived, board_row, with_token(tokens, space, WILD))
    targets, tries = _ROWS[row]
    aims: dict[tuple[str, ...], tuple[Any, ...]] = {}
    for place in placings(derived, player, row, discard) if placing else (None,):
        for upgrades in payable[None if place is None else place.space]:
            if upgrades not in aims:
                aims[upgrades] = tuple(targets(_Upgraded(derived, player, board_row, upgrades)))
            if aims[upgrades]:
                yield from tries(_Declared(derived, player, upgrades, place), aims[upgrades])


def _payable(derived: Derived, board_row: SpiritAction, tokens: Row) -> tuple[tuple[str, ...], ...]:
    """Return the choices of upgrades that a row with these tokens allows: none while it is locked.

    Where nobody knows the upgrades of a side B, no use of them can be legal.
    """
    if not is_unlocked(tokens):
        return ()
    player = derived.position.actor
    usable = with_tokens(board_row, tokens) if is_known(player, board_row.name, derived.cards) else ()
    willpower = player.willpower + saving(derived, player, board_row.name)
    ambition = derived.position.teams[player.team].ambition
    return tuple(
        upgrades
        for upgrades in subsets(usable)
        if (cost := total_cost(board_row, upgrades)).willpower <= willpower and cost.ambition <= ambition
    )


# Targets: the same for every token placed


@dataclass(frozen=True, slots=True)
class _Upgraded:
    """A Spirit Action with the upgrades to be used: what is left to choose is the target."""

    derived: Derived
    player: Player
    board_row: SpiritAction
    upgrades: tuple[str, ...]

    @property
    def reached(self) -> tuple[str, ...]:
        """The slots that can be aimed at."""
        used = effects_of(self.board_row, frozenset(self.upgrades), Reaches)
        return slots_reached(
            self.derived.position, self.player, self.board_row.name, self.derived.cards, used
        )

    def lying(self, slot: str) -> Card | None:
        """Return the card in a slot."""
        emotion = self.derived.position.slots.get(slot)
        return None if emotion is None else self.derived.cards.cards[emotion.name]


def _spaces(upgraded: _Upgraded) -> Iterator[tuple[str, str | None]]:
    """Yield the spaces a figure can go to; with whom it trades is only said where several stand there."""
    player = upgraded.player
    if not trades_spaces(upgraded.board_row, frozenset(upgraded.upgrades)):
        steps = 2 if "haste" in upgraded.upgrades else 1
        yield from ((space, None) for space in (() if player.at is None else spaces_at(player.at, steps)))
        return
    others = [
        (other.at, other.name)
        for other in upgraded.derived.position.players.values()
        if other.name != player.name and other.at is not None and other.at != player.at
    ]
    spaces = [space for space, _ in others]
    yield from ((space, name if spaces.count(space) > 1 else None) for space, name in others)


def _empty_slots(upgraded: _Upgraded) -> Iterator[str]:
    return (slot for slot in upgraded.reached if upgraded.lying(slot) is None)


def _opposing(upgraded: _Upgraded) -> Iterator[tuple[str, Card]]:
    for slot in upgraded.reached:
        target = upgraded.lying(slot)
        if target is not None and target.team != upgraded.player.team:
            yield slot, target


def _locations(upgraded: _Upgraded) -> Iterator[str]:
    """Yield the Realms to fortify, empty ones, or those whose Fortress may be exalted or razed."""
    at = upgraded.player.at
    builds = not {"exalt", "raze"}.intersection(upgraded.upgrades)
    for realm in () if at is None else realms_of(at):
        if builds == (realm not in upgraded.derived.position.fortresses):
            yield realm


def _mild(upgraded: _Upgraded) -> Iterator[str]:
    for slot in SLOTS if "emotional-outburst" in upgraded.upgrades else upgraded.reached:
        target = upgraded.lying(slot)
        if target is not None and target.team == upgraded.player.team and target.strength == "mild":
            yield slot


# Tries: a target, with the cards that the hand can show


@dataclass(frozen=True, slots=True)
class _Declared:
    """A Spirit Action declared, its token placed."""

    derived: Derived
    player: Player
    upgrades: tuple[str, ...]
    place: Place | None

    @property
    def titles(self) -> tuple[str, ...]:
        """What can be shown from the hand that is left."""
        hand, place = self.player.hand, self.place
        if place is None:
            return self.derived.titles(self.player.name, hand)
        return self.derived.titles(self.player.name, without(hand, place.discard), (place.discard,))


def _moves(declared: _Declared, spaces: tuple[tuple[str, str | None], ...]) -> Iterator[Action]:
    for space, trade_with in spaces:
        yield Move(space, trade_with, upgrades=declared.upgrades, place=declared.place)


def _invokes(declared: _Declared, slots: tuple[str, ...]) -> Iterator[Action]:
    supply = supplied(declared.derived.position, declared.player, declared.derived.cards)
    titles = tuple(dict.fromkeys((*declared.titles, *supply)))
    for slot in slots:
        for title in titles:
            yield Invoke(title, slot, upgrades=declared.upgrades, place=declared.place)


def _quells(declared: _Declared, opposing: tuple[tuple[str, Card], ...]) -> Iterator[Action]:
    cards = declared.derived.cards.cards
    shown = (None,) if "extinguish" in declared.upgrades else declared.titles
    for slot, target in opposing:
        for title in shown:
            if title is None or fits(cards[title], target):
                yield Quell(slot, title, upgrades=declared.upgrades, place=declared.place)


def _fortifies(declared: _Declared, realms: tuple[str, ...]) -> Iterator[Action]:
    for realm in realms:
        yield Fortify(realm, upgrades=declared.upgrades, place=declared.place)


def _empowers(declared: _Declared, slots: tuple[str, ...]) -> Iterator[Action]:
    for slot in slots:
        yield Empower(slot, upgrades=declared.upgrades, place=declared.place)


_ROWS: Final[
    Mapping[
        str,
        tuple[Callable[[_Upgraded], Iterator[Any]], Callable[[_Declared, tuple[Any, ...]], Iterator[Action]]],
    ]
] = {
    "move": (_spaces, _moves),
    "invoke": (_empty_slots, _invokes),
    "quell": (_opposing, _quells),
    "fortify": (_locations, _fortifies),
    "empower": (_mild, _empowers),
}
"""By Spirit Action: its targets, and the tries at them."""


def free_tokens(player: Player, cards: Catalogue) -> Iterator[Token]:
    """Yield every Vibe token that may be added without a discard (R-VIBE-10)."""
    colours = tuple(dict.fromkeys(card.vibe for card in cards.cards.values() if card.vibe is not None))
    for row in ROWS:
        tokens = player.row(row)
        for space in open_spaces(tokens):
            for colour in colours:
                if colour not in tokens:
                    yield Token(row, space, colour)


def realm_choices(position: Position, cards: Catalogue) -> Iterator[Action]:
    """Yield the tries of the Realm Actions: every amount that could be paid, every target."""
    player = position.actor
    yield Valley()
    yield Cradle()
    for amount in range(1, player.willpower + 1):
        yield Willow(amount)
    for slot in slots_reached(position, player, "land", cards):
        if slot in position.slots:
            for essence in range(1, player.essence + 1):
                yield Land(slot, essence)
    for to in () if player.at is None else slots_beside(player.at):
        if to not in position.slots:
            for slot in position.slots:
                yield Network(slot, to)


def ability_choices(position: Position, cards: Catalogue) -> Iterator[Action]:
    """Yield the tries of Absorb and of the Ambition Abilities."""
    player = position.actor
    if not position.turn.absorbed:
        for name in spheres_reached(position, player, cards):
            tokens = free_tokens(player, cards) if cards.spheres[name].gain.vibe_tokens else (None,)
            for token in tokens:
                yield Absorb(name, token=token)
            yield Absorb(name, bonus=False)
    ambition = position.teams[player.team].ambition
    for ability in cards.abilities.values():
        if ability.ambition > ambition or ability.name in position.turn.ambition_used:
            continue
        if ability.gain is not None and ability.gain.vibe_tokens:
            for token in free_tokens(player, cards):
                yield Ambition(ability.name, token)
        else:
            yield Ambition(ability.name)


_STEPS: Final[Mapping[str, Callable[[Team, str], Action]]] = {
    "reveal": Reveal,
    "return-common": ReturnCommon,
    "keep-hidden": KeepHidden,
}


def revelation_choices(position: Position, cards: Catalogue) -> Iterator[Action]:
    """Yield the tries of what people show or choose in an open Revelation."""
    for pending in position.turn.pending:
        step = _STEPS.get(pending.action)
        if step is not None:
            yield from (step(pending.team, aspiration) for aspiration in cards.aspirations)


def pending_choices(derived: Derived) -> Iterator[Action]:
    """Yield the tries of what people must still show, choose or do."""
    yield from setup_choices(derived.position)
    yield from revelation_choices(derived.position, derived.cards)
    yield from power_choices(derived.position, derived.cards)


def choices(derived: Derived, *, placing: bool = True, discard: str | None = None) -> Iterator[Action]:
    """Yield the tries of the player to act: every legal action is among them, none twice.

    Args:
        derived: what follows from the position.
        placing: whether to try Vibe tokens placed by a discard as well.
        discard: the card that is given for one; None: any.
    """
    position, cards = derived.position, derived.cards
    yield from pending_choices(derived)
    if any(pending.action in MUST for pending in position.turn.pending):
        return
    if position.turn.actions_left > 0:
        for row in ROWS:
            yield from spirit_choices(derived, row, placing=placing, discard=discard)
        yield from realm_choices(position, cards)
    yield from ability_choices(position, cards)
    yield Score()
    yield EndTurn("ambition")
    yield EndTurn("cards")
