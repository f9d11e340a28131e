"""Random and mutated lines, and noise, through a pseudo-terminal to a real line.

The full run: `SERIAL_FUZZ_LINES=1000000 pytest -s tests/firmware_bridge/serial/test_fuzz.py` (minutes).
"""

import json
import logging
import os
import sys
import threading
import time
from random import Random
from typing import Any, Final

import pytest

from firmware_bridge.serial.claims import Claims
from firmware_bridge.serial.line import Lines, SerialLine
from firmware_bridge.serial.places import Places
from firmware_bridge.serial.session import Session
from firmware_bridge.serial.wire import Wire
from hardware.firmware.frames import encode
from hardware.simulated.cable import Cable
from hardware.simulated.serial_node import SerialNode
from tests.support.bus import wait_until
from tests.support.nodes import Notes, alive, fact

LINES: Final = int(os.environ.get("SERIAL_FUZZ_LINES", "40000"))
SEED: Final = int(os.environ.get("SERIAL_FUZZ_SEED", "4"))
LINES_A_TIME: Final = 200
HEALED_WITHIN_S: Final = 2.0

KINDNESS = "04A3C6CAE26180"
COURAGE = "04A3C611223344"
NEVER = "04DEADDEADDE80"
"""A tag that lies nowhere: only in frames that must not be believed."""
SLOT, SPIRIT = SPACES = ("slot/valley.1", "spirit/valley")


def mutated(frame: bytes, chance: Random) -> bytes:
    """Return the frame with something wrong somewhere."""
    line = bytearray(frame)
    whole = frame.rstrip(b"\n")
    while any(part.rstrip(b"\r") == whole for part in line.split(b"\n")):
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(line))
            match chance.randrange(5):
                case 0:
                    line[at] ^= chance.randrange(1, 256)
                case 1:
                    del line[at]
                case 2:
                    line.insert(at, chance.randrange(256))
                case 3:
                    line[at:at] = line[at : at + chance.randint(1, 40)]
                case _:
                    del line[at : at + chance.randint(1, 40)]
            line = line or bytearray(b"\n")
    return bytes(line)


def anything(chance: Random, depth: int = 0) -> Any:
    """Return some JSON value: spaces are among it, and what looks like a tag and is none."""
    match chance.randrange(8 if depth < 3 else 5):
        case 0:
            return chance.choice([NEVER[:7], NEVER[:6], f"88{NEVER[:6]}", NEVER.lower(), "", "ok", "fault"])
        case 1:
            return chance.choice([0, -1, 1.5, 10**30, True, None])
        case 2:
            return chance.choice([*SPACES, "pad/1", "slot/nowhere", "realm"])
        case 3 | 4:
            return chance.choice([[], {}, "\u00e9", "\ud800"])
        case 5:
            return [anything(chance, depth + 1) for _ in range(chance.randrange(3))]
        case _:
            keys = [*SPACES, "tags", "state", "node", "x"]
            return {chance.choice(keys): anything(chance, depth + 1) for _ in range(chance.randrange(3))}


class Fuzz:
    """What comes along the line, a line at a time."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def line(self) -> bytes:
        kinds = (self._noise, self._text, self._mutated, self._mutated, self._wrong)
        return self._chance.choice(kinds)()

    def _noise(self) -> bytes:
        size = self._chance.choice([3, 30, 300]) if self._chance.random() < 0.999 else 5000
        return self._chance.randbytes(self._chance.randrange(size)) + self._chance.choice(
            [b"", b"\n", b"\r\n"]
        )

    def _text(self) -> bytes:
        words = [
            b"S",
            b"H",
            b"1",
            b"{",
            b"}",
            b"*",
            b"AT+CGMI",
            NEVER.encode(),
            b" ",
            b'"tags"',
            b"*00000000",
        ]
        return b"".join(self._chance.choices(words, k=self._chance.randrange(20))) + b"\n"

    def _seq(self) -> int:
        return self._chance.randint(0, 65_535)

    def _mutated(self) -> bytes:
        states: dict[str, Any] = {space: {"tags": [NEVER], "state": "ok"} for space in SPACES}
        hello: dict[str, Any] = {
            "node": "realm",
            "boot": "1",
            "firmware": "1",
            "protocol": 1,
            "spaces": list(SPACES),
        }
        frame = self._chance.choice(
            [("S", states), ("S", states), ("H", hello), ("H", hello | {"node": "pads"})]
        )
        return mutated(encode(frame[0], self._seq(), frame[1]), self._chance)

    def _wrong(self) -> bytes:
        """Right checksum, wrong content."""
        states: dict[str, Any] = {space: {"tags": [], "state": "ok"} for space in SPACES}
        match self._chance.randrange(4):
            case 0:
                payload = states | {self._chance.choice([*SPACES, "pad/1"]): {"tags": [NEVER[:8]]}}
            case 1:
                payload = {SLOT: {"tags": [NEVER], "state": "ok"}}
            case 2:
                payload = {"x": anything(self._chance), SLOT: anything(self._chance)}
            case _:
                payload = {"node": "realm", "boot": "1", "protocol": 1, "firmware": "1", "spaces": [NEVER]}
        verb = self._chance.choice("SSHQLRZ") if "node" not in payload else "H"
        try:
            return encode(verb, self._seq(), payload)
        except ValueError:
            return json.dumps(payload).encode()[:900] + b"\n"


@pytest.mark.timeout(3600)
def test_a_fuzzed_line_gives_no_wrong_tag_and_is_right_within_two_seconds(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """F-49, F-50, F-57, F-58, F-59, F-62."""
    caplog.set_level(logging.ERROR)
    chance = Random(SEED)  # noqa: S311
    node, notes = SerialNode(Cable(), "realm", SPACES), Notes()
    lines = Lines(Places({"realm": node.cable.plug()}, list), Claims(["realm"]))
    line = SerialLine("realm", notes, lines)
    line.start()
    lines.start()
    try:
        with alive(node):
            wait_until(lambda: notes.online, "online")
            begin_s = time.monotonic()
            size = _pour(node, Fuzz(chance), chance)
            took_s = time.monotonic() - begin_s
            node.lay(SLOT, COURAGE)
            node.lay(SPIRIT, KINDNESS)
            begin_s = time.monotonic()
            right = {SLOT: fact(COURAGE), SPIRIT: fact(KINDNESS)}
            wait_until(lambda: notes.online and notes.facts == right, "right", HEALED_WITHIN_S)
            healed_s = time.monotonic() - begin_s
            assert line._thread.is_alive()
    finally:
        lines.close()
        line.close()
    seen = {uid.hex().upper() for _, said in notes.said for uid in said.uids}
    assert seen == {KINDNESS, COURAGE}
    assert not caplog.records
    counts = line.session.counts
    assert counts.total() - counts["frames"] > LINES / 10
    sys.stdout.write(
        f"\n{LINES} lines, {size / 1e6:.1f} MB in {took_s:.0f} s; right after {healed_s:.2f} s;"
        f" {counts['frames']} whole frames; {dict(counts)}\n"
    )


def _pour(node: SerialNode, fuzz: Fuzz, chance: Random) -> int:
    """Send it all, as fast as the line takes it; the node goes on saying what lies there."""
    size = 0
    pause = threading.Event()
    for batch in range(LINES // LINES_A_TIME):
        data = b"".join(fuzz.line() for _ in range(LINES_A_TIME))
        size += len(data)
        if batch % 10 == 0:
            node.lay(SLOT, *chance.choice([(), (KINDNESS,), (COURAGE,)]))
        node.cable.send(data, 0.0)
        while not node.cable.deliver(time.monotonic()):
            pause.wait(0.001)
    return size


def test_any_content_with_a_right_checksum_and_number_gives_no_wrong_tag() -> None:
    """What a faulty firmware could say: each frame follows the one before."""
    chance = Random(SEED)  # noqa: S311
    notes, wire = Notes(), Wire()
    claims = Claims(["realm"])
    session = Session(
        "realm", notes, lambda said: claims.admit("realm", "/dev/a", said, lambda _spaces: None)
    )
    session.opened(0.0)
    hello = {"node": "realm", "boot": "1", "firmware": "1", "protocol": 1, "spaces": list(SPACES)}
    states = {space: {"tags": [KINDNESS], "state": "ok"} for space in SPACES}
    bases: dict[str, dict[str, Any]] = {"H": hello, "S": {SPIRIT: states[SPIRIT]}, "Q": {}}
    keys = ("node", "boot", "firmware", "protocol", "spaces", "x", *SPACES)
    for round_ in range(3000):
        good = chance.random() < 0.5
        frames = [wire.write("H", hello)] if good else []
        for verb in chance.choices("HSSSSQ", k=3):
            base = bases[verb]
            try:
                frames.append(wire.write(verb, base | {chance.choice(keys): anything(chance)}))
            except ValueError:
                continue
        session.received(b"".join(frames), float(round_))
        session.tick(float(round_))
        session.take_outgoing()
        assert {uid.hex().upper() for _, said in notes.said for uid in said.uids} <= {KINDNESS}
    session.received(wire.write("H", hello) + wire.write("S", states), 4000.0)
    assert notes.online
    assert notes.facts == dict.fromkeys(SPACES, fact(KINDNESS))
    assert session.counts["unusable states"] > 100
