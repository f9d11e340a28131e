"""The node's end of the line over streams that behave like MicroPython's."""

from collections.abc import Callable

import pytest

from hardware.firmware.frames import FrameError, Splitter, decode, encode
from hardware.firmware.line import MAX_RECEIVE_BYTES, PIECE_BYTES, STUCK_US, Line

FRAME = encode("S", 7, {"slot/valley.1": {"tags": ["04A3C6CAE26180"], "state": "ok"}, "spirit/valley": {}})


class Ready:
    def __init__(self, is_ready: Callable[[], bool]) -> None:
        self.is_ready = is_ready
        self.waits: list[int] = []

    def poll(self, timeout_ms: int) -> list[int]:
        self.waits.append(timeout_ms)
        return [1] if self.is_ready() else []


class Usb:
    """Both directions of a port. What is not taken within a write is cut, as on a Pico."""

    def __init__(self) -> None:
        self.incoming = b""
        self.sent = b""
        self.room = 10_000
        self.writes = 0

    def read(self, count: int) -> bytes | None:
        data, self.incoming = self.incoming[:count], self.incoming[count:]
        return data

    def write(self, data: bytes) -> int | None:
        self.writes += 1
        taken = data[: self.room]
        self.room -= len(taken)
        self.sent += taken
        return len(taken)


@pytest.fixture
def usb() -> Usb:
    return Usb()


def line_on(usb: Usb) -> Line:
    return Line(usb, usb, Ready(lambda: bool(usb.incoming)), Ready(lambda: usb.room > 0))


def test_what_comes_is_taken_as_it_is_and_no_more_than_a_bite_at_a_time(usb: Usb) -> None:
    line = line_on(usb)
    data = bytes(range(256)) * 4
    usb.incoming = data
    got = [line.receive() for _ in range(5)]
    assert b"".join(got) == data
    assert len(got[0]) == MAX_RECEIVE_BYTES


@pytest.mark.parametrize("nothing", [None, b"", OSError(11, "EAGAIN")])
def test_a_stream_that_is_ready_and_has_nothing_is_no_fault(nothing: bytes | OSError | None) -> None:
    class Liar(Usb):
        def read(self, count: int) -> bytes | None:  # noqa: ARG002
            if isinstance(nothing, OSError):
                raise nothing
            return nothing

    usb = Liar()
    usb.incoming = b"x"
    assert line_on(usb).receive() == b""


def test_waiting_is_for_whole_milliseconds_and_no_shorter_than_asked(usb: Usb) -> None:
    ready = Ready(lambda: False)
    Line(usb, usb, ready, ready).wait(20_001)
    assert ready.waits == [21]


def test_a_frame_goes_out_in_pieces_of_a_packet(usb: Usb) -> None:
    line = line_on(usb)
    line.send(FRAME, 0)
    assert usb.sent == FRAME
    assert line.is_free
    assert usb.writes == -(-len(FRAME) // PIECE_BYTES)


def test_a_full_buffer_costs_at_most_one_write_that_is_cut(usb: Usb) -> None:
    usb.room = 70
    line = line_on(usb)
    line.send(FRAME, 0)
    assert usb.sent == FRAME[:70]
    writes = usb.writes
    for now_us in range(0, STUCK_US, 50_000):
        line.work(now_us)
    assert usb.writes == writes, "what is full is not written to"
    assert not line.is_free
    usb.room = 10_000
    line.work(STUCK_US // 2)
    assert usb.sent == FRAME
    assert line.is_free


def test_what_is_stuck_too_long_is_given_up_and_the_next_frame_can_be_read(usb: Usb) -> None:
    usb.room = 70
    line = line_on(usb)
    line.send(FRAME, 0)
    line.work(STUCK_US)
    assert line.is_free
    assert line.given_up == 1
    usb.room = 10_000
    newer = encode("S", 8, {"slot/valley.1": {}})
    line.send(newer, STUCK_US)
    cut, whole = Splitter().feed(usb.sent)
    with pytest.raises(FrameError):
        decode(cut)
    assert decode(whole) == ("S", 8, {"slot/valley.1": {}})


def test_a_frame_of_which_nothing_was_taken_leaves_no_trace(usb: Usb) -> None:
    usb.room = 0
    line = line_on(usb)
    line.send(FRAME, 0)
    line.work(STUCK_US)
    usb.room = 10_000
    line.send(FRAME, STUCK_US)
    assert usb.sent == FRAME
    assert usb.writes == -(-len(FRAME) // PIECE_BYTES)


@pytest.mark.parametrize("answer", [None, OSError(5, "EIO")])
def test_a_stream_that_takes_nothing_or_fails_is_tried_again(answer: OSError | None) -> None:
    class Sulky(Usb):
        def write(self, data: bytes) -> int | None:  # noqa: ARG002
            if answer is not None:
                raise answer
            return None

    line = line_on(Sulky())
    line.send(FRAME, 0)
    assert not line.is_free
    line.work(STUCK_US)
    assert line.is_free
    assert line.given_up == 1
