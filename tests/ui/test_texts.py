from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from companion.ui.layout import Rect
from companion.ui.theme import SMALLEST_TOUCH_DP

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.ui.looking import Shown

    Show = Callable[..., Shown]

SMALL, MIDDLE, LARGE, TALL = (800, 480), (1280, 800), (1920, 1080), (1080, 1920)

SCENES = [
    "accepted refused question ask-here ask-row history new-game differs virtual-drag",
    "virtual-refused opening day",
    "new-game-plan new-game-common set-up set-up-tokens power put-right put-card-right",
    "ask-player ask-invoke ask-team",
]
PICTURES = [(name, SMALL) for line in SCENES for name in line.split()]
PICTURES += [(name, MIDDLE) for name in ("refused", "virtual-refused", "question", "ask-here")]
PICTURES += [(name, MIDDLE) for name in ("set-up", "power")]
PICTURES += [("virtual-refused", LARGE), ("virtual-refused", TALL), ("question", TALL)]

READABLE_PX = 8.0
"""Height of type on a 7-inch screen of 133 dpi below which people hold it to their eyes: 1.5 mm."""


def staged(show: Show, name: str, size: tuple[int, int]) -> Shown:
    from companion.ui.scenes import SCENES as ALL

    start, virtual, act = ALL[name]
    shown = show(start, virtual=virtual, size=size)
    act(shown.app, shown.stage)
    shown.app.drain()
    shown.app.refresh()
    return shown


@pytest.mark.parametrize(("name", "size"), PICTURES, ids=str)
def test_no_text_is_cut_or_overlaps_another(show: Show, name: str, size: tuple[int, int]) -> None:
    shown = staged(show, name, size)
    painted = list(shown.painted())
    assert len(painted) > 50
    screen = Rect(0, 0, *size)
    for words, rect in painted:
        assert not words.shorten, words.text
        assert words.font_size >= READABLE_PX, (words.text, words.font_size)
        assert screen.has(rect.x, rect.y), words.text
        assert screen.has(rect.right, rect.top), words.text
        assert words.box is not None
        assert rect.w <= words.box.w + 2, words.text
        assert rect.h <= words.box.h + words.font_size * 0.35, words.text
    for (one, first), (other, second) in combinations(painted, 2):
        # A line of type is higher than its letters: a fifth above and below them is empty.
        trimmed = first.inset(0, first.h * 0.2)
        assert not trimmed.meets(second.inset(0, second.h * 0.2)), (one.text, other.text)


@pytest.mark.parametrize("name", ["virtual-refused", "ask-row", "history", "new-game-plan", "put-right"])
def test_everything_to_tap_is_large_enough(show: Show, name: str) -> None:
    shown = staged(show, name, SMALL)
    for button in shown.buttons():
        assert button.height >= SMALLEST_TOUCH_DP * 0.97, button.first.text
    for row in shown.screen.sheet.rows:
        if row.entry is not None and row.entry.tap is not None:
            assert row.rect.h >= SMALLEST_TOUCH_DP * 0.97
