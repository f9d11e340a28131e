"""How long things may lie, be away or rest before the table draws a conclusion, in seconds."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Patience:
    """The waits of one table; each can be set in the table file under `[patience]`, without the `_s`."""

    settle_s: float = 0.6
    """A figure that is slid rests this long before it is put down (F-126; facts, A4: 0.10 to 0.5 s).

    Found with `python -m tests.rehearsal --sound --profile virtual --seed 3 --games 30`, for figures and
    cards alike: of some 900 actions by pieces 10 first guesses were wrong with 0.4 s, 2 with 0.6 s, none with
    0.8 s.
    """
    card_s: float = 0.6
    """A card that comes into a slot rests this long: one slid to the next slot passes over this one."""
    placed_s: float = 0.8
    """What is placed at set-up rests this long: no first guess is taken back there."""
    gone_s: float = 2.5
    """A card that is away so long, none shown for it, may have been quelled; one that is read comes back."""
    refuse_s: float = 1.6
    """What is not allowed rests this long before people hear so: it may be on its way to where it is.

    In 16 of those games 9 legal actions were called wrong in passing with 0.8 s, 1 with 1.6 s.
    """
    correct_s: float = 1.2
    """A piece that moves on within this time was not put down there: what was recognised is taken back."""
    shown_s: float = 2.5
    """A card on the pad waits so long for a Vibe token before people are asked what it is shown for."""
    hold_s: float = 8.0
    """A piece may be in a hand so long before a gentle word (A4: about 4 s; a card is longer to read)."""
    odd_s: float = 1.5
    """Something that can't belong there: longer than a sleeve passing over."""
    trouble_s: float = 1.0
    """A node that just connects anew is no news."""
    stays_s: float = 20.0
    """A table that differs so long may be right: people can say so, and the game follows."""


def patience_from(seconds: Mapping[str, float]) -> Patience:
    """Return the waits of a table that states some of them, by name without the `_s`."""
    return Patience(**{f"{name}_s": value for name, value in seconds.items()})
