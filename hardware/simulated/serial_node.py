"""A node as it looks from its cable: the frames of one that works, without readers behind them.

The real firmware, on a real MicroPython, is tried elsewhere; this one also does what a good node never does:
speaks another version, takes another one's name, starts again when its port is opened.
"""

import threading
from collections.abc import Sequence
from typing import Any, Final

from hardware.firmware.frames import PROTOCOL, FrameError, Splitter, decode, encode, next_seq
from hardware.simulated.cable import Cable

SAY_EVERY_S: Final = 1.0
"""Contracts, section 5."""


class SerialNode:
    """Says who it is when asked, and what it is told lies there on each change and once a second.

    Args:
        cable: what it hangs on.
        name: who it says it is.
        spaces: what it says it has.
        firmware: the version that it says.
        protocol: of the frames; other numbers are for trying what becomes of them.
        start_s: how long it needs to start.
        resets_on_open: whether it starts again when its port is opened, as boards do whose reset hangs on
            DTR.
    """

    def __init__(
        self,
        cable: Cable,
        name: str,
        spaces: Sequence[str],
        *,
        firmware: str = "1.0.0",
        protocol: int = PROTOCOL,
        start_s: float = 0.0,
        resets_on_open: bool = False,
    ) -> None:
        self.cable = cable
        self.name = name
        self.spaces = tuple(spaces)
        self.firmware = firmware
        self.protocol = protocol
        self.lights: dict[str, Any] = {}
        """As the last `L` said."""
        self.heard: list[str] = []
        """The verbs of the frames that came."""
        self.starts = 0
        self.is_mute = False
        """Whether it hangs."""
        self._start_s = start_s
        self._resets_on_open = resets_on_open
        self._lock = threading.Lock()
        self._states: dict[str, dict[str, Any]] = {s: {"tags": [], "state": "ok"} for s in spaces}
        self._splitter = Splitter()
        self._seq = 0
        self._opens = 0
        self._up_at_s = float("inf")
        self._greeted = False
        self._say_at_s = 0.0

    def start(self, now_s: float) -> None:
        """Start, or start again."""
        with self._lock:
            self._start(now_s)

    def lay(self, space: str, *tags: str, state: str = "ok") -> None:
        """Make exactly these tags lie on a space."""
        with self._lock:
            self._states[space] = {"tags": list(tags), "state": state}
            self._say_at_s = 0.0

    def work(self, now_s: float) -> None:
        """Do what is due; to be called again and again."""
        with self._lock:
            if self.cable.look() and self.cable.opens != self._opens and self._resets_on_open:
                self._start(now_s)
            self._opens = self.cable.opens
            lines = self._splitter.feed(self.cable.receive())
            if now_s >= self._up_at_s and not self.is_mute:
                self._speak(lines, now_s)
        self.cable.deliver(now_s)

    def _start(self, now_s: float) -> None:
        self.starts += 1
        self.lights = {}
        self._seq = 0
        self._greeted = False
        self._up_at_s = now_s + self._start_s
        self._splitter = Splitter()

    def _speak(self, lines: Sequence[bytes], now_s: float) -> None:
        if not self._greeted:
            self._greeted = True
            self._say_hello(now_s)
        for line in lines:
            try:
                verb, _, payload = decode(line)
            except FrameError:
                continue
            self.heard.append(verb)
            if verb == "Q":
                self._say_hello(now_s)
            elif verb == "L":
                self.lights = payload
        if now_s >= self._say_at_s:
            self._say("S", dict(self._states), now_s)
            self._say_at_s = now_s + SAY_EVERY_S

    def _say_hello(self, now_s: float) -> None:
        hello = {
            "node": self.name,
            "boot": f"{self.starts:04x}",
            "firmware": self.firmware,
            "protocol": self.protocol,
            "spaces": list(self.spaces),
        }
        self._say("H", hello, now_s)
        self._say_at_s = 0.0

    def _say(self, verb: str, payload: dict[str, Any], now_s: float) -> None:
        self._seq = next_seq(self._seq)
        self.cable.send(encode(verb, self._seq, payload), now_s)
