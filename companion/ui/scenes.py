"""The scenes that `companion shots` draws: true positions, judged by the real rules."""

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any, Final

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.input.motionevent import MotionEvent

from companion.scenario.notation import position_to
from companion.ui.app import CompanionApp
from companion.ui.new_game import plan_for, position_of, with_common
from companion.ui.stage import Stage
from companion.ui.theme import DAY, Look

EMPOWER: Final = {"action": "empower", "slot": "valley.1"}
SETTLE_S: Final = 0.4
"""Longer than the motions of a single action."""

LEAST_FRAMES: Final = 12

Scene = Callable[[CompanionApp, Stage], None]


class Finger(MotionEvent):
    """A touch that is not made by a finger."""

    def __init__(self, x: float, y: float, device: str = "scene") -> None:
        """Put it down at a pixel."""
        super().__init__(device, 1, (x / Window.width, y / Window.height), is_touch=True, type_id="touch")
        self.profile = ("pos",)
        self.down = False

    def depack(self, args: Any) -> None:
        """Take the place over."""
        self.sx, self.sy = args
        super().depack(args)

    def to(self, x: float, y: float) -> None:
        """Move or put down."""
        self.move((x / Window.width, y / Window.height))
        self.scale_for_screen(Window.width, Window.height)
        EventLoop.post_dispatch_input("update" if self.down else "begin", self)
        self.down = True

    def up(self) -> None:
        """Lift."""
        EventLoop.post_dispatch_input("end", self)


def _fresh(app: CompanionApp, stage: Stage) -> None:
    del app, stage


def _accepted(app: CompanionApp, stage: Stage) -> None:
    del app
    stage.play(EMPOWER)


def _refused(app: CompanionApp, stage: Stage) -> None:
    del app
    problem = {"space": "slot/valley.1", "found": ["benevolence"], "expected": ["kindness"]}
    stage.play(
        EMPOWER, [{**problem, "mend": "Put Kindness back on the left Valley slot in place of Benevolence."}]
    )


def _laid_and_refused(app: CompanionApp, stage: Stage) -> None:
    stage.lay("slot/valley.1", (stage.uid("emotion/bliss/benevolence/1"),))
    _refused(app, stage)


def _question(app: CompanionApp, stage: Stage) -> None:
    del app
    stage.ask("Which way is Kindness empowered?", stage.meanings("valley.1")[:3])


def _options(app: CompanionApp, stage: Stage) -> None:
    del stage
    if app.screen is not None:
        app.screen.show_options("slot/valley.1")


def _row_options(app: CompanionApp, stage: Stage) -> None:
    del stage
    if app.screen is not None:
        app.screen.show_options("row/move")


def _history(app: CompanionApp, stage: Stage) -> None:
    stage.play({"action": "move", "to": "valley-cradle"})
    stage.play({"action": "move", "to": "valley"})
    stage.play({"action": "empower", "slot": "valley.2"})
    stage.play(EMPOWER)
    app.drain()
    if app.screen is not None:
        app.screen.show_history()


def _starts(app: CompanionApp, stage: Stage) -> None:
    del stage
    if app.screen is not None:
        app.screen.show_starts()


def _differs(app: CompanionApp, stage: Stage) -> None:
    stage.tell(
        {"space": f"slot/{slot}", "found": [], "expected": [emotion.name], "mend": mend}
        for slot, emotion, mend in (
            ("valley.1", stage.position.slots["valley.1"], "Put Kindness back into the left Valley slot."),
            ("valley.2", stage.position.slots["valley.2"], "Put Courage back into the right Valley slot."),
            ("land.1", stage.position.slots["land.1"], "Put Excitement back into the left Land slot."),
        )
    )
    app.drain()
    if app.screen is not None:
        app.screen.show_differs()
    stage.tell(
        [{"space": "slot/valley.2", "mend": "Put Courage back into the right Valley slot.", "found": []}]
    )


def _table(app: CompanionApp, stage: Stage) -> None:
    del app, stage


def _drag(app: CompanionApp, stage: Stage) -> None:
    screen = app.screen
    if screen is None or screen.tray is None:
        return
    kindness = screen.board.card_rect("valley.1").middle
    hand = screen.tray.zones["hand"].middle
    _carry(kindness, hand)
    strong = next(view for view in screen.tray.views if view.tag == stage.uid("emotion/bliss/benevolence/1"))
    finger = Finger(*strong.rect.middle)
    finger.to(*strong.rect.middle)
    x, y = kindness
    finger.to(x - 60, y - 90)
    finger.to(x - 8, y - 24)


def _carry(start: tuple[float, float], end: tuple[float, float]) -> None:
    finger = Finger(*start)
    finger.to(*start)
    finger.to((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    finger.to(*end)
    finger.up()


def _day(app: CompanionApp, stage: Stage) -> None:
    stage.play(EMPOWER)
    app.look = Look(DAY)


def _flat(app: CompanionApp, stage: Stage) -> None:
    stage.play(EMPOWER)
    app.look = Look(flat=True)


def _planned(app: CompanionApp, stage: Stage) -> None:
    del stage
    if app.screen is not None:
        app.screen.show_plan(plan_for(4, {}))


def _common(app: CompanionApp, stage: Stage) -> None:
    if app.screen is not None:
        plan = plan_for(4, {})
        for name in ("unity", "attitude", "openness"):
            plan = with_common(plan, name, stage.cards)
        app.screen.show_common(plan)


FIGURES: Final = (
    ("valley-cradle", "valley.2"),
    ("cradle-network", "cradle.2"),
    ("network-land", "land.1"),
    ("land-willow", "willow.1"),
)


def _set_up(app: CompanionApp, stage: Stage) -> None:
    stage.begin(position_of(plan_for(4, {}), stage.cards))
    app.drain()


def _tokens(app: CompanionApp, stage: Stage) -> None:
    _set_up(app, stage)
    for at, slot in FIGURES:
        stage.play({"action": "place-spirit", "at": at, "slot": slot})
    stage.play({"action": "place-wild", "row": "move", "space": 1})
    stage.play({"action": "place-wild", "row": "invoke", "space": 1})
    stage.lay_out()


def _power(app: CompanionApp, stage: Stage) -> None:
    del app
    data = position_to(stage.position)
    data["turn"]["pending"] = [{"action": "power", "team": "gloom", "power": "shame"}]
    data["slots"]["network.1"] = {"emotion": "shame", "essence": 1}
    stage.begin(data)


def _put_right(app: CompanionApp, stage: Stage) -> None:
    stage.play(
        {
            "action": "adjust",
            "player": "otto",
            "reason": "a mistake",
            "set": {"players": {"otto": {"willpower": 6}}},
        }
    )
    app.drain()
    if app.screen is not None:
        app.screen.show_put_right("player/otto")


def _put_card_right(app: CompanionApp, stage: Stage) -> None:
    del stage
    if app.screen is not None:
        app.screen.show_put_right("slot/valley.1")


def _ask_player(app: CompanionApp, stage: Stage) -> None:
    del stage
    if app.screen is not None:
        app.screen.show_options("player/diana")


def _ask_invoke(app: CompanionApp, stage: Stage) -> None:
    del stage
    if app.screen is not None:
        app.screen.show_options("player/diana", "invoke")


def _ask_team(app: CompanionApp, stage: Stage) -> None:
    del stage
    if app.screen is not None:
        app.screen.show_options("team/bliss")


def _looks(app: CompanionApp, stage: Stage) -> None:
    del stage
    if app.screen is not None:
        app.screen.show_looks()


SCENES: Final[dict[str, tuple[str, bool, Scene]]] = {
    "start": ("empower-example", False, _fresh),
    "accepted": ("empower-example", False, _accepted),
    "refused": ("empower-refused", False, _refused),
    "question": ("empower-example", False, _question),
    "ask-here": ("empower-example", False, _options),
    "ask-row": ("empower-example", False, _row_options),
    "history": ("empower-example", False, _history),
    "new-game": ("empower-example", False, _starts),
    "new-game-plan": ("empower-example", False, _planned),
    "new-game-common": ("empower-example", False, _common),
    "set-up": ("empower-example", True, _set_up),
    "set-up-tokens": ("empower-example", True, _tokens),
    "power": ("empower-example", False, _power),
    "put-right": ("empower-example", False, _put_right),
    "put-card-right": ("empower-example", False, _put_card_right),
    "ask-player": ("opening", False, _ask_player),
    "ask-invoke": ("opening", False, _ask_invoke),
    "ask-team": ("opening", False, _ask_team),
    "differs": ("empower-example", False, _differs),
    "virtual": ("empower-example", True, _table),
    "virtual-drag": ("empower-example", True, _drag),
    "virtual-refused": ("empower-refused", True, _laid_and_refused),
    "opening": ("opening", True, _fresh),
    "day": ("empower-example", False, _day),
    "flat": ("empower-example", False, _flat),
    "looks": ("empower-example", False, _looks),
}
"""By name: the starting position, whether the table is virtual, what happens before the picture."""


def shoot(name: str, out: Path, size: tuple[int, int]) -> Path:
    """Draw one scene into `<name>-<width>x<height>.png` and return the file."""
    start, virtual, act = SCENES[name]
    if tuple(Window.size) != size:
        Window.size = size
    stage = Stage(start, virtual=virtual)
    app = open_app(stage, size)
    act(app, stage)
    settle(app)
    path = out / f"{name}-{size[0]}x{size[1]}.png"
    path.unlink(missing_ok=True)
    # Kivy numbers its screenshots.
    numbered = Path(Window.screenshot(name=str(out / f"{name}.png")))
    numbered.replace(path)
    close_app(app)
    return path


def open_app(stage: Stage, size: tuple[int, int]) -> CompanionApp:
    """Show the app over a stage."""
    app = CompanionApp(stage, size=size)
    app.open_embedded()
    return app


def close_app(app: CompanionApp) -> None:
    """Take the app off the window and stop its clock."""
    for child in list(Window.children):
        Window.remove_widget(child)
    app.close()


def settle(app: CompanionApp) -> None:
    """Let the app take its messages and finish what moves."""
    app.drain()
    app.refresh()
    end, drawn = monotonic() + SETTLE_S, 0
    # On a slow machine the first frames take longest; a motion begins only after them.
    while monotonic() < end or drawn < LEAST_FRAMES:
        app.frames()
        drawn += 1
    Clock.tick_draw()
