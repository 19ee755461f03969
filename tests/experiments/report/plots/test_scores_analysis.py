"""Plots of ablations and of reliability."""

import re
from dataclasses import replace

import pytest

from structce.experiments.report.plots.scores import ablation_plot, reliability_plot
from structce.experiments.results import Calibration, Reliability

NAME = "structured-svm"


def bars(drawn):
    """List the left and right edge of each bar, in per cent."""
    value = drawn.value()
    lengths = []
    for path in drawn.all("path"):
        corners = re.findall(r"[ML] (\S+) \S+", path.get("d"))
        if len(corners) == 4 and "fill: var(" in path.get("style", ""):
            lengths.append((value(float(min(corners, key=float))), value(float(corners[1]))))
    return lengths


def test_bars_begin_at_zero_and_end_at_macro_f1(study, read, figures):
    drawn_bars = bars(read(figures["ablation"]))
    values = [study.candidate(NAME).row.scores.macro_f1]
    values += [ablation.row.scores.macro_f1 for ablation in study.ablations]
    assert [left for left, _ in drawn_bars] == pytest.approx([0] * 7, abs=0.01)
    assert [right for _, right in drawn_bars] == pytest.approx(
        [100 * value for value in values], abs=0.01
    )


def test_a_line_stands_at_all_features(study, read, figures):
    drawn = read(figures["ablation"])
    ((start, end),) = drawn.lines("var(--ink)")
    assert start[0] == end[0]
    full = 100 * study.candidate(NAME).row.scores.macro_f1
    assert drawn.value()(start[0]) == pytest.approx(full, abs=0.01)


def test_a_part_that_failed_has_no_bar(study, read):
    figure = ablation_plot(replace(study, ablations=study.ablations[1:]), NAME)
    assert "without text" not in read(figure).texts
    assert len(bars(read(figure))) == 6


def test_every_bar_has_its_number_in_words(figures):
    said = figures["ablation"].description
    assert said.startswith("In per cent: all features 86.5, without text 60.6, only text 73.5, ")


def test_a_candidate_without_parts_has_no_plot(study, empty):
    assert ablation_plot(study, "greedy-svm") is None
    assert ablation_plot(replace(study, candidates=study.candidates[:1]), NAME) is None
    assert ablation_plot(empty, NAME) is None


def test_points_stand_at_mean_confidence_and_share_of_right_labels(calibrated, read, figures):
    drawn = read(figures["reliability"])
    x, y = drawn.value("x"), drawn.value("y")
    bins = calibrated.calibration.after.bins
    places = drawn.dots("var(--s1)")[: len(bins)]
    assert [x(dot_x) for dot_x, _ in places] == pytest.approx([100 * b.confidence for b in bins])
    assert [y(dot_y) for _, dot_y in places] == pytest.approx([100 * b.accuracy for b in bins])
    before = drawn.dots("var(--paper)")[: len(bins)]
    wrong = [100 * b.accuracy for b in calibrated.calibration.before.bins]
    assert [y(dot_y) for _, dot_y in before] == pytest.approx(wrong)


def test_the_diagonal_is_where_confidence_is_right(read, figures):
    drawn = read(figures["reliability"])
    x, y = drawn.value("x"), drawn.value("y")
    ends = [[(x(a), y(b)) for a, b in line] for line in drawn.lines("var(--soft)")]
    assert [pytest.approx((0, 0), abs=0.01), pytest.approx((100, 100), abs=0.01)] in ends


def test_bars_below_count_regions(read, figures):
    assert {"14", "40", "95", "180", "320", "12k"} <= set(read(figures["reliability"]).texts)


def test_the_description_says_every_bin_before_and_after(figures):
    said = figures["reliability"].description
    assert "Before calibration: calibration error 0.081; 14 regions of mean confidence 0.35" in said
    assert "11,800 regions of mean confidence 0.95, 0.97 of them right." in said


def test_a_learner_without_confidence_has_no_diagram(calibrated):
    nothing = Reliability(0.0, 0.0, ())
    assert reliability_plot(replace(calibrated, calibration=None)) is None
    bare = replace(calibrated, calibration=Calibration(nothing, nothing))
    assert reliability_plot(bare) is None
