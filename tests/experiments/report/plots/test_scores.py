"""Plots of scores, their intervals and their differences."""

from dataclasses import replace

import pytest

from structce.evaluation.metrics import LabelScore, Measures
from structce.experiments.report.plots.scores import (
    contrast_plot,
    interval_plot,
    label_plot,
    pair_plot,
)


def test_dots_stand_at_their_values(study, read, figures):
    drawn = read(figures["intervals"])
    value = drawn.value()
    scores = [candidate.row.scores for candidate in study.candidates]
    filled = [value(x) for x, _ in drawn.dots()][:4]
    hollow = [value(x) for x, _ in drawn.dots("var(--paper)")][:4]
    assert filled == pytest.approx([100 * score.macro_f1 for score in scores], abs=0.01)
    assert hollow == pytest.approx([100 * score.macro_f1_foreground for score in scores], abs=0.01)


def test_whiskers_reach_from_end_to_end_of_the_intervals(study, read, figures):
    drawn = read(figures["intervals"])
    value = drawn.value()
    ends = [[value(x) for x, _ in line] for line in drawn.lines("var(--s1)")]
    for candidate, whiskers in zip(study.candidates, ends[::2], strict=True):
        low, high = candidate.row.intervals["macro_f1"]
        assert whiskers == pytest.approx([100 * low, 100 * high], abs=0.01)


def test_candidates_stand_in_the_order_of_the_experiment(study, read, figures):
    drawn = read(figures["intervals"])
    names = [candidate.name for candidate in study.candidates]
    assert [text for text in drawn.texts if text in names] == names
    heights = [y for _, y in drawn.dots()[:4]]
    assert heights == sorted(heights)


def test_a_candidate_without_intervals_has_its_dots_alone(study, read):
    bare = tuple(
        replace(candidate, row=replace(candidate.row, intervals={}))
        for candidate in study.candidates
    )
    figure = interval_plot(replace(study, candidates=bare))
    assert not read(figure).lines("var(--s1)")
    assert len(read(figure).dots()) == 4 + 1  # and the legend
    assert "interval" not in figure.description


def test_without_candidates_there_is_nothing_to_draw(empty):
    assert interval_plot(empty) is None
    assert label_plot(empty) is None


def test_the_description_says_both_values_and_intervals(figures):
    said = figures["intervals"].description
    assert "structured-svm: 86.5 (95 per cent interval 82.5 to 88.5)" in said
    assert "without None 83.4" in said


NOWHERE = LabelScore("Date", Measures(0.0, 0.0, 0.0), 0, 0)


def without_date(candidate):
    labels = tuple(
        NOWHERE if label.name == "Date" else label for label in candidate.row.scores.labels
    )
    return replace(
        candidate, row=replace(candidate.row, scores=replace(candidate.row.scores, labels=labels))
    )


def test_every_candidate_has_a_dot_for_every_label_at_its_f1(study, read, figures):
    drawn = read(figures["labels"])
    value = drawn.value()
    for number, candidate in enumerate(study.candidates, start=1):
        drawn_f1 = [value(x) for x, _ in drawn.dots(f"var(--s{number})")][:5]
        wanted = [100 * label.measures.f1 for label in candidate.row.scores.labels]
        assert drawn_f1 == pytest.approx(wanted, abs=0.01)


def test_labels_name_their_tested_regions(read, figures):
    assert "None (2,120)" in read(figures["labels"]).texts


def test_a_candidate_has_no_dot_for_a_label_that_it_neither_meets_nor_says(study, read):
    first, *rest = study.candidates
    drawn = read(label_plot(replace(study, candidates=(without_date(first), *rest))))
    assert len(drawn.dots("var(--s1)")) == 4 + 1  # and the legend
    assert len(drawn.dots("var(--s2)")) == 5 + 1


def test_a_label_that_occurs_nowhere_has_no_row(study, read):
    figure = label_plot(
        replace(study, candidates=tuple(without_date(candidate) for candidate in study.candidates))
    )
    assert not [text for text in read(figure).texts if text.startswith("Date")]
    assert "Date" not in figure.description


def test_the_description_goes_label_by_label(figures):
    said = figures["labels"].description
    assert "Title, 42 regions: multiclass-svm 80.1 (95 per cent interval 76.1 to 82.1)" in said


def test_pairs_that_certainly_differ_stand_out(read, figures):
    drawn = read(figures["pairs"])
    value = drawn.value()
    assert [value(x) for x, _ in drawn.dots()][:2] == pytest.approx([3.42, 5.34], abs=0.01)
    hollow = [value(x) for x, _ in drawn.dots("var(--paper)")][:2]
    assert hollow == pytest.approx([0.26, 3.16], abs=0.01)


def test_an_interval_without_zero_is_not_enough_to_be_certain(study):
    unsure = tuple(replace(pair, p_holm=0.06) for pair in study.pairs)
    said = pair_plot(replace(study, pairs=unsure)).description
    assert "interval +1.1 to +5.5, may be chance" in said
    assert "certain" not in said


def test_the_line_of_comparison_stands_at_zero(read, figures):
    drawn = read(figures["pairs"])
    upright = [line for line in drawn.lines("var(--soft)") if len({x for x, _ in line}) == 1]
    assert drawn.value()(upright[0][0][0]) == pytest.approx(0, abs=0.01)


def test_whiskers_of_pairs_reach_from_end_to_end_of_their_intervals(read, figures):
    drawn = read(figures["pairs"])
    value = drawn.value()
    ends = [[value(x) for x, _ in line] for line in drawn.lines("var(--s1)")]
    assert ends == [pytest.approx([1.1, 5.5], abs=0.01), pytest.approx([3.1, 7.8], abs=0.01)]


def test_a_pair_without_an_interval_is_left_out(figures):
    said = figures["pairs"].description
    assert "greedy-svm minus multiclass-svm" not in said
    assert "structured-svm minus greedy-svm: +3.4, interval +1.1 to +5.5, certain" in said
    assert "linear-chain-crf minus greedy-svm: +3.2, interval -0.2 to +5.4, may be chance" in said


def test_without_intervals_there_is_nothing_to_draw(study, empty):
    assert pair_plot(empty) is None
    assert pair_plot(replace(study, pairs=study.pairs[-1:])) is None


def test_candidates_that_agree_everywhere_do_not_look_far_apart(study, read):
    same = replace(study.pairs[0], macro_difference=0.0, macro_interval=(0.0, 0.0))
    drawn = read(pair_plot(replace(study, pairs=(same,))))
    value = drawn.value()
    assert value(drawn.dots("var(--paper)")[0][0]) == pytest.approx(0, abs=0.01)
    assert value(346) >= 1


def test_a_line_joins_the_first_and_the_second_value_of_every_candidate(contrasts, read, figures):
    drawn = read(figures["contrast"])
    value = drawn.value()
    level = [line for line in drawn.lines("var(--s1)") if len({y for _, y in line}) == 1]
    ends = [[value(x) for x, _ in line] for line in level]
    assert ends == [
        pytest.approx([100 * value for value in contrast.values], abs=0.01)
        for contrast in contrasts
    ]


def test_the_first_study_is_hollow(contrasts, read, figures):
    drawn = read(figures["contrast"])
    value = drawn.value()
    hollow = [value(x) for x, _ in drawn.dots("var(--paper)")][:4]
    assert hollow == pytest.approx([100 * contrast.values[0] for contrast in contrasts], abs=0.01)
    assert {"news by page", "news by site"} <= set(drawn.texts)


def test_every_two_studies_have_a_panel_of_their_own(contrasts, read):
    others = tuple(replace(contrast, what="renderer", first="static") for contrast in contrasts)
    figure = contrast_plot((*contrasts, *others))
    texts = read(figure).texts
    assert "first news by page, second news by site" in texts
    assert "first static, second news by site" in texts
    assert texts.count("greedy-svm") == 2
    assert figure.title.endswith("differ in the split or the renderer")


def test_the_description_says_values_and_difference(figures):
    said = figures["contrast"].description
    assert "multiclass-svm: 90.0 in news by page, 80.0 in news by site, -10.0 points" in said


def test_without_contrasts_there_is_nothing_to_draw():
    assert contrast_plot(()) is None
