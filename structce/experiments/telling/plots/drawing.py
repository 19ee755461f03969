"""Begins and ends every plot of a report: one size, one style, colours of the page's theme."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from types import ModuleType
from typing import TYPE_CHECKING, Literal

from structce.evaluation.extras import load_extra
from structce.experiments.telling.plots.svg import inline_svg
from structce.experiments.telling.plots.theme import INK, RULE, SERIES, SOFT

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Sheet

WIDTH = 4.8
"""Inches: 346 units of the view box, so that a phone of 390 CSS pixels shows letters of 10."""

_STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "structce",  # else names inside the file differ from run to run
    "text.parse_math": False,  # a name may hold dollars
    "font.size": 10.0,
    "xtick.labelsize": 9.5,
    "ytick.labelsize": 9.5,
    "legend.fontsize": 9.5,
    "legend.frameon": False,
    "legend.handlelength": 2.6,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "axes.edgecolor": SOFT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": RULE,
    "text.color": INK,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
}

Line = Literal["-", "--", "-.", ":"] | tuple[float, Sequence[float]]
"""How a line is dashed: by name, or an offset and lengths of dashes and gaps."""

MARKERS = ("o", "s", "^", "D", "v", "P")
LINES: tuple[Line, ...] = ("-", "--", "-.", ":", (0, (6, 2, 1, 2, 1, 2)), (0, (1, 1)))


@dataclass(frozen=True)
class Figure:
    """A plot that stands in a page.

    Parameters
    ----------
    svg
        One ``<svg>`` element with title and description inside; its ids are its own.
    title
        What it shows, for a caption.
    description
        The same numbers in words, for who cannot see it.
    """

    svg: str
    title: str
    description: str


@dataclass(frozen=True)
class Series:
    """How one of several arms looks; no two of the first 36 look alike, even without colour."""

    colour: str
    marker: str
    line: Line


def series(place: int) -> Series:
    """Return the look of an arm by its place in the experiment, from 0."""
    n = len(SERIES)
    return Series(SERIES[place % n], MARKERS[(place + place // n) % n], LINES[place % n])


def load_matplotlib() -> ModuleType:
    """Return matplotlib.

    Raises
    ------
    MissingExtraError
        If it is not installed.
    """
    return load_extra("matplotlib", "the drawing of a report")


@contextmanager
def sheet(height: float) -> Iterator[Sheet]:
    """Give an empty figure of a height in inches; whatever is drawn inside follows the style.

    No setting of the user's or of the working directory counts.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    load_matplotlib()
    from matplotlib import style
    from matplotlib.figure import Figure as Sheet

    with style.context(["default", _STYLE]):
        yield Sheet(figsize=(WIDTH, height), layout="constrained")


def finish(drawn: Sheet, title: str, description: str, *names: str) -> Figure:
    """Return a drawn sheet as a figure of the page.

    Parameters
    ----------
    names
        The kind of plot, and of what it is (study, arm, ...): the ids inside are made of them and
        of the description, so that no two figures of a page share any.
    """
    text = io.StringIO()
    with warnings.catch_warnings():
        # Letters that matplotlib's font lacks are only measured with it; the page shows them.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        drawn.savefig(text, format="svg", metadata={"Date": None})
    digest = sha256("\0".join((*names, description)).encode()).hexdigest()[:8]
    svg = inline_svg(text.getvalue(), f"{names[0]}-{digest}", title, description)
    return Figure(svg, title, description)
