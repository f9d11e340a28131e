"""Type A tags at bit level: states, cascade, silence."""

import pytest

from hardware.rfid.crc_a import bcc, with_crc
from hardware.simulated.air import bits_of
from hardware.simulated.tag import Tag, TagState, understand

UID = bytes.fromhex("04A3C6CAE26180")
LEVEL_1 = bytes.fromhex("8804A3C6E9")
LEVEL_2 = bytes.fromhex("CAE26180C9")
REQA, WUPA = (0x26, 7), (0x52, 7)
HLTA = bits_of(with_crc(b"\x50\x00"))


def _tag(uid: bytes = UID) -> Tag:
    tag = Tag(uid)
    tag.power(on=True)
    return tag


def _hear(tag: Tag, frame: tuple[int, int] | bytes) -> bytes | None:
    answer = tag.hear(understand(*(bits_of(frame) if isinstance(frame, bytes) else frame)))
    return None if answer is None else answer[0].to_bytes((answer[1] + 7) // 8, "little")


def _select(code: int, level: bytes) -> bytes:
    return with_crc(bytes([code, 0x70]) + level)


def _activate(tag: Tag) -> None:
    _hear(tag, WUPA)
    _hear(tag, _select(0x93, LEVEL_1))
    _hear(tag, _select(0x95, LEVEL_2))


def test_the_levels_of_04a3c6cae26180_are_those_of_the_field_report() -> None:
    tag = _tag()

    assert _hear(tag, REQA) == b"\x44\x00"
    assert _hear(tag, b"\x93\x20") == LEVEL_1
    assert _hear(tag, _select(0x93, LEVEL_1)) == with_crc(b"\x04")
    assert _hear(tag, b"\x95\x20") == LEVEL_2
    assert _hear(tag, _select(0x95, LEVEL_2)) == with_crc(b"\x00")
    assert tag.state is TagState.ACTIVE


def test_reqa_wakes_idle_only_and_wupa_wakes_halt_too() -> None:
    tag = _tag()
    _activate(tag)
    states = []
    answers = []
    for frame in (HLTA, REQA, WUPA):
        answers.append(_hear(tag, frame))
        states.append(tag.state)

    assert answers == [None, None, b"\x44\x00"]
    assert states == [TagState.HALT, TagState.HALT, TagState.READY_STAR]


@pytest.mark.parametrize("frame", [REQA, WUPA, HLTA, bits_of(b"\x95\x20"), bits_of(b"\x30\x00"), (0x1, 1)])
@pytest.mark.parametrize("halted", [False, True])
def test_a_frame_that_does_not_fit_ready_throws_back_without_a_word(
    frame: tuple[int, int], *, halted: bool
) -> None:
    tag = _tag()
    if halted:
        _activate(tag)
        _hear(tag, HLTA)
    _hear(tag, WUPA)

    assert _hear(tag, frame) is None
    assert tag.state is (TagState.HALT if halted else TagState.IDLE)


@pytest.mark.parametrize("frame", [REQA, WUPA, bits_of(b"\x93\x20"), bits_of(with_crc(b"\x60\x00"))])
@pytest.mark.parametrize("halted", [False, True])
def test_a_frame_that_does_not_fit_active_throws_back_without_a_word(
    frame: tuple[int, int], *, halted: bool
) -> None:
    tag = _tag()
    if halted:
        _activate(tag)
        _hear(tag, HLTA)
    _activate(tag)

    assert _hear(tag, frame) is None
    assert tag.state is (TagState.HALT if halted else TagState.IDLE)


def test_known_bits_that_are_not_its_own_throw_a_tag_back() -> None:
    tag = _tag()
    _hear(tag, REQA)

    assert _hear(tag, b"\x93\x30\x89") is None
    assert tag.state is TagState.IDLE


def test_known_bits_of_its_own_are_answered_by_the_rest() -> None:
    tag = _tag()
    _hear(tag, REQA)
    # 12 known bits: 88 and the low half of 04.
    answer = tag.hear(understand(0x93 | 0x34 << 8 | 0x488 << 16, 28))

    level = int.from_bytes(LEVEL_1, "little")
    assert answer == (level >> 12, 28)


def test_a_select_with_a_broken_crc_is_not_obeyed() -> None:
    tag = _tag()
    _hear(tag, REQA)
    frame = bytearray(_select(0x93, LEVEL_1))
    frame[-1] ^= 1

    assert _hear(tag, bytes(frame)) is None
    assert tag.state is TagState.IDLE


def test_a_tag_without_power_says_nothing() -> None:
    tag = Tag(UID)

    assert _hear(tag, WUPA) is None


def test_ten_byte_uids_take_three_levels() -> None:
    uid = bytes.fromhex("0411223344556677889A")
    tag = _tag(uid)
    assert _hear(tag, REQA) == b"\x84\x00"
    for code, part, sak in ((0x93, b"\x88" + uid[:3], 4), (0x95, b"\x88" + uid[3:6], 4), (0x97, uid[6:], 0)):
        level = part + bytes([bcc(part)])
        assert _hear(tag, bytes([code, 0x20])) == level
        assert _hear(tag, _select(code, level)) == with_crc(bytes([sak]))
    assert tag.state is TagState.ACTIVE


@pytest.mark.parametrize("uid", ["", "0102", "88010203", "01020388040506", "010203040506"])
def test_uids_that_no_tag_can_have_are_refused(uid: str) -> None:
    with pytest.raises(ValueError, match="UID"):
        Tag(bytes.fromhex(uid))


def test_a_last_sak_that_says_the_uid_goes_on_is_refused() -> None:
    with pytest.raises(ValueError, match="SAK"):
        Tag(UID, sak=0x04)


def test_an_active_tag_of_seven_bytes_reads_and_writes_its_pages() -> None:
    tag = _tag()
    _activate(tag)

    assert _hear(tag, with_crc(b"\x30\x03")) == with_crc(bytes.fromhex("E1101200 0103A00C 340300FE 00000000"))
    assert tag.hear(understand(*bits_of(with_crc(b"\xa2\x06abcd")))) == (0x0A, 4)
    assert tag.memory is not None
    assert tag.memory.read(6) == b"abcd" + bytes(12)


@pytest.mark.parametrize("command", [b"\x30\x2d", b"\xa2\x00abcd", b"\xa2\x2dabcd", b"\xa2\x05abcd"])
def test_what_a_memory_refuses_is_answered_by_nak_and_throws_the_tag_back(command: bytes) -> None:
    tag = _tag()
    assert tag.memory is not None
    tag.memory.lock(5)
    _activate(tag)

    assert tag.hear(understand(*bits_of(with_crc(command)))) == (0x00, 4)
    assert tag.state is TagState.IDLE


def test_set_lock_bits_stay_set_and_the_uid_beside_them_stays() -> None:
    tag = _tag()
    memory = tag.memory
    assert memory is not None
    memory.lock(9)
    before = memory.read(2)
    assert before is not None

    assert memory.write(2, bytes(4))
    assert memory.read(2) == before
    assert memory.locked(9)
    assert not memory.locked(8)
