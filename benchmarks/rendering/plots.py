"""Figures as SVG: lines and points over two axes, and bars. No scripts, nothing is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from jinja2 import Environment, StrictUndefined

DASHES = ("none", "7 3", "2 3", "9 3 2 3")
"""Dashes of lines, so that no meaning depends on colour alone."""

COLOURS = ("#1f6f8b", "#c45520", "#5b6b76", "#7a3fb0")
WIDTH, HEIGHT = 760.0, 420.0
LEFT, RIGHT, TOP, BOTTOM = 76.0, 24.0, 64.0, 56.0
ROW = 26.0
NAMES = 330.0  # room for the names of bars
NUMBERS = 90.0

_BEGIN = """
<svg xmlns="http://www.w3.org/2000/svg" width="{{ width }}" height="{{ height }}" role="img"
 viewBox="0 0 {{ width }} {{ height }}" aria-label="{{ title }}">
<title>{{ title }}</title>
<style>
  text { font-family: system-ui, "Noto Sans", "DejaVu Sans", sans-serif; font-size: 12px;
    fill: #1d2a33; }
  .title { font-size: 17px; font-weight: 700; }
  .middle { text-anchor: middle; }
  .end { text-anchor: end; }
</style>
<rect width="{{ width }}" height="{{ height }}" fill="#ffffff"/>
<text class="title" x="20" y="30">{{ title }}</text>
"""

_CHART = """
{% for tick in y_ticks %}
<line x1="{{ left }}" x2="{{ right }}" y1="{{ tick.at }}" y2="{{ tick.at }}" stroke="#dde3e7"/>
<text class="end" x="{{ left - 8 }}" y="{{ tick.at + 4 }}">{{ tick.name }}</text>
{% endfor %}
{% for tick in x_ticks %}
<line x1="{{ tick.at }}" x2="{{ tick.at }}" y1="{{ bottom }}" y2="{{ bottom + 5 }}" \
stroke="#1d2a33"/>
<text class="middle" x="{{ tick.at }}" y="{{ bottom + 20 }}">{{ tick.name }}</text>
{% endfor %}
<line x1="{{ left }}" x2="{{ right }}" y1="{{ bottom }}" y2="{{ bottom }}" stroke="#1d2a33"/>
<text class="middle" x="{{ (left + right) / 2 }}" y="{{ height - 12 }}">{{ x_name }}</text>
<text class="middle" transform="translate(18 {{ (top + bottom) / 2 }}) rotate(-90)">\
{{ y_name }}</text>
{% for one in series %}
{% if one.is_line %}
<polyline fill="none" stroke="{{ one.colour }}" stroke-width="1.6" \
stroke-dasharray="{{ one.dashes }}" points="{{ one.points }}"/>
{% else %}
{% for x, y in one.places %}
<circle cx="{{ x }}" cy="{{ y }}" r="2.6" fill="{{ one.colour }}" fill-opacity=".7"/>
{% endfor %}
{% endif %}
<rect x="{{ left + 160 * loop.index0 }}" y="44" width="11" height="11" fill="{{ one.colour }}"/>
<text x="{{ left + 160 * loop.index0 + 16 }}" y="54">{{ one.name }}</text>
{% endfor %}
</svg>
"""

_BARS = """
{% for bar in bars %}
<text class="end" x="{{ left - 10 }}" y="{{ bar.y + 14 }}">{{ bar.name }}</text>
<rect x="{{ left }}" y="{{ bar.y + 2 }}" width="{{ bar.length }}" height="17" \
fill="{{ colour }}"/>
<text x="{{ left + bar.length + 6 }}" y="{{ bar.y + 14 }}">{{ bar.number }}</text>
{% endfor %}
</svg>
"""


@dataclass(frozen=True)
class Series:
    """Values of one kind over another.

    Parameters
    ----------
    form
        ``line`` for what follows in time, ``points`` for what does not.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    form: Literal["line", "points"] = "points"


@dataclass(frozen=True)
class Axis:
    """Numbers to places on the picture, evenly or by logarithms."""

    name: str
    low: float
    high: float
    start: float
    end: float
    is_log: bool = False

    def place(self, value: float) -> float:
        """Return the position of a value, in CSS pixels to one digit."""
        low, high, value = (
            (float(np.log(max(number, 1e-9))) for number in (self.low, self.high, value))
            if self.is_log
            else (self.low, self.high, value)
        )
        share = (value - low) / (high - low) if high > low else 0.5
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self) -> list[dict[str, object]]:
        """Return names and places of round numbers on the axis."""
        return [{"name": f"{number:,.10g}", "at": self.place(number)} for number in self._round()]

    def _round(self) -> list[float]:
        scale = float(np.floor(np.log10(max(self.high - self.low, 1e-9))))
        if self.is_log:
            powers = range(-6, 8)
            numbers = [digit * 10.0**power for power in powers for digit in (1, 2, 5)]
        else:
            step = next(
                digit * 10.0 ** (scale - 1)
                for digit in (1, 2, 5, 10, 20, 50)
                if (self.high - self.low) / (digit * 10.0 ** (scale - 1)) <= 8
            )
            numbers = [step * n for n in range(int(self.low / step), int(self.high / step) + 1)]
        return [number for number in numbers if self.low <= number <= self.high]


def draw_chart(
    title: str, names: tuple[str, str], series: Sequence[Series], *, is_log: bool = False
) -> str:
    """Return a chart as an SVG document.

    Parameters
    ----------
    names
        Names of the two axes, with units.
    is_log
        Whether both axes are by logarithms; else both begin at 0.
    """
    ends = ((LEFT, WIDTH - RIGHT), (HEIGHT - BOTTOM, TOP))
    values = [[v for curve in series for v in (curve.x, curve.y)[n]] or [1.0] for n in (0, 1)]
    horizontal, vertical = (
        Axis(name, min(numbers) if is_log else 0.0, max(*numbers, 1e-9), *between, is_log)
        for name, numbers, between in zip(names, values, ends, strict=True)
    )
    drawn = [_drawn(curve, n, horizontal, vertical) for n, curve in enumerate(series)]
    return _render(_CHART, title=title, width=WIDTH, height=HEIGHT, left=LEFT, top=TOP,
                   right=WIDTH - RIGHT, bottom=HEIGHT - BOTTOM, x_name=names[0], y_name=names[1],
                   x_ticks=horizontal.ticks(), y_ticks=vertical.ticks(), series=drawn)  # fmt: skip


def _drawn(curve: Series, n: int, horizontal: Axis, vertical: Axis) -> dict[str, object]:
    pairs = zip(curve.x, curve.y, strict=True)
    places = [(horizontal.place(x), vertical.place(y)) for x, y in pairs]
    return {
        "name": curve.name,
        "colour": COLOURS[n % len(COLOURS)],
        "dashes": DASHES[n % len(DASHES)],
        "is_line": curve.form == "line",
        "places": places,
        "points": " ".join(f"{x},{y}" for x, y in _thinned(places)),
    }


def _thinned(places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Leave out places that equal the one before them."""
    return list(places[:1]) + [after for before, after in pairwise(places) if after != before]


def draw_bars(title: str, bars: Sequence[tuple[str, float, str]]) -> str:
    """Return bars as an SVG document: name, length from 0 on, and the number beside it."""
    longest = max((value for _, value, _ in bars), default=0.0) or 1.0
    room = WIDTH - NAMES - NUMBERS
    drawn = [
        {"name": name, "number": number, "length": round(room * value / longest, 1),
         "y": 48 + ROW * n}
        for n, (name, value, number) in enumerate(bars)
    ]  # fmt: skip
    height = 60 + ROW * len(bars)
    return _render(_BARS, title=title, width=WIDTH, height=height, left=NAMES, bars=drawn,
                   colour=COLOURS[0])  # fmt: skip


def _render(template: str, **values: object) -> str:
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(_BEGIN + template).render(**values).strip() + "\n"
