"""Simulated time: it moves when bytes go over the wire and when the driver sleeps, never by itself."""


class SimulatedClock:
    """Seconds since the start of the simulation."""

    __slots__ = ("_now_s",)

    def __init__(self, start_s: float = 0.0) -> None:
        self._now_s = start_s

    def now_s(self) -> float:
        """Simulated seconds since the start."""
        return self._now_s

    def now_us(self) -> int:
        """The same in whole microseconds."""
        return int(self._now_s * 1e6)

    def sleep(self, duration_s: float) -> None:
        """Move the time on."""
        if duration_s < 0:
            raise ValueError(f"time can't go back by {-duration_s} s: sleep for 0 s or more")
        self._now_s += duration_s

    def sleep_us(self, duration_us: int) -> None:
        """Move the time on by whole microseconds."""
        self.sleep(duration_us * 1e-6)
