from dataclasses import replace

import pytest

from structce.evaluation.metrics import LabelScore, Measures
from structce.experiments.report.plots.scores import label_plot

NOWHERE = LabelScore("Date", Measures(0.0, 0.0, 0.0), 0, 0)


def without_date(arm):
    labels = tuple(NOWHERE if one.name == "Date" else one for one in arm.row.scores.labels)
    return replace(arm, row=replace(arm.row, scores=replace(arm.row.scores, labels=labels)))


def test_every_arm_has_a_dot_for_every_label_at_its_f1(study, read):
    drawn = read(label_plot(study))
    value = drawn.value()
    for number, arm in enumerate(study.arms, start=1):
        found = [value(x) for x, _ in drawn.dots(f"var(--s{number})")][:5]
        wanted = [100 * one.measures.f1 for one in arm.row.scores.labels]
        assert found == pytest.approx(wanted, abs=0.01)


def test_labels_name_their_tested_regions(study, read):
    assert "None (2,120)" in read(label_plot(study)).texts


def test_an_arm_has_no_dot_for_a_label_that_it_neither_meets_nor_says(study, read):
    first, *rest = study.arms
    drawn = read(label_plot(replace(study, arms=(without_date(first), *rest))))
    assert len(drawn.dots("var(--s1)")) == 4 + 1  # and the legend
    assert len(drawn.dots("var(--s2)")) == 5 + 1


def test_a_label_that_occurs_nowhere_has_no_row(study, read):
    figure = label_plot(replace(study, arms=tuple(without_date(arm) for arm in study.arms)))
    assert not [one for one in read(figure).texts if one.startswith("Date")]
    assert "Date" not in figure.description


def test_without_arms_there_is_nothing_to_draw(empty):
    assert label_plot(empty) is None


def test_the_description_goes_label_by_label(study):
    said = label_plot(study).description
    assert "Title, 42 regions: multiclass-svm 80.1 (95 per cent interval 76.1 to 82.1)" in said
