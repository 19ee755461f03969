"""Measurement of extractors: rows, and learning."""

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
    digest_of,
    measure,
    start_measuring,
    training_sets,
)
from structce.extraction.registry import MethodRegistry
from structce.gold import Gold
from structce.labelling import RegionLabeller


def page_of(name, gold, html="<p>a b c d</p>"):
    return GoldPage(name, "a.example", "a.example", "", html.encode(), Gold(body=(("Text", gold),)))


ONE, TWO = page_of("one", "a b"), page_of("two", "a b c d")


def row_of(page, error=""):
    """The row of a system that returns two words, or fails."""
    job = MeasurementJob("small", Method("fake", "plain"), (page,))
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


# Methods that must see pages first


@dataclass(frozen=True)
class Without:
    """Keeps the words of a page that are not among some."""

    repeated: frozenset[str]

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
    return MeasurementJob("news", method, measured, learnt)


def rows_of(*job, **pages):
    return start_measuring()(job_of(*job, **pages))


@pytest.mark.usefixtures("methods")
def test_a_method_learns_and_is_measured_on_others():
    rows = rows_of(Method("repetition", "repetition"), learnt=(*PAGES[:2], BROKEN))
    assert [row.overlaps["bag"].f1 for row in rows] == [1, 1, 1, 1]
    assert rows[2].document == "page-2"
    assert all(row.seconds > 0 for row in rows)


@pytest.mark.usefixtures("methods")
def test_a_method_that_cannot_learn_fails_on_each_page():
    rows = rows_of(Method("repetition", "repetition"), learnt=(PAGES[0], BROKEN))
    assert {row.error for row in rows} == {"1 page; expected 2"}


@pytest.mark.usefixtures("methods")
def test_a_trainable_method_sees_main_contents_of_its_pages_only():
    rows = rows_of(Method("vocabulary", "vocabulary"), measured=(*PAGES[2:], BROKEN))
    assert [row.overlaps["set"].recall for row in rows[:2]] == [1, 1]
    assert rows[0].overlaps["set"].precision == 1
    assert [bool(row.error) for row in rows] == [False, False, True]


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
