"""Experiments with extractors: rows, the journal, failures, processes, learning methods."""

from dataclasses import dataclass
from functools import partial

import msgspec
import pytest

from structce.errors import ExtractionError, MissingExtraError
from structce.experiments import extractors as jobs
from structce.experiments.backends import Backend
from structce.experiments.config import Folds, Learning, PackageSource
from structce.experiments.tables import report_tables
from structce.extraction import (
    PAGE_CLASS_METHODS,
    TRAINABLE_METHODS,
    Extraction,
    Method,
)
from structce.extraction.registry import MethodRegistry
from structce.features import import_features
from structce.features import registry as feature_registry

ASKED: list[str] = []
LEARNT: list[tuple[str, ...]] = []

DYING = """
import os
from structce.extraction import Extraction, extractor

@extractor("dying")
class Dying:
    '''Ends its process on one page.'''

    def extract(self, document):
        if "day 1" in document.html:
            os._exit(3)
        return Extraction(document.html)
"""


@dataclass(frozen=True)
class Counting:
    """Keeps the first words of a page, and fails on one page."""

    n_words: int = 3

    def extract(self, document):
        ASKED.append(document.name)
        if "day 2" in document.html:
            raise ExtractionError("no third\npage")
        return Extraction(" ".join(document.words.text[: self.n_words]))


@dataclass(frozen=True)
class Without:
    """Keeps the words of a page that are not among some."""

    left_out: frozenset[str]
    tokens: tuple[str, ...] = ()

    def extract(self, document):
        words = document.words.text
        return Extraction(" ".join(word for word in words if word not in self.left_out))


class Repetition:
    """Page class method: leaves out the words that are on every page."""

    def learn(self, documents):
        pages = [(document.name, set(document.words.text)) for document in documents]
        LEARNT.append(tuple(name for name, _ in pages))
        if len(pages) < 2:
            raise ExtractionError("one page tells nothing")
        return Without(frozenset.intersection(*(frozenset(words) for _, words in pages)))


class Vocabulary:
    """Trainable method: leaves out the words of pages that are in no main content."""

    def fit(self, documents, texts):
        pages = list(documents)
        LEARNT.append(tuple(page.name for page in pages))
        words = {word for page in pages for word in page.words.text}
        return Without(frozenset(words - set(" ".join(texts).split())), ("menu",))


def of_methods(experiment, *methods, **changes):
    named = {method.name: method for method in methods}
    return msgspec.structs.replace(experiment, method=named, **changes)


@pytest.fixture
def counting(extraction, extractors):
    extractors["counting"] = Counting
    ASKED.clear()
    return of_methods(extraction, Method("counting", "counting"), Method("bte", "bte"))


@pytest.fixture
def learning(extraction, monkeypatch):
    """An experiment with a method of page classes and a trained one, on alpha by site."""
    classes = MethodRegistry("extractor", ExtractionError, PAGE_CLASS_METHODS)
    trainable = MethodRegistry("extractor", ExtractionError, TRAINABLE_METHODS)
    classes["repetition"], trainable["vocabulary"] = Repetition, Vocabulary
    for module in ("extraction.registry", "extraction.measurement", "experiments.config_toml"):
        monkeypatch.setattr(f"structce.{module}.PAGE_CLASS_METHODS", classes)
        monkeypatch.setattr(f"structce.{module}.TRAINABLE_METHODS", trainable)
    LEARNT.clear()
    return of_methods(
        extraction,
        Method("plain", "plain"),
        Method("repetition", "repetition"),
        Method("vocabulary", "vocabulary"),
        package={"alpha": PackageSource("alpha", "gottron", "alpha", by=("site",))},
        reference="plain",
        folds=Folds(n=2, by=("site",)),
    )


def documents(result) -> list[list[str]]:
    lines = [line.split("\t") for line in result.tables["results.tsv"].splitlines()]
    return [cells for cells in lines if cells[0] == "document"]


def test_finished_jobs_are_kept_and_failures_tried_again(counting, run_quietly, tmp_path):
    first = run_quietly(counting, journal=tmp_path / "jobs")
    assert len(ASKED) == 4  # the pages of beta are those of alpha, and measured once
    ASKED.clear()
    second = run_quietly(counting, journal=tmp_path / "jobs")
    assert ASKED == ["page-2"]
    kept = [[row for row in documents(run) if not row[-1]] for run in (first, second)]
    assert kept[0] == kept[1]  # seconds, too


def test_changed_pages_parameters_and_code_are_measured_anew(
    counting, run_quietly, data, tmp_path, monkeypatch
):
    journal = tmp_path / "jobs"
    run_quietly(counting, journal=journal)
    ASKED.clear()
    (data / "alpha" / "page-0.txt").write_text("Something else.\n")
    run_quietly(counting, journal=journal)
    assert ASKED == ["page-0", "page-2"]
    ASKED.clear()
    changed = Method("counting", "counting", {"n_words": 2})
    run_quietly(of_methods(counting, changed, Method("bte", "bte")), journal=journal)
    assert len(ASKED) == 5
    ASKED.clear()
    monkeypatch.setattr(jobs, "code_digest", lambda *_: "other code")
    run_quietly(counting, journal=journal)
    assert len(ASKED) == 5


def test_a_page_that_fails_has_the_reason_in_its_row(counting, run_quietly):
    result = run_quietly(counting)
    failed = [cells for cells in documents(result) if cells[-1]]
    assert [(cells[3], cells[-1]) for cells in failed] == [("page-2", "no third page")] * 2
    failures = [(one.subject, one.study, one.n_units) for one in result.report.failures]
    assert failures == [("counting", "alpha", 1), ("counting", "beta", 1)]
    assert result.report.value("alpha", "counting", "n_failures") == 1
    assert not result.report.is_complete


def test_a_method_that_cannot_be_made_is_a_failure(extraction, extractors, run_quietly):
    def absent():
        raise MissingExtraError("it needs a package")

    extractors["absent"] = absent
    asked = of_methods(
        extraction, Method("absent", "absent"), *extraction.method.values(), reference="absent"
    )
    result = run_quietly(asked)
    (failure,) = result.report.failures
    assert (failure.subject, failure.study, failure.n_units) == ("absent", "", 0)
    assert len(documents(result)) == 7 * 3
    assert not result.report.pairs  # without the reference


def test_a_process_that_dies_costs_its_page(
    extraction, extractors, run_quietly, tmp_path, monkeypatch
):
    monkeypatch.setattr(feature_registry, "_IMPORTED", {})  # no other test sees the import
    file = tmp_path / "dying.py"
    file.write_text(DYING)
    import_features([str(file)])
    asked = of_methods(extraction, *extraction.method.values(), Method("dying", "dying"))
    result = run_quietly(asked, backend=Backend(n_jobs=2))
    failed = [(cells[2], cells[3]) for cells in documents(result) if cells[-1]]
    assert failed == [("dying", "page-1"), ("dying", "page-1")]

    def scores(run):
        return [row[:5] + row[10:] for row in documents(run) if row[2] != "dying"]

    assert scores(result) == scores(run_quietly(extraction))


def test_parts_have_results_of_their_own(extraction, run_quietly):
    alpha = msgspec.structs.replace(extraction.packages[0], by=("site",))
    asked = msgspec.structs.replace(extraction, package={"alpha": alpha})
    report = run_quietly(asked).report
    names = [study.name for study in report.studies]
    assert names == ["alpha", "alpha site0.example", "alpha site1.example"]
    assert [study.n_pages for study in report.studies] == [4, 2, 2]
    assert [study.is_whole for study in report.studies] == [True, False, False]
    assert [ranking.source for ranking in report.rankings] == ["alpha"]


def test_methods_learn_from_classes_and_folds(learning, run_quietly, tmp_path):
    report = run_quietly(learning, journal=tmp_path / "jobs").report
    sites = [{"page-0", "page-2"}, {"page-1", "page-3"}]
    assert [set(pages) for pages in LEARNT[:2]] == sites  # each class, from all its pages
    assert sorted(map(sorted, LEARNT[2:])) == sorted(map(sorted, sites))  # the other fold
    assert report.is_complete
    assert report.value("alpha", "vocabulary", "bag_f1") > report.value("alpha", "plain", "bag_f1")
    (vocabulary,) = (one for one in report.learnt if one.tokens)
    assert (vocabulary.n_classes, vocabulary.tokens) == (2, {"menu": 2})
    LEARNT.clear()
    run_quietly(learning, journal=tmp_path / "jobs")
    assert not LEARNT


def test_seen_and_other_pages_are_scored_apart(learning, run_quietly):
    package = msgspec.structs.replace(learning.packages[0], by=("content",))
    asked = msgspec.structs.replace(
        learning, package={"alpha": package}, learning=Learning((2, 3)), folds=Folds(n=2)
    )
    report = run_quietly(asked).report
    points = [one for one in report.learnt if one.n_pages]
    assert [(one.n_pages, one.n_classes, one.n_unseen) for one in points] == [(2, 1, 2), (3, 1, 1)]
    assert all(one.learning_milliseconds > 0 for one in points)
    scores = partial(report.value, "alpha")
    for part in ("seen", "unseen"):
        assert scores("repetition, 2 pages", "characters_f1", part=part) is not None
    tables = report_tables(report)
    assert {"learnt", "overall", "package alpha"} <= set(tables)


def test_leaves_are_pooled_over_pages(extraction, run_quietly):
    asked = msgspec.structs.replace(extraction, measures=("leaf", "leaf-boilerplate"))
    report = run_quietly(asked).report
    scores = partial(report.value, "alpha")
    assert scores("link-quota-50", "pooled_leaf_f1") == 1
    # Plain text keeps the text nodes of the menu, too.
    assert scores("plain", "pooled_leaf_precision") <= 1 / 4
    assert scores("plain", "pooled_leaf-boilerplate_recall") == 0
    assert "leaves" in report_tables(report)
