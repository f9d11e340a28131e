"""The bridge as a child of the app, as a real process; the broker that it looks for is not there."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.bridge_process import BridgeProcess
from tests.support.bus import wait_until
from tests.support.mosquitto import free_port


@pytest.fixture
def bridge(tmp_path: Path) -> Iterator[BridgeProcess]:
    table = tmp_path / "table.toml"
    table.write_text('table = "home"\n[[node]]\nname = "virtual"\nkind = "virtual"\n')
    bridge = BridgeProcess(table, f"mqtt://127.0.0.1:{free_port()}", "secret")
    bridge.start()
    wait_until(lambda: bridge._process is not None, "started")
    yield bridge
    bridge.stop()


def pid(bridge: BridgeProcess) -> int:
    assert bridge._process is not None
    return bridge._process.pid


def test_a_bridge_that_is_killed_is_started_again(bridge: BridgeProcess) -> None:
    first = pid(bridge)
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: pid(bridge) != first, "another one")


def test_it_ends_when_told_to_also_while_the_next_one_is_due(bridge: BridgeProcess) -> None:
    os.kill(pid(bridge), signal.SIGKILL)
    bridge.stop()
    bridge.stop()
    assert not bridge._thread.is_alive()
    assert bridge._process is not None
    assert bridge._process.poll() is not None
