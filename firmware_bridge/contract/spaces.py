"""The names of everything that a reader can stand below, as they are written on the bus."""

from typing import Final

_REALMS: Final = ("valley", "cradle", "network", "land", "willow")
_FRONTIERS: Final = tuple(f"{realm}-{_REALMS[(i + 1) % 5]}" for i, realm in enumerate(_REALMS))
_VIBE_ROWS: Final = ("move", "invoke", "quell", "fortify", "empower")

SEATS: Final = (1, 2, 3, 4)
"""Seat n is the n-th player in player order; the game has at most four players."""

SLOT_SPACES: Final = tuple(
    f"slot/{slot}"
    for realm, frontier in zip(_REALMS, _FRONTIERS, strict=True)
    for slot in (f"{realm}.1", f"{realm}.2", frontier)
)
"""The 15 Emotion slots along their ring."""

SPIRIT_SPACES: Final = tuple(
    f"spirit/{space}" for pair in zip(_REALMS, _FRONTIERS, strict=True) for space in pair
)
"""The ten Spirit spaces along their ring."""

PAD_SPACES: Final = tuple(f"pad/{seat}" for seat in SEATS)
"""A tap reader for each seat."""

VIBE_SPACES: Final = tuple(
    f"vibe/{seat}/{row}/{place}" for seat in SEATS for row in _VIBE_ROWS for place in (1, 2, 3, 4)
)
"""Instrumented Spirit boards: seat, row, place from the left (1 is the unlock space)."""

VIRTUAL_SPACES: Final = SLOT_SPACES + SPIRIT_SPACES + PAD_SPACES
"""What the virtual table has: 29 spaces."""

ALL_SPACES: Final = frozenset(VIRTUAL_SPACES + VIBE_SPACES)
"""Every space that the bus knows."""


def is_space(name: str) -> bool:
    """Tell whether `name` (like `slot/valley.1`) is a space that the bus knows."""
    return name in ALL_SPACES
