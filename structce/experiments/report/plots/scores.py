"""Plots of scores: learners, labels, pairs, studies, ablations, confidence and mean ranks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from structce.errors import ExperimentError
from structce.evaluation import LEVEL, LabelScore, ReliabilityBin
from structce.experiments.report.plots.base import (
    INK,
    LINE_HEIGHT,
    PAPER,
    RULE,
    SOFT,
    Plot,
    SeriesStyle,
    add_legend,
    add_series_legend,
    count_words,
    draw_curve,
    draw_dot,
    draw_interval,
    finish_plot,
    legend_entry,
    macro_f1_words,
    name_rows,
    open_figure,
    percent_axis,
    row_heights,
    series_style,
    wrap_name,
    write_lines,
)
from structce.experiments.report.tables.base import (
    interval_words,
    is_known_interval,
    measure_words,
    percent,
    percentage_points,
)
from structce.experiments.results import (
    CandidateResult,
    Contrast,
    Ranking,
    Reliability,
    Study,
)
from structce.experiments.significance import is_certain_pair
from structce.extras import load_extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DOT_OFFSET = 0.17  # distance of the two dots of a row from its middle, in rows
_LABEL_ROW_SPAN = 0.72  # share of a row of label_plot that its dots take up

_MIN_DIFFERENCE_RANGE = 1.0
"""Points that the axis reaches to both sides at least, so that small differences look small."""

_PAIR_NAME_WIDTH = 20  # characters per line of a pair's name
_PANEL_TITLE_WIDTH = 52  # characters per line of a panel's title

_CONTRAST_WORDS = {"by": "the split", "corpus": "the corpus", "renderer": "the renderer"}


def interval_plot(study: Study) -> Plot | None:
    """Draw macro F1 of every learner, over all labels and without the background.

    Whiskers are 95 per cent intervals over sites; a learner without them has its dots alone. None
    without learners.
    """
    if not study.candidates:
        return None
    names = [candidate.name for candidate in study.candidates]
    inner, said = f"without {study.source.background}", []
    with open_figure(0.6 + row_heights(names, 0.46)) as figure:
        axes = figure.subplots()
        style = series_style(0)
        for y, candidate in enumerate(study.candidates):
            scores, intervals = candidate.row.scores, candidate.row.intervals
            foreground = intervals.get("macro_f1_foreground")
            draw_interval(axes, y - _DOT_OFFSET, intervals.get("macro_f1"), style.colour)
            draw_interval(axes, y + _DOT_OFFSET, foreground, style.colour)
            draw_dot(axes, 100 * scores.macro_f1, y - _DOT_OFFSET, style)
            draw_dot(axes, 100 * scores.macro_f1_foreground, y + _DOT_OFFSET, style, hollow=True)
            value = percent(scores.macro_f1_foreground, 1) + interval_words(foreground, 1)
            said.append(f"{candidate.name}: {macro_f1_words(candidate.row)}, {inner} {value}")
        name_rows(axes, names)
        percent_axis(axes)
        axes.set_xlabel("macro F1 in per cent")
        add_legend(
            figure, [legend_entry(style, "all labels"), legend_entry(style, inner, hollow=True)]
        )
        title = f"Macro F1 of every learner, {study.name}"
        description = f"In per cent. {'; '.join(said)}."
        return finish_plot(figure, title, description, "intervals", study.name)


def label_plot(study: Study) -> Plot | None:
    """Draw the F1 of every label that occurs, one dot per learner, with its interval.

    A learner has no dot for a label that is in neither gold nor its prediction. None if no label
    occurs.
    """
    scores: dict[str, dict[int, LabelScore]] = {}  # by label and place of the learner
    for place, candidate in enumerate(study.candidates):
        for score in candidate.row.scores.labels:
            scores.setdefault(score.name, {}).update({place: score} if score.occurs else {})
    scores = {name: own for name, own in scores.items() if own}
    if not scores:
        return None
    n_candidates, said = len(study.candidates), []
    with open_figure(0.8 + len(scores) * max(0.36, 0.13 * n_candidates + 0.12)) as figure:
        axes = figure.subplots()
        for y, (name, own) in enumerate(scores.items()):
            values = []
            for place, score in own.items():
                candidate, style = study.candidates[place], series_style(place)
                interval = candidate.row.intervals.get(f"f1.{name}")
                beside = y + _LABEL_ROW_SPAN * ((place + 0.5) / n_candidates - 0.5)
                draw_interval(axes, beside, interval, style.colour)
                draw_dot(axes, 100 * score.measures.f1, beside, style)
                value = percent(score.measures.f1, 1) + interval_words(interval, 1)
                values.append(f"{candidate.name} {value}")
            regions = count_words(study.n_test.get(name, 0), "region")
            said.append(f"{name}, {regions}: {', '.join(values)}")
        name_rows(axes, [f"{name} ({study.n_test.get(name, 0):,})" for name in scores])
        axes.hlines([y + 0.5 for y in range(len(scores) - 1)], 0, 1, color=RULE,
                    linewidth=0.8, transform=axes.get_yaxis_transform())  # fmt: skip
        percent_axis(axes)
        axes.set_xlabel("F1 in per cent")
        axes.set_title("label (tested regions)", loc="left", size=9.5, pad=4)
        add_series_legend(figure, [candidate.name for candidate in study.candidates])
        description = f"In per cent. {'; '.join(said)}."
        return finish_plot(
            figure, f"F1 of every label, {study.name}", description, "labels", study.name
        )


def pair_plot(study: Study) -> Plot | None:
    """Draw the difference in macro F1 of every pair of learners, with its interval and a zero line.

    Pairs of which it is certain which is the better one stand out. Those without an interval are
    left out; None if none is left.
    """
    pairs = [pair for pair in study.pairs if is_known_interval(pair.macro_interval)]
    if not pairs:
        return None
    names = [f"{pair.first} − {pair.second}" for pair in pairs]
    first, said = series_style(0), []
    styles = {True: first, False: SeriesStyle(SOFT, first.marker, first.line)}
    words = {True: "certain", False: "may be chance"}
    with open_figure(0.6 + row_heights(names, 0.3, _PAIR_NAME_WIDTH)) as figure:
        axes = figure.subplots()
        for y, pair in enumerate(pairs):
            is_sure, (low, high) = is_certain_pair(pair), pair.macro_interval
            style, width = styles[is_sure], 2.4 if is_sure else 1.4
            axes.hlines(y, 100 * low, 100 * high, color=style.colour, linewidth=width, zorder=3)
            draw_dot(axes, 100 * pair.macro_difference, y, style, hollow=not is_sure)
            said.append(
                f"{pair.first} minus {pair.second}: {percentage_points(pair.macro_difference, 1)}, "
                f"interval {percentage_points(low, 1)} to {percentage_points(high, 1)}, "
                f"{words[is_sure]}"
            )
        axes.axvline(0, color=SOFT, linewidth=1.2, linestyle=(0, (4, 3)), zorder=2)
        name_rows(axes, names, _PAIR_NAME_WIDTH)
        axes.margins(x=0.06)
        left, right = axes.get_xlim()
        axes.set_xlim(min(left, -_MIN_DIFFERENCE_RANGE), max(right, _MIN_DIFFERENCE_RANGE))
        axes.grid(axis="x")
        axes.set_xlabel("difference of macro F1 in percentage points")
        add_legend(figure, [
            legend_entry(styles[is_sure], words[is_sure], hollow=not is_sure)
            for is_sure in (True, False)
        ])  # fmt: skip
        title = f"Differences in macro F1, {study.name}"
        description = f"In percentage points, with 95 per cent intervals. {'; '.join(said)}."
        return finish_plot(figure, title, description, "pairs", study.name)


def contrast_plot(contrasts: Sequence[Contrast]) -> Plot | None:
    """Draw macro F1 of every learner in the first and in the second study, joined by a line.

    Every two studies have a panel of their own, on one axis. None without contrasts.
    """
    groups: dict[tuple[str, str], list[Contrast]] = {}
    for contrast in contrasts:
        groups.setdefault((contrast.first, contrast.second), []).append(contrast)
    if not groups:
        return None
    several = len(groups) > 1
    rows = [[contrast.candidate for contrast in group] for group in groups.values()]
    heights = [row_heights(names, 0.32) for names in rows]
    style, said = series_style(0), []
    with open_figure(0.5 + sum(heights) + 0.5 * (len(groups) if several else 0)) as figure:
        panels = figure.subplots(len(groups), 1, sharex=True, squeeze=False, height_ratios=heights)
        for axes, (studies, group), names in zip(panels.flat, groups.items(), rows, strict=True):
            for y, contrast in enumerate(group):
                said.append(_draw_contrast(axes, y, contrast, style))
            name_rows(axes, names)
            if several:
                _name_panel(axes, f"first {studies[0]}, second {studies[1]}")
        for axes in panels.flat:
            percent_axis(axes)
        panels.flat[-1].set_xlabel("macro F1 in per cent")
        first, second = ("first", "second") if several else next(iter(groups))
        add_legend(figure, [legend_entry(style, first, hollow=True), legend_entry(style, second)])
        what = dict.fromkeys(contrast.what for contrast in contrasts)
        differing = " or ".join(_CONTRAST_WORDS.get(name, name) for name in what)
        title = f"Macro F1 of every learner in studies that differ in {differing}"
        description = f"In per cent. {'; '.join(said)}."
        subjects = [name for studies in groups for name in studies]
        return finish_plot(figure, title, description, "contrast", differing, *subjects)


def _draw_contrast(axes: Axes, y: float, contrast: Contrast, style: SeriesStyle) -> str:
    """Draw a learner's two values in a row, and return them in words."""
    first, second = contrast.values
    ends = 100 * first, 100 * second
    axes.plot(ends, (y, y), color=style.colour, linewidth=2, alpha=0.5, zorder=2)
    draw_dot(axes, ends[0], y, style, hollow=True)
    draw_dot(axes, ends[1], y, style)
    return (
        f"{contrast.candidate}: {percent(first, 1)} in {contrast.first}, "
        f"{percent(second, 1)} in {contrast.second}, "
        f"{percentage_points(second - first, 1)} points"
    )


def _name_panel(axes: Axes, name: str) -> None:
    for i, part in enumerate(reversed(wrap_name(name, _PANEL_TITLE_WIDTH))):
        axes.annotate(
            part, (0, 1), (0, 4 + LINE_HEIGHT * i), xycoords="axes fraction", size=9.5,
            textcoords="offset points", annotation_clip=False,
        )  # fmt: skip


_FAMILY_GAP = 0.4  # space between two families, in rows

_UNCALIBRATED = SeriesStyle(SOFT, "s", "--")

_PERCENT_TICKS = (0, 20, 40, 60, 80, 100)


def ablation_plot(study: Study, candidate_name: str) -> Plot | None:
    """Draw the macro F1 of a learner by its features as bars, with a line at all features.

    A part that failed has no bar. None without any part, or where the learner has no scores.
    """
    parts = [ablation for ablation in study.ablations if ablation.candidate == candidate_name]
    candidate = next((known for known in study.candidates if known.name == candidate_name), None)
    if candidate is None or not parts:
        return None
    families = list(dict.fromkeys(part.family for part in parts))
    full = candidate.row.scores.macro_f1
    bars = [("all features", "all", full, 0.0)]  # name, kind, macro F1, and row from the top
    for place, family in enumerate(families, start=1):
        for part in (part for part in parts if part.family == family):
            y = len(bars) + _FAMILY_GAP * place
            bars.append((part.name, part.kind, part.row.scores.macro_f1, y))
    names, _, _, places = zip(*bars, strict=True)
    with open_figure(0.55 + 0.27 * (places[-1] + 1)) as figure:
        axes = figure.subplots()
        for _, kind, value, y in bars:
            _draw_bar(axes, y, value, kind)
        axes.axvline(100 * full, color=INK, linewidth=1, linestyle=(0, (4, 3)))
        name_rows(axes, names, 22, places)
        axes.set(xlim=(0, 100), xticks=range(0, 101, 20))
        axes.grid(axis="x")
        axes.set_xlabel("macro F1 in per cent")
        said = ", ".join(f"{name} {percent(value, 1)}" for name, _, value, _ in bars)
        title = f"Macro F1 of {candidate_name} by family of features, {study.name}"
        return finish_plot(
            figure, title, f"In per cent: {said}.", "ablation", study.name, candidate_name
        )


def _draw_bar(axes: Axes, y: float, share: float, kind: str) -> None:
    fill = {"all": SOFT, "only": PAPER}.get(kind, series_style(0).colour)
    edge = SOFT if kind == "all" else series_style(0).colour
    axes.barh(y, 100 * share, 0.74, facecolor=fill, edgecolor=edge, linewidth=1.3)
    axes.annotate(percent(share, 1), (1, y), (3, 0), xycoords=axes.get_yaxis_transform(), size=9.5,
                  textcoords="offset points", va="center", annotation_clip=False)  # fmt: skip


def reliability_plot(candidate: CandidateResult, study: str = "") -> Plot | None:
    """Draw the reliability diagram of a learner, before and after calibration.

    A histogram below counts the regions by their confidence after calibration. None for a learner
    without confidences, or without regions.

    References
    ----------
    M. H. DeGroot, S. E. Fienberg (1983). The comparison and evaluation of forecasters. The
    Statistician 32.
    """
    if candidate.calibration is None or not candidate.calibration.after.bins:
        return None
    before, after = candidate.calibration.before, candidate.calibration.after
    with open_figure(4.6) as figure:
        upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(4, 1))
        upper.plot((0, 100), (0, 100), color=SOFT, linewidth=1, linestyle=":")
        for bins, style in ((before.bins, _UNCALIBRATED), (after.bins, series_style(0))):
            points = [(100 * level.confidence, 100 * level.accuracy) for level in bins]
            hollow = style is _UNCALIBRATED
            draw_curve(upper, points, style, hollow=hollow, markersize=6, clip_on=False)
        upper.set(xlim=(0, 100), ylim=(0, 100), xticks=_PERCENT_TICKS, yticks=_PERCENT_TICKS)
        upper.set_ylabel("regions with the right label in per cent")
        upper.grid()
        _draw_histogram(lower, after.bins)
        lower.set_xlabel("mean confidence in per cent")
        add_legend(figure, [
            legend_entry(_UNCALIBRATED, "before calibration", line=True, hollow=True),
            legend_entry(series_style(0), "after calibration", line=True),
        ])  # fmt: skip
        title = f"Reliability of the confidence of {candidate.name}"
        said = f"Before calibration: {_reliability_words(before)}. "
        said += f"After: {_reliability_words(after)}."
        names = filter(None, ("reliability", study, candidate.name))
        return finish_plot(figure, title, said, *names)


def _draw_histogram(axes: Axes, bins: Sequence[ReliabilityBin]) -> None:
    left = [100 * part.low + 1 for part in bins]
    wide = [100 * (part.high - part.low) - 2 for part in bins]
    counts = [part.n_regions for part in bins]
    bars = axes.bar(left, counts, wide, align="edge", color=series_style(0).colour, alpha=0.55)
    axes.bar_label(bars, labels=[short_count(n) for n in counts], padding=1.5, size=8)
    axes.set_yticks([])
    axes.set_ylim(0, 1.35 * max(counts))
    axes.set_ylabel("regions")
    axes.spines["left"].set_visible(False)


def short_count(number: int) -> str:
    """Return a count in at most four characters up to a million: ``830``, ``1.2k``, ``12k``."""
    if number < 1000:
        return str(number)
    return f"{number / 1000:.1f}k" if number < 9950 else f"{number / 1000:.0f}k"


def _reliability_words(diagram: Reliability) -> str:
    said = [
        f"{count_words(part.n_regions, 'region')} of mean confidence {part.confidence:.2f}, "
        f"{part.accuracy:.2f} of them right"
        for part in diagram.bins
    ]
    return f"calibration error {diagram.error:.3f}; {'; '.join(said) or 'no regions'}"


_ROW_HEIGHT = 0.24  # inches from one row of a critical-difference diagram to the next
_SCALE_HEIGHT = 46.0  # height above the axis at which the critical difference is drawn, in points
_NAME_WIDTH = 26  # characters per line of a learner's name and rank


def rank_plot(ranking: Ranking) -> Plot | None:
    """Draw the mean rank of every learner; 1 is best.

    Where every two learners were tested it is a critical-difference diagram: bars join learners
    that the test does not tell apart. Else it is a dot plot, and the description says that there
    is no test. None for fewer than two learners.

    References
    ----------
    J. Demsar (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7,
    section 3.2.2 and figure 1.
    """
    if len(ranking.ranks) < 2:
        return None
    if not ranking.p_pairs:
        return _dot_plot(ranking)
    with open_figure(3.0) as figure:
        n_rows = _draw_diagram(figure, ranking)
        longest = max(len(wrap_name(f"{name} (0.00)", _NAME_WIDTH)) for name in ranking.ranks)
        figure.set_figheight(1.1 + _ROW_HEIGHT * n_rows * (1 + 0.45 * (longest - 1)))
        names = [name for name, _ in _sorted_ranks(ranking)]
        pairs = [(a, b, _p_value(ranking, a, b)) for a, b in combinations(names, 2)]
        differing = [f"{a} and {b} (p = {p:.2g})" for a, b, p in pairs if p <= LEVEL]
        pairs_apart = "; ".join(differing) or "no two of them"
        return _finish_ranks(figure, ranking, f"The test distinguishes {pairs_apart}")


def _sorted_ranks(ranking: Ranking) -> list[tuple[str, float]]:
    return sorted(ranking.ranks.items(), key=lambda item: item[1])


def _dot_plot(ranking: Ranking) -> Plot:
    rows = _sorted_ranks(ranking)
    names = [name for name, _ in rows]
    with open_figure(0.7 + row_heights(names, 0.32)) as figure:
        axes = figure.subplots()
        for y, (_, rank) in enumerate(rows):
            draw_dot(axes, rank, y, series_style(0))
        name_rows(axes, names)
        axes.set(xlim=(0.9, len(rows) + 0.1), xticks=range(1, len(rows) + 1))
        axes.grid(axis="x")
        axes.set_xlabel(f"mean rank by {measure_words(ranking.measure)}, 1 is best")
        return _finish_ranks(figure, ranking, "There is no test of these ranks")


def _draw_diagram(figure: Figure, ranking: Ranking) -> int:
    """Draw a critical-difference diagram; return how many rows high it is.

    The library gets numbers instead of names, since it keeps them in sets, and the order of
    strings in a set differs from run to run.
    """
    posthocs = load_extra("scikit_posthocs", "the plot of ranks", "experiments")
    pandas = load_extra("pandas", "the plot of ranks", "experiments")
    axes = figure.subplots()
    rows = _sorted_ranks(ranking)
    names = [name for name, _ in rows]
    table = [[1.0 if a == b else _p_value(ranking, a, b) for b in names] for a in names]
    diagram = posthocs.critical_difference_diagram(
        {i: rank for i, (_, rank) in enumerate(rows)}, pandas.DataFrame(table), alpha=LEVEL,
        ax=axes, left_only=True, text_h_margin=0.05,
        elbow_props={"color": SOFT, "linewidth": 1.1},
        marker_props={"color": series_style(0).colour, "clip_on": False},
        crossbar_props={"color": series_style(0).colour, "linewidth": 4, "solid_capstyle": "butt"},
    )  # fmt: skip
    for text, (name, rank) in zip(diagram["labels"], rows, strict=True):
        parts = wrap_name(f"{name} ({rank:.2f})", _NAME_WIDTH)
        write_lines(axes, parts, text.get_position(), axes.transData)
        text.remove()
    levels = {float(line.get_ydata()[0]) for bar in diagram["crossbars"] for line in bar}
    n_rows = len(levels) + len(rows) + 1
    axes.spines["top"].set_visible(True)
    last = max(len(rows), 1 + (ranking.critical_difference or 0))  # so that both have room
    axes.set(xlim=(1, last), ylim=(0.4 - n_rows, 0), xticks=range(1, len(rows) + 1))
    axes.xaxis.set_label_position("top")
    axes.set_xlabel(f"mean rank by {measure_words(ranking.measure)}, 1 is best", labelpad=6)
    if ranking.critical_difference is not None:
        _draw_scale(figure, axes, ranking.critical_difference)
    return n_rows


def _draw_scale(figure: Figure, axes: Axes, difference: float) -> None:
    """Draw the critical difference to scale above the axis."""
    from matplotlib.transforms import offset_copy

    higher = offset_copy(axes.transData, figure, y=_SCALE_HEIGHT, units="points")
    axes.plot((1, 1 + difference), (0, 0), color=INK, linewidth=1.4, marker="|", markersize=7,
              clip_on=False, transform=higher)  # fmt: skip
    axes.annotate(f"critical difference {difference:.2f}", (1, 0), (0, _SCALE_HEIGHT + 5),
                  va="bottom", textcoords="offset points", size=9.5,
                  annotation_clip=False)  # fmt: skip


def _p_value(ranking: Ranking, first: str, second: str) -> float:
    """Return the p-value of two learners, in whichever order the ranking has them."""
    p = ranking.p_pairs
    p_value = p.get(first, {}).get(second, p.get(second, {}).get(first))
    if p_value is None:
        raise ExperimentError(f"ranking has no p-value of {first} and {second}; expected all pairs")
    return p_value


def _finish_ranks(figure: Figure, ranking: Ranking, verdict: str) -> Plot:
    said = ", ".join(f"{name} {rank:.2f}" for name, rank in _sorted_ranks(ranking))
    title = f"Mean ranks by {measure_words(ranking.measure)}"
    description = f"1 is best; over {', '.join(ranking.studies)}: {said}. {verdict}."
    return finish_plot(figure, title, description, "ranks", ranking.measure, *ranking.studies)
