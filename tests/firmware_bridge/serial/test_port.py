"""One open port: pseudo-terminals, sockets, loops, and all the ways to lose them."""

import fcntl
import os
import re
import socket
import termios
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.errors import PortError
from firmware_bridge.serial import port as port_module
from firmware_bridge.serial.port import READ_TIMEOUT_S, Port
from firmware_bridge.serial.power import supply_warning
from hardware.simulated.cable import Cable
from tests.support.bus import wait_until
from tests.support.mosquitto import free_port


@pytest.fixture
def cable() -> Iterator[Cable]:
    found = Cable()
    yield found
    found.unplug()


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def read_all(port: Port, length: int) -> bytes:
    found = b""
    while len(found) < length:
        found += port.read()
    return found


def test_all_that_waits_is_read_at_once(cable: Cable) -> None:
    """F-59: not a line each loop."""
    port = Port(cable.plug())
    cable.send(b"x" * 1356, 0)
    cable.deliver(0)
    wait_until(lambda: port._port.in_waiting == 1356, "all of it waits")
    assert port.read() == b"x" * 1356
    assert port.backlog_bytes == 1356
    assert port.write(b"Q 1 {}\n")
    assert cable.receive() == b"Q 1 {}\n"
    port.close()


def test_a_pulled_plug_ends_a_read_with_one_kind_of_error(cable: Cable) -> None:
    """F-51: "device reports readiness to read but returned no data", or an I/O error."""
    device = cable.plug()
    port = Port(device)
    pull = threading.Timer(0.05, cable.unplug)
    pull.start()
    with pytest.raises(PortError, match=f"{device} is lost"):
        read_all(port, 1)
    pull.join()
    with pytest.raises(PortError, match="is lost"):
        port.write(b"Q")
    port.wake()
    port.close()
    port.close()
    port.wake()


def test_a_terminal_error_is_a_lost_port_though_it_is_no_os_error(
    cable: Cable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """F-53: `termios.error` comes where pyserial flushes or sets a device that is going."""
    device = cable.plug()
    assert not issubclass(termios.error, OSError)

    def gone(*_arguments: object) -> None:
        raise termios.error(5, "Input/output error")

    monkeypatch.setattr(termios, "tcflush", gone)
    with pytest.raises(PortError, match=f"{device} can't be opened"):
        Port(device)


def test_a_pulled_device_is_let_go_of_so_that_its_name_is_free(cable: Cable) -> None:
    """F-54: a descriptor that is kept makes the device come back under another name."""
    before = open_files()
    port = Port(cable.plug())
    cable.unplug()
    with pytest.raises(PortError):
        read_all(port, 1)
    port.close()
    assert open_files() == before


def test_a_port_is_open_once(cable: Cable) -> None:
    """F-61: two readers of one port would each get a part."""
    device = cable.plug()
    port = Port(device)
    with pytest.raises(PortError, match=f"{device} is in use: stop the other program"):
        Port(device)
    port.close()
    Port(device).close()


def test_a_port_that_modem_manager_holds_is_said_to_be_in_use(cable: Cable) -> None:
    """F-62."""
    device = cable.plug()
    holder = os.open(device, os.O_RDWR | os.O_NOCTTY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    with pytest.raises(PortError, match="ModemManager lets go after some seconds"):
        Port(device)
    os.close(holder)
    Port(device).close()


def test_the_udev_rule_keeps_modem_manager_away() -> None:
    """F-62."""
    rules = (Path(port_module.__file__).parent / "70-companion-nodes.rules").read_text(encoding="utf-8")
    assert 'ATTRS{idVendor}=="2e8a", ENV{ID_MM_DEVICE_IGNORE}="1"' in rules


def test_a_driver_without_a_low_latency_mode_is_used_as_it_is(cable: Cable) -> None:
    """F-63: asked for where it exists; a pseudo-terminal is one that refuses."""
    port = Port(cable.plug())
    with pytest.raises(ValueError, match="LOW_LATENCY"):
        port._port.set_low_latency_mode(True)
    port.close()


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("/dev/ttyACM-none", "/dev/ttyACM-none is not there: plug the node in, or correct `port`"),
        ("/etc/hostname", "/etc/hostname can't be opened"),
        ("sockt://h:1", "sockt://h:1 is no port: write a device, or socket://HOST:PORT"),
        ("socket://127.0.0.1", "socket://127.0.0.1 does not answer"),
        ("socket://127.0.0.1:99999", "correct `port` (socket://HOST:PORT)"),
        ("", "is not there"),
    ],
)
def test_a_port_that_can_not_be_opened_says_why(url: str, problem: str) -> None:
    with pytest.raises(PortError, match=re.escape(problem)):
        Port(url)


def test_a_read_ends_when_it_is_woken(cable: Cable) -> None:
    port = Port(cable.plug())
    port.wake()
    assert port.read() == b""
    port.close()


def test_a_node_that_does_not_listen_does_not_stop_the_bridge(cable: Cable) -> None:
    port = Port(cable.plug())
    answers = [port.write(b"x" * 1000) for _ in range(30)]
    assert False in answers
    cable.send(b"still heard\n", 0)
    cable.deliver(0)
    assert read_all(port, 12) == b"still heard\n"
    port.close()


def test_a_socket_is_a_port_too() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = Port(f"socket://127.0.0.1:{server.getsockname()[1]}")
        node, _ = server.accept()
        with node:
            node.sendall(b"x" * 5000)
            assert read_all(port, 5000) == b"x" * 5000
            assert port.write(b"Q")
            assert node.recv(10) == b"Q"
        with pytest.raises(PortError, match="is lost"):
            read_all(port, 1)
        port.close()
    with pytest.raises(PortError, match="does not answer"):
        Port(f"socket://127.0.0.1:{free_port()}")


def test_a_loop_is_a_port_too() -> None:
    port = Port("loop://")
    assert port.write(b"echo")
    assert read_all(port, 4) == b"echo"
    threading.Timer(0.05, port.wake).start()
    assert port.read() == b""
    port.close()


def test_a_quiet_port_is_waited_at_not_asked_all_the_time(cable: Cable) -> None:
    port = Port(cable.plug())
    before_s = os.times()
    assert port.read() == b""
    after_s = os.times()
    assert after_s.elapsed - before_s.elapsed >= READ_TIMEOUT_S * 0.9
    assert after_s.user - before_s.user <= 0.1
    port.close()


def test_a_supply_that_is_too_low_is_told_beside_the_loss(tmp_path: Path) -> None:
    """F-67."""
    assert supply_warning(tmp_path / "none") == ""
    sensor = tmp_path / "hwmon1"
    sensor.mkdir()
    (sensor / "name").write_text("rpi_volt\n")
    assert supply_warning(tmp_path) == ""
    (sensor / "in0_lcrit_alarm").write_text("0\n")
    assert supply_warning(tmp_path) == ""
    (sensor / "in0_lcrit_alarm").write_text("1\n")
    assert "under-voltage" in supply_warning(tmp_path)


def test_a_cable_tells_when_it_is_opened(cable: Cable) -> None:
    device = cable.plug()
    assert not cable.look()
    port = Port(device)
    wait_until(cable.look, "open")
    assert cable.opens == 1
    port.close()
    assert not cable.look()
    Port(device).close()
