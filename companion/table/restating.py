"""The board is right: the position follows the pieces, as an adjustment that everybody can see and undo."""

from companion.rules.actions import Adjust
from companion.rules.parts import EmotionPart, Part, PlayerPart
from companion.rules.position import Row
from companion.table.game import Table
from companion.table.pieces import Piece

REASON = "the board is right"


def restated(table: Table) -> Adjust | None:
    """Return the adjustment that makes the position what lies there; None where it can't be one.

    A card that lies in another slot has what lay on it; one that is new has what a card has by itself. Two
    cards in one slot, or a figure that stands nowhere or twice, are no position.
    """
    slots: dict[str, EmotionPart | None] = {}
    players: dict[str, PlayerPart] = {}
    for space in table.open:
        kind, _, name = space.partition("/")
        content = table.everything.content(space)
        if content != table.seen.content(space):
            return None
        if kind in ("slot", "vibe") and len(content) > 1:
            return None
        if kind == "slot":
            slots[name] = _emotion(content[0], space, table) if content else None
    figures = _figures(table)
    if figures is None:
        return None
    for name, at in figures.items():
        players[name] = PlayerPart(at=at)
    for name, rows in _rows(table).items():
        players[name] = PlayerPart(at=figures.get(name), vibes=rows)
    return Adjust(Part(slots=slots, players=players), REASON) if slots or players else None


def _emotion(piece: Piece, space: str, table: Table) -> EmotionPart:
    """Return what is stated of a card that newly lies in a slot."""
    sources = [
        other
        for other in table.open
        if other != space and other.startswith("slot/") and piece in table.lost(other)
    ]
    if len(sources) != 1:
        return EmotionPart(piece.name)
    was = table.game.position.slots[sources[0].removeprefix("slot/")]
    return EmotionPart(was.name, was.essence, was.intensity_token)


def _figures(table: Table) -> dict[str, str] | None:
    """Return where the figures stand that were moved, by player; None where one stands nowhere or twice."""
    concerned = {
        piece.name
        for space in table.open
        if space.startswith("spirit/")
        for piece in (*table.gained(space), *table.lost(space))
    }
    found = {}
    for player in table.game.position.players.values():
        if player.spirit not in concerned:
            continue
        figure = Piece("spirit", player.spirit or "")
        standing = [
            space.removeprefix("spirit/")
            for space, content in table.seen.layout.items()
            if space.startswith("spirit/") and figure in content
        ]
        if len(standing) != 1:
            return None
        found[player.name] = standing[0]
    return found


def _rows(table: Table) -> dict[str, dict[str, Row]]:
    """Return the Vibe rows that changed, whole, by player and row."""
    names = list(table.game.position.players)
    found: dict[str, dict[str, Row]] = {}
    for space in table.open:
        kind, _, rest = space.partition("/")
        if kind != "vibe":
            continue
        seat, row, number = rest.split("/")
        player = table.game.position.players[names[int(seat) - 1]]
        tokens = list(found.get(player.name, {}).get(row, player.row(row)))
        content = table.seen.content(space)
        tokens[int(number) - 1] = content[0].name if content else ""
        found.setdefault(player.name, {})[row] = (tokens[0], tokens[1], tokens[2], tokens[3])
    return found
