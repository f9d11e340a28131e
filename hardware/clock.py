"""Time as the drivers see it: passed in, so that simulated parts can move it."""

import time
from typing import Protocol


class Clock(Protocol):
    """What a driver may ask of time."""

    def now_s(self) -> float:
        """Seconds since some fixed moment; never goes back."""
        ...

    def sleep(self, duration_s: float) -> None:
        """Let at least this long pass."""
        ...


class SystemClock:
    """The machine's own monotonic time."""

    def now_s(self) -> float:
        """Seconds since the machine's own fixed moment."""
        return time.monotonic()

    def sleep(self, duration_s: float) -> None:
        """Let at least this long pass; Linux adds about 0.1 ms."""
        time.sleep(duration_s)
