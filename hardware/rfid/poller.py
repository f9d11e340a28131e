"""One poller per SPI bus: it visits the bus's readers in turn, so that no two talk at once (F-22).

Also runs on the MicroPython of the nodes.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hardware.reader import Reader
    from hardware.rfid.ports import Clock, Reading

SWEEP_LIMIT_US = 1_000_000
"""A sweep that takes longer is cut and goes on with the next reader; 29 occupied readers need about 0.3 s."""


class Poller:
    """Readers that share a bus.

    Args:
        readers: in the order of their visits.
        clock: what the limit is measured on.
        limit_us: after this no further reader is visited in the same sweep.
    """

    def __init__(
        self, readers: "Sequence[Reader]", clock: "Clock", *, limit_us: int = SWEEP_LIMIT_US
    ) -> None:
        self._readers = tuple(readers)
        self._clock = clock
        self._limit_us = limit_us
        self._next = 0

    @property
    def readers(self) -> "tuple[Reader, ...]":
        """The readers of this bus."""
        return self._readers

    def sweep(self) -> "dict[str, Reading]":
        """Visit every reader once, or as many as the limit allows; who was left out comes first next time."""
        end_us = self._clock.now_us() + self._limit_us
        readings: dict[str, Reading] = {}
        for _ in self._readers:
            reader = self._readers[self._next]
            self._next = (self._next + 1) % len(self._readers)
            readings[reader.name] = reader.poll()
            if self._clock.now_us() >= end_us:
                break
        return readings

    def close(self) -> None:
        """Close every reader."""
        for reader in self._readers:
            reader.close()
