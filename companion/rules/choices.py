"""Everything a player could try that is not ruled out at first sight, one action at a time."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.rules.actions import Action, Empower, EndTurn, Fortify, Invoke, Move, Place, Quell
from companion.rules.board import SPACES, realms_of, slots_beside
from companion.rules.cards import Catalogue
from companion.rules.hands import possible_titles, without
from companion.rules.position import ROWS, Player, Position
from companion.rules.upgrades import subsets, with_tokens
from companion.rules.vibes import colour_of, is_unlocked, open_spaces, with_token


def placings(position: Position, player: Player, row: str, cards: Catalogue) -> Iterator[Place | None]:
    """Yield no placing, then every Vibe token that may go on a row (R-VIBE-3 to R-VIBE-6).

    Known hand cards come first; then what an unknown card could be.
    """
    yield None
    tokens = player.row(row)
    spaces = open_spaces(tokens)
    if not spaces or not player.hand:
        return
    for title in possible_titles(position, player, cards):
        colour = colour_of(title, cards)
        if colour is not None and colour not in tokens:
            for space in spaces:
                yield Place(title, space)


def spirit_choices(
    position: Position, row: str, cards: Catalogue, *, placing: bool = True
) -> Iterator[Action]:
    """Yield the tries of one Spirit Action: every placing, choice of upgrades and target.

    Args:
        position: the position; the player to act is meant.
        row: the Spirit Action.
        cards: the printed values.
        placing: whether to try Vibe tokens as well.
    """
    player = position.actor
    for place in placings(position, player, row, cards) if placing else (None,):
        tokens, hand = player.row(row), player.hand
        if place is not None:
            tokens = with_token(tokens, place.space, colour_of(place.discard, cards) or "")
            hand = without(hand, place.discard)
        if not is_unlocked(tokens):
            continue
        acting = replace(player, hand=hand)
        gone = () if place is None else (place.discard,)
        for upgrades in subsets(with_tokens(cards.rows[row], tokens)):
            declared = _Declared(position, acting, gone, upgrades)
            for action in _targets(declared, row, cards):
                yield replace(action, upgrades=upgrades, place=place)


@dataclass(frozen=True, slots=True)
class _Declared:
    """A Spirit Action declared, its token placed: what is left to choose is the target."""

    position: Position
    player: Player
    """With the hand that is left."""
    gone: tuple[str, ...]
    """The title discarded for a token."""
    upgrades: tuple[str, ...]

    def titles(self, cards: Catalogue) -> tuple[str, ...]:
        return possible_titles(self.position, self.player, cards, self.gone)


def _targets(
    declared: _Declared, row: str, cards: Catalogue
) -> Iterator[Move | Invoke | Quell | Fortify | Empower]:
    slots, at = declared.position.slots, declared.player.at
    beside = () if at is None else slots_beside(at)
    if row == "move":
        yield from (Move(space) for space in SPACES)
    elif row == "invoke":
        titles = declared.titles(cards)
        yield from (Invoke(title, slot) for slot in beside if slot not in slots for title in titles)
    elif row == "quell" and "extinguish" in declared.upgrades:
        yield from (Quell(slot) for slot in beside if slot in slots)
    elif row == "quell":
        titles = declared.titles(cards)
        yield from (Quell(slot, title) for slot in beside if slot in slots for title in titles)
    elif row == "fortify":
        yield from (Fortify(realm) for realm in (() if at is None else realms_of(at)))
    else:
        yield from (Empower(slot) for slot in slots)


def choices(position: Position, cards: Catalogue, *, placing: bool = True) -> Iterator[Action]:
    """Yield the tries of the player to act: every legal action is among them, none twice.

    Args:
        position: the position.
        cards: the printed values.
        placing: whether to try Vibe tokens as well.
    """
    if position.turn.actions_left > 0:
        for row in ROWS:
            yield from spirit_choices(position, row, cards, placing=placing)
    yield EndTurn("ambition")
    yield EndTurn("cards")
