"""Time as the drivers see it: passed in, so that simulated parts can move it."""

import time
from typing import Protocol


class Clock(Protocol):
    """What a driver may ask of time; the parts that nodes share use whole microseconds only."""

    def now_s(self) -> float:
        """Seconds since some fixed moment; never goes back."""
        ...

    def now_us(self) -> int:
        """The same in whole microseconds."""
        ...

    def sleep(self, duration_s: float) -> None:
        """Let at least this long pass."""
        ...

    def sleep_us(self, duration_us: int) -> None:
        """Let at least this many microseconds pass."""
        ...


class SystemClock:
    """The machine's own monotonic time."""

    def now_s(self) -> float:
        """Seconds since the machine's own fixed moment."""
        return time.monotonic()

    def now_us(self) -> int:
        """Microseconds since the same moment."""
        return time.monotonic_ns() // 1000

    def sleep(self, duration_s: float) -> None:
        """Let at least this long pass; Linux adds about 0.1 ms."""
        time.sleep(duration_s)

    def sleep_us(self, duration_us: int) -> None:
        """Let at least this long pass."""
        time.sleep(duration_us * 1e-6)
