"""What follows from one position, worked out once for all the actions that are judged in it."""

from dataclasses import dataclass, replace

from companion.rules import revelation
from companion.rules.actions import Place
from companion.rules.cards import Catalogue, SpiritAction
from companion.rules.control import Control, frontier_control, realm_control
from companion.rules.effects import Dearer
from companion.rules.hands import possible_titles
from companion.rules.position import Player, Position, Row
from companion.rules.powers import InForce, in_force
from companion.rules.verdict import Cost, Missing, Refusal, Verdict


@dataclass(frozen=True, slots=True)
class Declared:
    """A Spirit Action declared and its token placed (R-VIBE-3), whatever it is aimed at."""

    board_row: SpiritAction
    """The costs of the row and of its upgrades."""
    row: Row
    """The Vibe row with the placed token in the space meant for it, where that is empty."""
    hand: tuple[str, ...]
    """The hand without the card discarded for a token, where it was there to discard."""
    upgrades: frozenset[str]
    """The upgrades named that belong to the row."""
    cost: Cost
    """What base and upgrades cost together (R-UPG-3)."""
    refusals: tuple[Refusal, ...] = ()
    """Whatever forbids it at every target."""


Declaration = tuple[type, str, Place | None, tuple[str, ...]]
"""Which Spirit Action, whose, with which token and upgrades."""

Aim = tuple[type, str, tuple[str, ...], object]
"""Which Spirit Action, whose, with which upgrades and at what."""


class Derived:
    """Control, powers, hands and declarations in one position, each worked out when first asked for.

    A position never changes, so nothing in here grows old; with the last judgement on the position it goes.
    """

    __slots__ = (
        "_dearer",
        "_frontiers",
        "_realms",
        "_revelation",
        "_titles",
        "aimed",
        "cards",
        "declared",
        "position",
    )

    def __init__(self, position: Position, cards: Catalogue) -> None:
        self.position = position
        self.cards = cards
        self._realms: dict[str, Control] = {}
        self._frontiers: dict[str, Control] = {}
        self._dearer: dict[tuple[str, str], tuple[InForce[Dearer], ...]] = {}
        self.declared: dict[Declaration, Declared] = {}
        """The engine's to fill, as the next one."""
        self.aimed: dict[Aim, Verdict] = {}
        """What an Action comes to at a target, whatever token is placed; the hand not looked at."""
        self._revelation: tuple[Missing, ...] | None = None
        self._titles: dict[tuple[str, tuple[str, ...], tuple[str, ...]], tuple[str, ...]] = {}

    def realm(self, realm: str) -> Control:
        """Tell who controls a Realm."""
        found = self._realms.get(realm)
        if found is None:
            found = self._realms[realm] = realm_control(self.position, realm, self.cards)
        return found

    def frontier(self, frontier: str) -> Control:
        """Tell who controls a Frontier."""
        found = self._frontiers.get(frontier)
        if found is None:
            found = self._frontiers[frontier] = frontier_control(self.position, frontier, self.cards)
        return found

    def dearer(self, row: str, player: Player) -> tuple[InForce[Dearer], ...]:
        """Return the effects of powers in force that make an Action of a player dearer or cheaper."""
        found = self._dearer.get((row, player.name))
        if found is None:
            effects = in_force(self.position, self.cards.powers.dearer(row), self.cards)
            found = tuple(one for one in effects if one.source.means(one.effect.payer, player))
            self._dearer[row, player.name] = found
        return found

    def revelation(self) -> tuple[Missing, ...]:
        """Return the printed values on which a Revelation would hang."""
        if self._revelation is None:
            self._revelation = revelation.missing(self.position, self.cards)
        return self._revelation

    def titles(self, name: str, hand: tuple[str, ...], gone: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return every title that a player can show, the known ones first.

        Args:
            name: the player.
            hand: what is in the hand at this moment.
            gone: titles that this player put under the deck in the same action.
        """
        found = self._titles.get((name, hand, gone))
        if found is None:
            player = replace(self.position.players[name], hand=hand)
            found = self._titles[name, hand, gone] = possible_titles(self.position, player, self.cards, gone)
        return found
