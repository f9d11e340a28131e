"""Frames of the serial line between a node and the bridge: `<verb> <seq> <json> *<crc32>` and a newline.

Both ends import this one file, the bridge on CPython and the node on MicroPython, so it keeps to what both
have: no typing, no dataclasses, no bytes formatting.
"""

import binascii
import json

PROTOCOL = 1
"""The version of what the frames say, told in `H`; another number is refused by name."""

BAUD = 115200

MAX_LINE_BYTES = 1024
"""Of a whole line, its newline included."""

MAX_SEQ = 65535

_CHECKSUM_BYTES = 10  # " *" and eight digits


class FrameError(ValueError):
    """A line that is no frame, or a frame that can't be written; its text is one of a few reasons."""


def next_seq(seq: int) -> int:
    """Return the number after `seq`: it starts with 1 (`seq` is 0 then), and after 65535 comes 1 again."""
    return seq % MAX_SEQ + 1


def encode(verb: str, seq: int, payload: dict[str, object]) -> bytes:
    """Write a frame.

    Args:
        verb: one letter from A to Z.
        seq: 0 to 65535.
        payload: what JSON can hold.

    Returns:
        The line with its newline.

    Raises:
        FrameError: it would be longer than a line may be, or hold something besides ASCII (MicroPython's JSON
            escapes no other characters; CPython's does).
    """
    head = verb + " " + str(seq) + " " + json.dumps(payload, separators=(",", ":"))
    body = head.encode()
    if not _is_plain(body):
        raise FrameError("not plain ASCII")
    line = body + _checksum(body) + b"\n"
    if len(line) > MAX_LINE_BYTES:
        raise FrameError("too long")
    return line


def decode(line: bytes) -> tuple[str, int, dict[str, object]]:
    r"""Read a frame.

    Args:
        line: with or without its newline; a `\r` before it, which terminals add, is let pass.

    Returns:
        Verb, number and payload. Whether verb and payload mean anything is not looked at.

    Raises:
        FrameError: it is none; no part of it is to be trusted then.
    """
    if len(line) > MAX_LINE_BYTES:
        raise FrameError("too long")
    line = _without_ending(line)
    if not line:
        raise FrameError("empty")
    if not _is_plain(line):
        raise FrameError("not plain ASCII")
    body = line[:-_CHECKSUM_BYTES]
    if line[-_CHECKSUM_BYTES : -_CHECKSUM_BYTES + 2] != b" *":
        raise FrameError("no checksum")
    if line[-_CHECKSUM_BYTES:] != _checksum(body):
        raise FrameError("wrong checksum")
    parts = body.decode().split(" ", 2)
    if len(parts) != 3 or len(parts[0]) != 1 or not "A" <= parts[0] <= "Z":
        raise FrameError("no verb, number and JSON")
    return parts[0], _number(parts[1]), _object(parts[2])


class Splitter:
    """Bytes in, whole lines out, however they are cut.

    What is longer than a line is skipped to the next newline. It holds at most one line, so neither noise nor
    a flood makes it grow.

    Attributes:
        overlong: how many lines were skipped so far.
    """

    def __init__(self) -> None:
        self.overlong = 0
        self._rest = b""
        self._skipping = False

    def feed(self, data: bytes) -> list[bytes]:
        """Take in what has come; returns the lines that it completes, without their newlines."""
        lines = (self._rest + data).split(b"\n")
        self._rest = lines.pop()
        if self._skipping and lines:
            self._skipping = False
            lines.pop(0)
        whole = [line for line in lines if len(line) < MAX_LINE_BYTES]
        self.overlong += len(lines) - len(whole)
        if self._skipping or len(self._rest) >= MAX_LINE_BYTES:
            self.overlong += not self._skipping
            self._skipping = True
            self._rest = b""
        return whole

    def reset(self) -> None:
        """Forget what is unfinished: what comes next is from another connection."""
        self._rest = b""
        self._skipping = False


def _checksum(body: bytes) -> bytes:
    return f" *{binascii.crc32(body):08X}".encode()


def _is_plain(line: bytes) -> bool:
    return min(line) >= 0x20 and max(line) < 0x7F


def _without_ending(line: bytes) -> bytes:
    if line.endswith(b"\n"):
        line = line[:-1]
    if line.endswith(b"\r"):
        line = line[:-1]
    return line


def _number(text: str) -> int:
    if not text.isdigit() or len(text) > 5 or (text[0] == "0" and text != "0") or int(text) > MAX_SEQ:
        raise FrameError("number out of range")
    return int(text)


def _object(text: str) -> dict[str, object]:
    try:
        payload = json.loads(text)
    except (ValueError, RuntimeError):  # RuntimeError: nested deeper than the parser goes
        payload = None
    if not isinstance(payload, dict):
        raise FrameError("not a JSON object")
    return payload
