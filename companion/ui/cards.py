"""An Emotion card on the screen: in a slot, in the tray, and under a finger."""

from math import cos, pi
from typing import Any, Final

from kivy.animation import Animation
from kivy.graphics import Color, Rotate, Scale, SmoothLine
from kivy.properties import NumericProperty
from kivy.uix.widget import Widget

from companion.ui import paint, textures
from companion.ui.layout import Rect
from companion.ui.parts import Style, Words
from companion.ui.theme import EASE, MOVE_S, RADIUS_CARD, Rgba, faded, mixed
from companion.ui.views import CardFace

MOST_SPACES: Final = 4
"""Essence spaces of the longest track (R-ESS-1)."""


class CardView(Widget):
    """A card, made once and shown with ever other faces; empty it is the outline of its place."""

    turn = NumericProperty(0.0)
    """0 face up, 1 turned once around and face up again."""

    def __init__(self, style: Style) -> None:
        """Make it; it has no place before `put`."""
        super().__init__(size_hint=(None, None), size=(0, 0))
        self.style, self.rect = style, Rect(0, 0, 0, 0)
        self.face: CardFace | None = None
        self.ghost, self.mark, self.place = False, "", False
        self._tilt, self._flip = Rotate(angle=0, axis=(0, 0, 1)), Scale(1, 1, 1)
        paint.Turned(self, self._tilt, self._flip)
        px = style.scale.px
        self._panel = paint.Panel(self.canvas, px(RADIUS_CARD), edge=max(1.0, px(1.0)), soft=px(12))
        with self.canvas:
            self._dash_colour = Color(*paint.NOTHING)
            self._dash = SmoothLine(width=max(1.0, px(1.1)))
        self._vibe = paint.VibeMark(self.canvas)
        self._pips = [paint.Ball(self.canvas, width=max(0.8, px(0.9))) for _ in range(MOST_SPACES)]
        text = style.theme.card_text
        self._name = Words(style, "small", text, bold=True, least=7.5 * style.scale.density)
        self._number = Words(style, "number", text, bold=True, align="right")
        self.add_widget(self._name)
        self.add_widget(self._number)
        self.bind(turn=lambda *_: self._flipped())
        self._next: tuple[Any, ...] | None = None

    def put(self, rect: Rect, tilt: float = 0.0) -> None:
        """Set its place and how far it is turned, in degrees counter-clockwise."""
        if (rect, tilt) == (self.rect, self._tilt.angle):
            return
        self.rect = rect
        self.pos, self.size = (rect.x, rect.y), (rect.w, rect.h)
        self._tilt.origin = self._flip.origin = rect.middle
        self._tilt.angle = tilt
        self._draw()

    def show(
        self, face: CardFace | None, *, ghost: bool = False, mark: str = "", place: bool = False
    ) -> None:
        """Show a face.

        Args:
            face: what it shows; None for an empty place.
            ghost: the game has it here and it does not lie here.
            mark: the tone it is pointed out in, or nothing.
            place: whether an empty place has an outline at all.
        """
        wanted = (face, ghost, mark, place)
        if self._next is not None:
            self._next = wanted
        elif wanted != (self.face, self.ghost, self.mark, self.place):
            self.face, self.ghost, self.mark, self.place = wanted
            self._draw()

    def turn_over(self, face: CardFace | None, mark: str) -> None:
        """Turn the card over; the new face shows once its edge has passed."""
        self._next = (face, False, mark, True)
        Animation.cancel_all(self, "turn")
        self.turn = 0.0
        Animation(turn=1.0, duration=MOVE_S, t=EASE).start(self)

    def _flipped(self) -> None:
        self._flip.x = max(abs(cos(self.turn * pi)), 0.02)
        if self.turn >= 0.5 and self._next is not None:
            wanted, self._next = self._next, None
            self.show(wanted[0], ghost=wanted[1], mark=wanted[2], place=wanted[3])

    def _draw(self) -> None:
        theme, px, rect = self.style.theme, self.style.scale.px, self.rect
        if self.face is None or rect.w <= 0:
            self._draw_place()
            return
        face = self.face
        colours = theme.team(face.team)
        alpha = 0.3 if self.ghost else 1.0
        self._panel.put(rect, textures.upright(colours.card_low, colours.card))
        edge = colours.edge if face.strong else mixed(colours.flat, colours.card, 0.4)
        self._panel.thicken(max(1.0, px(2.0 if face.strong else 1.0)))
        self._panel.paint((1, 1, 1, alpha), faded(edge, alpha), self._shade(edge if face.strong else None))
        self._outline(rect)
        pad = rect.w * 0.06
        inner = rect.inset(pad, rect.h * 0.07)
        upper, lower = inner.stack((inner.h * 0.44, inner.h * 0.56), 0)
        self._name.tint(faded(theme.card_text, 0.75 if self.ghost else 1))
        self._name.put(upper, face.title)
        self._draw_track(face, lower, alpha)

    def _draw_track(self, face: CardFace, row: Rect, alpha: float) -> None:
        theme = self.style.theme
        colours = theme.team(face.team)
        mark = row.h * 0.27
        middle = row.middle[1]
        # A Starting Emotion has no Vibe of its own and matches any (R-QUELL-5).
        vibe = face.vibe or "wild"
        self._vibe.put(vibe, (row.x + mark, middle), mark, faded(theme.vibes[vibe], alpha))
        spaces = min(face.spaces or max(face.essence, 0), MOST_SPACES)
        shown = "" if face.intensity is None else str(face.intensity)
        room = row.w * (0.72 if shown else 1.0) - 2.3 * mark
        radius = min(row.h * 0.2, room / (2.25 * max(spaces, 3)))
        for i, pip in enumerate(self._pips):
            if i >= spaces:
                pip.hide()
                continue
            pip.put((row.x + 2.55 * mark + radius * (1 + 2.25 * i), middle), radius)
            if i < face.essence:
                pip.fill(colours.light, colours.deep, alpha)
            else:
                pip.outline(faded(mixed(colours.flat, theme.card_text, 0.15), 0.75 * alpha))
        self._number.tint(faded(theme.card_text, alpha))
        self._number.base_px = min(row.h * 0.92, self.style.scale.sp("number"))
        self._number.put(Rect(row.x + row.w * 0.7, row.y, row.w * 0.3, row.h), shown)

    def _draw_place(self) -> None:
        theme = self.style.theme
        self._panel.put(self.rect)
        self._panel.thicken(1.0)
        if self.place:
            self._panel.paint(faded(theme.well, 0.5), faded(theme.line, 0.9), self._shade(None))
        else:
            self._panel.paint(paint.NOTHING)
        self._outline(self.rect)
        self._vibe.put("", (0, 0), 0, paint.NOTHING)
        for pip in self._pips:
            pip.hide()
        self._name.put(self.rect, "")
        self._number.put(self.rect, "")

    def _shade(self, strong: Rgba | None) -> Rgba:
        theme = self.style.theme
        if self.mark and not self.ghost:
            return faded(theme.tone(self.mark).bright, 0.75)
        if strong is not None and not self.ghost:
            return faded(strong, 0.45)
        return paint.NOTHING if self.ghost or self.face is None else theme.shadow

    def _outline(self, rect: Rect) -> None:
        """Draw the second edge around what is pointed out or lies where the game has something else."""
        theme, px = self.style.theme, self.style.scale.px
        grow = -px(4)
        outer = rect.inset(grow)
        self._dash.rounded_rectangle = (outer.x, outer.y, outer.w, outer.h, px(RADIUS_CARD) + px(3))
        colour = theme.tone(self.mark).bright if self.mark else paint.NOTHING
        paint.recolour(self._dash_colour, colour)
