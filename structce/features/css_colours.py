"""Colours as CSS writes them, their plain names, and the contrast of two of them."""

from __future__ import annotations

import math
import re
from functools import lru_cache

Colour = tuple[float, float, float, float]
"""Red, green, blue (sRGB) and opacity, each from 0 to 1."""

WHITE: Colour = (1.0, 1.0, 1.0, 1.0)

_FUNCTION = re.compile(r"(rgba?|color|oklab|oklch)\((?:(?:srgb|display-p3)\s)?([^()]*)\)")
_GREYS = {"black": 0.0, "dark-grey": 0.33, "grey": 0.6, "light-grey": 0.88, "white": 1.0}
_HUES = {"red": 0, "orange": 30, "yellow": 55, "green": 120, "blue": 215, "purple": 280}
_HUES |= {"pink": 325}
_GREY = 0.12  # difference of the channels below which a colour is a grey; our choice
_CLEAR = 0.05  # opacity below which a colour is transparent; our choice


@lru_cache(maxsize=4096)
def parse_colour(text: str) -> Colour | None:
    """Return a colour as a browser computes it; None for a notation that is not read.

    Read are ``rgb()``, ``rgba()``, ``oklab()``, ``oklch()`` and ``color()`` of sRGB; Display P3 is
    taken for sRGB, which shifts saturated colours a little.
    """
    found = _FUNCTION.fullmatch(text.strip())
    if found is None:
        return (0.0, 0.0, 0.0, 0.0) if text == "transparent" else None
    try:
        parts = [_number(part) for part in re.split(r"[\s,/]+", found.group(2).strip())]
    except ValueError:
        return None
    if len(parts) not in (3, 4):
        return None
    first, second, third, opacity = (*parts, 1.0)[:4]
    kind = found.group(1)
    if kind == "oklch":
        angle = math.radians(third)
        second, third = second * math.cos(angle), second * math.sin(angle)
    if kind.startswith("ok"):
        first, second, third = _from_oklab(first, second, third)
    scale = 255 if kind.startswith("rgb") else 1
    return (_clip(first / scale), _clip(second / scale), _clip(third / scale), _clip(opacity))


def _number(text: str) -> float:
    if text == "none":
        return 0.0
    return float(text[:-1]) / 100 if text.endswith("%") else float(text)


def _clip(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def _from_oklab(lightness: float, a: float, b: float) -> tuple[float, float, float]:
    """Return sRGB channels of an Oklab colour (B. Ottosson 2020, A perceptual color space)."""
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        _encode(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short),
        _encode(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short),
        _encode(-0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short),
    )


def _encode(linear: float) -> float:
    """Return the sRGB channel of a linear one."""
    clipped = _clip(linear)
    return 12.92 * clipped if clipped <= 0.0031308 else 1.055 * clipped ** (1 / 2.4) - 0.055


def over(front: Colour, back: Colour) -> Colour:
    """Return the colour that a front one gives on an opaque back one."""
    share = front[3]
    red, green, blue = (
        share * f + (1 - share) * b for f, b in zip(front[:3], back[:3], strict=True)
    )
    return (red, green, blue, 1.0)


@lru_cache(maxsize=4096)
def colour_name(colour: Colour | None) -> str | None:
    """Return the nearest of 13 plain names: by lightness among greys, else by hue.

    ``transparent`` below an opacity of 0.05; None for an unknown colour.
    """
    if colour is None:
        return None
    if colour[3] < _CLEAR:
        return "transparent"
    red, green, blue = colour[:3]
    if saturation(colour) < _GREY:
        lightness = (red + green + blue) / 3
        return min(_GREYS, key=lambda name: abs(_GREYS[name] - lightness))
    hue = math.degrees(math.atan2(math.sqrt(3) * (green - blue), 2 * red - green - blue))
    return min(_HUES, key=lambda name: abs((hue - _HUES[name] + 180) % 360 - 180))


def saturation(colour: Colour) -> float:
    """Return the largest less the smallest channel: 0 for a grey, 1 for a pure colour."""
    return max(colour[:3]) - min(colour[:3])


@lru_cache(maxsize=4096)
def contrast(front: Colour, back: Colour) -> float:
    """Return the contrast ratio of a text on an opaque background, from 1 to 21.

    References
    ----------
    W3C (2018). Web Content Accessibility Guidelines 2.1, definition of contrast ratio.
    """
    low, high = sorted((_luminance(over(front, back)), _luminance(back)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: Colour) -> float:
    red, green, blue = (_decode(channel) for channel in colour[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _decode(channel: float) -> float:
    """Return the linear channel of an sRGB one."""
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
