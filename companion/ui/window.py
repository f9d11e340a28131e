"""Getting a window: Kivy's settings in code, before its window is imported; with a display or without one."""

import logging
import os
import sys
import tempfile
from pathlib import Path
from typing import Final

from companion.ui.errors import NoDisplayError

PACKAGES: Final = "libegl1 libgles2 libgl1-mesa-dri"
"""Debian packages of Mesa's EGL, which draws without a display."""


def display_available() -> bool:
    """Tell whether a window could be opened here; opens none and imports no Kivy.

    A console without X or Wayland counts if its graphics card may be used (SDL's KMS driver, as on a Pi).
    """
    if os.environ.get("SDL_VIDEODRIVER") in {"offscreen", "dummy"}:
        return False
    if not sys.platform.startswith("linux"):
        return True
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return True
    cards = Path("/dev/dri").glob("card*") if Path("/dev/dri").is_dir() else ()
    return any(os.access(card, os.R_OK | os.W_OK) for card in cards)


def prepare(
    size: tuple[int, int] | None = None, *, offscreen: bool = False, fullscreen: bool = False
) -> None:
    """Set Kivy up; takes effect only before the first import of Kivy in this process.

    Args:
        size: of the window in pixels; None leaves 1280x800.
        offscreen: draw without a display.
        fullscreen: take the whole screen.
    """
    environment = {
        "KIVY_NO_ARGS": "1",
        "KIVY_LOG_MODE": "PYTHON",
        "KIVY_NO_CONSOLELOG": "1",
        "KIVY_NO_FILELOG": "1",
        "KIVY_NO_CONFIG": "1",
        "KIVY_HOME": str(_home()),
    }
    for key, value in environment.items():
        os.environ.setdefault(key, value)
    # A level would not do: Kivy sets its own when it is imported, and tells its drivers as if they were news.
    logging.getLogger("kivy").addFilter(_worth_saying)
    if offscreen:
        os.environ["SDL_VIDEODRIVER"] = "offscreen"
        # Mesa's rasteriser keeps whole frames in flight for its threads: 2.3 GB here against 0.2 GB without.
        os.environ.setdefault("LP_NUM_THREADS", "0")
    from kivy.config import Config

    wide, high = size or (1280, 800)
    settings: dict[str, str | int] = {
        "width": wide,
        "height": high,
        # Every edge is smoothed where it is drawn; multisampling would cost a Pi fill rate for nothing.
        "multisamples": 0,
        "fullscreen": "auto" if fullscreen else 0,
        "resizable": 1,
        "maxfps": 60,
        "minimum_width": 640,
        "minimum_height": 400,
    }
    for option, setting in settings.items():
        Config.set("graphics", option, setting)
    Config.set("kivy", "exit_on_escape", 0)
    # Exactly one provider beside the window's own touches: a second one reports each finger twice (F-98).
    for key in dict(Config.items("input")):
        Config.remove_option("input", key)
    Config.set("input", "mouse", "mouse,disable_multitouch")


def _worth_saying(record: logging.LogRecord) -> bool:
    return record.levelno >= logging.WARNING


def _home() -> Path:
    """Return a folder of our own: Kivy writes its icons there at every start."""
    user = os.getuid() if hasattr(os, "getuid") else 0
    return Path(tempfile.gettempdir()) / f"cerebria-companion-kivy-{user}"


def open_window() -> object:
    """Open the window and return it.

    Raises:
        NoDisplayError: there is none to be had.
    """
    try:
        from kivy.core.window import Window
    except SystemExit as error:
        raise NoDisplayError(_no_window()) from error
    if Window is None or Window.size[0] <= 0:
        raise NoDisplayError(_no_window())
    return Window


def _no_window() -> str:
    if os.environ.get("SDL_VIDEODRIVER") == "offscreen":
        return f"no picture can be drawn: Mesa's EGL is missing: apt install {PACKAGES}"
    return "no window can be opened here: start it on a desktop or a console, or use --headless"
