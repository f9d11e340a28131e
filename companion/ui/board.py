"""The board ring: light, cards, figures, the Origin, all of it from a `BoardView`."""

from collections.abc import Callable, Mapping
from typing import Any

from kivy.animation import Animation
from kivy.graphics import Color, Point, SmoothLine
from kivy.properties import NumericProperty
from kivy.uix.widget import Widget

from companion.rules.board import REALMS, SLOTS, SPACES
from companion.ui import paint, textures
from companion.ui.cards import CardView
from companion.ui.figures import CurvedWords, FigureMark, FortressMark, Identity, SphereMark
from companion.ui.layout import Rect
from companion.ui.parts import Style
from companion.ui.ring import (
    FORTRESS_SIZE,
    INNER,
    ORIGIN_RADIUS,
    RIM,
    SPHERE_AT,
    SPHERE_RADIUS,
    SPIRIT_AT,
    SPIRIT_RADIUS,
    STEP,
    Ring,
    angle_of_slot,
    angle_of_space,
    areas,
    span_of,
)
from companion.ui.theme import EASE, faded
from companion.ui.views import BoardView, SlotView

WHITE = (1.0, 1.0, 1.0, 1.0)

DOTS = 120
"""Of the Spirit path."""

ORIGIN_TURN_S = 0.6
"""The Origin turns slowly enough to be followed (visual language)."""


class Board(Widget):
    """The ring."""

    spin = NumericProperty(0.0)
    """Degrees by which the Spheres are still behind their places."""

    def __init__(self, style: Style, ring: Ring, *, tilted: bool = False) -> None:
        """Draw the empty ring.

        Args:
            style: colours and scale.
            ring: its middle and radius.
            tilted: cards face outwards, for a screen that lies flat between the players.
        """
        super().__init__(size_hint=(None, None), size=(0, 0))
        self.style, self.ring, self.tilted = style, ring, tilted
        self.shown: BoardView | None = None
        self.carried: frozenset[str] = frozenset()
        """Slots and Spirits whose piece is under a finger."""
        self._ground()
        self._names = {realm: CurvedWords(style, realm.upper()) for realm in REALMS}
        for realm, words in self._names.items():
            words.put(ring, angle_of_space(realm))
            self.add_widget(words)
        self._origin()
        self.cards = {slot: CardView(style) for slot in SLOTS}
        for slot, card in self.cards.items():
            # Its upper edge towards the Origin: who sits outside reads it.
            card.put(self.card_rect(slot), 180 - angle_of_slot(slot) if tilted else 0.0)
            card.show(None, place=True)
            self.add_widget(card)
        self.figures: dict[str, FigureMark] = {}
        self.bind(spin=lambda *_: self._place_spheres())

    def card_rect(self, slot: str) -> Rect:
        """Return the place of the card in a slot."""
        wide, high = self.ring.card()
        wide *= 0.95 if self.tilted else 1.0
        x, y = self.ring.slot(slot)
        return Rect(round(x - wide / 2), round(y - high / 2), round(wide), round(high))

    def _ground(self) -> None:
        theme, ring, px = self.style.theme, self.ring, self.style.scale.px
        shade = paint.Glow(self.canvas)
        shade.put((ring.x, ring.y), ring.radius * 1.5, faded(theme.shadow, 0.8))
        self._base = {area: paint.Sector(self.canvas) for area in areas()}
        for area, sector in self._base.items():
            sector.put(*self._edges(*span_of(area)))
            sector.paint(None, theme.board)
        self._lights = {slot: paint.Sector(self.canvas) for slot in SLOTS}
        for slot, sector in self._lights.items():
            middle = angle_of_slot(slot)
            sector.put(*self._edges(middle - STEP / 2, middle + STEP / 2))
        with self.canvas:
            Color(*theme.gap)
            for area in areas():
                first = span_of(area)[0]
                SmoothLine(points=[*ring.at(first, INNER), *ring.at(first, 1.0)], width=max(1.2, px(2.2)))
        self._rims = {}
        for area in areas():
            first, last = span_of(area)
            with self.canvas:
                colour = Color(*paint.NOTHING)
                SmoothLine(
                    points=self._arc(first + 1.2, last - 1.2, 1.0), width=max(1.2, px(1.9)), cap="round"
                )
            self._rims[area] = colour

    def _edges(
        self, first: float, last: float
    ) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
        steps = max(4, int((last - first) / 2))
        angles = [first + (last - first) * i / steps for i in range(steps + 1)]
        return [self.ring.at(a, INNER) for a in angles], [self.ring.at(a, RIM) for a in angles]

    def _arc(self, first: float, last: float, share: float) -> list[float]:
        steps = max(6, int((last - first) / 1.5))
        angles = [first + (last - first) * i / steps for i in range(steps + 1)]
        return [c for a in angles for c in self.ring.at(a, share)]

    def _origin(self) -> None:
        theme, ring, px = self.style.theme, self.ring, self.style.scale.px
        middle = (ring.x, ring.y)
        with self.canvas:
            Color(*faded(theme.dim, 0.5))
            Point(
                points=[c for i in range(DOTS) for c in ring.at(i * 360 / DOTS, SPIRIT_AT)],
                pointsize=max(0.9, px(1.1)),
                texture=textures.ball(WHITE, WHITE),
            )
        self._wells = {}
        for space in SPACES:
            panel = paint.Panel(self.canvas, 999, edge=max(0.8, px(0.8)))
            x, y = ring.space(space)
            r = SPIRIT_RADIUS * ring.radius * 0.92
            panel.put(Rect(x - r, y - r, 2 * r, 2 * r))
            panel.paint(faded(theme.well, 0.75), faded(theme.line, 0.9))
            self._wells[space] = panel
        r = ORIGIN_RADIUS * ring.radius
        rim = paint.Panel(self.canvas, 999, edge=max(0.8, px(0.8)), soft=px(16))
        rim.put(Rect(ring.x - r, ring.y - r, 2 * r, 2 * r))
        rim.paint(theme.raised, theme.line, theme.shadow)
        glow = paint.Glow(self.canvas)
        glow.put(middle, r, faded(theme.vibes["wild"], 0.16))
        self._identity = Identity(self.style)
        self.add_widget(self._identity)
        size = SPHERE_RADIUS * ring.radius
        self.spheres = {realm: SphereMark(self.style, size) for realm in REALMS}
        self._forts = {realm: FortressMark(self.style) for realm in REALMS}
        for realm in REALMS:
            self.add_widget(self.spheres[realm])
            self.add_widget(self._forts[realm])
        self._place_spheres()

    def _place_spheres(self) -> None:
        for realm, sphere in self.spheres.items():
            sphere.move(self.ring.at(angle_of_space(realm) - self.spin, SPHERE_AT), glide=False)

    def show(self, view: BoardView, marks: Mapping[str, str]) -> None:
        """Show a view; what is the same as before is left alone."""
        before, self.shown = self.shown, view
        for i, slot in enumerate(view.slots):
            self._show_slot(slot, before.slots[i] if before else None)
        self._show_figures(view, marks)
        self._show_spheres(view, before)
        self._show_light(view)
        forts = {fort.realm: fort for fort in view.fortresses}
        for realm, mark in self._forts.items():
            mark.show(forts.get(realm), self.ring.fortress(realm), self._fort_size())
        self._identity.show(view.identity, (self.ring.x, self.ring.y), self.ring.radius * 0.115)
        theme = self.style.theme
        for space, panel in self._wells.items():
            tone = marks.get(f"spirit/{space}")
            panel.paint(faded(theme.well, 0.75), theme.tone(tone).bright if tone else faded(theme.line, 0.9))

    def _fort_size(self) -> float:
        # Its number must be readable on the smallest board too.
        return max(FORTRESS_SIZE * self.ring.radius, 17 * self.style.scale.density)

    def _show_slot(self, view: SlotView, before: SlotView | None) -> None:
        card = self.cards[view.slot]
        face = view.on_top or view.game
        ghost = not view.lying
        if view.slot in self.carried:
            face, ghost = view.game, True
        mark = view.mark if view.right or view.mark else "question"
        became = before is not None and before.game and view.game and before.game.name != view.game.name
        strong = view.game is not None and view.game.strong
        if became and strong and view.right:
            card.turn_over(face, mark)
        else:
            card.show(face, ghost=ghost and face is not None, mark=mark, place=True)

    def _show_figures(self, view: BoardView, marks: Mapping[str, str]) -> None:
        standing: dict[str, list[str]] = {}
        for figure in view.figures:
            standing.setdefault(figure.space or figure.game_space, []).append(figure.spirit)
        for figure in view.figures:
            mark = self.figures.get(figure.spirit)
            if mark is None:
                mark = FigureMark(self.style, SPIRIT_RADIUS * self.ring.radius)
                self.figures[figure.spirit] = mark
                self.add_widget(mark)
            space = figure.space or figure.game_space
            if not space:
                mark.show(None)
                continue
            there = standing[space]
            place = self.ring.figure(space, there.index(figure.spirit), len(there))
            mark.move(place, glide=True)
            away = figure.spirit in self.carried or not figure.space
            wrong = figure.space != figure.game_space
            mark.show(figure, marks.get(f"spirit/{space}", "question" if wrong else ""), away=away)
        names = {figure.spirit for figure in view.figures}
        for spirit in [spirit for spirit in self.figures if spirit not in names]:
            self.remove_widget(self.figures.pop(spirit))

    def _show_spheres(self, view: BoardView, before: BoardView | None) -> None:
        for sphere in view.spheres:
            self.spheres[sphere.realm].show(sphere)
        if before is not None and before.spheres[0].sphere != view.spheres[0].sphere:
            Animation.cancel_all(self, "spin")
            self.spin = 72.0
            Animation(spin=0.0, duration=ORIGIN_TURN_S, t=EASE).start(self)

    def _show_light(self, view: BoardView) -> None:
        theme = self.style.theme
        for slot in view.slots:
            area = slot.slot.partition(".")[0]
            team = view.control.get(area)
            sector = self._lights[slot.slot]
            if team:
                colours = theme.team(team)
                texture = textures.radial(faded(colours.deep, 0.16), colours.flat)
                sector.paint(texture, (1, 1, 1, theme.light_alpha))
            elif slot.game is not None and not view.control:
                colours = theme.team(slot.game.team)
                texture = textures.beam(faded(colours.deep, 0.25), colours.flat)
                sector.paint(texture, (1, 1, 1, theme.light_alpha))
            else:
                sector.paint(None, paint.NOTHING)
        for area, colour in self._rims.items():
            team = view.control.get(area)
            paint.recolour(colour, theme.team(team).flat if team else faded(theme.nobody, 0.45))
        for realm, words in self._names.items():
            team = view.control.get(realm)
            words.tint(theme.team(team).text if team else theme.dim)

    def highlight(self, space: str | None) -> None:
        """Show where a piece under a finger would come to lie; `space` is a bus space."""
        theme = self.style.theme
        kind, _, name = (space or "").partition("/")
        for slot, card in self.cards.items():
            on = kind == "slot" and slot == name
            view = self._slot_view(slot)
            mark = "accepted" if on else (view.mark if view else "")
            card.show(card.face, ghost=card.ghost, mark=mark, place=True)
        for place, panel in self._wells.items():
            on = kind == "spirit" and place == name
            panel.paint(faded(theme.well, 0.75), theme.accepted.bright if on else faded(theme.line, 0.9))

    def _slot_view(self, slot: str) -> SlotView | None:
        if self.shown is None:
            return None
        return self.shown.slots[SLOTS.index(slot)]

    def figure_at(self, x: float, y: float, reach: float) -> str | None:
        """Return the Spirit whose figure is within `reach` pixels of a point, the nearest one."""
        near: Callable[[FigureMark], float] = lambda mark: (mark.at[0] - x) ** 2 + (mark.at[1] - y) ** 2  # noqa: E731
        close = [(near(mark), spirit) for spirit, mark in self.figures.items() if near(mark) <= reach**2]
        return min(close)[1] if close else None

    def on_touch_down(self, touch: Any) -> bool:
        """Leave touches to the screen, which alone knows whether a piece is taken or a place asked about."""
        del touch
        return False
