"""Wiring as SVG: every line has a lane of its own beside the board, and what it reaches is on its level."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from hardware.boards.wiring import Part, Pin, Side, Wiring

COLOURS: Final = {
    "3.3 V": "#d62828",
    "5 V": "#e85d04",
    "ground": "#222222",
    "clock": "#c79a00",
    "MOSI": "#1d6fd1",
    "MISO": "#1f8a3b",
    "chip select": "#8e44ad",
    "reset": "#8a5a3c",
    "lights": "#d6249f",
}
"""By kind of line, in the order of the legend."""

_SHARED: Final = ("3.3 V", "ground", "clock", "MOSI", "5 V")
_ROW: Final = 20
_LANE: Final = 12
_MARGIN: Final = 20
_PART_WIDTH: Final = 150
_BOARD_WIDTH: Final = 300
_HEAD: Final = 60
_FREE: Final = "#8a8a8a"
PAPER: Final = "#fbfaf7"
FONT: Final = 'font-family="DejaVu Sans, Arial, sans-serif"'
_SIDES: Final[tuple[Side, Side]] = ("left", "right")


def svg(wiring: Wiring) -> str:
    """Draw it; the same wiring always gives the same text."""
    return _Sheet(wiring).text()


class _Net:
    """Where one line is tapped at one side of the board."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.inner: list[int] = []
        self.outer: list[int] = []

    @property
    def levels(self) -> list[int]:
        return [*self.inner, *self.outer]


class _Sheet:
    """One drawing under way. Levels of the board are multiples of 20, those of the parts lie between."""

    def __init__(self, wiring: Wiring) -> None:
        self._wiring = wiring
        self._nets: dict[Side, dict[str, _Net]] = {"left": {}, "right": {}}
        middle = sum(_height(part) + _ROW * 2 for part in wiring.middle)
        sides = max(sum(_height(part) + _ROW for part in parts) for parts in (wiring.left, wiring.right, ()))
        self._body = max(middle, sides)
        self._middle_top = _on_grid((self._body - middle) // 2)
        self._taps()
        self._crossing = self._find_crossing()
        self._lanes = {side: self._order(side) for side in _SIDES}
        widths = {side: (len(self._lanes[side]) + 2) * _LANE for side in _SIDES}
        self._board_x = _MARGIN + (_PART_WIDTH if wiring.left else 0) + widths["left"]
        self._right_x = self._board_x + _BOARD_WIDTH + widths["right"]
        self.width = self._right_x + _PART_WIDTH + _MARGIN
        tops = [y for _, y, _ in self._places()] + [y - 20 for y in self._crossing.values()]
        self.top = min(tops) - 60
        self.height = max(y + _height(part) for part, y, _ in self._places()) + 56 - self.top

    def text(self) -> str:
        """The whole file."""
        frame = f"0 {self.top} {self.width} {self.height}"
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{frame}" {FONT}>',
            f"<title>{escape(self._wiring.title)}</title>",
            _box(0, self.top, self.width, self.height, PAPER, edge="none"),
            _words(_MARGIN, self.top + 34, self._wiring.title, 19, weight="bold"),
            *self._wires(),
            *self._parts(),
            *self._legend(),
            "</svg>\n",
        ]
        return "\n".join(parts)

    def _places(self) -> Iterable[tuple[Part, int, Side | None]]:
        y = self._middle_top
        for part in self._wiring.middle:
            yield part, y, None
            y += _height(part) + _ROW * 2
        for side, parts in (("left", self._wiring.left), ("right", self._wiring.right)):
            tall = sum(_height(part) + _ROW for part in parts)
            y = _on_grid((self._body - tall) // 2) + _ROW // 2
            for part in parts:
                yield part, y, "left" if side == "left" else "right"
                y += _height(part) + _ROW

    def _taps(self) -> None:
        for part, y, place in self._places():
            for side, pins in _rows(part):
                for level, pin in _levels(y, pins):
                    if pin.net is not None:
                        at: Side = side if place is None else place
                        net = self._nets[at].setdefault(pin.net, _Net(pin.kind))
                        (net.inner if place is None else net.outer).append(level)

    def _find_crossing(self) -> dict[str, int]:
        """The level above the board of each line that has its pin on one side and is needed on the other."""
        left, right = self._nets["left"], self._nets["right"]
        both = [
            name
            for name in sorted(left.keys() & right.keys())
            if not left[name].inner or not right[name].inner or left[name].kind == "3.3 V"
        ]
        return {name: self._middle_top - 25 - 10 * place for place, name in enumerate(both)}

    def _order(self, side: Side) -> list[str]:
        """Lanes from the board outwards: those of one reader, then those that are shared."""
        nets = self._nets[side]
        used = [n for n in nets if len(nets[n].levels) + (n in self._crossing) > 1]

        def rank(name: str) -> tuple[bool, int, float]:
            net = nets[name]
            shared = net.kind in _SHARED
            level = sum(net.outer or net.inner) / len(net.outer or net.inner)
            return shared, _SHARED.index(net.kind) if shared else 0, level

        return sorted(used, key=rank)

    def _lane_x(self, side: Side, name: str) -> int:
        step = (self._lanes[side].index(name) + 1) * _LANE + _LANE // 2
        return self._board_x - step if side == "left" else self._board_x + _BOARD_WIDTH + step

    def _wires(self) -> list[str]:
        """Lanes first, so that what crosses them lies above."""
        lanes: list[str] = []
        levels: list[str] = []
        for side in _SIDES:
            for name in self._lanes[side]:
                self._net(side, name, lanes, levels)
        for name, y in self._crossing.items():
            left, right = (self._lane_x(side, name) for side in _SIDES)
            levels.append(_level(left, right, y, self._nets["left"][name].kind))
        return lanes + levels

    def _net(self, side: Side, name: str, lanes: list[str], levels: list[str]) -> None:
        net, lane = self._nets[side][name], self._lane_x(side, name)
        board = self._board_x if side == "left" else self._board_x + _BOARD_WIDTH
        outer = _MARGIN + _PART_WIDTH if side == "left" else self._right_x
        ends = net.levels + ([self._crossing[name]] if name in self._crossing else [])
        low, high = min(ends), max(ends)
        lanes.append(_line(lane, low, lane, high, COLOURS[net.kind]))
        levels += [_level(board, lane, y, net.kind) for y in net.inner]
        levels += [_level(lane, outer, y, net.kind) for y in net.outer]
        levels += [
            f'<circle cx="{lane}" cy="{y}" r="3.6" fill="{COLOURS[net.kind]}"/>'
            for y in sorted(ends)
            if low < y < high
        ]

    def _parts(self) -> list[str]:
        drawn = []
        for part, y, place in self._places():
            x = {None: self._board_x, "left": _MARGIN, "right": self._right_x}[place]
            width = _BOARD_WIDTH if place is None else _PART_WIDTH
            drawn += _part(part, x, y, width)
        return drawn

    def _legend(self) -> list[str]:
        kinds = {net.kind for side in self._nets.values() for net in side.values()}
        drawn, x, y = [], _MARGIN, self.top + self.height - 24
        for kind in [kind for kind in COLOURS if kind in kinds]:
            drawn.append(_line(x, y, x + 26, y, COLOURS[kind]))
            drawn.append(_words(x + 32, y + 4, kind, 13))
            x += 52 + 8 * len(kind)
        return drawn


def _part(part: Part, x: int, y: int, width: int) -> list[str]:
    board = width == _BOARD_WIDTH
    fill = "#e3efe6" if board else "#e6ecf5"
    drawn = [
        _box(x, y, width, _height(part), fill, rx=8),
        _words(x + width // 2, y + 20, part.title, 14, anchor="middle", weight="bold"),
        _words(x + width // 2, y + 38, part.note, 11, anchor="middle", colour="#555555"),
    ]
    for side, pins in _rows(part):
        for level, pin in _levels(y, pins):
            drawn += _pin(pin, x if side == "left" else x + width, level, side)
    return drawn


def _pin(pin: Pin, x: int, y: int, side: Side) -> list[str]:
    colour = COLOURS[pin.kind] if pin.net is not None else "#ffffff"
    inward = 1 if side == "left" else -1
    anchor = "start" if side == "left" else "end"
    wide = 22 if pin.number is not None else 10
    left = x if side == "left" else x - wide
    drawn = [_box(left, y - 7, wide, 14, colour, rx=2)]
    if pin.number is not None:
        ink = "#ffffff" if pin.net is not None else "#666666"
        drawn.append(_words(left + wide // 2, y + 4, str(pin.number), 10, anchor="middle", colour=ink))
    ink = "#111111" if pin.net is not None else _FREE
    drawn.append(_words(x + inward * (wide + 5), y + 4, pin.label, 12, anchor=anchor, colour=ink))
    return drawn


def _level(start: int, end: int, y: int, kind: str) -> str:
    """A level line with a pale edge: the lanes that it crosses are seen to pass below it."""
    left, right = sorted((start, end))
    pale = _line(left + 5, y, right - 5, y, PAPER, width=7) if right - left > 10 else ""
    return pale + _line(left, y, right, y, COLOURS[kind])


def _box(x: int, y: int, width: int, height: int, fill: str, *, rx: int = 0, edge: str = "#5b6570") -> str:
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{rx}" fill="{fill}" stroke="{edge}"/>'
    )


def _line(x1: int, y1: int, x2: int, y2: int, colour: str, *, width: float = 2.6) -> str:
    cap = "butt" if colour == PAPER else "round"
    return (
        f'<path d="M{x1} {y1} L{x2} {y2}" stroke="{colour}" stroke-width="{width}" stroke-linecap="{cap}"/>'
    )


def _words(
    x: int,
    y: int,
    text: str,
    size: int,
    *,
    anchor: str = "start",
    colour: str = "#111111",
    weight: str = "normal",
) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{colour}" '
        f'font-weight="{weight}">{escape(text)}</text>'
    )


def _rows(part: Part) -> list[tuple[Side, tuple[Pin, ...]]]:
    return [("left", part.left), ("right", part.right)]


def _levels(y: int, pins: Sequence[Pin]) -> list[tuple[int, Pin]]:
    return [(y + _HEAD + _ROW * row, pin) for row, pin in enumerate(pins)]


def _height(part: Part) -> int:
    return _HEAD + _ROW * max(len(part.left), len(part.right))


def _on_grid(y: int) -> int:
    return y // _ROW * _ROW
