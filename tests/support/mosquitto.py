"""A real Mosquitto on a free loopback port, started, stopped, killed and started again by a test."""

import getpass
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import pytest

from companion.bus.mosquitto import write_configuration
from companion.bus.roles import ROLES

PASSWORDS: dict[str, str] = {role: f"{role}-secret" for role in ROLES}


def find_mosquitto() -> str:
    """Return the path of the broker's binary; skips the test where there is none (CI turns that to red)."""
    found = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
    if found is None or shutil.which("mosquitto_passwd") is None:
        pytest.skip("mosquitto is not installed: apt install mosquitto")
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Mosquitto:
    """The roles of one table, no persistence: a restart loses every retained message (F-82, F-86)."""

    def __init__(self, folder: Path, table: str = "home", passwords: Mapping[str, str] | None = None) -> None:
        self._binary = find_mosquitto()
        self._folder = folder
        self._passwords = dict(passwords or PASSWORDS)
        self._process: subprocess.Popen[bytes] | None = None
        self.port = free_port()
        self._configuration = write_configuration(
            folder, table=table, port=self.port, passwords=self._passwords, user=getpass.getuser()
        )

    @property
    def url(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}"

    def password(self, role: str) -> str:
        return self._passwords[role]

    def url_for(self, role: str) -> str:
        return f"mqtt://{role}:{self.password(role)}@127.0.0.1:{self.port}"

    def start(self) -> Self:
        with (self._folder / "mosquitto.log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._binary, "-c", str(self._configuration)], stdout=log, stderr=log
            )
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise RuntimeError(f"mosquitto ended: {(self._folder / 'mosquitto.log').read_text()}")
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            except ConnectionRefusedError:
                select_wait()
            else:
                return self
        raise TimeoutError("mosquitto does not answer")

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(10)
            self._process = None

    def kill(self) -> None:
        """Kill it as a power cut would (SIGKILL)."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)
            self._process = None

    def restart(self) -> None:
        """Kill it and start it anew on the same port, with nothing kept."""
        self.kill()
        self.start()


def select_wait() -> None:
    """Give another process a moment, within a loop that has a deadline."""
    threading.Event().wait(0.01)


@contextmanager
def running_mosquitto(folder: Path, table: str = "home") -> Iterator[Mosquitto]:
    broker = Mosquitto(folder, table).start()
    try:
        yield broker
    finally:
        broker.stop()
