"""Finding the mfrc522 package: the right one, the wrong one, none."""

import sys
import types
from typing import Any

import pytest

from hardware.errors import DriverMissingError
from hardware.rfid.package import load_mfrc522, verified
from tests.hardware.rig import rig


def test_the_right_distribution_passes() -> None:
    package = rig().package

    assert verified(package) is package


def test_f_47_the_namesake_is_told_apart_by_name() -> None:
    namesake: Any = types.ModuleType("mfrc522")
    namesake.MFRC522 = type("MFRC522", (), {"ReadReg": None, "WriteReg": None, "Init": None})

    with pytest.raises(DriverMissingError, match="mfrc522-python"):
        verified(namesake)


def test_f_47_a_package_without_the_class_is_refused() -> None:
    with pytest.raises(DriverMissingError, match="pip uninstall"):
        verified(types.ModuleType("mfrc522"))


def test_a_machine_without_spidev_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mfrc522", "mfrc522.MFRC522", "spidev", "RPi"):
        monkeypatch.setitem(sys.modules, name, None)

    with pytest.raises(DriverMissingError, match=r"cerebria-companion\[pi\]"):
        load_mfrc522()


def test_f_26_a_board_that_rpi_gpio_does_not_know_is_one_line_with_its_mend(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    (tmp_path / "mfrc522.py").write_text(
        "raise RuntimeError('Cannot determine SOC peripheral base address')\n"
    )
    monkeypatch.delitem(sys.modules, "mfrc522", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))

    with pytest.raises(DriverMissingError, match=r"SOC peripheral base address.*rpi-lgpio"):
        load_mfrc522()
