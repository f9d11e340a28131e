"""The protocol alone, over a radio that says what a script says: what damaged or lying tags can do to it."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.reader import Absent, Present, Reading, Unknown
from hardware.rfid.crc_a import bcc, with_crc
from hardware.rfid.iso14443 import (
    HLTA,
    MAX_FRAMES,
    Answer,
    Collision,
    Fault,
    Silence,
    inventory,
)

Response = Answer | Collision | Fault | Silence


class _Script:
    """Answers by the first bytes of a frame; silence to everything else. Keeps what was sent."""

    def __init__(self, answers: dict[str, Response], default: Response | None = None) -> None:
        self._answers = {bytes.fromhex(start): answer for start, answer in answers.items()}
        self._default = default or Silence()
        self.sent: list[bytes] = []
        self.last_bits: list[int] = []

    def transceive(self, frame: bytes, **how: Any) -> Response:
        self.sent.append(frame)
        self.last_bits.append(how.get("tx_last_bits", 0))
        fitting = [answer for start, answer in self._answers.items() if frame.startswith(start)]
        return fitting[0] if fitting else self._default


def _level(part: str) -> Answer:
    data = bytes.fromhex(part)
    return Answer(data + bytes([bcc(data)]))


def _sak(sak: int) -> Answer:
    return Answer(with_crc(bytes([sak])))


ATQA = Answer(b"\x44\x00")


def _reason(reading: Reading) -> str:
    assert isinstance(reading, Unknown)
    assert not reading.reader_fault
    return reading.reason


def test_a_clean_read_sends_exactly_these_frames() -> None:
    radio = _Script({
        "52": ATQA,
        "9320": _level("8804A3C6"),
        "9370": _sak(0x04),
        "9520": _level("CAE26180"),
        "9570": _sak(0x00),
    })  # fmt: skip

    assert inventory(radio) == Present((bytes.fromhex("04A3C6CAE26180"),))
    assert [frame.hex().upper() for frame in radio.sent] == [
        "52",
        "9320",
        with_crc(bytes.fromhex("93708804A3C6E9")).hex().upper(),
        "9520",
        with_crc(bytes.fromhex("9570CAE26180C9")).hex().upper(),
        "500057CD",
    ]
    assert radio.last_bits == [7, 0, 0, 0, 0, 0]


def test_silence_is_asked_twice_before_it_is_absence() -> None:
    radio = _Script({})

    assert inventory(radio) == Absent()
    assert radio.sent == [b"\x52", b"\x52"]


def test_the_sak_decides_and_not_the_88() -> None:
    radio = _Script({"52": ATQA, "9320": _level("8804A3C6"), "9370": _sak(0x08)})

    assert "begins like a longer UID" in _reason(inventory(radio))


def test_a_sak_that_goes_on_without_a_cascade_tag_is_an_error() -> None:
    radio = _Script({"52": ATQA, "9320": _level("0104A3C6"), "9370": _sak(0x04)})

    assert "goes on" in _reason(inventory(radio))


def test_a_fourth_level_is_an_error() -> None:
    going_on = {f"{code}20": _level("8804A3C6") for code in (93, 95, 97)}
    saks = {f"{code}70": _sak(0x04) for code in (93, 95, 97)}

    assert "goes on" in _reason(inventory(_Script({"52": ATQA, **going_on, **saks})))


def test_f_25_a_bcc_that_does_not_fit_is_an_error_and_nothing_is_selected() -> None:
    radio = _Script({"52": ATQA, "9320": Answer(bytes.fromhex("99BF3FFF00"))})

    assert "BCC" in _reason(inventory(radio))
    assert not any(frame[:2] == b"\x93\x70" for frame in radio.sent)
    assert radio.sent.count(b"\x52") == 2


def test_a_sak_whose_crc_does_not_fit_is_an_error() -> None:
    radio = _Script({"52": ATQA, "9320": _level("01020304"), "9370": Answer(b"\x08\x00\x00")})

    assert "CRC_A" in _reason(inventory(radio))


def test_an_answer_to_hlta_changes_nothing() -> None:
    tag = {"52": ATQA, "9320": _level("01020304"), "9370": _sak(0x08)}
    radio = _Script({**tag, "5000": Answer(b"\x00", last_bits=4)})

    assert inventory(radio) == Present((bytes.fromhex("01020304"),))


def test_a_disturbed_atqa_is_no_reason_to_stop() -> None:
    tag = {"9320": _level("01020304"), "9370": _sak(0x08)}
    for atqa in (Fault("parity"), Collision(None, b""), Collision(7, b"\x00\x00"), Answer(b"\x01", 3)):
        assert inventory(_Script({"52": atqa, **tag})) == Present((bytes.fromhex("01020304"),))


def test_a_reader_fault_ends_the_poll_at_once() -> None:
    radio = _Script({"52": Fault("dead", reader=True)})

    assert inventory(radio) == Unknown("dead", reader_fault=True)
    assert radio.sent == [b"\x52"]


def test_every_failed_try_is_ended_by_hlta() -> None:
    radio = _Script({"52": ATQA})
    inventory(radio)

    assert radio.sent[-1] == HLTA


def test_a_collision_that_never_resolves_ends_within_the_bound() -> None:
    radio = _Script({"52": ATQA}, default=Collision(1, b"\x00" * 5))

    assert isinstance(inventory(radio), Unknown)
    assert len(radio.sent) <= MAX_FRAMES + 4


_RESPONSES: st.SearchStrategy[Response] = st.one_of(
    st.builds(Silence),
    st.builds(Answer, st.binary(max_size=8), st.integers(0, 7)),
    st.builds(Answer, st.binary(min_size=4, max_size=4).map(lambda part: part + bytes([bcc(part)]))),
    st.builds(Answer, st.binary(min_size=1, max_size=1).map(with_crc)),
    st.builds(Collision, st.none() | st.integers(1, 32), st.binary(max_size=8)),
    st.builds(Fault, st.just("noise")),
)


class _Noise(_Script):
    """Says anything at all."""

    def __init__(self, data: st.DataObject) -> None:
        super().__init__({})
        self._data = data

    def transceive(self, frame: bytes, **how: Any) -> Response:
        self.sent.append(frame)
        self.last_bits.append(how.get("tx_last_bits", 0))
        if len(self.sent) > 2 * MAX_FRAMES:
            raise AssertionError("a poll without a bound")
        return self._data.draw(_RESPONSES)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_whatever_comes_back_a_poll_ends_with_one_of_three_readings(data: st.DataObject) -> None:
    reading = inventory(_Noise(data))

    if isinstance(reading, Present):
        assert all(len(uid) in {4, 7, 10} and uid[0] != 0x88 for uid in reading.uids)
    else:
        assert isinstance(reading, Absent | Unknown)
