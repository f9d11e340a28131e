"""Clock, supply and temperature of the machine (F-67)."""

import re
import time
from collections.abc import Iterator
from typing import Final

from companion.doctor.finding import Finding
from companion.doctor.machine import Case, Machine, children, read_text

OLDEST_S: Final = 1_735_689_600
"""1 January 2025: before this project was; a Pi without clock and network starts in an earlier year."""

HOT_C: Final = 80.0
"""From here on a Raspberry Pi slows down (Raspberry Pi documentation, frequency management)."""

_SYNCHRONISED: Final = ("/run/systemd/timesync/synchronized", "/run/chrony/chronyd.sock", "/run/ntpd.pid")
_SUPPLY: Final = "use the official supply for this board, and a powered hub for nodes and screen"

_LOW_NOW, _SLOW_NOW, _LOW_ONCE, _SLOW_ONCE = 1 << 0, 1 << 2, 1 << 16, 1 << 18
"""Bits of `vcgencmd get_throttled` (Raspberry Pi documentation, vcgencmd)."""


def clock(case: Case) -> Iterator[Finding]:
    """Check that the time is right and stays right."""
    machine = case.machine
    if machine.now_s < OLDEST_S:
        year = time.gmtime(machine.now_s).tm_year
        mend = "connect it to a network once, or: sudo date --set '...'"
        yield Finding("clock", "warn", f"the clock says {year}; games would be dated wrongly", mend)
        return
    has_rtc = any(clock.name.startswith("rtc") for clock in children(machine.at("/sys/class/rtc")))
    has_network = any(machine.at(path).exists() for path in _SYNCHRONISED)
    sources = [name for name, there in (("network", has_network), ("its own clock", has_rtc)) if there]
    if sources:
        yield Finding("clock", "ok", f"set by {' and '.join(sources)}")
    else:
        yield Finding(
            "clock",
            "warn",
            "neither a network clock nor one with a battery: the time jumps after each start",
            "connect it to a network (systemd-timesyncd), or add an RTC; play goes on either way",
        )


def supply(case: Case) -> Iterator[Finding]:
    """Check for under-voltage, since the start and now."""
    machine = case.machine
    flags = _throttled(machine)
    if flags is None:
        if _low_by_sensor(machine):
            yield Finding("supply", "warn", "under-voltage since the start: USB nodes drop out", _SUPPLY)
        return
    if flags & _LOW_NOW:
        yield Finding(
            "supply", "fail", "under-voltage right now: USB nodes drop out, cards get lost", _SUPPLY
        )
    elif flags & _LOW_ONCE:
        yield Finding("supply", "warn", "under-voltage since the start: USB nodes drop out", _SUPPLY)
    elif flags & (_SLOW_NOW | _SLOW_ONCE):
        yield Finding("supply", "warn", "the processor was slowed down by heat", "give it a cooler, or air")
    else:
        yield Finding("supply", "ok", "no under-voltage since the start")


def _throttled(machine: Machine) -> int | None:
    found = re.search(r"throttled=0x([0-9a-fA-F]+)", machine.run(["vcgencmd", "get_throttled"]) or "")
    return int(found[1], 16) if found is not None else None


def _low_by_sensor(machine: Machine) -> bool:
    sensors = children(machine.at("/sys/class/hwmon"))
    return any(
        read_text(sensor / "name").strip() == "rpi_volt"
        and read_text(sensor / "in0_lcrit_alarm").strip() == "1"
        for sensor in sensors
    )


def temperature(case: Case) -> Iterator[Finding]:
    """Check that the processor is not too hot."""
    zones = [read_text(zone / "temp").strip() for zone in children(case.machine.at("/sys/class/thermal"))]
    found = [int(text) / 1000 for text in zones if re.fullmatch(r"\d{4,6}", text)]
    if not found:
        return
    if max(found) >= HOT_C:
        yield Finding(
            "heat", "warn", f"{max(found):.0f} °C: the processor slows down", "give it a cooler, or air"
        )
    else:
        yield Finding("heat", "ok", f"{max(found):.0f} °C")
