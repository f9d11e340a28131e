"""The app: one window, one callback that takes the link's messages, the play screen."""

from typing import Any

from kivy.app import App
from kivy.base import EventLoop, runTouchApp
from kivy.clock import Clock
from kivy.metrics import Metrics
from kivy.uix.widget import Widget

from companion.content import catalogue
from companion.rules.cards import Catalogue
from companion.ui.link import UiLink
from companion.ui.model import Table
from companion.ui.parts import claim_thread
from companion.ui.screen import PlayScreen
from companion.ui.theme import Look

DRAIN_S = 1 / 30
"""Between two looks into the link's queue: a message is on the screen well within 100 ms."""


class CompanionApp(App):
    """The touchscreen app over a link."""

    def __init__(
        self, link: UiLink, *, size: tuple[int, int] | None = None, cards: Catalogue | None = None
    ) -> None:
        """Make the app; `companion.ui.window.prepare` must have run before this module was imported.

        Args:
            link: all that the screens know of the rest.
            size: of the picture in pixels; None follows the window.
            cards: the printed values; None takes the base game's.
        """
        super().__init__()
        self.title = "Cerebria Companion"
        self.link, self.fixed_size = link, size
        self.catalogue = cards or catalogue()
        self.table = Table()
        self.look = Look()
        self.holder = Widget()
        self.screen: PlayScreen | None = None
        self._fields: dict[str, tuple[str, ...]] = {}
        self._built_for: tuple[Any, ...] = ()

    def build(self) -> Widget:
        """Build the widgets and start to look into the link's queue."""
        claim_thread()
        window = EventLoop.window
        if window is not None:
            window.bind(size=self.resized)
        self.drain()
        if self.screen is None:
            self.rebuild()
        self._looking = Clock.schedule_interval(lambda _: self.drain(), DRAIN_S)
        return self.holder

    def drain(self) -> None:
        """Take what has arrived; nothing is drawn anew where nothing has."""
        messages, fields = self.link.drain(), self.link.fields()
        if not messages and fields == self._fields:
            return
        self._fields = fields
        for kind, payload in messages:
            self.table.take(kind, payload)
        self.refresh()

    def refresh(self) -> None:
        """Show what is known now."""
        if self.screen is None or self._wanted() != self._built_for:
            self.rebuild()
        else:
            self.screen.refresh()

    def resized(self, *_: Any) -> None:
        """Follow the window, once it has stopped changing."""
        Clock.unschedule(self._follow)
        Clock.schedule_once(self._follow, 0.05)

    def _follow(self, _: float) -> None:
        if self._wanted() != self._built_for:
            self.rebuild()

    def _wanted(self) -> tuple[Any, ...]:
        window = EventLoop.window
        size = self.fixed_size or (tuple(window.size) if window is not None else (1280, 800))
        players = tuple((name, p.get("team")) for name, p in self.table.state.get("players", {}).items())
        return size, self.look, players

    def rebuild(self) -> None:
        """Build the screen anew: another size, theme or set of players."""
        wanted = self._wanted()
        self.holder.clear_widgets()
        self.screen = PlayScreen(
            self.link,
            self.table,
            self.catalogue,
            wanted[0],
            look=self.look,
            density=Metrics.density,
            on_look=self.change_look,
        )
        self._built_for = wanted
        self.holder.add_widget(self.screen)

    def change_look(self, look: Look) -> None:
        """Show everything in another look."""
        self.look = look
        self.rebuild()

    def open_embedded(self) -> None:
        """Show the app without a main loop; `frames` moves it on. For pictures and tests."""
        EventLoop.ensure_window()
        root = self.build()
        if EventLoop.status == "started":
            # A second start would add the input providers a second time.
            EventLoop.window.add_widget(root)
        else:
            runTouchApp(root, embedded=True)

    def close(self) -> None:
        """Stop looking into the link's queue and after the window."""
        self._looking.cancel()
        if EventLoop.window is not None:
            EventLoop.window.unbind(size=self.resized)

    def frames(self, count: int = 1) -> None:
        """Let that many frames pass."""
        for _ in range(count):
            EventLoop.idle()
