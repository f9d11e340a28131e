"""Pin maps: nothing twice, nothing where it can't be."""

from collections import Counter

import pytest

from hardware.boards import pi
from hardware.boards.pico import BOARDS, PHYSICAL_PIN, POWER_PINS, SPI_MISO, SPI_MOSI, SPI_SCK, PicoBoard
from hardware.rfid.spi_node import SpiReader, spi_node
from hardware.simulated.board import SimulatedBoard

every_board = pytest.mark.parametrize("board", BOARDS.values(), ids=list(BOARDS))


@every_board
def test_every_pin_of_a_pico_has_one_use(board: PicoBoard) -> None:
    own = [board.lights, *[pin for plug in board.plugs for pin in (plug.cs, plug.reset)]]
    buses = {pin for plug in board.plugs for pin in (plug.sck, plug.mosi, plug.miso)}
    assert max(Counter(own).values()) == 1
    assert not buses & set(own)
    assert buses | set(own) <= PHYSICAL_PIN.keys()


@every_board
def test_hardware_spi_is_on_pins_that_carry_it(board: PicoBoard) -> None:
    for plug in board.plugs:
        if plug.spi is not None:
            assert (SPI_SCK[plug.sck], SPI_MOSI[plug.mosi], SPI_MISO[plug.miso]) == (plug.spi,) * 3


@every_board
def test_readers_of_one_spi_share_its_lines(board: PicoBoard) -> None:
    lines = {(plug.spi, plug.sck, plug.mosi, plug.miso) for plug in board.plugs if plug.spi is not None}
    assert len({spi for spi, *_ in lines}) == len(lines)


def test_f_37_pico_b_has_a_miso_line_for_each_reader() -> None:
    board = BOARDS["pico-b"]
    assert len({plug.miso for plug in board.plugs}) == len(board.plugs)


def test_the_pins_of_a_pico_are_40_less_those_that_are_neither_gpio_nor_power() -> None:
    pins = [*PHYSICAL_PIN.values(), *[pin for pins in POWER_PINS.values() for pin in pins]]
    assert max(Counter(pins).values()) == 1
    assert set(range(1, 41)) - set(pins) == {30, 35, 37, 39}, "RUN, ADC_VREF, 3V3_EN, VSYS"


def test_the_pins_of_a_pi_are_40_less_the_two_of_the_identification_memory() -> None:
    pins = [*pi.BCM_OF_PIN, *[pin for pins in pi.POWER_PINS.values() for pin in pins]]
    assert max(Counter(pins).values()) == 1
    assert set(range(1, 41)) - set(pins) == {27, 28}
    assert len(set(pi.BCM_OF_PIN.values())) == len(pi.BCM_OF_PIN)


@pytest.mark.parametrize("pads", [pi.PADS, pi.PADS_TWO_BUSES], ids=["one bus", "two buses"])
def test_the_pads_can_be_wired_like_that(pads: tuple[pi.PadWiring, ...]) -> None:
    entries = [SpiReader(p.space, p.bus, p.device, reset=p.reset, cs=p.cs) for p in pads]
    node = spi_node(entries, package=SimulatedBoard().load_mfrc522())
    assert list(node.readers) == ["pad/1", "pad/2", "pad/3", "pad/4"]
    buses = [pin for bus in {p.bus for p in pads} for pin in pi.SPI_PINS[bus].values()]
    assert max(Counter([*buses, *[pin for p in pads for pin in (p.select_pin, p.reset)]]).values()) == 1
