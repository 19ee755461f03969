"""Parts that several plots draw on their axes: names of rows, intervals, ticks, legends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from structce.evaluation import Interval
from structce.experiments.report.plots.base import PAPER, SOFT, SeriesStyle, wrap_name

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.transforms import Transform

LINE_HEIGHT = 11.5
"""Height of a line of a name, in points."""

_LEGEND_ROW_HEIGHT = 14.5
"""Height of a row of a legend, in points."""

_LEGEND_WIDTH = 44
"""Letters on a line of a legend's entry."""

_MIN_PERCENT_RANGE = 5.0
"""Per cent that an axis spans at least, so that small differences do not look large."""


def name_rows(
    axes: Axes, names: Sequence[str], width: int = 18, places: Sequence[float] = ()
) -> None:
    """Write a name left of each row, the first row on top; long ones on several lines.

    Rows stand at 0, 1, 2, ... if no places are given.

    Lines are written one by one, since the page's letters have other widths than those that
    matplotlib measures with, and a block of several lines would lose its right edge.
    """
    places = places or range(len(names))
    axes.set_ylim(places[-1] + 0.5, -0.5)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    for y, name in zip(places, names, strict=True):
        write_lines(axes, wrap_name(name, width), (0, y), axes.get_yaxis_transform())


def write_lines(
    axes: Axes, parts: Sequence[str], place: tuple[float, float], coordinates: Transform
) -> None:
    """Write lines that end left of a place and have it at half their height."""
    for i, part in enumerate(parts):
        axes.annotate(
            part, place, (-6, LINE_HEIGHT * ((len(parts) - 1) / 2 - i)), ha="right", va="center",
            xycoords=coordinates, textcoords="offset points", annotation_clip=False, size=9.5,
        )  # fmt: skip


def row_heights(names: Sequence[str], least: float, width: int = 18) -> float:
    """Return the height in inches of rows with names, each at least so high."""
    highest = max((len(wrap_name(name, width)) for name in names), default=1)
    return len(names) * max(least, (highest * LINE_HEIGHT + 5) / 72)


def draw_dot(axes: Axes, x: float, y: float, style: SeriesStyle, *, hollow: bool = False) -> None:
    """Draw a data point of a series above all lines."""
    axes.plot(
        [x], [y], marker=style.marker, color=style.colour, markersize=6.5, markeredgewidth=1.4,
        markerfacecolor=PAPER if hollow else style.colour, linestyle="none", clip_on=False,
        zorder=4,
    )  # fmt: skip


def draw_interval(axes: Axes, y: float, interval: Interval | None, colour: str) -> None:
    """Draw the interval of a share along a row, in per cent; nothing without an interval."""
    if interval is not None:
        axes.hlines(y, 100 * interval[0], 100 * interval[1], color=colour, linewidth=1.8, zorder=3)


def percent_axis(axes: Axes, which: str = "x") -> None:
    """Limit an axis of per cents to 0 and 100, and draw its grid.

    It begins near the smallest value: dots, unlike bars, need no zero.
    """
    from matplotlib.ticker import MaxNLocator

    low, high = axes.get_xlim() if which == "x" else axes.get_ylim()
    wider = max(0.0, _MIN_PERCENT_RANGE - (high - low)) / 2
    limits = max(-1.5, low - wider), min(101.5, high + wider)
    if which == "x":
        axes.set_xlim(*limits)
    else:
        axes.set_ylim(*limits)
    axis = axes.xaxis if which == "x" else axes.yaxis
    ticks = MaxNLocator(6, steps=[1, 2, 5, 10]).tick_values(*limits)
    low, high = max(0, limits[0]), min(100, limits[1])
    axis.set_ticks([tick + 0.0 for tick in ticks if low <= tick <= high])
    axis.set_major_formatter("{x:g}")
    axes.grid(axis="x" if which == "x" else "y")


def log_ticks(low: float, high: float, n_most: int = 7) -> list[float]:
    """Return round numbers between two positive ones, for the ticks of a logarithmic axis.

    1, 2, 5, 10, ... or, where that is too many, powers of ten, every second one, and so on.
    """
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    kept: list[float] = []
    for factors, step in [((1, 2, 5), 1), *(((1,), n) for n in range(1, last - first + 2))]:
        ticks = [float(f"{f}e{n}") for n in range(first, last + 1, step) for f in factors]
        kept = [tick for tick in ticks if low * 0.999 <= tick <= high * 1.001]
        if len(kept) <= n_most:
            break
    return kept


def log_axis(axes: Axes, which: str, n_most: int = 7) -> None:
    """Make an axis logarithmic, with round numbers instead of powers, and draw its grid."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    axes.set(**{f"{which}scale": "log"})
    low, high = axes.get_xlim() if which == "x" else axes.get_ylim()
    ticks = log_ticks(low, high, n_most)
    axis.set_ticks(ticks, [f"{tick:g}" for tick in ticks])
    axis.set_ticks([], minor=True)
    axes.grid(axis="x" if which == "x" else "y")


def legend_entry(
    style: SeriesStyle, name: str, *, line: bool = False, hollow: bool = False
) -> Line2D:
    """Return an entry of a legend, long names on several lines."""
    from matplotlib.lines import Line2D

    return Line2D(
        [], [], color=style.colour, marker=style.marker, markersize=6.5,
        label="\n".join(wrap_name(name, _LEGEND_WIDTH)),
        linestyle=style.line if line else "none", markeredgewidth=1.4, linewidth=1.6,
        markerfacecolor=PAPER if hollow else style.colour,
    )  # fmt: skip


def add_legend(figure: Figure, entries: Sequence[Artist]) -> None:
    """Write a legend above the plot, in as many columns as fit, and enlarge the figure by it."""
    names = [str(one.get_label()).split("\n") for one in entries]
    longest = max(len(part) for parts in names for part in parts)
    n_columns = min(3 if longest <= 10 else 2 if longest <= 21 else 1, len(entries))
    n_rows = math.ceil(sum(len(parts) for parts in names) / n_columns)
    figure.set_figheight(figure.get_figheight() + (n_rows * _LEGEND_ROW_HEIGHT + 6) / 72)
    figure.legend(
        handles=list(entries), loc="outside upper left", ncols=n_columns,
        columnspacing=1.2, handletextpad=0.5, borderaxespad=0.0, labelspacing=0.35,
    )  # fmt: skip


def draw_zero_line(axes: Axes, x: float = 0.0) -> None:
    """Draw the vertical line that the rows of a plot are compared with."""
    axes.axvline(x, color=SOFT, linewidth=1.2, linestyle=(0, (4, 3)), zorder=2)
