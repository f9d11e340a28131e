"""A node's configuration: the one that is shipped, the other four, and every mistake by its name."""

import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from firmware_bridge.contract.spaces import SLOT_SPACES, SPIRIT_SPACES
from firmware_bridge.serial.sayings import Hello
from hardware.firmware import config, manifest
from hardware.firmware.settings import SettingError, Settings

TOO_LONG = "SPACES: too long for a line of 1024 bytes: fewer readers, or another node"
NO_PLACE = "LIGHTS: spirit/valley: write the first light and how many, like (0, 2)"


def changed(**settings: Any) -> SimpleNamespace:
    shipped = {name: value for name, value in vars(config).items() if name.isupper()}
    return SimpleNamespace(**{**shipped, **settings})


def test_the_five_configurations_feel_the_whole_board_and_the_bridge_takes_each(tmp_path: Path) -> None:
    names: set[str] = set()
    spaces: list[str] = []
    for realm in manifest.FRONTIERS:
        file = tmp_path / "config.py"
        file.write_text(manifest.config_for(realm))
        settings = Settings(SimpleNamespace(**runpy.run_path(str(file))))
        hello = Hello.from_payload(settings.hello("7f3a", "0.1.0"))
        names.add(hello.node)
        spaces += hello.spaces
    assert len(names) == 5
    assert sorted(spaces) == sorted([*SLOT_SPACES, *SPIRIT_SPACES])


def test_each_space_has_lights_of_its_own_on_the_strip() -> None:
    settings = Settings(config)
    lit = [light for first, count in settings.lights.values() for light in range(first, first + count)]
    assert set(settings.lights) == set(settings.spaces)
    assert sorted(lit) == list(range(settings.leds))


def test_a_gain_of_its_own_is_for_that_reader_alone() -> None:
    settings = Settings(changed(GAINS={"slot/valley.2": 7}))
    assert [reader.gain for reader in settings.readers] == [4, 7, 4, 4, 4]


def test_a_node_may_have_fewer_readers_and_no_lights() -> None:
    settings = Settings(changed(SPACES={"R4": "pad/1"}, LIGHTS={}, LEDS=0))
    assert [(reader.space, reader.plug.name) for reader in settings.readers] == [("pad/1", "R4")]


@pytest.mark.parametrize(
    ("setting", "value", "said"),
    [
        ("NODE", "Realm Valley", "NODE: Realm Valley: a name has a-z, 0-9 and - only"),
        ("NODE", "", "NODE: a name of 1 to 64 letters"),
        ("BOARD", "pico-c", "BOARD: 'pico-c' is none of pico-a, pico-b"),
        ("SPACES", [], "SPACES: write it in braces, like {...}"),
        ("SPACES", {}, "SPACES: names no plug: a node without readers feels nothing"),
        ("SPACES", {"R6": "pad/1"}, "SPACES: pico-a has no plug 'R6', but R1, R2, R3, R4, R5"),
        ("SPACES", {"R1": 7}, "SPACES: R1: a space is text, like slot/valley.1"),
        ("SPACES", {"R1": "pad/1", "R2": "pad/1"}, "SPACES: pad/1 is named by two plugs"),
        ("SPACES", {"R1": "p" * 950}, TOO_LONG),
        ("GAIN", 8, "GAIN: 8 is no whole number from 0 to 7"),
        ("GAIN", True, "GAIN: True is no whole number from 0 to 7"),
        ("GAINS", {"pad/1": 4}, "GAINS: pad/1 is none of this node's spaces"),
        ("GAINS", {"spirit/valley": "4"}, "GAINS: a gain: '4' is no whole number from 0 to 7"),
        ("FIELD", "never", "FIELD: 'never' is none of always, polls"),
        ("SPI_HZ", 1e6, "SPI_HZ: 1000000.0 is no whole number from 10000 to 10000000"),
        ("LEDS", -1, "LEDS: -1 is no whole number from 0 to 200"),
        ("LEDS", 9, "LIGHTS: spirit/valley-cradle: LEDS says that the strip has 9"),
        ("LIGHTS", {"pad/1": (0, 1)}, "LIGHTS: pad/1 is none of this node's spaces"),
        ("LIGHTS", {"spirit/valley": 3}, NO_PLACE),
        ("BRIGHTNESS", 0, "BRIGHTNESS: 0 is no whole number from 1 to 100"),
    ],
)  # fmt: skip
def test_a_mistake_is_said_in_a_line_that_names_the_setting(setting: str, value: Any, said: str) -> None:
    rest: dict[str, Any] = {"LIGHTS": {}, "GAINS": {}} if setting == "SPACES" else {}
    with pytest.raises(SettingError) as error:
        Settings(changed(**rest, **{setting: value}))
    assert str(error.value) == said


def test_a_setting_that_is_missing_is_named() -> None:
    shipped = vars(changed())
    del shipped["SPI_HZ"]
    with pytest.raises(SettingError, match=r"^SPI_HZ: is missing$"):
        Settings(SimpleNamespace(**shipped))
