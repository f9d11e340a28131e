"""Outlines as points: Vibes, which are told by shape before colour, and the few icons. Free of Kivy."""

from math import cos, pi, sin
from typing import Final

Point = tuple[float, float]


def vibe(name: str) -> tuple[Point, ...]:
    """Return a Vibe's outline within the unit circle, y upwards.

    Triangle red, diamond yellow, hexagon green, four-point star wild; the disc of blue is a polygon so fine
    that nobody sees it.
    """
    if name == "red":
        return _around((90, 210, 330), 1.0, lift=-0.16)
    if name == "yellow":
        return ((0, 1.0), (0.82, 0), (0, -1.0), (-0.82, 0))
    if name == "green":
        return _around((30, 90, 150, 210, 270, 330), 0.94)
    if name == "blue":
        return _around(tuple(range(0, 360, 10)), 0.84)
    return tuple(
        point
        for quarter in range(4)
        for point in (_turn(1.08, quarter * 90 + 90), _turn(0.40, quarter * 90 + 135))
    )


def _turn(radius: float, angle: float) -> Point:
    return radius * cos(angle * pi / 180), radius * sin(angle * pi / 180)


def _around(angles: tuple[float, ...], radius: float, lift: float = 0.0) -> tuple[Point, ...]:
    return tuple((x, y + lift) for x, y in (_turn(radius, angle) for angle in angles))


def _arc(cx: float, cy: float, radius: float, first: float, last: float) -> tuple[Point, ...]:
    steps = max(2, int(abs(last - first) / 12))
    return tuple(
        (cx + x, cy + y)
        for x, y in (_turn(radius, first + (last - first) * i / steps) for i in range(steps + 1))
    )


ICONS: Final[dict[str, tuple[tuple[Point, ...], ...]]] = {
    "check": (((-0.55, 0.0), (-0.15, -0.42), (0.6, 0.45)),),
    "cross": (((-0.5, 0.5), (0.5, -0.5)), ((-0.5, -0.5), (0.5, 0.5))),
    "question": (
        (*_arc(0, 0.32, 0.38, 165, -60), (0.0, -0.12), (0.0, -0.28)),
        ((0.0, -0.66), (0.0, -0.72)),
    ),
    "quiet": (((0.0, 0.16), (0.0, -0.66)), ((0.0, 0.6), (0.0, 0.66))),
    "lock": (
        ((-0.55, 0.05), (0.55, 0.05), (0.55, -0.75), (-0.55, -0.75), (-0.55, 0.05)),
        ((-0.34, 0.05), *_arc(0, 0.35, 0.34, 180, 0), (0.34, 0.05)),
    ),
    "history": (
        (*_arc(0, 0, 0.8, 140, -180),),
        ((-0.98, 0.62), (-0.62, 0.52), (-0.52, 0.9)),
        ((0.0, 0.45), (0.0, -0.05), (0.35, -0.25)),
    ),
    "plus": (((-0.7, 0), (0.7, 0)), ((0, -0.7), (0, 0.7))),
    "minus": (((-0.7, 0), (0.7, 0)),),
    "theme": (
        _arc(0, 0, 0.42, 0, 360),
        *(((x * 0.68, y * 0.68), (x, y)) for x, y in (_turn(0.98, a) for a in range(0, 360, 45))),
    ),
    "differs": (
        ((-0.75, -0.6), (0.0, 0.75), (0.75, -0.6), (-0.75, -0.6)),
        ((0.0, 0.3), (0.0, -0.1)),
        ((0.0, -0.34), (0.0, -0.4)),
    ),
    "back": (((0.25, 0.6), (-0.4, 0.0), (0.25, -0.6)),),
    "on": (((-0.25, 0.6), (0.4, 0.0), (-0.25, -0.6)),),
    "flat": (
        ((-0.8, -0.35), (-0.45, 0.4), (0.45, 0.4), (0.8, -0.35), (-0.8, -0.35)),
        ((-0.3, 0.85), (0.3, 0.85)),
        ((-0.35, -0.8), (0.35, -0.8)),
    ),
}
"""Polylines within the unit square."""
