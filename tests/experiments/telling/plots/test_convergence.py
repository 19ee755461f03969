from dataclasses import replace
from math import log10

import pytest

from structce.experiments.report.plots.training import convergence
from structce.experiments.results import Epoch


def with_steps(study, *steps):
    arm = study.arms[0]
    trial = replace(arm.row.trials[0], steps=steps)
    return replace(study, arms=(replace(arm, row=replace(arm.row, trials=(trial,))),))


def test_gaps_stand_on_a_logarithmic_axis_over_epochs(study, read):
    given = with_steps(study, *(Epoch(i, 1.0, 10.0**-i) for i in range(1, 6)))
    drawn = read(convergence(given))
    x, y = drawn.value("x"), drawn.value("y", log10)
    places = drawn.dots("var(--s1)")[:5]
    assert [x(one) for one, _ in places] == pytest.approx([1, 2, 3, 4, 5], abs=0.01)
    assert [y(one) for _, one in places] == pytest.approx([-1, -2, -3, -4, -5], abs=0.01)


def test_an_arm_without_gap_is_left_out(study, read):
    figure = convergence(study)
    assert "greedy-svm" not in read(figure).texts
    assert "greedy-svm" not in figure.description
    assert not read(figure).dots("var(--s2)")


def test_gaps_of_zero_have_no_place(study):
    steps = (Epoch(1, 1.0, 0.5), Epoch(2, 1.0, 0.05), Epoch(3, 1.0, 0.0))
    said = convergence(with_steps(study, *steps)).description
    assert "multiclass-svm: 0.5 after epoch 1, 0.05 after epoch 2." in said


def test_fewer_than_two_gaps_are_nothing_to_draw(study, empty):
    assert convergence(empty) is None
    assert convergence(with_steps(study)) is None
    assert convergence(with_steps(study, Epoch(1, 1.0, 0.5), Epoch(2, 1.0, None))) is None
