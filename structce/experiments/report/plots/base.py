"""Matplotlib figures as SVG elements of the report page, their axes, legends and colours."""

from __future__ import annotations

import io
import math
import re
import textwrap
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import resources
from itertools import count
from typing import TYPE_CHECKING, Any, Literal

from lxml import etree

from structce.evaluation import Interval
from structce.experiments.report.tables.base import interval_words, percent
from structce.experiments.results import LearnerResult
from structce.extras import load_extra

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.transforms import Transform

INK, SOFT, RULE, PAPER = "#1d2a33", "#5b6b76", "#dde3e7", "#ffffff"
"""The page's colours of text, secondary text, lines and background by daylight: plots and their
files are drawn in them, and :func:`inline_svg` replaces them by the page's CSS variables."""

LIGHT = ("#2d45ac", "#cd781c", "#00a16b", "#825f8c", "#622900", "#211d28")
DARK = ("#32d3ff", "#eb751b", "#4c945d", "#b8669e", "#ffe815", "#d3faf1")
"""Blue, orange, green, mauve, brown or yellow, ink: the hues of Okabe and Ito, moved so that each
stands out from #fff or #14191d by a contrast of 3 or more, and from the others for eyes that lack
red, green or blue as well (CIE 1976 difference over 30, Machado et al. 2009)."""

_CSS_VARIABLES = {
    INK: "var(--ink)",
    SOFT: "var(--soft)",
    RULE: "var(--line)",
    PAPER: "var(--paper)",
} | {colour: f"var(--s{number})" for number, colour in enumerate(LIGHT, start=1)}
"""CSS variable of the page by colour of a plot."""

_SVG = "http://www.w3.org/2000/svg"
_HREF = "{http://www.w3.org/1999/xlink}href"
_COLOUR = re.compile(r"#[0-9a-f]{6}")
_FONT = re.compile(r"font-family: [^;]*; ?|; font-family: [^;]*$")

_FIGURE_WIDTH = 4.8
"""Inches: 346 units of the view box, so that a phone of 390 CSS pixels shows letters of 10."""

_WIDE_FIGURE = 8.4  # inches of the same plot where the page has room for its whole width
_STYLE = resources.files(__package__) / "report.mplstyle"  # settings of matplotlib

FigureFormat = Literal["svg", "pdf"]  # format of a figure's file

FIGURE_FORMATS: tuple[FigureFormat, ...] = ("svg", "pdf")

_METADATA: Mapping[FigureFormat, Mapping[str, None]] = {
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}
"""Metadata that matplotlib leaves out, so that equal plots give equal files."""

_MAX_FILE_NAME = 80  # characters of a file's name; longer names end in a digest

DashStyle = Literal["-", "--", "-.", ":"] | tuple[float, Sequence[float]]
"""How a line is dashed: by name, or an offset and lengths of dashes and gaps."""

_MARKERS = ("o", "s", "^", "D", "v", "P")
_DASHES: tuple[DashStyle, ...] = ("-", "--", "-.", ":", (0, (6, 2, 1, 2, 1, 2)), (0, (1, 1)))


_DAY, _NIGHT = (
    " ".join(f"--s{number}: {colour};" for number, colour in enumerate(colours, start=1))
    for colours in (LIGHT, DARK)
)

PLOT_CSS = f"""\
:root {{ {_DAY} }}
@media (prefers-color-scheme: dark) {{
  :root {{ {_NIGHT} }}
}}
svg.plot {{ display: block; width: 100%; height: auto; max-width: 34rem; }}
svg.plot.wide {{ display: none; max-width: 61rem; }}
@media (min-width: 60rem) {{
  svg.plot.wide {{ display: block; }}
  svg.plot.wide + svg.plot {{ display: none; }}
}}
"""
"""Style rules of a page with plots; the page itself defines ``--ink``, ``--soft``, ``--line`` and
``--paper``."""


@dataclass(frozen=True)
class Plot:
    """Plot of the report page.

    Parameters
    ----------
    svg
        One ``<svg>`` element that also contains title and description; its ids are unique.
    description
        The numbers of the plot in words, for those who cannot see it.
    names
        Kind and subject of the plot; see :func:`finish_plot`.
    figure
        What it was drawn as; None for a plot that cannot be drawn again.
    """

    svg: str
    title: str
    description: str
    names: tuple[str, ...] = ()
    figure: Figure | None = field(default=None, compare=False, repr=False)

    @property
    def wide_svg(self) -> str:
        """The same for a page with room, as one more ``<svg>`` element; empty without a figure."""
        if self.figure is None:
            return ""
        text = _save_figure(self.figure, "svg", _WIDE_FIGURE).decode()
        prefix = f"{_id_prefix(self.names, self.description)}-wide"
        return inline_svg(text, prefix, self.title, self.description, "plot wide")

    @property
    def file_name(self) -> str:
        """Name of its files, without a suffix: ``costs-news-by-site``."""
        return file_stem("-".join(self.names))

    def to_file(self, form: FigureFormat) -> bytes:
        """Serialise the plot as a file for a paper, on white; empty without a figure."""
        return b"" if self.figure is None else _save_figure(self.figure, form, _FIGURE_WIDTH)


@dataclass(frozen=True)
class SeriesStyle:
    """Colour, marker and dashes of one learner; the first 36 all differ, even without colour."""

    colour: str
    marker: str
    line: DashStyle


def series_style(place: int) -> SeriesStyle:
    """Return the style of a learner by its place in the experiment, from 0."""
    n = len(LIGHT)
    return SeriesStyle(LIGHT[place % n], _MARKERS[(place + place // n) % n], _DASHES[place % n])


@contextmanager
def open_figure(height: float) -> Iterator[Figure]:
    """Open an empty figure of a height in inches, to be drawn on in the style of the report.

    Settings of the user are ignored; without matplotlib it is a :class:`MissingExtraError`.
    """
    load_extra("matplotlib", "the drawing of a report", "experiments")
    from matplotlib import style
    from matplotlib.figure import Figure

    with resources.as_file(_STYLE) as file, style.context(["default", file]):
        yield Figure(figsize=(_FIGURE_WIDTH, height), layout="constrained")


def finish_plot(figure: Figure, title: str, description: str, *names: str) -> Plot:
    """Return a figure as a plot of the page.

    The names are the kind and the subject of the plot (study, learner, ...). Ids inside are made
    of them and of the description, so that no two plots of a page share any.
    """
    svg = inline_svg(
        _save_figure(figure, "svg", _FIGURE_WIDTH).decode(),
        _id_prefix(names, description),
        title,
        description,
    )
    return Plot(svg, title, description, names, figure)


def _save_figure(figure: Figure, form: FigureFormat, width: float) -> bytes:
    """Return a figure as a file, so many inches wide, in the style of the report."""
    from matplotlib import style

    file = io.BytesIO()
    figure.set_figwidth(width)
    with (
        resources.as_file(_STYLE) as settings,
        style.context(["default", settings]),
        warnings.catch_warnings(),
    ):
        # matplotlib's font only measures the letters; the page shows them in its own.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        figure.savefig(file, format=form, metadata=dict(_METADATA[form]))
    return file.getvalue()


def file_stem(name: str) -> str:
    """Return a file's name without suffix for a name of any letters: ``news-by-site``.

    Long names, and those without a letter from a to z or a digit, end in a digest.
    """
    words = re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-.")
    if words and len(words) <= _MAX_FILE_NAME:
        return words
    return f"{words[: _MAX_FILE_NAME - 9]}-{_digest([name])}".lstrip("-")


def _id_prefix(names: Sequence[str], description: str) -> str:
    return f"{names[0]}-{_digest((*names, description))}"


def _digest(parts: Sequence[str]) -> str:
    return sha256("\0".join(parts).encode()).hexdigest()[:8]


def inline_svg(text: str, prefix: str, title: str, description: str, classes: str = "plot") -> str:
    """Convert an SVG file to an element as wide as its container, in the font of the page.

    The report's colours are replaced by CSS variables, and style rules that would apply to the
    whole page are removed.

    Parameters
    ----------
    text
        As matplotlib writes it with ``svg.fonttype`` none.
    prefix
        Begins every id inside; no other plot of the page has it.
    """
    root = etree.fromstring(text.encode(), etree.XMLParser(resolve_entities=False))
    for path in (f"{{{_SVG}}}metadata", f"{{{_SVG}}}defs[{{{_SVG}}}style]"):
        for element in root.findall(path):
            root.remove(element)
    for element in root.iter(etree.Element):
        element.tag = etree.QName(element).localname
        element.text, element.tail = _visible_text(element.text), _visible_text(element.tail)
        if target := element.get(_HREF):
            del element.attrib[_HREF]
            element.set("href", target)
        if style := element.get("style"):
            style = _FONT.sub("", style)
            variables = _COLOUR.sub(lambda colour: _CSS_VARIABLES.get(colour[0], colour[0]), style)
            element.set("style", variables)
    _prefix_ids(root, prefix)
    _set_root(root, prefix, title, description, classes)
    etree.cleanup_namespaces(root)
    return etree.tostring(root, encoding="unicode")


def _visible_text(text: str | None) -> str | None:
    """Return text between tags; None for white space that only lays out the file."""
    return text if text and text.strip() else None


def _prefix_ids(root: etree._Element, prefix: str) -> None:
    """Prefix every id that is referred to, and drop the others."""
    whole = etree.tostring(root, encoding="unicode")
    used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', whole))
    named = {element for pair in used for element in pair if element}
    for element in root.iter(etree.Element):
        if name := element.get("id"):
            del element.attrib["id"]
            if name in named:
                element.set("id", f"{prefix}-{name}")
        if target := element.get("href"):
            element.set("href", target.replace("#", f"#{prefix}-", 1))
        if clip := element.get("clip-path"):
            element.set("clip-path", clip.replace("url(#", f"url(#{prefix}-"))


def _set_root(
    root: etree._Element, prefix: str, title: str, description: str, classes: str
) -> None:
    view = root.attrib["viewBox"]
    root.attrib.clear()
    root.attrib.update(
        {
            "xmlns": _SVG,
            "class": classes,
            "viewBox": view,
            "role": "img",
            "aria-labelledby": f"{prefix}-title {prefix}-text",
            "style": "width: 100%; height: auto; font-family: inherit; stroke-linejoin: round",
        }
    )
    for tag, id, words in (("desc", "text", description), ("title", "title", title)):
        part = etree.Element(tag, {"id": f"{prefix}-{id}"})
        part.text = words
        root.insert(0, part)


def macro_f1_words(row: LearnerResult) -> str:
    """Return the macro F1 of a row with its interval, in words."""
    return percent(row.scores.macro_f1, 1) + interval_words(row.intervals.get("macro_f1"), 1)


def count_words(number: int, noun: str) -> str:
    """Return a number of things: ``1 page``, ``1,200 pages``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def wrap_name(name: str, width: int = 18) -> list[str]:
    """Wrap a name into lines of at most ``width`` characters, after hyphens where possible."""
    return textwrap.wrap(name, width) or [""]


LINE_HEIGHT = 11.5  # height of a line of a name, in points

_LEGEND_ROW_HEIGHT = 14.5  # height of a row of a legend, in points
_LEGEND_WIDTH = 44  # characters per line of a legend's entry

_MIN_PERCENT_RANGE = 5.0
"""Per cent that an axis spans at least, so that small differences do not look large."""


def name_rows(
    axes: Axes, names: Sequence[str], width: int = 18, places: Sequence[float] = ()
) -> None:
    """Write a name left of each row, the first row on top; rows are at 0, 1, 2, ... by default.

    Lines of long names are written one by one, since the page's letters have other widths than
    those that matplotlib measures with, and a block of several lines would lose its right edge.
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
    """Write lines of text left of a point, centred on its height."""
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


def draw_curve(
    axes: Axes,
    points: Iterable[tuple[float, float]],
    style: SeriesStyle,
    *,
    hollow: bool = False,
    **settings: float,
) -> None:
    """Draw the curve of a series, with a marker at each point; settings are matplotlib's."""
    x, y = zip(*points, strict=True)
    given: dict[str, Any] = {"linewidth": 1.6, "markersize": 5.5, "zorder": 3, **settings}
    axes.plot(
        x, y, color=style.colour, marker=style.marker, linestyle=style.line,
        markerfacecolor=PAPER if hollow else style.colour, **given,
    )  # fmt: skip


def draw_interval(axes: Axes, y: float, interval: Interval | None, colour: str) -> None:
    """Draw the interval of a share along a row, in per cent; nothing without an interval."""
    if interval is not None:
        axes.hlines(y, 100 * interval[0], 100 * interval[1], color=colour, linewidth=1.8, zorder=3)


def percent_axis(axes: Axes, which: Literal["x", "y"] = "x") -> None:
    """Limit an axis of per cents to 0 and 100, and draw its grid.

    It begins near the smallest value: dots, unlike bars, need no zero.
    """
    from matplotlib.ticker import MaxNLocator

    axis: Axis = getattr(axes, f"{which}axis")
    low, high = axis.get_view_interval()
    wider = max(0.0, _MIN_PERCENT_RANGE - (high - low)) / 2
    limits = max(-1.5, low - wider), min(101.5, high + wider)
    axes.set(**{f"{which}lim": limits})
    ticks = MaxNLocator(6, steps=[1, 2, 5, 10]).tick_values(*limits)
    low, high = max(0, limits[0]), min(100, limits[1])
    axis.set_ticks([tick + 0.0 for tick in ticks if low <= tick <= high])
    axis.set_major_formatter("{x:g}")
    axes.grid(axis=which)


def log_ticks(low: float, high: float, n_most: int = 7) -> list[float]:
    """Return round numbers between two positive ones, for the ticks of a logarithmic axis.

    1, 2, 5, 10, ... or, where that is too many, powers of ten, every second one, and so on. Where
    it is fewer than two, which show no scale, equally spaced ones: the range is then short.
    """
    from matplotlib.ticker import MaxNLocator

    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    kept: list[float] = []
    for factors, step in [((1, 2, 5), 1), *(((1,), n) for n in range(1, last - first + 2))]:
        ticks = [float(f"{f}e{n}") for n in range(first, last + 1, step) for f in factors]
        kept = [tick for tick in ticks if low * 0.999 <= tick <= high * 1.001]
        if len(kept) <= n_most:
            break
    if len(kept) < 2 and low < high:
        spaced = MaxNLocator(n_most - 1, steps=[1, 2, 5, 10]).tick_values(low, high)
        kept = [float(f"{tick:.12g}") for tick in spaced if low <= tick <= high]
    return kept


def log_axis(axes: Axes, which: Literal["x", "y"], n_most: int = 7) -> None:
    """Make an axis logarithmic, with round numbers instead of powers, and draw its grid."""
    axis: Axis = getattr(axes, f"{which}axis")
    axes.set(**{f"{which}scale": "log"})
    ticks = log_ticks(*axis.get_view_interval(), n_most)
    axis.set_ticks(ticks, [f"{tick:g}" for tick in ticks])
    axis.set_ticks([], minor=True)
    axes.grid(axis=which)


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


def add_series_legend(figure: Figure, names: Iterable[str], *, line: bool = False) -> None:
    """Write a legend of series by their names, in the order of their places."""
    styles = map(series_style, count())
    add_legend(
        figure, [legend_entry(s, name, line=line) for s, name in zip(styles, names, strict=False)]
    )


def add_legend(figure: Figure, entries: Sequence[Artist]) -> None:
    """Write a legend above the plot, in as many columns as fit, and enlarge the figure by it."""
    names = [str(entry.get_label()).split("\n") for entry in entries]
    longest = max(len(part) for parts in names for part in parts)
    n_columns = min(3 if longest <= 10 else 2 if longest <= 21 else 1, len(entries))
    n_rows = math.ceil(sum(len(parts) for parts in names) / n_columns)
    figure.set_figheight(figure.get_figheight() + (n_rows * _LEGEND_ROW_HEIGHT + 6) / 72)
    figure.legend(
        handles=list(entries), loc="outside upper left", ncols=n_columns,
        columnspacing=1.2, handletextpad=0.5, borderaxespad=0.0, labelspacing=0.35,
    )  # fmt: skip
