"""The command `firmware-bridge` as a process, against a real broker."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.bus.broker import EmbeddedBroker
from firmware_bridge.__main__ import PASSWORD_VARIABLE, find_login
from firmware_bridge.contract.errors import BrokerUrlError
from firmware_bridge.contract.messages import NodeMessage, SimField, SpaceMessage
from firmware_bridge.contract.spaces import VIRTUAL_SPACES
from firmware_bridge.contract.table_file import load_table
from firmware_bridge.contract.topics import Topics
from firmware_bridge.errors import NoBrokerError
from firmware_bridge.publisher import Login
from tests.support.bus import Ear, ear, wait_until
from tests.support.mosquitto import free_port

TOPICS = Topics("home")
NODE = TOPICS.node("virtual")
KINDNESS = "04A3C6CAE26180"

VIRTUAL = 'table = "home"\n[[node]]\nname = "virtual"\nkind = "virtual"\n'
SERIAL = VIRTUAL + '[[node]]\nname = "realm"\nkind = "serial"\nport = "/dev/ttyACM-none"\n'
SPI = """
[[node]]
name = "pads"
kind = "spi"
[[node.reader]]
space = "pad/1"
bus = 0
device = 0
reset = 22
"""


@pytest.fixture
def broker() -> Iterator[EmbeddedBroker]:
    with EmbeddedBroker("home") as found:
        yield found


@pytest.fixture
def app(broker: EmbeddedBroker) -> Iterator[Ear]:
    with ear(broker, "app", "app", [TOPICS.all_spaces, TOPICS.all_nodes]) as listener:
        yield listener


def table_file(folder: Path, text: str = VIRTUAL) -> str:
    path = folder / "table.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def run(*arguments: str, environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "firmware_bridge", *arguments],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
        env=os.environ | (environment or {}),
    )


@contextmanager
def running(log: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    with (
        log.open("ab") as file,
        subprocess.Popen(
            [sys.executable, "-m", "firmware_bridge", *arguments],
            stdin=subprocess.PIPE,
            stdout=file,
            stderr=file,
        ) as process,
    ):
        try:
            yield process
        finally:
            process.kill()


def space(app: Ear, name: str) -> SpaceMessage | None:
    payload = app.state.get(TOPICS.space(name))
    return SpaceMessage.from_json(payload) if payload else None


def node_state(app: Ear, topic: str = NODE) -> str:
    return NodeMessage.from_json(app.state[topic]).state if topic in app.state else "unknown"


def test_help_names_the_options_and_the_exit_statuses() -> None:
    done = run("--help")
    assert done.returncode == 0
    for word in ("--table", "--broker", "--once", "--json", "--stop-on-stdin-eof", PASSWORD_VARIABLE, "Exit"):
        assert word in done.stdout


@pytest.mark.parametrize(
    ("text", "arguments", "problem"),
    [
        ("table = 3\n", [], "table.toml:1: table: must be a text in quotes"),
        (VIRTUAL, [], "table.toml: nothing says where the broker is: add --broker"),
        (VIRTUAL, ["--broker", "http://x"], "broker address: http:// is not known here"),
    ],
)
def test_what_can_not_be_used_is_one_line_and_status_2(
    tmp_path: Path, text: str, arguments: list[str], problem: str
) -> None:
    done = run("--table", table_file(tmp_path, text), *arguments)
    assert done.returncode == 2
    assert problem in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("firmware-bridge: ")


def test_arguments_that_are_none_are_status_2(tmp_path: Path) -> None:
    assert run("--table", table_file(tmp_path), "--speed", "3").returncode == 2
    assert run().returncode == 2


def test_once_prints_and_publishes_every_space_and_ends(
    tmp_path: Path, broker: EmbeddedBroker, app: Ear
) -> None:
    app.publish(TOPICS.sim_field("slot/valley.1"), SimField((KINDNESS,)).to_json(), retain=True)
    done = run("--table", table_file(tmp_path), "--broker", broker.url_for("bridge"), "--once")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(VIRTUAL_SPACES)
    assert lines[0].split() == ["slot/valley.1", "ok", KINDNESS]
    assert lines[1].split() == ["slot/valley.2", "ok", "-"]
    for name in VIRTUAL_SPACES:
        app.wait_for(TOPICS.space(name))
    valley = space(app, "slot/valley.1")
    assert valley is not None
    assert (valley.tags, valley.state, valley.node) == ((KINDNESS,), "ok", "virtual")


def test_once_in_json_has_one_object_a_line_with_the_readers_health(
    tmp_path: Path, broker: EmbeddedBroker
) -> None:
    done = run(
        "--table",
        table_file(tmp_path),
        "--broker",
        broker.url,
        "--once",
        "--json",
        environment={PASSWORD_VARIABLE: broker.password("bridge")},
    )
    assert done.returncode == 0, done.stderr
    entries = [json.loads(line) for line in done.stdout.splitlines()]
    assert [entry["space"] for entry in entries] == list(VIRTUAL_SPACES)
    assert all(entry["state"] == "ok" and entry["node"] == "virtual" for entry in entries)
    assert entries[0]["health"]["state"] == "ok"
    assert entries[0]["health"]["polls"] > 0


def test_once_without_a_broker_is_one_line_and_status_1(tmp_path: Path) -> None:
    url = f"mqtt://127.0.0.1:{free_port()}"
    done = run("--table", table_file(tmp_path), "--broker", url, "--once")
    assert done.returncode == 1
    assert "no broker answers at 127.0.0.1:" in done.stderr
    assert "trying again" not in done.stderr, "it ends"
    assert done.stderr.count("\n") == 1


def test_a_node_that_can_not_be_served_is_named_and_the_others_go_on(
    tmp_path: Path, broker: EmbeddedBroker, app: Ear
) -> None:
    done = run("--table", table_file(tmp_path, SERIAL), "--broker", broker.url_for("bridge"), "--once")
    assert done.returncode == 1
    assert done.stderr == (
        'firmware-bridge: node "realm" is offline: /dev/ttyACM-none is not there:'
        " plug the node in, or correct `port`\n"
    )
    wait_until(lambda: node_state(app, TOPICS.node("realm")) == "offline", "the node shows as offline")
    app.wait_for(TOPICS.space("pad/1"))


def test_readers_without_their_driver_are_named_with_the_mend(
    tmp_path: Path, broker: EmbeddedBroker, app: Ear
) -> None:
    done = run("--table", table_file(tmp_path, VIRTUAL + SPI), "--broker", broker.url_for("bridge"), "--once")
    assert done.returncode == 1
    assert 'node "pads" ' in done.stderr or "pad/1" in done.stdout
    assert "Traceback" not in done.stderr
    app.wait_for(TOPICS.space("pad/1"))
    assert getattr(space(app, "pad/1"), "state", None) == "fault"
    assert getattr(space(app, "pad/2"), "state", None) == "ok"


def test_tags_follow_the_simulated_fields_until_the_bridge_is_ended(
    tmp_path: Path, broker: EmbeddedBroker, app: Ear
) -> None:
    log = tmp_path / "log"
    table = table_file(tmp_path)
    with running(log, "--table", table, "--broker", broker.url_for("bridge")) as process:
        wait_until(lambda: len(app.state) == len(VIRTUAL_SPACES) + 1, "every space is known")
        wait_until(lambda: node_state(app) == "online", "and then the node is online")
        app.publish(TOPICS.sim_field("pad/2"), SimField((KINDNESS,)).to_json(), retain=True)
        wait_until(lambda: getattr(space(app, "pad/2"), "tags", None) == (KINDNESS,), "placed")
        app.publish(TOPICS.sim_field("pad/2"), b"", retain=True)
        wait_until(lambda: getattr(space(app, "pad/2"), "tags", None) == (), "removed")
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
        wait_until(lambda: node_state(app) == "offline", "offline")
    assert log.read_text() == ""


def test_garbage_on_the_fields_is_logged_once_and_changes_nothing(
    tmp_path: Path, broker: EmbeddedBroker, app: Ear
) -> None:
    log = tmp_path / "log"
    with running(log, "--table", table_file(tmp_path), "--broker", broker.url_for("bridge")):
        wait_until(lambda: len(app.state) == len(VIRTUAL_SPACES) + 1, "every space is known")
        for payload in (b"\xff", b"[]", b"{}", b'{"tags": ["04A3C6"]}', b"x" * 1_000_000) * 3:
            app.publish(TOPICS.sim_field("pad/2"), payload)
        app.publish(TOPICS.sim_field("slot/nowhere"), b"{}")
        app.publish(TOPICS.sim_field("pad/1"), SimField((KINDNESS,)).to_json())
        wait_until(lambda: getattr(space(app, "pad/1"), "tags", None) == (KINDNESS,), "still alive")
        assert getattr(space(app, "pad/2"), "tags", None) == ()
    assert log.read_text().count("dropped") == 4
    assert "Traceback" not in log.read_text()


def test_a_broker_that_comes_late_is_met_and_said_once(tmp_path: Path) -> None:
    port = free_port()
    log = tmp_path / "log"
    login = f"mqtt://bridge:sesame@127.0.0.1:{port}"
    with running(log, "--table", table_file(tmp_path), "--broker", login) as process:
        wait_until(lambda: "no broker answers" in log.read_text(), "the line")
        with (
            EmbeddedBroker("home", port=port, passwords={"bridge": "sesame"}) as broker,
            ear(broker, "app", "app", [TOPICS.all_nodes]) as app,
        ):
            wait_until(lambda: node_state(app) == "online", "online")
            process.send_signal(signal.SIGINT)
            assert process.wait(10) == 0
    assert log.read_text().count("no broker answers") == 1
    assert "sesame" not in log.read_text()


def test_a_bridge_ends_with_whoever_started_it(tmp_path: Path, broker: EmbeddedBroker, app: Ear) -> None:
    arguments = ["--table", table_file(tmp_path), "--broker", broker.url_for("bridge"), "--stop-on-stdin-eof"]
    with running(tmp_path / "log", *arguments) as process:
        wait_until(lambda: node_state(app) == "online", "online")
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(10) == 0
        wait_until(lambda: node_state(app) == "offline", "offline")


def test_of_two_bridges_of_one_table_one_gives_way(tmp_path: Path, broker: EmbeddedBroker, app: Ear) -> None:
    arguments = ["--table", table_file(tmp_path), "--broker", broker.url_for("bridge")]
    with running(tmp_path / "1", *arguments) as first, running(tmp_path / "2", *arguments) as second:
        wait_until(lambda: 1 in (first.poll(), second.poll()), "one ends with status 1")
        wait_until(lambda: node_state(app) == "online", "the other serves the table")
        assert None in (first.poll(), second.poll())
    text = (tmp_path / "1").read_text() + (tmp_path / "2").read_text()
    assert "another table uses the id 'home-node-virtual'" in text


def login_of(tmp_path: Path, text: str, broker: str | None = None, **environment: str) -> Login:
    return find_login(load_table(Path(table_file(tmp_path, text))), broker, environment)


def test_the_broker_of_the_command_line_goes_before_the_table_files(tmp_path: Path) -> None:
    text = 'table = "home"\n[broker]\nurl = "mqtt://app:a@10.0.0.2"\n'
    assert login_of(tmp_path, text) == Login("mqtt://10.0.0.2:1883", "app", "a")
    assert login_of(tmp_path, text, "mqtt://bridge:b@10.0.0.3") == Login(
        "mqtt://10.0.0.3:1883", "bridge", "b"
    )
    assert login_of(tmp_path, text, "mqtt://10.0.0.3") == Login("mqtt://10.0.0.3:1883", "app", "a")
    with pytest.raises(BrokerUrlError):
        login_of(tmp_path, text, "mqtt://")


def test_the_password_of_the_environment_is_used_where_the_address_has_none(tmp_path: Path) -> None:
    text = 'table = "home"\n'
    given = {PASSWORD_VARIABLE: "c"}
    assert login_of(tmp_path, text, "mqtt://h", **given) == Login("mqtt://h:1883", "bridge", "c")
    assert login_of(tmp_path, text, "mqtt://app@h", **given) == Login("mqtt://h:1883", "app", "c")
    assert login_of(tmp_path, text, "mqtt://app:d@h", **given) == Login("mqtt://h:1883", "app", "d")


def test_an_embedded_broker_with_a_known_port_and_password_is_found(tmp_path: Path) -> None:
    (tmp_path / "roles.toml").write_text('bridge = "wide"\n', encoding="utf-8")
    text = 'table = "home"\n[broker]\nport = 1884\npasswords = "roles.toml"\n'
    assert login_of(tmp_path, text) == Login("mqtt://127.0.0.1:1884", "bridge", "wide")
    with pytest.raises(NoBrokerError, match="nothing says where the broker is"):
        login_of(tmp_path, 'table = "home"\n[broker]\nport = 1884\n')
