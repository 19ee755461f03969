"""An ablation: the same learner without a family of features and with it alone."""

import json
from dataclasses import replace

import numpy as np
import pytest
from lxml import html

from structce.experiments import (
    Failure,
    Grid,
    LearnerResult,
    run,
    runner,
    summary,
    to_json,
)
from structce.experiments.html import render_html
from structce.files import to_json as json_bytes

PARTS = ["without text", "without dom", "only text", "only dom"]


def n_columns(result):
    return {str(one.variant): one.n_columns for one in result.ablations["centroids"]}


def test_each_learner_has_a_row_without_and_with_each_family(result):
    assert list(result.ablations) == ["centroids", "background"]
    for ablations in result.ablations.values():
        assert [str(one.variant) for one in ablations] == PARTS
        assert all(isinstance(one.row, LearnerResult) for one in ablations)


def test_a_family_alone_scores_as_in_an_experiment_of_its_own(result, experiment, corpus, learners):
    # Two families: leaving one out leaves the other alone.
    for family, parts in (("text", (1, 2)), ("dom", (0, 3))):
        chosen = replace(
            experiment,
            families=(family,),
            learners=(Grid("centroids", {"lambda_": (1.0,)}),),
        )
        alone = run(chosen, corpus, learners=learners, progress=False)
        for i in parts:
            one = result.ablations["centroids"][i]
            assert one.n_columns == (alone.splits[0].n_columns,)
            assert np.array_equal(one.row.confusion, alone.succeeded[0].confusion)
            assert one.row.page_accuracy == alone.succeeded[0].page_accuracy


def test_nothing_is_tuned_again(result):
    (full,) = result.succeeded[0].trials
    assert len(full.points) == 2
    for one in result.ablations["centroids"]:
        (trial,) = one.row.trials
        assert trial.parameters == full.parameters == {"lambda_": 1.0}
        assert trial.points == ()
        assert trial.confidence is None
        assert set(trial.seconds) == {"training", "prediction"}


def test_every_part_is_fitted_once_on_training_and_validation_pages(ablated, corpus, learners):
    seen = []

    class Spy(learners["centroids"]):
        def fit(self, X, y, *, n_labels):
            seen.append((len(X), X[0].shape[1], self.lambda_))
            return super().fit(X, y, n_labels=n_labels)

    chosen = replace(ablated, learners=(Grid("centroids", {"lambda_": (0.0, 1.0)}),))
    found = run(chosen, corpus, learners={"centroids": Spy}, progress=False)
    (split,) = found.splits
    n_train, n_validation = len(split.train.pages), len(split.validation.pages)
    full = split.n_columns
    counts = n_columns(found)
    assert seen == [
        (n_train, full, 0.0),
        (n_train, full, 1.0),
        (n_train + n_validation, full, 1.0),
        *((n_train + n_validation, counts[part][0], 1.0) for part in PARTS),
    ]
    # Both have the bias.
    assert counts["only text"][0] + counts["without text"][0] == full + 1


def test_a_page_is_described_once(ablated, corpus, learners, monkeypatch):
    calls = []

    def encode(*arguments):
        calls.append(arguments)
        return real(*arguments)

    real = runner.encode
    monkeypatch.setattr(runner, "encode", encode)
    run(replace(ablated, folds=3), corpus, learners=learners, progress=False)
    assert len(calls) == 3


def test_the_bar_counts_every_fit(ablated, corpus, learners, monkeypatch):
    class Progress:
        def __init__(self, total, **_):
            self.total, self.n = total, 0
            shown.append(self)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def set_description(self, _):
            pass

        def update(self, n=1):
            self.n += n

    shown = []
    monkeypatch.setattr(runner, "tqdm", Progress)
    run(ablated, corpus, learners=learners, progress=False)
    # centroids: two points, one test, four parts; background: one test, four parts; raising: as
    # many as if it did not raise.
    assert [(bar.total, bar.n) for bar in shown] == [(7 + 5 + 7, 7 + 5 + 7)]


def test_parts_are_compared_with_the_full_set_page_by_page(result):
    for learner, ablations in result.ablations.items():
        full = next(row for row in result.succeeded if row.learner == learner)
        for one in ablations:
            comparison = one.row.comparison
            assert comparison.reference == "full set"
            assert comparison.difference == pytest.approx(
                np.mean(list(one.row.page_accuracy.values()))
                - np.mean(list(full.page_accuracy.values()))
            )
    # Who always says None does so whatever the features are.
    assert {one.row.comparison.p for one in result.ablations["background"]} == {1.0}


def test_folds_are_pooled(ablated, corpus, learners):
    found = run(replace(ablated, folds=3), corpus, learners=learners, progress=False)
    for one in found.ablations["centroids"]:
        assert len(one.n_columns) == len(one.row.trials) == 3
        assert sorted(one.row.page_accuracy) == sorted(page.id for page in corpus)
        assert one.row.confusion.sum() == 6 * len(corpus)


def test_a_part_that_raises_is_a_failed_row_and_the_others_go_on(result, ablated, corpus, picky):
    smallest = min(count for (count,) in n_columns(result).values())
    chosen = replace(ablated, learners=(Grid("centroids", {"lambda_": (smallest + 1,)}),))
    found = run(chosen, corpus, learners={"centroids": picky}, progress=False)
    assert not found.failed
    assert not found.is_complete
    rows = {str(one.variant): one.row for one in found.ablations["centroids"]}
    failed = [name for name, row in rows.items() if isinstance(row, Failure)]
    assert failed in (["without text", "only dom"], ["without dom", "only text"])
    error = "ArithmeticError: <b>too</b> few columns"
    assert rows[failed[0]] == Failure("centroids", error)
    assert f"{failed[0]} failed: {error}" in summary(found)
    entries = json.loads(json_bytes(to_json(found)))["ablation"]["centroids"]
    assert [one["features"] for one in entries if "error" in one] == ["without", "only"]
    page = render_html(found, {}, "")
    assert f"{failed[0]} failed: ArithmeticError: &lt;b&gt;too" in page
    (svg,) = html.document_fromstring(page).xpath("//svg[.//desc]")
    assert len(svg.xpath("rect")) == 3


def test_a_learner_that_failed_is_tried_on_no_part(result):
    assert "raising" not in result.ablations
    assert [row.learner for row in result.ablated] == ["centroids", "background"]


def test_without_an_ablation_nothing_is_said_of_it(experiment, corpus, learners):
    found = run(experiment, corpus, learners=learners, progress=False)
    assert found.ablations == {}
    assert to_json(found)["ablation"] == {}
    assert "Families of features:" not in summary(found)
    assert 'id="families"' not in render_html(found, {}, "")


def test_the_family_of_sites_has_columns_where_it_is_asked_for(experiment, corpus, learners):
    chosen = replace(
        experiment,
        families=("text", "site"),
        ablation=("site",),
        learners=experiment.learners[:1],
    )
    found = run(chosen, corpus, learners=learners, progress=False)
    without, only = found.ablations["centroids"]
    assert only.n_columns[0] > 1
    assert without.n_columns[0] + only.n_columns[0] == found.splits[0].n_columns + 1
    said = "What the pages of a site have in common was counted"
    assert said in " ".join(render_html(found, {}, "").split())
    others = replace(experiment, learners=chosen.learners)
    unaware = run(others, corpus, learners=learners, progress=False)
    assert said not in " ".join(render_html(unaware, {}, "").split())
