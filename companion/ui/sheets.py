"""Lists beside the board: what could be done, what happened, starting positions, misplaced pieces.

A sheet stands in place of one column of seats, never over the board. It shows a page of rows at a time and
keeps its row widgets, however long the list is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from kivy.animation import Animation
from kivy.graphics import Translate
from kivy.properties import NumericProperty
from kivy.uix.widget import Widget

from companion.ui import paint, texts
from companion.ui.layout import Rect
from companion.ui.parts import Icon, Style, TapButton, Words, extent
from companion.ui.theme import ANSWER_S, EASE, RADIUS_BUTTON, RADIUS_PANEL, Rgba, Theme, faded

MOST_ROWS: Final = 11
"""Rows on one page of the tallest screen."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A row: a heading, what stands right of it, a text below; a tap on it does something or nothing."""

    text: str
    aside: str = ""
    detail: str = ""
    tone: str = "quiet"
    tap: Callable[[], None] | None = None
    icon: str = ""
    heading: bool = False
    """Whether it names the rows below it."""
    steps: tuple[Callable[[], None] | None, Callable[[], None] | None] | None = None
    """What one less and one more do; the aside is the number between them."""


@dataclass(frozen=True, slots=True)
class Listing:
    """All that a sheet shows."""

    title: str
    note: str = ""
    entries: tuple[Entry, ...] = ()
    actions: tuple[tuple[str, Callable[[], None]], ...] = ()
    """Buttons below the list."""
    tabs: tuple[tuple[str, str, Callable[[], None]], ...] = ()
    """Label, tone and what it does: switches above the list."""
    compact: bool = False
    """Whether rows are no higher than a finger needs, so that more of them are seen at once."""


def _bright(theme: Theme, tone: str) -> Rgba:
    """Return the colour of a row: of a tone, or of a team (`team/bliss`)."""
    kind, _, team = tone.partition("/")
    return theme.team(team).text if kind == "team" else theme.tone(tone).bright


class EntryRow(Widget):
    """One row."""

    def __init__(self, style: Style) -> None:
        """Make it; it has no place before `put`."""
        super().__init__(size_hint=(None, None), size=(0, 0))
        self.style = style
        theme, px = style.theme, style.scale.px
        self._panel = paint.Panel(self.canvas, px(RADIUS_BUTTON), edge=max(0.9, px(0.9)))
        self._stripe = paint.Panel(self.canvas, px(3), edge=0.5)
        self._text = Words(style, "body", theme.text, bold=True, align="left", lines=2)
        self._aside = Words(style, "small", theme.dim, align="right", lines=2)
        self._detail = Words(style, "small", theme.dim, align="left", lines=4)
        self._icon = Icon("check", max(1.0, px(1.4)))
        self._value = Words(style, "number", theme.text, bold=True)
        self.less = TapButton(style, partial(self._step, 0), icon="minus")
        self.more = TapButton(style, partial(self._step, 1), icon="plus")
        for part in (self._text, self._aside, self._detail, self._icon, self._value, self.less, self.more):
            self.add_widget(part)
        self.entry: Entry | None = None
        self.rect = Rect(0, 0, 0, 0)
        self._down: Any = None

    def put(self, rect: Rect, entry: Entry | None) -> None:
        """Show an entry at a place, or nothing."""
        self.entry, self.rect = entry, rect
        theme, px = self.style.theme, self.style.scale.px
        if entry is None:
            self._panel.paint(paint.NOTHING)
            self._stripe.paint(paint.NOTHING)
            self._icon.put((-9, -9), 0, paint.NOTHING)
            nowhere = Rect(rect.x, rect.y, 0, 0)
            for words in (self._text, self._aside, self._detail, self._value):
                words.put(nowhere, "")
            self.less.hide()
            self.more.hide()
            return
        self._put_steps(entry, rect)
        if entry.heading:
            self._put_heading(entry, rect)
            return
        self._panel.put(rect)
        self._paint(down=False)
        self._stripe.put(Rect(rect.x + px(6), rect.y + px(9), px(3), rect.h - px(18)))
        self._stripe.paint(_bright(theme, entry.tone) if entry.tone != "quiet" else theme.faint)
        inner = Rect(rect.x + px(17), rect.y + px(6), rect.w - px(27), rect.h - px(12))
        detail_h = self._detail_h(entry, inner)
        head_h = inner.h - detail_h
        head, low = inner.stack((head_h, inner.h - head_h), 0)
        aside_w = self._aside_w(entry, head.w)
        self._detail.tint(theme.dim)
        self._text.tint(theme.text if entry.tone != "quiet" else theme.dim)
        self._text.put(Rect(head.x, head.y, head.w - aside_w - px(4), head.h), entry.text)
        self._aside.tint(_bright(theme, entry.tone))
        aside = "" if entry.steps else entry.aside
        self._aside.put(Rect(head.right - aside_w, head.y, aside_w, head.h), aside)
        self._detail.put(low, entry.detail)
        mark = (head.right - px(9), head.middle[1])
        tone = theme.tone(entry.tone).bright if entry.icon else paint.NOTHING
        self._icon.put(mark, px(9), tone, entry.icon or "check")

    def _put_heading(self, entry: Entry, rect: Rect) -> None:
        """Show a heading: small letters above the rows that it names, and no panel."""
        theme, px = self.style.theme, self.style.scale.px
        self._panel.paint(paint.NOTHING)
        self._stripe.paint(paint.NOTHING)
        self._icon.put((-9, -9), 0, paint.NOTHING)
        nowhere = Rect(rect.x, rect.y, 0, 0)
        self._text.put(nowhere, "")
        self._aside.put(nowhere, "")
        self._detail.tint(theme.dim)
        self._detail.put(Rect(rect.x + px(6), rect.y, rect.w - px(12), rect.h), entry.text)

    def _put_steps(self, entry: Entry, rect: Rect) -> None:
        """Show the two buttons of a number that can be put right, and the number between them."""
        if entry.steps is None:
            self.less.hide()
            self.more.hide()
            self._value.put(Rect(rect.x, rect.y, 0, 0), "")
            return
        scale, theme = self.style.scale, self.style.theme
        side, y = scale.touch, rect.y + scale.px(8)
        more = Rect(rect.right - side - scale.px(10), y, side, side)
        less = Rect(rect.x + scale.px(17), y, side, side)
        value = Rect(less.right, y, more.x - less.right, side)
        for button, place, step in ((self.less, less, entry.steps[0]), (self.more, more, entry.steps[1])):
            if step is None:
                button.hide()
            else:
                button.put(place, tone=theme.accepted.bright)
        self._value.put(value, entry.aside)

    def _step(self, which: int) -> None:
        step = self.entry.steps[which] if self.entry is not None and self.entry.steps else None
        if step is not None:
            step()

    def _aside_w(self, entry: Entry, wide: float) -> float:
        if entry.steps:
            return 0.0
        return wide * (0.36 if entry.aside else 0) + (self.style.scale.px(20) if entry.icon else 0)

    def _detail_h(self, entry: Entry, inner: Rect) -> float:
        """Return the room of the text or the buttons below, which leaves a line for the heading."""
        if entry.steps:
            return self.style.scale.touch + self.style.scale.px(6)
        if not entry.detail:
            return 0.0
        return min(self._detail.height_for(entry.detail, inner.w), inner.h - self._text.base_px * 1.3)

    def height_for(self, entry: Entry, wide: float) -> float:
        """Return how high a row of that width must be for its words in their full size."""
        px = self.style.scale.px
        if entry.heading:
            return self._detail.base_px * 1.9
        inner = wide - px(27)
        head = self._text.height_for(entry.text, inner - self._aside_w(entry, inner) - px(4))
        detail = self._detail.height_for(entry.detail, inner) if entry.detail else 0.0
        return head + detail + px(16) + (self.style.scale.touch + px(10) if entry.steps else 0.0)

    def _paint(self, *, down: bool) -> None:
        theme = self.style.theme
        live = self.entry is not None and self.entry.tap is not None
        fill = theme.line if down else (theme.raised if live else faded(theme.raised, 0.5))
        edge: Rgba = faded(_bright(theme, self.entry.tone), 0.5) if live and self.entry else theme.line
        self._panel.paint(fill, edge)

    def on_touch_down(self, touch: Any) -> bool:
        """Answer to the finger."""
        if super().on_touch_down(touch):
            return True
        if self.entry is None or self.entry.tap is None or not self.rect.has(*touch.pos):
            return False
        self._down = touch.uid
        self._paint(down=True)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        """Do what the row is for, if the finger is still on it."""
        if super().on_touch_up(touch):
            return True
        if self._down != touch.uid or self.entry is None:
            return False
        self._down = None
        self._paint(down=False)
        if self.entry.tap is not None and self.rect.has(*touch.pos):
            self.entry.tap()
        return True


class Sheet(Widget):
    """A list in place of a column of seats."""

    slide = NumericProperty(0.0)
    """Pixels that it is still away from its place."""

    def __init__(self, style: Style, on_close: Callable[[], None]) -> None:
        """Make it; it is closed and takes no touch before `open`."""
        super().__init__(size_hint=(None, None), size=(0, 0))
        self.style, self.on_close = style, on_close
        theme, px = style.theme, style.scale.px
        self._shift = Translate()
        paint.Turned(self, self._shift)
        self._panel = paint.Panel(self.canvas, px(RADIUS_PANEL), edge=max(1.0, px(1.0)), soft=px(16))
        self._title = Words(style, "lead", theme.text, bold=True, align="left", lines=2)
        self._note = Words(style, "small", theme.dim, align="left", lines=4)
        self._count = Words(style, "small", theme.dim)
        self.rows = [EntryRow(style) for _ in range(MOST_ROWS)]
        self.close_button = TapButton(style, on_close, icon="cross")
        self._back = TapButton(style, lambda: self._page(-1), icon="back")
        self._on = TapButton(style, lambda: self._page(+1), icon="on")
        self.actions = [TapButton(style, partial(self._act, i)) for i in range(2)]
        self.tabs = [TapButton(style, partial(self._tab, i)) for i in range(5)]
        for part in (self._title, self._note, self._count, *self.rows, *self.tabs, *self.actions):
            self.add_widget(part)
        for button in (self.close_button, self._back, self._on):
            self.add_widget(button)
        self.bind(slide=lambda _, value: setattr(self._shift, "x", value))
        self.rect: Rect | None = None
        self.listing: Listing | None = None
        self.page = 0

    @property
    def is_open(self) -> bool:
        """Whether it is shown."""
        return self.listing is not None

    def open(self, rect: Rect, listing: Listing, *, from_right: bool) -> None:
        """Show a list at a place, coming in from that side."""
        new = self.listing is None
        same = self.listing is not None and self.listing.title == listing.title
        self.page = self.page if same else 0
        self.rect, self.listing = rect, listing
        self._lay_out()
        if new:
            Animation.cancel_all(self, "slide")
            self.slide = rect.w * (0.25 if from_right else -0.25)
            Animation(slide=0.0, duration=ANSWER_S, t=EASE).start(self)

    def close(self) -> None:
        """Show nothing."""
        self.listing = None
        self._panel.paint(paint.NOTHING)
        nowhere = Rect(0, 0, 0, 0)
        for words in (self._title, self._note, self._count):
            words.put(nowhere, "")
        for row in self.rows:
            row.put(nowhere, None)
        for button in (self.close_button, self._back, self._on, *self.actions, *self.tabs):
            button.hide()

    def _lay_out(self) -> None:
        if self.listing is None or self.rect is None:
            return
        theme, px, listing = self.style.theme, self.style.scale.px, self.listing
        touch = self.style.scale.touch
        self._panel.put(self.rect)
        self._panel.paint(theme.surface, theme.line, theme.shadow)
        inner = self.rect.inset(px(12))
        head, rest = inner.stack((touch, inner.h - touch), 0)
        self.close_button.put(Rect(head.right - touch, head.y, touch, touch))
        self._title.put(Rect(head.x + px(4), head.y, head.w - touch - px(10), touch), listing.title)
        rest = self._put_tabs(rest)
        note_h = self._note.height_for(listing.note, rest.w - px(8)) + px(4) if listing.note else 0
        note, rest = rest.stack((note_h, rest.h - note_h - px(6)), px(6))
        self._note.put(Rect(note.x + px(4), note.y, note.w - px(8), note.h), listing.note)
        rest = self._put_actions(rest)
        self._put_rows(rest, touch)

    def _put_tabs(self, rest: Rect) -> Rect:
        tabs = self.listing.tabs if self.listing else ()
        if not tabs:
            for button in self.tabs:
                button.hide()
            return rest
        gap, touch = self.style.scale.px(5), self.style.scale.touch
        # Where five in a line would be too small to read, two lines.
        for columns in (len(tabs), -(-len(tabs) // 2)):
            wide = (rest.w - gap * (columns - 1)) / columns
            size = self._tab_size(wide - self.style.scale.px(6))
            if size >= self.style.scale.sp("small") * 0.9:
                break
        lines = -(-len(tabs) // columns)
        for i, button in enumerate(self.tabs):
            if i >= len(tabs):
                button.hide()
                continue
            x, y = rest.x + (i % columns) * (wide + gap), rest.top - (i // columns + 1) * (touch + gap)
            tone = self.style.theme.tone(tabs[i][1]).bright if tabs[i][1] else None
            button.put(Rect(x, y, wide, touch), tabs[i][0], tone=tone, size_px=size)
        return Rect(rest.x, rest.y, rest.w, rest.h - lines * (touch + gap) - gap)

    def _tab_size(self, wide: float) -> float:
        """Return the size in which every tab's label fits, the smallest where none does."""
        labels = [tab[0] for tab in self.listing.tabs] if self.listing else []
        size, least = self.style.scale.sp("body"), self.style.scale.sp("tiny") * 0.85
        while size > least and any(extent(label, size, bold=True)[0] > wide for label in labels):
            size -= 0.5
        return size

    def _put_actions(self, rest: Rect) -> Rect:
        actions = self.listing.actions if self.listing else ()
        if not actions:
            for button in self.actions:
                button.hide()
            return rest
        gap, touch = self.style.scale.px(8), self.style.scale.touch
        places = Rect(rest.x, rest.y, rest.w, touch).row((1,) * len(actions), gap)
        for i, button in enumerate(self.actions):
            if i < len(actions):
                button.put(places[i], actions[i][0], tone=self.style.theme.accepted.bright)
            else:
                button.hide()
        return Rect(rest.x, rest.y + touch + gap, rest.w, rest.h - touch - gap)

    def _put_rows(self, rest: Rect, touch: float) -> None:
        gap = self.style.scale.px(7)
        pages = self._paged(rest, touch, gap)
        self.page = min(self.page, len(pages) - 1)
        top = rest.top
        shown = pages[self.page]
        for i, row in enumerate(self.rows):
            entry, high = shown[i] if i < len(shown) else (None, 0.0)
            row.put(Rect(rest.x, top - high, rest.w, high), entry)
            top -= high + gap
        if len(pages) == 1:
            self._back.hide()
            self._on.hide()
            self._count.put(Rect(rest.x, rest.y, 0, 0), "")
            return
        low = Rect(rest.x, rest.y, rest.w, touch)
        self._back.put(Rect(low.x, low.y, touch * 1.2, touch))
        self._on.put(Rect(low.right - touch * 1.2, low.y, touch * 1.2, touch))
        self._count.put(low.inset(touch * 1.3, 0), texts.page_of(self.page + 1, len(pages)))

    def _paged(self, rest: Rect, touch: float, gap: float) -> list[list[tuple[Entry, float]]]:
        """Return the pages: rows with their heights, as many on each as its room allows."""
        entries: Sequence[Entry] = self.listing.entries if self.listing else ()
        least = touch + self.style.scale.px(4)
        if self.listing is None or not self.listing.compact:
            least = max(least, self.style.scale.px(82))
        high = [self._height(entry, rest.w, least) for entry in entries]
        room = rest.h
        if len(entries) > MOST_ROWS or sum(high) + gap * (len(high) - 1) > room:
            room -= touch + gap
        pages: list[list[tuple[Entry, float]]] = [[]]
        used = 0.0
        for i, (entry, wanted) in enumerate(zip(entries, high, strict=True)):
            own = min(wanted, room)
            # A heading stays with the row below it.
            follows = high[i + 1] + gap if entry.heading and i + 1 < len(high) else 0.0
            rows = len(pages[-1]) + bool(follows)
            if pages[-1] and (used + own + follows > room or rows >= MOST_ROWS):
                pages.append([])
                used = 0.0
            pages[-1].append((entry, own))
            used += own + gap
        return pages

    def _height(self, entry: Entry, wide: float, least: float) -> float:
        wanted = self.rows[0].height_for(entry, wide)
        return wanted if entry.heading else max(least, wanted)

    def _page(self, by: int) -> None:
        self.page = max(0, self.page + by)
        self._lay_out()

    def _act(self, index: int) -> None:
        if self.listing is not None and index < len(self.listing.actions):
            self.listing.actions[index][1]()

    def _tab(self, index: int) -> None:
        if self.listing is not None and index < len(self.listing.tabs):
            self.listing.tabs[index][2]()

    def on_touch_down(self, touch: Any) -> bool:
        """Take every touch on the sheet: what lies below it is covered."""
        if not self.is_open or self.rect is None or not self.rect.has(*touch.pos):
            return False
        super().on_touch_down(touch)
        return True
