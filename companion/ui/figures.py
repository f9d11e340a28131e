"""What the board has beside cards: figures, Spheres, Fortresses, the Identity, the Realms' names."""

from math import degrees
from typing import Any

from kivy.animation import Animation
from kivy.core.text import Label as Measure
from kivy.graphics import (
    Color,
    PopMatrix,
    PushMatrix,
    Rectangle,
    Rotate,
    SmoothLine,
    SmoothRoundedRectangle,
    Translate,
)
from kivy.properties import ListProperty
from kivy.uix.widget import Widget

from companion.ui import paint, texts
from companion.ui.layout import Rect
from companion.ui.parts import Style, Words, extent
from companion.ui.ring import LABEL_AT, Ring
from companion.ui.theme import EASE, MOVE_S, Rgba, faded, rgba
from companion.ui.views import SPHERE_WILLPOWER, FigureView, FortressView, SphereView

INK: Rgba = rgba("#1B1428")
"""Text on a figure or a Fortress, which are bright in every theme."""


class Mark(Widget):
    """Something round that is drawn around its own middle and glides from place to place."""

    at = ListProperty([0.0, 0.0])
    """Its middle, in pixels."""

    def __init__(self, style: Style) -> None:
        """Make it; it has no place before `move`."""
        super().__init__(size_hint=(None, None), size=(0, 0))
        self.style, self.radius = style, 0.0
        self._goal: tuple[float, float] | None = None
        self._shown: Any = ()
        self._shift = Translate()
        paint.Turned(self, self._shift)
        self.bind(at=lambda _, at: setattr(self._shift, "xy", (at[0], at[1])))

    def move(self, middle: tuple[float, float], *, glide: bool) -> None:
        """Bring it to a place: at once, or gliding where it has one already."""
        if middle == self._goal:
            return
        known, self._goal = self._goal is not None, middle
        Animation.cancel_all(self, "at")
        if glide and known:
            Animation(at=list(middle), duration=MOVE_S, t=EASE).start(self)
        else:
            self.at = list(middle)


class FigureMark(Mark):
    """A Spirit figure: a lit ball with the player's initial."""

    def __init__(self, style: Style, radius: float) -> None:
        """Make it `radius` pixels large; it has no place before `move`."""
        super().__init__(style)
        self._glow = paint.Glow(self.canvas)
        self._ball = paint.Ball(self.canvas)
        with self.canvas:
            self._edge_colour = Color(*paint.NOTHING)
            self._edge = SmoothLine(width=max(1.0, style.scale.px(1.3)))
        self._initial = Words(style, "body", INK, bold=True)
        self.add_widget(self._initial)
        self.radius = radius
        self._ball.put((0, 0), radius)

    def show(self, view: FigureView | None, mark: str = "", *, away: bool = False) -> None:
        """Show whose figure it is; None for nobody's, `away` where it is not on its space."""
        if (view, mark, away) == self._shown:
            return
        self._shown = (view, mark, away)
        radius = self.radius
        box = Rect(-radius, -radius, 2 * radius, 2 * radius)
        if view is None:
            self._ball.hide()
            paint.recolour(self._edge_colour, paint.NOTHING)
            self._glow.put((0, 0), 0, paint.NOTHING)
            self._initial.put(box, "")
            return
        theme = self.style.theme
        colours = theme.team(view.team)
        self._ball.fill(colours.light, colours.deep, 0.35 if away else 1.0)
        self._initial.base_px = radius * 1.05
        self._initial.put(box, view.initial)
        bright = theme.tone(mark).bright if mark else theme.text
        shown = bool(mark) or view.acting
        self._edge.circle = (0, 0, radius * 1.14, 0, 360, 60)
        paint.recolour(self._edge_colour, bright if shown else faded(theme.gap, 0.8))
        self._glow.put((0, 0), radius * 2.1, faded(colours.flat, 0.5) if view.acting else paint.NOTHING)


class SphereMark(Mark):
    """A Sphere: its Willpower large, an arc that says how full it is, its name whole."""

    def __init__(self, style: Style, radius: float) -> None:
        """Make it `radius` pixels large; it has no place before `move`."""
        super().__init__(style)
        self.radius = radius
        width = max(1.2, style.scale.px(1.8))
        with self.canvas:
            self._well_colour = Color(*faded(style.theme.well, 0.92))
            self._well = SmoothRoundedRectangle(size=(0, 0))
            self._track_colour = Color(*style.theme.line)
            self._track = SmoothLine(width=width)
            self._arc_colour = Color(*style.theme.vibes["wild"])
            self._arc = SmoothLine(width=width, cap="round")
        self._number = Words(style, "number", style.theme.text, bold=True)
        self._name = Words(style, "tiny", style.theme.dim, bold=True, least=7.0 * style.scale.density)
        self.add_widget(self._number)
        self.add_widget(self._name)

        self._well.pos, self._well.size, self._well.radius = (
            (-radius, -radius),
            (2 * radius, 2 * radius),
            [radius],
        )
        self._track.circle = (0, 0, radius * 0.94, 0, 360, 60)

    def show(self, view: SphereView) -> None:
        """Show a Sphere; the same as before is left alone."""
        if view == self._shown:
            return
        self._shown = view
        radius = self.radius
        share = min(view.willpower / SPHERE_WILLPOWER, 1.0)
        self._arc.circle = (0, 0, radius * 0.94, 0, max(360 * share, 0.1), 60)
        paint.recolour(self._arc_colour, self.style.theme.vibes["wild"] if share else paint.NOTHING)
        self._number.base_px = radius * 1.15
        self._number.put(Rect(-radius * 0.7, -radius * 0.7, radius * 1.4, radius * 1.4), str(view.willpower))
        # Below the round, where the whole name has room.
        size = self.style.scale.sp("small")
        self._name.base_px = max(min(radius * 0.48, size), 8.5 * self.style.scale.density)
        wide = radius * 3.5
        box = Rect(-wide / 2, -radius - self._name.base_px * 1.5, wide, self._name.base_px * 1.4)
        self._name.put(box, texts.SPHERES[view.sphere])


class FortressMark(Widget):
    """A Fortress: two battlements and its bonus."""

    def __init__(self, style: Style) -> None:
        """Make it; it has no place before `show`."""
        super().__init__(size_hint=(None, None), size=(0, 0))
        self.style = style
        self._shown: Any = ()
        with self.canvas:
            self._colour = Color(*paint.NOTHING)
            self._body = SmoothRoundedRectangle(size=(0, 0), radius=[2])
            self._teeth = [SmoothRoundedRectangle(size=(0, 0), radius=[1.5]) for _ in range(3)]
        self._bonus = Words(style, "small", INK, bold=True)
        self.add_widget(self._bonus)

    def show(self, view: FortressView | None, middle: tuple[float, float], size: float) -> None:
        """Show a Fortress at a place, or none; the same as before is left alone."""
        if (view, middle, size) == self._shown:
            return
        self._shown = (view, middle, size)
        x, y = middle
        box = Rect(x - size / 2, y - size * 0.42, size, size * 0.62)
        if view is None:
            paint.recolour(self._colour, paint.NOTHING)
            self._bonus.put(box, "")
            return
        paint.recolour(self._colour, self.style.theme.team(view.team).flat)
        self._body.pos, self._body.size = (box.x, box.y), (box.w, box.h)
        tooth = size * 0.22
        for i, part in enumerate(self._teeth):
            part.pos = (box.x + i * (size - tooth) / 2, box.top - size * 0.06)
            part.size = (tooth, size * 0.22)
        self._bonus.base_px = size * 0.5
        self._bonus.put(box, f"+{view.bonus}")


class Identity(Widget):
    """The Identity in the middle of the Origin, a layer for each Fragment, the newest on top."""

    MOST = 9

    def __init__(self, style: Style) -> None:
        """Make it; it has no place before `show`."""
        super().__init__(size_hint=(None, None), size=(0, 0))
        self.style = style
        self._layers = []
        self._shown: Any = ()
        with self.canvas:
            for _ in range(self.MOST):
                colour = Color(*paint.NOTHING)
                self._layers.append((colour, SmoothRoundedRectangle(size=(0, 0))))
        self._label = Words(style, "tiny", style.theme.dim, least=7.0 * style.scale.density)
        self.add_widget(self._label)

    def show(self, fragments: tuple[str, ...], middle: tuple[float, float], radius: float) -> None:
        """Show the Fragments, bottom to top; the same as before is left alone."""
        if (fragments, middle, radius) == self._shown:
            return
        self._shown = (fragments, middle, radius)
        x, y = middle
        shown = fragments[-self.MOST :]
        high = min(radius * 0.24, radius * 1.2 / max(len(shown), 1))
        base = y - radius * 0.12
        for i, (colour, layer) in enumerate(self._layers):
            if i >= len(shown):
                paint.recolour(colour, paint.NOTHING)
                continue
            team, _, kind = shown[i].partition(" ")
            wide = radius * (0.62 if kind == "minor" else 0.95)
            paint.recolour(colour, self.style.theme.team(team).flat)
            layer.pos, layer.size = (x - wide / 2, base + i * high), (wide, high * 0.8)
            layer.radius = [high * 0.3]
        low = base - radius * 0.5 if shown else y - radius * 0.25
        self._label.base_px = self.style.scale.sp("tiny")
        # Between the names of two Spheres; on a small ring there is no room for it.
        label = texts.spaced(texts.IDENTITY)
        names = max(
            extent(name, self.style.scale.sp("small"), bold=True)[0] for name in texts.SPHERES.values()
        )
        if extent(label, self._label.base_px, bold=False)[0] + names > radius * 3.6:
            label = ""
        self._label.put(Rect(x - radius, low, 2 * radius, radius * 0.5), label)


class CurvedWords(Widget):
    """A name in capitals along the rim, one letter at a time."""

    def __init__(self, style: Style, text: str) -> None:
        """Make it; it has no place before `put`."""
        super().__init__(size_hint=(None, None), size=(0, 0))
        self.style, self.text = style, text
        self._letters = []
        with self.canvas:
            self._colour = Color(*style.theme.dim)
            for letter in text:
                PushMatrix()
                shift, turn = Translate(), Rotate(angle=0, axis=(0, 0, 1))
                image = Rectangle(size=(0, 0))
                PopMatrix()
                self._letters.append((letter, shift, turn, image))

    def put(self, ring: Ring, angle: float) -> None:
        """Set the name around the middle `angle`; on the lower half it reads left to right too."""
        size = self.style.scale.sp("small")
        upper = not 90 < angle % 360 < 270
        radius = max(ring.radius * LABEL_AT, ring.radius + size * 0.85)
        space = size * 0.16
        widths = [extent(letter, size, bold=True)[0] + space for letter in self.text]
        arc = degrees(sum(widths) / radius)
        at = angle - arc / 2 if upper else angle + arc / 2
        for (letter, shift, turn, image), wide in zip(self._letters, widths, strict=True):
            step = degrees(wide / radius)
            here = at + step / 2 if upper else at - step / 2
            at = at + step if upper else at - step
            texture = _letter(letter, size)
            x, y = ring.at(here, radius / ring.radius)
            shift.xy = (x, y)
            turn.angle = -here if upper else 180 - here
            image.texture, image.size = texture, texture.size
            image.pos = (-texture.width / 2, -texture.height / 2)

    def tint(self, colour: Rgba) -> None:
        """Set the colour."""
        paint.recolour(self._colour, colour)


def _letter(letter: str, size: float) -> Any:
    label = Measure(text=letter, font_name="Roboto", font_size=size, bold=True)
    label.refresh()
    return label.texture
