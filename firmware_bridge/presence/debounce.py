"""The state of one space, as the bridge feeds it: the debounce that nodes have too, in seconds."""

from typing import Final

from hardware import presence
from hardware.presence import SILENCES, SWAP_MISSES, Fact
from hardware.reader import Reading

__all__ = [
    "FAULT_AFTER_S",
    "SILENCES",
    "SILENT_FOR_S",
    "SWAP_MISSES",
    "UNREADABLE_AFTER_S",
    "Fact",
    "Presence",
]

SILENT_FOR_S: Final = presence.SILENT_FOR_US / 1e6
UNREADABLE_AFTER_S: Final = presence.UNREADABLE_AFTER_US / 1e6
FAULT_AFTER_S: Final = presence.FAULT_AFTER_US / 1e6


class Presence(presence.Presence):
    """Debounces one space. Made when the first poll is about to come; not for several threads at once."""

    def feed(self, reading: Reading, now_s: float) -> Fact | None:
        """Take in the reading of one poll.

        Args:
            reading: what the poll said.
            now_s: when, on a clock that only goes up.

        Returns:
            The new fact if this poll changed it, else None. An exchange of tags is one change.
        """
        return self.feed_at(reading, round(now_s * 1e6))
