"""A Pico with the node's firmware on a real MicroPython, its SPI lines ending in simulated chips.

MicroPython (WebAssembly, run by node.js) is a process of its own; what it does to pins, SPI, lights, watchdog
and its USB line comes here, and the USB line goes on through a simulated cable: a real pseudo-terminal.
Time is real on both sides.
"""

import os
import shutil
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final

import pytest

from hardware.boards.pico import PICO_A, PicoBoard, Plug
from hardware.errors import SimulationError
from hardware.simulated.cable import Cable
from hardware.simulated.chip import Chip
from hardware.simulated.field import Field

HOME: Final = Path(__file__).parent.parent / "micropython"
WAIT_S: Final = 0.002
"""How long the answer to a MicroPython that waits for its line takes."""

has_micropython: Final = shutil.which("node") is not None and (HOME / "node_modules").is_dir()
# Never skipped in CI: .ci/run installs nodejs and npm, and any skip fails there.
needs_micropython: Final = pytest.mark.skipif(
    not has_micropython, reason="apt install nodejs npm (then make test gets MicroPython)"
)


def run_micropython(folder: Path, *programs: str, timeout_s: float = 60) -> str:
    """Run programs of a folder that is MicroPython's whole file system; return what they printed.

    Raises:
        AssertionError: it ended with an exception.
    """
    printed = bytearray()
    process, questions, answers = _start(folder, *programs)
    killer = threading.Timer(timeout_s, process.kill)
    killer.start()
    with questions, answers:
        for question in questions:
            what, _, rest = question.decode().strip().partition(" ")
            if what == "say":
                printed += bytes.fromhex(rest)
            answers.write(b"\n")
    killer.cancel()
    _, errors = process.communicate()
    assert process.returncode == 0, errors.decode() + printed.decode()
    return printed.decode()


def _start(folder: Path, *programs: str) -> tuple[subprocess.Popen[bytes], IO[bytes], IO[bytes]]:
    question_out, question_in = os.pipe()
    answer_out, answer_in = os.pipe()
    # node.js knows descriptors by number: 3 and 4.
    command = f'exec 3>&{question_in} 4<&{answer_out}; exec node "$@"'
    process = subprocess.Popen(
        ["/bin/bash", "-c", command, "node", str(HOME / "run.mjs"), str(folder), *programs],
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        pass_fds=(question_in, answer_out),
    )
    os.close(question_in)
    os.close(answer_out)
    return process, os.fdopen(question_out, "rb"), os.fdopen(answer_in, "wb", buffering=0)


class SimulatedPico:
    """One Pico with its readers.

    Args:
        folder: what lies on its flash.
        spaces: what its readers stand below, in the order of their plugs.
        board: its wiring.
    """

    def __init__(self, folder: Path, spaces: Sequence[str], board: PicoBoard = PICO_A) -> None:
        self.cable = Cable()
        self.fields = {space: Field(seed=number) for number, space in enumerate(spaces)}
        self.chips = {space: Chip(field) for space, field in self.fields.items()}
        self.lights: bytes = b""
        """Red, green and blue of each light."""
        self.starts = 0
        self.transfers = 0
        self.sweeps = 0
        """Times the watchdog was fed."""
        self.hangs = False
        """Whether the next SPI transfer never ends."""
        self.interrupted = False
        """Whether Ctrl-C is typed at its prompt next."""
        self.ends = 0
        """Times its program ended by itself, so that its prompt is there."""
        self.errors: list[str] = []
        self._folder = folder
        self._board = board
        self._plugged: list[tuple[Plug, Chip]] = list(zip(board.plugs, self.chips.values(), strict=True))
        self._levels: dict[int, int] = {}
        self._busy_until_s = 0.0
        self._bark_at_s = float("inf")
        self._watchdog_s = 0.0
        self._stop = False
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._threads = [
            threading.Thread(target=self._live, name="pico", daemon=True),
            threading.Thread(target=self._watch, name="watchdog", daemon=True),
        ]

    def start(self) -> None:
        """Give it power."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Take its power away.

        Raises:
            AssertionError: its firmware did what the real parts refuse, or ended.
        """
        self._stop = True
        self._kill()
        for thread in self._threads:
            thread.join()
        self.cable.unplug()
        assert not self.errors, self.errors

    def brown_out(self) -> None:
        """Take its power away and give it back: it starts again, and so do its chips."""
        for chip in self.chips.values():
            chip.glitch()
        self._kill()

    def _kill(self) -> None:
        with self._lock:
            if self._process is not None:
                self._process.kill()

    # ---- its life ----------------------------------------------------------------------------------------

    def _live(self) -> None:
        while not self._stop:
            self._levels.clear()
            self._bark_at_s = float("inf")
            with self._lock:
                self._process, questions, answers = _start(self._folder, "/main.py")
            self.starts += 1
            with questions, answers:
                reset = self._serve(questions, answers)
            self._process.kill()
            _, errors = self._process.communicate()
            # After a reset it may be gone by itself before it is killed.
            self.ends += not reset and self._process.returncode == 0
            if errors:
                self.errors.append(errors.decode())
                return

    def _serve(self, questions: IO[bytes], answers: IO[bytes]) -> bool:
        """Answer what it asks for until it stops asking; whether a reset was the last."""
        for line in questions:
            question, _, outputs = line.decode().strip("\n").partition(";")
            for output in outputs.split():
                self._drive(*map(int, output.split("=")))
            what, *arguments = question.split(" ")
            if what == "reset":
                return True
            try:
                if what == "spi" and self.interrupted:
                    self.interrupted, answer = False, "ctrl-c"
                else:
                    answer = getattr(self, "_on_" + what.replace("-", "_"))(*arguments)
            except SimulationError as error:
                self.errors.append(str(error))
                self._stop = True
                return False
            try:
                answers.write((answer or "").encode() + b"\n")
            except BrokenPipeError:
                return False
        return False

    def _watch(self) -> None:
        while not self._stop:
            if time.monotonic() >= self._bark_at_s:
                self._bark_at_s = float("inf")
                self._kill()
                self.hangs = False
            threading.Event().wait(0.02)

    # ---- what it does ------------------------------------------------------------------------------------

    def _drive(self, pin: int, level: int) -> None:
        self._levels[pin] = level
        for plug, chip in self._plugged:
            if plug.reset == pin:
                chip.reset_pin(level, time.monotonic())

    def _on_spi(self, *arguments: str) -> str:
        spi, sck, mosi, miso, baud, sent = arguments
        while self.hangs and not self._stop:
            threading.Event().wait(0.02)
        self.transfers += 1
        data = bytes.fromhex(sent)
        wired = [
            (plug, chip)
            for plug, chip in self._plugged
            if (plug.sck, plug.mosi) == (int(sck), int(mosi)) and not self._levels.get(plug.cs, 0)
        ]
        if len(wired) != 1:
            raise SimulationError(f"{len(wired)} chips are selected at once")
        plug, chip = wired[0]
        if plug.miso != int(miso) or (-1 if plug.spi is None else plug.spi) != int(spi):
            raise SimulationError(f"{plug.name} is not wired to SPI {spi}, MISO {miso}")
        byte_s = 8 / int(baud)
        start_s = max(time.monotonic(), self._busy_until_s)
        self._busy_until_s = start_s + byte_s * len(data)
        return bytes(chip.transfer(data, start_s, byte_s)).hex()

    def _on_lights(self, pin: str, colours: str) -> None:
        if int(pin) != self._board.lights:
            raise SimulationError(f"no lights hang on GP{pin}")
        self.lights = bytes.fromhex(colours)

    def _on_watchdog(self, timeout_ms: str) -> None:
        self._watchdog_s = int(timeout_ms) / 1000
        self._on_feed()
        self.sweeps = 0

    def _on_feed(self) -> None:
        self.sweeps += 1
        self._bark_at_s = time.monotonic() + self._watchdog_s

    def _on_say(self, data: str) -> None:
        self.cable.send(bytes.fromhex(data), time.monotonic())
        self.cable.deliver(time.monotonic())

    def _on_can_say(self) -> str:
        # Like a Pico: nobody listens, or the buffer is full.
        return str(int(self.cable.look() and self.cable.deliver(time.monotonic())))

    def _on_hear(self) -> str:
        return self.cable.receive().hex()

    def _on_wait(self) -> str:
        threading.Event().wait(WAIT_S)
        return self._on_hear()


def lights_of(pico: SimulatedPico, first: int, count: int) -> list[tuple[int, ...]]:
    """Colours of some lights."""
    return [tuple(pico.lights[3 * n : 3 * n + 3]) for n in range(first, first + count)]


class Prompt:
    """A board with nothing on it, at MicroPython's own prompt: what `mpremote` meets."""

    def __init__(self, folder: Path) -> None:
        self.cable = Cable()
        self.port = self.cable.plug()
        self.resets = 0
        self._process, self._questions, self._answers = _start(folder, "--repl")
        self._thread = threading.Thread(target=self._serve, name="prompt", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Take its power away."""
        self._process.kill()
        self._thread.join()
        self._process.communicate()
        self.cable.unplug()

    def _serve(self) -> None:
        with self._questions, self._answers:
            for line in self._questions:
                what, _, data = line.decode().strip().partition(" ")
                answer = ""
                if what == "say":
                    self.cable.send(bytes.fromhex(data), time.monotonic())
                elif what == "wait":
                    threading.Event().wait(WAIT_S)
                    answer = self.cable.receive().hex()
                else:
                    self.resets += what.startswith("reset")
                self.cable.deliver(time.monotonic())
                self._answers.write(answer.encode() + b"\n")
