"""Plot of mean ranks over several studies: critical-difference diagram or dots."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from structce.errors import ExperimentError
from structce.evaluation import LEVEL
from structce.experiments.report.plots.axes import draw_dot, name_rows, row_heights, write_lines
from structce.experiments.report.plots.base import (
    INK,
    SOFT,
    Plot,
    finish_plot,
    open_figure,
    series_style,
    wrap_name,
)
from structce.experiments.report.tables.base import measure_words
from structce.experiments.results import Ranking
from structce.extras import load_extra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROW_HEIGHT = 0.24
"""Inches from one row of a critical-difference diagram to the next."""

_SCALE_HEIGHT = 46.0
"""Height above the axis at which the critical difference is drawn, in points."""

_NAME_WIDTH = 26
"""Letters on a line of a learner's name and rank."""


def rank_plot(ranking: Ranking) -> Plot | None:
    """Draw the mean rank of every learner; 1 is best.

    Where every two learners were tested it is a critical-difference diagram: bars join learners
    that the test does not tell apart. Else it is a dot plot, and the description says that there
    is no test. None for fewer than two learners.

    Raises
    ------
    MissingExtraError
        If scikit-posthocs is not installed.

    References
    ----------
    J. Demsar (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7,
    section 3.2.2 and figure 1.
    """
    if len(ranking.ranks) < 2:
        return None
    return _critical_difference_plot(ranking) if ranking.p_pairs else _dot_plot(ranking)


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


def _critical_difference_plot(ranking: Ranking) -> Plot:
    with open_figure(3.0) as figure:
        n_rows = _draw_diagram(figure, ranking)
        longest = max(len(wrap_name(f"{name} (0.00)", _NAME_WIDTH)) for name in ranking.ranks)
        figure.set_figheight(1.1 + _ROW_HEIGHT * n_rows * (1 + 0.45 * (longest - 1)))
        return _finish_ranks(figure, ranking, _verdict(ranking))


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
    found = p.get(first, {}).get(second, p.get(second, {}).get(first))
    if found is None:
        raise ExperimentError(f"ranking has no p-value of {first} and {second}; expected all pairs")
    return found


def _verdict(ranking: Ranking) -> str:
    names = [name for name, _ in _sorted_ranks(ranking)]
    pairs = [(a, b, _p_value(ranking, a, b)) for a, b in combinations(names, 2)]
    said = [f"{a} and {b} (p = {p:.2g})" for a, b, p in pairs if p <= LEVEL]
    found = "; ".join(said) if said else "no two of them"
    return f"The test tells apart: {found}"


def _finish_ranks(figure: Figure, ranking: Ranking, verdict: str) -> Plot:
    said = ", ".join(f"{name} {rank:.2f}" for name, rank in _sorted_ranks(ranking))
    studies = ", ".join(ranking.studies)
    title = f"Mean ranks by {measure_words(ranking.measure)}"
    description = f"1 is best; over {studies}: {said}. {verdict}."
    return finish_plot(figure, title, description, "ranks", ranking.measure, *ranking.studies)
