"""The players' panels and the teams' boxes: what must be read from two metres."""

from collections.abc import Callable
from typing import Any, Final

from kivy.graphics import Rotate
from kivy.uix.widget import Widget

from companion.ui import paint, texts
from companion.ui.figures import INK
from companion.ui.layout import Rect
from companion.ui.parts import Icon, Style, Words, extent
from companion.ui.theme import RADIUS_PANEL, faded, mixed
from companion.ui.views import AMBITION_TOKENS, RowView, SeatView, TeamView

MOST_ACTIONS: Final = 4
"""Three Actions, and the one that an Ambition Ability buys (R-TURN-2, R-TURN-6)."""

MOST_CARDS_DRAWN: Final = 5
"""A hand is drawn as that many backs at most; the number says the rest."""


class RowMark(Widget):
    """One Spirit Action: its name, the unlock space, three upgrades."""

    def __init__(self, style: Style) -> None:
        """Make it; it has no place before `put`."""
        super().__init__(size_hint=(None, None), size=(0, 0))
        self.style = style
        px = style.scale.px
        self._cells = [paint.Panel(self.canvas, px(7), edge=max(0.8, px(0.8))) for _ in range(4)]
        self._vibes = [paint.VibeMark(self.canvas) for _ in range(4)]
        self._lock = Icon("lock", max(0.9, px(0.9)))
        self._name = Words(style, "small", style.theme.text, bold=True, align="left")
        self.add_widget(self._lock)
        self.add_widget(self._name)
        self.rect = Rect(0, 0, 0, 0)

    def put(self, rect: Rect) -> None:
        """Set its place."""
        self.rect = rect

    def show(self, view: RowView | None) -> None:
        """Show a row, or nothing."""
        theme, rect = self.style.theme, self.rect
        label = Rect(rect.x, rect.y, rect.w * 0.40, rect.h)
        if view is None:
            self._name.put(label, "")
            self._lock.put((-9, -9), 0, paint.NOTHING)
            for cell, mark in zip(self._cells, self._vibes, strict=True):
                cell.paint(paint.NOTHING)
                mark.put("", (0, 0), 0, paint.NOTHING)
            return
        self._name.tint(theme.faint if view.locked else theme.text)
        self._name.put(label, view.title)
        side = min(rect.h * 0.88, rect.w * 0.6 / 4.6)
        step = rect.w * 0.6 / 4
        for i, (cell, mark) in enumerate(zip(self._cells, self._vibes, strict=True)):
            x, y = rect.x + rect.w * 0.4 + step * (i + 0.5), rect.middle[1]
            vibe = view.vibes[i]
            cell.put(Rect(x - side / 2, y - side / 2, side, side))
            edge = faded(theme.line, 1.0 if vibe else 0.8)
            if i + 1 in view.open:
                edge = theme.question.bright
            cell.paint(faded(theme.well, 1.0 if vibe else 0.35), edge)
            mark.put(vibe, (x, y), side * 0.3, theme.vibes.get(vibe, theme.text))
        first = (rect.x + rect.w * 0.4 + step * 0.5, rect.middle[1])
        self._lock.put(first, side * 0.28, theme.faint if view.locked else paint.NOTHING)

    def space_at(self, x: float) -> int:
        """Return the space of the row, from 1, at that place; 0 for its name."""
        left = self.rect.x + self.rect.w * 0.4
        return 0 if x < left else min(int((x - left) / (self.rect.w * 0.6 / 4)), 3) + 1


class SeatPanel(Widget):
    """A player: turn, Willpower, Essence, hand, Vibe rows."""

    def __init__(self, style: Style, on_ask: Callable[[str, str, int], None]) -> None:
        """Make it.

        Args:
            style: colours and scale.
            on_ask: called with the player, the tapped row's action (empty for none) and space (0 for none).
        """
        super().__init__(size_hint=(None, None), size=(0, 0))
        self.style, self.on_ask = style, on_ask
        theme, px = style.theme, style.scale.px
        self._panel = paint.Panel(self.canvas, px(RADIUS_PANEL), edge=max(1.0, px(1.0)), soft=px(14))
        self._ball = paint.Ball(self.canvas)
        self._moves = [paint.Panel(self.canvas, px(5), edge=max(0.9, px(0.9))) for _ in range(MOST_ACTIONS)]
        self._backs = [
            paint.Panel(self.canvas, px(4), edge=max(0.8, px(0.8))) for _ in range(MOST_CARDS_DRAWN)
        ]
        self._initial = Words(style, "body", INK, bold=True)
        self._name = Words(style, "lead", theme.text, bold=True, align="left")
        self._spirit = Words(style, "small", theme.dim, align="left")
        self._left = Words(style, "small", theme.dim, align="right")
        self._numbers = {
            key: (Words(style, "hero", theme.text, bold=True, align="left"), self._label(label))
            for key, label in (("willpower", texts.WILLPOWER), ("essence", texts.ESSENCE))
        }
        self._hand = self._label("")
        self._slim_hand = Words(style, "small", theme.dim)
        self.rows = [RowMark(style) for _ in range(5)]
        for part in (self._initial, self._name, self._spirit, self._left, self._hand):
            self.add_widget(part)
        self.add_widget(self._slim_hand)
        for number, label in self._numbers.values():
            self.add_widget(number)
            self.add_widget(label)
        for row in self.rows:
            self.add_widget(row)
        self.rect, self.slim, self.turned = Rect(0, 0, 0, 0), False, False
        self._turn = Rotate(angle=0, axis=(0, 0, 1))
        paint.Turned(self, self._turn)
        self.view: SeatView | None = None

    def _label(self, text: str) -> Words:
        words = Words(self.style, "tiny", self.style.theme.dim, bold=True, align="left")
        words.text = text
        return words

    def put(self, rect: Rect, *, turned: bool = False) -> None:
        """Set its place; a low one shows no Vibe rows, a turned one faces the other side of a flat screen."""
        if (rect, turned) == (self.rect, self.turned):
            return
        self.rect, self.turned = rect, turned
        self._turn.angle, self._turn.origin = (180 if turned else 0), rect.middle
        self.slim = rect.h < 100 * self.style.scale.density
        self.pos, self.size = (rect.x, rect.y), (rect.w, rect.h)
        self._panel.put(rect)
        view, self.view = self.view, None
        if view is not None:
            self.show(view)

    def show(self, view: SeatView) -> None:
        """Show a player; what is the same as before is left alone."""
        if view == self.view:
            return
        self.view = view
        theme = self.style.theme
        colours = theme.team(view.team)
        line = colours.flat if view.acting else theme.line
        self._panel.thicken(max(1.0, self.style.scale.px(1.6 if view.acting else 1.0)))
        glow = faded(colours.flat, 0.38) if view.acting else faded(theme.shadow, 0.6)
        self._panel.paint(faded(theme.surface, 0.96), line, glow)
        pad = self.style.scale.px(13)
        inner = self.rect.inset(pad, pad * 0.75)
        if self.slim:
            self._show_slim(view, inner)
            return
        head_h = min(inner.h * 0.21, self.style.scale.px(52))
        numbers_h = min(inner.h * 0.29, self.style.scale.px(70))
        head, numbers, rest = inner.stack((head_h, numbers_h, inner.h - head_h - numbers_h), 0)
        self._show_head(view, head)
        self._show_numbers(view, numbers)
        high = rest.h / 5
        for i, row in enumerate(self.rows):
            row.put(Rect(rest.x, rest.top - (i + 1) * high, rest.w, high))
            row.show(view.rows[i] if i < len(view.rows) else None)

    def _show_ball(self, view: SeatView, middle: tuple[float, float], radius: float) -> None:
        colours = self.style.theme.team(view.team)
        self._ball.put(middle, radius)
        self._ball.fill(colours.light, colours.deep)
        self._initial.base_px = radius * 1.0
        x, y = middle
        self._initial.put(Rect(x - radius, y - radius, 2 * radius, 2 * radius), view.initial)

    def _show_head(self, view: SeatView, head: Rect) -> None:
        radius = min(head.h * 0.40, self.style.scale.px(18))
        self._show_ball(view, (head.x + radius, head.middle[1]), radius)
        left = Rect(head.x + radius * 2.7, head.y, head.w * 0.52 - radius * 2.7, head.h)
        upper, lower = left.stack((head.h * 0.55, head.h * 0.4), 0)
        self._name.put(upper, view.title)
        self._spirit.put(lower, view.spirit)
        right = Rect(head.x + head.w * 0.52, head.y, head.w * 0.48, head.h)
        top, low = right.stack((head.h * 0.5, head.h * 0.45), 0)
        self._show_moves(view, top)
        self._left.put(low, self._left_words(view, low.w))

    def _left_words(self, view: SeatView, room: float) -> str:
        if not view.acting:
            return ""
        return texts.SETTING_UP if view.setting_up else self._turn_words(view, room)

    def _turn_words(self, view: SeatView, room: float) -> str:
        whole = texts.turn_left(view.actions_left, absorbed=view.absorbed)
        size = max(self._left.base_px * 0.85, self._left.least_px)
        if extent(whole, size, bold=False)[0] <= room:
            return whole
        # The squares above it say the number of Actions too.
        return texts.absorb(absorbed=view.absorbed)

    def _show_moves(self, view: SeatView, row: Rect) -> None:
        colours = self.style.theme.team(view.team)
        side = min(row.h * 0.66, self.style.scale.px(15))
        count = max(3, view.actions_left) if view.acting and not view.setting_up else 0
        for i, move in enumerate(self._moves):
            if i >= count:
                move.paint(paint.NOTHING)
                continue
            x = row.right - side - (count - 1 - i) * side * 1.25
            move.put(Rect(x, row.middle[1] - side / 2, side, side))
            has = i >= count - view.actions_left
            move.paint(colours.flat if has else paint.NOTHING, faded(colours.flat, 0.6))

    def _show_numbers(self, view: SeatView, box: Rect) -> None:
        theme = self.style.theme
        parts = box.row((1.12, 1.0, 1.0), 0)
        for part, key, value in (
            (parts[0], "willpower", view.willpower),
            (parts[1], "essence", view.essence),
        ):
            number, label = self._numbers[key]
            upper, lower = part.stack((box.h * 0.70, box.h * 0.26), 0)
            number.base_px = min(self.style.scale.sp("hero"), upper.h * 0.98)
            number.tint(theme.text if key == "willpower" else theme.team(view.team).text)
            number.put(upper, str(value))
            label.put(lower, texts.WILLPOWER if key == "willpower" else texts.ESSENCE)
        upper, lower = parts[2].stack((box.h * 0.70, box.h * 0.26), 0)
        self._hand.put(lower, texts.cards_in_hand(view.hand))
        self._slim_hand.put(Rect(lower.x, lower.y, 0, 0), "")
        self._show_backs(view, upper)

    def _show_backs(self, view: SeatView, box: Rect) -> None:
        colours, theme = self.style.theme.team(view.team), self.style.theme
        high = min(box.h * 0.62, self.style.scale.px(32))
        wide = high * 0.7
        count = min(view.hand, MOST_CARDS_DRAWN)
        step = min(wide * 0.5, (box.w - wide) / max(count - 1, 1))
        for i, back in enumerate(self._backs):
            if i >= count:
                back.paint(paint.NOTHING)
                continue
            back.put(Rect(box.x + i * step, box.middle[1] - high / 2, wide, high))
            back.paint(mixed(theme.surface, colours.deep, 0.22), faded(colours.flat, 0.8))

    def _show_slim(self, view: SeatView, inner: Rect) -> None:
        theme = self.style.theme
        radius = min(inner.h * 0.42, self.style.scale.px(22))
        self._show_ball(view, (inner.x + radius, inner.middle[1]), radius)
        name, willpower, essence = Rect(inner.x + radius * 2.6, inner.y, inner.w - radius * 2.6, inner.h).row(
            (1.5, 0.8, 0.8), 4
        )
        upper, lower = name.stack((inner.h * 0.55, inner.h * 0.45), 0)
        self._name.put(upper, view.title)
        self._spirit.put(lower, texts.cards_in_hand(view.hand).capitalize())
        for box, key, value in ((willpower, "willpower", view.willpower), (essence, "essence", view.essence)):
            number, label = self._numbers[key]
            upper, lower = box.stack((inner.h * 0.66, inner.h * 0.34), 0)
            number.base_px = min(self.style.scale.sp("number"), upper.h)
            number.tint(theme.text if key == "willpower" else theme.team(view.team).text)
            number.put(upper, str(value))
            label.put(lower, "WP" if key == "willpower" else "ESS")
        nowhere = Rect(inner.x, inner.y, 0, 0)
        for words in (self._left, self._hand, self._slim_hand):
            words.put(nowhere, "")
        for panel in (*self._moves, *self._backs):
            panel.paint(paint.NOTHING)
        for row in self.rows:
            row.show(None)

    def on_touch_down(self, touch: Any) -> bool:
        """Ask about the row, or the player."""
        if self.view is None or not self.rect.has(*touch.pos):
            return False
        x, y = touch.pos
        if self.turned:
            x, y = 2 * self.rect.middle[0] - x, 2 * self.rect.middle[1] - y
        row = next((r for r in self.rows if r.rect.has(x, y)), None) if not self.slim else None
        index = self.rows.index(row) if row else len(self.view.rows)
        action = self.view.rows[index].action if index < len(self.view.rows) else ""
        self.on_ask(self.view.name, action, row.space_at(x) if row and action else 0)
        return True


class TeamBox(Widget):
    """A team: Ambition, points, Fragments."""

    def __init__(self, style: Style, on_ask: Callable[[str], None]) -> None:
        """Make it; it has no place before `put`, and `on_ask` is called with the team when it is tapped."""
        super().__init__(size_hint=(None, None), size=(0, 0))
        self.style, self.on_ask = style, on_ask
        theme, px = style.theme, style.scale.px
        self._panel = paint.Panel(self.canvas, px(RADIUS_PANEL), edge=max(1.0, px(1.0)), soft=px(14))
        self._tokens = [paint.Ball(self.canvas, width=max(0.9, px(1.0))) for _ in range(AMBITION_TOKENS)]
        self._checks = [Icon("check", max(1.0, px(1.3))) for _ in range(AMBITION_TOKENS)]
        self._title = Words(style, "small", theme.text, bold=True, align="left")
        self._ambition = Words(style, "tiny", theme.dim, bold=True, align="left")
        self._points_label = Words(style, "tiny", theme.dim, bold=True, align="right")
        self._points = Words(style, "number", theme.text, bold=True, align="right")
        self._fragments = Words(style, "small", theme.dim, align="left")
        for part in (*self._checks, self._title, self._ambition, self._points_label, self._points):
            self.add_widget(part)
        self.add_widget(self._fragments)
        self.rect = Rect(0, 0, 0, 0)
        self.view: TeamView | None = None

    def put(self, rect: Rect) -> None:
        """Set its place."""
        self.rect = rect
        self._panel.put(rect)
        self._panel.paint(
            faded(self.style.theme.surface, 0.96), self.style.theme.line, faded(self.style.theme.shadow, 0.6)
        )

    def show(self, view: TeamView) -> None:
        """Show a team; what is the same as before is left alone."""
        if view == self.view:
            return
        self.view = view
        theme, px = self.style.theme, self.style.scale.px
        inner = self.rect.inset(px(13), px(8))
        words = texts.fragments(view.minor, view.major)
        fits = extent(words, self._fragments.least_px, bold=False)[0] <= inner.w
        full = fits and self.rect.h >= self.style.scale.sp("number") * 2.7
        heights = (
            (inner.h * 0.24, inner.h * 0.5, inner.h * 0.26) if full else (inner.h * 0.4, inner.h * 0.6, 0)
        )
        top, middle, low = inner.stack(heights, 0)
        self._title.tint(theme.team(view.team).text)
        self._title.put(Rect(top.x, top.y, top.w * 0.6, top.h), texts.spaced(view.title.upper()))
        self._points_label.put(Rect(top.x + top.w * 0.6, top.y, top.w * 0.4, top.h), texts.POINTS)
        self._points.base_px = min(self.style.scale.sp("number"), middle.h * 0.95)
        self._points.put(
            Rect(middle.x + middle.w * 0.7, middle.y, middle.w * 0.3, middle.h), str(view.points)
        )
        self._show_tokens(view, middle)
        self._fragments.put(low, words if full else "")

    def _show_tokens(self, view: TeamView, row: Rect) -> None:
        theme = self.style.theme
        colours = theme.team(view.team)
        radius = min(row.h * 0.36, self.style.scale.px(13), row.w * 0.09)
        label_w = row.w * 0.7 - radius * 7.4
        wide = label_w > 46 * self.style.scale.density
        x = row.x
        for i, (token, check) in enumerate(zip(self._tokens, self._checks, strict=True)):
            middle = (x + radius * (1 + 2.35 * i), row.middle[1])
            token.put(middle, radius)
            if i < view.ambition:
                token.fill(colours.light, colours.deep)
                check.put(middle, radius * 0.62, INK)
            else:
                token.outline(faded(colours.flat, 0.6))
                check.put(middle, 0, paint.NOTHING)
        box = Rect(x + radius * 7.4, row.y, max(label_w, 0), row.h)
        self._ambition.put(box, texts.AMBITION if wide else "")

    def on_touch_down(self, touch: Any) -> bool:
        """Ask about the team."""
        if self.view is None or not self.rect.has(*touch.pos):
            return False
        self.on_ask(self.view.team)
        return True
