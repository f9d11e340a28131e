"""The file system below this MicroPython is Emscripten's: other error numbers, and no name for "here"."""

import builtins
import os

_ERRNO = {44: 2, 20: 17}  # ENOENT, EEXIST


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _like_a_board(function: "Callable[..., Any]") -> "Callable[..., Any]":
    def call(path: str, *arguments: "Any") -> "Any":
        try:
            return function(path or ".", *arguments)
        except OSError as error:
            raise OSError(_ERRNO.get(error.args[0], error.args[0]))  # noqa: B904

    return call


for name in ("stat", "mkdir", "ilistdir"):
    setattr(os, name, _like_a_board(getattr(os, name)))
builtins.open = _like_a_board(open)
