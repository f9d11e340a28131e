"""What every widget is made of: words that fit their box, buttons, icons; and the thread check."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kivy.core.text import Label as Measure
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.label import Label
from kivy.uix.widget import Widget

from companion.ui import paint, shapes
from companion.ui.errors import WrongThreadError
from companion.ui.layout import Rect, Scale
from companion.ui.theme import RADIUS_BUTTON, Rgba, Theme, TypeRole, faded

_owner: list[int] = []


def claim_thread() -> None:
    """Make the calling thread the only one that may change widgets."""
    _owner[:] = [threading.get_ident()]


def check_thread() -> None:
    """Refuse a change from any other thread.

    Raises:
        WrongThreadError: this is not the thread that claimed the widgets.
    """
    if _owner and threading.get_ident() != _owner[0]:
        name = threading.current_thread().name
        raise WrongThreadError(f"thread {name} changes a widget: put a message into the link's queue instead")


@dataclass(frozen=True, slots=True)
class Style:
    """How things look on this screen: the colours and the scale."""

    theme: Theme
    scale: Scale


@lru_cache(maxsize=4096)
def extent(text: str, size_px: float, *, bold: bool) -> tuple[int, int]:
    """Return width and height of one line of text, in pixels."""
    wide, high = Measure(font_name="Roboto", font_size=size_px, bold=bold).get_extents(text)
    return int(wide), int(high)


@lru_cache(maxsize=2048)
def block(text: str, size_px: float, wide: int, *, bold: bool) -> tuple[int, int]:
    """Return width and height of text that is wrapped to `wide` pixels."""
    label = Measure(text=text, font_name="Roboto", font_size=size_px, bold=bold, text_size=(wide, None))
    label.refresh()
    high = int(label.texture.height) if label.texture else 0
    widest = max((extent(word, size_px, bold=bold)[0] for word in text.split()), default=0)
    return max(widest, 0), high


class Words(Label):
    """Text in a box: set smaller until it fits, never cut while the least size fits."""

    def __init__(
        self,
        style: Style,
        role: TypeRole,
        colour: Rgba,
        *,
        bold: bool = False,
        align: str = "center",
        lines: int = 1,
        least: float | None = None,
        size_px: float | None = None,
    ) -> None:
        """Make it; nothing is shown before `put`.

        Args:
            style: colours and scale.
            role: the type size to start from.
            colour: of the text.
            bold: whether it is set bold.
            align: `left`, `center` or `right`.
            lines: 1, or how many it may wrap to.
            least: the smallest size in pixels; left out, a little under the theme's smallest.
            size_px: the size to start from, in place of the role's.
        """
        super().__init__(
            font_name="Roboto", bold=bold, color=colour, halign=align, size_hint=(None, None), size=(0, 0)
        )
        self.base_px = size_px or style.scale.sp(role)
        self.least_px = min(least or 8.5 * style.scale.density, self.base_px)
        self.align, self.lines = align, lines
        self.box: Rect | None = None
        self._tint = colour
        self._is: tuple[Any, ...] = ()

    def put(self, box: Rect, text: str) -> None:
        """Show `text` in `box`."""
        if (box, text) == self._is:
            return
        check_thread()
        self._is, self.box = (box, text), box
        self.font_size = self._fitting(text, box)
        if self.lines > 1:
            self.text_size = (box.w, None)
            self.shorten = False
        else:
            fits = extent(text, self.font_size, bold=self.bold)[0] <= box.w + 1
            room: Any = None if fits else box.w
            self.text_size = (room, None)
            self.shorten = not fits
        self.text = text
        self.texture_update()
        self._settle(box)

    def tint(self, colour: Rgba) -> None:
        """Set the colour."""
        if self._tint != colour:
            check_thread()
            self._tint = colour
            self.color = colour

    def height_for(self, text: str, wide: float) -> float:
        """Return how high `text` would be in the size it starts from, wrapped to `wide` pixels."""
        return float(block(text, self.base_px, int(wide), bold=self.bold)[1])

    def _settle(self, box: Rect) -> None:
        wide, high = self.texture_size
        x = {"left": box.x, "right": box.right - wide}.get(self.align, box.x + (box.w - wide) / 2)
        self.size = (wide, high)
        # Whole pixels: a texture between two of them is blurred.
        self.pos = (round(x), round(box.y + (box.h - high) / 2))

    def _fitting(self, text: str, box: Rect) -> float:
        size = self.base_px
        while size > self.least_px and not self._fits(text, size, box):
            size = max(size - 0.5, self.least_px)
        return size

    def _fits(self, text: str, size: float, box: Rect) -> bool:
        if self.lines == 1:
            return extent(text, size, bold=self.bold)[0] <= box.w
        wide, high = block(text, size, int(box.w), bold=self.bold)
        return wide <= box.w and high <= box.h + 1


def _centred(box: Rect, upper: float, lower: float) -> tuple[Rect, Rect]:
    """Return two rows, one above the other, together in the middle of a box."""
    spare = max(box.h - upper - lower, 0) / 2
    top = Rect(box.x, box.top - spare - upper, box.w, upper)
    return top, Rect(box.x, top.y - lower, box.w, lower)


class Icon(Widget):
    """A drawn icon."""

    def __init__(self, name: str, width: float) -> None:
        """Make the icon of that name; `width` is the half width of its strokes, in pixels."""
        super().__init__(size_hint=(None, None), size=(0, 0))
        self.name = name
        self.strokes = paint.Strokes(self.canvas, max(len(lines) for lines in shapes.ICONS.values()), width)

    def put(self, middle: tuple[float, float], size: float, colour: Rgba, name: str | None = None) -> None:
        """Draw it `size` pixels from its middle to its edge."""
        self.name = name or self.name
        self.strokes.put(self.name, middle, size)
        self.strokes.paint(colour)


class TapButton(ButtonBehavior, Widget):
    """The app's only button: one or two lines of text, or an icon, on a panel that answers to the finger."""

    def __init__(
        self, style: Style, on_tap: Callable[[], None], *, icon: str = "", align: str = "center"
    ) -> None:
        """Make it; it has no place and takes no touch before `put`."""
        super().__init__(size_hint=(None, None), size=(0, 0))
        self.style, self.on_tap, self.align = style, on_tap, align
        self.always_release = False
        px = style.scale.px
        radius = 999 if icon else px(RADIUS_BUTTON)
        self.panel = paint.Panel(self.canvas, radius, edge=max(1.0, px(1.1)))
        self.icon = Icon(icon, max(1.0, px(1.4))) if icon else None
        self.first = Words(style, "body", style.theme.text, bold=True, align=align, lines=3)
        self.second = Words(style, "small", style.theme.dim, align=align, lines=2)
        for part in (self.icon, self.first, self.second):
            if part is not None:
                self.add_widget(part)
        self.line = style.theme.line
        self.fill = faded(style.theme.raised, 0.7) if icon else style.theme.raised
        self.shown = False
        self._is: tuple[Any, ...] = ()
        self.bind(state=lambda *_: self._paint())

    def put(
        self,
        rect: Rect,
        text: str = "",
        detail: str = "",
        *,
        tone: Rgba | None = None,
        line: Rgba | None = None,
        size_px: float | None = None,
    ) -> None:
        """Show it at `rect`.

        Args:
            rect: its place.
            text: the first line.
            detail: the second, smaller one.
            tone: colours the first line, and the edge where no `line` does.
            line: colours the edge.
            size_px: of the first line, for buttons in a row that look alike; nearer to the edge, too.
        """
        wanted = (rect, text, detail, tone, line, size_px)
        if wanted == self._is:
            return
        self._is = wanted
        theme, px = self.style.theme, self.style.scale.px
        self.shown = True
        self.pos, self.size = (rect.x, rect.y), (rect.w, rect.h)
        self.panel.put(rect)
        self.line = line or (faded(tone, 0.75) if tone else theme.line)
        self.first.tint(tone or theme.text)
        inner = rect.inset(px(3 if size_px else 10), px(5))
        self.first.base_px = size_px or self.style.scale.sp("body")
        if detail:
            room = inner.h - self.second.base_px * 1.25
            _, high = block(text, self.first.base_px, int(inner.w), bold=True)
            top = min(max(high, inner.h * 0.4), room)
            low = min(inner.h - top, self.second.base_px * 2.5)
            upper, lower = _centred(inner, top, low)
            self.first.put(upper, text)
            self.second.put(lower, detail)
        else:
            self.first.put(inner, text)
            self.second.put(inner, "")
        if self.icon is not None:
            self.icon.put(rect.middle, min(rect.w, rect.h) * 0.19, tone or theme.dim)
        self._paint()

    def hide(self) -> None:
        """Show nothing and take no touch."""
        if self.shown or self.width:
            self.shown = False
            self._is = ()
            self.pos, self.size = (-10, -10), (0, 0)
            self.panel.paint(paint.NOTHING)
            nowhere = Rect(-10, -10, 0, 0)
            self.first.put(nowhere, "")
            self.second.put(nowhere, "")
            if self.icon is not None:
                self.icon.put((-10, -10), 0, paint.NOTHING)

    def on_release(self) -> None:
        """Do what the button is for."""
        self.on_tap()

    def _paint(self) -> None:
        if self.shown:
            down = self.state == "down"
            self.panel.paint(self.style.theme.line if down else self.fill, self.line)
