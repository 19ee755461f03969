from dataclasses import replace

import pytest

from structce.experiments.report.plots.scores import contrast_plot


def test_a_line_joins_the_first_and_the_second_value_of_every_arm(contrasts, read):
    drawn = read(contrast_plot(contrasts))
    value = drawn.value()
    level = [line for line in drawn.lines("var(--s1)") if len({y for _, y in line}) == 1]
    found = [[value(x) for x, _ in line] for line in level]
    assert found == [
        pytest.approx([100 * value for value in one.values], abs=0.01) for one in contrasts
    ]


def test_the_first_study_is_hollow(contrasts, read):
    drawn = read(contrast_plot(contrasts))
    value = drawn.value()
    hollow = [value(x) for x, _ in drawn.dots("var(--paper)")][:4]
    assert hollow == pytest.approx([100 * one.values[0] for one in contrasts], abs=0.01)
    assert {"news by page", "news by site"} <= set(drawn.texts)


def test_every_two_studies_have_a_panel_of_their_own(contrasts, read):
    others = tuple(replace(one, what="renderer", first="static") for one in contrasts)
    figure = contrast_plot((*contrasts, *others))
    texts = read(figure).texts
    assert "first news by page, second news by site" in texts
    assert "first static, second news by site" in texts
    assert texts.count("greedy-svm") == 2
    assert figure.title.endswith("differ in the split or the renderer")


def test_the_description_says_values_and_difference(contrasts):
    said = contrast_plot(contrasts).description
    assert "multiclass-svm: 90.0 in news by page, 80.0 in news by site, -10.0 points" in said


def test_without_contrasts_there_is_nothing_to_draw():
    assert contrast_plot(()) is None
