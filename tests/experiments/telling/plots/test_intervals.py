from dataclasses import replace

import pytest

from structce.experiments.report.plots.scores import interval_plot


def test_dots_stand_at_their_values(study, read):
    drawn = read(interval_plot(study))
    value = drawn.value()
    scores = [arm.row.scores for arm in study.arms]
    filled = [value(x) for x, _ in drawn.dots()][:4]
    hollow = [value(x) for x, _ in drawn.dots("var(--paper)")][:4]
    assert filled == pytest.approx([100 * one.macro_f1 for one in scores], abs=0.01)
    assert hollow == pytest.approx([100 * one.macro_f1_foreground for one in scores], abs=0.01)


def test_whiskers_reach_from_end_to_end_of_the_intervals(study, read):
    drawn = read(interval_plot(study))
    value = drawn.value()
    ends = [[value(x) for x, _ in line] for line in drawn.lines("var(--s1)")]
    for arm, found in zip(study.arms, ends[::2], strict=True):
        low, high = arm.row.intervals["macro_f1"]
        assert found == pytest.approx([100 * low, 100 * high], abs=0.01)


def test_arms_stand_in_the_order_of_the_experiment(study, read):
    drawn = read(interval_plot(study))
    names = [arm.name for arm in study.arms]
    assert [one for one in drawn.texts if one in names] == names
    heights = [y for _, y in drawn.dots()[:4]]
    assert heights == sorted(heights)


def test_an_arm_without_intervals_has_its_dots_alone(study, read):
    bare = tuple(replace(arm, row=replace(arm.row, intervals={})) for arm in study.arms)
    figure = interval_plot(replace(study, arms=bare))
    assert not read(figure).lines("var(--s1)")
    assert len(read(figure).dots()) == 4 + 1  # and the legend
    assert "interval" not in figure.description


def test_without_arms_there_is_nothing_to_draw(empty):
    assert interval_plot(empty) is None


def test_the_description_says_both_values_and_intervals(study):
    said = interval_plot(study).description
    assert "structured-svm: 86.5 (95 per cent interval 82.5 to 88.5)" in said
    assert "without None 83.4" in said
