"""What follows from one position, worked out once for all the actions that are judged in it."""

from dataclasses import replace

from companion.rules.cards import Catalogue
from companion.rules.control import Control, frontier_control, realm_control
from companion.rules.hands import possible_titles
from companion.rules.position import Position


class Derived:
    """Control and hands in one position, each worked out when first asked for.

    A position never changes, so nothing in here grows old; with the last judgement on the position it goes.
    """

    __slots__ = ("_frontiers", "_realms", "_titles", "cards", "position")

    def __init__(self, position: Position, cards: Catalogue) -> None:
        self.position = position
        self.cards = cards
        self._realms: dict[str, Control] = {}
        self._frontiers: dict[str, Control] = {}
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
