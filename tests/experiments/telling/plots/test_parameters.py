from dataclasses import replace

import numpy as np
import pytest

from structce.experiments.report.plots.training import parameter_curve, tuned_parameters
from structce.experiments.results import GridPoint, TrainingRecord


def tuned(study, *trials):
    """Return the study with one arm, chosen from these points on each split."""
    made = tuple(
        TrainingRecord(
            i, best, tuple(GridPoint(parameters, value, {}) for parameters, value in points), {}
        )
        for i, (best, points) in enumerate(trials)
    )
    arm = study.arms[0]
    return replace(study, arms=(replace(arm, row=replace(arm.row, trials=made)),))


def grid(values, name="lambda_"):
    return [({name: value}, 0.5 + i / 10) for i, value in enumerate(values)]


def test_only_numbers_of_which_several_were_tried_have_a_curve(study):
    assert tuned_parameters(study) == (
        ("multiclass-svm", "lambda_"),
        ("greedy-svm", "lambda_"),
        ("greedy-svm", "context"),
        ("structured-svm", "lambda_"),
    )


def test_a_value_has_the_mean_over_splits_of_its_best(study, read):
    one = [({"a": 1, "b": "x"}, 0.6), ({"a": 1, "b": "y"}, 0.8), ({"a": 2, "b": "x"}, 0.7)]
    two = [({"a": 1, "b": "x"}, 0.5), ({"a": 1, "b": "y"}, 0.4), ({"a": 2, "b": "x"}, 0.9)]
    given = tuned(study, (one[1][0], one), (two[2][0], two))
    figure = parameter_curve(given, "multiclass-svm", "a")
    assert "a 1: 65.0, chosen in 1 split; a 2: 80.0, chosen in 1 split" in figure.description
    drawn = read(figure)
    y = drawn.value("y")
    assert [y(one) for _, one in drawn.dots("var(--s1)")][:2] == pytest.approx([65, 80])
    assert tuned_parameters(given) == (("multiclass-svm", "a"),)


def test_rings_mark_what_was_chosen(study, read):
    texts = read(parameter_curve(study, "multiclass-svm", "lambda_")).texts
    said = [one for one in texts if one.endswith("of 3")]
    chosen = [trial.parameters["lambda_"] for trial in study.arms[0].row.trials]
    assert sorted(said) == sorted(f"{chosen.count(one)} of 3" for one in set(chosen))


def test_on_a_single_split_the_ring_says_chosen(study, read):
    given = tuned(study, ({"lambda_": 1.0}, grid([0.1, 1.0])))
    assert "chosen" in read(parameter_curve(given, "multiclass-svm", "lambda_")).texts


def test_values_that_span_much_stand_on_a_logarithmic_axis(study, read):
    given = tuned(study, ({"lambda_": 1.0}, grid([0.01, 0.1, 1.0])))
    x = [one for one, _ in read(parameter_curve(given, "multiclass-svm", "lambda_")).dots()]
    assert np.diff(x[:3]) == pytest.approx([x[1] - x[0]] * 2, abs=0.01)


def test_values_that_span_little_stand_on_a_linear_axis(study, read):
    drawn = read(parameter_curve(study, "greedy-svm", "context"))
    x = [one for one, _ in drawn.dots()][:4]
    assert np.diff(x) / (x[1] - x[0]) == pytest.approx([1, 3, 5], abs=0.01)
    assert drawn.value()(x[2]) == pytest.approx(5, abs=0.01)


def test_zero_has_a_place_beside_a_wide_span(study, read):
    given = tuned(study, ({"lambda_": 1.0}, grid([0, 0.001, 0.1, 1.0])))
    drawn = read(parameter_curve(given, "multiclass-svm", "lambda_"))
    x = [one for one, _ in drawn.dots()][:4]
    assert x == sorted(x)
    assert "0" in drawn.texts


def test_what_has_no_curve_is_not_drawn(study, empty):
    assert parameter_curve(study, "structured-svm", "averaged") is None
    assert parameter_curve(study, "linear-chain-crf", "lambda_") is None
    assert parameter_curve(study, "nobody", "lambda_") is None
    assert parameter_curve(study, "greedy-svm", "nothing") is None
    assert tuned_parameters(empty) == ()


def test_axes_name_the_measure_and_the_parameter_as_it_is_written(study, read):
    figure = parameter_curve(study, "multiclass-svm", "lambda_", "macro_f1_foreground")
    assert {"lambda", "validation macro F1 foreground in per cent"} <= set(read(figure).texts)
