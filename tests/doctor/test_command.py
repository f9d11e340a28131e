"""`companion doctor` as a whole."""

import io
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.doctor.command import CHECKS, Check, doctor, findings
from companion.doctor.finding import Finding
from companion.doctor.machine import Case, this_machine
from hardware.simulated.cable import Cable
from hardware.simulated.serial_node import SerialNode
from tests.doctor.made_up import NOW_S, SERIAL, case, machine, put
from tests.stories.driver import run_companion
from tests.support.nodes import alive

KEYS = {"check", "level", "text", "mend"}
NODE = '[[node]]\nname = "virtual"\nkind = "virtual"\n'


def test_a_well_machine_with_a_virtual_table_is_status_0(tmp_path: Path) -> None:
    put(tmp_path, {"/sys/class/rtc/rtc0/name": "rpi-rtc", "table.toml": 'table = "home"\n' + NODE})
    made = machine(tmp_path, environment={"DISPLAY": ":0"})
    out = io.StringIO()
    status = doctor(tmp_path / "table.toml", data=tmp_path / "data", as_json=False, out=out, machine=made)
    text = out.getvalue()
    assert status == 0, text
    assert "29 of 29 read well" in text
    assert "fail" not in text
    assert text.splitlines()[-1].endswith(" 0 to mend")
    assert not (tmp_path / "data").exists(), "nothing is left behind"


def test_a_warning_alone_is_status_0_and_a_failure_1(tmp_path: Path) -> None:
    """A clock that jumps, a table file without nodes: they hinder nobody from playing."""
    put(tmp_path, {"table.toml": 'table = "home"\n'})
    out = io.StringIO()
    well = machine(tmp_path, environment={"DISPLAY": ":0"})
    assert doctor(tmp_path / "table.toml", data=tmp_path, as_json=True, out=out, machine=well) == 0
    assert "has no node" in out.getvalue()
    bad = machine(tmp_path, environment={"SDL_VIDEODRIVER": "dummy"})
    assert doctor(tmp_path / "table.toml", data=tmp_path, as_json=True, out=out, machine=bad) == 1


def test_a_node_and_a_missing_port_in_json(tmp_path: Path) -> None:
    node = SerialNode(Cable(), "realm", ["slot/valley.1"], firmware="1.2.3")
    with alive(node):
        device = node.cable.plug()
        text = SERIAL.format(device) + SERIAL.format("/dev/ttyACM-none").replace("realm", "other")
        (tmp_path / "table.toml").write_text('table = "home"\n' + text)
        done = run_companion(
            "doctor", "--json", "--table", str(tmp_path / "table.toml"), "--data", str(tmp_path)
        )
    assert (done.returncode, done.stderr) == (1, "")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(set(entry) == KEYS for entry in found)
    assert {entry["level"] for entry in found} <= {"ok", "warn", "fail"}
    assert all(entry["mend"] for entry in found if entry["level"] != "ok")
    texts = {(entry["check"], entry["level"]): entry["text"] for entry in found}
    assert 'node "other": /dev/ttyACM-none is not there' in texts["serial", "fail"]
    assert f'node "realm": {device} is there and free' in texts["serial", "ok"]
    assert "realm 1.2.3" in texts["nodes", "ok"]
    assert 'node "other" is offline' in texts["nodes", "fail"]
    assert texts["readers", "ok"].startswith("1 of 1 read well")


@pytest.mark.parametrize("text", ["table = 3\n", None])
def test_a_table_file_that_can_not_be_used_is_status_2(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "table.toml"
    if text is not None:
        path.write_text(text)
    done = run_companion("doctor", "--table", str(path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"companion: {path}")
    assert done.stderr.count("\n") == 1


# Guards


def breaks(_case: Case) -> Iterator[Finding]:
    yield Finding("first", "ok", "so far")
    raise ZeroDivisionError("of a driver\nwith a long story")


def test_a_check_that_breaks_ends_no_other(tmp_path: Path) -> None:
    fine = Check("fine", lambda _case: [Finding("fine", "ok", "it is")])
    first, broken, last = findings([Check("broken", breaks), fine], case(machine(tmp_path)))
    assert (first.text, last.text) == ("so far", "it is")
    assert broken.level == "warn"
    assert broken.text == "could not be checked (ZeroDivisionError: of a driver)"


def test_a_check_that_hangs_is_left(tmp_path: Path) -> None:
    stuck = threading.Event()

    def hangs(_case: Case) -> Iterator[Finding]:
        stuck.wait(30)
        yield Finding("stuck", "ok", "late")

    [finding] = findings([Check("stuck", hangs, 0.05)], case(machine(tmp_path)))
    stuck.set()
    assert (finding.level, finding.text) == ("warn", "not done within 0.05 s")


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.look.__name__)
@pytest.mark.parametrize("garbage", [False, True], ids=["nothing", "garbage"])
def test_no_check_breaks_on_a_strange_machine(tmp_path: Path, check: Check, garbage: bool) -> None:  # noqa: FBT001
    if check.limit_s >= 30:
        return  # broker and readers look at no files of the machine
    if garbage:
        files = {
            **dict.fromkeys(
                (
                    *(
                        "/proc/bus/input/devices",
                        "/proc/device-tree/model",
                        "/proc/12/comm",
                        "/proc/12/cmdline",
                    ),
                    *("/proc/12/fd/3", "/sys/class/tty/ttyUSB0/device/idVendor", "/boot/firmware/config.txt"),
                    *(
                        "/sys/module/spidev/parameters/bufsiz",
                        "/sys/class/thermal/t/temp",
                        "/etc/mosquitto/x.conf",
                    ),
                    *("/sys/class/hwmon/h/name", "/dev/dri/card0", "/dev/input/event0"),
                ),
                "=\x00:\n\n\ufffd zz =\n",
            ),
            "/dev/serial/by-id/loop": "-> loop",
        }
        put(tmp_path, files)
    made = machine(tmp_path, now_s=NOW_S, commands={"vcgencmd": "throttled=zz"}, distributions={})
    node = SERIAL.format("/dev/serial/by-id/loop")
    for looked_at in (case(made), case(made, node)):
        for finding in findings([check], looked_at):
            assert "could not be checked" not in finding.text


def test_this_machine_can_be_looked_at() -> None:
    here = this_machine()
    assert {"kivy", "paho-mqtt", "pyserial"} <= set(here.distributions)
    assert here.kivy is not None
    assert (here.kivy / "core" / "window").is_dir()
    assert here.run(["no-such-command"]) is None
    assert here.run(["false"]) is None
    assert (here.run(["echo", "yes"]) or "").strip() == "yes"
