"""Room, rights, and the journal on a copy."""

from pathlib import Path

import pytest

from companion.doctor import storage
from companion.session.entries import Entry
from companion.session.journal import FILE, Journal
from companion.session.lock import FolderLock
from tests.doctor.made_up import NOW_S, case, found, levels, machine


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    journal = Journal(folder)
    journal.append(Entry(seq=1, game=1, kind="setup", body="{}", at_ms=int(NOW_S * 1000)))
    for seq in range(2, 60):
        journal.append(Entry(seq=seq, game=1, kind="do", body='{"action": "move"}' * 20, at_ms=seq))
    journal.close()
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_folder_with_room_is_well_even_before_it_is_there(tmp_path: Path) -> None:
    assert levels(found(storage.disk, case(machine(tmp_path), data=tmp_path / "not" / "yet"))) == ["ok"]


def test_a_folder_that_can_not_be_written_is_named(tmp_path: Path) -> None:
    [finding] = found(storage.disk, case(machine(tmp_path), data=Path("/proc/companion")))
    assert (finding.level, "can't be written" in finding.text) == ("fail", True)


@pytest.mark.parametrize(("free", "level"), [(1_000_000, "fail"), (100_000_000, "warn"), (10**9, "ok")])
def test_little_room_is_named(tmp_path: Path, free: int, level: str) -> None:
    assert levels(found(storage.disk, case(machine(tmp_path, free_bytes=free)))) == [level]


def test_a_sound_journal_is_counted_and_left_alone(tmp_path: Path, data: Path) -> None:
    before = contents(data)
    [finding] = found(storage.journal, case(machine(tmp_path), data=data))
    assert (finding.level, finding.text) == ("ok", "sound, 59 steps")
    assert contents(data) == before


def test_a_damaged_journal_is_told_and_left_alone(tmp_path: Path, data: Path) -> None:
    path = data / FILE
    text = bytearray(path.read_bytes())
    at = text.rindex(b'{"action": "move"}')
    text[at + 3] ^= 0x01
    path.write_bytes(text)
    before = contents(data)
    [finding] = found(storage.journal, case(machine(tmp_path), data=data))
    assert finding.level == "warn"
    assert "checksum" in finding.text
    assert str(path) in finding.text
    assert contents(data) == before


def test_the_journal_of_a_running_companion_is_not_touched(tmp_path: Path, data: Path) -> None:
    lock = FolderLock(data)
    try:
        [finding] = found(storage.journal, case(machine(tmp_path), data=data))
    finally:
        lock.release()
    assert (finding.level, "is running" in finding.text) == ("ok", True)


def test_steps_of_tomorrow_show_a_clock_that_went_back(tmp_path: Path, data: Path) -> None:
    [finding] = found(storage.journal, case(machine(tmp_path, now_s=NOW_S - 86_400), data=data))
    assert (finding.level, "the clock went back" in finding.text) == ("warn", True)


def test_no_games_yet_is_well(tmp_path: Path) -> None:
    assert levels(found(storage.journal, case(machine(tmp_path)))) == ["ok"]


def test_a_tag_list_that_can_not_be_used_is_told_and_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "tags.csv").write_text("uid,component\n04A3,spirit/harmony\n")
    before = contents(folder)
    [finding] = found(storage.tags, case(machine(tmp_path), data=folder))
    assert (finding.level, "tags.csv:2" in finding.text) == ("fail", True)
    assert contents(folder) == before
    (folder / "tags.csv").write_text("uid,component\n04A3C6CAE26180,spirit/harmony\n")
    [finding] = found(storage.tags, case(machine(tmp_path), data=folder))
    assert finding.text.startswith("1 tags registered")
