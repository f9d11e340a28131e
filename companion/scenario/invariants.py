"""What no action may break, whatever the rules say about it: pieces are kept, counts stay in their range."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from companion.rules.board import SLOTS, SPHERES, TEAMS, Team
from companion.rules.cards import Catalogue
from companion.rules.gains import AMBITION_TOKENS
from companion.rules.hands import COPIES_PER_PLAYER, DECK_SIZE
from companion.rules.position import HIDDEN, SPHERE_FULL, Player, Position
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
    yield from _counts(after)
    yield from _emotions(after, cards)
    yield from _titles(after, cards)
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


def _written(position: Position, cards: Catalogue) -> Iterator[str]:
    try:
        if position_from(position_to(position), cards) != position:
            yield "the position written and read again is another one"
    except NotationError as e:
        yield f"the position can't be read again: {e}"
