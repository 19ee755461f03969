"""Plots of a report: one SVG each, whose ink is the colour of the text around it, and one PDF."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from statistics import fmean, median
from typing import TYPE_CHECKING, NamedTuple

from structce.evaluation import LEVEL
from structce.experiments.frames import Scores
from structce.experiments.report import Bin, Fit, Pair, Ranking, Report, Study
from structce.experiments.statistics import is_certain
from structce.experiments.tables import all_pages
from structce.experiments.toml_tables import written_name
from structce.extras import load_extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#010101"
"""Colour of text and axes while drawing, replaced by ``currentColor`` in the SVG."""

COLOURS = ("#3f7fd0", "#d9731a", "#1f9e6e", "#a35fb0", "#a07a1a", "#7a8790")
"""Colours of series, each of a contrast of 3 or more on white and on the dark page."""

_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_WIDTH = 5.4  # inches
_MOST_NAMES = 14  # subjects of a plot of ranks that can be read
_MOST_PARTS = 8  # parts of a source that are drawn one by one
_LOG_RATIO = 20.0  # values that span a larger ratio are drawn on a logarithmic axis

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
    "grid.alpha": 0.2,
    **dict.fromkeys(
        """
        axes.edgecolor axes.labelcolor grid.color text.color xtick.color ytick.color
        """.split(),
        INK,
    ),
}

Point = tuple[float, float | None, float | None]
"""Value with the ends of its interval, None if not known."""


class Plot(NamedTuple):
    """Plot of the report page: its title, one ``<svg>`` element, and the same as a PDF file."""

    title: str
    svg: str
    pdf: bytes


@contextmanager
def _style() -> Iterator[None]:
    load_extra("matplotlib", "the drawing of a report", "experiments")
    from matplotlib import style

    with style.context(["default", _STYLE]):
        yield


def _figure(height: float, n_panels: int = 1) -> tuple[Figure, list[Axes]]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH, height), layout="constrained")
    panels = figure.subplots(1, n_panels, squeeze=False, sharey=True)
    return figure, list(panels.flat)


def _finish(figure: Figure, title: str) -> Plot:
    """Return a figure as a plot; equal figures give equal files."""
    svg, pdf = io.StringIO(), io.BytesIO()
    figure.savefig(svg, format="svg", metadata={"Date": None})
    figure.savefig(pdf, format="pdf", metadata={"CreationDate": None})
    text = svg.getvalue().replace(INK, "currentColor")
    return Plot(title, text[text.index("<svg") :].strip(), pdf.getvalue())


def _log_axis(axes: Axes, which: str) -> None:
    """Make an axis logarithmic, its ticks plain numbers."""
    axes.set(**{f"{which}scale": "log"})
    axis = getattr(axes, f"{which}axis")
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter("")


def _legend(figure: Figure, axes: Axes) -> None:
    """Write a legend above the plot, in as many columns as fit."""
    handles, labels = axes.get_legend_handles_labels()
    if labels:
        n_columns = max(1, min(len(labels), 70 // (max(map(len, labels)) + 8)))
        figure.legend(handles, labels, loc="outside upper left", ncols=n_columns)


def _dots(
    title: str,
    names: Sequence[str],
    series: Mapping[str, Sequence[Point | None]],
    label: str,
    *,
    zero: bool = False,
) -> Plot | None:
    """Draw a row for each name and a dot for each series in it, with its interval.

    Values are shares, drawn in per cent. None without a value.
    """
    values = [point for points in series.values() for point in points if point]
    if not values:
        return None
    n, spread = len(series), 0.7 if len(series) > 1 else 0.0
    with _style():
        figure, (axes,) = _figure(0.9 + 0.24 * len(names) * max(1.0, 0.55 * n))
        for i, (name, points) in enumerate(series.items()):
            if not any(points):
                continue
            colour, marker = COLOURS[i % len(COLOURS)], _MARKERS[i % len(_MARKERS)]
            places = [y + spread * ((i + 0.5) / n - 0.5) for y in range(len(names))]
            drawn = [(place, point) for place, point in zip(places, points, strict=True) if point]
            for place, (_, low, high) in drawn:
                if low is not None and high is not None:
                    axes.hlines(place, 100 * low, 100 * high, color=colour)
            x = [100 * point[0] for _, point in drawn]
            y = [place for place, _ in drawn]
            axes.plot(x, y, marker, color=colour, label=name if n > 1 else "")
        if zero:
            axes.axvline(0, color=INK, linewidth=0.8, linestyle="--")
        axes.set_yticks(range(len(names)), names)
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.grid(axis="both" if n == 1 else "x")
        axes.set_xlabel(label)
        _legend(figure, axes)
        return _finish(figure, title)


def _lines(
    title: str,
    series: Mapping[str, Sequence[tuple[float, Point]]],
    labels: tuple[str, str],
    *,
    log: str = "",
    ticks: Sequence[float] = (),
    decorate: Callable[[Axes], object] | None = None,
) -> Plot | None:
    """Draw a curve for each series, with intervals; None without a point.

    Parameters
    ----------
    log
        Axes that are logarithmic: ``x``, ``y`` or both.
    ticks
        Values that are marked on the horizontal axis; by default those of matplotlib.
    """
    if not any(series.values()):
        return None
    with _style():
        figure, (axes,) = _figure(2.9)
        for i, (name, points) in enumerate(series.items()):
            colour, marker = COLOURS[i % len(COLOURS)], _MARKERS[i % len(_MARKERS)]
            every = max(1, len(points) // 8)
            for x, (_, low, high) in points:
                if low is not None and high is not None:
                    axes.vlines(x, low, high, color=colour, alpha=0.6)
            x_values = [x for x, _ in points]
            y_values = [point[0] for _, point in points]
            axes.plot(x_values, y_values, color=colour, marker=marker, markevery=every, label=name)
        if decorate:
            decorate(axes)
        for which in log:
            _log_axis(axes, which)
        if ticks:
            axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
            axes.set_xticks([], minor=True)
        axes.grid()
        axes.set(xlabel=labels[0], ylabel=labels[1])
        if len(series) > 1:
            _legend(figure, axes)
        return _finish(figure, title)


def report_plots(report: Report) -> dict[str, Plot]:
    """Return the plots of a report by their keys: ``intervals news by site``."""
    plots: dict[str, Plot | None] = {}
    for study in report.studies:
        draw = extraction_plots if report.kind == "extractors" else learner_plots
        own = draw(report, study)
        plots |= {f"{name} {study.name}": plot for name, plot in own.items()}
    plots["contrasts"] = _contrast_plot(report)
    for i, ranking in enumerate(report.rankings, start=1):
        plots[f"ranking {i}"] = rank_plot(ranking)
    return {name: plot for name, plot in plots.items() if plot}


def learner_plots(report: Report, study: Study) -> dict[str, Plot | None]:
    """Return the plots of a study of learners, by short names; None for those without data."""
    scores = Scores.of(report, study.name)
    names = scores.having("macro_f1")
    fits = [fit for fit in report.fits if fit.study == study.name]
    pairs = [pair for pair in report.pairs if pair.study == study.name]
    plots = {
        "intervals": _dots(
            f"Macro F1 of every learner, {study.name}",
            names,
            {
                "all labels": [_point(scores, name, "macro_f1") for name in names],
                f"without {study.background}": [
                    _point(scores, name, "macro_f1_foreground") for name in names
                ],
            },
            "macro F1 in per cent, with 95 per cent intervals over sites",
        ),
        "pairs": _pair_plot(study, [pair for pair in pairs if pair.kind == "subjects"]),
        "labels": _label_plot(study, scores, names),
        "learning": _learning_plot(report, study, scores, names),
        "convergence": _convergence_plot(study, fits),
        "costs": _cost_plot(study, scores, names, fits),
    }
    for name in names:
        plots[f"features of {name}"] = _ablation_plot(study, scores, name, pairs)
        bins = [one for one in report.bins if (one.study, one.subject) == (study.name, name)]
        plots[f"reliability of {name}"] = _reliability_plot(study, name, bins)
        for parameter in tuned_parameters(fits, name):
            plot = _parameter_plot(report, study, name, parameter, fits)
            plots[f"{written_name(parameter)} of {name}"] = plot
    return plots


def _point(
    scores: Scores, name: str, measure: str, label: str = "", part: str = ""
) -> Point | None:
    score = scores.get((name, measure, label, part))
    return (score.value, score.low, score.high) if score else None


def _pair_plot(study: Study, pairs: Sequence[Pair]) -> Plot | None:
    """Draw the difference in macro F1 of every pair; those that are certain are a series."""
    known = [pair for pair in pairs if pair.macro_low is not None]

    def points(certain: bool) -> list[Point | None]:
        return [
            (pair.macro_difference or 0.0, pair.macro_low, pair.macro_high)
            if is_certain(pair) == certain
            else None
            for pair in known
        ]

    return _dots(
        f"Differences in macro F1, {study.name}",
        [f"{pair.first} − {pair.second}" for pair in known],
        {"certain": points(True), "may be chance": points(False)},
        "difference of macro F1 in percentage points",
        zero=True,
    )


def _label_plot(study: Study, scores: Scores, names: Sequence[str]) -> Plot | None:
    labels = [
        label for label in study.labels if any((name, "f1", label, "") in scores for name in names)
    ]
    counts = [scores.value(names[0], "n_test", label) or 0 for label in labels] if names else []
    return _dots(
        f"F1 of every label, {study.name}",
        [f"{label} ({n:,.0f})" for label, n in zip(labels, counts, strict=True)],
        {name: [_point(scores, name, "f1", label) for label in labels] for name in names},
        "F1 in per cent; label (tested regions)",
    )


def _contrast_plot(report: Report) -> Plot | None:
    pairs = [pair for pair in report.pairs if pair.kind == "studies"]
    several = len({(pair.first, pair.second) for pair in pairs}) > 1

    def points(study: str) -> list[Point | None]:
        values = [report.value(getattr(pair, study), pair.subject) for pair in pairs]
        return [None if value is None else (value, None, None) for value in values]

    names = ("first", "second")
    if pairs and not several:
        names = pairs[0].first, pairs[0].second
    return _dots(
        "Macro F1 of every learner in studies that differ in one setting",
        [f"{p.subject}: {p.first}, {p.second}" if several else p.subject for p in pairs],
        dict(zip(names, (points("first"), points("second")), strict=True)),
        "macro F1 in per cent",
    )


def _ablation_plot(study: Study, scores: Scores, name: str, pairs: Sequence[Pair]) -> Plot | None:
    parts = [pair.first for pair in pairs if (pair.kind, pair.subject) == ("features", name)]
    points = [_point(scores, name, "macro_f1", part=part) for part in ("", *parts)]
    title = f"Macro F1 of {name} by family of features, {study.name}"
    series = {name: points} if parts else {}
    return _dots(title, ["all features", *parts], series, "macro F1 in per cent")


def _learning_plot(
    report: Report, study: Study, scores: Scores, names: Sequence[str]
) -> Plot | None:
    parts = dict.fromkeys(part for *_, part in scores if part.startswith("share"))
    curves: dict[str, list[tuple[float, Point]]] = {}
    for name in names if parts else ():
        for part in (*parts, ""):
            n_pages = scores.value(name, "n_pages", part=part) or all_pages(report, study)
            if point := _point(scores, name, "macro_f1", part=part):
                curves.setdefault(name, []).append((n_pages, _in_percent(point)))
    return _lines(
        f"Macro F1 by number of training pages, {study.name}",
        {name: sorted(curve) for name, curve in curves.items()},
        ("pages trained on, mean over splits", "macro F1 in per cent"),
    )


def _in_percent(point: Point) -> Point:
    value, low, high = point
    return 100 * value, None if low is None else 100 * low, None if high is None else 100 * high


def _convergence_plot(study: Study, fits: Sequence[Fit]) -> Plot | None:
    """Draw what each solver stops by against epochs, for the model tested on the first split."""
    curves: dict[str, list[tuple[float, Point]]] = {}
    for fit in fits:
        points: list[tuple[float, Point]]
        points = [(n, (gap, None, None)) for n, _, gap in fit.epochs if gap and gap > 0]
        if len(points) > 1:
            curves.setdefault(fit.subject, points)
    title = f"Gap, or norm of the gradient, during training, {study.name}"
    return _lines(title, curves, ("epoch", "gap or norm (log scale)"), log="y")


def _cost_plot(
    study: Study, scores: Scores, names: Sequence[str], fits: Sequence[Fit]
) -> Plot | None:
    """Draw macro F1 against the seconds that training took, one point per learner."""
    points: dict[str, list[tuple[float, Point]]] = {}
    for name in names:
        times = [
            fit.costs["training"][0]
            for fit in fits
            if (fit.subject, fit.step, fit.part) == (name, "test", "")
        ]
        if (point := _point(scores, name, "macro_f1")) and sum(times) > 0:
            points[name] = [(fmean(times), _in_percent(point))]
    labels = "training time in seconds (log scale), mean over splits", "macro F1 in per cent"
    if len(points) < 2:
        return None
    return _lines(f"Macro F1 by training time, {study.name}", points, labels, log="x")


def _reliability_plot(study: Study, name: str, bins: Sequence[Bin]) -> Plot | None:
    """Draw the reliability diagram of a learner, before and after calibration.

    References
    ----------
    M. H. DeGroot, S. E. Fienberg (1983). The comparison and evaluation of forecasters. The
    Statistician 32.
    """
    curves: dict[str, list[tuple[float, Point]]] = {
        words: [
            (100 * one.confidence, (100 * one.accuracy, None, None))
            for one in bins
            if one.is_calibrated == is_after
        ]
        for words, is_after in (("before calibration", False), ("after calibration", True))
    }

    def diagonal(axes: Axes) -> None:
        axes.plot((0, 100), (0, 100), color=INK, linewidth=0.8, linestyle=":")

    title = f"Reliability of the confidence of {name}, {study.name}"
    labels = "mean confidence in per cent", "right labels in per cent"
    return _lines(title, curves, labels, decorate=diagonal)


def tuned_parameters(fits: Sequence[Fit], name: str) -> list[str]:
    """Return the hyper-parameters of a learner of which two or more numbers were tried."""
    tried: dict[str, set[float]] = {}
    for fit in fits:
        for parameter, value in fit.parameters.items() if fit.step == "tuning" else ():
            if fit.subject == name and isinstance(value, int | float):
                tried.setdefault(parameter, set()).add(float(value))
    return [parameter for parameter, values in tried.items() if len(values) > 1]


def _parameter_plot(
    report: Report, study: Study, name: str, parameter: str, fits: Sequence[Fit]
) -> Plot | None:
    """Draw the score on validation pages against the values of a hyper-parameter.

    A value's score is the best over all other hyper-parameters, the mean over splits; rings mark
    what was chosen.
    """
    best: dict[float, dict[int, float]] = {}
    chosen: list[float] = []
    for fit in fits:
        value = fit.parameters.get(parameter)
        if fit.subject == name and not fit.part and isinstance(value, int | float):
            if fit.step == "test":
                chosen.append(float(value))
            elif fit.value is not None:
                own = best.setdefault(float(value), {})
                own[fit.split] = max(own.get(fit.split, 0.0), fit.value)
    means = {value: 100 * fmean(best[value].values()) for value in sorted(best)}
    ends = [value for value in means if value > 0]
    is_log = len(ends) == len(means) and bool(ends) and ends[-1] > _LOG_RATIO * ends[0]

    def rings(axes: Axes) -> None:
        places = [value for value in dict.fromkeys(chosen) if value in means]
        heights = [means[value] for value in places]
        axes.plot(places, heights, "o", markersize=12, markerfacecolor="none", color=INK)

    measure = str(report.experiment["measure"]).replace("_", " ")
    return _lines(
        f"Validation {measure} of {name} by {written_name(parameter)}, {study.name}",
        {name: [(value, (mean, None, None)) for value, mean in means.items()]},
        (written_name(parameter), f"validation {measure} in per cent"),
        log="x" if is_log else "",
        ticks=list(means),
        decorate=rings,
    )


def rank_plot(ranking: Ranking) -> Plot | None:
    """Draw mean ranks; a critical-difference diagram where every two subjects were tested.

    References
    ----------
    J. Demsar (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7,
    section 3.2.2 and figure 1.
    """
    names = sorted(ranking.ranks, key=ranking.ranks.__getitem__)
    title = f"Mean ranks by {ranking.measure.replace('_', ' ')}; 1 is best"
    if len(names) > _MOST_NAMES or not ranking.p_pairs:
        return None
    posthocs = load_extra("scikit_posthocs", "the plot of ranks", "experiments")
    pandas = load_extra("pandas", "the plot of ranks", "experiments")
    with _style():
        figure, (axes,) = _figure(0.9 + 0.22 * len(names))
        # Numbers for names: the library keeps names in sets, whose order differs from run to run.
        p_values = [[ranking.p_pairs[a][b] for b in names] for a in names]
        diagram = posthocs.critical_difference_diagram(
            {i: ranking.ranks[name] for i, name in enumerate(names)},
            pandas.DataFrame(p_values),
            alpha=LEVEL,
            ax=axes,
            left_only=True,
            elbow_props={"color": INK, "linewidth": 0.8},
            marker_props={"color": COLOURS[0]},
            crossbar_props={"color": COLOURS[0], "linewidth": 3},
        )
        for text, name in zip(diagram["labels"], names, strict=True):
            text.set_text(f"{name} ({ranking.ranks[name]:.2f})")
        axes.set_xticks(range(1, len(names) + 1))
        return _finish(figure, title)


def extraction_plots(report: Report, study: Study) -> dict[str, Plot | None]:
    """Return the plots of Gottron (2007) for a source, and of methods of page classes.

    A part of a source with many parts has none: they share one figure.

    References
    ----------
    T. Gottron (2007). Evaluating content extraction on HTML documents. ITA 2007, figures 1 to 3.
    """
    parts = [s for s in report.studies if s.source == study.source and not s.is_whole]
    if not study.is_whole and len(parts) > _MOST_PARTS:
        return {}
    measures, scores = report.experiment["measures"], Scores.of(report, study.name)
    names = scores.having(report.measure)
    main = measures[0]
    plots = {
        "f1": _dots(
            f"F1, {study.name}",
            names,
            {
                measure: [_point(scores, name, f"{measure}_f1") for name in names]
                for measure in measures
            },
            "F1 in per cent, mean over pages",
        ),
        "precision": _dots(
            f"Precision and recall of {main}, {study.name}",
            names,
            {
                kind: [_point(scores, name, f"{main}_{kind}") for name in names]
                for kind in ("precision", "recall")
            },
            f"precision and recall by {main} in per cent, mean over pages",
        ),
        "time": _time_plot(report, study, scores, names),
    }
    if study.is_whole:
        if len(parts) > _MOST_PARTS:
            plots["parts"] = _parts_plot(report, study, parts, names)
        plots |= _class_plots(report, study, scores)
    return plots


def _time_plot(report: Report, study: Study, scores: Scores, names: Sequence[str]) -> Plot | None:
    """Draw the deviation of F1 over pages beside the time per kB, on a logarithmic axis."""
    rows = []
    for name in names:
        score = scores.get((name, report.measure, "", ""))
        seconds = scores.value(name, "seconds_per_kb")
        if score and score.deviation is not None and seconds is not None:
            rows.append((name, 100 * score.deviation, 1_000 * max(seconds, 1e-7)))
    if not rows:
        return None
    own, deviations, times = zip(*rows, strict=True)
    with _style():
        figure, panels = _figure(0.9 + 0.24 * len(rows), 2)
        labels = "deviation of F1 in points", "ms per kB (log scale)"
        for i, values in enumerate((deviations, times)):
            panels[i].plot(values, range(len(rows)), "o", color=COLOURS[i])
            panels[i].set_xlabel(labels[i])
            panels[i].grid()
        panels[0].set_yticks(range(len(rows)), own)
        panels[0].set_ylim(len(rows) - 0.5, -0.5)
        _log_axis(panels[1], "x")
        return _finish(figure, f"Deviation of F1 and time, {study.name}")


def _parts_plot(
    report: Report, study: Study, parts: Sequence[Study], names: Sequence[str]
) -> Plot | None:
    """Draw the mean F1 of every method on each part of a source; lines mark the median."""
    values = {
        name: [v for part in parts if (v := report.value(part.name, name)) is not None]
        for name in names
    }
    with _style():
        figure, (axes,) = _figure(0.9 + 0.24 * len(names))
        for y, own in enumerate(values.values()):
            if own:
                x = [100 * value for value in own]
                axes.plot(x, [y] * len(x), "o", color=COLOURS[0], alpha=0.35, markersize=4)
                axes.plot([median(x)], [y], "|", color=INK, markersize=12)
        axes.set_yticks(range(len(names)), names)
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.grid()
        axes.set_xlabel("F1 in per cent, mean over the pages of a package; | median")
        title = (
            f"F1 of {report.experiment['measures'][0]} on the {len(parts)} packages of {study.name}"
        )
        return _finish(figure, title)


def _class_plots(report: Report, study: Study, scores: Scores) -> dict[str, Plot | None]:
    """Draw F1 and time against the pages of a class that were learnt from.

    Numbers with less than half of the classes are left out: a curve over other classes would
    mislead. Figure 2 of Debnath et al. (2005) is that of times.
    """
    own = [learnt for learnt in report.learnt if learnt.study == study.name and learnt.n_pages]
    most = max((learnt.n_classes for learnt in own), default=0)
    own = sorted(
        (learnt for learnt in own if 2 * learnt.n_classes >= most),
        key=lambda learnt: (learnt.method, learnt.n_pages),
    )
    f1: dict[str, list[tuple[float, Point]]] = {}
    times: dict[str, list[tuple[float, Point]]] = {}
    for method, group in groupby(own, key=lambda learnt: learnt.method):
        for learnt in group:
            for part, words in (("seen", "pages seen"), ("unseen", "other pages")):
                if point := _point(scores, learnt.subject, report.measure, part=part):
                    curve = f1.setdefault(f"{method}, {words}", [])
                    curve.append((learnt.n_pages, (100 * point[0], None, None)))
            if (spent := learnt.learning_milliseconds) is not None:
                times.setdefault(method, []).append((learnt.n_pages, (spent, None, None)))
    ticks = sorted({learnt.n_pages for learnt in own})
    if len(ticks) < 2:
        return {}
    axis = "pages of a class that were learnt from (log scale)"
    return {
        "page classes": _lines(
            f"F1 by pages of a class, {study.name}", f1, (axis, "F1 in per cent"), log="x",
            ticks=ticks,
        ),
        "learning time": _lines(
            f"Time to learn from a page, {study.name}", times, (axis, "ms per page"), log="x",
            ticks=ticks,
        ),
    }  # fmt: skip
