"""Plots of gaps, costs, learning curves and hyper-parameters."""

import itertools
from dataclasses import replace
from math import log10

import numpy as np
import pytest

from structce.experiments.report.plots.training import (
    convergence_plot,
    cost_plot,
    learning_plot,
    parameter_plot,
    tuned_parameters,
)
from structce.experiments.results import Epoch, GridPoint, LearningPoint, TrainingRecord


def with_steps(study, *steps):
    candidate = study.candidates[0]
    trial = replace(candidate.row.trials[0], steps=steps)
    return replace(
        study, candidates=(replace(candidate, row=replace(candidate.row, trials=(trial,))),)
    )


def test_gaps_stand_on_a_logarithmic_axis_over_epochs(study, read):
    given = with_steps(study, *(Epoch(i, 1.0, 10.0**-i) for i in range(1, 6)))
    drawn = read(convergence_plot(given))
    x, y = drawn.value("x"), drawn.value("y", log10)
    places = drawn.dots("var(--s1)")[:5]
    assert [x(dot_x) for dot_x, _ in places] == pytest.approx([1, 2, 3, 4, 5], abs=0.01)
    assert [y(dot_y) for _, dot_y in places] == pytest.approx([-1, -2, -3, -4, -5], abs=0.01)


def test_a_candidate_without_gap_is_left_out(read, figures):
    figure = figures["convergence"]
    assert "greedy-svm" not in read(figure).texts
    assert "greedy-svm" not in figure.description
    assert not read(figure).dots("var(--s2)")


def test_gaps_and_gradients_stand_on_axes_of_their_own(study, read):
    steps = tuple(Epoch(i, 1.0, 10.0**-i) for i in range(1, 4))
    first, second = study.candidates[:2]
    trials = [
        replace(candidate.row.trials[0], steps=steps, stop=stop)
        for candidate, stop in ((first, {"gap": 0.001}), (second, {"gradient_norm": 0.001}))
    ]
    candidates = tuple(
        replace(candidate, row=replace(candidate.row, trials=(trial,)))
        for candidate, trial in zip((first, second), trials, strict=True)
    )
    figure = convergence_plot(replace(study, candidates=candidates))
    texts = read(figure).texts
    assert "gap to the optimum (log scale)" in texts
    assert "norm of the gradient (log scale)" in texts
    assert texts.count("epoch") == 2
    alone = read(convergence_plot(replace(study, candidates=candidates[:1]))).texts
    assert "norm of the gradient (log scale)" not in alone


def test_gaps_of_zero_have_no_place(study):
    steps = (Epoch(1, 1.0, 0.5), Epoch(2, 1.0, 0.05), Epoch(3, 1.0, 0.0))
    said = convergence_plot(with_steps(study, *steps)).description
    assert "multiclass-svm: 0.5 after epoch 1, 0.05 after epoch 2." in said


def test_fewer_than_two_gaps_are_nothing_to_draw(study, empty):
    assert convergence_plot(empty) is None
    assert convergence_plot(with_steps(study)) is None
    assert convergence_plot(with_steps(study, Epoch(1, 1.0, 0.5), Epoch(2, 1.0, None))) is None


def test_points_stand_at_training_time_and_macro_f1(study, read, figures):
    drawn = read(figures["costs"])
    x, y = drawn.value("x", log10), drawn.value("y")
    wanted = (3.1, 7.4, 49.0, 62.0)  # a mean over three splits is one second more than the first
    for number, (candidate, seconds) in enumerate(
        zip(study.candidates, wanted, strict=True), start=1
    ):
        ((left, up),) = drawn.dots(f"var(--s{number})")
        assert x(left) == pytest.approx(log10(seconds), abs=0.01)
        assert y(up) == pytest.approx(100 * candidate.row.scores.macro_f1, abs=0.01)


def test_tuning_parts_and_other_studies_do_not_count(figures):
    said = figures["costs"].description
    assert "structured-svm: 62 seconds, 86.5" in said


def test_names_stand_beside_their_points_and_not_over_each_other(study, read, figures):
    drawn = read(figures["costs"])
    names = {candidate.name for candidate in study.candidates}
    heights = sorted(float(text.get("y")) for text in drawn.all("text") if text.text in names)
    assert len(heights) == 4
    assert min(b - a for a, b in itertools.pairwise(heights)) >= 9.5


def test_many_candidates_have_a_legend_instead_of_names(report, study, read):
    again = tuple(
        replace(candidate, name=f"{candidate.name}, again") for candidate in study.candidates
    )
    costs = tuple(replace(cost, candidate=f"{cost.candidate}, again") for cost in report.costs)
    given = replace(study, candidates=study.candidates + again)
    figure = cost_plot(replace(report, costs=report.costs + costs), given)
    assert len(read(figure).dots()) == 2 * 8


def test_fewer_than_two_times_are_nothing_to_draw(report, study, empty):
    assert cost_plot(replace(report, costs=()), study) is None
    assert cost_plot(replace(report, costs=report.costs[:3]), study) is None
    assert cost_plot(report, empty) is None


def test_the_last_point_is_the_candidate_on_all_its_training_pages(study, read, figures):
    drawn = read(figures["learning"])
    x, y = drawn.value("x"), drawn.value("y")
    places = drawn.dots("var(--s4)")[:4]
    assert [x(dot_x) for dot_x, _ in places] == pytest.approx([13, 32.5, 65, 130], abs=2)
    full = study.candidate("structured-svm").row.scores.macro_f1
    assert [y(dot_y) for _, dot_y in places] == pytest.approx(
        [100 * full * less for less in (0.7, 0.82, 0.93, 1)], abs=0.01
    )


def test_a_candidate_keeps_the_look_it_has_in_other_plots(read, figures):
    drawn = read(figures["learning"])
    assert drawn.dots("var(--s1)")
    assert drawn.dots("var(--s4)")
    assert not drawn.dots("var(--s2)")


def test_whiskers_are_the_intervals(study, read, figures):
    drawn = read(figures["learning"])
    y = drawn.value("y")
    ends = sorted(y(end) for line in drawn.lines("var(--s1)") if len(line) == 2 for _, end in line)
    row = study.learning[0].row
    low, high = row.intervals["macro_f1"]
    assert ends[:2] == pytest.approx([100 * low, 100 * high], abs=0.01)


def test_a_share_of_one_is_not_drawn_twice(study, figures):
    whole = LearningPoint("structured-svm", 1.0, 130.0, study.candidate("structured-svm").row)
    figure = learning_plot(replace(study, learning=(*study.learning, whole)))
    assert figure.description == figures["learning"].description


def test_one_point_is_no_curve(study, empty):
    assert learning_plot(empty) is None
    lonely = replace(study, learning=study.learning[:1], candidates=())
    assert learning_plot(lonely) is None


def test_a_candidate_that_failed_on_all_pages_keeps_its_other_points(study):
    figure = learning_plot(replace(study, candidates=study.candidates[:1]))
    assert "structured-svm: 60.6" in figure.description
    assert "with 65 pages, " not in figure.description.split("structured-svm")[1]


def test_the_description_says_pages_and_values(figures):
    said = figures["learning"].description
    assert "structured-svm: 60.6 (95 per cent interval 56.6 to 62.6) with 13 pages" in said
    assert said.endswith("with 130 pages.")


def tuned(study, *trials):
    """Return the study with one candidate, chosen from these points on each split."""
    made = tuple(
        TrainingRecord(
            i, best, tuple(GridPoint(parameters, value, {}) for parameters, value in points), {}
        )
        for i, (best, points) in enumerate(trials)
    )
    candidate = study.candidates[0]
    return replace(study, candidates=(replace(candidate, row=replace(candidate.row, trials=made)),))


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
    first = [({"a": 1, "b": "x"}, 0.6), ({"a": 1, "b": "y"}, 0.8), ({"a": 2, "b": "x"}, 0.7)]
    second = [({"a": 1, "b": "x"}, 0.5), ({"a": 1, "b": "y"}, 0.4), ({"a": 2, "b": "x"}, 0.9)]
    given = tuned(study, (first[1][0], first), (second[2][0], second))
    figure = parameter_plot(given, "multiclass-svm", "a")
    assert "a 1: 65.0, chosen in 1 split; a 2: 80.0, chosen in 1 split" in figure.description
    drawn = read(figure)
    y = drawn.value("y")
    assert [y(dot_y) for _, dot_y in drawn.dots("var(--s1)")][:2] == pytest.approx([65, 80])
    assert tuned_parameters(given) == (("multiclass-svm", "a"),)


def test_rings_mark_what_was_chosen(study, read):
    texts = read(parameter_plot(study, "multiclass-svm", "lambda_")).texts
    said = [text for text in texts if text.endswith("of 3")]
    chosen = [trial.parameters["lambda_"] for trial in study.candidates[0].row.trials]
    assert sorted(said) == sorted(f"{chosen.count(value)} of 3" for value in set(chosen))


def test_on_a_single_split_the_ring_says_chosen(study, read):
    given = tuned(study, ({"lambda_": 1.0}, grid([0.1, 1.0])))
    assert "chosen" in read(parameter_plot(given, "multiclass-svm", "lambda_")).texts


def test_values_that_span_much_stand_on_a_logarithmic_axis(study, read):
    given = tuned(study, ({"lambda_": 1.0}, grid([0.01, 0.1, 1.0])))
    x = [dot_x for dot_x, _ in read(parameter_plot(given, "multiclass-svm", "lambda_")).dots()]
    assert np.diff(x[:3]) == pytest.approx([x[1] - x[0]] * 2, abs=0.01)


def test_values_that_span_little_stand_on_a_linear_axis(read, figures):
    drawn = read(figures["parameter"])
    x = [dot_x for dot_x, _ in drawn.dots()][:4]
    assert np.diff(x) / (x[1] - x[0]) == pytest.approx([1, 3, 5], abs=0.01)
    assert drawn.value()(x[2]) == pytest.approx(5, abs=0.01)


def test_zero_has_a_place_beside_a_wide_span(study, read):
    given = tuned(study, ({"lambda_": 1.0}, grid([0, 0.001, 0.1, 1.0])))
    drawn = read(parameter_plot(given, "multiclass-svm", "lambda_"))
    x = [dot_x for dot_x, _ in drawn.dots()][:4]
    assert x == sorted(x)
    assert "0" in drawn.texts


def test_what_has_no_curve_is_not_drawn(study, empty):
    assert parameter_plot(study, "structured-svm", "averaged") is None
    assert parameter_plot(study, "linear-chain-crf", "lambda_") is None
    assert parameter_plot(study, "nobody", "lambda_") is None
    assert parameter_plot(study, "greedy-svm", "nothing") is None
    assert tuned_parameters(empty) == ()


def test_axes_name_the_measure_and_the_parameter_as_it_is_written(study, read):
    figure = parameter_plot(study, "multiclass-svm", "lambda_", "macro_f1_foreground")
    assert {"lambda", "validation macro F1 foreground in per cent"} <= set(read(figure).texts)
