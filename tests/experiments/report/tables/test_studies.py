"""The tables over several studies."""

from dataclasses import replace

import pytest

from structce.experiments.report.tables.studies import contrast_table, ranking_table, study_table


def test_every_learner_has_a_row_and_every_study_a_column(report):
    first, second = report.studies
    table = study_table(
        replace(report, studies=(first, replace(second, candidates=second.candidates[1:])))
    )
    assert table.headers == ("Learner", "harbour news by site", "harbour news by page")
    assert [row[0] for row in table.rows] == ["greedy-svm", "linear-chain-crf", "structured-svm"]
    assert table.rows[0][1:] == ("59.17", "–")
    assert table.rows[2][1] == "89.89"


def test_a_contrast_is_the_second_minus_the_first(report):
    contrast = report.contrasts[2]
    pair = replace(contrast.pair, difference=-0.02, interval=(-0.05, 0.01), p=0.2)
    table = contrast_table(
        replace(report, contrasts=(replace(contrast, values=(0.7, 0.8), pair=pair),))
    )
    assert table.rows == (
        (
            "structured-svm", "split", "harbour news by site", "harbour news by page", "70.00",
            "80.00", "+10.00", "+2.00 [-1.00, +5.00], p = 0.200",
        ),
    )  # fmt: skip
    other = contrast_table(replace(report, contrasts=(replace(contrast, pair=None),)))
    assert other.rows[0][-1] == "–"
    assert contrast_table(replace(report, contrasts=())).rows == ()


def test_ranks_begin_with_the_best(report):
    table = ranking_table(report.rankings[0])
    assert table.rows[0] == ("structured-svm", "1.33", "–", "0.120", "0.120")
    assert [row[0] for row in table.rows] == ["structured-svm", "linear-chain-crf", "greedy-svm"]
    assert table.title == "Mean ranks over 3 studies by macro F1; 1 is best"
    assert "p = 0.097" in table.notes[1]
    assert "1.91 or more apart" in table.notes[2]


@pytest.mark.parametrize("n", [1, 2])
def test_ranks_that_cannot_be_tested_say_so(report, n):
    ranking = replace(
        report.rankings[0], p_friedman=None, p_pairs={}, critical_difference=None,
        studies=report.rankings[0].studies[:n],
    )  # fmt: skip
    table = ranking_table(ranking)
    assert table.headers == ("Learner", "Mean rank")
    assert table.notes[-1].startswith("Too few learners or studies")
