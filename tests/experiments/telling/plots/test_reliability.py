from dataclasses import replace

import pytest

from structce.experiments.report.plots.analysis import reliability_plot
from structce.experiments.results import Calibration, Reliability


def test_points_stand_at_mean_confidence_and_share_of_right_labels(calibrated, read):
    drawn = read(reliability_plot(calibrated))
    x, y = drawn.value("x"), drawn.value("y")
    bins = calibrated.calibration.after.bins
    places = drawn.dots("var(--s1)")[: len(bins)]
    assert [x(one) for one, _ in places] == pytest.approx([100 * b.confidence for b in bins])
    assert [y(one) for _, one in places] == pytest.approx([100 * b.accuracy for b in bins])
    before = drawn.dots("var(--paper)")[: len(bins)]
    wrong = [100 * b.accuracy for b in calibrated.calibration.before.bins]
    assert [y(one) for _, one in before] == pytest.approx(wrong)


def test_the_diagonal_is_where_confidence_is_right(calibrated, read):
    drawn = read(reliability_plot(calibrated))
    x, y = drawn.value("x"), drawn.value("y")
    ends = [[(x(a), y(b)) for a, b in line] for line in drawn.lines("var(--soft)")]
    assert [pytest.approx((0, 0), abs=0.01), pytest.approx((100, 100), abs=0.01)] in ends


def test_bars_below_count_regions(calibrated, read):
    assert {"14", "40", "95", "180", "320", "12k"} <= set(read(reliability_plot(calibrated)).texts)


def test_the_description_says_every_bin_before_and_after(calibrated):
    said = reliability_plot(calibrated).description
    assert "Before calibration: calibration error 0.081; 14 regions of mean confidence 0.35" in said
    assert "11,800 regions of mean confidence 0.95, 0.97 of them right." in said


def test_a_learner_without_confidence_has_no_diagram(calibrated):
    nothing = Reliability(0.0, 0.0, ())
    assert reliability_plot(replace(calibrated, calibration=None)) is None
    bare = replace(calibrated, calibration=Calibration(nothing, nothing))
    assert reliability_plot(bare) is None
