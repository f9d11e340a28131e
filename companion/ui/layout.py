"""What goes where on a screen of any size: board, seats, teams, band and tray as rectangles.

Free of Kivy. The board gets what is left when everything that must be read has its room; nothing overlaps,
and what is asked or answered has a band of its own, so that nothing ever lies over the board.
"""

from dataclasses import dataclass
from typing import Final

from companion.ui import theme
from companion.ui.ring import OUTER, Ring
from companion.ui.theme import TypeRole

DESIGN: Final = (1280.0, 800.0)
"""The screen that the sizes of the theme are made for, in dp."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle in pixels, y upwards."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.w

    @property
    def top(self) -> float:
        """The upper edge."""
        return self.y + self.h

    @property
    def middle(self) -> tuple[float, float]:
        """The centre."""
        return self.x + self.w / 2, self.y + self.h / 2

    def inset(self, dx: float, dy: float | None = None) -> "Rect":
        """Return the rectangle that much smaller on each side."""
        dy = dx if dy is None else dy
        return Rect(self.x + dx, self.y + dy, self.w - 2 * dx, self.h - 2 * dy)

    def has(self, x: float, y: float) -> bool:
        """Tell whether a point lies in it."""
        return self.x <= x <= self.right and self.y <= y <= self.top

    def meets(self, other: "Rect", slack: float = 0.5) -> bool:
        """Tell whether the two overlap by more than `slack` pixels."""
        return (
            self.x < other.right - slack
            and other.x < self.right - slack
            and self.y < other.top - slack
            and other.y < self.top - slack
        )

    def row(self, shares: tuple[float, ...], gap: float) -> tuple["Rect", ...]:
        """Cut it into columns of the given shares, left to right."""
        room = self.w - gap * (len(shares) - 1)
        x, parts = self.x, []
        for share in shares:
            wide = room * share / sum(shares)
            parts.append(Rect(x, self.y, wide, self.h))
            x += wide + gap
        return tuple(parts)

    def stack(self, heights: tuple[float, ...], gap: float) -> tuple["Rect", ...]:
        """Cut rows of the given heights off the top, downwards."""
        y, parts = self.top, []
        for high in heights:
            parts.append(Rect(self.x, y - high, self.w, high))
            y -= high + gap
        return tuple(parts)


@dataclass(frozen=True, slots=True)
class Scale:
    """From the theme's sizes to the pixels of one screen."""

    room: float
    """Room of the screen against the one the theme is made for."""
    density: float
    """Pixels of a dp."""

    def px(self, size: float) -> float:
        """Return a length of the theme in pixels."""
        return size * self.room * self.density

    def sp(self, role: TypeRole) -> float:
        """Return a type size in pixels; on small screens text shrinks less than the room does."""
        room = self.room if self.room >= 1 else self.room**0.6
        return round(max(theme.TYPE[role] * room, theme.SMALLEST_TYPE_SP) * self.density, 1)

    @property
    def touch(self) -> float:
        """The least height and width of something to tap, 9 mm (theme.TOUCH_DP)."""
        return max(theme.SMALLEST_TOUCH_DP, theme.TOUCH_DP * self.room) * self.density


@dataclass(frozen=True, slots=True)
class Frame:
    """Every place of the play screen."""

    scale: Scale
    ring: Ring
    board: Rect
    """The square that the ring stands in; its four corners hold the round buttons."""
    seats: tuple[Rect, ...]
    """By player, in player order."""
    teams: tuple[Rect, Rect]
    """Bliss, Gloom."""
    band: Rect
    tray: Rect | None
    sheets: tuple[Rect, Rect]
    """Where a list may open: in place of the seats on the left, or on the right."""
    corners: tuple[Rect, Rect, Rect, Rect]
    """Top left, top right, bottom left, bottom right."""
    kind: str
    """`wide`, `small` or `tall`."""


def frame(
    size: tuple[float, float],
    teams: tuple[str, ...],
    *,
    virtual: bool = False,
    density: float = 1.0,
    acting: int = 0,
) -> Frame:
    """Lay out the play screen.

    Args:
        size: width and height in pixels.
        teams: the team of each player, in player order.
        virtual: whether there is a tray of pieces.
        density: pixels of a dp.
        acting: index of the player to act, who gets the most room where not all seats have it.
    """
    w, h = size[0] / density, size[1] / density
    if h > w:
        return _tall(size, teams, Scale(min(w / DESIGN[1], h / DESIGN[0]), density), virtual=virtual)
    scale = Scale(min(w / DESIGN[0], h / DESIGN[1]), density)
    if virtual and scale.room < 0.8:
        return _small(size, teams, scale, acting)
    return _wide(size, teams, scale, virtual=virtual)


def _band_height(scale: Scale) -> float:
    # Two lines of text in a button, or the least that a finger hits, whichever is more.
    return max(scale.px(76), scale.touch + 2 * scale.px(6))


def _wide(size: tuple[float, float], teams: tuple[str, ...], scale: Scale, *, virtual: bool) -> Frame:
    margin, gap = scale.px(theme.MARGIN), scale.px(theme.GAP)
    band = Rect(margin, margin * 0.6, size[0] - 2 * margin, _band_height(scale))
    floor = band.top + gap
    tray = None
    if virtual:
        tray = Rect(margin, floor, band.w, scale.px(106))
        floor = tray.top + gap
    high = size[1] - floor
    least = max(scale.px(240), 176 * scale.density)
    board_w = min(high, size[0] - 2 * (least + margin + gap))
    wide = min((size[0] - board_w) / 2 - margin - gap, scale.px(330))
    board_w = size[0] - 2 * (wide + margin + gap)
    board = Rect(wide + margin + gap, floor, board_w, high)
    column = Rect(margin, floor, wide, high - margin)
    columns = (column, Rect(size[0] - margin - wide, floor, wide, column.h))
    return _assemble(scale, board, columns, teams, (band, tray), kind="wide")


def _tall(size: tuple[float, float], teams: tuple[str, ...], scale: Scale, *, virtual: bool) -> Frame:
    margin, gap = scale.px(theme.MARGIN), scale.px(theme.GAP)
    inner = size[0] - 2 * margin
    high = min(size[0], size[1] * (0.52 if virtual else 0.56))
    board = Rect(0, size[1] - high, size[0], high)
    ceiling = board.y - gap
    tray = None
    if virtual:
        tray = Rect(margin, ceiling - scale.px(106), inner, scale.px(106))
        ceiling = tray.y - gap
    band = Rect(margin, ceiling - _band_height(scale), inner, _band_height(scale))
    left, right = Rect(margin, margin, inner, band.y - gap - margin).row((1, 1), gap)
    return _assemble(scale, board, (left, right), teams, (band, tray), kind="tall")


def _assemble(
    scale: Scale,
    board: Rect,
    columns: tuple[Rect, Rect],
    teams: tuple[str, ...],
    bands: tuple[Rect, Rect | None],
    *,
    kind: str,
) -> Frame:
    gap = scale.px(theme.GAP)
    team_h = max(scale.px(62 if kind == "tall" else 88), 58 * scale.density)
    boxes = tuple(Rect(c.x, c.y, c.w, team_h) for c in columns)
    seats: list[Rect] = []
    for i, team in enumerate(teams):
        column = columns[0 if team == "bliss" else 1]
        count = teams.count(team)
        nth = teams[:i].count(team)
        high = (column.h - team_h - gap * count) / count
        high = min(high, scale.px(330))
        seats.append(Rect(column.x, column.top - (nth + 1) * high - nth * gap, column.w, high))
    return Frame(
        scale,
        _ring(board, scale),
        board,
        tuple(seats),
        (boxes[0], boxes[1]),
        *bands,
        sheets=columns,
        corners=_corners(board, scale),
        kind=kind,
    )


def _small(size: tuple[float, float], teams: tuple[str, ...], scale: Scale, acting: int) -> Frame:
    """Lay out a small screen with a tray: seats left, tray right, only the acting seat in full."""
    margin, gap = scale.px(theme.MARGIN), scale.px(theme.GAP)
    band = Rect(margin, margin * 0.6, size[0] - 2 * margin, _band_height(scale))
    floor = band.top + gap
    high = size[1] - floor
    wide = max((size[0] - high) / 2 - margin, 176 * scale.density)
    board = Rect(margin + wide, floor, size[0] - 2 * (margin + wide), high)
    left = Rect(margin, floor, wide, high - margin)
    tray = Rect(size[0] - margin - wide, floor, wide, left.h)
    team_h = 58 * scale.density
    boxes = Rect(left.x, left.y, left.w, team_h).row((1, 1), gap)
    room = left.h - team_h - gap * len(teams)
    slim = 52 * scale.density
    heights = tuple(room - slim * (len(teams) - 1) if i == acting else slim for i in range(len(teams)))
    return Frame(
        scale,
        _ring(board, scale),
        board,
        left.stack(heights, gap),
        (boxes[0], boxes[1]),
        band,
        tray,
        sheets=(left, tray),
        corners=_corners(board, scale),
        kind="small",
    )


def _ring(board: Rect, scale: Scale) -> Ring:
    side = min(board.w, board.h)
    x, y = board.middle
    # The names of the Realms are not shrunk below their least size, so they need more of a small ring.
    label = max(scale.sp("small") * 1.35, side / 2 * (OUTER - 1) / OUTER)
    return Ring(x, y, side / 2 - label)


def _corners(board: Rect, scale: Scale) -> tuple[Rect, Rect, Rect, Rect]:
    side = min(board.w, board.h)
    x, y = board.middle
    square = Rect(x - side / 2, y - side / 2, side, side).inset(scale.px(3))
    t = min(scale.touch, side * 0.125)
    return (
        Rect(square.x, square.top - t, t, t),
        Rect(square.right - t, square.top - t, t, t),
        Rect(square.x, square.y, t, t),
        Rect(square.right - t, square.y, t, t),
    )
