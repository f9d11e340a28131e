"""The play screen: views of what is known on the widgets, touches as intents."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.uix.widget import Widget

from companion.rules.board import SLOTS, SPACES
from companion.rules.cards import Catalogue
from companion.rules.words import title
from companion.ui import derived, lists, texts, textures, views
from companion.ui.band import Band
from companion.ui.board import Board
from companion.ui.dials import Dial, dials
from companion.ui.drag import SLOP_DP, Carry, Hands, device_of
from companion.ui.layout import Frame, Rect, frame
from companion.ui.link import Option, Start, UiLink
from companion.ui.model import AskAbout, Intent, OpenDiffers, Problem, PutBack, Send, Table, right_fields
from companion.ui.new_game import Plan, plan_for, position_of
from companion.ui.parts import Style, TapButton
from companion.ui.pieces import Box, home_of
from companion.ui.plan_lists import common_listing, plan_listing
from companion.ui.seats import SeatPanel, TeamBox
from companion.ui.sheets import Listing, Sheet
from companion.ui.taps import SAME_DP, TapFilter
from companion.ui.theme import THEMES, Look
from companion.ui.tray import PieceView, Tray

BOARD_SPACES = (*(f"slot/{slot}" for slot in SLOTS), *(f"spirit/{space}" for space in SPACES))
"""The bus spaces on which pieces have a right place."""


FEW_OPTIONS = 6
"""Up to so many ways of a player are listed at once; more are listed by their headings."""


class PlayScreen(Widget):
    """Everything on the screen, for one size, one theme and one set of players."""

    def __init__(
        self,
        link: UiLink,
        table: Table,
        cards: Catalogue,
        size: tuple[float, float],
        *,
        look: Look,
        density: float = 1.0,
        on_look: Callable[[Look], None] = lambda _: None,
    ) -> None:
        """Build it.

        Args:
            link: where commands go and pieces come from.
            table: what is known; the screen shows it at `refresh`.
            cards: the printed values.
            size: in pixels.
            look: colours, and whether the screen lies flat.
            density: pixels of a dp.
            on_look: called when another look is wanted.
        """
        super().__init__(size_hint=(None, None), size=size)
        self.link, self.table, self.catalogue, self.density = link, table, cards, density
        self.look, self.on_look = look, on_look
        self.box = Box.of(link.pieces())
        self.hands = Hands(link, self.box)
        self.virtual = table.virtual = bool(self.box.components)
        self.frame = self._frame()
        self.style = Style(look.theme, self.frame.scale)
        self.taps = TapFilter(SAME_DP * density)
        self.carry: Carry | None = None
        self.asked = ""
        self.reason = next(iter(texts.REASONS.values()))
        self.done: list[Problem] = []
        self._pressed: tuple[int, tuple[float, float]] | None = None
        self._build()
        self.refresh()

    def _frame(self) -> Frame:
        seats = views.seat_views(self.table.state)
        acting = next((i for i, seat in enumerate(seats) if seat.acting), 0)
        teams = tuple(seat.team for seat in seats) or ("bliss", "gloom")
        return frame(
            (self.width, self.height), teams, virtual=self.virtual, density=self.density, acting=acting
        )

    @property
    def players(self) -> tuple[str, ...]:
        """The players that the screen was built for."""
        return tuple(self.table.state.get("players", {}))

    def _build(self) -> None:
        style, theme, place = self.style, self.style.theme, self.frame
        with self.canvas:
            Color(1, 1, 1, 1)
            Rectangle(texture=textures.ground(*theme.ground), size=self.size)
        self.board = Board(style, place.ring, tilted=self.look.flat)
        self.add_widget(self.board)
        self.seats = [SeatPanel(style, self._ask_seat) for _ in self.players]
        self.teams = [TeamBox(style, lambda team: self.show_options(f"team/{team}")) for _ in place.teams]
        self.tray = None
        if place.tray is not None:
            self.tray = Tray(style, place.tray, self.box, self.catalogue, self._show_pieces)
        self.band = Band(style, place.band, self._intend)
        self.sheet = Sheet(style, self.close_sheet)
        self.corners = (
            TapButton(style, self.show_history, icon="history"),
            TapButton(style, self.show_starts, icon="plus"),
            TapButton(style, self.show_differs, icon="differs"),
            TapButton(style, self.show_looks, icon="theme"),
        )
        tray = () if self.tray is None else (self.tray,)
        for part in (*self.seats, *self.teams, *tray, self.band, *self.corners, self.sheet):
            self.add_widget(part)
        for rect, box in zip(place.teams, self.teams, strict=True):
            box.put(rect)
        for i in (0, 1, 3):
            self.corners[i].put(place.corners[i])
        self.held = PieceView(style, self.catalogue)
        self.add_widget(self.held)

    # --- what is known, on the widgets ------------------------------------------------------------------

    def refresh(self) -> None:
        """Show what is known now; widgets that would show the same are left alone."""
        state = self.table.state
        seats = views.seat_views(state)
        place = self._frame()
        self.frame = place
        for panel, view, rect in zip(self.seats, seats, place.seats, strict=False):
            # Who sits at the far side of a flat screen reads the panels there.
            panel.put(rect, turned=self.look.flat and rect.middle[1] > place.ring.y)
            panel.show(view)
        for box, team in zip(self.teams, views.team_views(state), strict=True):
            box.show(team)
        self._show_pieces()
        self.band.show(self.table.say())
        self._show_differs_button()
        if self.sheet.is_open:
            self._refresh_sheet()

    def _show_pieces(self) -> None:
        state = self.table.state
        marks = self.table.marks()
        carried = self.carry.uid if self.carry and self.carry.moving else ""
        lying = standing = None
        if self.virtual:
            fields = self.link.fields()
            lying, standing = self.box.titles(fields), self.box.figures(fields)
        control = derived.control(state, self.catalogue) if state else {}
        view = views.board_view(
            state, self.catalogue, lying=lying, standing=standing, marks=marks, control=control
        )
        home = (self.carry.home or "") if self.carry and carried else ""
        kind, _, name = home.partition("/")
        self.board.carried = frozenset([name if kind == "slot" else self.box.kind(carried)] if home else [])
        self.board.show(view, marks)
        if self.tray is not None:
            self.tray.show(state, self.link.fields(), self.hands.last, carried)

    def _show_differs_button(self) -> None:
        if self.table.problems:
            tone = self.style.theme.question.bright
            self.corners[2].put(self.frame.corners[2], tone=tone)
        else:
            self.corners[2].hide()

    # --- sheets -----------------------------------------------------------------------------------------

    def _open(self, kind: str, listing: Listing) -> None:
        self.asked = kind
        side = self._side()
        self.sheet.open(self.frame.sheets[side], listing, from_right=side == 1)

    def _side(self) -> int:
        """Return the side where a sheet opens: opposite the player to act, whose panel stays in sight."""
        if self.frame.kind == "small":
            return 1
        acting = views.acting_player(self.table.state)
        team = self.table.state.get("players", {}).get(acting, {}).get("team", "bliss")
        return 1 if team == "bliss" else 0

    def close_sheet(self) -> None:
        """Close whatever list is open."""
        self.asked = ""
        self.done.clear()
        self.sheet.close()

    def _refresh_sheet(self) -> None:
        if self.asked == "history":
            self.show_history()
        elif self.asked == "differs":
            self.show_differs()
        elif self.asked.startswith("?"):
            target, _, group = self.asked[1:].partition("#")
            self.show_options(target, group)
        elif self.asked.startswith("="):
            self.show_put_right(self.asked[1:])
        elif self.asked == "step":
            self.show_step()
        elif self.asked.startswith("!"):
            self.show_end_of_turn(self.asked[1:])

    def show_history(self) -> None:
        """Open the history."""
        listing = lists.history_listing(
            self.table.history,
            partial(self.link.send, {"undo": 1}) if self.table.can_undo else None,
            partial(self.link.send, {"redo": 1}) if self.table.can_redo else None,
        )
        self._open("history", listing)

    def show_starts(self) -> None:
        """Open the games that can be begun."""
        self._open("starts", lists.starts_listing(self.link.starts(), self._plan_for, self._wish))

    def _plan_for(self, count: int) -> None:
        self.show_plan(plan_for(count, self.table.state))

    def show_plan(self, plan: Plan) -> None:
        """Open what is chosen before a game."""
        self._open(
            "plan",
            plan_listing(
                plan,
                self.catalogue,
                self.show_plan,
                partial(self.show_common, plan),
                partial(self._begin, plan),
            ),
        )

    def show_common(self, plan: Plan) -> None:
        """Open the row of Common Aspirations of a game that is planned."""
        done = partial(self.show_plan, plan)
        self._open("common", common_listing(plan, self.catalogue, self.show_common, done))

    def _begin(self, plan: Plan) -> None:
        name = texts.GAME_FOR[plan.count]
        self._leave_for(name, lambda: self.link.send({"setup": position_of(plan, self.catalogue)}))

    def show_looks(self) -> None:
        """Open the choice of colours, and of how the screen stands."""
        night = self.look.theme.name == "night"
        other = replace(self.look, theme=THEMES["day" if night else "night"])
        turned = replace(self.look, flat=not self.look.flat)
        self._open(
            "looks",
            lists.looks_listing(self.look, partial(self.on_look, other), partial(self.on_look, turned)),
        )

    def show_differs(self) -> None:
        """Open the list of misplaced pieces; what was put right since is ticked off."""
        problems = self.table.problems
        before = self._listed if self.asked == "differs" else ()
        self.done += [p for p in before if p not in problems and p not in self.done]
        self.done = [p for p in self.done if p not in problems]
        self._listed = problems
        mend = (lambda problem: self._put_right(problem.space)) if self.virtual else None
        self._open(
            "differs",
            lists.differs_listing(
                problems,
                self.done,
                mend,
                self._put_all_right if self.virtual else None,
                players=self.players,
                note=self.table.differs_note,
            ),
        )

    _listed: tuple[Problem, ...] = ()

    def show_options(self, target: str, group: str = "") -> None:
        """Open what could be done with a slot, a space, a Spirit Action, a player or a team.

        Args:
            target: as `UiLink.options` takes it.
            group: of a player's many ways those under one heading, a key of `texts.GROUPS`.
        """
        options = self.link.options(target)
        put_right = partial(self.show_put_right, target) if self._dials(target) else None
        if not target.startswith("player/") or len(options) <= FEW_OPTIONS:
            listing = lists.options_listing(target, options, self._choose, self.show_options, put_right)
        elif group:
            back = partial(self.show_options, target)
            listing = lists.group_listing(group, options, self._choose, back)
        else:
            listing = lists.menu_listing(
                target, options, self._choose, partial(self._show_group, target, options), put_right
            )
        if target.startswith("team/"):
            listing = replace(listing, note=texts.WHEEL_NOTE)
        self._open(f"?{target}#{group}" if group else f"?{target}", listing)

    def _show_group(self, target: str, options: Sequence[Option], group: str) -> None:
        """Open the ways under a heading; where there are none, the row of the Spirit board tells why."""
        if group == "end-turn":
            self.show_end_of_turn(target)
        elif lists.grouped(options)[group]:
            self.show_options(target, group)
        else:
            self.show_options(f"row/{group}")

    def show_step(self) -> None:
        """Open the ways to do what is to be placed, shown or chosen now."""
        options = self.link.options("step")
        if not options:
            self.close_sheet()
            return
        text = str(self.table.ask.get("text", ""))
        self._open("step", lists.step_listing(text, options, self._choose))

    # --- putting right ----------------------------------------------------------------------------------

    def _dials(self, target: str) -> tuple[Dial, ...]:
        return dials(target, self.table.state, self.catalogue)

    def show_put_right(self, target: str) -> None:
        """Open the numbers of a player, a team or a card, to be put right step by step."""
        found = self._dials(target)
        if not found:
            self.close_sheet()
            return
        listing = lists.put_right_listing(
            found,
            self.reason,
            partial(self._give_reason, target),
            partial(self._state, target),
            partial(self.link.send, {"undo": 1}) if self.table.can_undo else None,
            what=self._named(target),
        )
        self._open(f"={target}", listing)

    def _named(self, target: str) -> str:
        kind, _, name = target.partition("/")
        lying = self.table.state.get("slots", {}).get(name, {}).get("emotion") if kind == "slot" else None
        return title(lying) if lying else lists.target_words(target)

    def _give_reason(self, target: str, reason: str) -> None:
        self.reason = reason
        self.show_put_right(target)

    def _state(self, target: str, stated: Mapping[str, Any]) -> None:
        do: dict[str, Any] = {"action": "adjust", "reason": self.reason, "set": stated}
        kind, _, name = target.partition("/")
        if kind == "player":
            do["player"] = name
        # A second tap before the first one is shown would state the same number again.
        self.link.send({"do": do, "base": self.table.state.get("seq")})

    def show_end_of_turn(self, target: str) -> None:
        """Open the ways to end a turn, and nothing that could hide them."""
        listing = lists.end_listing(self.link.options(target), self._choose)
        self._open(f"!{target}", listing)

    def _ask_seat(self, player: str, action: str, space: int) -> None:
        acting = views.acting_player(self.table.state)
        seat = next((seat for seat in views.seat_views(self.table.state) if seat.name == player), None)
        row = next((row for row in seat.rows if row.action == action), None) if seat else None
        if row is not None and space in row.open:
            self.link.send({"do": {"action": "place-wild", "row": action, "space": space}})
            return
        self.show_options(f"row/{action}" if action and player == acting else f"player/{player}")

    def _wish(self, start: Start) -> None:
        self._leave_for(start.title, lambda: self.link.send({"setup": {"start": start.name}}))

    def _leave_for(self, name: str, begin: Callable[[], None]) -> None:
        """Begin another game, but ask first where people would leave one that they play."""

        def go() -> None:
            self.close_sheet()
            begin()

        if self.table.can_undo:
            self._open("leave", lists.leave_listing(name, go, self.close_sheet))
        else:
            go()

    def _choose(self, option: Option) -> None:
        self.close_sheet()
        self.link.send({"do": dict(option.do)})

    def _intend(self, intent: Intent) -> None:
        if isinstance(intent, Send):
            self.link.send(dict(intent.command))
        elif isinstance(intent, PutBack):
            if intent.command is not None:
                self.link.send(dict(intent.command))
            self._put_all_right()
        elif isinstance(intent, AskAbout):
            if intent.target == "step":
                self.show_step()
            elif intent.action == "end-turn":
                self.show_end_of_turn(intent.target)
            else:
                self.show_options(intent.target)
        elif isinstance(intent, OpenDiffers):
            self.show_differs()

    def _put_right(self, space: str) -> None:
        """Put a space of the virtual table right, with pieces that are in no right place."""
        fields, state = self.link.fields(), self.table.state
        at_hand = [*self.box.lifted(state, fields, self.hands.last)]
        for other in BOARD_SPACES:
            right = right_fields(state, self.box, fields, other, ())
            at_hand += [uid for uid in fields.get(other, ()) if uid not in right]
        self.hands.put(space, right_fields(state, self.box, fields, space, at_hand))
        self.refresh()

    def _put_all_right(self) -> None:
        if not self.virtual:
            if self.table.problems:
                self.show_differs()
            return
        wrong = (space for problem in self.table.problems for space in (problem.space, *problem.also))
        others = (space for space in wrong if space not in BOARD_SPACES)
        for space in (*BOARD_SPACES, *others):
            fields = self.link.fields()
            right = right_fields(self.table.state, self.box, fields, space, ())
            wanted = views.expected(self.table.state, space)
            if len(right) != wanted or set(right) != set(fields.get(space, ())):
                self._put_right(space)

    # --- touch ------------------------------------------------------------------------------------------

    def on_touch_down(self, touch: Any) -> bool:
        """Give a touch to the buttons; else take the piece under it, or remember what it asks about."""
        if touch.is_mouse_scrolling or self.taps.is_echo(
            device_of(touch), touch.x, touch.y, Clock.get_boottime()
        ):
            return True
        if super().on_touch_down(touch):
            return True
        if self._pressed is not None:
            # One piece at a time: a second finger would leave the first one's in the air.
            return True
        uid = self._piece_at(*touch.pos)
        if uid:
            self.carry = self.hands.take(uid, touch.pos, self.link.fields())
        if uid or self._place_at(*touch.pos):
            self._pressed = (touch.uid, touch.pos)
            touch.grab(self)
            return True
        return False

    def on_touch_move(self, touch: Any) -> bool:
        """Carry the piece along."""
        if touch.grab_current is not self or self._pressed is None or self._pressed[0] != touch.uid:
            return bool(super().on_touch_move(touch))
        carry = self.carry
        if carry is None:
            return True
        far = abs(touch.x - carry.start[0]) + abs(touch.y - carry.start[1])
        if not carry.moving and far > SLOP_DP * self.density:
            carry.moving = True
            self._show_pieces()
        if carry.moving:
            self._drag_to(carry, *touch.pos)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        """Let the piece go, or answer the tap."""
        if touch.grab_current is not self or self._pressed is None or self._pressed[0] != touch.uid:
            return bool(super().on_touch_up(touch))
        touch.ungrab(self)
        (_, start), self._pressed = self._pressed, None
        carry, self.carry = self.carry, None
        if carry is not None and carry.moving:
            self._let_go(carry)
        elif abs(touch.x - start[0]) + abs(touch.y - start[1]) <= SLOP_DP * self.density:
            place = self._place_at(*touch.pos)
            if place:
                self.show_options(place)
        return True

    def _drag_to(self, carry: Carry, x: float, y: float) -> None:
        wide, high = self.board.ring.card()
        # Above the finger, so that the hand does not hide what it carries.
        lift = self.style.scale.px(16)
        rect = Rect(x - wide / 2, y - high / 2 + lift, wide, high)
        self.held.show(rect, carry.uid, self.box.components[carry.uid], self.table.state)
        carry.target = self._target(carry.uid, x, y)
        self.board.highlight(carry.target)
        if self.tray is not None:
            self.tray.highlight(carry.target)

    def _let_go(self, carry: Carry) -> None:
        self.held.hide()
        self.hands.drop(carry)
        self.board.highlight(None)
        if self.tray is not None:
            self.tray.highlight(None)
        self.refresh()

    def _target(self, uid: str, x: float, y: float) -> str | None:
        if self.tray is not None and (zone := self.tray.zone_at(x, y)):
            return zone
        family = self.box.family(uid)
        target = self.board.ring.target(x, y, figure=family == "spirit", card=family == "emotion")
        return self.hands.allowed(uid, target)

    def _piece_at(self, x: float, y: float) -> str:
        """Return the UID of the piece under a finger, empty for none."""
        if not self.virtual:
            return ""
        if self.tray is not None and (view := self.tray.piece_at(x, y)):
            return view.tag
        fields = self.link.fields()
        spirit = self.board.figure_at(x, y, self.style.scale.touch / 2)
        if spirit:
            return next(
                (u for u in self.box.components if self.box.kind(u) == spirit and home_of(u, fields)), ""
            )
        slot = self.board.ring.target(x, y) or ""
        lying = fields.get(slot, ()) if slot.startswith("slot/") else ()
        own = self.table.state.get("slots", {}).get(slot.partition("/")[2], {}).get("emotion")
        # The one that is shown on top.
        return max(lying, key=lambda uid: (self.box.kind(uid) != own, lying.index(uid)), default="")

    def _place_at(self, x: float, y: float) -> str:
        return self.board.ring.target(x, y) or ""
