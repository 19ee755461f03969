"""Placement of labels beside data points, so that they hide neither each other nor what is drawn.

Few points have few places for their labels, so that each is tried: beginning with the best place
for each label alone, labels move one by one to their best place among the others until none moves,
the discrete gradient descent of J. Christensen, J. Marks, S. Shieber (1995). An empirical study of
algorithms for point-feature label placement. ACM Transactions on Graphics 14(3). Which places there
are, and what they cost, is ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from structce.experiments.report.plots.base import INK, PAPER, SOFT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Box = tuple[float, float, float, float]  # left, bottom, right, top, in typographic points

_SIZE = 9.5  # size of the letters, in points

_LETTER_WIDTH = 0.6
"""Mean width of a letter by its size: that of wide sans-serif fonts, as pages may have."""

_LINE_HEIGHT = 12.0
_GAP = 8.0  # distance of a label from the middle of its point
_MARKER = 6.0  # half the side of the square that a data point takes up
_N_SWEEPS = 10  # largest number of sweeps of a descent; two or three have always been enough
_DISTANCE_COST = 0.5  # square points of overlap that are as bad as one point of distance


@dataclass(frozen=True)
class LabelPlace:
    """A place of a label: where it is held, and that place's distance from the data point."""

    align: Literal["left", "right", "center"]
    dx: float
    dy: float

    def box(self, point: tuple[float, float], width: float) -> Box:
        """Return what a label of a width takes up."""
        x, y = point[0] + self.dx, point[1] + self.dy
        left = x - {"left": 0.0, "center": width / 2, "right": width}[self.align]
        return left, y - _LINE_HEIGHT / 2, left + width, y + _LINE_HEIGHT / 2


_HEIGHTS = sorted((0.7 * _LINE_HEIGHT * n for n in range(-5, 6)), key=abs)

PLACES = (
    *(
        place
        for dy in _HEIGHTS
        for place in (LabelPlace("right", -_GAP, dy), LabelPlace("left", _GAP, dy))
    ),
    LabelPlace("center", 0.0, 1.5 * _GAP),
    LabelPlace("center", 0.0, -1.5 * _GAP),
)
"""The places of a label, the nearest first."""


def place_labels(
    points: Sequence[tuple[float, float]],
    widths: Sequence[float],
    obstacles: Sequence[Box],
    bounds: Box,
) -> list[LabelPlace]:
    """Return a place for the label of each point, with as little overlap as can be found.

    Labels of these widths are to hide no obstacle and to stay within the bounds.
    """

    def cost(place: LabelPlace, i: int, others: Sequence[Box]) -> float:
        box = place.box(points[i], widths[i])
        area = (box[2] - box[0]) * (box[3] - box[1])
        hidden = sum(overlap(box, obstacle) for obstacle in (*obstacles, *others))
        outside = 2 * (area - overlap(box, bounds))
        return hidden + outside + _DISTANCE_COST * (abs(place.dy) + (place.align == "center"))

    chosen = [min(PLACES, key=lambda place: cost(place, i, ())) for i in range(len(points))]
    for _ in range(_N_SWEEPS):
        before = list(chosen)
        for i in range(len(points)):
            others = [chosen[j].box(points[j], widths[j]) for j in range(len(points)) if j != i]
            chosen[i] = min(PLACES, key=lambda place: cost(place, i, others))
        if chosen == before:
            break
    return chosen


def overlap(box: Box, other: Box) -> float:
    """Return the area that two boxes share, in square points."""
    width = min(box[2], other[2]) - max(box[0], other[0])
    height = min(box[3], other[3]) - max(box[1], other[1])
    return max(0.0, width) * max(0.0, height)


def write_labels(
    figure: Figure,
    axes: Axes,
    labels: Sequence[tuple[str, float, float]],
    whiskers: Sequence[Box] = (),
) -> None:
    """Write a label beside each data point; a thin line leads to one that is further away.

    Labels are text, x and y, on axes that already have their limits and scales. They do not hide
    whiskers, which are upright lines in data coordinates.
    """
    figure.draw_without_rendering()  # gives the axes their place in the figure
    scale = 72 / figure.dpi

    def to_points(x: float, y: float) -> tuple[float, float]:
        across, up = axes.transData.transform((x, y))
        return scale * float(across), scale * float(up)

    points = [to_points(x, y) for _, x, y in labels]
    markers = [(x - _MARKER, y - _MARKER, x + _MARKER, y + _MARKER) for x, y in points]
    lines = [(*to_points(*whisker[:2]), *to_points(*whisker[2:])) for whisker in whiskers]
    thick = [(left - 1, low, right + 1, high) for left, low, right, high in lines]
    left, low, right, high = (scale * float(end) for end in axes.bbox.extents)
    widths = [_LETTER_WIDTH * _SIZE * len(text) for text, _, _ in labels]
    places = place_labels(points, widths, [*markers, *thick], (left, low, right, high))
    leader = {"arrowstyle": "-", "color": SOFT, "linewidth": 0.7}
    for (text, x, y), place in zip(labels, places, strict=True):
        axes.annotate(
            text, (x, y), (place.dx, place.dy), textcoords="offset points", va="center",
            ha=place.align, annotation_clip=False, size=_SIZE, color=INK, zorder=3.5,
            bbox={"facecolor": PAPER, "edgecolor": "none", "alpha": 0.85, "pad": 0.5},
            arrowprops=leader if abs(place.dy) > _LINE_HEIGHT else None,
        )  # fmt: skip
