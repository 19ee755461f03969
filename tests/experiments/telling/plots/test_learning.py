from dataclasses import replace

import pytest

from structce.experiments.report.plots.training import learning_curve
from structce.experiments.results import LearningPoint


def test_the_last_point_is_the_arm_on_all_its_training_pages(study, read):
    drawn = read(learning_curve(study))
    x, y = drawn.value("x"), drawn.value("y")
    places = drawn.dots("var(--s4)")[:4]
    assert [x(one) for one, _ in places] == pytest.approx([13, 32.5, 65, 130], abs=2)
    full = study.arm("structured-svm").row.scores.macro_f1
    assert [y(one) for _, one in places] == pytest.approx(
        [100 * full * less for less in (0.7, 0.82, 0.93, 1)], abs=0.01
    )


def test_an_arm_keeps_the_look_it_has_in_other_plots(study, read):
    drawn = read(learning_curve(study))
    assert drawn.dots("var(--s1)")
    assert drawn.dots("var(--s4)")
    assert not drawn.dots("var(--s2)")


def test_whiskers_are_the_intervals(study, read):
    drawn = read(learning_curve(study))
    y = drawn.value("y")
    found = sorted(y(one) for line in drawn.lines("var(--s1)") if len(line) == 2 for _, one in line)
    row = study.learning[0].row
    low, high = row.intervals["macro_f1"]
    assert found[:2] == pytest.approx([100 * low, 100 * high], abs=0.01)


def test_a_share_of_one_is_not_drawn_twice(study):
    whole = LearningPoint("structured-svm", 1.0, 130.0, study.arm("structured-svm").row)
    figure = learning_curve(replace(study, learning=(*study.learning, whole)))
    assert figure.description == learning_curve(study).description


def test_one_point_is_no_curve(study, empty):
    assert learning_curve(empty) is None
    lonely = replace(study, learning=study.learning[:1], arms=())
    assert learning_curve(lonely) is None


def test_an_arm_that_failed_on_all_pages_keeps_its_other_points(study):
    figure = learning_curve(replace(study, arms=study.arms[:1]))
    assert "structured-svm: 60.6" in figure.description
    assert "with 65 pages, " not in figure.description.split("structured-svm")[1]


def test_the_description_says_pages_and_values(study):
    said = learning_curve(study).description
    assert "structured-svm: 60.6 (95 per cent interval 56.6 to 62.6) with 13 pages" in said
    assert said.endswith("with 130 pages.")
