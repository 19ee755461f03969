"""Experiments with extractors: rows, the journal, failures, processes, learning methods."""

from dataclasses import dataclass, replace
from functools import partial

import msgspec
import pytest

from structce.datasets import READERS, GoldPage
from structce.errors import ExperimentError, ExtractionError, MissingExtraError
from structce.experiments import extractors as jobs
from structce.experiments.config import Folds, PackageSource
from structce.experiments.extractors import draw_folds, draw_pages, read_source
from structce.experiments.tables import report_tables
from structce.extraction import PAGE_CLASS_METHODS, TRAINABLE_METHODS, Extraction, Method
from structce.extraction.registry import MethodRegistry
from structce.features import import_features
from structce.features import registry as feature_registry
from structce.gold import Gold

ASKED = []
LEARNT = []

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
        return Without(frozenset(words - set(" ".join(texts).split())))


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
    for module in ("extraction.registry", "extraction.measurement", "experiments.config"):
        monkeypatch.setattr(f"structce.{module}.PAGE_CLASS_METHODS", classes)
        monkeypatch.setattr(f"structce.{module}.TRAINABLE_METHODS", trainable)
    LEARNT.clear()
    package = {"alpha": PackageSource("alpha", "gottron", "alpha", by=("site",))}
    methods = (Method(name, name) for name in ("plain", "repetition", "vocabulary"))
    return of_methods(extraction, *methods, package=package, reference="plain", folds=Folds(n=2))


def values(report, *subjects):
    """Return the values of all units, or of those of some subjects."""
    units = report.rows("units")
    return [(u.subject, u.unit, u.value) for u in units if not subjects or u.subject in subjects]


def test_finished_jobs_are_kept_and_failures_tried_again(counting, run_quietly, tmp_path):
    first = run_quietly(counting, journal=tmp_path / "jobs")
    assert len(ASKED) == 4  # the pages of beta are those of alpha, and measured once
    ASKED.clear()
    second = run_quietly(counting, journal=tmp_path / "jobs")
    assert ASKED == ["page-2"]
    times = [first.value("beta", "counting", "seconds_per_kb") for _ in (first, second)]
    assert times[0] == times[1]
    assert values(first) == values(second)


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
    failures = [(*tuple(one)[:2], one.study, one.n_units) for one in result.rows("failures")]
    assert failures == [("counting", "no third page", name, 1) for name in ("alpha", "beta")]
    assert ("counting", "page-2", 0.0) in values(result)
    assert result.value("alpha", "counting", "n_failures") == 1
    assert not result.is_complete


def test_a_method_that_cannot_be_made_is_a_failure(extraction, extractors, run_quietly):
    def absent():
        raise MissingExtraError("it needs a package")

    extractors["absent"] = absent
    methods = Method("absent", "absent"), *extraction.method.values()
    result = run_quietly(of_methods(extraction, *methods, reference="absent"))
    (failure,) = result.rows("failures")
    assert (failure.subject, failure.study, failure.n_units) == ("absent", "", 0)
    assert len(values(result)) == 7 * 3
    assert not result.rows("pairs")  # without the reference


def test_a_process_that_dies_costs_its_page(
    extraction, extractors, run_quietly, tmp_path, monkeypatch
):
    monkeypatch.setattr(feature_registry, "_IMPORTED", {})  # no other test sees the import
    file = tmp_path / "dying.py"
    file.write_text(DYING)
    import_features([str(file)])
    asked = of_methods(extraction, *extraction.method.values(), Method("dying", "dying"))
    result = run_quietly(asked, n_jobs=2)
    failed = [(one.subject, one.n_units) for one in result.rows("failures")]
    assert failed == [("dying", 1), ("dying", 1)]
    others = run_quietly(extraction)
    assert values(result, *others.subjects) == values(others)


def test_parts_have_results_of_their_own(extraction, run_quietly):
    alpha = msgspec.structs.replace(extraction.package["alpha"], by=("site",))
    asked = msgspec.structs.replace(extraction, package={"alpha": alpha})
    report = run_quietly(asked)
    names = [study.name for study in report.rows("studies")]
    assert names == ["alpha", "alpha site0.example", "alpha site1.example"]
    assert [study.n_pages for study in report.rows("studies")] == [4, 2, 2]
    assert [ranking.source for ranking in report.rows("rankings")] == ["alpha"]


def test_methods_learn_from_classes_and_folds(learning, run_quietly, tmp_path):
    report = run_quietly(learning, journal=tmp_path / "jobs")
    sites = [{"page-0", "page-2"}, {"page-1", "page-3"}]
    assert [set(pages) for pages in LEARNT[:2]] == sites  # each class, from all its pages
    assert sorted(map(sorted, LEARNT[2:])) == sorted(map(sorted, sites))  # the other fold
    assert report.is_complete
    assert report.value("alpha", "vocabulary", "bag_f1") > report.value("alpha", "plain", "bag_f1")
    LEARNT.clear()
    run_quietly(learning, journal=tmp_path / "jobs")
    assert not LEARNT
    report = run_quietly(msgspec.structs.replace(learning, class_pages=2))
    assert len(LEARNT[0]) == 2
    assert {"overall", "package alpha"} <= set(report_tables(report))


def test_leaves_are_pooled_over_pages(extraction, run_quietly):
    asked = msgspec.structs.replace(extraction, measures=("leaf", "leaf-boilerplate"))
    report = run_quietly(asked)
    scores = partial(report.value, "alpha")
    assert scores("link-quota-50", "pooled_leaf_f1") == 1
    # Plain text keeps the text nodes of the menu, too.
    assert scores("plain", "pooled_leaf_precision") <= 1 / 4
    assert scores("plain", "pooled_leaf-boilerplate_recall") == 0
    assert "leaves" in report_tables(report)


def page_of(name, gold=None):
    return GoldPage(name, "a.example", "a.example", "", b"<p>a", gold or Gold())


def read_all(experiment):
    return [read_source(experiment, source) for source in experiment.package.values()]


def with_source(extraction, **changes):
    return of_sources(extraction, msgspec.structs.replace(extraction.package["alpha"], **changes))


def of_sources(extraction, *sources, **changes):
    packages = {source.name: source for source in sources}
    return msgspec.structs.replace(extraction, package=packages, **changes)


def test_a_source_is_divided_by_facts_and_limited_to_values(extraction):
    (alpha,) = read_all(with_source(extraction, by=("site", "language")))
    assert set(alpha.parts.values()) == {"alpha site0.example de", "alpha site1.example en"}
    (alpha,) = read_all(with_source(extraction, by=("language", "site"), only=("de",)))
    assert set(alpha.parts.values()) == {"alpha de site0.example"}
    assert not alpha.n_lost
    with pytest.raises(ExperimentError, match="alpha: contains no page with main content"):
        read_all(with_source(extraction, by=("language",), only=("fr",)))


def test_a_larger_draw_contains_a_smaller_one():
    pages = [page_of(str(number)) for number in range(30)]
    drawn = [{page.id for page in draw_pages(pages, most, seed=3)} for most in (5, 12)]
    assert drawn[0] < drawn[1]
    assert drawn[0] != {page.id for page in draw_pages(pages, 5, seed=4)}
    assert draw_pages(pages, 0, seed=3) == pages


def test_a_missing_or_empty_source_is_an_error(extraction, data):
    with pytest.raises(ExperimentError, match=r"package.alpha: .*gamma: no such folder"):
        read_all(with_source(extraction, path="gamma"))
    for file in (data / "alpha").glob("*.txt"):
        file.unlink()
    with pytest.raises(ExperimentError, match="alpha: contains no page with main content"):
        read_all(extraction)


def with_split(source, monkeypatch, third=b"<p>c"):
    """Let the reader state a split: two pages to learn from and two others."""
    sources = (("dev", b"<p>a"), ("dev", b"<p>b"), ("final", third), ("", b"<p>d"))
    body = (("Text", "a"),)
    pages = [replace(page_of(f"{i}", Gold(body=body, about={"split": split})), data=data)
             for i, (split, data) in enumerate(sources)]  # fmt: skip
    reader = replace(READERS["gottron"], read=lambda _: pages)
    monkeypatch.setattr(jobs, "READERS", {"gottron": reader})
    return msgspec.structs.replace(source, learn_from="dev")


def test_pages_of_a_split_are_learnt_from_and_not_measured(extraction, monkeypatch):
    source = with_split(extraction.package["alpha"], monkeypatch)
    (whole,) = read_all(of_sources(extraction, source, pages=0))
    assert [page.id for page in whole.learnt] == ["0", "1"]
    assert [page.id for page in whole.pages] == ["2", "3"]
    (drawn,) = read_all(of_sources(extraction, source, pages=1))
    assert (len(drawn.learnt), len(drawn.pages)) == (2, 1)
    source = msgspec.structs.replace(source, learn_from="")
    assert len(read_all(of_sources(extraction, source))[0].pages) == 4
    source = with_split(extraction.package["alpha"], monkeypatch, third=b"<p>a")
    (whole,) = read_all(of_sources(extraction, source))  # without the copy of a learnt page
    assert ([page.id for page in whole.pages], whole.n_lost) == (["3"], 1)


def test_pages_of_small_classes_are_not_measured(extraction, monkeypatch):
    source = with_split(extraction.package["alpha"], monkeypatch)
    source = msgspec.structs.replace(source, by=("split",), learn_from="")
    methods = {name: Method(name, name) for name in ("bte", "content-extractor")}
    for asked, n_pages, n_lost in (({}, 4, 0), ({"method": methods}, 2, 2)):
        (alpha,) = read_all(of_sources(extraction, source, **asked))
        assert (len(alpha.pages), alpha.n_lost) == (n_pages, n_lost)


def test_folds_keep_sites_whole_and_are_of_like_size():
    pages = [replace(page_of(f"{i}"), family=f"site{i % 4}") for i in range(12)]
    folds = draw_folds(pages, 2, "site", seed=1)
    assert sorted(map(len, folds)) == [6, 6]
    families = [{page.family for page in fold} for fold in folds]
    assert not families[0] & families[1]
    assert len(draw_folds(pages, 9, "site", seed=1)) == 4
    assert sorted(map(len, draw_folds(pages, 5, "random", seed=1))) == [2, 2, 2, 3, 3]
