"""`companion scan` as people run it: real processes and brokers, simulated chips, a node on a terminal."""

import io
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serial import Serial

from companion.bus.broker import EmbeddedBroker
from companion.scan.command import scan
from companion.scan.errors import ScanError
from firmware_bridge.contract.messages import SimField
from firmware_bridge.contract.spaces import VIRTUAL_SPACES
from firmware_bridge.contract.topics import Topics
from hardware.simulated.cable import Cable
from hardware.simulated.serial_node import SerialNode
from tests.firmware_bridge.test_command import running
from tests.stories.driver import run_companion
from tests.support.bus import Ear, ear, wait_until
from tests.support.mosquitto import free_port
from tests.support.nodes import alive

TOPICS = Topics("home")
KINDNESS = "04A3C6CAE26180"
VIRTUAL = '[[node]]\nname = "virtual"\nkind = "virtual"\n'


def serial(port: str) -> str:
    return f'[[node]]\nname = "realm"\nkind = "serial"\nport = "{port}"\n'


def broker_part(folder: Path, broker: EmbeddedBroker, password: str | None = None) -> str:
    (folder / "app.password").write_text((password or broker.password("app")) + "\n")
    return f'[broker]\nurl = "{broker.url}"\nusername = "app"\npassword_file = "app.password"\n'


def table_file(folder: Path, *parts: str) -> Path:
    path = folder / "table.toml"
    path.write_text("\n".join(['table = "home"', *parts]), encoding="utf-8")
    return path


def scanned(path: Path) -> tuple[int, dict[str, dict[str, Any]], str]:
    """Exit status, rows by space, and what stood on stderr."""
    out, err = io.StringIO(), io.StringIO()
    status = scan(
        path,
        once=True,
        as_json=True,
        data=path.parent / "data",
        out=out,
        err=err,
        stop=threading.Event(),
    )
    rows = [json.loads(line) for line in out.getvalue().splitlines()]
    return status, {row["space"]: row for row in rows}, err.getvalue()


@pytest.fixture
def broker() -> Iterator[EmbeddedBroker]:
    with EmbeddedBroker("home") as found:
        yield found


@pytest.fixture
def app(broker: EmbeddedBroker) -> Iterator[Ear]:
    with ear(broker, "app", "app", [TOPICS.all_spaces, TOPICS.all_nodes]) as listener:
        yield listener


def test_a_full_sweep_of_a_virtual_table_without_any_broker(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    table = table_file(tmp_path, VIRTUAL)
    done = run_companion("scan", "--table", str(table), "--once", "--json", "--data", str(tmp_path / "data"))
    assert (done.returncode, done.stderr) == (0, "")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["space"] for row in rows] == list(VIRTUAL_SPACES)
    for row in rows:
        assert set(row) == {"space", "tags", "state", "node", "health"}
        assert (row["tags"], row["state"], row["node"]) == ([], "ok", "virtual")
        assert row["health"]["version"] == 0x92
        assert row["health"]["over"] >= 20
        assert row["health"]["noise"] == 0.0


def test_a_dead_and_a_noisy_reader_of_a_bridge_at_work(
    tmp_path: Path, broker: EmbeddedBroker, app: Ear
) -> None:
    """It is listened to: no second bridge polls its readers, and nothing on its broker is written."""
    table = table_file(tmp_path, broker_part(tmp_path, broker), VIRTUAL)
    app.publish(TOPICS.sim_field("pad/1"), SimField((KINDNESS,)).to_json(), retain=True)
    app.publish(TOPICS.sim_field("pad/2"), SimField((KINDNESS,), "noise").to_json(), retain=True)
    app.publish(TOPICS.sim_field("pad/3"), SimField((), "dead").to_json(), retain=True)
    with running(
        tmp_path / "log",
        *("--table", str(table), "--broker", broker.url_for("bridge"), "--figures-every", "0.5"),
    ):
        wait_until(lambda: b'"fault"' in app.state.get(TOPICS.space("pad/3"), b""), "the dead one")
        wait_until(lambda: KINDNESS.encode() in app.state.get(TOPICS.space("pad/2"), b""), "the noisy one")
        status, rows, problems = scanned(table)
    assert (status, problems) == (1, "")
    good, noisy, dead = rows["pad/1"], rows["pad/2"], rows["pad/3"]
    assert (good["tags"], good["state"], good["health"]["hit_rate"]) == ([KINDNESS], "ok", 1.0)
    assert noisy["tags"] == [KINDNESS]
    assert noisy["health"]["noise"] > 0.2
    assert noisy["health"]["hit_rate"] < 0.8
    assert (dead["state"], dead["health"]["state"]) == ("fault", "silent")
    assert "check its 3.3 V supply" in dead["health"]["reason"]
    assert "gives way" not in (tmp_path / "log").read_text()


def test_a_node_on_a_serial_line_and_what_of_it_is_not_known(tmp_path: Path) -> None:
    node = SerialNode(Cable(), "realm", ["slot/valley.1", "spirit/valley"])
    node.lay("slot/valley.1", KINDNESS)
    node.lay("spirit/valley", state="fault")
    with alive(node):
        status, rows, problems = scanned(table_file(tmp_path, serial(node.cable.plug())))
    assert (status, problems) == (1, "")
    slot, spirit = rows["slot/valley.1"], rows["spirit/valley"]
    assert (slot["tags"], slot["state"], slot["node"]) == ([KINDNESS], "ok", "realm")
    health = slot["health"]
    assert (health["counted"], health["hit_rate"], health["noise"]) == ("frames", 1.0, 0.0)
    assert health["polls"] is health["version"] is health["poll_us"] is None
    assert spirit["state"] == "fault"
    assert "look at its reader's wiring" in spirit["health"]["reason"]


def test_a_missing_port_is_named_with_its_mend_and_the_others_are_read(tmp_path: Path) -> None:
    status, rows, problems = scanned(table_file(tmp_path, serial("/dev/ttyACM-none"), VIRTUAL))
    assert status == 1
    assert len(rows) == len(VIRTUAL_SPACES)
    assert problems == (
        'companion: node "realm" is offline: '
        "/dev/ttyACM-none is not there: plug the node in, or correct `port`\n"
    )


def test_a_port_that_another_program_has_is_named(tmp_path: Path) -> None:
    """F-61."""
    cable = Cable()
    device = cable.plug()
    with Serial(device, exclusive=True):
        status, rows, problems = scanned(table_file(tmp_path, serial(device)))
    cable.unplug()
    assert (status, rows) == (1, {})
    assert f"{device} is in use: stop the other program" in problems


def test_a_wrong_password_is_one_line_and_status_2(tmp_path: Path, broker: EmbeddedBroker) -> None:
    table = table_file(tmp_path, broker_part(tmp_path, broker, "guessed"), VIRTUAL)
    done = run_companion("scan", "--table", str(table), "--once")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        f"companion: {table}: the broker at 127.0.0.1:{broker.port} refuses user 'app':"
        " correct the user name and the password\n"
    )
    with pytest.raises(ScanError):
        scanned(table)


def test_where_no_bridge_is_at_work_the_brokers_picture_stays_as_it_is(
    tmp_path: Path, broker: EmbeddedBroker, app: Ear
) -> None:
    table = table_file(tmp_path, broker_part(tmp_path, broker), VIRTUAL)
    status, rows, _ = scanned(table)
    assert (status, len(rows)) == (0, len(VIRTUAL_SPACES))
    assert app.heard == []


def test_a_broker_that_is_not_there_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "app.password").write_text("secret\n")
    part = (
        f'[broker]\nurl = "mqtt://127.0.0.1:{free_port()}"\nusername = "app"\npassword_file = "app.password"'
    )
    status, rows, _ = scanned(table_file(tmp_path, part, VIRTUAL))
    assert (status, len(rows)) == (0, len(VIRTUAL_SPACES))


def test_without_once_it_goes_on_with_changes_until_it_is_interrupted(
    tmp_path: Path, broker: EmbeddedBroker, app: Ear
) -> None:
    table = table_file(tmp_path, broker_part(tmp_path, broker), VIRTUAL)
    (tmp_path / "tags.csv").write_text(f"uid,component\n{KINDNESS},emotion/bliss/kindness/1\n")
    data = tmp_path / "data"
    assert run_companion("tags", "import", str(tmp_path / "tags.csv"), "--data", str(data)).returncode == 0
    seen: list[str] = []
    with running(
        tmp_path / "log",
        *("--table", str(table), "--broker", broker.url_for("bridge"), "--figures-every", "0.5"),
    ):
        wait_until(lambda: TOPICS.space("pad/4") in app.state, "the first sweep")
        command = ["-m", "companion.cli", "scan", "--table", str(table), "--data", str(data)]
        with subprocess.Popen(
            [sys.executable, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                seen.append(line)
                if "29 spaces: 29 ok" in line:
                    app.publish(TOPICS.sim_field("pad/1"), SimField((KINDNESS,)).to_json(), retain=True)
                if KINDNESS in line:
                    process.terminate()
            assert process.wait(10) == 0
    assert "emotion/bliss/kindness/1" in seen[-1]
    assert seen[0] == f'table "home", read by the bridge at work, by the broker at 127.0.0.1:{broker.port}\n'


@pytest.mark.parametrize("arguments", [["--table", "none.toml"], []])
def test_a_table_file_that_is_not_there_is_status_2(arguments: list[str]) -> None:
    done = run_companion("scan", "--once", *arguments)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("companion: ")
