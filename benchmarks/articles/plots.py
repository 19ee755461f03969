"""Plots of a leaderboard: all cells, and complete pages against the F1 of words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.articles.board import Section, is_ours
from benchmarks.articles.comparison import Cell
from benchmarks.articles.scores import MEASURES, SystemScores, interval_of, value_of
from benchmarks.articles.systems import SHIPPED, SYSTEMS
from structce.evaluation import Interval
from structce.extras import load_extra

PANELS = {
    "Title": ("title",),
    "Authors": ("authors",),
    "Date": ("date",),
    "Text": ("text", "shingles", "segments"),
}
"""Measures of each panel of the plot of cells."""

_VIEW_TITLES = {"stated": "pages as they are", "bare": "without their metadata"}
_LEAST_PAGES = 100
"""Least number of pages with gold of a drawn cell: with fewer, systems differ by chance only."""

_OWN_MEASURES = {"article-extraction-benchmark": "shingles"}
"""Corpora whose texts are drawn as their authors measure them; the others by bags of words."""

_SHOWN_FOR_TEXT = {"shingles": ", shingles", "segments": ", segments"}
_DODGE = 0.3  # rows by which the systems of a row lie apart at most, so that none hides another
_OTHER = ("#8c8c8c", ".")
_STYLES = {  # after Okabe and Ito (2008): colours that the colour-blind can distinguish, and shapes
    "ours-static": ("#000000", "D"),
    "ours-chromium": ("#000000", "d"),
    "trafilatura": ("#e69f00", "s"),
    "rs-trafilatura": ("#e69f00", "p"),
    "newspaper4k": ("#009e73", "^"),
    "readability-lxml": ("#56b4e9", "<"),
    "readability.js": ("#cc79a7", "v"),
    "defuddle": ("#0072b2", "P"),
    "goose3": ("#d55e00", "X"),
    "htmldate": ("#b8a200", "*"),
    "resiliparse": ("#8c8c8c", "o"),
    "justext": ("#8c8c8c", "1"),
    "boilerpy3": ("#8c8c8c", "2"),
}
_LABELS = {"ours-static": "structce, no browser", "ours-chromium": "structce, Chromium"}
_FEW_PAGES = 25
"""Least number of pages of a corpus whose completeness is drawn."""

_PANELS_BESIDE = 3


@dataclass(frozen=True)
class Row:
    """One row of the plot of cells: the values of all systems.

    Parameters
    ----------
    intervals
        Of this project's systems.
    best_published
        Scores of outputs that others published; None without such outputs.
    """

    name: str
    values: dict[str, float]
    intervals: dict[str, Interval]
    best_published: float | None


def plot_rows(sections: Sequence[Section], view: str, panel: str, seed: int) -> list[Row]:
    """Return the rows of one panel: cells with enough pages, in the order of the corpora."""
    rows = []
    for section in sections:
        for name in _names(section, panel) if section.view == view else ():
            if max(len(system.having(name)) for system in section.systems) >= _LEAST_PAGES:
                rows.append(_row(section, name, seed))
    return rows


def _names(section: Section, panel: str) -> list[str]:
    """Return the measures of a corpus that a panel shows."""
    known = {measure.name for measure in section.measures}
    text = _OWN_MEASURES.get(section.corpus.name, "text")
    hidden = {"text", "shingles"} - {text}
    return [name for name in PANELS[panel] if name in known - hidden]


def _row(section: Section, measure: str, seed: int) -> Row:
    own = MEASURES[measure]
    known = {s.system: s for s in section.systems if s.having(measure) and s.system != SHIPPED}
    values = {name: value_of(system.having(measure), own) for name, system in known.items()}
    published = [values.pop(name) for name, system in known.items() if system.is_published]
    intervals = {
        name: interval
        for name in values
        if is_ours(name) and (interval := interval_of(known[name].having(measure), own, seed))
    }
    label = section.corpus.name + _SHOWN_FOR_TEXT.get(measure, "")
    return Row(label, values, intervals, max(published, default=None))


def save_plot(sections: Sequence[Section], path: Path, description: str, seed: int) -> None:
    """Write the plot of all cells, as PNG or SVG by the name's ending.

    Parameters
    ----------
    description
        What the picture shows, for those who do not see it; see :func:`alternative_text`.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    pyplot = load_extra("matplotlib.pyplot", "the plot of the leaderboard", "plots")
    views = [view for view in _VIEW_TITLES if any(section.view == view for section in sections)]
    grid = [_aligned([plot_rows(sections, v, panel, seed) for v in views]) for panel in PANELS]
    heights = [len(rows[0]) for rows in grid]
    with pyplot.rc_context({"svg.hashsalt": "leaderboard", "font.size": 9}):
        figure, axes = pyplot.subplots(
            len(PANELS), len(views), squeeze=False, sharex="row", sharey="row",
            layout="constrained", facecolor="white",
            figsize=(3.6 * len(views) + 2.8, 0.36 * sum(heights) + 3.0),
            gridspec_kw={"height_ratios": [max(height, 1) + 1 for height in heights]},
        )  # fmt: skip
        for panel, panels, line in zip(PANELS, grid, axes, strict=True):
            line[0].set_xlim(_left_end(panels), 1.005)
            for view, rows, axis in zip(views, panels, line, strict=True):
                _draw_panel(axis, rows, f"{panel}, {_VIEW_TITLES[view]}")
        for axis in axes[-1]:
            axis.set_xlabel("share right, or F1; bar: 95 % interval")
        figure.suptitle("How well title, authors, date and text of unseen sites are read")
        _draw_legend(figure, [row for panels in grid for rows in panels for row in rows])
        figure.savefig(path, **_savings(path, description))
        pyplot.close(figure)


def _aligned(panels: Sequence[Sequence[Row]]) -> list[list[Row]]:
    """Return the rows of panels side by side, with an empty row where a panel lacks one."""
    names = list(dict.fromkeys(row.name for rows in panels for row in rows))
    by_name = [{row.name: row for row in rows} for rows in panels]
    return [[rows.get(name, Row(name, {}, {}, None)) for name in names] for rows in by_name]


def _left_end(panels: Sequence[Sequence[Row]]) -> float:
    values = [value for rows in panels for row in rows for value in row.values.values()]
    return float(np.floor(20 * min(values, default=0.0)) / 20) - 0.02


def _savings(path: Path, description: str) -> dict[str, Any]:
    if path.suffix != ".svg":
        return {"dpi": 150}
    return {"metadata": {"Date": None, "Title": "Leaderboard", "Description": description}}


def _draw_panel(axis: Any, rows: Sequence[Row], title: str) -> None:
    axis.set_title(title, loc="left", fontsize=9, fontweight="bold")
    axis.set_yticks(range(len(rows)), [row.name for row in rows])
    axis.set_ylim(len(rows) - 0.5, -0.5)
    axis.grid(axis="x", color="#dddddd", linewidth=0.6)
    axis.set_axisbelow(True)
    for y, row in enumerate(rows):
        axis.axhline(y, color="#eeeeee", linewidth=0.8, zorder=0)
        places = dict(zip(row.values, np.linspace(-_DODGE, _DODGE, len(row.values)), strict=True))
        for name, value in row.values.items():
            place = y if is_ours(name) else y + places[name]
            _draw_value(axis, name, value, place, row.intervals.get(name))
        if row.best_published is not None:
            axis.scatter([row.best_published], [y], color="#555555", marker="|", s=90)


def _draw_value(axis: Any, name: str, value: float, y: float, interval: Interval | None) -> None:
    style = _line_style(name)
    if interval is not None and name == "ours-static":
        axis.plot(interval, [y, y], color=style["color"], linewidth=2.2, alpha=0.3, zorder=2)
    size, height = (6.5, 4) if is_ours(name) else (5, 3)
    axis.plot([value], [y], linestyle="", markersize=size, zorder=height, **style)


def _draw_legend(figure: Any, rows: Sequence[Row]) -> None:
    lines = load_extra("matplotlib.lines", "the plot of the leaderboard", "plots")
    known = [name for name in SYSTEMS if any(name in row.values for row in rows)]
    shown = sorted(known, key=lambda name: not is_ours(name))
    handles = [
        lines.Line2D([], [], linestyle="", label=_LABELS.get(name, name), **_line_style(name))
        for name in shown
    ]
    if any(row.best_published is not None for row in rows):
        style = {"color": "#555555", "marker": "|", "linestyle": ""}
        handles.append(lines.Line2D([], [], label="best published output", **style))
    figure.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False)


def _line_style(name: str) -> dict[str, str]:
    colour, marker = _STYLES.get(name, _OTHER)
    face = "none" if name == "ours-chromium" else colour
    return {"color": colour, "marker": marker, "markerfacecolor": face}


def alternative_text(cells: Sequence[Cell]) -> str:
    """Return one sentence that says what the plot of cells shows."""
    views = dict.fromkeys(cell.view for cell in cells if cell.view in _VIEW_TITLES)
    told = [_told_view([cell for cell in cells if cell.view == view], view) for view in views]
    return (
        "Dot plot of titles, authors, dates and texts, one row per corpus and one dot per system; "
        + "; ".join(told)
        + "."
    )


def _told_view(cells: Sequence[Cell], view: str) -> str:
    verdicts = [cell.verdict for cell in cells]
    counts = ", ".join(f"{verdicts.count(name)} {name}" for name in ("ahead", "level", "behind"))
    return f"{_VIEW_TITLES[view]}, ours against the best other system is {counts} ({len(cells)})"


def save_completeness_plot(
    sections: Sequence[Section], others: Mapping[str, Sequence[Section]], ours: str, path: Path
) -> None:
    """Write the plot of complete pages against the F1 of words, one panel per corpus.

    Parameters
    ----------
    others
        Sections of ours with other balances of precision and recall, by the balance's name.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    pyplot = load_extra("matplotlib.pyplot", "the plot of the leaderboard", "plots")
    shown = [section for section in sections if section.view == "stated" and _has_lines(section)]
    rows = -(-len(shown) // _PANELS_BESIDE)
    figure, axes = pyplot.subplots(
        rows, _PANELS_BESIDE, figsize=(12, 3.4 * rows), squeeze=False, layout="constrained"
    )
    for axis in axes.flat[len(shown) :]:
        axis.remove()
    for axis, section in zip(axes.flat, shown, strict=False):
        for scores in section.systems:
            if scores.having("complete") and not scores.is_published and scores.system != SHIPPED:
                point = _text_and_lines(scores)
                axis.plot(*point, linestyle="", markersize=6, **_line_style(scores.system))
                axis.annotate(scores.system, point, xytext=(3, 3), textcoords="offset points",
                              size=6)  # fmt: skip
        curve = [
            (name, *_text_and_lines(scores))
            for name, boards in (others | {"balance": sections}).items()
            for board in boards
            if (board.corpus, board.view) == (section.corpus, section.view)
            and (scores := board.of(ours)) is not None
        ]
        curve.sort(key=lambda point: point[2])
        axis.plot(*zip(*(point[1:] for point in curve), strict=True), color="#000000", linewidth=1)
        for name, x, y in curve:
            axis.annotate(name, (x, y), xytext=(-3, -9), textcoords="offset points", size=6,
                          ha="right")  # fmt: skip
        axis.set_title(section.corpus.name, loc="left", fontsize=9, fontweight="bold")
        axis.set(xlabel="F1 of words", ylabel="pages that are complete")
    figure.savefig(path, **_savings(path, "Complete pages against the F1 of words, by corpus."))
    pyplot.close(figure)


def _has_lines(section: Section) -> bool:
    return any(len(system.having("complete")) >= _FEW_PAGES for system in section.systems)


def _text_and_lines(scores: SystemScores) -> tuple[float, float]:
    text, complete = (
        value_of(scores.having(name), MEASURES[name]) for name in ("text", "complete")
    )
    return text, complete
