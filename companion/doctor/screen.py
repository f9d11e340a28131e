"""Display and touch: what Kivy's window needs (F-98, F-103)."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.doctor.finding import Finding
from companion.doctor.machine import Case, Machine, children

HEADLESS: Final = "or play without a window: companion --headless"

INPUT_PROGRAM: Final = (
    "from companion.ui import window; window.prepare(); from kivy.config import Config;"
    " print(*(value for _, value in Config.items('input')), sep='\\n')"
)
"""Prints Kivy's input providers as the app sets them, one a line."""

_DIRECT: Final = 0x2
"""INPUT_PROP_DIRECT: a touch screen, not a touch pad (Linux, input-event-codes.h)."""


def display(case: Case) -> Iterator[Finding]:
    """Check that a window could be opened."""
    machine = case.machine
    yield from _kivy(machine)
    driver = machine.environment.get("SDL_VIDEODRIVER", "")
    if driver in {"dummy", "offscreen"}:
        yield Finding("display", "fail", f"SDL_VIDEODRIVER={driver} shows nothing", "unset SDL_VIDEODRIVER")
        return
    if desktop := machine.environment.get("WAYLAND_DISPLAY") or machine.environment.get("DISPLAY"):
        yield Finding("display", "ok", f"a desktop at {desktop}")
        if machine.environment.get("WAYLAND_DISPLAY") and not machine.environment.get("XDG_RUNTIME_DIR"):
            yield Finding(
                "display", "fail", "XDG_RUNTIME_DIR is not set", "log in anew, or start it from the desktop"
            )
        return
    yield from _console(machine)


def _kivy(machine: Machine) -> Iterator[Finding]:
    chosen = machine.environment.get("KIVY_WINDOW", "sdl2")
    if chosen not in {"sdl2", ""}:
        yield Finding(
            "display", "fail", f"KIVY_WINDOW={chosen} does not work on a current system", "unset KIVY_WINDOW"
        )
    if machine.kivy is None:
        return  # said with the packages
    if not any(machine.kivy.glob("core/window/_window_sdl*.so")):
        yield Finding(
            "display",
            "fail",
            "Kivy was built without SDL, its only window provider here",
            "pip install --force-reinstall --only-binary :all: 'kivy>=2.3.1,<2.4'",
        )


def _console(machine: Machine) -> Iterator[Finding]:
    cards = [card for card in children(machine.at("/dev/dri")) if card.name.startswith("card")]
    if not cards:
        yield Finding(
            "display",
            "fail",
            "no desktop (DISPLAY, WAYLAND_DISPLAY) and no graphics card (/dev/dri/card0)",
            f"start it on the desktop; on a Pi: dtoverlay=vc4-kms-v3d in config.txt; {HEADLESS}",
        )
        return
    wanted = [(cards, "video"), (_named(machine, "/dev/dri", "renderD"), "render")]
    wanted.append((_named(machine, "/dev/input", "event"), "input"))
    groups = [name for paths, name in wanted if paths and not any(map(machine.may_use, paths))]
    if groups:
        yield Finding(
            "display",
            "fail",
            f"on this console the devices of the groups {', '.join(groups)} may not be used",
            f"sudo usermod -aG {','.join(groups)} $USER, then log in anew; {HEADLESS}",
        )
    else:
        yield Finding("display", "ok", f"a console with the graphics card {cards[0].name}")


def _named(machine: Machine, folder: str, start: str) -> list[Path]:
    return [path for path in children(machine.at(folder)) if path.name.startswith(start)]


def touch(case: Case) -> Iterator[Finding]:
    """Check that each finger is reported once."""
    machine = case.machine
    printed = machine.run([sys.executable, "-c", INPUT_PROGRAM])
    if printed is None:
        mend = "see what it says: companion shots --out shots"
        yield Finding("touch", "warn", "Kivy can't be asked for its input providers", mend)
    providers = printed.split() if printed else []
    if len(providers) > 1:
        yield Finding(
            "touch",
            "warn",
            f"{len(providers)} input providers beside the window: {', '.join(providers)}",
            "unset the environment variables KIVY_* and KCFG_*: each tap would count twice",
        )
    screens = _touch_screens(machine.text("/proc/bus/input/devices"))
    double = sorted({name for name, place in screens.items() if place in _twice(list(screens.values()))})
    if double:
        yield Finding(
            "touch",
            "warn",
            f"one touch screen is there as several devices: {', '.join(double)}",
            "if taps count twice: keep one of them, by a udev rule with LIBINPUT_IGNORE_DEVICE=1",
        )
    elif len(providers) == 1:
        names = ", ".join(screens) or "no touch screen: the mouse does it"
        yield Finding("touch", "ok", f"one input provider; {names}")


def _touch_screens(listing: str) -> dict[str, str]:
    """Return where touch screens are plugged in, by name (Linux, /proc/bus/input/devices)."""
    found: dict[str, str] = {}
    for block in listing.split("\n\n"):
        lines: dict[str, str] = {}
        for line in block.splitlines():
            key, _, value = line[3:].partition("=")
            lines[key] = value
        try:
            is_direct = int(lines.get("PROP", "0"), 16) & _DIRECT
        except ValueError:
            continue
        if is_direct:
            name = lines.get("Name", "").strip('"')
            place = lines.get("Phys", "").rpartition("/")[0] or lines.get("Phys", "")
            while name in found:
                name += "'"
            found[name] = place
    return found


def _twice(places: list[str]) -> set[str]:
    return {place for place in places if place and places.count(place) > 1}
