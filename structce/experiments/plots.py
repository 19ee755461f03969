"""Plots of a report: one SVG each, whose ink is the colour of the text around it, and one PDF."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from structce.experiments.report import Report
from structce.experiments.tables import part_names
from structce.extras import load_extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK = "#010101"
"""Colour of text and axes while drawing, replaced by ``currentColor`` in the SVG."""

COLOURS = ("#3f7fd0", "#d9731a", "#1f9e6e", "#a35fb0", "#a07a1a", "#7a8790")
"""Colours of series, each of a contrast of 3 or more on white and on the dark page."""

_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_WIDTH = 5.4  # inches

_INKED = "axes.edgecolor axes.labelcolor grid.color text.color xtick.color ytick.color"
_STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "structce",
    "pdf.fonttype": 42,
    "text.parse_math": False,
    "font.size": 9,
    "legend.frameon": False,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.alpha": 0.2,
    **dict.fromkeys(_INKED.split(), INK),
}

Point = tuple[float, float | None, float | None]
"""Value with the ends of its interval, None if not known."""

Curves = Mapping[str, Sequence[tuple[float, Point]]]


class Plot(NamedTuple):
    """Plot of the report page: its title, one ``<svg>`` element, and the same as a PDF file."""

    title: str
    svg: str
    pdf: bytes


def _drawn(title: str, height: float, draw: Callable[[Axes], object]) -> Plot:
    """Return a figure with a legend above if it has labels; equal figures give equal files."""
    load_extra("matplotlib", "the drawing of a report", "experiments")
    from matplotlib import style
    from matplotlib.figure import Figure

    svg, pdf = io.StringIO(), io.BytesIO()
    with style.context(["default", _STYLE]):
        figure = Figure(figsize=(_WIDTH, height), layout="constrained")
        axes = figure.subplots()
        draw(axes)
        handles, labels = axes.get_legend_handles_labels()
        if labels:
            n_columns = max(1, min(len(labels), 70 // (max(map(len, labels)) + 8)))
            figure.legend(handles, labels, loc="outside upper left", ncols=n_columns)
        figure.savefig(svg, format="svg", metadata={"Date": None})
        figure.savefig(pdf, format="pdf", metadata={"CreationDate": None})
    text = svg.getvalue().replace(INK, "currentColor")
    return Plot(title, text[text.index("<svg") :].strip(), pdf.getvalue())


def _dots(
    title: str, names: Sequence[str], series: Mapping[str, Sequence[Point | None]], axis: str,
    *, log: bool = False,
) -> Plot | None:  # fmt: skip
    """Draw a row for each name and a dot for each series, with its interval; None without any."""
    if not any(point for points in series.values() for point in points):
        return None
    n, spread = len(series), 0.7 if len(series) > 1 else 0.0

    def draw(axes: Axes) -> None:
        for i, (name, points) in enumerate(series.items()):
            colour, marker = COLOURS[i % len(COLOURS)], _MARKERS[i % len(_MARKERS)]
            label = name if n > 1 and any(points) else ""
            drawn = [
                (y + spread * ((i + 0.5) / n - 0.5), point)
                for y, point in enumerate(points)
                if point
            ]
            for y, (_, low, high) in drawn:
                if low is not None and high is not None:
                    axes.hlines(y, low, high, color=colour)
            axes.plot(
                [point[0] for _, point in drawn],
                [y for y, _ in drawn],
                marker,
                color=colour,
                label=label,
            )
        if log:
            axes.set_xscale("log")
            axes.xaxis.set_major_formatter("{x:g}")
            axes.xaxis.set_minor_formatter("")
        axes.set_yticks(range(len(names)), names)
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.set_xlabel(axis)

    return _drawn(title, 0.9 + 0.24 * len(names) * max(1.0, 0.55 * n), draw)


def _lines(
    title: str, curves: Curves, labels: tuple[str, str], *, diagonal: bool = False
) -> Plot | None:
    """Draw a curve for each series; None without a point."""
    if not any(curves.values()):
        return None

    def draw(axes: Axes) -> None:
        for i, (name, points) in enumerate(curves.items()):
            colour, marker = COLOURS[i % len(COLOURS)], _MARKERS[i % len(_MARKERS)]
            for x, (_, low, high) in points:
                if low is not None and high is not None:
                    axes.vlines(x, low, high, color=colour, alpha=0.6)
            x_values, y_values = [x for x, _ in points], [point[0] for _, point in points]
            label = name if len(curves) > 1 else ""
            axes.plot(x_values, y_values, color=colour, marker=marker, label=label)
        if diagonal:
            axes.plot((0, 100), (0, 100), ":", color=INK, linewidth=0.8)
        axes.set(xlabel=labels[0], ylabel=labels[1])

    return _drawn(title, 2.9, draw)


def report_plots(report: Report) -> dict[str, Plot]:
    """Return the plots of a report by their keys: ``intervals news by site``."""
    plots: dict[str, Plot | None] = {}
    for study in report.rows("studies"):
        draw = _extraction_plots if report.kind == "extractors" else _learner_plots
        plots |= {f"{name} {study.name}": plot for name, plot in draw(report, study).items()}
    return {name: plot for name, plot in plots.items() if plot}


def _point(
    report: Report, study: str, name: str, measure: str = "", label: str = "", part: str = "",
    scale: float = 100,
) -> Point | None:  # fmt: skip
    """Return a score and its interval multiplied by the scale: shares in per cent."""
    if not (score := report.score(study, name, measure, label, part)):
        return None
    low, high = (end if end is None else scale * end for end in (score.low, score.high))
    return scale * score.value, low, high


def _learner_plots(report: Report, study: Any) -> dict[str, Plot | None]:
    """Return the plots of a study of learners, by short names; None for those without data.

    References
    ----------
    M. H. DeGroot, S. E. Fienberg (1983). The comparison and evaluation of forecasters. The
    Statistician 32 (reliability diagrams).
    """
    where, names = study.name, report.having(study.name)
    point = partial(_point, report, where)
    overall = {"all labels": "macro_f1", f"without {study.background}": "macro_f1_foreground"}
    labels = [one for one in study.labels if any(point(name, "f1", one) for name in names)]
    counts = [report.value(where, names[0], "n_test", one) or 0 for one in labels]
    parts = [part for part in part_names(report, where) if not part.startswith("share")]
    learning = {
        name: sorted(
            (report.value(where, name, "n_pages", part=part) or 0.0, own)
            for part in part_names(report, where, "share")
            if (own := point(name, part=part))
        )
        for name in names
    }
    plots = {
        "intervals": _dots(
            f"Macro F1 of every learner, {where}",
            names,
            {words: [point(name, own) for name in names] for words, own in overall.items()},
            "macro F1 in per cent, with 95 per cent intervals over sites",
        ),
        "labels": _dots(
            f"F1 of every label, {where}",
            [f"{label} ({n:,.0f})" for label, n in zip(labels, counts, strict=True)],
            {name: [point(name, "f1", label) for label in labels] for name in names},
            "F1 in per cent; label (tested regions)",
        ),
        "features": _dots(
            f"Macro F1 by family of features, {where}",
            [part or "all features" for part in parts],
            {name: [point(name, part=part) for part in parts] for name in names},
            "macro F1 in per cent",
        ) if len(parts) > 1 else None,
        "learning": _lines(
            f"Macro F1 by number of training pages, {where}",
            learning,
            ("pages trained on, mean over splits", "macro F1 in per cent"),
        ),
    }  # fmt: skip
    for name in names:
        reliability: dict[str, list[tuple[float, Point]]] = {
            f"{when} calibration": [
                (100 * one.confidence, (100 * one.accuracy, None, None))
                for one in report.rows("bins", study=where, subject=name, is_calibrated=is_after)
            ]
            for when, is_after in (("before", False), ("after", True))
        }
        plots[f"reliability of {name}"] = _lines(
            f"Reliability of the confidence of {name}, {where}",
            reliability,
            ("mean confidence in per cent", "right labels in per cent"),
            diagonal=True,
        )
    return plots


def _extraction_plots(report: Report, study: Any) -> dict[str, Plot | None]:
    """Return the plots of Gottron (2007) for a source; those of its parts are in one table.

    References
    ----------
    T. Gottron (2007). Evaluating content extraction on HTML documents. ITA 2007, figures 1 to 3.
    """
    if study.name != study.source:
        return {}
    measures, where, names = report.experiment["measures"], study.name, report.having(study.name)
    first, point = measures[0], partial(_point, report, where)
    kinds = ("precision", "recall")
    both = {kind: [point(name, f"{first}_{kind}") for name in names] for kind in kinds}
    f1 = {measure: [point(name, f"{measure}_f1") for name in names] for measure in measures}
    times = [point(name, "seconds_per_kb", scale=1_000) for name in names]
    label = f"precision and recall by {first} in per cent, mean over pages"
    return {
        "f1": _dots(f"F1, {where}", names, f1, "F1 in per cent, mean over pages"),
        "precision": _dots(f"Precision and recall of {first}, {where}", names, both, label),
        "time": _dots(f"Time, {where}", names, {"": times}, "ms per kB (log scale)", log=True),
    }
