"""A person at a table, seen from outside: `mosquitto_pub`, `mosquitto_sub` and the `companion` process."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

WAIT_S = 20.0
"""How long a story waits for what must come; it comes in well under a second on an idle machine."""


class Bus:
    """The ordinary Mosquitto clients on one broker, as the role `app`."""

    def __init__(self, port: int, password: str, table: str = "home") -> None:
        self._login = ["-h", "127.0.0.1", "-p", str(port), "-u", "app", "-P", password]
        self._root = f"companion/1/{table}/"
        self._lines: queue.Queue[str] = queue.Queue()
        self.seen: list[tuple[str, dict[str, Any]]] = []
        self._sub = subprocess.Popen(
            ["mosquitto_sub", *self._login, "-q", "1", "-v", "-t", self._root + "#"],
            stdout=subprocess.PIPE,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._sub.stdout is not None
        for line in self._sub.stdout:
            self._lines.put(line)

    def close(self) -> None:
        self._sub.terminate()
        self._sub.wait()
        self._reader.join()
        assert self._sub.stdout is not None
        self._sub.stdout.close()

    def publish(self, topic: str, payload: dict[str, Any] | str, *, retain: bool = False) -> None:
        text = payload if isinstance(payload, str) else json.dumps(payload)
        retained = ["-r"] if retain else []
        subprocess.run(
            ["mosquitto_pub", *self._login, "-q", "1", *retained, "-t", self._root + topic, "-m", text],
            check=True,
        )

    def wait_for(self, topic: str, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the next message on `topic` that is `wanted`, from where the last wait ended."""
        deadline = time.monotonic() + WAIT_S
        while (left_s := deadline - time.monotonic()) > 0:
            try:
                line = self._lines.get(timeout=left_s)
            except queue.Empty:
                break
            name, _, text = line.strip().partition(" ")
            name = name.removeprefix(self._root)
            payload = json.loads(text or "{}") if text.startswith("{") else {}
            self.seen.append((name, payload))
            if name == topic and wanted(payload):
                return payload
        recent = "\n".join(f"{name} {json.dumps(payload)[:300]}" for name, payload in self.seen[-12:])
        raise AssertionError(
            f"nothing on {topic} was as expected within {WAIT_S} s; the last messages:\n{recent}"
        )

    def lay(self, space: str, *tags: str) -> None:
        """Put exactly these tags into the field of a simulated reader."""
        self.publish(f"sim/field/{space}", {"tags": list(tags)}, retain=True)

    def command(self, number: str, **what: Any) -> dict[str, Any]:
        self.publish("command/story", {"id": number, **what})
        return self.wait_for("reply/story", lambda reply: reply.get("id") == number)


class Companion:
    """The `companion` process, headless, on an existing broker."""

    def __init__(self, data: Path, *arguments: str) -> None:
        self.data = data
        self._arguments = arguments
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion.cli", "--headless", "--data", str(self.data), *self._arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )

    def stop(self) -> str:
        """End it as `systemctl stop` would, and return all that it printed."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        text, _ = self.process.communicate(timeout=WAIT_S)
        return text

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=WAIT_S)


def run_companion(*arguments: str, **env: str) -> "subprocess.CompletedProcess[str]":
    """Run one command to its end."""
    return subprocess.run(
        [sys.executable, "-m", "companion.cli", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **env},
        timeout=120,
        check=False,
    )
