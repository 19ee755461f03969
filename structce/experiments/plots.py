"""Plots of a report: one SVG each, whose ink is the colour of the text around it, and one PDF."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from structce.evaluation import LEVEL
from structce.experiments.report import Fit, Pair, Ranking, Report, Study
from structce.experiments.statistics import is_certain
from structce.experiments.tables import curve_parts, n_learnt
from structce.experiments.toml_tables import written_name
from structce.extras import load_extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK = "#010101"
"""Colour of text and axes while drawing, replaced by ``currentColor`` in the SVG."""

COLOURS = ("#3f7fd0", "#d9731a", "#1f9e6e", "#a35fb0", "#a07a1a", "#7a8790")
"""Colours of series, each of a contrast of 3 or more on white and on the dark page."""

_KINDS = ("precision", "recall")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_WIDTH = 5.4  # inches
_MOST_NAMES = 14  # subjects of a plot of ranks that can be read
_MOST_PARTS = 8  # parts of a source that are drawn one by one
_LOG_RATIO = 20.0  # values that span a larger ratio are drawn on a logarithmic axis

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


def _set_log(axes: Axes, which: str) -> None:
    """Make an axis logarithmic, its ticks plain numbers."""
    axes.set(**{f"{which}scale": "log"})
    axis = getattr(axes, f"{which}axis")
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter("")


def _name_rows(axes: Axes, names: Sequence[str], label: str) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlabel(label)


def _dots(
    title: str, names: Sequence[str], series: Mapping[str, Sequence[Point | None]], axis: str,
    *, scale: float = 100, zero: bool = False, log: bool = False,
) -> Plot | None:  # fmt: skip
    """Draw a row for each name and a dot for each series in it, with its interval.

    Values are multiplied by the scale: shares are drawn in per cent. None without a value.
    """
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
                    axes.hlines(y, scale * low, scale * high, color=colour)
            x = [scale * point[0] for _, point in drawn]
            axes.plot(x, [y for y, _ in drawn], marker, color=colour, label=label)
        if zero:
            axes.axvline(0, color=INK, linewidth=0.8, linestyle="--")
        if log:
            _set_log(axes, "x")
        _name_rows(axes, names, axis)

    return _drawn(title, 0.9 + 0.24 * len(names) * max(1.0, 0.55 * n), draw)


def _lines(
    title: str, curves: Curves, labels: tuple[str, str], *, scale: float = 1, log: str = "",
    ticks: Sequence[float] = (), decorate: Callable[[Axes], object] = lambda axes: None,
) -> Plot | None:  # fmt: skip
    """Draw a curve for each series, with intervals; None without a point.

    Parameters
    ----------
    log
        Axes that are logarithmic: ``x``, ``y`` or both.
    ticks
        Values that are marked on the horizontal axis; by default those of matplotlib.
    """
    if not any(curves.values()):
        return None

    def draw(axes: Axes) -> None:
        for i, (name, points) in enumerate(curves.items()):
            colour, marker = COLOURS[i % len(COLOURS)], _MARKERS[i % len(_MARKERS)]
            for x, (_, low, high) in points:
                if low is not None and high is not None:
                    axes.vlines(x, scale * low, scale * high, color=colour, alpha=0.6)
            x_values, y_values = [x for x, _ in points], [scale * point[0] for _, point in points]
            every = max(1, len(points) // 8)
            label = name if len(curves) > 1 else ""
            axes.plot(x_values, y_values, color=colour, marker=marker, markevery=every, label=label)
        decorate(axes)
        for which in log:
            _set_log(axes, which)
        if ticks:
            axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
            axes.set_xticks([], minor=True)
        axes.set(xlabel=labels[0], ylabel=labels[1])

    return _drawn(title, 2.9, draw)


def report_plots(report: Report) -> dict[str, Plot]:
    """Return the plots of a report by their keys: ``intervals news by site``."""
    plots: dict[str, Plot | None] = {}
    for study in report.studies:
        draw = extraction_plots if report.kind == "extractors" else learner_plots
        plots |= {f"{name} {study.name}": plot for name, plot in draw(report, study).items()}
    plots["contrasts"] = _contrast_plot(report)
    for i, ranking in enumerate(report.rankings, start=1):
        plots[f"ranking {i}"] = rank_plot(ranking)
    return {name: plot for name, plot in plots.items() if plot}


def _point(
    report: Report, study: str, name: str, measure: str = "", label: str = "", part: str = ""
) -> Point | None:
    score = report.score(study, name, measure, label, part)
    return (score.value, score.low, score.high) if score else None


def learner_plots(report: Report, study: Study) -> dict[str, Plot | None]:
    """Return the plots of a study of learners, by short names; None for those without data."""
    where, names = study.name, report.having(study.name)
    fits = [fit for fit in report.fits if fit.study == where]
    pairs = [pair for pair in report.pairs if (pair.study, pair.kind) == (where, "subjects")]
    point = partial(_point, report, where)
    overall = {"all labels": "macro_f1", f"without {study.background}": "macro_f1_foreground"}
    labels = [one for one in study.labels if any(point(name, "f1", one) for name in names)]
    counts = [report.value(where, names[0], "n_test", one) or 0 for one in labels]
    plots = {
        "intervals": _dots(
            f"Macro F1 of every learner, {where}",
            names,
            {words: [point(name, own) for name in names] for words, own in overall.items()},
            "macro F1 in per cent, with 95 per cent intervals over sites",
        ),
        "pairs": _pair_plot(where, pairs),
        "labels": _dots(
            f"F1 of every label, {where}",
            [f"{label} ({n:,.0f})" for label, n in zip(labels, counts, strict=True)],
            {name: [point(name, "f1", label) for label in labels] for name in names},
            "F1 in per cent; label (tested regions)",
        ),
        "learning": _learning_plot(report, study, names),
        "convergence": _convergence_plot(where, fits),
        "costs": _cost_plot(report, where, names, fits),
    }
    for name in names:
        plots[f"features of {name}"] = _ablation_plot(report, where, name)
        plots[f"reliability of {name}"] = _reliability_plot(report, where, name)
        for parameter in tuned_parameters(fits, name):
            plot = _parameter_plot(report, where, name, parameter, fits)
            plots[f"{written_name(parameter)} of {name}"] = plot
    return plots


def _learning_plot(report: Report, study: Study, names: Sequence[str]) -> Plot | None:
    parts = curve_parts(report, study)
    curves = {
        name: sorted(
            (n_learnt(report, study, name, part), point)
            for part in parts
            if (point := _point(report, study.name, name, part=part))
        )
        for name in names
    }
    labels = "pages trained on, mean over splits", "macro F1 in per cent"
    title = f"Macro F1 by number of training pages, {study.name}"
    return _lines(title, curves, labels, scale=100)


def _cost_plot(
    report: Report, study: str, names: Sequence[str], fits: Sequence[Fit]
) -> Plot | None:
    """Draw macro F1 against the seconds that training took, one point per learner."""
    points: dict[str, list[tuple[float, Point]]] = {}
    for name in names:
        place = name, "test", ""
        own = [fit for fit in fits if (fit.subject, fit.step, fit.part) == place]
        if own and (point := _point(report, study, name)):
            points[name] = [(fmean(fit.costs["training"][0] for fit in own), point)]
    labels = "training time in seconds (log scale), mean over splits", "macro F1 in per cent"
    curves = points if len(points) > 1 else {}
    return _lines(f"Macro F1 by training time, {study}", curves, labels, scale=100, log="x")


def _ablation_plot(report: Report, study: str, name: str) -> Plot | None:
    place = study, "features", name
    parts = [pair.first for pair in report.pairs if (pair.study, pair.kind, pair.subject) == place]
    points = [_point(report, study, name, part=part) for part in ("", *parts)]
    title, series = f"Macro F1 of {name} by family of features, {study}", {name: points}
    return _dots(title, ["all features", *parts], series if parts else {}, "macro F1 in per cent")


def _pair_plot(study: str, pairs: Sequence[Pair]) -> Plot | None:
    """Draw the difference in macro F1 of every pair; those that are certain are a series."""
    known = [pair for pair in pairs if pair.macro_low is not None]
    series = {
        words: [
            (pair.macro_difference or 0.0, pair.macro_low, pair.macro_high)
            if is_certain(pair) == certain
            else None
            for pair in known
        ]
        for words, certain in (("certain", True), ("may be chance", False))
    }
    names = [f"{pair.first} − {pair.second}" for pair in known]
    label = "difference of macro F1 in percentage points"
    return _dots(f"Differences in macro F1, {study}", names, series, label, zero=True)


def _contrast_plot(report: Report) -> Plot | None:
    pairs = [pair for pair in report.pairs if pair.kind == "studies"]
    several = len({(pair.first, pair.second) for pair in pairs}) > 1
    names = [f"{p.subject}: {p.first}, {p.second}" if several else p.subject for p in pairs]
    series = {
        end if several else getattr(pairs[0], end): [
            _point(report, getattr(pair, end), pair.subject, "macro_f1") for pair in pairs
        ]
        for end in (("first", "second") if pairs else ())
    }
    title = "Macro F1 of every learner in studies that differ in one setting"
    return _dots(title, names, series, "macro F1 in per cent")


def _convergence_plot(study: str, fits: Sequence[Fit]) -> Plot | None:
    """Draw what each solver stops by against epochs, for the model tested on the first split."""
    curves: dict[str, list[tuple[float, Point]]] = {}
    for fit in fits:
        points = [(n, (gap, None, None)) for n, _, gap in fit.epochs if gap and gap > 0]
        if len(points) > 1:
            curves.setdefault(fit.subject, [(float(n), point) for n, point in points])
    title = f"Gap, or norm of the gradient, during training, {study}"
    return _lines(title, curves, ("epoch", "gap or norm (log scale)"), log="y")


def _reliability_plot(report: Report, study: str, name: str) -> Plot | None:
    """Draw the reliability diagram of a learner, before and after calibration.

    References
    ----------
    M. H. DeGroot, S. E. Fienberg (1983). The comparison and evaluation of forecasters. The
    Statistician 32.
    """
    curves: dict[str, list[tuple[float, Point]]] = {
        words: [
            (100 * one.confidence, (100 * one.accuracy, None, None))
            for one in report.bins
            if (one.study, one.subject, one.is_calibrated) == (study, name, is_after)
        ]
        for words, is_after in (("before calibration", False), ("after calibration", True))
    }
    return _lines(
        f"Reliability of the confidence of {name}, {study}",
        curves,
        ("mean confidence in per cent", "right labels in per cent"),
        decorate=lambda axes: axes.plot((0, 100), (0, 100), ":", color=INK, linewidth=0.8),
    )


def tuned_parameters(fits: Sequence[Fit], name: str) -> list[str]:
    """Return the hyper-parameters of a learner of which two or more numbers were tried."""
    tried: dict[str, set[float]] = {}
    for fit in fits:
        for parameter, value in fit.parameters.items() if fit.step == "tuning" else ():
            if fit.subject == name and isinstance(value, int | float):
                tried.setdefault(parameter, set()).add(float(value))
    return [parameter for parameter, values in tried.items() if len(values) > 1]


def _parameter_plot(
    report: Report, study: str, name: str, parameter: str, fits: Sequence[Fit]
) -> Plot | None:
    """Draw the score on validation pages against the values of a hyper-parameter.

    A value's score is the best over all other hyper-parameters, the mean over splits; rings mark
    what was chosen.
    """
    best: dict[float, dict[int, float]] = {}
    chosen: list[float] = []
    for fit in (fit for fit in fits if fit.subject == name and not fit.part):
        value: Any = fit.parameters[parameter]
        if fit.step == "test":
            chosen.append(float(value))
        elif fit.value is not None:
            own = best.setdefault(float(value), {})
            own[fit.split] = max(own.get(fit.split, 0.0), fit.value)
    means = {value: 100 * fmean(best[value].values()) for value in sorted(best)}
    rings = [value for value in dict.fromkeys(chosen) if value in means]
    is_log = min(means) > 0 and max(means) > _LOG_RATIO * min(means)
    measure = str(report.experiment["measure"]).replace("_", " ")
    return _lines(
        f"Validation {measure} of {name} by {written_name(parameter)}, {study}",
        {name: [(value, (mean, None, None)) for value, mean in means.items()]},
        (written_name(parameter), f"validation {measure} in per cent"),
        log="x" if is_log else "",
        ticks=list(means),
        decorate=lambda axes: axes.plot(
            rings, [means[v] for v in rings], "o", markersize=12, markerfacecolor="none", color=INK
        ),
    )


def rank_plot(ranking: Ranking) -> Plot | None:
    """Draw a critical-difference diagram; None where subjects were not tested, or are many.

    References
    ----------
    J. Demsar (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7,
    section 3.2.2 and figure 1.
    """
    names = sorted(ranking.ranks, key=ranking.ranks.__getitem__)
    if len(names) > _MOST_NAMES or not ranking.p_pairs:
        return None
    posthocs = load_extra("scikit_posthocs", "the plot of ranks", "experiments")
    pandas = load_extra("pandas", "the plot of ranks", "experiments")

    def draw(axes: Axes) -> None:
        # Numbers for names: the library keeps names in sets, whose order differs from run to run.
        diagram = posthocs.critical_difference_diagram(
            {i: ranking.ranks[name] for i, name in enumerate(names)},
            pandas.DataFrame([[ranking.p_pairs[a][b] for b in names] for a in names]),
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
        axes.grid(visible=False)

    title = f"Mean ranks by {ranking.measure.replace('_', ' ')}; 1 is best"
    return _drawn(title, 0.9 + 0.22 * len(names), draw)


def extraction_plots(report: Report, study: Study) -> dict[str, Plot | None]:
    """Return the plots of Gottron (2007) for a source, and of methods of page classes.

    A part of a source with many parts has none: they share one figure.

    References
    ----------
    T. Gottron (2007). Evaluating content extraction on HTML documents. ITA 2007, figures 1 to 3.
    """
    parts = [s.name for s in report.studies if s.source == study.source and not s.is_whole]
    if not study.is_whole and len(parts) > _MOST_PARTS:
        return {}
    measures, where, names = report.experiment["measures"], study.name, report.having(study.name)
    first, point = measures[0], partial(_point, report, where)
    both = {kind: [point(name, f"{first}_{kind}") for name in names] for kind in _KINDS}
    f1 = {measure: [point(name, f"{measure}_f1") for name in names] for measure in measures}
    times = [point(name, "seconds_per_kb") for name in names]
    label = f"precision and recall by {first} in per cent, mean over pages"
    plots = {
        "f1": _dots(f"F1, {where}", names, f1, "F1 in per cent, mean over pages"),
        "precision": _dots(f"Precision and recall of {first}, {where}", names, both, label),
        "time": _dots(
            f"Time, {where}", names, {"": times}, "ms per kB (log scale)", scale=1_000, log=True
        ),
    }
    if study.is_whole:
        plots |= _class_plots(report, where)
        if len(parts) > _MOST_PARTS:
            plots["parts"] = _parts_plot(report, where, parts, names)
    return plots


def _parts_plot(report: Report, study: str, parts: Sequence[str], names: Sequence[str]) -> Plot:
    """Draw the distribution of the mean F1 of every method over the parts of a source."""
    values = [
        [100 * v for part in parts if (v := report.value(part, name)) is not None] for name in names
    ]

    def draw(axes: Axes) -> None:
        ink, flier = {"color": INK}, {"markeredgecolor": COLOURS[0]}
        axes.boxplot(
            values, positions=range(len(names)), vert=False, boxprops=ink, whiskerprops=ink,
            capprops=ink, medianprops=ink, flierprops=flier,
        )  # fmt: skip
        _name_rows(axes, names, "F1 in per cent, mean over the pages of a package")

    title = f"F1 of {report.experiment['measures'][0]} on the {len(parts)} packages of {study}"
    return _drawn(title, 0.9 + 0.24 * len(names), draw)


def _class_plots(report: Report, study: str) -> dict[str, Plot | None]:
    """Draw F1 and time against the pages of a class that were learnt from.

    Numbers with less than half of the classes are left out: a curve over other classes would
    mislead. Figure 2 of Debnath et al. (2005) is that of times.
    """
    own = [learnt for learnt in report.learnt if learnt.study == study and learnt.n_pages]
    most = max((learnt.n_classes for learnt in own), default=0)
    own = [learnt for learnt in own if 2 * learnt.n_classes >= most]
    own.sort(key=lambda learnt: (learnt.method, learnt.n_pages))
    f1: dict[str, list[tuple[float, Point]]] = {}
    times: dict[str, list[tuple[float, Point]]] = {}
    for learnt in own:
        for part, words in (("seen", "pages seen"), ("unseen", "other pages")):
            if (value := report.value(study, learnt.subject, part=part)) is not None:
                curve = f1.setdefault(f"{learnt.method}, {words}", [])
                curve.append((learnt.n_pages, (100 * value, None, None)))
        if (spent := learnt.learning_milliseconds) is not None:
            times.setdefault(learnt.method, []).append((learnt.n_pages, (spent, None, None)))
    ticks = sorted({learnt.n_pages for learnt in own})
    if len(ticks) < 2:
        return {}
    axis = "pages of a class that were learnt from (log scale)"
    titles = f"F1 by pages of a class, {study}", f"Time to learn from a page, {study}"
    return {
        "page classes": _lines(titles[0], f1, (axis, "F1 in per cent"), log="x", ticks=ticks),
        "learning time": _lines(titles[1], times, (axis, "ms per page"), log="x", ticks=ticks),
    }
