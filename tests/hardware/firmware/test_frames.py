"""The codec of the serial line (contracts, section 5)."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from hardware.firmware.frames import MAX_LINE_BYTES, MAX_SEQ, FrameError, Splitter, decode, encode, next_seq

VECTORS = Path(__file__).parents[2] / "vectors" / "frames"

verbs = st.sampled_from("HSQLR")
seqs = st.integers(0, MAX_SEQ)
words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**31), 2**31) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
payloads = st.dictionaries(words, values, max_size=4)


def lines_of(name: str) -> list[str]:
    text = (VECTORS / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


GOOD = [
    (line.encode(), json.loads(said.removeprefix("= ")))
    for line, said in zip(lines_of("good.txt")[::2], lines_of("good.txt")[1::2], strict=True)
]
BAD = [
    (reason, line.encode().decode("unicode_escape").encode("latin-1"))
    for reason, line in (entry.split("\t") for entry in lines_of("bad.txt"))
]


@pytest.mark.parametrize(("line", "said"), GOOD)
def test_a_golden_frame_says_what_is_written_beside_it(line: bytes, said: list[Any]) -> None:
    assert list(decode(line)) == said
    assert list(decode(line + b"\n")) == said
    assert list(decode(line + b"\r\n")) == said


@pytest.mark.parametrize(("line", "said"), GOOD[:-1])
def test_a_golden_frame_is_what_both_ends_write(line: bytes, said: list[Any]) -> None:
    verb, seq, payload = said
    assert encode(verb, seq, payload) == line + b"\n"


@pytest.mark.parametrize(("reason", "line"), BAD)
def test_a_line_that_is_no_frame_is_refused_with_its_reason(reason: str, line: bytes) -> None:
    with pytest.raises(FrameError, match=f"^{reason}$"):
        decode(line)


@given(verbs, seqs, payloads)
def test_what_is_written_is_read(verb: str, seq: int, payload: dict[str, object]) -> None:
    try:
        line = encode(verb, seq, payload)
    except FrameError:
        reject()  # longer than a line, or a DEL
    assert len(line) <= MAX_LINE_BYTES
    assert line.count(b"\n") == 1
    assert decode(line) == (verb, seq, payload)


@given(verbs, seqs, payloads, st.data())
def test_a_byte_that_becomes_another_one_is_always_noticed(
    verb: str, seq: int, payload: dict[str, object], data: st.DataObject
) -> None:
    line = encode(verb, seq, {"node": str(len(payload))}).rstrip(b"\n")
    at = data.draw(st.integers(0, len(line) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda byte: byte != line[at]))
    with pytest.raises(FrameError):
        decode(line[:at] + bytes([other]) + line[at + 1 :])


@given(seqs, st.data())
def test_a_frame_that_lost_its_end_or_its_begin_is_always_noticed(seq: int, data: st.DataObject) -> None:
    line = encode("S", seq, {"slot/valley.1": {"tags": ["04A3C6CAE26180"], "state": "ok"}}).rstrip(b"\n")
    cut = data.draw(st.integers(1, len(line) - 1))
    for part in (line[:cut], line[cut:]):
        with pytest.raises(FrameError):
            decode(part)


@given(st.binary(max_size=1100))
def test_no_bytes_at_all_upset_the_reader(line: bytes) -> None:
    with pytest.raises(FrameError):
        decode(line)


def test_a_frame_too_long_to_send_is_refused() -> None:
    with pytest.raises(FrameError, match="too long"):
        encode("S", 1, {"x": "y" * MAX_LINE_BYTES})
    room = MAX_LINE_BYTES - len(encode("S", 1, {"x": ""}))
    assert len(encode("S", 1, {"x": "y" * room})) == MAX_LINE_BYTES
    assert decode(encode("S", 1, {"x": "y" * room}))[1] == 1


def test_numbers_count_from_1_and_come_round_after_65535() -> None:
    assert next_seq(0) == 1
    assert next_seq(1) == 2
    assert next_seq(65_534) == 65_535
    assert next_seq(65_535) == 1


@given(st.lists(st.binary(max_size=40).map(lambda line: line.replace(b"\n", b"")), max_size=8), st.data())
def test_lines_come_out_whole_however_they_are_cut(lines: list[bytes], data: st.DataObject) -> None:
    """F-49, F-50: a frame in pieces is neither lost nor taken for two."""
    stream = b"".join(line + b"\n" for line in lines)
    splitter = Splitter()
    found: list[bytes] = []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        found += splitter.feed(stream[:size])
        stream = stream[size:]
    assert found == lines
    assert splitter.overlong == 0


@given(st.integers(1, 3000), st.integers(1, 500))
def test_noise_without_an_end_is_dropped_to_the_next_newline_and_counted_once(length: int, step: int) -> None:
    """F-49: a byte now and then without a newline neither grows for ever nor blocks."""
    splitter = Splitter()
    stream = b"x" * length
    found: list[bytes] = []
    for at in range(0, length, step):
        found += splitter.feed(stream[at : at + step])
        assert len(splitter._rest) < MAX_LINE_BYTES
    assert found == []
    found = splitter.feed(b"\ngood\n")
    assert found[-1] == b"good"
    assert len(found) == (2 if length < MAX_LINE_BYTES else 1)
    assert splitter.overlong == (length >= MAX_LINE_BYTES)
