"""spidev and RPi.GPIO over simulated wires: the interface, and the refusals of the real ones."""

import importlib
import sys
from typing import Any

import pytest

from hardware.errors import DriverMissingError, SimulationError
from hardware.rfid import registers as r
from hardware.simulated.board import SimulatedBoard
from hardware.simulated.chip import Chip
from hardware.simulated.field import Field
from hardware.simulated.spidev import CALL_S


def _board() -> SimulatedBoard:
    board = SimulatedBoard()
    board.attach(Chip(Field()), 0, 0)
    return board


def _spi(board: SimulatedBoard) -> Any:
    return board.modules()["spidev"].SpiDev()


VERSION = [r.read_address(r.VERSION), 0]


def test_a_transfer_takes_its_bits_and_a_fixed_cost_and_is_counted() -> None:
    board = _board()
    spi = _spi(board)
    spi.open(0, 0)
    spi.max_speed_hz = 1_000_000

    assert list(spi.xfer2(list(VERSION))) == [0, 0x92]
    assert board.clock.now_s() == pytest.approx(CALL_S + 16e-6)
    assert (spi.transfers, spi.bytes_sent) == (1, 2)


def test_like_the_real_one_it_overwrites_a_list_and_not_a_tuple() -> None:
    spi = _spi(_board())
    spi.open(0, 0)
    asked, kept = list(VERSION), tuple(VERSION)

    assert spi.xfer2(asked) is asked
    assert asked == [0, 0x92]
    assert spi.xfer2(kept) == (0, 0x92)
    assert spi.xfer3(list(VERSION)) == (0, 0x92)
    assert spi.xfer2(bytes(VERSION)) == [0, 0x92]
    assert kept == tuple(VERSION)


def test_a_device_that_is_not_there_can_not_be_opened() -> None:
    with pytest.raises(FileNotFoundError, match=r"/dev/spidev0\.1"):
        _spi(_board()).open(0, 1)


def test_a_closed_device_refuses_and_closing_twice_is_harmless() -> None:
    board = _board()
    spi = _spi(board)
    with pytest.raises(OSError, match="Bad file descriptor"):
        spi.xfer2(list(VERSION))
    spi.open_path("/dev/spidev0.0")
    assert board.open_devices == 1
    assert spi.fileno() > 0
    spi.close()
    spi.close()
    assert board.open_devices == 0
    with pytest.raises(OSError, match="Bad file descriptor"):
        spi.xfer2(list(VERSION))


@pytest.mark.parametrize(
    ("name", "value"),
    [("mode", 3), ("lsbfirst", True), ("cshigh", True), ("bits_per_word", 16), ("max_speed_hz", 20_000_000)],
)
def test_settings_that_the_chip_can_not_follow_fail_loudly(name: str, value: int) -> None:
    spi = _spi(_board())
    spi.open(0, 0)
    setattr(spi, name, value)
    with pytest.raises(SimulationError):
        spi.xfer2(list(VERSION))


def test_what_is_no_byte_fails_loudly() -> None:
    spi = _spi(_board())
    spi.open(0, 0)
    with pytest.raises(SimulationError, match="bytes"):
        spi.xfer2([0x02, 0x100])
    with pytest.raises(TypeError, match="Empty"):
        spi.xfer2([])


def test_pins_refuse_what_rpi_gpio_refuses() -> None:
    gpio = _board().gpio
    with pytest.raises(RuntimeError, match="numbering"):
        gpio.setup(22, 0)
    gpio.setmode(10)
    with pytest.raises(ValueError, match="already"):
        gpio.setmode(11)
    with pytest.raises(ValueError, match="channel"):
        gpio.setup(1, 0)
    with pytest.raises(RuntimeError, match="OUTPUT"):
        gpio.output(22, 1)


def test_pins_count_as_board_or_as_bcm() -> None:
    board = _board()
    board.gpio.setmode(11)
    board.gpio.setup(25, 0)  # BCM 25 is physical pin 22
    board.gpio.output(25, 0)

    assert board.gpio.input(25) == 0
    assert board.chips[0, 0].transfer(bytes(VERSION), 1.0, 8e-6) == [0, 0]


def test_installed_makes_both_modules_and_the_package_importable_and_takes_them_back() -> None:
    board = _board()
    before = set(sys.modules)
    with board.installed():
        package = importlib.import_module("mfrc522")
        spidev = importlib.import_module("spidev")
        importlib.import_module("RPi.GPIO")
        simple = package.SimpleMFRC522()
        assert isinstance(simple.READER.spi, spidev.SpiDev)

    assert set(sys.modules) == before


def test_installed_leaves_real_modules_alone_where_only_missing_ones_are_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    (tmp_path / "spidev.py").write_text("REAL = True\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with _board().installed(only_missing=True):
        assert importlib.import_module("spidev").REAL
        assert importlib.import_module("RPi.GPIO").BOARD == 10
    monkeypatch.delitem(sys.modules, "spidev", raising=False)


def test_two_chips_on_one_chip_select_fail_loudly() -> None:
    with pytest.raises(SimulationError, match="already"):
        _board().attach(Chip(Field()), 0, 0)


def test_two_boards_in_one_process_keep_their_wires_apart() -> None:
    one, other = _board(), _board()
    one.chips[0, 0].version = 0x91
    versions = []
    for board in (one, other):
        chip = board.load_mfrc522().MFRC522()
        board.clock.sleep(0.01)
        versions.append(chip.Read_MFRC522(chip.VersionReg))

    assert versions == [0x91, 0x92]


def test_a_missing_package_is_named_with_its_mend(monkeypatch: pytest.MonkeyPatch) -> None:
    board = _board()

    def gone(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr("hardware.simulated.board.importlib.import_module", gone)
    with pytest.raises(DriverMissingError, match=r"pip install --no-deps mfrc522==0\.0\.7"):
        board.load_mfrc522()
