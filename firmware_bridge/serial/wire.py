"""One direction's bytes to frames and back, with what went wrong counted. Pure."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hardware.firmware.frames import MAX_SEQ, FrameError, Splitter, decode, encode, next_seq

MAX_GAP: Final = 1000
"""Numbers further ahead than this are no loss but another count: a node sends about one frame a second, and
is offline after three."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame that came.

    Args:
        verb: one letter.
        payload: the JSON object, not looked at yet.
        steady: False if its number can't follow the one before: somebody else counts now.
    """

    verb: str
    payload: Mapping[str, object]
    steady: bool = True


class Wire:
    """Bytes in, frames out, and frames in, bytes out; both directions' numbers."""

    def __init__(self) -> None:
        self._splitter = Splitter()
        self._heard = 0
        self._sent = 0
        self.counts: Counter[str] = Counter()
        """`frames` and `lost` ones, and refused lines by reason."""

    def receive(self, data: bytes) -> list[Frame]:
        """Take in what has come, however it is cut; what is no frame is counted and dropped."""
        overlong = self._splitter.overlong
        frames = []
        for line in self._splitter.feed(data):
            try:
                verb, seq, payload = decode(line)
            except FrameError as error:
                self.counts[str(error)] += 1
            else:
                self.counts["frames"] += 1
                frames.append(Frame(verb, payload, self._follows(seq)))
        if self._splitter.overlong > overlong:
            self.counts["too long"] += self._splitter.overlong - overlong
        return frames

    def write(self, verb: str, payload: Mapping[str, object]) -> bytes:
        """Return the next frame as bytes; raises FrameError."""
        self._sent = next_seq(self._sent)
        return encode(verb, self._sent, dict(payload))

    def reset(self) -> None:
        """Begin with another connection: what is unfinished is forgotten, and any number may come first."""
        self._splitter.reset()
        self._heard = 0

    def _follows(self, seq: int) -> bool:
        if self._heard == 0:
            self._heard = seq
            return True
        gap = (seq - next_seq(self._heard)) % MAX_SEQ
        self._heard = seq
        if gap <= MAX_GAP:
            self.counts["lost"] += gap
            return True
        return False
