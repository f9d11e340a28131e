"""Games in which everything is known: decks dealt in their order, every card in a hand named.

Rules: R-DECK-1, R-DECK-2, R-DECK-3, R-COMP-8, R-COMP-9, R-SETUP-7, R-SETUP-10.
"""

import random
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from companion.content import decks
from companion.rules.actions import Action, Empower, Invoke, Network, Quell, SpiritActionDone
from companion.rules.engine import legal_actions
from companion.rules.position import HIDDEN, Mode, Position
from companion.scenario.random_play import assumed, chosen, opening
from tests.rules.tables import table
from tests.strategies import CARDS as PRINTED
from tests.strategies import MILD

CARDS = assumed(PRINTED)


@dataclass
class Box:
    """Where every Emotion card of a game is, kept by hand; decks from the top."""

    decks: dict[str, list[str]]
    hands: dict[str, list[str]] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    """By slot with a Mild Emotion: out of whose deck it came (R-SETUP-10)."""

    def back(self, slot: str, title: str) -> None:
        """Put a Mild Emotion that left the board under the deck it came from (R-DECK-2)."""
        if CARDS.cards[title].strength == "mild":
            self.decks[self.owners.pop(slot)].append(title)

    def done(self, name: str, action: Action, before: Position, after: Position) -> None:
        """Do with the cards what the action does with them, draws apart."""
        hand = self.hands[name]
        if isinstance(action, SpiritActionDone) and action.place is not None:
            hand.remove(action.place.discard)
            self.decks[name].append(action.place.discard)
        if isinstance(action, Invoke) and CARDS.cards[action.emotion].strength == "mild":
            hand.remove(action.emotion)
            self.owners[action.slot] = name
        if isinstance(action, Network) and action.slot in self.owners:
            self.owners[action.to] = self.owners.pop(action.slot)
        if isinstance(action, Empower) or (isinstance(action, Quell) and action.slot not in after.slots):
            self.back(action.slot, before.slots[action.slot].name)

    def deal(self, position: Position) -> Position:
        """Name whatever was drawn, and turn up the next top cards."""
        for player in position.players.values():
            hand, deck = self.hands[player.name], self.decks[player.name]
            new = len(player.hand) - len(hand)
            hand += [deck.pop(0) for _ in range(new)]
            unseen = Counter(player.hand) - Counter(hand)
            assert set(unseen) <= {HIDDEN}, "a card came from nowhere"
            top = deck[0] if deck else None
            position = position.with_player(replace(player, hand=tuple(sorted(hand)), top=top))
        return position


def _known_start(players: int, mode: Mode, dice: random.Random) -> tuple[Position, Box]:
    start = opening(players, mode, dice, CARDS)
    decks = {}
    for name, player in start.players.items():
        titles = dice.sample(MILD[player.team], 8)
        decks[name] = dice.sample(titles * 2, 16)
        start = start.with_player(replace(player, deck=tuple(sorted(titles)), hand=(HIDDEN, HIDDEN)))
    box = Box(decks, {name: [] for name in decks})
    return box.deal(start), box


def _check_cards(position: Position, box: Box, all_of_it: dict[str, Counter[str]]) -> None:
    for name, player in position.players.items():
        assert Counter(player.hand) == Counter(box.hands[name])
        brought = [position.slots[slot].name for slot, owner in box.owners.items() if owner == name]
        assert Counter(box.hands[name] + box.decks[name] + brought) == all_of_it[name]
    mild = {slot for slot, e in position.slots.items() if CARDS.cards[e.name].strength == "mild"}
    assert mild == set(box.owners)
    on_board = Counter(emotion.name for emotion in position.slots.values())
    for title, count in on_board.items():
        assert count <= (CARDS.cards[title].copies or count)


def _draws_too_much(before: Position, after: Position, box: Box) -> bool:
    """Tell whether more is drawn than a deck has: that ends a game here, a table says how many there were."""
    return any(
        len(player.hand) - len(before.players[name].hand) > len(box.decks[name])
        for name, player in after.players.items()
    )


def _played(players: int, mode: Mode, dice: random.Random) -> Counter[type]:
    """Play a game to its end, or till a deck is empty, and count what was done by its kind."""
    position, box = _known_start(players, mode, dice)
    all_of_it = {name: Counter(box.hands[name] + box.decks[name]) for name in box.hands}
    assert all(set(counted.values()) == {2} for counted in all_of_it.values())
    done: Counter[type] = Counter()
    while position.result is None:
        found = chosen(position, CARDS, dice)
        assert found is not None
        action, after = found
        if _draws_too_much(position, after, box):
            break
        box.done(position.turn.player, action, position, after)
        position = box.deal(after)
        _check_cards(position, box, all_of_it)
        done[type(action)] += 1
    return done


@pytest.mark.parametrize("mode", ["full", "basic"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_card_stays_in_a_hand_a_deck_or_on_the_board(players: int, mode: Mode) -> None:
    dice = random.Random(f"known {players} {mode}")  # noqa: S311
    needed = {Invoke, Quell, Network} | ({Empower} if mode == "full" else set())
    done: Counter[type] = Counter()
    for game in range(60):
        done += _played(players, mode, dice)
        if game >= 4 and needed <= set(done):
            break
    assert needed <= set(done)


def test_a_known_hand_has_the_legal_actions_of_its_cards_alone() -> None:
    dice = random.Random("a known hand")  # noqa: S311
    position, box = _known_start(2, "full", dice)
    for _ in range(60):
        found = chosen(position, CARDS, dice)
        assert found is not None
        box.done(position.turn.player, found[0], position, found[1])
        position = box.deal(found[1])
        hand = set(position.actor.hand)
        assert HIDDEN not in hand
        for action, verdict in legal_actions(position, CARDS):
            assert verdict.status == "legal"
            if isinstance(action, Invoke) and action.emotion != "bleakness":
                assert action.emotion in hand
            if isinstance(action, Quell) and action.reveal is not None:
                assert action.reveal in hand
            if isinstance(action, SpiritActionDone) and action.place is not None:
                assert action.place.discard in hand


def test_an_unknown_hand_has_the_legal_actions_of_every_hand_that_it_could_be() -> None:
    # Titles of the own deck; one that is known to be elsewhere in both copies is none of them.
    deck = sorted(decks()["beginners-bliss"].titles)
    shared: dict[str, Any] = {
        "vibes": {row: ["wild", "", "wild", ""] for row in ("invoke", "quell", "move")},
        "deck": deck,
        "willpower": 4,
    }
    slots = {
        "valley.1": {"emotion": "kindness"},
        "land.1": {"emotion": "kindness"},
        "valley.2": {"emotion": "fear"},
    }
    mate = {"team": "bliss", "at": "land", "deck": ["trust"], "hand": []}
    parts: dict[str, Any] = {"slots": slots, "players": {"pia": mate}}

    def listed(hand: list[str]) -> set[str]:
        return {repr(a) for a, _ in legal_actions(table(shared | {"hand": hand}, **parts), CARDS)}

    possible = [title for title in deck if title != "kindness"]
    assert listed(["*"]) == set().union(*(listed([title]) for title in possible))
    assert not any("kindness" in action for action in listed(["*"]))
    pairs = [[one, other] for one in possible for other in possible]
    assert listed(["*", "*"]) == set().union(*(listed(pair) for pair in pairs))
