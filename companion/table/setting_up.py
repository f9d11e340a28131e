"""Pieces that people place at set-up: which are awaited, and which step they show (R-SETUP-19, R-SETUP-23).

All may be laid at once and in any order: what a later step will bring is no difference to put right, and it
does not stand in the way of the step that is due.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from companion.rules.actions import PlaceSpirit, PlaceWild
from companion.rules.board import FRONTIERS, Team, triad
from companion.rules.cards import Catalogue
from companion.rules.position import ROWS, Player, Position
from companion.rules.starting import placer, setup_step, starting_emotion
from companion.rules.vibes import WILD
from companion.table.layout import NOTHING, Content, Layout, Seen, emotion_piece, surplus
from companion.table.pieces import Piece

Placed = PlaceSpirit | PlaceWild
"""The steps of a set-up that are recognised from pieces."""

WILD_PIECE = Piece("vibe", WILD)


def placing_now(position: Position) -> Player | None:
    """Return who takes the next step of the set-up, None once the game is on."""
    step = setup_step(position)
    return None if step is None else placer(position, step)


def starting_piece(team: Team, cards: Catalogue) -> Piece:
    """Return the Starting Emotion of a team as a piece."""
    return emotion_piece(starting_emotion(team, cards).name, cards)


def figure_piece(player: Player) -> Piece | None:
    """Return a player's figure, None where the Spirit is not known."""
    return None if player.spirit is None else Piece("spirit", player.spirit)


def awaited(position: Position, cards: Catalogue) -> Mapping[Piece, int]:
    """Count the pieces that the steps of the set-up still bring onto the table."""
    if placing_now(position) is None:
        return {}
    counts: Counter[Piece] = Counter()
    for step in position.turn.pending:
        player = placer(position, step)
        if step.action == "place-wild":
            counts[WILD_PIECE] += 1
        elif step.action == "place-spirit":
            counts[starting_piece(player.team, cards)] += 1
            figure = figure_piece(player)
            if player.at is None and figure is not None:
                counts[figure] = 1
    return counts


def mate_to_place(position: Position) -> bool:
    """Tell whether a teammate of whoever places the figure now has a Starting Emotion to place as well."""
    player = placing_now(position)
    return player is not None and any(
        step.action == "place-spirit" and step.team == player.team and step.player != player.name
        for step in position.turn.pending
    )


def only_awaited(content: Content, wanted: Content, pieces: Mapping[Piece, int]) -> bool:
    """Tell whether a space differs by nothing but pieces that the set-up still brings."""
    extra = surplus(content, wanted)
    return bool(extra) and not surplus(wanted, content) and all(pieces.get(piece, 0) for piece in extra)


def step_shapes(
    position: Position, seen: Seen, wrong: Iterable[str], expected: Layout, cards: Catalogue
) -> Iterator[Placed]:
    """Yield what newly laid pieces can mean as the step that is due, whether legal or not.

    Args:
        position: during a set-up.
        seen: what lies where.
        wrong: the spaces that differ from the position.
        expected: how its pieces lie.
        cards: the printed values.
    """
    step, gained = setup_step(position), _gained(seen, wrong, expected)
    if step is None:
        return
    if step.action == "place-wild":
        yield from _tokens(position, gained)
        return
    player = placer(position, step)
    card = starting_piece(player.team, cards)
    slots = [name for kind, name, pieces in gained if kind == "slot" and card in pieces]
    for at in _starts(position, player, seen, gained, slots):
        yield from (PlaceSpirit(slot, at, player=player.name) for slot in slots)


def _gained(seen: Seen, wrong: Iterable[str], expected: Layout) -> list[tuple[str, str, Content]]:
    """Return kind, name and new pieces of every space that has some."""
    found = []
    for space in wrong:
        kind, _, name = space.partition("/")
        if pieces := surplus(seen.content(space), expected.get(space, NOTHING)):
            found.append((kind, name, pieces))
    return found


def _starts(
    position: Position,
    player: Player,
    seen: Seen,
    gained: list[tuple[str, str, Content]],
    slots: list[str],
) -> tuple[str | None, ...]:
    """Return where the figure may have been put; where no Spirit space can be read, its card tells."""
    if player.at is not None:
        return (None,)
    figure = figure_piece(player)
    standing = tuple(name for kind, name, pieces in gained if kind == "spirit" and figure in pieces)
    if standing or any(space.startswith("spirit/") for space in seen.layout):
        return standing
    if position.mode == "basic":
        return ()
    return tuple(frontier for frontier in FRONTIERS if any(slot in triad(frontier) for slot in slots))


def _tokens(position: Position, gained: list[tuple[str, str, Content]]) -> Iterator[PlaceWild]:
    """Yield the wild tokens newly laid on the Spirit board of whoever is to place one, leftmost first."""
    player = placing_now(position)
    if player is None:
        return
    seat = str(list(position.players).index(player.name) + 1)
    laid = [name.split("/") for kind, name, pieces in gained if kind == "vibe" and pieces == (WILD_PIECE,)]
    places = [(row, int(space)) for where, row, space in laid if where == seat and row in ROWS]
    for row, space in sorted(places, key=lambda place: (place[1], ROWS.index(place[0]))):
        yield PlaceWild(row, space, player=player.name)


def step_footprint(action: Placed, position: Position, cards: Catalogue) -> Layout:
    """Return what a step changes on the table: content by space afterwards."""
    player = position.players[action.player or (placing_now(position) or position.actor).name]
    if isinstance(action, PlaceWild):
        seat = list(position.players).index(player.name) + 1
        return {f"vibe/{seat}/{action.row}/{action.space}": (WILD_PIECE,)}
    left: dict[str, Content] = {f"slot/{action.slot}": (starting_piece(player.team, cards),)}
    figure = figure_piece(player)
    if action.at is not None and figure is not None:
        there = (figure_piece(other) for other in position.players.values() if other.at == action.at)
        standing = [piece for piece in there if piece is not None and piece != figure]
        left[f"spirit/{action.at}"] = tuple(sorted((*standing, figure)))
    return left
