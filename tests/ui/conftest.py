"""The real app over the real rules, drawn offscreen: one window, since Kivy has only one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.ui import window
from companion.ui.errors import NoDisplayError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.ui.looking import Shown


@pytest.fixture(scope="session")
def offscreen() -> None:
    window.prepare((1280, 800), offscreen=True)
    try:
        window.open_window()
    except NoDisplayError as error:
        pytest.skip(str(error))


@pytest.fixture
def show(offscreen: None) -> Iterator[Callable[..., Shown]]:
    del offscreen
    from tests.ui.looking import Shown

    opened: list[Shown] = []

    def open_one(
        start: str = "empower-example", *, virtual: bool = False, size: tuple[int, int] = (1280, 800)
    ) -> Shown:
        shown = Shown(start, virtual=virtual, size=size)
        opened.append(shown)
        return shown

    yield open_one
    for shown in opened:
        shown.close()
