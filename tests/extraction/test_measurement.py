"""Measurement of extractors: rows, learning, processes, and the table of results."""

import math
from dataclasses import dataclass, replace

import pytest

from structce.datasets import GoldPage
from structce.errors import ExtractionError
from structce.evaluation import FOUR
from structce.extraction import PAGE_CLASS_METHODS, TRAINABLE_METHODS, Extraction
from structce.extraction.measurement import (
    Measurement,
    MeasurementJob,
    Method,
    columns,
    digest_of,
    document_cells,
    measure,
    run_jobs,
    table,
    training_sets,
)
from structce.extraction.registry import MethodRegistry
from structce.features import import_features
from structce.features import registry as feature_registry
from structce.gold import Gold
from structce.labelling import RegionLabeller


def page_of(name, gold, html="<p>a b c d</p>"):
    return GoldPage(name, "a.example", "a.example", "", html.encode(), Gold(body=(("Text", gold),)))


ONE, TWO = page_of("one", "a b"), page_of("two", "a b c d")


def row_of(page, error="", system="fake"):
    """The row of a system that returns two words, or fails."""
    job = MeasurementJob("small", system, Method(system, "plain"), (page,))
    return job.row(page, Measurement("", None, error) if error else Measurement("a b", 0.028))


def test_a_row_has_the_four_measures_and_seconds_per_kilobyte():
    row = row_of(TWO)
    assert set(row.overlaps) == set(FOUR)
    assert (row.overlaps["bag"].precision, row.overlaps["bag"].recall) == (1, 0.5)
    assert row.overlaps["characters"].recall == pytest.approx(3 / 7)
    assert (row.n_bytes, row.seconds_per_kb) == (14, pytest.approx(2))


def test_a_failure_counts_as_nothing_extracted():
    row = row_of(TWO, "it hangs")
    assert (row.overlaps["set"].f1, row.seconds_per_kb) == (0, None)
    broken = replace(ONE, data=b"\x89PNG\r\n\x1a\n")
    assert "PNG" in measure(Method("plain", "plain").system(), broken).error


def test_the_digest_covers_page_type_and_gold():
    others = [replace(ONE, content_type="x"), page_of("one", "b"), page_of("one", "a b", "<p>")]
    assert len({digest_of(variant) for variant in (ONE, *others)}) == 4
    assert digest_of(replace(ONE, id="two")) == digest_of(ONE)


def cells(text):
    header, *lines = text.splitlines()
    return [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines]


def test_the_table_has_documents_then_means_and_deviations():
    rows = [row_of(ONE), row_of(TWO, "it\thangs")]
    table_rows = cells(table(map(document_cells, rows)))
    assert tuple(table_rows[0]) == columns()
    assert [row["row"] for row in table_rows] == ["document", "document", "mean", "deviation"]
    assert [row["error"] for row in table_rows] == ["", "it hangs", "", ""]
    assert [row["seconds"] for row in table_rows] == ["0.028", "", "0.028", ""]
    assert [row["bag_recall"] for row in table_rows[:3]] == ["1", "0", "0.5"]
    assert [row["failures"] for row in table_rows] == ["", "", "1", "1"]
    assert float(table_rows[3]["bag_recall"]) == pytest.approx(math.sqrt(0.5), abs=1e-6)


@dataclass(frozen=True)
class Without:
    """Keeps the words of a page that are not among some."""

    repeated: frozenset[str]
    tokens: tuple[str, ...] = ("menu",)

    def extract(self, document):
        words = document.words.text
        return Extraction(" ".join(word for word in words if word not in self.repeated))


@dataclass(frozen=True)
class Repetition:
    """Page class method: leaves out words that are on every page."""

    least: int = 2

    def learn(self, documents):
        pages = [set(document.words.text) for document in documents]
        if len(pages) < self.least:
            raise ExtractionError(f"{len(pages)} page;\nexpected {self.least}")
        return Without(frozenset(set.intersection(*pages)))


class Vocabulary:
    """Trainable method: leaves out words that are in no main content."""

    def fit(self, documents, texts):
        words = {word for document in documents for word in document.words.text}
        return Without(frozenset(words - set(" ".join(texts).split())))


@pytest.fixture
def methods(monkeypatch):
    """Register two methods for the time of a test."""
    classes = MethodRegistry("extractor", ExtractionError, PAGE_CLASS_METHODS)
    trainable = MethodRegistry("extractor", ExtractionError, TRAINABLE_METHODS)
    classes["repetition"], trainable["vocabulary"] = Repetition, Vocabulary
    for module in ("registry", "measurement"):
        monkeypatch.setattr(f"structce.extraction.{module}.PAGE_CLASS_METHODS", classes)
        monkeypatch.setattr(f"structce.extraction.{module}.TRAINABLE_METHODS", trainable)


PAGES = tuple(
    page_of(f"page-{n}", f"story{n}", f"<p>menu home</p><p>story{n} ends") for n in range(4)
)
BROKEN = replace(PAGES[3], id="png", data=b"\x89PNG\r\n\x1a\n")


def job_of(method, learnt=PAGES[:2], measured=PAGES):
    return MeasurementJob("news", f"{method.name}, 2 pages", method, measured, learnt)


def outcome_of(*job, **pages):
    (outcome,) = run_jobs([job_of(*job, **pages)])
    return outcome


@pytest.mark.usefixtures("methods")
def test_a_method_learns_and_is_measured_on_others():
    outcome = outcome_of(Method("repetition", "repetition"), learnt=(*PAGES[:2], BROKEN))
    assert outcome.seconds > 0
    assert (outcome.n_learnt, outcome.tokens) == (2, ("menu",))
    assert [row.overlaps["bag"].f1 for row in outcome.rows] == [1, 1, 1, 1]
    assert outcome.rows[2].key[:3] == ("news", "repetition, 2 pages", "page-2")
    assert all(row.seconds > 0 for row in outcome.rows)


@pytest.mark.usefixtures("methods")
def test_a_trainable_method_sees_main_contents_of_its_pages_only():
    outcome = outcome_of(Method("vocabulary", "vocabulary"), measured=(*PAGES[2:], BROKEN))
    assert [row.overlaps["set"].recall for row in outcome.rows[:2]] == [1, 1]
    assert outcome.rows[0].overlaps["set"].precision == 1
    assert [bool(row.error) for row in outcome.rows] == [False, False, True]


STOPPING = """
import os
from structce.extraction import EXTRACTORS, page_class_method

@page_class_method("stopping")
class Stopping:
    '''Ends its process when it is to learn.'''

    def learn(self, documents):
        os._exit(3)

@page_class_method("all-words")
class Words:
    '''All words.'''

    def learn(self, documents):
        return EXTRACTORS["plain"]()
"""


def test_a_process_that_dies_fails_only_its_job(tmp_path, monkeypatch):
    monkeypatch.setattr(feature_registry, "_IMPORTED", {})  # other tests do not see the imports
    file = tmp_path / "stopping.py"
    file.write_text(STOPPING)
    before = set(PAGE_CLASS_METHODS)
    import_features([str(file)])
    jobs = [job_of(Method(name, name)) for name in ("stopping", "all-words")]
    dead, alive = run_jobs(jobs, n_jobs=2)
    for name in set(PAGE_CLASS_METHODS) - before:
        del PAGE_CLASS_METHODS[name]
    assert all("3" in row.error for row in dead.rows)
    assert not any(row.error for row in alive.rows)


@pytest.mark.parametrize(
    ("method", "sets"),
    [
        (Method("regions", "regions"), {"wcxb", "trafilatura"}),
        (Method("mine", "regions", {"model": "news-chromium"}), {"wcxb"}),
        (Method("boilernet-small", "boilernet-small"), {"fundus"}),
        (Method("web2text-wcxb", "web2text-wcxb"), {"wcxb", "fundus"}),
        (Method("bte", "bte"), set()),
    ],
)
def test_training_sets_of_shipped_models_are_known(method, sets):
    assert sets <= training_sets(method)
    assert bool(sets) == bool(training_sets(method))
    assert RegionLabeller(card={"corpus": "mine"}).training_sets == {"mine"}
