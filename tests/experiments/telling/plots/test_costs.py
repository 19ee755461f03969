import itertools
from dataclasses import replace
from math import log10

import pytest

from structce.experiments.report.plots.training import cost_plot


def test_points_stand_at_training_time_and_macro_f1(report, study, read):
    drawn = read(cost_plot(report, study))
    x, y = drawn.value("x", log10), drawn.value("y")
    wanted = (3.1, 7.4, 49.0, 62.0)  # a mean over three splits is one second more than the first
    for number, (arm, seconds) in enumerate(zip(study.arms, wanted, strict=True), start=1):
        ((left, up),) = drawn.dots(f"var(--s{number})")
        assert x(left) == pytest.approx(log10(seconds), abs=0.01)
        assert y(up) == pytest.approx(100 * arm.row.scores.macro_f1, abs=0.01)


def test_tuning_parts_and_other_studies_do_not_count(report, study):
    said = cost_plot(report, study).description
    assert "structured-svm: 62 seconds, 86.5" in said


def test_names_stand_beside_their_points_and_not_over_each_other(report, study, read):
    drawn = read(cost_plot(report, study))
    names = {arm.name for arm in study.arms}
    heights = sorted(float(one.get("y")) for one in drawn.all("text") if one.text in names)
    assert len(heights) == 4
    assert min(b - a for a, b in itertools.pairwise(heights)) >= 9.5


def test_many_arms_have_a_legend_instead_of_names(report, study, read):
    again = tuple(replace(arm, name=f"{arm.name}, again") for arm in study.arms)
    costs = tuple(replace(cost, arm=f"{cost.arm}, again") for cost in report.costs)
    given = replace(study, arms=study.arms + again)
    figure = cost_plot(replace(report, costs=report.costs + costs), given)
    assert len(read(figure).dots()) == 2 * 8


def test_fewer_than_two_times_are_nothing_to_draw(report, study, empty):
    assert cost_plot(replace(report, costs=()), study) is None
    assert cost_plot(replace(report, costs=report.costs[:3]), study) is None
    assert cost_plot(report, empty) is None
