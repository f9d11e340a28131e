"""Checks of the machine itself, on made-up ones."""

import sys
from pathlib import Path

import pytest

from companion.doctor import board, screen, software
from tests.doctor.made_up import INSTALLED, NOW_S, SPI, case, found, levels, machine, put

PI5 = "Raspberry Pi 5 Model B Rev 1.0\0"


def test_a_sound_python_is_one_line(tmp_path: Path) -> None:
    [finding] = found(software.python, case(machine(tmp_path)))
    assert (finding.level, "3.11.2" in finding.text) == ("ok", True)


def test_an_old_python_and_missing_packages_are_named(tmp_path: Path) -> None:
    made = machine(tmp_path, python=(3, 9, 2), distributions={"kivy": "2.3.1"})
    old, missing = found(software.python, case(made))
    assert (old.level, missing.level) == ("fail", "fail")
    assert "3.9.2" in old.text
    assert "paho-mqtt, pyserial" in missing.text


@pytest.mark.parametrize(
    ("model", "extra", "mend"),
    [
        (
            "",
            {"mfrc522-python": "0.0.9", "rpi-gpio": "0.7", "spidev": "3"},
            "pip uninstall --yes mfrc522-python",
        ),
        (PI5, {"rpi-gpio": "0.7", "spidev": "3"}, "rpi-lgpio"),
        (PI5, {"rpi-gpio": "0.7", "rpi-lgpio": "0.6", "spidev": "3"}, "pip uninstall --yes RPi.GPIO"),
        ("Raspberry Pi 4 Model B", {"spidev": "3"}, "cerebria-companion[pi]"),
        ("Raspberry Pi 4 Model B", {"rpi-gpio": "0.7"}, "cerebria-companion[pi]"),
    ],
    ids=["F-47", "F-26", "both", "no pins", "no spidev"],
)
def test_packages_that_get_in_each_others_way_are_named_with_the_mend(
    tmp_path: Path, model: str, extra: dict[str, str], mend: str
) -> None:
    put(tmp_path, {"/proc/device-tree/model": model})
    made = machine(tmp_path, distributions=INSTALLED | extra)
    [bad] = [f for f in found(software.reader_packages, case(made, SPI.format(0, 0))) if f.level == "fail"]
    assert mend in bad.mend


def test_a_pi_5_with_rpi_lgpio_is_well(tmp_path: Path) -> None:
    put(tmp_path, {"/proc/device-tree/model": PI5})
    made = machine(tmp_path, distributions=INSTALLED | {"rpi-lgpio": "0.6", "spidev": "3.6"})
    assert levels(found(software.reader_packages, case(made, SPI.format(0, 0)))) == ["ok"]


def test_printed_values_that_nobody_knows_are_counted_and_hinder_nothing(tmp_path: Path) -> None:
    [finding] = found(software.cards, case(machine(tmp_path)))
    assert finding.level in {"ok", "warn"}
    assert finding.level == "ok" or any(character.isdigit() for character in finding.text)


# Display


def kivy(folder: Path, *, sdl: bool = True) -> Path:
    (folder / "core" / "window").mkdir(parents=True)
    if sdl:
        (folder / "core" / "window" / "_window_sdl2.cpython-311-aarch64-linux-gnu.so").touch()
    return folder


CONSOLE = {"/dev/dri/card0": "", "/dev/dri/renderD128": "", "/dev/input/event0": ""}


def test_a_desktop_is_well(tmp_path: Path) -> None:
    made = machine(tmp_path, environment={"DISPLAY": ":0"}, kivy=kivy(tmp_path / "kivy"))
    assert levels(found(screen.display, case(made))) == ["ok"]


def test_a_console_whose_devices_may_be_used_is_well(tmp_path: Path) -> None:
    put(tmp_path, CONSOLE)
    assert levels(found(screen.display, case(machine(tmp_path)))) == ["ok"]


@pytest.mark.parametrize(
    ("files", "environment", "forbidden", "mend"),
    [
        ({}, {}, (), "vc4-kms-v3d"),
        (CONSOLE, {}, ("/dev/dri/card0", "/dev/input/event0"), "usermod -aG video,input"),
        (CONSOLE, {}, ("/dev/dri/renderD128",), "usermod -aG render"),
        (CONSOLE, {"SDL_VIDEODRIVER": "dummy"}, (), "unset SDL_VIDEODRIVER"),
        (CONSOLE, {"KIVY_WINDOW": "egl_rpi"}, (), "unset KIVY_WINDOW"),
        ({}, {"WAYLAND_DISPLAY": "wayland-0"}, (), "log in anew"),
    ],
)
def test_each_cause_of_no_window_has_its_own_mend(
    tmp_path: Path, files: dict[str, str], environment: dict[str, str], forbidden: tuple[str, ...], mend: str
) -> None:
    """F-103."""
    put(tmp_path, files)
    made = machine(tmp_path, environment=environment, forbidden=forbidden)
    [bad] = [f for f in found(screen.display, case(made)) if f.level == "fail"]
    assert mend in bad.mend


def test_a_kivy_without_sdl_is_named(tmp_path: Path) -> None:
    made = machine(tmp_path, environment={"DISPLAY": ":0"}, kivy=kivy(tmp_path / "kivy", sdl=False))
    assert any("without SDL" in finding.text for finding in found(screen.display, case(made)))


# Touch

ONE_SCREEN = """\
I: Bus=0018 Vendor=0416 Product=038f Version=0000
N: Name="Goodix Capacitive TouchScreen"
P: Phys=input/ts
H: Handlers=mouse0 event4
B: PROP=2

I: Bus=0003 Vendor=046d Product=c077 Version=0111
N: Name="Logitech USB Optical Mouse"
P: Phys=usb-0000:01:00.0-1.3/input0
B: PROP=0
"""
TWICE = """\
N: Name="ILITEK ILITEK-TP"
P: Phys=usb-0000:01:00.0-1.1/input0
B: PROP=2

N: Name="ILITEK ILITEK-TP Mouse"
P: Phys=usb-0000:01:00.0-1.1/input1
B: PROP=2
"""


def touched(root: Path, listing: str, providers: str = "mouse,disable_multitouch\n") -> list[str]:
    put(root, {"/proc/bus/input/devices": listing})
    made = machine(root, commands={Path(sys.executable).name: providers})
    return levels(found(screen.touch, case(made)))


def test_one_touch_screen_with_one_provider_is_well(tmp_path: Path) -> None:
    assert touched(tmp_path, ONE_SCREEN) == ["ok"]


def test_a_screen_that_is_there_twice_is_named(tmp_path: Path) -> None:
    """F-98, F-150."""
    assert touched(tmp_path, TWICE) == ["warn"]


def test_a_second_provider_is_named(tmp_path: Path) -> None:
    """F-98, F-150."""
    assert touched(tmp_path, ONE_SCREEN, "mouse\nprobesysfs,provider=hidinput\n") == ["warn"]


def test_a_kivy_that_does_not_answer_is_named(tmp_path: Path) -> None:
    assert levels(found(screen.touch, case(machine(tmp_path)))) == ["warn"]


def test_a_listing_that_is_none_is_no_touch_screen(tmp_path: Path) -> None:
    assert touched(tmp_path, "B: PROP=zz\n\nN\n=\n\n\x00:=\n") == ["ok"]


# Clock, supply, heat


@pytest.mark.parametrize(
    ("now_s", "files", "level"),
    [
        (0.0, {}, "warn"),
        (NOW_S, {}, "warn"),
        (NOW_S, {"/sys/class/rtc/rtc0/name": "rpi-rtc"}, "ok"),
        (NOW_S, {"/run/systemd/timesync/synchronized": ""}, "ok"),
    ],
)
def test_a_clock_that_jumps_is_named(tmp_path: Path, now_s: float, files: dict[str, str], level: str) -> None:
    put(tmp_path, files)
    assert levels(found(board.clock, case(machine(tmp_path, now_s=now_s)))) == [level]


@pytest.mark.parametrize(
    ("printed", "level"),
    [
        ("throttled=0x0", "ok"),
        ("throttled=0x50005", "fail"),
        ("throttled=0x50000", "warn"),
        ("throttled=0x40000", "warn"),
    ],
)
def test_under_voltage_is_named(tmp_path: Path, printed: str, level: str) -> None:
    """F-67."""
    made = machine(tmp_path, commands={"vcgencmd": printed})
    assert levels(found(board.supply, case(made))) == [level]


def test_under_voltage_is_seen_without_vcgencmd_and_no_sensor_is_no_news(tmp_path: Path) -> None:
    assert found(board.supply, case(machine(tmp_path))) == []
    put(
        tmp_path,
        {"/sys/class/hwmon/hwmon1/name": "rpi_volt\n", "/sys/class/hwmon/hwmon1/in0_lcrit_alarm": "1\n"},
    )
    assert levels(found(board.supply, case(machine(tmp_path)))) == ["warn"]


@pytest.mark.parametrize(
    ("text", "expected"), [("48312\n", ["ok"]), ("84000", ["warn"]), ("hot", []), ("", [])]
)
def test_heat_is_named(tmp_path: Path, text: str, expected: list[str]) -> None:
    put(tmp_path, {"/sys/class/thermal/thermal_zone0/temp": text})
    assert levels(found(board.temperature, case(machine(tmp_path)))) == expected
