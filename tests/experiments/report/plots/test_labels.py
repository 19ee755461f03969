"""Labels beside data points: near them, and over neither each other nor anything drawn."""

import itertools

import numpy as np
import pytest

from structce.experiments.report.plots.labels import PLACES, LabelPlace, overlap, place_labels

BOUNDS = (0.0, 0.0, 300.0, 200.0)


def boxes_of(points, widths, obstacles=(), bounds=BOUNDS):
    places = place_labels(points, widths, obstacles, bounds)
    return [place.box(*rest) for place, *rest in zip(places, points, widths, strict=True)]


def total_overlap(boxes, obstacles=()):
    pairs = [*itertools.combinations(boxes, 2), *itertools.product(boxes, obstacles)]
    return sum(overlap(box, other) for box, other in pairs)


def test_a_box_is_held_where_its_place_says():
    assert LabelPlace("left", 8, 0).box((10, 50), 30) == (18, 44, 48, 56)
    assert LabelPlace("right", -8, 10).box((60, 50), 30) == (22, 54, 52, 66)
    assert LabelPlace("center", 0, -12).box((60, 50), 30) == (45, 32, 75, 44)


@pytest.mark.parametrize(
    ("other", "shared"),
    [((2, 2, 12, 12), 64), ((10, 0, 20, 10), 0), ((3, 4, 5, 6), 4), ((-9, -9, -1, -1), 0)],
)
def test_overlap_is_the_shared_area(other, shared):
    assert overlap((0, 0, 10, 10), other) == overlap(other, (0, 0, 10, 10)) == shared


def test_a_label_alone_stands_straight_beside_its_point():
    (place,) = place_labels([(150, 100)], [40], [], BOUNDS)
    assert place.dy == 0
    assert place.align in ("left", "right")


@pytest.mark.parametrize(("x", "align"), [(10, "left"), (290, "right")])
def test_a_label_at_an_edge_stands_inside(x, align):
    (place,) = place_labels([(x, 100)], [60], [], BOUNDS)
    assert place.align == align


def test_labels_of_points_at_one_place_do_not_touch():
    boxes = boxes_of([(150, 100)] * 6, [60] * 6)
    assert total_overlap(boxes) == 0


def test_labels_avoid_what_is_drawn():
    points = [(100, 100), (130, 104), (150, 96)]
    drawn = [(x - 6, y - 6, x + 6, y + 6) for x, y in points]
    drawn += [(x - 1, 20, x + 1, 180) for x, _ in points]
    boxes = boxes_of(points, [70, 70, 70], drawn)
    assert total_overlap(boxes) == 0
    assert total_overlap(boxes, drawn) < 0.05 * 3 * 70 * 12


@pytest.mark.parametrize("seed", range(20))
def test_labels_of_chance_points_do_not_touch_and_beat_labels_straight_beside(seed):
    rng = np.random.default_rng(seed)
    points = [tuple(point) for point in rng.uniform((60, 60), (240, 140), (6, 2)).tolist()]
    widths = rng.uniform(40, 90, 6).tolist()
    straight = [PLACES[0].box(*point) for point in zip(points, widths, strict=True)]
    boxes = boxes_of(points, widths)
    assert total_overlap(boxes) == 0 or total_overlap(boxes) < total_overlap(straight)


def test_without_points_there_are_no_labels():
    assert place_labels([], [], [], BOUNDS) == []
