"""The tray of the virtual table: pieces in hand, the acting player's pad, and the box to take pieces from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from kivy.uix.widget import Widget

from companion.rules.cards import Catalogue
from companion.ui import paint, texts
from companion.ui.cards import CardView
from companion.ui.figures import FigureMark
from companion.ui.layout import Rect
from companion.ui.parts import Style, TapButton, Words
from companion.ui.pieces import STOCKS, Box, Fields, Pile, Stock
from companion.ui.ring import CARD_HIGH, CARD_WIDE
from companion.ui.theme import RADIUS_PANEL, faded
from companion.ui.views import FigureView, State, acting_player, face

HAND, STOCK = "hand", "stock"
"""Names of the two zones that are off the table; the pad's is its bus space."""

ASPECT = CARD_WIDE / CARD_HIGH


@dataclass(frozen=True, slots=True)
class Held:
    """A piece as the tray shows it."""

    uid: str
    count: int = 1


class PieceView(Widget):
    """Any piece: an Emotion card, a figure, a Vibe token."""

    def __init__(self, style: Style, cards: Catalogue) -> None:
        """Make it; it shows nothing before `show`."""
        super().__init__(size_hint=(None, None), size=(0, 0))
        self.style, self.catalogue = style, cards
        self.card = CardView(style)
        self.token = _Token(style)
        self.figure = FigureMark(style, style.scale.px(21))
        self._count = Words(style, "tiny", style.theme.dim, bold=True, align="right")
        for part in (self.card, self.token, self.figure, self._count):
            self.add_widget(part)
        self.tag = ""
        self._shown: tuple[Any, ...] = ()
        self.rect = Rect(0, 0, 0, 0)

    def show(self, rect: Rect, uid: str, component: str, state: State, count: int = 1) -> None:
        """Show a piece at a place; an empty component shows nothing, the same as before is left alone."""
        wanted = (rect, uid, component, count)
        if wanted == self._shown:
            return
        self._shown = wanted
        self.tag, self.rect = uid, rect
        parts = component.split("/")
        family = parts[0]
        if family == "emotion":
            self.card.put(rect)
            self.card.show(face(parts[2], self.catalogue, team=parts[1]))
        else:
            self.card.show(None)
        self.token.show(rect, parts[1] if family == "vibe" else "")
        self.figure.show(_figure(parts[1], state) if family == "spirit" else None)
        if family == "spirit":
            self.figure.move(rect.middle, glide=False)
        small = self.style.scale.sp("tiny") * 1.3
        label = Rect(rect.x, rect.y - small, rect.w - 2, small)
        self._count.put(label, texts.copies(count))

    def hide(self) -> None:
        """Show nothing."""
        self.show(Rect(-99, -99, 0, 0), "", "", {})


def _figure(spirit: str, state: State) -> FigureView:
    for name, player in state.get("players", {}).items():
        if player.get("spirit") == spirit:
            return FigureView(spirit, name[:1].upper(), player.get("team", "bliss"), "", "", acting=False)
    return FigureView(spirit, spirit[:1].upper(), "bliss", "", "", acting=False)


class _Token(Widget):
    """A Vibe token."""

    def __init__(self, style: Style) -> None:
        super().__init__(size_hint=(None, None), size=(0, 0))
        self.style = style
        self._disc = paint.Panel(self.canvas, 999, edge=max(1.0, style.scale.px(1.2)), soft=style.scale.px(8))
        self._vibe = paint.VibeMark(self.canvas)

    def show(self, rect: Rect, vibe: str) -> None:
        theme = self.style.theme
        radius = min(rect.w, rect.h) * 0.42
        x, y = rect.middle
        if not vibe:
            self._disc.paint(paint.NOTHING)
        else:
            self._disc.put(Rect(x - radius, y - radius, 2 * radius, 2 * radius))
            self._disc.paint(theme.well, faded(theme.vibes[vibe], 0.8), theme.shadow)
        self._vibe.put(vibe, (x, y), radius * 0.5, theme.vibes.get(vibe, theme.text))


class Tray(Widget):
    """The tray: it shows pieces and says which one or which zone a finger is on."""

    def __init__(
        self, style: Style, rect: Rect, box: Box, cards: Catalogue, on_turn: Callable[[], None]
    ) -> None:
        """Make it.

        Args:
            style: colours and scale.
            rect: its place; wide it lies below the board, high it stands beside it.
            box: the pieces of the virtual table.
            cards: the printed values.
            on_turn: called when another stock or page should be shown.
        """
        super().__init__(size_hint=(None, None), size=(rect.w, rect.h), pos=(rect.x, rect.y))
        self.style, self.rect, self.box, self.catalogue, self.on_turn = style, rect, box, cards, on_turn
        self.stock: Stock = "strong"
        self.page, self.pages = 0, 1
        self.pad = "pad/1"
        px = style.scale.px
        self._panels = {
            name: paint.Panel(self.canvas, px(RADIUS_PANEL * 0.8), edge=max(0.9, px(1.0)), soft=px(10))
            for name in (HAND, "pad", STOCK)
        }
        self._labels = {
            name: Words(style, "tiny", style.theme.dim, bold=True, align="left") for name in (HAND, "pad")
        }
        self._hints = {name: Words(style, "small", style.theme.faint, lines=3) for name in (HAND, "pad")}
        self.tabs = {stock: TapButton(style, partial(self._choose, stock)) for stock in STOCKS}
        self.back = TapButton(style, lambda: self._turn(-1), icon="back")
        self.on = TapButton(style, lambda: self._turn(+1), icon="on")
        for part in (*self._labels.values(), *self._hints.values(), *self.tabs.values(), self.back, self.on):
            self.add_widget(part)
        self.zones, self._grid = self._divide()
        self.views: list[PieceView] = []
        self._used = 0
        self._hot = ""
        self._wide_labels = self.rect.w > self.rect.h

    def _divide(self) -> tuple[dict[str, Rect], Rect]:
        """Cut the tray into its zones; return them and the part of the box where pieces lie."""
        gap, touch, px = self.style.scale.px(8), self.style.scale.touch, self.style.scale.px
        if self.rect.w > self.rect.h:
            narrow = self.rect.w < self.rect.h * 9
            hand, pad, stock = self.rect.row((0.13, 0.13, 0.74) if narrow else (0.16, 0.16, 0.68), gap)
            inner = stock.inset(px(8))
            tabs_w = max(inner.w * 0.24, self.style.scale.sp("body") * (11.5 if narrow else 13))
            tabs, rest = inner.row((tabs_w, inner.w - gap - tabs_w), gap)
            tab_rects = tabs.row((1, 1, 1), px(5))
            turner = touch * (0.7 if narrow else 0.85)
            back = Rect(rest.x, rest.y, turner, rest.h)
            on = Rect(rest.right - turner, rest.y, turner, rest.h)
            grid = Rect(back.right + gap, rest.y, on.x - back.right - 2 * gap, rest.h)
        else:
            low = max(touch * 1.35, px(84))
            stock, pad, hand = self.rect.stack((self.rect.h - 2 * low - 2 * gap, low, low), gap)
            inner = stock.inset(px(8))
            tabs = Rect(inner.x, inner.top - touch, inner.w, touch)
            tab_rects = tabs.row((1, 1, 1), px(5))
            back = Rect(inner.x, inner.y, inner.w * 0.47, touch)
            on = Rect(inner.right - inner.w * 0.47, inner.y, inner.w * 0.47, touch)
            grid = Rect(inner.x, back.top + gap, inner.w, tabs.y - back.top - 2 * gap)
        self._places = (tab_rects, back, on)
        return {HAND: hand, "pad": pad, STOCK: stock}, grid

    def _choose(self, stock: Stock) -> None:
        self.stock, self.page = stock, 0
        self.on_turn()

    def _turn(self, by: int) -> None:
        self.page = (self.page + by) % self.pages
        self.on_turn()

    def show(self, state: State, fields: Fields, last: Mapping[str, str], carried: str = "") -> None:
        """Show what lies where.

        Args:
            state: the public state.
            fields: what lies in each simulated field.
            last: the piece last taken off a bus space, by that space.
            carried: the UID under a finger, which the tray leaves out.
        """
        seats = list(state.get("players", {}))
        acting = acting_player(state)
        self.pad = f"pad/{seats.index(acting) + 1}" if acting in seats else "pad/1"
        lying = {uid for uids in fields.values() for uid in uids}
        to_place = self.box.to_place(state, fields, self.catalogue)
        lifted = (*self.box.lifted(state, fields, last), *to_place)
        self._used = 0
        self._paint()
        in_hand = tuple(uid for uid in lifted if uid != carried)
        self._row(HAND, in_hand, state, texts.PLACE_ZONE if to_place else texts.HAND_ZONE, texts.HAND_HINT)
        on_pads = [uid for space in sorted(fields) if space.startswith("pad/") for uid in fields[space]]
        title = texts.pad_title(acting[:1].upper() + acting[1:]) if acting else ""
        self._row("pad", tuple(uid for uid in on_pads if uid != carried), state, title, texts.PAD_HINT)
        taken = frozenset((*lying, *lifted, carried))
        self._show_stock(self.box.piles(self.stock, state, self.catalogue, taken), state)
        for view in self.views[self._used :]:
            if view.tag:
                view.hide()

    def _paint(self) -> None:
        theme = self.style.theme
        for name, panel in self._panels.items():
            hot = name == self._hot
            panel.put(self.zones[name])
            edge = theme.accepted.bright if hot else theme.line
            panel.paint(faded(theme.surface, 0.96), edge, faded(theme.shadow, 0.5))

    def _row(self, zone: str, uids: tuple[str, ...], state: State, title: str, hint: str) -> None:
        rect, px = self.zones[zone], self.style.scale.px
        inner = rect.inset(px(10), px(6))
        label_h = self.style.scale.sp("tiny") * 1.5
        label, rest = inner.stack((label_h, inner.h - label_h - px(4)), px(4))
        self._labels[zone].put(label, title)
        self._hints[zone].put(rest, "" if uids else hint)
        # Cards first: a token that came before its card would lie under it.
        ordered = sorted(uids, key=lambda uid: self.box.family(uid) != "emotion")
        shares = [ASPECT if self.box.family(uid) == "emotion" else 1.0 for uid in ordered]
        gap = px(6)
        wanted = (rest.w - gap * max(len(ordered) - 1, 0)) / max(sum(shares), ASPECT)
        high = min(rest.h, max(wanted, rest.h * 0.6))
        # More than that lie one over the other, each still in sight.
        way = sum(shares[:-1]) * high + gap * len(shares[:-1])
        step = min(1.0, (rest.w - high * shares[-1]) / max(way, 1)) if shares else 1.0
        x = rest.x
        for uid, share in zip(ordered, shares, strict=True):
            self._piece(Rect(x, rest.y + (rest.h - high) / 2, high * share, high), uid, state)
            x += (high * share + gap) * step

    def _show_stock(self, piles: tuple[Pile, ...], state: State) -> None:
        tabs, back, on = self._places
        for rect, (stock, button) in zip(tabs, self.tabs.items(), strict=True):
            tone = self.style.theme.text if stock == self.stock else self.style.theme.dim
            line = self.style.theme.question.bright if stock == self.stock else self.style.theme.line
            button.put(rect, texts.STOCKS[stock], tone=tone, line=line)
        columns, rows, wide, high = self._cells()
        size = columns * rows
        self.pages = max(1, -(-len(piles) // size))
        self.page = min(self.page, self.pages - 1)
        for button, place in ((self.back, back), (self.on, on)):
            if self.pages > 1:
                button.put(place)
            else:
                button.hide()
        step_x, step_y = self._grid.w / columns, self._grid.h / rows
        for i, pile in enumerate(piles[self.page * size : (self.page + 1) * size]):
            x = self._grid.x + (i % columns) * step_x + (step_x - wide) / 2
            y = self._grid.top - (i // columns + 1) * step_y + (step_y - high) * 0.7
            self._piece(
                Rect(round(x), round(y), round(wide), round(high)), pile.uids[0], state, len(pile.uids)
            )

    def _cells(self) -> tuple[int, int, float, float]:
        """Return columns, rows, and width and height of a piece in the box."""
        count_h = self.style.scale.sp("tiny") * 1.3
        least = (
            self.style.scale.px(80)
            if self.rect.w > self.rect.h
            else self._grid.w / 2 - self.style.scale.px(8)
        )
        rows = max(1, int(self._grid.h // (least / ASPECT + count_h)))
        high = min(
            self._grid.h / rows - count_h - 2,
            self._grid.w / ASPECT,
            max(
                self.style.scale.px(58 if self.rect.w < self.rect.h * 9 else 66),
                46 * self.style.scale.density,
            ),
        )
        wide = high * ASPECT
        if self.rect.w <= self.rect.h and wide > least:
            wide, high = least, least / ASPECT
        columns = max(1, int(self._grid.w // (wide + self.style.scale.px(6))))
        return columns, rows, wide, high

    def _piece(self, rect: Rect, uid: str, state: State, count: int = 1) -> None:
        if self._used == len(self.views):
            view = PieceView(self.style, self.catalogue)
            self.views.append(view)
            self.add_widget(view)
        self.views[self._used].show(rect, uid, self.box.components.get(uid, ""), state, count)
        self._used += 1

    def piece_at(self, x: float, y: float) -> PieceView | None:
        """Return the piece under a finger, the one on top first."""
        near = self.style.scale.px(4)
        for view in reversed(self.views[: self._used]):
            if view.tag and view.rect.inset(-near).has(x, y):
                return view
        return None

    def zone_at(self, x: float, y: float) -> str | None:
        """Return `hand`, `stock`, or the bus space of the pad under a finger."""
        for name, rect in self.zones.items():
            if rect.has(x, y):
                return self.pad if name == "pad" else name
        return None

    def highlight(self, zone: str | None) -> None:
        """Show which zone a piece under a finger would come to lie in."""
        hot = "pad" if zone == self.pad else (zone or "")
        if hot != self._hot:
            self._hot = hot
            self._paint()

    def on_touch_down(self, touch: Any) -> bool:
        """Let the buttons answer; pieces are taken by the screen."""
        return bool(super().on_touch_down(touch))
