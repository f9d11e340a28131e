"""What can be tried of the Pico's own part without one; test_on_micropython runs the rest."""

import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from hardware.firmware.lights import Lights
from hardware.firmware.node import FIRMWARE
from hardware.firmware.pico import PicoClock, PicoWires, stop_watchdog

TICKS_PERIOD = 1 << 30


class Counter:
    """MicroPython's microseconds: they wrap."""

    def __init__(self) -> None:
        self.us = TICKS_PERIOD - 500

    def ticks_us(self) -> int:
        return self.us % TICKS_PERIOD

    def ticks_diff(self, end: int, start: int) -> int:
        return (end - start + TICKS_PERIOD // 2) % TICKS_PERIOD - TICKS_PERIOD // 2

    def sleep_us(self, duration_us: int) -> None:
        self.us += duration_us


def test_time_goes_on_where_the_counter_wraps(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = Counter()
    monkeypatch.setattr("hardware.firmware.pico.time", counter)
    clock = PicoClock()
    times = []
    for _ in range(10):
        clock.sleep_us(400_000_000)
        times.append(clock.now_us())
    assert times == [400_000_000 * n for n in range(1, 11)]


class Pin:
    def __init__(self) -> None:
        self.levels: list[int] = []

    def value(self, level: int) -> None:
        self.levels.append(level)


class BrokenSpi:
    def write_readinto(self, sent: bytes, got: bytearray) -> None:  # noqa: ARG002
        raise OSError(5, "EIO")


def test_a_transfer_that_fails_lets_go_of_the_chip() -> None:
    cs, reset = Pin(), Pin()
    wires = PicoWires(cs, reset, BrokenSpi())
    with pytest.raises(OSError, match="EIO"):
        wires.xfer(b"\xee\x00")
    assert cs.levels == [0, 1]
    wires.open()
    wires.close()
    assert reset.levels == [1, 0]


@pytest.mark.parametrize(
    ("machine", "written"),
    [
        ("Raspberry Pi Pico with RP2040", {0x4005B000: 1 << 30}),
        ("Raspberry Pi Pico2 with RP2350", {}),
        ("JS with Emscripten", {}),
    ],
)
def test_the_watchdog_is_stopped_where_its_register_is_known(machine: str, written: dict[int, int]) -> None:
    memory: dict[int, int] = {}
    stop_watchdog(memory, SimpleNamespace(_machine=machine))
    assert memory == written


def test_the_firmware_says_the_version_of_the_release() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())
    assert project["project"]["version"] == FIRMWARE


def test_without_a_strip_lights_are_nothing() -> None:
    Lights(None, {"pad/1": (0, 1)}, 25).show({"pad/1": "red"})
