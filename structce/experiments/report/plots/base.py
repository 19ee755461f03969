"""The colours of the plots, which follow the light or dark theme of the page they stand in."""

from __future__ import annotations

import io
import re
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from types import ModuleType
from typing import TYPE_CHECKING, Literal

from lxml import etree

from structce.evaluation import load_extra
from structce.experiments.results import Interval, LearnerResult

INK, SOFT, RULE, PAPER = "#0a0b01", "#0a0b02", "#0a0b03", "#0a0b04"
"""Drawn as these, shown as the page's colours of text, of lesser text, of lines, of its ground."""

SERIES = tuple(f"#0a0b{number}" for number in range(11, 17))
"""Drawn as these, shown as six colours of ``STYLE``; see :func:`...plots.drawing.series`."""

_CSS_VARIABLES = {
    INK: "var(--ink)",
    SOFT: "var(--soft)",
    RULE: "var(--line)",
    PAPER: "var(--paper)",
} | {colour: f"var(--s{number})" for number, colour in enumerate(SERIES, start=1)}
"""What stands in the page for each colour that a plot is drawn in."""

LIGHT = ("#2d45ac", "#cd781c", "#00a16b", "#825f8c", "#622900", "#211d28")
DARK = ("#32d3ff", "#eb751b", "#4c945d", "#b8669e", "#ffe815", "#d3faf1")
"""Blue, orange, green, mauve, brown or yellow, ink: the hues of Okabe and Ito, moved so that each
stands out from #fff or #14191d by a contrast of 3 or more, and from the others for eyes that lack
red, green or blue as well (CIE 1976 difference over 30, Machado et al. 2009)."""


def _variables(colours: tuple[str, ...]) -> str:
    return " ".join(f"--s{number}: {one};" for number, one in enumerate(colours, start=1))


PLOT_CSS = f"""\
:root {{ {_variables(LIGHT)} }}
@media (prefers-color-scheme: dark) {{
  :root {{ {_variables(DARK)} }}
}}
svg.plot {{ display: block; width: 100%; height: auto; max-width: 34rem; }}
"""
"""Rules that a page with plots needs, besides its own ``--ink``, ``--soft``, ``--line`` and
``--paper``."""


_SVG = "http://www.w3.org/2000/svg"
_HREF = "{http://www.w3.org/1999/xlink}href"

_COLOUR = re.compile(r"#[0-9a-f]{6}")
_FONT = re.compile(r"font-family: [^;]*; ?|; font-family: [^;]*$")


def inline_svg(text: str, prefix: str, title: str, description: str) -> str:
    """Return an SVG file as an element to stand in a page.

    Parameters
    ----------
    text
        As matplotlib writes it with ``svg.fonttype`` none.
    prefix
        Of every id inside; no other figure of the page has it.
    title, description
        The alternative text, plain; escaped here.

    Returns
    -------
    It fills the width that it is given, in the font of the page. Colours of
    :data:`...plots.theme.VARIABLES` have become the page's, and no rule inside reaches out of it.
    """
    root = etree.fromstring(text.encode(), etree.XMLParser(resolve_entities=False))
    for one in root.findall(f"{{{_SVG}}}metadata") + root.findall(
        f"{{{_SVG}}}defs[{{{_SVG}}}style]"
    ):
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
    _set_root(root, prefix, title, description)
    etree.cleanup_namespaces(root)
    return etree.tostring(root, encoding="unicode")


def _visible_text(text: str | None) -> str | None:
    """Return text between tags without the line breaks that only lay out the file."""
    return text if text and text.strip() else None


def _with_css_variables(style: str) -> str:
    style = _FONT.sub("", style)
    return _COLOUR.sub(lambda found: _CSS_VARIABLES.get(found[0], found[0]), style)


def _prefix_ids(root: etree._Element, prefix: str) -> None:
    """Put the prefix before every id that something points to, and drop the others."""
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


def _set_root(root: etree._Element, prefix: str, title: str, description: str) -> None:
    view = root.attrib["viewBox"]
    root.attrib.clear()
    root.attrib.update(
        {
            "xmlns": _SVG,
            "class": "plot",
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


if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FIGURE_WIDTH = 4.8
"""Inches: 346 units of the view box, so that a phone of 390 CSS pixels shows letters of 10."""

_RC_PARAMS = {
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

DashStyle = Literal["-", "--", "-.", ":"] | tuple[float, Sequence[float]]
"""How a line is dashed: by name, or an offset and lengths of dashes and gaps."""

_MARKERS = ("o", "s", "^", "D", "v", "P")
_DASHES: tuple[DashStyle, ...] = ("-", "--", "-.", ":", (0, (6, 2, 1, 2, 1, 2)), (0, (1, 1)))


@dataclass(frozen=True)
class Plot:
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
class SeriesStyle:
    """How one of several arms looks; no two of the first 36 look alike, even without colour."""

    colour: str
    marker: str
    line: DashStyle


def series_style(place: int) -> SeriesStyle:
    """Return the look of an arm by its place in the experiment, from 0."""
    n = len(SERIES)
    return SeriesStyle(SERIES[place % n], _MARKERS[(place + place // n) % n], _DASHES[place % n])


def load_matplotlib() -> ModuleType:
    """Return matplotlib.

    Raises
    ------
    MissingExtraError
        If it is not installed.
    """
    return load_extra("matplotlib", "the drawing of a report")


@contextmanager
def open_figure(height: float) -> Iterator[Figure]:
    """Give an empty figure of a height in inches; whatever is drawn inside follows the style.

    No setting of the user's or of the working directory counts.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    load_matplotlib()
    from matplotlib import style
    from matplotlib.figure import Figure

    with style.context(["default", _RC_PARAMS]):
        yield Figure(figsize=(_FIGURE_WIDTH, height), layout="constrained")


def finish_plot(drawn: Figure, title: str, description: str, *names: str) -> Plot:
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
    return Plot(svg, title, description)


def percent(share: float) -> str:
    """Return a share as a number in per cent: ``81.2``."""
    return f"{100 * share:.1f}"


def points(difference: float) -> str:
    """Return a difference of shares in percentage points, with its sign: ``+2.5``."""
    return f"{100 * difference:+.1f}"


def interval_words(interval: Interval | None) -> str:
    """Return an interval of a share in words, to stand after a number; empty if there is none."""
    if interval is None:
        return ""
    return f" (95 per cent interval {percent(interval[0])} to {percent(interval[1])})"


def macro_f1_words(row: LearnerResult) -> str:
    """Return the macro F1 of a row with its interval, in words."""
    return percent(row.scores.macro_f1) + interval_words(row.intervals.get("macro_f1"))


def count_words(number: int, noun: str) -> str:
    """Return a number of things: ``1 page``, ``1,200 pages``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def wrap_name(name: str, width: int = 18) -> list[str]:
    """Return a name cut into lines of at most so many letters, after hyphens where it can be."""
    return textwrap.wrap(name, width) or [""]
