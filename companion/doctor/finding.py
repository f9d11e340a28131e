"""What a check found."""

from dataclasses import asdict, dataclass
from typing import Literal

Level = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Args:
        check: what was looked at, in a word.
        level: `fail` hinders play; `warn` may become trouble, or costs comfort.
        text: what was found, one line.
        mend: what to do about it; empty where nothing is.
    """

    check: str
    level: Level
    text: str
    mend: str = ""

    def as_json(self) -> dict[str, str]:
        """Return it as JSON has it."""
        return asdict(self)

    def line(self) -> str:
        """Return it as one line for people."""
        return f"{self.level:4}  {self.check:9} {self.text}" + (f" -> {self.mend}" if self.mend else "")
