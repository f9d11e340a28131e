"""Verbs for tests of the screen: tap, drag, read what is painted where."""

from collections.abc import Iterator

from kivy.core.window import Window

from companion.ui.board import Board
from companion.ui.cards import CardView
from companion.ui.figures import Mark
from companion.ui.layout import Rect
from companion.ui.parts import TapButton, Words
from companion.ui.scenes import Finger, close_app, open_app
from companion.ui.screen import PlayScreen
from companion.ui.stage import Stage

Point = tuple[float, float]


class Shown:
    """The app on the window."""

    def __init__(self, start: str, *, virtual: bool, size: tuple[int, int]) -> None:
        if tuple(Window.size) != size:
            Window.size = size
        self.stage = Stage(start, virtual=virtual)
        self.app = open_app(self.stage, size)

    @property
    def screen(self) -> PlayScreen:
        assert self.app.screen is not None
        return self.app.screen

    @property
    def board(self) -> Board:
        return self.screen.board

    def close(self) -> None:
        close_app(self.app)

    def hear(self) -> None:
        self.app.drain()

    def tap(self, at: Point, device: str = "finger") -> None:
        finger = Finger(*at, device=device)
        finger.to(*at)
        finger.up()

    def tap_button(self, text: str) -> None:
        button = next(b for b in self.buttons() if b.first.text == text)
        self.tap(button.center)

    def tap_entry(self, text: str) -> None:
        """Tap the row of the open sheet that begins like this, turning its pages."""
        sheet = self.screen.sheet
        for _ in range(20):
            for row in sheet.rows:
                if row.entry is not None and row.entry.text.startswith(text):
                    self.tap(row.rect.middle)
                    return
            self.tap(next(b for b in self.buttons() if b.icon is not None and b.icon.name == "on").center)
        raise AssertionError(text)

    def entries(self) -> list[str]:
        """Return what the open sheet lists, on all its pages."""
        listing = self.screen.sheet.listing
        return [] if listing is None else [entry.text for entry in listing.entries]

    def buttons(self) -> Iterator[TapButton]:
        for widget in self.screen.walk():
            if isinstance(widget, TapButton) and widget.shown:
                yield widget

    def drag(self, start: Point, end: Point) -> None:
        finger = Finger(*start, device="finger")
        finger.to(*start)
        finger.to((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        finger.to(*end)
        finger.up()

    def piece(self, component: str) -> Point:
        assert self.screen.tray is not None
        uid = self.stage.uid(component)
        return next(view.rect.middle for view in self.screen.tray.views if view.tag == uid)

    def zone(self, name: str) -> Point:
        assert self.screen.tray is not None
        return self.screen.tray.zones[name].middle

    def slot(self, slot: str) -> Point:
        return self.board.card_rect(slot).middle

    def texts(self) -> list[str]:
        return [words.text for words in self.words() if words.text]

    def words(self) -> Iterator[Words]:
        for widget in self.screen.walk():
            if isinstance(widget, Words) and widget.text:
                yield widget

    def painted(self) -> Iterator[tuple[Words, Rect]]:
        """Yield each text that can be seen and where its letters are; what a sheet covers is left out."""
        sheet = self.screen.sheet
        for words in self.words():
            wide, high = words.texture_size
            x, y = words.pos
            holder = words.parent
            if isinstance(holder, Mark):
                x, y = x + holder.at[0], y + holder.at[1]
            rect = Rect(x, y, wide, high)
            covered = sheet.is_open and sheet.rect is not None and sheet.rect.has(*rect.middle)
            if covered and sheet not in ancestors(words):
                continue
            if isinstance(holder, CardView) and holder.parent is self.screen.held:
                continue
            yield words, rect


def ancestors(widget: Words) -> list[object]:
    found: list[object] = []
    parent = widget.parent
    while parent is not None and parent is not parent.parent:
        found.append(parent)
        parent = parent.parent
    return found
