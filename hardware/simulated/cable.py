"""A USB serial cable with faults. The computer's end is a real pseudo-terminal, so a real driver opens it."""

import errno
import os
import select
import threading
import tty
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random

_AWAY = (errno.EIO, errno.EAGAIN, errno.EBADF)  # nobody has the terminal open, or nothing waits


@dataclass(frozen=True, slots=True)
class Faults:
    """What happens to what the node says on its way; nothing by default.

    Args:
        split_bytes: pieces are at most so long; 0: whole.
        drop: chance of each byte to be lost.
        flip: chance of each byte to become another one.
        noise: chance of some random bytes in front of a piece.
        delay_s: how late it arrives.
    """

    split_bytes: int = 0
    drop: float = 0.0
    flip: float = 0.0
    noise: float = 0.0
    delay_s: float = 0.0


class Cable:
    """One cable, plugged in or not. All of it may be used from any thread.

    Args:
        chance: where faults come from.
        faults: what they are; may be changed at any time.
    """

    def __init__(self, chance: Random | None = None, faults: Faults | None = None) -> None:
        self.faults = faults if faults is not None else Faults()
        self.opens = 0
        """How often somebody has opened the terminal since it was plugged in; as far as `look` saw it."""
        self._chance = chance if chance is not None else Random(0)  # noqa: S311 - faults, not secrets
        self._lock = threading.RLock()
        self._fd: int | None = None
        self._is_open = False
        self._on_the_way: list[tuple[float, bytes]] = []
        self._links: list[Path] = []

    def plug(self, links: Iterable[Path] = ()) -> str:
        """Plug it in: a new device appears.

        Args:
            links: names that lead to it, as udev makes them; replaced where they are there.

        Returns:
            The device, which may or may not have the name of an earlier one.
        """
        with self._lock:
            self.unplug()
            self._fd, computer = os.openpty()
            tty.setraw(computer)
            device = os.ttyname(computer)
            os.close(computer)
            os.set_blocking(self._fd, False)
            self.opens = 0
            self._is_open = False
            for link in links:
                link.unlink(missing_ok=True)
                link.symlink_to(device)
                self._links.append(link)
            return device

    def unplug(self) -> None:
        """Pull it out: the device is gone, and whoever has it open gets errors."""
        with self._lock:
            for link in self._links:
                link.unlink(missing_ok=True)
            self._links.clear()
            self._on_the_way.clear()
            if self._fd is not None:
                os.close(self._fd)
                self._fd = None

    def fileno(self) -> int | None:
        """Return what to wait on for something to `receive`; None while it is unplugged."""
        return self._fd

    def look(self) -> bool:
        """Tell whether somebody has the terminal open."""
        with self._lock:
            is_open = self._fd is not None and not self._hung_up(self._fd)
            self.opens += is_open and not self._is_open
            self._is_open = is_open
            return is_open

    def send(self, data: bytes, now_s: float) -> None:
        """Say something to the computer; it arrives by `deliver`."""
        with self._lock:
            self._on_the_way += [(now_s + self.faults.delay_s, piece) for piece in self._disturbed(data)]

    def deliver(self, now_s: float) -> bool:
        """Let arrive what is due. What nobody listens to is lost, as on USB.

        Returns:
            Whether all of it went; False: the computer does not read it, the rest waits.
        """
        with self._lock:
            while self._on_the_way and self._on_the_way[0][0] <= now_s:
                due_s, piece = self._on_the_way[0]
                written = self._write(piece) if self.look() else len(piece)
                if written < len(piece):
                    self._on_the_way[0] = (due_s, piece[written:])
                    return False
                del self._on_the_way[0]
            return True

    def receive(self) -> bytes:
        """Return what the computer said; nothing while it is unplugged."""
        with self._lock:
            if self._fd is None:
                return b""
            try:
                return os.read(self._fd, 65_536)
            except OSError as error:
                if error.errno not in _AWAY:
                    raise
                return b""

    def _write(self, data: bytes) -> int:
        assert self._fd is not None  # noqa: S101 - `look` was true under the lock
        try:
            return os.write(self._fd, data)
        except OSError as error:
            if error.errno not in _AWAY:
                raise
            return 0

    def _hung_up(self, fd: int) -> bool:
        poll = select.poll()
        poll.register(fd, 0)
        return any(event & select.POLLHUP for _, event in poll.poll(0))

    def _disturbed(self, data: bytes) -> list[bytes]:
        faults, chance = self.faults, self._chance
        if faults.drop:
            data = bytes(byte for byte in data if chance.random() >= faults.drop)
        if faults.flip:
            data = bytes(
                byte ^ chance.randrange(1, 256) if chance.random() < faults.flip else byte for byte in data
            )
        pieces = []
        while data:
            size = chance.randint(1, faults.split_bytes) if faults.split_bytes else len(data)
            if faults.noise and chance.random() < faults.noise:
                pieces.append(chance.randbytes(chance.randint(1, 40)))
            pieces.append(data[:size])
            data = data[size:]
        return pieces
