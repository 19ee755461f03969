"""Runs of methods that must see pages first: rows, points of learning, what is kept."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from structce.datasets import READERS
from structce.errors import ExperimentError, MissingExtraError
from structce.experiments.extraction import packages
from structce.experiments.extraction.runner import run_extraction
from structce.experiments.report.extraction import extraction_caveats
from structce.experiments.report.files import report_text
from structce.extraction import Method, measurement

REPETITION, VOCABULARY = Method("repetition", "repetition"), Method("vocabulary", "vocabulary")


@pytest.fixture
def learning(experiment, learnt):
    """Both kinds of methods beside an ordinary one, on two sites of two pages."""
    alpha = replace(experiment.packages[0], by=("site",))
    return replace(
        experiment,
        packages=(alpha,),
        methods=(Method("bte", "bte"), REPETITION, VOCABULARY),
        class_pages=(2, 4),
        n_folds=2,
        folds_by=("random", "site"),
        measures=("block", "set"),
        reference="repetition",
    )


def run_settings(experiment, **options):
    return run_extraction(experiment, progress=False, **options)


def test_every_setting_has_a_row_for_every_page(learning):
    result = run_settings(learning)
    rows = [line.split("\t") for line in result.tables["results.tsv"].splitlines()]
    documents = [row for row in rows if row[0] == "document"]
    assert len(documents) == 4 * 5
    assert "block_precision" in rows[0]
    assert "lines_f1" not in rows[0]
    whole = result.report.wholes[0]
    assert [method.name for method in whole.methods] == [
        setting.name for setting in learning.settings
    ]
    assert [pair.reference for pair in whole.pairs] == ["repetition, 4 pages"] * 4
    assert result.report.is_complete


def test_a_class_is_a_part_of_a_package(learning, learnt):
    report = run_settings(learning).report
    classes = {frozenset(pages) for pages in learnt[:2]}
    assert classes == {frozenset({"page-0", "page-2"}), frozenset({"page-1", "page-3"})}
    for package in report.packages:
        # all but the day and the gold's own words stand on both pages of a class
        assert package.method("repetition, 2 pages").measures["set"].precision.mean == 1
        assert package.method("repetition, 2 pages").measures["set"].recall.mean < 0.2


def test_points_of_learning_tell_pages_seen_from_others(learning, learnt):
    alpha = replace(learning.packages[0], by=("language_or_none",))
    experiment = replace(learning, packages=(alpha,), class_pages=(2, 3, 9))
    points = run_settings(experiment).report.page_classes
    assert [(point.method, point.n_pages, point.n_seen, point.n_unseen) for point in points] == [
        ("repetition", 2, 2, 2),
        ("repetition", 3, 3, 1),
    ]
    assert points[0].n_classes == 1
    assert points[0].seen["set"].precision.mean == 1
    assert set(points[1].unseen) == {"block", "set"}
    assert points[0].learning_milliseconds > 0
    assert points[0].milliseconds > 0


def test_a_class_that_is_smaller_than_two_numbers_is_learnt_from_once(learning, learnt):
    run_settings(replace(learning, methods=(REPETITION,), class_pages=(2, 5, 9)))
    assert len(learnt) == 2


def test_a_trained_method_never_saw_the_site_of_its_pages(learning, learnt):
    experiment = replace(learning, methods=(VOCABULARY,), reference="", folds_by=("site",))
    report = run_settings(experiment).report
    assert sorted(map(sorted, learnt)) == [["page-0", "page-2"], ["page-1", "page-3"]]
    assert report.wholes[0].methods[0].measures["set"].recall.mean == 1


def test_tokens_are_counted_over_models(learning):
    report = run_settings(learning).report
    random, by_site = report.tokens
    assert (random.source, random.setting) == ("alpha", "vocabulary, random folds")
    assert (by_site.n_models, len(by_site.counts)) == (2, 3)
    assert next(iter(by_site.counts.items())) == ("menu", 2)


def without_seconds(table):
    """Return the cells of a table but for times, which a file keeps to six digits."""
    head, *rows = (line.split("\t") for line in table.splitlines())
    kept = [i for i, name in enumerate(head) if not name.startswith("seconds")]
    return [[row[i] for i in kept] for row in rows]


def test_what_was_learnt_is_kept_until_its_pages_change(learning, learnt, data, tmp_path):
    first = run_settings(learning, cache=tmp_path)
    n_learnt = len(learnt)
    assert n_learnt == 2 + 4
    second = run_settings(learning, cache=tmp_path)
    assert len(learnt) == n_learnt
    assert without_seconds(first.tables["results.tsv"]) == without_seconds(
        second.tables["results.tsv"]
    )
    points = zip(first.report.page_classes, second.report.page_classes, strict=True)
    assert all((point.seen, point.unseen) == (again.seen, again.unseen) for point, again in points)
    (data / "alpha" / "page-0.txt").write_text("Something else.\n")
    run_settings(learning, cache=tmp_path)
    assert len(learnt) == n_learnt + 1 + 4  # one class, all folds


def test_other_parameters_and_measures_are_learnt_anew(learning, learnt, tmp_path):
    alone = replace(learning, methods=(REPETITION,), class_pages=(2,))
    run_settings(alone, cache=tmp_path)
    changed = replace(REPETITION, parameters={"but": "x"})
    run_settings(replace(alone, methods=(changed,)), cache=tmp_path)
    run_settings(replace(alone, measures=("lines",)), cache=tmp_path)
    assert len(learnt) == 6


def test_where_nothing_is_learnt_pages_have_the_reason_and_it_is_tried_again(
    learning, learnt, data, tmp_path
):
    for name in ("page-1.html", "page-3.html"):
        (data / "alpha" / name).write_bytes(b"\x89PNG\r\n\x1a\n")
    alone = replace(learning, methods=(REPETITION,), class_pages=(2,), reference="")
    for _ in range(2):
        report = run_settings(alone, cache=tmp_path).report
        (failure,) = report.failures
        assert (failure.method, failure.n_pages) == ("repetition", 2)
        assert failure.error == "one page tells nothing"
        assert report.packages[-1].methods[0].n_failures == 2
    assert len(learnt) == 1 + 2


def test_the_split_of_a_data_set_is_learnt_from_once(learning, learnt, monkeypatch):
    pages = [
        replace(page, gold=replace(page.gold, about={"split": "train" if i < 2 else "test"}))
        for i, page in enumerate(READERS["gottron"].read(Path(learning.data) / "alpha"))
    ]
    reader = replace(READERS["gottron"], read=lambda _: pages)
    monkeypatch.setattr(packages, "READERS", {"gottron": reader})
    alpha = replace(learning.packages[0], by=(), learn_from="train")
    methods = (Method("bte", "bte"), VOCABULARY)
    measures = ("leaf", "leaf-boilerplate")
    asked = replace(learning, packages=(alpha,), methods=methods, reference="", measures=measures)
    report = run_settings(asked).report
    assert learnt == [("page-0", "page-1")]
    (whole,) = report.wholes
    assert (whole.n_learnt, whole.n_pages) == (2, 2)
    assert {method.n_pages for method in whole.methods} == {2}
    assert "2 other pages to learn from" in report_text(report, "markdown")
    assert not any("per fold" in caveat for caveat in extraction_caveats(report))


class Untrained:
    """Method of either kind that needs a package which is not there."""

    def learn(self, documents, texts=()):
        raise MissingExtraError("it needs a package")

    fit = learn


@pytest.mark.parametrize("kind", ["PAGE_CLASS_METHODS", "TRAINABLE_METHODS"])
def test_a_method_that_cannot_learn_is_left_out_with_its_reason(learning, learnt, kind):
    getattr(measurement, kind)["untrained"] = Untrained
    methods = (Method("bte", "bte"), Method("untrained", "untrained"))
    asked = replace(learning, methods=methods, reference="untrained", folds_by=("site",))
    report = run_settings(asked).report
    assert [method.name for method in report.wholes[0].methods] == ["bte"]
    assert not report.page_classes
    assert {failure.error for failure in report.failures} == {"it needs a package"}
    assert "could not run: it needs a package; no differences." in report_text(report)


@pytest.mark.parametrize("name", ["boilernet", "web2text", "web2text-unary"])
def test_networks_without_pytorch_are_left_out_with_the_next_step(learning, monkeypatch, name):
    monkeypatch.setitem(sys.modules, "torch", None)
    methods = (Method("bte", "bte"), Method(name, name))
    report = run_settings(replace(learning, methods=methods, reference=name)).report
    errors = {failure.error for failure in report.failures}
    assert all(error.endswith("[neural]'") for error in errors)
    assert f"The reference {name}, folds by site could not run: " in report_text(report)
    assert [method.name for method in report.wholes[0].methods] == ["bte"]


def test_folds_by_site_need_two_sites(learning):
    (alpha,) = learning.packages
    beta = replace(alpha, name="beta", path="beta")
    methods = (VOCABULARY,)
    experiment = replace(learning, packages=(beta,), methods=methods, reference="")
    assert run_settings(experiment).report.is_complete
    lone = replace(experiment, pages=1, packages=(replace(beta, by=("language_or_none",)),))
    with pytest.raises(ExperimentError, match=r"package.beta: folds by random need two"):
        run_settings(lone)
