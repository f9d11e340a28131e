"""A disk that remembers: every write of SQLite is recorded, so that the power can fail after each of them.

The system calls of SQLite's own file layer are replaced through its interface for tests (`xSetSystemCall` of
sqlite3_vfs, sqlite.org/c3ref/vfs.html) by ones that note what is written where, or refuse. What reaches the
disk in a power cut is modelled as a disk may do it: all that was synced is there; of what came after it any
part may be, in any order, the last write torn. Synced is what was acknowledged (synchronous = FULL), and the
log before the file is written, and the file before the log is begun anew (sqlite.org/wal.html).
"""

import _sqlite3
import ctypes
import errno
import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

SECTOR = 512
"""What a disk writes whole or not at all."""


class _Vfs(ctypes.Structure):
    _fields_ = (
        ("version", ctypes.c_int),
        ("file_bytes", ctypes.c_int),
        ("path_bytes", ctypes.c_int),
        ("next", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        *((name, ctypes.c_void_p) for name in ("open", "delete", "access", "full_path")),
        *((name, ctypes.c_void_p) for name in ("dl_open", "dl_error", "dl_sym", "dl_close")),
        *((name, ctypes.c_void_p) for name in ("random", "sleep", "time", "last_error", "time64")),
        ("set_call", ctypes.c_void_p),
        ("get_call", ctypes.c_void_p),
    )


_WRITE = ctypes.CFUNCTYPE(
    ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64, use_errno=True
)
_TRUNCATE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int64, use_errno=True)
_UNLINK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, use_errno=True)
_SET = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)


@dataclass(frozen=True, slots=True)
class Op:
    """One write; `data` None: the file was cut to `at` bytes, -1: removed."""

    file: str
    at: int
    data: bytes | None


@dataclass(slots=True)
class Disk:
    """What SQLite did to its files."""

    ops: list[Op] = field(default_factory=list)
    room: int | None = None
    """So many more writes succeed, then the disk is full; None: all."""
    trouble: int = errno.ENOSPC

    def write(self, handle: int, address: int, length: int, at: int) -> int:
        """Stand for pwrite."""
        if self.room is not None:
            if self.room <= 0:
                ctypes.set_errno(self.trouble)
                return -1
            self.room -= 1
        data = ctypes.string_at(address, length)
        self.ops.append(Op(_name(handle), at, data))
        return os.pwrite(handle, data, at)

    def truncate(self, handle: int, size: int) -> int:
        """Stand for ftruncate."""
        self.ops.append(Op(_name(handle), size, None))
        os.ftruncate(handle, size)
        return 0

    def unlink(self, path: bytes) -> int:
        """Stand for unlink."""
        if not os.path.exists(path):  # noqa: PTH110 - bytes, as SQLite has them
            ctypes.set_errno(errno.ENOENT)
            return -1
        self.ops.append(Op(Path(os.fsdecode(path)).name, -1, None))
        os.unlink(path)  # noqa: PTH108 - likewise
        return 0


def _name(handle: int) -> str:
    return Path(f"/proc/self/fd/{handle}").readlink().name


@contextmanager
def recorded() -> Iterator[Disk]:
    """Record every write of SQLite in this process."""
    library: Any = ctypes.CDLL(_sqlite3.__file__)
    if not hasattr(library, "sqlite3_vfs_find") or not Path("/proc/self/fd").exists():
        # Never so in CI: Debian's Python shows its SQLite, Linux has /proc, and any skip fails there.
        pytest.skip("this Python hides its SQLite, or the system has no /proc")
    library.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
    vfs = library.sqlite3_vfs_find(None)
    disk = Disk()
    set_call = _SET(vfs.contents.set_call)
    calls = {"write": _plain(disk), "pwrite": _WRITE(disk.write), "pwrite64": _WRITE(disk.write)}
    calls |= {"ftruncate": _TRUNCATE(disk.truncate), "unlink": _UNLINK(disk.unlink)}
    for name, call in calls.items():
        set_call(ctypes.addressof(vfs.contents), name.encode(), ctypes.cast(call, ctypes.c_void_p))
    try:
        yield disk
    finally:
        set_call(ctypes.addressof(vfs.contents), None, None)


def _plain(disk: Disk) -> Any:
    """Stand for write, which SQLite uses where there is no pwrite."""
    kind = ctypes.CFUNCTYPE(ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, use_errno=True)
    return kind(
        lambda handle, address, length: disk.write(handle, address, length, os.lseek(handle, 0, os.SEEK_CUR))
    )


class Image:
    """The files as they are on the disk."""

    def __init__(self) -> None:
        self.files: dict[str, bytearray] = {}

    def apply(self, op: Op, *, torn_at: int | None = None) -> None:
        """Do a write, or the part of it before `torn_at`."""
        if op.at < 0:
            self.files.pop(op.file, None)
            return
        file = self.files.setdefault(op.file, bytearray())
        if op.data is None:
            del file[op.at :]
            file.extend(bytes(op.at - len(file)))
            return
        data = op.data[:torn_at]
        file.extend(bytes(max(0, op.at + len(data) - len(file))))
        file[op.at : op.at + len(data)] = data

    def put(self, folder: Path) -> None:
        """Write the files into a folder."""
        folder.mkdir()
        for name, data in self.files.items():
            (folder / name).write_bytes(data)


def power_cuts(
    ops: list[Op], acknowledged: list[int], chance: random.Random
) -> Iterator[tuple[str, int, Image]]:
    """Yield what may be on the disk after the power fails, for each write.

    Args:
        ops: all writes.
        acknowledged: after how many of them each change was said to be stored.
        chance: which part of what was not synced is there.

    Yields:
        What is cut, how many changes were acknowledged by then, and the disk.
    """
    for count in range(len(ops) + 1):
        changes = sum(done <= count for done in acknowledged)
        turned = (i for i in range(1, count) if ops[i].file != ops[i - 1].file)
        synced = max(acknowledged[changes - 1] if changes else 0, *turned, 0)
        loose = ops[synced:count]
        yield f"after write {count}", changes, _with(ops[:synced], loose)
        if not loose:
            continue
        last = loose[-1]
        if last.data is not None:
            torn = chance.randrange(0, len(last.data), min(SECTOR, max(1, len(last.data) - 1)))
            image = _with(ops[:synced], loose[:-1])
            image.apply(last, torn_at=torn)
            yield f"write {count} torn at byte {torn}", changes, image
        kept = [op for op in loose if chance.random() < 0.5]
        chance.shuffle(kept)
        yield (
            f"{len(kept)} of {len(loose)} writes up to {count}, in any order",
            changes,
            _with(ops[:synced], kept),
        )


def _with(synced: list[Op], loose: list[Op]) -> Image:
    image = Image()
    for op in (*synced, *loose):
        image.apply(op)
    return image
