"""Every screen and state as a picture, drawn without a display: for the docs, and for whoever judges them."""

from pathlib import Path

from companion.ui import window


def draw(out: Path, size: tuple[int, int] = (1280, 800)) -> list[Path]:
    """Draw every screen and state into PNG files.

    Args:
        out: the folder; made if it is not there.
        size: width and height in pixels.

    Returns:
        The files, in the order of the scenes.

    Raises:
        NoDisplayError: Mesa's EGL is missing; the message names the packages.
        OSError: the folder can't be written.
    """
    out.mkdir(parents=True, exist_ok=True)
    window.prepare(size, offscreen=True)
    window.open_window()
    from companion.ui.scenes import SCENES, shoot

    return [shoot(name, out, size) for name in SCENES]
