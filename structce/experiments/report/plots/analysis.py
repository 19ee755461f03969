"""Plots of ablations and of the reliability of confidences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from structce.evaluation import ReliabilityBin
from structce.experiments.report.plots.axes import add_legend, legend_entry, name_rows
from structce.experiments.report.plots.base import (
    INK,
    PAPER,
    SOFT,
    Plot,
    SeriesStyle,
    count_words,
    finish_plot,
    open_figure,
    series_style,
)
from structce.experiments.report.tables.base import percent
from structce.experiments.results import Ablation, CandidateResult, Reliability, Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FAMILY_GAP = 0.4
"""Space between two families, in rows."""

_UNCALIBRATED = SeriesStyle(SOFT, "s", "--")

_PERCENT_TICKS = (0, 20, 40, 60, 80, 100)


def ablation_plot(study: Study, candidate_name: str) -> Plot | None:
    """Draw the macro F1 of a learner by its features as bars, with a line at all features.

    A part that failed has no bar. None without any part, or where the learner has no scores.
    """
    parts = [one for one in study.ablations if one.candidate == candidate_name]
    candidate = next((one for one in study.candidates if one.name == candidate_name), None)
    if candidate is None or not parts:
        return None
    full = candidate.row.scores.macro_f1
    parts = _by_family(parts)
    places = _row_positions(parts)
    with open_figure(0.55 + 0.27 * (places[-1] + 1)) as figure:
        axes = figure.subplots()
        _draw_bar(axes, 0, full, "all")
        for y, part in zip(places[1:], parts, strict=True):
            _draw_bar(axes, y, part.row.scores.macro_f1, part.kind)
        axes.axvline(100 * full, color=INK, linewidth=1, linestyle=(0, (4, 3)))
        names = ["all features", *(part.name for part in parts)]
        name_rows(axes, names, 22, places)
        axes.set(xlim=(0, 100), xticks=range(0, 101, 20))
        axes.grid(axis="x")
        axes.set_xlabel("macro F1 in per cent")
        values = [full, *(part.row.scores.macro_f1 for part in parts)]
        said = ", ".join(
            f"{name} {percent(value, 1)}" for name, value in zip(names, values, strict=True)
        )
        title = f"Macro F1 of {candidate_name} by family of features, {study.name}"
        return finish_plot(
            figure, title, f"In per cent: {said}.", "ablation", study.name, candidate_name
        )


def _by_family(parts: list[Ablation]) -> list[Ablation]:
    """Sort parts by family, families in the order of the experiment."""
    order = list(dict.fromkeys(part.family for part in parts))
    return sorted(parts, key=lambda part: order.index(part.family))


def _row_positions(parts: list[Ablation]) -> list[float]:
    """Return the positions of the bars, in rows from the top: all features, then the parts."""
    places, last = [0.0], ""
    for part in parts:
        places.append(places[-1] + 1 + (_FAMILY_GAP if part.family != last else 0))
        last = part.family
    return places


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

    Parameters
    ----------
    study
        Name of the learner's study, for the name of the file.

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
        _draw_curve(upper, before.bins, _UNCALIBRATED, is_hollow=True)
        _draw_curve(upper, after.bins, series_style(0), is_hollow=False)
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
        description = (
            f"Before calibration: {_reliability_words(before)}. After: {_reliability_words(after)}."
        )
        names = ["reliability", *([study] if study else []), candidate.name]
        return finish_plot(figure, title, description, *names)


def _draw_curve(
    axes: Axes, bins: Sequence[ReliabilityBin], style: SeriesStyle, *, is_hollow: bool
) -> None:
    axes.plot(
        [100 * one.confidence for one in bins], [100 * one.accuracy for one in bins],
        color=style.colour, marker=style.marker, linestyle=style.line, linewidth=1.6, markersize=6,
        markerfacecolor=PAPER if is_hollow else style.colour, clip_on=False, zorder=3,
    )  # fmt: skip


def _draw_histogram(axes: Axes, bins: Sequence[ReliabilityBin]) -> None:
    left = [100 * one.low + 1 for one in bins]
    wide = [100 * (one.high - one.low) - 2 for one in bins]
    counts = [one.n_regions for one in bins]
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


def _reliability_words(one: Reliability) -> str:
    said = [
        f"{count_words(part.n_regions, 'region')} of mean confidence {part.confidence:.2f}, "
        f"{part.accuracy:.2f} of them right"
        for part in one.bins
    ]
    return f"calibration error {one.error:.3f}; {'; '.join(said) or 'no regions'}"
