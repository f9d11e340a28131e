"""Small things drawn on a canvas, each made once and then only changed."""

from collections.abc import Iterable
from typing import Any

from kivy.graphics import (
    BorderImage,
    Color,
    Mesh,
    PopMatrix,
    PushMatrix,
    Rectangle,
    SmoothLine,
    SmoothRoundedRectangle,
)

from companion.ui import shapes, textures
from companion.ui.layout import Rect
from companion.ui.theme import Rgba

NOTHING: Rgba = (0.0, 0.0, 0.0, 0.0)


def recolour(instruction: Color, value: Rgba) -> None:
    """Set a colour only where it changes: any change draws the window anew."""
    # Kivy keeps single precision, so what is read back is not quite what was set.
    if any(abs(old - new) > 1e-4 for old, new in zip(instruction.rgba, value, strict=True)):
        instruction.rgba = value


class Panel:
    """A rounded rectangle with an edge, and a shadow or a glow below it."""

    def __init__(self, canvas: Any, radius: float, *, edge: float = 1.0, soft: float = 0.0) -> None:
        """Draw on `canvas`; `edge` is the line's half width, `soft` how far the shadow reaches, in pixels."""
        self.radius, self.soft = radius, soft
        self._is: tuple[Any, ...] = ()
        with canvas:
            self._shade = Color(*NOTHING)
            self._soft = BorderImage(
                texture=textures.soft_box() if soft else None, border=(24, 24, 24, 24), size=(0, 0)
            )
            self._fill = Color(*NOTHING)
            self._box = SmoothRoundedRectangle(size=(0, 0))
            self._line = Color(*NOTHING)
            self._edge = SmoothLine(width=edge)

    def put(self, rect: Rect, texture: Any = None) -> None:
        """Set its place; `texture` lies under the fill colour."""
        if (rect, texture) == self._is:
            return
        self._is = (rect, texture)
        radius = min(self.radius, rect.w / 2, rect.h / 2)
        self._box.pos, self._box.size = (rect.x, rect.y), (rect.w, rect.h)
        self._box.radius = [radius]
        self._box.texture = texture
        self._edge.rounded_rectangle = (rect.x, rect.y, rect.w, rect.h, radius)
        if self.soft:
            s = self.soft
            self._soft.pos, self._soft.size = (rect.x - s, rect.y - s), (rect.w + 2 * s, rect.h + 2 * s)
            border = s + radius
            self._soft.display_border = (border, border, border, border)

    def paint(self, fill: Rgba, line: Rgba = NOTHING, shade: Rgba = NOTHING) -> None:
        """Set its colours."""
        recolour(self._fill, fill)
        recolour(self._line, line)
        recolour(self._shade, shade)

    def thicken(self, width: float) -> None:
        """Set the half width of the line."""
        if self._edge.width != width:
            self._edge.width = width


class Strokes:
    """Polylines of one colour within a square: an icon."""

    def __init__(self, canvas: Any, lines: int, width: float) -> None:
        """Make room for that many polylines."""
        self._is: tuple[Any, ...] = ()
        with canvas:
            self._colour = Color(*NOTHING)
            self._lines = [SmoothLine(width=width, joint="round", cap="round") for _ in range(lines)]

    def put(self, name: str, middle: tuple[float, float], size: float) -> None:
        """Draw the icon `name`, `size` pixels from its middle to its edge."""
        if (name, middle, size) == self._is:
            return
        self._is = (name, middle, size)
        polylines = shapes.ICONS[name]
        for i, line in enumerate(self._lines):
            points = polylines[i] if i < len(polylines) else ()
            line.points = [c for x, y in points for c in (middle[0] + x * size, middle[1] + y * size)]

    def paint(self, colour: Rgba) -> None:
        """Set the colour."""
        recolour(self._colour, colour)


class VibeMark:
    """A Vibe's shape in its colour."""

    def __init__(self, canvas: Any) -> None:
        """Draw on `canvas`; nothing yet."""
        with canvas:
            self._colour = Color(*NOTHING)
            self._mesh = Mesh(mode="triangle_fan")
            # The outline smooths the polygon's edge and rounds its corners.
            self._line = SmoothLine(width=1.0, close=True, joint="round")
        self._is: tuple[Any, ...] = ()

    def put(self, vibe: str, middle: tuple[float, float], size: float, colour: Rgba) -> None:
        """Draw the Vibe, or nothing for an empty name; `size` is the radius in pixels."""
        wanted = (vibe, middle, size, colour)
        if wanted == self._is:
            return
        self._is = wanted
        recolour(self._colour, colour if vibe else NOTHING)
        if not vibe:
            return
        x, y = middle
        points = [(x + px * size, y + py * size) for px, py in shapes.vibe(vibe)]
        fan = [middle, *points, points[0]]
        self._mesh.vertices = [c for px, py in fan for c in (px, py, 0, 0)]
        self._mesh.indices = list(range(len(fan)))
        self._line.points = [c for point in points for c in point]


class Ball:
    """A lit ball, or the ring of an empty place."""

    def __init__(self, canvas: Any, *, width: float = 1.0) -> None:
        """Draw on `canvas`; nothing yet."""
        self._is: tuple[Any, ...] = ()
        with canvas:
            self._full = Color(*NOTHING)
            self._ball = Rectangle(size=(0, 0))
            self._empty = Color(*NOTHING)
            self._ring = SmoothLine(width=width)

    def put(self, middle: tuple[float, float], radius: float) -> None:
        """Set its place."""
        if (middle, radius) == self._is:
            return
        self._is = (middle, radius)
        x, y = middle
        self._ball.pos, self._ball.size = (x - radius, y - radius), (2 * radius, 2 * radius)
        self._ring.circle = (x, y, radius * 0.86, 0, 360, 40)

    def fill(self, light: Rgba, deep: Rgba, alpha: float = 1.0) -> None:
        """Show a ball between two colours."""
        texture = textures.ball(light, deep)
        if self._ball.texture is not texture:
            self._ball.texture = texture
        recolour(self._full, (1.0, 1.0, 1.0, alpha))
        recolour(self._empty, NOTHING)

    def outline(self, colour: Rgba) -> None:
        """Show an empty place."""
        recolour(self._full, NOTHING)
        recolour(self._empty, colour)

    def hide(self) -> None:
        """Show nothing."""
        self.outline(NOTHING)


class Sector:
    """A part of the ring, lit from its rim inwards."""

    def __init__(self, canvas: Any) -> None:
        """Draw on `canvas`; nothing yet."""
        self._texture: Any = None
        with canvas:
            self._colour = Color(*NOTHING)
            self._mesh = Mesh(mode="triangle_strip")

    def put(
        self,
        inner: Iterable[tuple[float, float]],
        outer: Iterable[tuple[float, float]],
    ) -> None:
        """Set its place by the points of its two edges, in step."""
        edges = list(zip(inner, outer, strict=True))
        vertices: list[float] = []
        for i, ((ax, ay), (bx, by)) in enumerate(edges):
            across = i / (len(edges) - 1)
            vertices += [ax, ay, across, 0.01, bx, by, across, 0.99]
        self._mesh.vertices = vertices
        self._mesh.indices = list(range(len(vertices) // 4))

    def paint(self, texture: Any, colour: Rgba) -> None:
        """Set the gradient, inner edge to rim, and the tint over it."""
        if self._texture is not texture:
            self._texture = self._mesh.texture = texture
        recolour(self._colour, colour)


class Glow:
    """A soft round light."""

    def __init__(self, canvas: Any) -> None:
        """Draw on `canvas`; nothing yet."""
        self._is: tuple[Any, ...] = ()
        with canvas:
            self._colour = Color(*NOTHING)
            self._disc = Rectangle(texture=textures.glow(), size=(0, 0))

    def put(self, middle: tuple[float, float], radius: float, colour: Rgba) -> None:
        """Set place and colour."""
        if (middle, radius) != self._is:
            self._is = (middle, radius)
            x, y = middle
            self._disc.pos, self._disc.size = (x - radius, y - radius), (2 * radius, 2 * radius)
        recolour(self._colour, colour)


class Turned:
    """A transformation around all that a widget draws."""

    def __init__(self, widget: Any, *instructions: Any) -> None:
        """Put `instructions` before the widget's drawing and take them back after it."""
        widget.canvas.before.add(PushMatrix())
        for instruction in instructions:
            widget.canvas.before.add(instruction)
        widget.canvas.after.add(PopMatrix())
