"""Where games and tags are kept: room, rights, and whether the journal is sound."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from companion.doctor.finding import Finding, Level
from companion.doctor.machine import Case
from companion.session.errors import SessionError
from companion.session.journal import FILE, Journal
from companion.table.errors import TagListError
from companion.table.registry import FILE as TAGS_FILE
from companion.table.registry import Registry, from_csv

LEAST_FREE_BYTES: Final = 20_000_000
"""A game is some 100 kB; below this other programs of the machine fail first."""
LITTLE_FREE_BYTES: Final = 200_000_000

_TAILS: Final = ("", "-wal")


def disk(case: Case) -> Iterator[Finding]:
    """Check that games can be written."""
    data = case.data
    folder = next(path for path in (data, *data.absolute().parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
        free = case.machine.free_bytes(folder)
    except OSError as error:
        mend = "make it writable (a card that is mounted read-only may be broken), or choose another --data"
        yield Finding("disk", "fail", f"{folder} can't be written: {error.strerror}", mend)
        return
    level: Level = "fail" if free < LEAST_FREE_BYTES else "warn" if free < LITTLE_FREE_BYTES else "ok"
    mend = "" if level == "ok" else "delete what is not needed: sudo apt clean, old logs, old games"
    yield Finding("disk", level, f"{folder}: {free // 1_000_000} MB free", mend)


def journal(case: Case) -> Iterator[Finding]:
    """Check the journal on a copy, so that whatever is found nothing is changed."""
    path = case.data / FILE
    if not path.exists():
        yield Finding("journal", "ok", f"no games yet in {case.data}")
        return
    with tempfile.TemporaryDirectory(prefix="companion-doctor-") as name:
        copy = Path(name)
        try:
            copied = _copy(case.data, copy)
        except OSError as error:
            yield Finding("journal", "fail", f"{path} can't be read: {error.strerror}", f"chown $USER {path}")
            return
        if not copied:
            yield Finding("journal", "ok", "a companion is running; it checked its journal when it started")
            return
        yield _judged(path, copy, case.machine.now_s)


def _judged(path: Path, copy: Path, now_s: float) -> Finding:
    try:
        with closing(Journal(copy, now_ms=int(now_s * 1000))) as found:
            notices, count = found.notices, found.last_seq()
            newest_ms = max((entry.at_ms for entry in found.entries(found.current_game())), default=0)
    except SessionError as error:
        return Finding("journal", "fail", str(error).replace(str(copy), str(path.parent)))
    if notices:
        text = "; ".join(notices).replace(str(copy), str(path.parent))
        return Finding(
            "journal", "warn", f"damaged: {text}", "start the companion: it does that for real, and plays on"
        )
    if newest_ms > (now_s + 3600) * 1000:
        mend = "let the machine get its time from the network, or give it a clock (RTC); games are not harmed"
        return Finding("journal", "warn", "the newest step lies in the future: the clock went back", mend)
    return Finding("journal", "ok", f"sound, {count} steps")


def _copy(data: Path, copy: Path) -> bool:
    """Copy the journal while nobody writes it; False where a companion has it."""
    lock = data / "lock"
    handle = os.open(lock, os.O_RDONLY) if lock.exists() else None
    try:
        if handle is not None:
            try:
                fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
        for tail in _TAILS:
            source = data / (FILE + tail)
            if source.exists():
                shutil.copyfile(source, copy / source.name)
    finally:
        if handle is not None:
            os.close(handle)
    return True


def tags(case: Case) -> Iterator[Finding]:
    """Check the tag registry."""
    path = case.data / TAGS_FILE
    try:
        # Not by `load`, which sets a damaged file aside.
        known = from_csv(path.read_bytes().decode(), str(path)) if path.exists() else Registry()
    except (OSError, UnicodeDecodeError, TagListError) as error:
        mend = "correct it, or import the list anew: companion tags import FILE"
        yield Finding("tags", "fail", f"{path} can't be used: {error}", mend)
    else:
        yield Finding("tags", "ok", f"{len(known.components)} tags registered in {case.data}")
