"""Matplotlib figures as SVG elements of the report page, in the colours of its theme."""

from __future__ import annotations

import io
import re
import textwrap
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import resources
from typing import TYPE_CHECKING, Literal

from lxml import etree

from structce.experiments.report.tables.base import interval_words, percent
from structce.experiments.results import LearnerResult
from structce.extras import load_extra

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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

_WIDE_FIGURE = 8.4
"""Inches of the same plot where the page has room for its whole width."""

_STYLE = resources.files(__package__) / "report.mplstyle"
"""Settings of matplotlib."""

FigureFormat = Literal["svg", "pdf"]
"""Format of a figure's file."""

FIGURE_FORMATS: tuple[FigureFormat, ...] = ("svg", "pdf")

_METADATA: Mapping[FigureFormat, Mapping[str, None]] = {
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}
"""What matplotlib is not to write, so that the same plot gives the same file."""

_MAX_FILE_NAME = 80
"""Letters of a file's name; longer ones end in a digest."""

DashStyle = Literal["-", "--", "-.", ":"] | tuple[float, Sequence[float]]
"""How a line is dashed: by name, or an offset and lengths of dashes and gaps."""

_MARKERS = ("o", "s", "^", "D", "v", "P")
_DASHES: tuple[DashStyle, ...] = ("-", "--", "-.", ":", (0, (6, 2, 1, 2, 1, 2)), (0, (1, 1)))


def _variables(colours: tuple[str, ...]) -> str:
    return " ".join(f"--s{number}: {one};" for number, one in enumerate(colours, start=1))


PLOT_CSS = f"""\
:root {{ {_variables(LIGHT)} }}
@media (prefers-color-scheme: dark) {{
  :root {{ {_variables(DARK)} }}
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
        One ``<svg>`` element that holds title and description, too; its ids are unique.
    title
        Caption.
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

    Settings of the user and of the working directory are ignored.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    load_extra("matplotlib", "the drawing of a report", "experiments")
    from matplotlib import style
    from matplotlib.figure import Figure

    with resources.as_file(_STYLE) as file, style.context(["default", file]):
        yield Figure(figsize=(_FIGURE_WIDTH, height), layout="constrained")


def finish_plot(figure: Figure, title: str, description: str, *names: str) -> Plot:
    """Return a figure as a plot of the page.

    Parameters
    ----------
    names
        Kind and subject of the plot (study, learner, ...). Ids inside are made of them and of the
        description, so that no two plots of a page share any.
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
    """Convert an SVG file to an element that can stand inside an HTML page.

    Parameters
    ----------
    text
        As matplotlib writes it with ``svg.fonttype`` none.
    prefix
        Begins every id inside; no other plot of the page has it.
    title, description
        The alternative text as plain text.
    classes
        Classes of the element, separated by spaces.

    Returns
    -------
    An element as wide as its container, in the font of the page. The report's colours are replaced
    by CSS variables, and style rules that would apply to the whole page are removed.
    """
    root = etree.fromstring(text.encode(), etree.XMLParser(resolve_entities=False))
    for path in (f"{{{_SVG}}}metadata", f"{{{_SVG}}}defs[{{{_SVG}}}style]"):
        for one in root.findall(path):
            root.remove(one)
    for one in root.iter(etree.Element):
        one.tag = etree.QName(one).localname
        one.text, one.tail = _visible_text(one.text), _visible_text(one.tail)
        if target := one.get(_HREF):
            del one.attrib[_HREF]
            one.set("href", target)
        if style := one.get("style"):
            one.set("style", _with_css_variables(style))
    _prefix_ids(root, prefix)
    _set_root(root, prefix, title, description, classes)
    etree.cleanup_namespaces(root)
    return etree.tostring(root, encoding="unicode")


def _visible_text(text: str | None) -> str | None:
    """Return text between tags; None for white space that only lays out the file."""
    return text if text and text.strip() else None


def _with_css_variables(style: str) -> str:
    style = _FONT.sub("", style)
    return _COLOUR.sub(lambda found: _CSS_VARIABLES.get(found[0], found[0]), style)


def _prefix_ids(root: etree._Element, prefix: str) -> None:
    """Prefix every id that is referred to, and drop the others."""
    whole = etree.tostring(root, encoding="unicode")
    used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', whole))
    named = {one for pair in used for one in pair if one}
    for one in root.iter(etree.Element):
        if name := one.get("id"):
            del one.attrib["id"]
            if name in named:
                one.set("id", f"{prefix}-{name}")
        if target := one.get("href"):
            one.set("href", target.replace("#", f"#{prefix}-", 1))
        if clip := one.get("clip-path"):
            one.set("clip-path", clip.replace("url(#", f"url(#{prefix}-"))


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
    for place, (tag, words) in enumerate((("title", title), ("desc", description))):
        part = etree.Element(tag, {"id": f"{prefix}-{'text' if place else 'title'}"})
        part.text = words
        root.insert(place, part)


def macro_f1_words(row: LearnerResult) -> str:
    """Return the macro F1 of a row with its interval, in words."""
    return percent(row.scores.macro_f1, 1) + interval_words(row.intervals.get("macro_f1"), 1)


def count_words(number: int, noun: str) -> str:
    """Return a number of things: ``1 page``, ``1,200 pages``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def wrap_name(name: str, width: int = 18) -> list[str]:
    """Return a name on lines of at most so many letters, broken after hyphens where possible."""
    return textwrap.wrap(name, width) or [""]
