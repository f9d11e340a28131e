"""A person at a table, seen from outside: `mosquitto_pub`, `mosquitto_sub` and the `companion` process."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
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
        self._unread: dict[str, deque[dict[str, Any]]] = {}
        self._now: dict[str, dict[str, Any]] = {}
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

    def wait_for(
        self, topic: str, wanted: Callable[[dict[str, Any]], bool], *, within_s: float = WAIT_S
    ) -> dict[str, Any]:
        """Return the first `wanted` message that no earlier wait has passed over, or what holds now."""
        deadline = time.monotonic() + within_s
        while True:
            unread = self._unread.setdefault(topic, deque())
            while unread:
                if wanted(payload := unread.popleft()):
                    return payload
            if topic in self._now and wanted(self._now[topic]):
                return self._now[topic]
            if not self._take(deadline):
                break
        recent = "\n".join(f"{name} {json.dumps(payload)}" for name, payload in self.seen[-14:])
        raise AssertionError(f"nothing on {topic} wanted within {within_s} s; the last messages:\n{recent}")

    def _take(self, deadline: float) -> bool:
        """Take the next line of `mosquitto_sub`; False if none comes in time."""
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            return False
        name, _, text = line.strip().partition(" ")
        name = name.removeprefix(self._root)
        payload = json.loads(text) if text.startswith('{"') else {}
        self._unread.setdefault(name, deque()).append(payload)
        if name in ("game/state", "game/ask") or name.startswith("space/"):
            self._now[name] = payload
        if not name.startswith("space/"):
            self.seen.append((name, payload))
        return True

    def lay(self, space: str, *tags: str) -> None:
        """Put exactly these tags into the field of a simulated reader."""
        self.publish(f"sim/field/{space}", {"tags": list(tags)}, retain=True)

    def command(self, number: str, **what: Any) -> dict[str, Any]:
        self.publish("command/story", {"id": number, **what})
        return self.wait_for("reply/story", lambda reply: reply.get("id") == number)

    def command_until_answered(self, number: str, **what: Any) -> dict[str, Any]:
        """Say a command again and again, as a script does while the app starts; it is carried out once."""
        for _ in range(40):
            self.publish("command/story", {"id": number, **what})
            with suppress(AssertionError):
                return self.wait_for("reply/story", lambda reply: reply.get("id") == number, within_s=0.5)
        raise AssertionError(f"command {number} was never answered")


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

    def wait_started(self) -> None:
        """Wait for the line with which it says where it plays."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if " at the broker " in line:
                return
        raise AssertionError("the companion ended at once")

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
