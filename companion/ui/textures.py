"""Light as small textures, reckoned once: gradients, soft shadows, glows."""

from collections.abc import Callable
from functools import lru_cache
from math import hypot

from kivy.graphics.texture import Texture

from companion.ui.theme import Rgba, mixed

Pixel = Callable[[float, float], Rgba]


def _texture(wide: int, high: int, pixel: Pixel) -> Texture:
    """Make a texture from a function of x and y, both 0 to 1."""
    texture = Texture.create(size=(wide, high), colorfmt="rgba")
    texture.blit_buffer(_bytes(wide, high, pixel), colorfmt="rgba", bufferfmt="ubyte")
    texture.wrap = "clamp_to_edge"
    texture.min_filter = texture.mag_filter = "linear"
    return texture


def _bytes(wide: int, high: int, pixel: Pixel) -> bytes:
    data = bytearray()
    for row in range(high):
        for column in range(wide):
            colour = pixel((column + 0.5) / wide, (row + 0.5) / high)
            data.extend(round(255 * min(max(c, 0.0), 1.0)) for c in colour)
    return bytes(data)


def _smooth(x: float) -> float:
    x = min(max(x, 0.0), 1.0)
    return x * x * (3 - 2 * x)


@lru_cache(maxsize=2)
def ground(inner: Rgba, half: Rgba, outer: Rgba) -> Texture:
    """Return the room: three colours from the middle outwards."""

    def pixel(x: float, y: float) -> Rgba:
        share = hypot(x - 0.5, (y - 0.5) * 0.9) / 0.68
        # A little ordered noise: without it eight bits show rings.
        share += (((x * 7919 + y * 6101) * 13) % 1 - 0.5) * 0.012
        return mixed(inner, half, share * 2) if share < 0.5 else mixed(half, outer, min(share * 2 - 1, 1))

    return _texture(112, 70, pixel)


@lru_cache(maxsize=16)
def radial(inner: Rgba, outer: Rgba, power: float = 1.6) -> Texture:
    """Return a strip that goes from `inner` (v = 0) to `outer` (v = 1), steeper the higher `power`."""
    return _texture(1, 64, lambda _, y: mixed(inner, outer, y**power))


@lru_cache(maxsize=4)
def beam(inner: Rgba, outer: Rgba) -> Texture:
    """Return what `radial` does, fading out towards both sides too: the light of a single card."""

    def pixel(x: float, y: float) -> Rgba:
        red, green, blue, alpha = mixed(inner, outer, y**1.6)
        return red, green, blue, alpha * _smooth(1 - abs(2 * x - 1)) ** 0.7

    return _texture(32, 48, pixel)


@lru_cache(maxsize=8)
def upright(low: Rgba, high: Rgba) -> Texture:
    """Return a gradient from the bottom to the top."""
    return _texture(1, 32, lambda _, y: mixed(low, high, y))


@lru_cache(maxsize=1)
def soft_box() -> Texture:
    """Return a white box with soft edges: a nine-patch with a border of 24 of its 64 pixels."""

    def pixel(x: float, y: float) -> Rgba:
        dx, dy = max(abs(x - 0.5) - 0.125, 0) / 0.375, max(abs(y - 0.5) - 0.125, 0) / 0.375
        return 1.0, 1.0, 1.0, _smooth(1 - hypot(dx, dy)) ** 1.4

    return _texture(64, 64, pixel)


@lru_cache(maxsize=1)
def glow() -> Texture:
    """Return a white disc that fades to nothing at its rim."""
    return _texture(64, 64, lambda x, y: (1.0, 1.0, 1.0, _smooth(1 - 2 * hypot(x - 0.5, y - 0.5)) ** 1.5))


@lru_cache(maxsize=12)
def ball(light: Rgba, deep: Rgba) -> Texture:
    """Return a lit ball: Essence, figures, Ambition."""

    def pixel(x: float, y: float) -> Rgba:
        edge = hypot(x - 0.5, y - 0.5) * 2
        lit = hypot(x - 0.38, y - 0.66)
        red, green, blue, _ = mixed(light, deep, min(lit / 0.72, 1.0))
        return red, green, blue, _smooth((1 - edge) * 14)

    return _mipmapped(48, pixel)


def _mipmapped(side: int, pixel: Pixel) -> Texture:
    texture = Texture.create(size=(side, side), colorfmt="rgba", mipmap=True)
    texture.blit_buffer(_bytes(side, side, pixel), colorfmt="rgba", bufferfmt="ubyte")
    texture.min_filter, texture.mag_filter = "linear_mipmap_linear", "linear"
    return texture
