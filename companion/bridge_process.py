"""The bridge as a child of the app: started, started again when it ends, and ended with the app."""

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_LOG: Final = logging.getLogger(__name__)

FIRST_PAUSE_S: Final = 0.5
LONGEST_PAUSE_S: Final = 10.0
"""Between the end of a bridge and the start of the next one; doubled each time."""

CALM_S: Final = 60.0
"""A bridge that ran this long was well: the pauses begin anew."""

STOP_WAIT_S: Final = 5.0
"""How long the bridge may take to say goodbye to its nodes before it is killed."""


class BridgeProcess:
    """`firmware-bridge` for one table, kept running.

    Args:
        table_file: the table.
        broker_url: where it connects, without a password.
        password: handed over in the environment, where other users can't read it; None: none.
        arguments: more of them.
        quiet: what it says is not shown: whoever listens to the bus is told the same.
    """

    def __init__(
        self,
        table_file: Path,
        broker_url: str,
        password: str | None,
        *,
        arguments: Sequence[str] = (),
        quiet: bool = False,
    ) -> None:
        self._command = [
            *(sys.executable, "-m", "firmware_bridge", "--stop-on-stdin-eof"),
            *("--table", str(table_file), "--broker", broker_url, *arguments),
        ]
        self._quiet = quiet
        self._environment = dict(os.environ)
        if password is not None:
            self._environment["FIRMWARE_BRIDGE_PASSWORD"] = password
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep_running, name="bridge-process", daemon=True)

    def start(self) -> None:
        """Start the bridge; returns at once."""
        self._thread.start()

    def stop(self) -> None:
        """End the bridge and wait for it."""
        with self._lock:  # Either the thread has started its next one, or it starts none any more.
            self._stopping.set()
            process = self._process
        if process is not None and process.stdin is not None:
            process.stdin.close()
        self._thread.join(STOP_WAIT_S)
        if self._thread.is_alive() and process is not None:
            process.kill()
            self._thread.join(STOP_WAIT_S)

    def _keep_running(self) -> None:
        pause_s = FIRST_PAUSE_S
        while (process := self._started()) is not None:
            began_s = time.monotonic()
            with process:  # closes its standard input afterwards
                status = process.wait()
            if time.monotonic() - began_s > CALM_S:
                pause_s = FIRST_PAUSE_S
            if self._stopping.wait(pause_s):
                return
            _LOG.warning("the bridge to the readers ended (status %s): starting it again", status)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    def _started(self) -> "subprocess.Popen[bytes] | None":
        """Start the bridge; None where it is to stop."""
        with self._lock:
            if not self._stopping.is_set():
                # Its own process group: Ctrl+C ends the app, and the app ends the bridge.
                self._process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stderr=subprocess.DEVNULL if self._quiet else None,
                    env=self._environment,
                    start_new_session=True,
                )
                return self._process
        return None
