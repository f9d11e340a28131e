"""Text on tags: read and written over simulated chips and NTAG213 memories."""

import pytest

from hardware.reader import Present
from hardware.rfid.ndef import in_block, text_message
from hardware.rfid.type2 import TagText
from hardware.simulated.field import RandomDisturbance, ScriptedDisturbance, Strike
from hardware.simulated.memory import NtagMemory
from tests.hardware.rig import NTAG, Rig, dice, rig, uids

TEXT = "companion:emotion/bliss/kindness/1"
UID = bytes.fromhex(NTAG)


def _table(*others: str, text: str = TEXT, field_off: bool = False) -> Rig:
    table = rig(NTAG, *others, field_off=field_off)
    _memory(table).fill(bytes.fromhex("0103A00C34") + in_block(text_message(text)))
    table.poll()
    return table


def _memory(table: Rig) -> NtagMemory:
    memory = table.field.tag(NTAG).memory
    assert memory is not None
    return memory


@pytest.mark.parametrize("others", [(), ("04A3C611223344", "01020304", "04A3C6CAE26181")])
def test_the_text_of_a_tag_is_read_also_beside_others_and_the_next_poll_sees_all(
    others: tuple[str, ...],
) -> None:
    table = _table(*others)

    assert table.reader.read_text(UID) == TagText(TEXT)
    assert table.poll() == Present(uids(NTAG, *others))


def test_reading_a_text_takes_five_reads_at_most_and_under_30_ms() -> None:
    table = _table()
    start_s = table.board.clock.now_s()

    table.reader.read_text(UID)

    assert table.board.clock.now_s() - start_s < 0.03


@pytest.mark.parametrize("strike", list(Strike), ids=[strike.name for strike in Strike])
@pytest.mark.parametrize("frame", range(12))
def test_f_25_one_disturbed_frame_does_not_lose_the_text(frame: int, strike: Strike) -> None:
    table = _table()
    table.field.disturbance = ScriptedDisturbance(*[None] * frame, strike)

    assert table.reader.read_text(UID) == TagText(TEXT)


def test_among_many_disturbed_frames_a_text_is_right_or_missing_and_the_time_bounded() -> None:
    table = _table()
    table.field.disturbance = RandomDisturbance(0.3, dice(5))
    results, longest_s = [], 0.0
    for _ in range(60):
        start_s = table.board.clock.now_s()
        results.append(table.reader.read_text(UID))
        longest_s = max(longest_s, table.board.clock.now_s() - start_s)

    assert {result.text for result in results} <= {TEXT, None}
    assert sum(result.text == TEXT for result in results) >= 30
    assert all(result.reason for result in results if result.text is None)
    assert longest_s < 0.6


def test_a_tag_without_a_text_says_so() -> None:
    table = rig(NTAG)
    table.poll()

    assert table.reader.read_text(UID) == TagText(None, "no text record that begins with companion:")
    _memory(table).fill(b"\xfe")
    assert table.reader.read_text(UID) == TagText(None, "no NDEF message")
    _memory(table).fill(b"")
    assert table.reader.read_text(UID) == TagText(None, "no NDEF message")


def test_a_tag_without_a_capability_container_says_what_to_do() -> None:
    table = _table()
    _memory(table).pages[12:16] = bytes(4)

    assert "format it" in table.reader.read_text(UID).reason


def test_a_tag_that_knows_no_read_is_none_with_a_reason() -> None:
    table = rig("01020304")
    table.poll()

    assert table.reader.read_text(bytes.fromhex("01020304")) == TagText(None, "page 3: no answer")


def test_a_tag_that_is_not_there_is_none_with_a_reason_and_the_others_stay() -> None:
    table = _table()

    result = table.reader.read_text(bytes.fromhex("04A3C611223344"))

    assert result.text is None
    assert result.reason
    assert table.poll() == Present(uids(NTAG))


def test_a_reader_that_is_not_well_reads_no_text() -> None:
    table = rig(NTAG)
    assert table.reader.read_text(UID) == TagText(None, "not opened yet")


def test_a_text_is_read_where_the_field_is_off_between_polls() -> None:
    table = _table(field_off=True)

    assert table.reader.read_text(UID) == TagText(TEXT)
    assert not table.field.powered


def test_a_text_is_written_kept_behind_the_control_block_and_read_back() -> None:
    table = rig(NTAG)
    table.poll()

    assert table.reader.write_text(UID, TEXT) == TagText(TEXT)
    assert _memory(table).area.startswith(bytes.fromhex("0103A00C34") + in_block(text_message(TEXT)))
    assert table.poll() == Present(uids(NTAG))


def test_the_length_is_written_last_so_that_a_tag_lifted_half_way_holds_no_text() -> None:
    table = _table(text="companion:spirit/willow")
    _memory(table).writes.clear()

    table.reader.write_text(UID, TEXT)

    length_page = 4 + 6 // 4
    writes = _memory(table).writes
    assert writes[0] == writes[-1] == length_page
    assert writes.count(length_page) == 2


@pytest.mark.parametrize("strike", list(Strike), ids=[strike.name for strike in Strike])
@pytest.mark.parametrize("frame", range(0, 30, 3))
def test_one_disturbed_frame_does_not_spoil_a_writing(frame: int, strike: Strike) -> None:
    table = rig(NTAG)
    table.poll()
    table.field.disturbance = ScriptedDisturbance(*[None] * frame, strike)

    assert table.reader.write_text(UID, TEXT) == TagText(TEXT)


@pytest.mark.parametrize("page", [5, 9, 14, 16])
def test_a_tag_with_a_locked_page_is_refused_before_anything_is_written(page: int) -> None:
    table = rig(NTAG)
    table.poll()
    _memory(table).lock(page)

    result = table.reader.write_text(UID, TEXT + "/with/a/longer/name/than/usual")

    assert result.text is None
    assert "locked" in result.reason
    assert _memory(table).writes == []


def test_a_tag_that_says_it_is_read_only_is_refused() -> None:
    table = rig(NTAG)
    table.poll()
    _memory(table).pages[15] = 0x0F

    assert "read-only" in table.reader.write_text(UID, TEXT).reason


def test_a_text_that_does_not_fit_is_refused() -> None:
    table = rig(NTAG)
    table.poll()

    assert "do not fit" in table.reader.write_text(UID, "companion:" + "x" * 130).reason
    assert _memory(table).writes == []
