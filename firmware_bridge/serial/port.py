"""One serial port while it is open: pyserial, with every way it fails turned into one."""

import errno
import termios
import threading
from contextlib import suppress
from typing import Any, Final

import serial
from serial.urlhandler import protocol_socket

from firmware_bridge.errors import PortError
from hardware.firmware.frames import BAUD

_FAULTS: Final = (OSError, termios.error)
"""What pyserial raises; `termios.error` is no OSError (F-53)."""

READ_TIMEOUT_S: Final = 1.0
"""How long a read waits for the first byte; `wake` ends it at once where the port can."""

SOCKET_READ_TIMEOUT_S: Final = 0.2
"""The same for a socket, whose reads nothing wakes: lights wait for so long at most."""

WRITE_TIMEOUT_S: Final = 0.2
"""A node that does not listen must not keep the bridge from listening."""

MAX_READ_BYTES: Final = 65_536

_BUSY: Final = (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK)


class Port:
    """An open port. `wake` may be called from any thread, all else from one.

    DTR and RTS are raised, as every terminal does: a node's USB takes that for somebody listening. Boards
    that reset at it are waited for.

    Args:
        url: a device, or what `serial.serial_for_url` takes: `socket://HOST:PORT`, `loop://`.

    Raises:
        PortError: it can't be opened; the text says why and how to mend it.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.backlog_bytes = 0
        """The most that was waiting at one time."""
        self._lock = threading.Lock()
        try:
            self._port: Any = serial.serial_for_url(
                url, BAUD, timeout=READ_TIMEOUT_S, write_timeout=WRITE_TIMEOUT_S, exclusive=True
            )
        except _FAULTS as error:
            raise PortError(_why_closed(url, error)) from error
        except (ValueError, TypeError, AttributeError) as error:
            # Also what pyserial stumbles over in an address that is none.
            raise PortError(f"{url} is no port: write a device, or socket://HOST:PORT ({error})") from error
        self._is_socket = isinstance(self._port, protocol_socket.Serial)
        self._hurry()

    def read(self) -> bytes:
        """Return what has come, all of it at once (F-59); nothing after a while, or when woken.

        Raises:
            PortError: the port is lost.
        """
        try:
            if self._is_socket:
                return self._read_socket()
            waiting = self._port.in_waiting
            self.backlog_bytes = max(self.backlog_bytes, waiting)
            return bytes(self._port.read(min(waiting, MAX_READ_BYTES) or 1))
        except _FAULTS as error:
            raise PortError(f"{self.url} is lost: {error}") from error

    def write(self, data: bytes) -> bool:
        """Send; False if whoever is there does not take it in time.

        Raises:
            PortError: the port is lost.
        """
        try:
            self._port.write(data)
        except serial.SerialTimeoutException:
            return False
        except _FAULTS as error:
            raise PortError(f"{self.url} is lost: {error}") from error
        return True

    def wake(self) -> None:
        """End a read that is under way, or the next one; a socket's ends by itself."""
        with self._lock:
            if self._port is not None and hasattr(self._port, "cancel_read"):
                with suppress(*_FAULTS):  # lost: the reader finds out itself
                    self._port.cancel_read()

    def close(self) -> None:
        """Let go of the device at once: while it is held it comes back under another name (F-54)."""
        with self._lock:
            port, self._port = self._port, None
        if port is not None:
            connection = port._socket if self._is_socket else None  # noqa: SLF001
            with suppress(*_FAULTS):
                port.close()
            if connection is not None:
                # pyserial leaves it open where the other end was closed first.
                connection.close()

    def _read_socket(self) -> bytes:
        # pyserial tells of a socket only whether anything waits, not how much.
        self._port.timeout = SOCKET_READ_TIMEOUT_S
        first = bytes(self._port.read(1))
        if not first:
            return b""
        self._port.timeout = 0
        return first + bytes(self._port.read(MAX_READ_BYTES))

    def _hurry(self) -> None:
        """Ask an FTDI chip to hand bytes on at once; its default is every 16 ms (F-63)."""
        if hasattr(self._port, "set_low_latency_mode"):
            with suppress(*_FAULTS, ValueError, NotImplementedError):  # not every driver has it
                self._port.set_low_latency_mode(True)


def _why_closed(url: str, error: Exception) -> str:
    if url.startswith("socket://"):
        return f"{url} does not answer: start what listens there, or correct `port` (socket://HOST:PORT)"
    code = getattr(error, "errno", None)
    if code in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
        return f"{url} is not there: plug the node in, or correct `port`"
    if code in _BUSY:
        return (
            f"{url} is in use: stop the other program (a second firmware-bridge, a serial monitor);"
            " ModemManager lets go after some seconds, and at once with the udev rule of the nodes"
        )
    if code in (errno.EACCES, errno.EPERM):
        return f"{url} may not be opened: add this user to the group of the device, on most systems dialout"
    return f"{url} can't be opened: {error}"
