"""Powers in force: the effects of the cards on the board and of the Spirits, and whom they concern."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Generic

from companion.rules.actions import Action, Empower, Fortify, Invoke, Land, Move, Network, Quell
from companion.rules.areas import AROUND_FIGURE, AROUND_SLOT
from companion.rules.board import Team, other_team, realm_faced, slots_beside
from companion.rules.cards import Catalogue
from companion.rules.effects import AbsorbsMore, Area, Chosen, Condition, Found, Whose
from companion.rules.position import Player, Position


@dataclass(frozen=True, slots=True)
class Source:
    """A card on the board, or a Spirit, whose power is in force."""

    name: str
    team: Team
    place: str | None
    """The slot of a card, the space of a figure; None while that one is not on the board."""
    player: str | None = None
    """Whose Spirit it is; None: a card."""

    def reaches(self, area: Area, slot: str) -> bool:
        """Tell whether a slot lies in an area around it."""
        if area == "anywhere":
            return True
        if self.place is None:
            return False
        around = AROUND_SLOT if self.player is None else AROUND_FIGURE
        return slot in around[area, self.place]

    def means(self, whose: Whose, player: Player) -> bool:
        """Tell whether `whose`, as the power says it, takes in a player."""
        if whose == "any":
            return True
        if whose == "self":
            return player.name == self.player
        return (player.team == self.team) == (whose == "team")


@dataclass(frozen=True, slots=True)
class InForce(Generic[Chosen]):
    """An effect and the card or Spirit that has it."""

    source: Source
    number: int
    """Which of the effects of that power, from 1."""
    effect: Chosen


def spirits_have_powers(position: Position) -> bool:
    """Tell whether the powers of Spirits are in use (OQ-15; ruling: spirit-powers-in-basic)."""
    return position.mode == "full" or bool(position.rulings.get("spirit-powers-in-basic", True))


def in_force(position: Position, found: Found[Chosen], cards: Catalogue) -> Iterator[InForce[Chosen]]:
    """Yield the effects that some card on the board or some Spirit at the table has, one per copy.

    Args:
        position: the position.
        found: effects as the catalogue's index has them.
        cards: the printed values.
    """
    if not found:
        return
    for slot, emotion in position.slots.items():
        if emotion.name in found:
            source = Source(emotion.name, cards.cards[emotion.name].team, slot)
            for number, effect in found[emotion.name]:
                yield InForce(source, number, effect)
    if not spirits_have_powers(position):
        return
    for player in position.players.values():
        if player.spirit is not None and player.spirit in found:
            source = Source(player.spirit, player.team, player.at, player.name)
            for number, effect in found[player.spirit]:
                yield InForce(source, number, effect)


def aimed_at(action: Action) -> tuple[str, ...]:
    """Return the slots that an Action is aimed at: the one it names, or those beside the place it names."""
    if isinstance(action, Invoke | Quell | Empower | Land):
        return (action.slot,)
    if isinstance(action, Network):
        return (action.to,)
    if isinstance(action, Move):
        return slots_beside(action.to)
    return slots_beside(action.realm) if isinstance(action, Fortify) else ()


def concerns(source: Source, area: Area, slots: tuple[str, ...]) -> bool:
    """Tell whether an effect in an area around its source has to do with any of these slots."""
    return area == "anywhere" or any(source.reaches(area, slot) for slot in slots)


def holds(condition: Condition | None, team: Team, position: Position, cards: Catalogue) -> bool:
    """Tell whether a condition of a power of `team` is met."""
    if condition is None:
        return True
    if condition == "no-ambition":
        return position.teams[team].ambition == 0
    essence: dict[Team, int] = {"bliss": 0, "gloom": 0}
    for emotion in position.slots.values():
        essence[cards.cards[emotion.name].team] += emotion.essence
    return essence[other_team(team)] > essence[team]


@dataclass(frozen=True, slots=True)
class AbsorbedMore:
    """What powers change about an Absorb (R-ABS-5, R-ABS-14)."""

    sphere: int = 0
    """Willpower more out of the Sphere; below 0: less."""
    supply: int = 0
    """Willpower from the supply."""


def absorbed_more(position: Position, player: Player, sphere: str, cards: Catalogue) -> AbsorbedMore:
    """Add up what powers change about an Absorb.

    Args:
        position: the position.
        player: who absorbs; the figure is on the board.
        sphere: the Sphere that is absorbed from.
        cards: the printed values.
    """
    found = cards.powers.of(AbsorbsMore)
    if not found:
        return _AS_USUAL
    concerned = [
        one.effect
        for one in in_force(position, found, cards)
        if one.source.means(one.effect.whose, player)
        and _lies_by(one.source, one.effect.area, position, player, sphere)
    ]
    return AbsorbedMore(sum(e.sphere for e in concerned), sum(e.supply for e in concerned))


_AS_USUAL: Final = AbsorbedMore()


def _lies_by(source: Source, area: Area, position: Position, player: Player, sphere: str) -> bool:
    if area == "anywhere":
        return True
    if source.place is None or player.at is None:
        return False
    if area == "realm":
        return source.place in slots_beside(realm_faced(sphere, position.origin.facing))
    return source.place in AROUND_FIGURE[area, player.at]
