from dataclasses import replace

import pytest

from structce.experiments.report.plots.scores import pair_plot


def test_pairs_whose_interval_excludes_zero_stand_out(study, read):
    drawn = read(pair_plot(study))
    value = drawn.value()
    assert [value(x) for x, _ in drawn.dots()][:2] == pytest.approx([3.42, 5.34], abs=0.01)
    hollow = [value(x) for x, _ in drawn.dots("var(--paper)")][:2]
    assert hollow == pytest.approx([0.26, 3.16], abs=0.01)


def test_the_line_of_comparison_stands_at_zero(study, read):
    drawn = read(pair_plot(study))
    upright = [line for line in drawn.lines("var(--soft)") if len({x for x, _ in line}) == 1]
    assert drawn.value()(upright[0][0][0]) == pytest.approx(0, abs=0.01)


def test_whiskers_reach_from_end_to_end_of_the_intervals(study, read):
    drawn = read(pair_plot(study))
    value = drawn.value()
    ends = [[value(x) for x, _ in line] for line in drawn.lines("var(--s1)")]
    assert ends == [pytest.approx([1.1, 5.5], abs=0.01), pytest.approx([3.1, 7.8], abs=0.01)]


def test_a_pair_without_an_interval_is_left_out(study):
    said = pair_plot(study).description
    assert "greedy-svm minus multiclass-svm" not in said
    assert "structured-svm minus greedy-svm: +3.4, interval +1.1 to +5.5, excludes zero" in said
    assert "linear-chain-crf minus greedy-svm: +3.2, interval -0.2 to +5.4, holds zero" in said


def test_without_intervals_there_is_nothing_to_draw(study, empty):
    assert pair_plot(empty) is None
    assert pair_plot(replace(study, pairs=study.pairs[-1:])) is None


def test_arms_that_agree_everywhere_do_not_look_far_apart(study, read):
    same = replace(study.pairs[0], macro_difference=0.0, macro_interval=(0.0, 0.0))
    drawn = read(pair_plot(replace(study, pairs=(same,))))
    value = drawn.value()
    assert value(drawn.dots("var(--paper)")[0][0]) == pytest.approx(0, abs=0.01)
    assert value(346) >= 1
