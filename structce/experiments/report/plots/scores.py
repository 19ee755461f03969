"""Dot plots of scores: every learner, every label, every pair of learners, pairs of studies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from structce.evaluation import LabelScore
from structce.experiments.report.evidence import is_certain_pair
from structce.experiments.report.plots.axes import (
    LINE_HEIGHT,
    add_legend,
    draw_dot,
    draw_interval,
    draw_zero_line,
    legend_entry,
    name_rows,
    percent_axis,
    row_heights,
)
from structce.experiments.report.plots.base import (
    RULE,
    SOFT,
    Plot,
    SeriesStyle,
    count_words,
    finish_plot,
    macro_f1_words,
    open_figure,
    series_style,
    wrap_name,
)
from structce.experiments.report.tables.base import (
    interval_words,
    is_known_interval,
    percent,
    percentage_points,
)
from structce.experiments.results import CandidateResult, Comparison, Contrast, Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DOT_OFFSET = 0.17
"""Distance of the two dots of a row from its middle, in rows."""

_LABEL_ROW_SPAN = 0.72
"""Share of a row of :func:`label_plot` that its dots take up."""

_MIN_DIFFERENCE_RANGE = 1.0
"""Points that the axis reaches to both sides at least, so that small differences look small."""

_PAIR_NAME_WIDTH = 20
"""Letters on a line of a pair's name."""

_PANEL_TITLE_WIDTH = 52
"""Letters on a line of a panel's title."""

_CONTRAST_WORDS = {"by": "the split", "corpus": "the corpus", "renderer": "the renderer"}


def interval_plot(study: Study) -> Plot | None:
    """Draw macro F1 of every learner, over all labels and without the background.

    Whiskers are 95 per cent intervals over sites; a learner without them has its dots alone. None
    without learners.
    """
    if not study.candidates:
        return None
    names = [candidate.name for candidate in study.candidates]
    with open_figure(0.6 + row_heights(names, 0.46)) as figure:
        axes = figure.subplots()
        style = series_style(0)
        for y, candidate in enumerate(study.candidates):
            scores, intervals = candidate.row.scores, candidate.row.intervals
            draw_interval(axes, y - _DOT_OFFSET, intervals.get("macro_f1"), style.colour)
            draw_interval(axes, y + _DOT_OFFSET, intervals.get("macro_f1_foreground"), style.colour)
            draw_dot(axes, 100 * scores.macro_f1, y - _DOT_OFFSET, style)
            draw_dot(axes, 100 * scores.macro_f1_foreground, y + _DOT_OFFSET, style, hollow=True)
        name_rows(axes, names)
        percent_axis(axes)
        axes.set_xlabel("macro F1 in per cent")
        inner = f"without {study.source.background}"
        add_legend(
            figure, [legend_entry(style, "all labels"), legend_entry(style, inner, hollow=True)]
        )
        said = "; ".join(_learner_words(candidate, inner) for candidate in study.candidates)
        title = f"Macro F1 of every learner, {study.name}"
        return finish_plot(figure, title, f"In per cent. {said}.", "intervals", study.name)


def _learner_words(candidate: CandidateResult, inner: str) -> str:
    interval = interval_words(candidate.row.intervals.get("macro_f1_foreground"), 1)
    value = percent(candidate.row.scores.macro_f1_foreground, 1)
    return f"{candidate.name}: {macro_f1_words(candidate.row)}, {inner} {value}{interval}"


def label_plot(study: Study) -> Plot | None:
    """Draw the F1 of every label that occurs, a dot a learner, with its interval.

    A learner has no dot for a label that is in neither gold nor its prediction. None if no label
    occurs.
    """
    names = _occurring_labels(study.candidates)
    if not names:
        return None
    n_candidates = len(study.candidates)
    with open_figure(0.8 + len(names) * max(0.36, 0.13 * n_candidates + 0.12)) as figure:
        axes = figure.subplots()
        for y, name in enumerate(names):
            for place, candidate in enumerate(study.candidates):
                if (score := _label_score(candidate, name)).occurs:
                    style = series_style(place)
                    beside = y + _LABEL_ROW_SPAN * ((place + 0.5) / n_candidates - 0.5)
                    draw_interval(
                        axes, beside, candidate.row.intervals.get(f"f1.{name}"), style.colour
                    )
                    draw_dot(axes, 100 * score.measures.f1, beside, style)
        name_rows(axes, [f"{name} ({study.n_test.get(name, 0):,})" for name in names])
        axes.hlines([y + 0.5 for y in range(len(names) - 1)], 0, 1, color=RULE,
                    linewidth=0.8, transform=axes.get_yaxis_transform())  # fmt: skip
        percent_axis(axes)
        axes.set_xlabel("F1 in per cent")
        axes.set_title("label (tested regions)", loc="left", size=9.5, pad=4)
        add_legend(
            figure,
            [
                legend_entry(series_style(i), candidate.name)
                for i, candidate in enumerate(study.candidates)
            ],
        )
        title = f"F1 of every label, {study.name}"
        return finish_plot(figure, title, _label_words(study, names), "labels", study.name)


def _occurring_labels(candidates: Sequence[CandidateResult]) -> list[str]:
    """Return the labels in gold or in a prediction, in the order of the label set."""
    every = [
        score for candidate in candidates for score in candidate.row.scores.labels if score.occurs
    ]
    order = [score.name for candidate in candidates[:1] for score in candidate.row.scores.labels]
    found = {score.name for score in every}
    return [name for name in order if name in found]


def _label_score(candidate: CandidateResult, label: str) -> LabelScore:
    return next(one for one in candidate.row.scores.labels if one.name == label)


def _label_words(study: Study, names: Sequence[str]) -> str:
    said = []
    for name in names:
        rows = [(candidate, _label_score(candidate, name)) for candidate in study.candidates]
        values = [
            f"{candidate.name} {percent(one.measures.f1, 1)}"
            f"{interval_words(candidate.row.intervals.get(f'f1.{name}'), 1)}"
            for candidate, one in rows
            if one.occurs
        ]
        regions = count_words(study.n_test.get(name, 0), "region")
        said.append(f"{name}, {regions}: {', '.join(values)}")
    return f"In per cent. {'; '.join(said)}."


def pair_plot(study: Study) -> Plot | None:
    """Draw the difference in macro F1 of every pair of learners, with its interval and a zero line.

    Pairs of which it is certain which is the better one stand out. Those without an interval are
    left out; None if none is left.
    """
    pairs = [pair for pair in study.pairs if is_known_interval(pair.macro_interval)]
    if not pairs:
        return None
    names = [f"{pair.first} − {pair.second}" for pair in pairs]
    with open_figure(0.6 + row_heights(names, 0.3, _PAIR_NAME_WIDTH)) as figure:
        axes = figure.subplots()
        for y, pair in enumerate(pairs):
            is_sure = is_certain_pair(pair)
            style = _pair_style(is_sure)
            low, high = (100 * end for end in pair.macro_interval)
            width = 2.4 if is_sure else 1.4
            axes.hlines(y, low, high, color=style.colour, linewidth=width, zorder=3)
            draw_dot(axes, 100 * pair.macro_difference, y, style, hollow=not is_sure)
        draw_zero_line(axes)
        name_rows(axes, names, _PAIR_NAME_WIDTH)
        axes.margins(x=0.06)
        left, right = axes.get_xlim()
        axes.set_xlim(min(left, -_MIN_DIFFERENCE_RANGE), max(right, _MIN_DIFFERENCE_RANGE))
        axes.grid(axis="x")
        axes.set_xlabel("difference of macro F1 in percentage points")
        add_legend(figure, [
            legend_entry(_pair_style(True), "certain"),
            legend_entry(_pair_style(False), "may be chance", hollow=True),
        ])  # fmt: skip
        said = "; ".join(_pair_words(pair) for pair in pairs)
        title = f"Differences in macro F1, {study.name}"
        description = f"In percentage points, with 95 per cent intervals. {said}."
        return finish_plot(figure, title, description, "pairs", study.name)


def _pair_style(stands_out: bool) -> SeriesStyle:
    first = series_style(0)
    return first if stands_out else SeriesStyle(SOFT, first.marker, first.line)


def _pair_words(pair: Comparison) -> str:
    low, high = pair.macro_interval
    verdict = "certain" if is_certain_pair(pair) else "may be chance"
    return (
        f"{pair.first} minus {pair.second}: {percentage_points(pair.macro_difference, 1)}, "
        f"interval {percentage_points(low, 1)} to {percentage_points(high, 1)}, {verdict}"
    )


def contrast_plot(contrasts: Sequence[Contrast]) -> Plot | None:
    """Draw macro F1 of every learner in the first and in the second study, joined by a line.

    Every two studies have a panel of their own, on one axis. None without contrasts.
    """
    groups: dict[tuple[str, str], list[Contrast]] = {}
    for one in contrasts:
        groups.setdefault((one.first, one.second), []).append(one)
    if not groups:
        return None
    heights = [row_heights([one.candidate for one in group], 0.32) for group in groups.values()]
    with open_figure(0.5 + sum(heights) + 0.5 * (len(groups) if len(groups) > 1 else 0)) as figure:
        panels = figure.subplots(len(groups), 1, sharex=True, squeeze=False, height_ratios=heights)
        for axes, (studies, group) in zip(panels.flat, groups.items(), strict=True):
            _draw_contrasts(axes, group)
            if len(groups) > 1:
                _name_panel(axes, f"first {studies[0]}, second {studies[1]}")
        for axes in panels.flat:
            percent_axis(axes)
        panels.flat[-1].set_xlabel("macro F1 in per cent")
        style = series_style(0)
        first, second = next(iter(groups)) if len(groups) == 1 else ("first", "second")
        add_legend(figure, [legend_entry(style, first, hollow=True), legend_entry(style, second)])
        said = "; ".join(_contrast_words(one) for group in groups.values() for one in group)
        differing = " or ".join(
            dict.fromkeys(_CONTRAST_WORDS.get(one.what, one.what) for one in contrasts)
        )
        title = f"Macro F1 of every learner in studies that differ in {differing}"
        names = [name for studies in groups for name in studies]
        return finish_plot(figure, title, f"In per cent. {said}.", "contrast", differing, *names)


def _draw_contrasts(axes: Axes, group: Sequence[Contrast]) -> None:
    style = series_style(0)
    for y, one in enumerate(group):
        first, second = (100 * value for value in one.values)
        axes.plot((first, second), (y, y), color=style.colour, linewidth=2, alpha=0.5, zorder=2)
        draw_dot(axes, first, y, style, hollow=True)
        draw_dot(axes, second, y, style)
    name_rows(axes, [one.candidate for one in group])


def _name_panel(axes: Axes, name: str) -> None:
    for i, part in enumerate(reversed(wrap_name(name, _PANEL_TITLE_WIDTH))):
        axes.annotate(
            part, (0, 1), (0, 4 + LINE_HEIGHT * i), xycoords="axes fraction", size=9.5,
            textcoords="offset points", annotation_clip=False,
        )  # fmt: skip


def _contrast_words(one: Contrast) -> str:
    first, second = one.values
    return (
        f"{one.candidate}: {percent(first, 1)} in {one.first}, "
        f"{percent(second, 1)} in {one.second}, "
        f"{percentage_points(second - first, 1)} points"
    )
