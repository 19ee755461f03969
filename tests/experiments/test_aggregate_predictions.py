"""Predictions of an experiment: one row a region, which add up to the scores of the report."""

import csv
import io
from collections import Counter
from dataclasses import replace

import pytest

from structce.corpus import Corpus
from structce.experiments.config import Candidate
from structce.experiments.runner import run
from structce.learners.multiclass_svm import MulticlassSVM


def rows_of(result):
    (text,) = result.tables.values()
    return list(csv.DictReader(io.StringIO(text), dialect="excel-tab"))


@pytest.fixture(scope="module")
def result(experiment, corpus, learners):
    return run(experiment, corpus, learners=learners, progress=False)


def test_every_region_of_a_test_page_has_a_row(result):
    (study,) = result.report.studies
    rows = rows_of(result)
    assert sorted({row["page"] for row in rows}) == list(study.splits[0].test.pages)
    assert Counter(row["gold"] for row in rows) == Counter(
        {name: n for name, n in study.n_test.items() if n}
    )
    assert {row["site"] for row in rows} == set(study.splits[0].test.sites)
    first = [row["region"] for row in rows if row["page"] == rows[0]["page"]]
    assert first == [str(place) for place in range(len(first))]


def test_rows_add_up_to_the_scores_of_the_report(result):
    (study,) = result.report.studies
    rows = rows_of(result)
    for candidate in study.candidates:
        right = sum(row["gold"] == row[candidate.name] for row in rows)
        assert right / len(rows) == pytest.approx(candidate.row.scores.accuracy)


def test_a_learner_without_confidences_has_empty_cells(experiment, corpus, learners):
    few = {"lambda_": (1.0,), "max_epochs": (2,), "tol": (0.5,)}
    candidates = (Candidate("multiclass-svm", few), Candidate("background"))
    known = {**learners, "multiclass-svm": MulticlassSVM}
    rows = rows_of(
        run(replace(experiment, candidates=candidates), corpus, learners=known, progress=False)
    )
    assert {row["background confidence"] for row in rows} == {""}
    assert all(0 < float(row["multiclass-svm confidence"]) <= 1 for row in rows)


def test_what_failed_is_empty_and_the_others_are_there(experiment, corpus, learners):
    class Broken(learners["background"]):
        def predict(self, X):
            raise ArithmeticError("no")

    candidates = tuple(Candidate(name) for name in ("broken", "background"))
    result = run(
        replace(experiment, candidates=candidates),
        corpus,
        learners={**learners, "broken": Broken},
        progress=False,
    )
    rows = rows_of(result)
    assert {row["broken"] for row in rows} == {""}
    assert all(row["background"] for row in rows)


def test_a_name_with_a_tabulator_does_not_move_the_columns(experiment, corpus, learners):
    name = 'a\t"b"'
    candidates = (Candidate("background", name=name),)
    result = run(
        replace(experiment, candidates=candidates), corpus, learners=learners, progress=False
    )
    rows = rows_of(result)
    assert all(row[name] == "None" for row in rows)
    assert None not in rows[0]


def test_an_unknown_gold_label_is_an_empty_cell(experiment, corpus, learners):
    def forgetful(page):
        return replace(page, labels=("?", *page.labels[1:]))

    unsure = Corpus("unsure", tuple(map(forgetful, corpus)), corpus.label_set)
    rows = rows_of(run(experiment, unsure, learners=learners, progress=False))
    assert {row["gold"] for row in rows if row["region"] == "0"} == {""}
    assert all(row["gold"] for row in rows if row["region"] != "0")
