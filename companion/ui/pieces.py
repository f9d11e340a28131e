"""The virtual table as values: which piece lies where, and which ones the tray offers. Free of Kivy."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from companion.rules.board import SLOTS, SPACES, slots_beside
from companion.rules.cards import Catalogue
from companion.ui.link import Piece
from companion.ui.views import State, acting_player, setup_step

Fields = Mapping[str, tuple[str, ...]]
Stock = Literal["strong", "mild", "vibe"]

STOCKS: Final[tuple[Stock, ...]] = ("strong", "mild", "vibe")
COLOURS: Final = ("red", "yellow", "green", "blue", "wild")


@dataclass(frozen=True, slots=True)
class Pile:
    """Pieces of one kind in the tray: the same title or colour, any of them as good as another."""

    kind: str
    """`kindness`, or a colour."""
    uids: tuple[str, ...]
    component: str
    """Of the first one."""


@dataclass(frozen=True, slots=True)
class Box:
    """All pieces of the virtual table, by UID."""

    components: Mapping[str, str]

    @classmethod
    def of(cls, pieces: Iterable[Piece]) -> "Box":
        """Take the pieces that the link names."""
        return cls({piece.uid: piece.component for piece in pieces})

    def kind(self, uid: str) -> str:
        """Return `kindness`, `harmony`, a colour, or the component where it is none of these."""
        parts = self.components.get(uid, "").split("/")
        if parts[0] == "emotion" and len(parts) > 2:
            return parts[2]
        if parts[0] in ("spirit", "vibe") and len(parts) > 1:
            return parts[1]
        return "/".join(parts)

    def family(self, uid: str) -> str:
        """Return `emotion`, `spirit`, `vibe` and so on."""
        return self.components.get(uid, "").split("/")[0]

    def titles(self, fields: Fields) -> dict[str, tuple[str, ...]]:
        """Return the titles that lie on each slot."""
        return {
            slot: tuple(
                self.kind(uid) for uid in fields.get(f"slot/{slot}", ()) if self.family(uid) == "emotion"
            )
            for slot in SLOTS
        }

    def figures(self, fields: Fields) -> dict[str, str]:
        """Return the Spirit space of each figure that stands on one."""
        return {
            self.kind(uid): space
            for space in SPACES
            for uid in fields.get(f"spirit/{space}", ())
            if self.family(uid) == "spirit"
        }

    def lifted(self, state: State, fields: Fields, last: Mapping[str, str]) -> tuple[str, ...]:
        """Return the pieces that the game has on the board and that lie nowhere: they are in somebody's hand.

        Args:
            state: the public state.
            fields: what lies where.
            last: the piece last taken off a bus space, by that space: of several copies it is the one meant.
        """
        lying = {uid for uids in fields.values() for uid in uids}
        wanted: list[tuple[str, str, str]] = []
        for slot, on in state.get("slots", {}).items():
            if on.get("emotion"):
                wanted.append((f"slot/{slot}", "emotion", on["emotion"]))
        wanted += [
            (f"spirit/{player['at']}", "spirit", player["spirit"])
            for player in state.get("players", {}).values()
            if player.get("at") and player.get("spirit")
        ]
        found: list[str] = []
        for space, family, kind in wanted:
            on_it = [uid for uid in lying if self.family(uid) == family and self.kind(uid) == kind]
            at_home = any(uid in fields.get(space, ()) for uid in on_it)
            elsewhere = last.get(space) in on_it
            if at_home or elsewhere or (family == "spirit" and on_it):
                continue
            free = self._free(family, kind, lying | set(found))
            if free:
                found.append(last[space] if last.get(space) in free else free[0])
        return tuple(found)

    def to_place(self, state: State, fields: Fields, cards: Catalogue) -> tuple[str, ...]:
        """Return the figure and the Starting Emotion that are to be placed next at set-up, until they lie.

        Args:
            state: the public state.
            fields: what lies where.
            cards: the printed values.
        """
        step = setup_step(state)
        if step is None or step["action"] != "place-spirit":
            return ()
        player = state["players"][acting_player(state)]
        lying = {uid for uids in fields.values() for uid in uids}
        found: list[str] = []
        spirit = player.get("spirit")
        if not player.get("at") and spirit and not any(self.kind(uid) == spirit for uid in lying):
            found += self._free("spirit", spirit, lying)[:1]
        team = player.get("team", "bliss")
        card = next(c.name for c in cards.cards.values() if c.team == team and c.strength == "starting")
        laid = sum(self.family(uid) == "emotion" and self.kind(uid) == card for uid in lying)
        if laid <= sum(on.get("emotion") == card for on in state.get("slots", {}).values()):
            found += self._free("emotion", card, lying)[:1]
        return tuple(found)

    def _free(self, family: str, kind: str, taken: set[str]) -> list[str]:
        return [
            uid
            for uid in self.components
            if uid not in taken and self.family(uid) == family and self.kind(uid) == kind
        ]

    def piles(self, stock: Stock, state: State, cards: Catalogue, taken: frozenset[str]) -> tuple[Pile, ...]:
        """Return what the tray offers the acting team, what is likely needed first.

        Args:
            stock: which part of the box.
            state: the public state.
            cards: the printed values.
            taken: UIDs that lie somewhere or are in a hand.
        """
        if stock == "vibe":
            return self._grouped(
                [uid for uid in self.components if self.family(uid) == "vibe" and uid not in taken],
                lambda kind: (COLOURS.index(kind) if kind in COLOURS else len(COLOURS), kind),
            )
        players = state.get("players", {})
        team = players.get(acting_player(state), {}).get("team", "bliss")
        first = _counterparts(state, cards)
        strength = {"strong": ("strong",), "mild": ("mild", "starting")}[stock]
        uids = [
            uid
            for uid in self.components
            if uid not in taken
            and self.family(uid) == "emotion"
            and (card := cards.cards.get(self.kind(uid))) is not None
            and card.team == team
            and card.strength in strength
        ]
        order = {vibe: i for i, vibe in enumerate(COLOURS)}

        def rank(kind: str) -> tuple[int, int, str]:
            vibe = cards.cards[kind].vibe or "wild"
            return (first.index(kind) if kind in first else len(first), order.get(vibe, 9), kind)

        return self._grouped(uids, rank)

    def _grouped(self, uids: list[str], rank: Callable[[str], tuple[Any, ...]]) -> tuple[Pile, ...]:
        groups: dict[str, list[str]] = {}
        for uid in uids:
            groups.setdefault(self.kind(uid), []).append(uid)
        ordered = sorted(groups, key=rank)
        return tuple(Pile(kind, tuple(groups[kind]), self.components[groups[kind][0]]) for kind in ordered)


def _counterparts(state: State, cards: Catalogue) -> list[str]:
    """Return the Strong counterparts of what is on the board, those beside the acting figure first."""
    at = state.get("players", {}).get(acting_player(state), {}).get("at")
    beside = slots_beside(at) if at in SPACES else ()
    on_board = sorted(
        state.get("slots", {}).items(),
        key=lambda item: (item[0] not in beside, -int(item[1].get("essence", 1))),
    )
    names = [cards.cards[on["emotion"]].strong for _, on in on_board if on.get("emotion") in cards.cards]
    return [name for name in dict.fromkeys(names) if name]


def without(uids: tuple[str, ...], uid: str) -> tuple[str, ...]:
    """Return `uids` less one."""
    return tuple(other for other in uids if other != uid)


def home_of(uid: str, fields: Fields) -> str | None:
    """Return the bus space in whose field a piece lies."""
    return next((space for space, uids in fields.items() if uid in uids), None)
