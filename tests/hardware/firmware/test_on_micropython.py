"""The node's files, unmodified, on a real MicroPython over simulated chips; its line is a pseudo-terminal."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hardware.boards.pico import BOARDS, PICO_A, PicoBoard
from hardware.firmware import manifest
from hardware.firmware.frames import FrameError, Splitter, decode, encode
from hardware.firmware.node import FIRMWARE
from tests.support.bus import wait_until
from tests.support.micropython import SimulatedPico, lights_of, needs_micropython, run_micropython

pytestmark = needs_micropython

SPACES = ("slot/valley.1", "slot/valley.2", "slot/valley-cradle", "spirit/valley", "spirit/valley-cradle")
SLOT = SPACES[0]
KINDNESS, COURAGE, DIANA = "04A3C6CAE26180", "04A3C611223344", "5B2E90D1"


class Ear:
    """Whoever has the port open: keeps every frame, speaks when told to."""

    def __init__(self, device: str) -> None:
        self.frames: list[tuple[str, int, dict[str, Any]]] = []
        self.noise: list[bytes] = []
        self._fd = os.open(device, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)
        self._splitter = Splitter()

    def close(self) -> None:
        os.close(self._fd)

    def say(self, verb: str, payload: dict[str, object]) -> None:
        self.say_bytes(encode(verb, 1, payload))

    def say_bytes(self, data: bytes) -> None:
        os.write(self._fd, data)

    def listen(self) -> list[bytes]:
        """Take in what has come; returns all lines so far that are no frame."""
        try:
            data = os.read(self._fd, 65_536)
        except BlockingIOError:
            data = b""
        for line in self._splitter.feed(data):
            try:
                self.frames.append(decode(line))
            except FrameError:
                self.noise.append(line)
        return self.noise

    def said(self, verb: str) -> list[dict[str, Any]]:
        self.listen()
        return [payload for said, _, payload in self.frames if said == verb]

    def wait_for(self, what: Callable[[], object], text: str) -> None:
        wait_until(lambda: bool(what()), f"{text}; heard {self.frames[-3:]} {self.noise[-3:]}", 20)

    def wait_for_state(self, space: str, *tags: str, state: str = "ok") -> None:
        wanted = {"tags": sorted(tags), "state": state}
        self.wait_for(lambda: (said := self.said("S")) and said[-1][space] == wanted, f"{wanted} on {space}")


@pytest.fixture
def flash(tmp_path: Path) -> Path:
    folder = tmp_path / "flash"
    folder.mkdir()
    manifest.stage(folder)
    return folder


@contextmanager
def powered(flash: Path, board: PicoBoard = PICO_A) -> Iterator[tuple[SimulatedPico, Ear]]:
    pico = SimulatedPico(flash, SPACES, board)
    ear = Ear(pico.cable.plug())
    pico.start()
    try:
        yield pico, ear
    finally:
        ear.close()
        pico.stop()


def test_every_file_of_the_list_is_imported_with_nothing_else_there(flash: Path) -> None:
    names = [name.removesuffix(".py").replace("/", ".").removesuffix(".__init__") for name in manifest.FILES]
    lines = [f"import {name}" for name in names]
    (flash / "probe.py").write_text("\n".join([*lines, "import sys", "print(len(sys.modules), sys.version)"]))
    assert "MicroPython v1.2" in run_micropython(flash, "/probe.py")
    files = {str(file.relative_to(flash)) for file in flash.rglob("*.py")}
    assert files == {*manifest.FILES, "main.py", "probe.py"}


def test_the_modules_take_less_than_half_of_a_pico_s_memory(flash: Path) -> None:
    """Pointers are as long as on the RP2040 (32 bits), so the figure is about that of a Pico."""
    (flash / "before.py").write_text("import gc\n")
    (flash / "empty.py").write_text("empty = gc.mem_alloc()\n")
    (flash / "load.py").write_text(
        "from hardware.firmware import config, pico\nfrom hardware.firmware.settings import Settings\n"
        "settings = Settings(config)\n"
    )
    (flash / "after.py").write_text("print(gc.mem_alloc() - empty)\n")
    used = int(run_micropython(flash, "/before.py", "/empty.py", "/load.py", "/after.py"))
    assert 20_000 < used < 192 * 1024 // 2


def test_both_ends_write_and_read_the_same_frames(flash: Path) -> None:
    payload: dict[str, object] = {
        "slot/valley.1": {"tags": [KINDNESS, COURAGE], "state": "ok"},
        "spirit/valley": {},
    }
    (flash / "probe.py").write_text(
        "from hardware.firmware.frames import decode, encode\n"
        f"verb, seq, payload = decode({encode('S', 65535, payload)!r})\n"
        "print(encode(verb, seq, payload).decode(), end='')\n"
    )
    assert decode(run_micropython(flash, "/probe.py").encode()) == ("S", 65535, payload)


def test_it_says_who_it_is_what_lies_there_and_shows_lights(flash: Path) -> None:
    with powered(flash) as (pico, ear):
        pico.fields[SLOT].lay([KINDNESS])
        ear.wait_for_state(SLOT, KINDNESS)
        hello = ear.said("H")[0]
        assert (hello["node"], hello["firmware"], hello["protocol"]) == ("realm-valley", FIRMWARE, 1)
        assert hello["spaces"] == list(SPACES)
        assert ear.frames[0][0] == "H"
        pico.fields["spirit/valley"].lay([DIANA])
        pico.fields[SLOT].lay([KINDNESS, COURAGE])
        ear.wait_for_state("spirit/valley", DIANA)
        ear.wait_for_state(SLOT, KINDNESS, COURAGE)
        pico.fields[SLOT].lay([])
        ear.wait_for_state(SLOT)
        ear.say("L", {SLOT: "green", "spirit/valley": "red"})
        ear.wait_for(lambda: lights_of(pico, 0, 2) == [(0, 63, 0)] * 2, "green")
        assert lights_of(pico, 2, 8) == [(0, 0, 0)] * 4 + [(63, 0, 0)] * 2 + [(0, 0, 0)] * 2
        assert ear.noise == []
        assert [seq for _, seq, _ in ear.frames] == list(range(1, len(ear.frames) + 1))


def test_asked_through_noise_it_answers(flash: Path) -> None:
    with powered(flash) as (_, ear):
        ear.wait_for(lambda: ear.said("S"), "a first state")
        ear.say_bytes(b"AT+GMM\r\n" + b"\xff\x95\xed" * 50 + b"x" * 1200 + b"\n")
        ear.say("Q", {})
        ear.wait_for(lambda: len(ear.said("H")) == 2, "who it is, again")
        first, second = ear.said("H")
        assert first == second, "it has not started again"


def test_a_dead_reader_keeps_its_tags_as_a_fault_and_is_started_again_when_told(flash: Path) -> None:
    with powered(flash) as (pico, ear):
        pico.fields[SLOT].lay([KINDNESS])
        ear.wait_for_state(SLOT, KINDNESS)
        pico.chips[SLOT].unplug()
        ear.wait_for_state(SLOT, KINDNESS, state="fault")
        pico.chips[SLOT].replug()
        ear.say("R", {"space": SLOT})
        ear.wait_for_state(SLOT, KINDNESS)


def test_a_bus_that_hangs_is_ended_by_the_watchdog_and_the_node_starts_again(flash: Path) -> None:
    faster = (
        (flash / "hardware/firmware/pico.py").read_text().replace("WATCHDOG_MS = 8000", "WATCHDOG_MS = 3000")
    )
    (flash / "hardware/firmware/pico.py").write_text(faster)
    with powered(flash) as (pico, ear):
        pico.fields[SLOT].lay([KINDNESS])
        ear.wait_for_state(SLOT, KINDNESS)
        pico.hangs = True
        ear.wait_for(lambda: len(ear.said("H")) == 2, "a second start")
        first, second = ear.said("H")
        assert first["boot"] != second["boot"]
        ear.frames.clear()
        ear.wait_for_state(SLOT, KINDNESS)


def test_after_a_brown_out_it_is_another_start_and_says_all_anew(flash: Path) -> None:
    with powered(flash) as (pico, ear):
        pico.fields[SLOT].lay([KINDNESS])
        ear.wait_for_state(SLOT, KINDNESS)
        pico.brown_out()
        ear.wait_for(lambda: len(ear.said("H")) == 2, "a second start")
        first, second = ear.said("H")
        assert first["boot"] != second["boot"]
        ear.frames.clear()
        ear.wait_for_state(SLOT, KINDNESS)


def test_while_nobody_reads_or_listens_it_goes_on(flash: Path) -> None:
    """A port that is open and not read, then one that nobody has open, then a USB that comes back."""
    with powered(flash) as (pico, ear):
        ear.wait_for(lambda: ear.said("S"), "a first state")
        pico.cable.unplug()
        sweeps = pico.sweeps
        wait_until(lambda: pico.sweeps > sweeps + 30, "sweeps with the cable out")
        pico.fields[SLOT].lay([COURAGE])
        other = Ear(pico.cable.plug())
        try:
            sweeps = pico.sweeps
            wait_until(lambda: pico.sweeps > sweeps + 30, "sweeps while nobody reads")
            other.say("Q", {})
            other.wait_for_state(SLOT, COURAGE)
            other.wait_for(lambda: other.said("H"), "who it is")
        finally:
            other.close()
        assert pico.starts == 1


def test_the_wiring_with_a_miso_line_for_each_reader_works_too(flash: Path) -> None:
    file = flash / manifest.CONFIG
    file.write_text(file.read_text().replace('BOARD = "pico-a"', 'BOARD = "pico-b"'))
    with powered(flash, BOARDS["pico-b"]) as (pico, ear):
        for space in SPACES:
            pico.fields[space].lay([KINDNESS])
        for space in SPACES:
            ear.wait_for_state(space, KINDNESS)


def test_a_configuration_that_can_t_be_used_is_said_along_the_line(flash: Path) -> None:
    file = flash / manifest.CONFIG
    file.write_text(file.read_text().replace("GAIN = 4", "GAIN = 9"))
    with powered(flash) as (pico, ear):
        ear.wait_for(ear.listen, "a complaint")
        assert ear.noise[0] == b"config.py: GAIN: 9 is no whole number from 0 to 7"
        assert pico.transfers == 0


def test_a_program_that_falls_says_so_and_starts_again(flash: Path) -> None:
    node = flash / "hardware/firmware/node.py"
    node.write_text(node.read_text().replace("self._visit(self._visits", "self._visits[99](self._visits"))
    with powered(flash) as (pico, ear):
        ear.wait_for(lambda: any(b"IndexError" in line for line in ear.listen()), "a report")
        wait_until(lambda: pico.starts >= 2, "a second start")


def test_ctrl_c_with_more_behind_it_leaves_the_prompt_to_mpremote(flash: Path) -> None:
    with powered(flash) as (pico, ear):
        ear.wait_for(lambda: ear.said("S"), "a first state")
        pico.interrupted = True
        wait_until(lambda: not pico.interrupted, "Ctrl-C")
        ear.say_bytes(b"\r\x01")
        wait_until(lambda: pico.ends == 1, "an end without a restart of its own")
        assert ear.listen() == [], "and nothing is complained of"


def test_f_62_ctrl_c_alone_is_noise_and_the_node_is_soon_there_again(flash: Path) -> None:
    with powered(flash) as (pico, ear):
        pico.fields[SLOT].lay([KINDNESS])
        ear.wait_for_state(SLOT, KINDNESS)
        pico.interrupted = True
        ear.wait_for(lambda: len(ear.said("H")) == 2, "a second start")
        ear.frames.clear()
        ear.wait_for_state(SLOT, KINDNESS)
        assert (pico.starts, pico.ends) == (2, 0)
