"""What no action may break, whatever the rules say about it: pieces are kept, counts stay in their range."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from companion.rules.board import SLOTS, SPHERES, TEAMS, Team
from companion.rules.cards import Catalogue
from companion.rules.gains import AMBITION_TOKENS
from companion.rules.hands import COPIES_PER_PLAYER, DECK_SIZE
from companion.rules.position import HIDDEN, SPHERE_FULL, Player, Position
from companion.rules.setup import WILD_TOKENS
from companion.rules.vibes import WILD
from companion.scenario.errors import NotationError
from companion.scenario.notation import position_from, position_to


def broken(before: Position, after: Position, cards: Catalogue, was: dict[str, Any]) -> Iterator[str]:
    """Yield each invariant that does not hold, in a sentence.

    Args:
        before: the position that was acted on.
        after: the position that follows.
        cards: the printed values.
        was: `before`, written out before the action: to undo is to go back to it.
    """
    if position_to(before) != was:
        yield "the position before the action was changed, so that it can't be undone"
    yield from _fragments(before, after)
    yield from _kept(before, after)
    yield from _counts(after)
    yield from _emotions(after, cards)
    yield from _titles(after, cards)
    yield from _decks(after, cards)
    yield from _written(after, cards)


def fragments(position: Position, team: Team) -> tuple[int, int]:
    """Count all Minor and all Major Fragments of a team: unused, as Fortresses, in the Identity."""
    placed = Counter(position.identity)
    placed.update(f"{fortress.team} {fortress.fragment}" for fortress in position.fortresses.values())
    state = position.teams[team]
    return state.minor + placed[f"{team} minor"], state.major + placed[f"{team} major"]


def _fragments(before: Position, after: Position) -> Iterator[str]:
    for team in TEAMS:
        if fragments(before, team) != fragments(after, team):
            yield f"{team} has {fragments(after, team)} Fragments, not {fragments(before, team)}"
        if min(after.teams[team].minor, after.teams[team].major) < 0:
            yield f"{team} has fewer Fragments than none"
    if after.identity[: len(before.identity)] != before.identity:
        yield "a Fragment left the Identity"
    if sum(fragment.endswith("capping") for fragment in after.identity) > 1:
        yield "the Identity has two Capping Fragments"


def _kept(before: Position, after: Position) -> Iterator[str]:
    """Compare what no action takes away, and what only an Absorb does (R-RES-4, R-ORIGIN-4, R-SETUP-17)."""
    if [(p.name, p.team) for p in after.players.values()] != [
        (p.name, p.team) for p in before.players.values()
    ]:
        yield "the players or their order changed"
    for name, player in after.players.items():
        if player.at is None and before.players[name].at is not None:
            yield f"{name}'s figure left the board"
    for team in TEAMS:
        if after.teams[team].points < before.teams[team].points:
            yield f"{team} lost points"
    inside, was = after.origin.willpower, before.origin.willpower
    changed = [sphere for sphere in inside if inside[sphere] != was.get(sphere)]
    if len(changed) > 1:
        yield f"the Willpower of {' and '.join(changed)} changed at once"
    for sphere in changed:
        if inside[sphere] != SPHERE_FULL and (inside[sphere] > was.get(sphere, 0) or not after.turn.absorbed):
            yield f"{sphere} went from {was.get(sphere)} to {inside[sphere]} Willpower"


def _counts(position: Position) -> Iterator[str]:
    for team, state in position.teams.items():
        if not 0 <= state.ambition <= AMBITION_TOKENS:
            yield f"{team} has {state.ambition} Ambition"
    for player in position.players.values():
        if player.willpower < 0 or player.essence < 0:
            yield f"{player.name} has {player.willpower} Willpower and {player.essence} Essence"
        if len(player.hand) > DECK_SIZE:
            yield f"{player.name} holds {len(player.hand)} cards"
        yield from _rows(player)
        yield from _set_up(player, position)
    yield from _spheres(position)
    if position.turn.actions_left < 0:
        yield f"{position.turn.actions_left} Actions are left"


def _rows(player: Player) -> Iterator[str]:
    for name, row in player.vibes.items():
        colours = [token for token in row if token not in ("", "wild")]
        if len(set(colours)) < len(colours):
            yield f"{player.name} has a colour twice in the row {name}"
        if any(row) and not row[0]:
            yield f"{player.name} has upgrades in the locked row {name}"


def _set_up(player: Player, position: Position) -> Iterator[str]:
    """Count what a set-up lays on a Spirit board and beside it (R-SETUP-19, R-SETUP-23, R-SETUP-24)."""
    open_steps = [step.action for step in position.turn.pending if step.player == player.name]
    wild = sum(row.count(WILD) for row in player.vibes.values())
    if wild + open_steps.count("place-wild") != WILD_TOKENS:
        yield f"{player.name} has {wild} wild Vibe tokens"
    if player.at is None and "place-spirit" not in open_steps:
        yield f"{player.name}'s figure was never placed"


def _spheres(position: Position) -> Iterator[str]:
    if tuple(position.origin.willpower) != SPHERES:
        yield "a Sphere is missing"
    for sphere, inside in position.origin.willpower.items():
        if not 0 <= inside <= SPHERE_FULL:
            yield f"{sphere} holds {inside} Willpower"


def _emotions(position: Position, cards: Catalogue) -> Iterator[str]:
    for slot, emotion in position.slots.items():
        if slot not in SLOTS:
            yield f"{emotion.name} lies in {slot}, which is no slot"
        spaces = cards.cards[emotion.name].spaces
        if emotion.essence < 1 or (spaces is not None and emotion.essence > spaces):
            yield f"{emotion.name} in {slot} has {emotion.essence} Essence"


def _titles(position: Position, cards: Catalogue) -> Iterator[str]:
    """Count the copies of each title that are seen (R-COMP-8, R-COMP-9, R-COMP-10)."""
    seen = Counter(emotion.name for emotion in position.slots.values())
    for player in position.players.values():
        known = Counter(title for title in player.hand if title != HIDDEN)
        known.update(() if player.top is None else (player.top,))
        for name, count in known.items():
            if count > COPIES_PER_PLAYER:
                yield f"{player.name} has {count} {name}"
        seen.update(known)
    for name, count in seen.items():
        copies = cards.cards[name].copies
        if copies is not None and count > copies:
            yield f"{count} {name} are seen; there are {copies}"


def _decks(position: Position, cards: Catalogue) -> Iterator[str]:
    """Count the cards that come from the Emotion decks of a team, 16 each (R-SETUP-7, R-DECK-6)."""
    for player in position.players.values():
        known = {title for title in (*player.hand, player.top) if title not in (None, HIDDEN)}
        for title in sorted(known - set(player.deck if player.deck is not None else known)):
            yield f"{player.name} shows {title}, which is not in the deck"
    for team in TEAMS:
        mates = [player for player in position.players.values() if player.team == team]
        played = [cards.cards[emotion.name] for emotion in position.slots.values()]
        out = sum(card.team == team and card.strength == "mild" for card in played)
        out += sum(len(mate.hand) + (mate.top is not None) for mate in mates)
        if out > DECK_SIZE * len(mates):
            yield f"{out} cards of {team} are out of {len(mates)} decks"


def _written(position: Position, cards: Catalogue) -> Iterator[str]:
    try:
        if position_from(position_to(position), cards) != position:
            yield "the position written and read again is another one"
    except NotationError as e:
        yield f"the position can't be read again: {e}"
