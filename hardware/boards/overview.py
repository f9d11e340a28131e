"""Where every reader of a table lies and which node it hangs on, seen from above, as SVG."""

from html import escape
from math import cos, radians, sin
from typing import Final

from hardware.boards import pi
from hardware.boards.drawing import FONT, PAPER
from hardware.firmware.config import FRONTIER, REALM, SPACES
from hardware.firmware.manifest import FRONTIERS

_WIDTH: Final = 960
_HEIGHT: Final = 850
_X: Final = _WIDTH // 2
_Y: Final = 430
_RING: Final = 330
_SLOT_AT: Final = 0.83
_SPIRIT_AT: Final = 0.53
_NODE_AT: Final = 1.14
_FILLS: Final = ("#f4c7b8", "#f3dfa2", "#c9e4c0", "#bcd9ef", "#dcc9ec")
_EDGES: Final = ("#b5482a", "#9a7400", "#3d7f2e", "#2a6a9e", "#7a4aa3")


def spaces_of(realm: str) -> dict[str, str]:
    """What stands above each plug of the node of this Realm."""
    return {
        plug: space.replace(FRONTIER, FRONTIERS[realm]) if FRONTIER in space else space.replace(REALM, realm)
        for plug, space in SPACES.items()
    }


def svg() -> str:
    """Draw the whole board, its nodes and the pads; always the same text."""
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" {FONT}>',
        "<title>Readers and nodes of the whole board, from above</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="{PAPER}"/>',
        *[part for number, realm in enumerate(FRONTIERS) for part in _node(number, realm)],
        *_middle(),
        *_pads(),
        "</svg>\n",
    ]
    return "\n".join(drawn)


def _node(number: int, realm: str) -> list[str]:
    """One fifth: its ground, its cable, its readers, its Pico."""
    fill, edge = _FILLS[number], _EDGES[number]
    start = 72 * number - 24
    cable = 72 * number + 24
    (x1, y1), (x2, y2) = _at(cable, 0.1), _at(cable, _NODE_AT)
    drawn = [
        _sector(start, start + 72, fill),
        f'<path d="M{x1} {y1} L{x2} {y2}" stroke="{edge}" stroke-width="4" stroke-dasharray="10 6"/>',
    ]
    slots, spirits = 0, 0
    for plug, space in spaces_of(realm).items():
        if space.startswith("slot/"):
            drawn += _slot(_at(24 * (3 * number + slots) - 12, _SLOT_AT), plug, space, edge)
            slots += 1
        else:
            drawn += _spirit(_at(36 * (2 * number + spirits), _SPIRIT_AT), plug, edge)
            spirits += 1
    box = f'<rect x="{x2 - 66}" y="{y2 - 22}" width="132" height="44" rx="8" fill="{edge}"/>'
    drawn += [box, _words(x2, y2 - 3, f"realm-{realm}", 14, "#ffffff", bold=True)]
    drawn.append(_words(x2, y2 + 14, "Pico", 12, "#ffffff"))
    return drawn


def _slot(place: tuple[int, int], plug: str, space: str, edge: str) -> list[str]:
    x, y = place
    number = space.partition(".")[2]
    what = f"slot {number}" if number else "Frontier"
    card = f'x="{x - 40}" y="{y - 23}" width="80" height="46" rx="5"'
    return [
        f'<rect {card} fill="#ffffff" stroke="{edge}" stroke-width="2"/>',
        _words(x, y - 3, plug, 15, "#111111", bold=True),
        _words(x, y + 14, what, 11, "#444444"),
    ]


def _spirit(place: tuple[int, int], plug: str, edge: str) -> list[str]:
    x, y = place
    ring = f'<circle cx="{x}" cy="{y}" r="21" fill="#ffffff" stroke="{edge}" stroke-width="2"/>'
    return [ring, _words(x, y + 5, plug, 14, "#111111", bold=True)]


def _middle() -> list[str]:
    return [
        _words(26, 40, "Readers and nodes, seen from above", 19, "#111111", bold=True, anchor="start"),
        _words(26, 62, "card: slot · circle: Spirit space · dashed: USB", 13, "#444444", anchor="start"),
        f'<circle cx="{_X}" cy="{_Y}" r="70" fill="#444b54"/>',
        _words(_X, _Y - 4, "Raspberry Pi", 15, "#ffffff", bold=True),
        _words(_X, _Y + 16, "behind a USB hub", 12, "#ffffff"),
    ]


def _pads() -> list[str]:
    """At the four corners: seats are where people sit."""
    drawn = []
    corners = ((26, 770), (_WIDTH - 146, 770), (_WIDTH - 146, 96), (26, 96))
    for (x, y), pad in zip(corners, pi.PADS, strict=True):
        drawn += [
            f'<rect x="{x}" y="{y}" width="120" height="56" rx="8" fill="#e6ecf5" stroke="#5b6570"/>',
            _words(x + 60, y + 25, pad.space, 15, "#111111", bold=True),
            _words(x + 60, y + 44, "on the Pi's SPI", 12, "#444444"),
        ]
    return drawn


def _sector(first: int, last: int, fill: str) -> str:
    """A piece of the ring, clockwise from the top."""
    (x1, y1), (x2, y2) = _at(first, 1), _at(last, 1)
    (x3, y3), (x4, y4) = _at(last, 0.38), _at(first, 0.38)
    inner = round(_RING * 0.38)
    path = f"M{x1} {y1} A{_RING} {_RING} 0 0 1 {x2} {y2} L{x3} {y3} A{inner} {inner} 0 0 0 {x4} {y4} Z"
    return f'<path d="{path}" fill="{fill}" stroke="{PAPER}" stroke-width="4"/>'


def _at(angle: float, share: float) -> tuple[int, int]:
    """The place at an angle clockwise from the top, at a share of the ring's radius."""
    turn = radians(angle)
    return round(_X + sin(turn) * share * _RING), round(_Y - cos(turn) * share * _RING)


def _words(
    x: int, y: int, text: str, size: int, colour: str, *, bold: bool = False, anchor: str = "middle"
) -> str:
    weight = "bold" if bold else "normal"
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{colour}" '
        f'font-weight="{weight}">{escape(text)}</text>'
    )
