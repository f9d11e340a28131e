"""The table's broker, against real ones."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.bus.broker import EmbeddedBroker
from companion.doctor.broker import broker
from companion.doctor.finding import Finding
from tests.doctor.made_up import case, found, levels, machine, put
from tests.support.mosquitto import Mosquitto, free_port, running_mosquitto

NODE = '[[node]]\nname = "virtual"\nkind = "virtual"\n'


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    with running_mosquitto(tmp_path / "broker") as running:
        yield running


def looked_at(folder: Path, part: str, word: str = "app-secret") -> list[Finding]:
    (folder / "word").write_text(word + "\n")
    return found(broker, case(machine(folder), part + NODE))


def existing(port: int, user: str = "app") -> str:
    return f'[broker]\nurl = "mqtt://127.0.0.1:{port}"\nusername = "{user}"\npassword_file = "word"\n'


def test_a_broker_that_works_is_well(tmp_path: Path, mosquitto: Mosquitto) -> None:
    [finding] = looked_at(tmp_path, existing(mosquitto.port))
    assert (finding.level, "for an echo" in finding.text) == ("ok", True)


def test_a_wrong_password_is_named(tmp_path: Path, mosquitto: Mosquitto) -> None:
    [finding] = looked_at(tmp_path, existing(mosquitto.port), "guessed")
    assert finding.level == "fail"
    assert "refuses user 'app'" in finding.text
    assert "password_file" in finding.mend


def test_a_user_without_the_rights_of_the_app_is_named(tmp_path: Path, mosquitto: Mosquitto) -> None:
    [finding] = looked_at(tmp_path, existing(mosquitto.port, "display"), "display-secret")
    assert finding.level == "fail"
    assert "'display' may not write and read" in finding.text
    assert "companion.bus.mosquitto" in finding.mend


def test_no_broker_is_named(tmp_path: Path) -> None:
    [finding] = looked_at(tmp_path, existing(free_port()))
    assert (finding.level, "no broker answers" in finding.text) == ("fail", True)


def changed(folder: Path, old: str, new: str) -> Mosquitto:
    made = Mosquitto(folder)
    path = made._configuration
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return made.start()


@pytest.mark.parametrize(
    ("line", "expected"),
    [("", ["ok", "warn"]), ("#set_tcp_nodelay true", ["ok", "warn"]), ("set_tcp_nodelay true", ["ok"])],
)
def test_a_broker_that_waits_for_more_to_send_is_named_with_its_file(
    tmp_path: Path, mosquitto: Mosquitto, line: str, expected: list[str]
) -> None:
    """F-85."""
    files = {
        "/proc/70/comm": "mosquitto\n",
        "/proc/70/cmdline": "/usr/sbin/mosquitto\0-c\0/srv/table.conf\0",
        "/srv/table.conf": f"{line}\nlistener {mosquitto.port} 127.0.0.1\n",
        # Another one, of somebody else's.
        "/proc/71/comm": "mosquitto\n",
        "/proc/71/cmdline": "mosquitto\0-c\0/srv/other.conf\0",
        "/srv/other.conf": "listener 1\n",
    }
    put(tmp_path, files)
    findings = looked_at(tmp_path, existing(mosquitto.port))
    assert levels(findings) == expected
    assert all("/srv/table.conf" in finding.mend for finding in findings[1:])


def test_a_broker_that_lets_anybody_in_is_named(tmp_path: Path) -> None:
    """F-91."""
    open_one = changed(tmp_path / "broker", "allow_anonymous false", "allow_anonymous true")
    try:
        ok, anybody = looked_at(tmp_path, existing(open_one.port))
    finally:
        open_one.stop()
    assert (ok.level, anybody.level) == ("ok", "warn")
    assert "allow_anonymous false" in anybody.mend


def test_something_else_at_the_port_is_named(tmp_path: Path) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        [finding] = looked_at(tmp_path, existing(listener.getsockname()[1]))
    assert (finding.level, "is no MQTT broker" in finding.text) == ("fail", True)


def test_the_embedded_broker_is_tried(tmp_path: Path) -> None:
    assert levels(found(broker, case(machine(tmp_path)))) == ["ok"]
    assert levels(looked_at(tmp_path, "")) == ["ok"]


def test_the_embedded_broker_of_a_running_companion_is_known(tmp_path: Path) -> None:
    (tmp_path / "words.toml").write_text('app = "app-secret"\n')
    with EmbeddedBroker("home", passwords={"app": "app-secret"}) as running:
        part = f'[broker]\nport = {running.port}\npasswords = "words.toml"\n'
        [finding] = looked_at(tmp_path, part)
        (tmp_path / "words.toml").write_text('app = "another"\n')
        [refused] = looked_at(tmp_path, part)
        [taken] = looked_at(tmp_path, f"[broker]\nport = {running.port}\n")
    assert (finding.level, "is running" in finding.text) == ("ok", True)
    assert refused.level == "fail"
    assert (taken.level, "is taken by another program" in taken.text) == ("fail", True)
