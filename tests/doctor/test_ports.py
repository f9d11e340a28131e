"""Serial ports and SPI, on made-up machines."""

import os
from pathlib import Path

import pytest
from serial import Serial

from companion.doctor.machine import Case, this_machine
from companion.doctor.serial_ports import serial_ports
from companion.doctor.spi import spi
from firmware_bridge.contract.table_file import BrokerSettings, SerialNode, TableFile
from hardware.simulated.cable import Cable
from tests.doctor.made_up import SERIAL, SPI, case, found, levels, machine, put

LINK = "/dev/serial/by-id/usb-Raspberry_Pi_Pico_E660-if00"
NODE = SERIAL.format(LINK)
PLUGGED = {"/dev/ttyACM0": "", LINK: "-> ../../ttyACM0"}


def test_a_port_that_is_there_and_free_is_well(tmp_path: Path) -> None:
    put(tmp_path, PLUGGED)
    assert levels(found(serial_ports, case(machine(tmp_path), NODE))) == ["ok"]


def test_a_port_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    put(tmp_path, PLUGGED)
    [finding] = found(serial_ports, case(machine(tmp_path), SERIAL.format("/dev/ttyUSB0")))
    assert finding.level == "fail"
    assert "/dev/ttyUSB0 is not there" in finding.text
    assert "usb-Raspberry_Pi_Pico_E660-if00" in finding.mend


def test_a_port_that_may_not_be_opened_names_the_group(tmp_path: Path) -> None:
    put(tmp_path, PLUGGED)
    made = machine(tmp_path, forbidden=["/dev/ttyACM0"])
    [finding] = found(serial_ports, case(made, NODE))
    assert (finding.level, "sudo usermod -aG" in finding.mend) == ("fail", True)


def test_who_holds_a_port_of_this_machine_is_named() -> None:
    """F-61, with a real process and a real terminal."""
    cable = Cable()
    device = cable.plug()
    path = Path(device)
    with Serial(device, exclusive=True):
        node = SerialNode("realm", device)
        table = TableFile(path, "home", "full", BrokerSettings(), (node,))
        findings = found(serial_ports, Case(this_machine(), table, path))
    cable.unplug()
    assert any(f"(process {os.getpid()})" in finding.text for finding in findings if finding.level == "fail")


def process(number: int, name: str, command: str, *opened: str) -> dict[str, str]:
    files = {f"/proc/{number}/comm": name + "\n", f"/proc/{number}/cmdline": command.replace(" ", "\0")}
    return files | {f"/proc/{number}/fd/{n}": f"-> {path}" for n, path in enumerate(opened, 3)}


def test_who_holds_a_port_is_named(tmp_path: Path) -> None:
    """F-61."""
    put(tmp_path, PLUGGED | process(812, "picocom", "/usr/bin/picocom", "/dev/ttyACM0"))
    [finding] = found(serial_ports, case(machine(tmp_path), NODE))
    assert finding.level == "fail"
    assert "in use by picocom (process 812)" in finding.text
    assert "kill 812" in finding.mend


@pytest.mark.parametrize(
    ("command", "level"),
    [
        ("/usr/bin/python3 -m firmware_bridge --table t", "ok"),
        ("/srv/.venv/bin/python /srv/.venv/bin/firmware-bridge --table t", "ok"),
        ("vim firmware_bridge/serial/port.py", "fail"),
    ],
)
def test_our_own_bridge_at_work_is_no_trouble(tmp_path: Path, command: str, level: str) -> None:
    put(tmp_path, PLUGGED | process(9, "python3", command, "/dev/ttyACM0"))
    assert levels(found(serial_ports, case(machine(tmp_path), NODE))) == [level]


def test_modem_manager_is_named_unless_the_rule_is_there(tmp_path: Path) -> None:
    """F-62."""
    put(tmp_path, PLUGGED | process(300, "ModemManager", "/usr/sbin/ModemManager"))
    looked_at = case(machine(tmp_path), NODE)
    assert levels(found(serial_ports, looked_at)) == ["ok", "warn"]
    put(tmp_path, {"/etc/udev/rules.d/70-companion-nodes.rules": ""})
    assert levels(found(serial_ports, looked_at)) == ["ok"]


def usb(port: str, place: str, serial: str = "") -> dict[str, str]:
    folder = f"/sys/devices/usb1/{place}"
    files = {
        f"{folder}/idVendor": "1a86\n",
        f"{folder}/idProduct": "7523\n",
        f"{folder}/{place}:1.0/{port}/port_number": "0",
        f"/sys/class/tty/{port}/device": f"-> ../../../devices/usb1/{place}/{place}:1.0/{port}",
    }
    return files | ({f"{folder}/serial": serial} if serial else {})


def test_two_boards_without_a_number_are_named(tmp_path: Path) -> None:
    """F-55."""
    put(tmp_path, usb("ttyUSB0", "1-1") | usb("ttyUSB1", "1-2") | {"/sys/class/tty/tty0/dev": "4:0"})
    [twins] = [f for f in found(serial_ports, case(machine(tmp_path))) if f.level == "warn"]
    assert "2 boards are 1a86:7523 without a serial number" in twins.text


def test_boards_with_numbers_of_their_own_are_told_apart(tmp_path: Path) -> None:
    put(tmp_path, usb("ttyUSB0", "1-1", "A") | usb("ttyUSB1", "1-2", "B"))
    assert levels(found(serial_ports, case(machine(tmp_path)))) == ["ok"]


def test_a_port_by_number_is_better_named_by_id(tmp_path: Path) -> None:
    """F-54."""
    put(tmp_path, PLUGGED)
    ok, numbered = found(serial_ports, case(machine(tmp_path), SERIAL.format("/dev/ttyACM0")))
    assert (ok.level, numbered.level) == ("ok", "warn")
    assert LINK in numbered.mend


def test_a_socket_is_no_device(tmp_path: Path) -> None:
    assert found(serial_ports, case(machine(tmp_path), SERIAL.format("socket://127.0.0.1:5000"))) == []


# SPI

BUFFER = {"/sys/module/spidev/parameters/bufsiz": "4096\n"}


def test_spi_that_may_be_used_is_well(tmp_path: Path) -> None:
    put(tmp_path, {"/dev/spidev0.0": "", "/dev/gpiomem": ""} | BUFFER)
    assert levels(found(spi, case(machine(tmp_path), SPI.format(0, 0)))) == ["ok"]


def test_spi_is_looked_at_only_where_the_table_has_readers_on_it(tmp_path: Path) -> None:
    assert found(spi, case(machine(tmp_path))) == []
    assert found(spi, case(machine(tmp_path), NODE)) == []


@pytest.mark.parametrize(
    ("bus", "device", "config", "mend"),
    [
        (0, 0, "", "add the line dtparam=spi=on to /boot/firmware/config.txt"),
        (0, 1, "#dtparam=spi=on", "add the line dtparam=spi=on"),
        (0, 0, "dtparam=spi=on", "restart the machine"),
        (1, 2, "dtparam=spi=on", "add the line dtoverlay=spi1-3cs"),
        (0, 2, "dtparam=spi=on", "correct `device`"),
    ],
)
def test_spi_that_is_not_there_names_the_missing_line(
    tmp_path: Path, bus: int, device: int, config: str, mend: str
) -> None:
    put(tmp_path, {"/boot/firmware/config.txt": config})
    [finding] = found(spi, case(machine(tmp_path), SPI.format(bus, device)))
    assert (finding.level, "pad/1" in finding.text) == ("fail", True)
    assert mend in finding.mend


def test_an_old_system_keeps_its_configuration_elsewhere(tmp_path: Path) -> None:
    put(tmp_path, {"/boot/config.txt": ""})
    [finding] = found(spi, case(machine(tmp_path), SPI.format(0, 0)))
    assert "to /boot/config.txt" in finding.mend


def test_rights_and_a_small_buffer_are_named(tmp_path: Path) -> None:
    put(tmp_path, {"/dev/spidev0.0": "", "/dev/gpiochip0": "", "/sys/module/spidev/parameters/bufsiz": "32"})
    made = machine(tmp_path, forbidden=["/dev/spidev0.0", "/dev/gpiochip0"])
    device, buffer, pins = found(spi, case(made, SPI.format(0, 0)))
    assert "spidev0.0 may not be opened" in device.text
    assert "32 bytes" in buffer.text
    assert "the pins" in pins.text
