"""One finger counts once, though two input providers may report it (F-98, F-150). Free of Kivy."""

from typing import Final

SAME_S: Final = 0.05
"""Two reports of one finger come within this time (F-98)."""

SAME_DP: Final = 6.0
"""and this near to each other."""


class TapFilter:
    """Tells a second report of the same finger from a second finger."""

    def __init__(self, near_px: float) -> None:
        """Take taps within `near_px` pixels of each other for one."""
        self._near = near_px
        self._last: tuple[str, float, float, float] | None = None

    def is_echo(self, device: str, x: float, y: float, now_s: float) -> bool:
        """Tell whether a touch that begins now is the echo of the one before.

        Args:
            device: the provider that reports it; one provider never echoes itself.
            x: in pixels.
            y: in pixels.
            now_s: a clock that only goes forward.
        """
        last = self._last
        if last is not None:
            other, lx, ly, then_s = last
            near = abs(x - lx) <= self._near and abs(y - ly) <= self._near
            if device != other and near and now_s - then_s <= SAME_S:
                return True
        self._last = (device, x, y, now_s)
        return False
