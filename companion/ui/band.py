"""The band below the board: what happened, what is asked, or why not and the ways on."""

from collections.abc import Callable
from functools import partial

from kivy.uix.widget import Widget

from companion.ui import paint
from companion.ui.layout import Rect
from companion.ui.model import CHOICES_SHOWN, Intent, Say, Way
from companion.ui.parts import Icon, Style, TapButton, Words, extent
from companion.ui.theme import RADIUS_PANEL, faded, mixed

ICON_OF = {"accepted": "check", "refused": "cross", "question": "question", "quiet": "quiet"}


class Band(Widget):
    """One line of what the companion says, with at most four buttons."""

    def __init__(self, style: Style, rect: Rect, on_intent: Callable[[Intent], None]) -> None:
        """Place it at `rect`; `on_intent` is called with what a tapped button is for."""
        super().__init__(size_hint=(None, None), size=(rect.w, rect.h), pos=(rect.x, rect.y))
        self.style, self.rect, self.on_intent = style, rect, on_intent
        theme, px = style.theme, style.scale.px
        self._panel = paint.Panel(self.canvas, px(RADIUS_PANEL), edge=max(1.0, px(1.2)), soft=px(14))
        self._panel.put(rect)
        self._disc = paint.Panel(self.canvas, 999, edge=1.0)
        self._icon = Icon("quiet", max(1.4, px(1.8)))
        self._text = Words(style, "lead", theme.text, bold=True, align="left", lines=2)
        self._detail = Words(style, "small", theme.dim, align="left", lines=2)
        self._rule = Words(style, "small", theme.dim, align="right")
        for part in (self._icon, self._text, self._detail, self._rule):
            self.add_widget(part)
        self.buttons = [TapButton(style, partial(self._tapped, i)) for i in range(CHOICES_SHOWN)]
        for button in self.buttons:
            self.add_widget(button)
        self.said: Say | None = None

    def show(self, say: Say) -> None:
        """Say something; the same as before is left alone."""
        if say == self.said:
            return
        self.said = say
        theme, px, rect = self.style.theme, self.style.scale.px, self.rect
        tone = theme.tone(say.tone)
        quiet = say.tone == "quiet"
        self._panel.paint(
            tone.ground, theme.line if quiet else faded(tone.bright, 0.75), faded(theme.shadow, 0.6)
        )
        radius = min(rect.h * 0.26, px(19))
        middle = (rect.x + px(14) + radius, rect.middle[1])
        self._disc.put(Rect(middle[0] - radius, middle[1] - radius, 2 * radius, 2 * radius))
        self._disc.paint(paint.NOTHING if quiet else tone.bright, faded(tone.bright, 0.8))
        self._icon.put(
            middle,
            radius * 0.62,
            tone.bright if quiet else mixed(tone.ground, (0, 0, 0, 1), 0.3),
            ICON_OF[say.tone],
        )
        if not quiet and theme.name == "day":
            self._icon.put(middle, radius * 0.62, theme.on_bright, ICON_OF[say.tone])
        left = middle[0] + radius + px(12)
        right = self._place_ways(say.ways)
        self._place_text(say, Rect(left, rect.y, right - left - px(8), rect.h).inset(0, px(7)))

    def _place_ways(self, ways: tuple[Way, ...]) -> float:
        """Place the buttons from the right and return where they begin."""
        px, rect = self.style.scale.px, self.rect
        gap = px(8)
        if not ways:
            for button in self.buttons:
                button.hide()
            return rect.right - px(8)
        short = all(len(way.text) < 11 and not way.detail for way in ways)
        most = px(120) if short else px(330)
        text_w = self._text_width(len(ways))
        room = rect.w - rect.h - text_w
        wide = min(most, (room - gap * len(ways)) / len(ways))
        high = rect.h - 2 * px(7)
        start = rect.right - (wide + gap) * len(ways)
        for i, button in enumerate(self.buttons):
            if i >= len(ways):
                button.hide()
                continue
            way = ways[i]
            place = Rect(start + i * (wide + gap), rect.y + px(7), wide, high)
            tone = self.style.theme.tone(way.tone).bright
            button.put(place, way.text, way.detail, tone=tone)
        return start

    def _text_width(self, ways: int) -> float:
        """Return the room that the text needs on two lines, but no more than a share of the band."""
        said = self.said
        if said is None:
            return 0.0
        size = self._text.base_px
        head = extent(said.text, size, bold=True)[0]
        need = max(
            head / (1 if head < self.rect.w * 0.2 else 1.8), extent(said.detail, size * 0.7, bold=False)[0]
        )
        rule = self._rule_width(said)
        return min(need + rule + self.style.scale.px(26), self.rect.w * (0.34 if ways > 2 else 0.44))

    def _rule_width(self, say: Say) -> float:
        return (
            extent(say.rule, self._rule.base_px, bold=False)[0] + self.style.scale.px(10) if say.rule else 0.0
        )

    def _place_text(self, say: Say, box: Rect) -> None:
        rule_w = self._rule_width(say)
        wide = box.w - rule_w
        head_h = self._text.height_for(say.text, wide)
        low_h = self._detail.height_for(say.detail, wide) if say.detail else 0.0
        head_h = min(head_h, box.h - min(low_h, box.h * 0.42))
        low_h = min(low_h, box.h - head_h)
        y = box.y + (box.h - head_h - low_h) / 2
        self._text.put(Rect(box.x, y + low_h, wide, head_h), say.text)
        self._detail.put(Rect(box.x, y, wide, low_h), say.detail)
        self._rule.put(Rect(box.right - rule_w, box.y, rule_w, box.h), say.rule)

    def _tapped(self, index: int) -> None:
        if self.said is not None and index < len(self.said.ways):
            self.on_intent(self.said.ways[index].intent)
