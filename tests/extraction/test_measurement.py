"""Measurement: what methods that must see pages first learn from, rows, failures, processes."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from structce.datasets import GoldPage
from structce.errors import ExtractionError
from structce.extraction import (
    PAGE_CLASS_METHODS,
    TRAINABLE_METHODS,
    Extraction,
    Method,
    training_sets,
)
from structce.extraction.measurement import MeasurementJob, run_jobs
from structce.extraction.registry import MethodRegistry
from structce.features import import_features
from structce.features import registry as feature_registry
from structce.gold import Gold
from structce.labelling import RegionLabeller

MODULES = ("registry", "measurement")


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
    """Page class method: leaves out words that stand on every page."""

    least: int = 2

    def learn(self, documents):
        pages = [set(document.words.text) for document in documents]
        if len(pages) < self.least:
            raise ExtractionError(f"{len(pages)} page;\nexpected {self.least}")
        return Without(frozenset(set.intersection(*pages)))


class Vocabulary:
    """Trainable method: leaves out words that stand in no main content."""

    def fit(self, documents, texts):
        words = {word for document in documents for word in document.words.text}
        return Without(frozenset(words - set(" ".join(texts).split())))


@pytest.fixture(autouse=True)
def methods(monkeypatch):
    """Two methods, which are gone after a test."""
    classes = MethodRegistry("extractor", ExtractionError, PAGE_CLASS_METHODS)
    trainable = MethodRegistry("extractor", ExtractionError, TRAINABLE_METHODS)
    classes["repetition"], trainable["vocabulary"] = Repetition, Vocabulary
    for module in MODULES:
        monkeypatch.setattr(f"structce.extraction.{module}.PAGE_CLASS_METHODS", classes)
        monkeypatch.setattr(f"structce.extraction.{module}.TRAINABLE_METHODS", trainable)


def page_of(number: int) -> GoldPage:
    html, gold = f"<p>menu home</p><p>story{number} ends", Gold(body=(("Text", f"story{number}"),))
    return GoldPage(f"page-{number}", "a.example", "a.example", "", html.encode(), gold)


PAGES = tuple(page_of(number) for number in range(4))
BROKEN = replace(PAGES[3], id="png", data=b"\x89PNG\r\n\x1a\n")


def job_of(method: Method, learnt=PAGES[:2], measured=PAGES) -> MeasurementJob:
    return MeasurementJob("news", f"{method.name}, 2 pages", method, measured, learnt)


def outcome_of(job: MeasurementJob):
    (outcome,) = run_jobs([job])
    return outcome


def test_a_method_learns_from_some_pages_and_is_measured_on_others():
    outcome = outcome_of(job_of(Method("repetition", "repetition")))
    assert outcome.seconds > 0
    assert (outcome.n_learnt, outcome.tokens) == (2, ("menu",))
    assert [row.overlaps["bag"].f1 for row in outcome.rows] == [1, 1, 1, 1]
    keys = [(row.package, row.system, row.document) for row in outcome.rows]
    assert keys[2] == ("news", "repetition, 2 pages", "page-2")
    assert all(row.seconds > 0 for row in outcome.rows)


def test_a_trainable_method_sees_the_main_contents_of_the_pages_it_learns_from_alone():
    outcome = outcome_of(job_of(Method("vocabulary", "vocabulary"), measured=PAGES[2:]))
    assert [row.overlaps["set"].recall for row in outcome.rows] == [1, 1]
    assert outcome.rows[0].overlaps["set"].precision == 1


def test_where_nothing_can_be_learnt_every_page_has_a_row_with_the_reason():
    outcome = outcome_of(job_of(Method("repetition", "repetition", {"least": 3})))
    assert outcome.seconds is None
    assert [row.error for row in outcome.rows] == ["2 page; expected 3"] * 4
    assert outcome.rows[0].overlaps["set"].f1 == 0


def test_a_page_that_cannot_be_read_is_not_learnt_from():
    learnt = (*PAGES[:2], BROKEN)
    outcome = outcome_of(job_of(Method("repetition", "repetition"), learnt, (*PAGES, BROKEN)))
    assert outcome.n_learnt == 2
    assert [bool(row.error) for row in outcome.rows] == [False] * 4 + [True]


def test_a_parameter_that_a_method_does_not_have_is_an_error():
    with pytest.raises(ExtractionError, match=r"repetition: no parameter"):
        Method("repetition", "repetition", {"most": 3}).check()
    assert [Method("a", name).kind for name in ("repetition", "vocabulary", "bte")] == [
        "page class",
        "trainable",
        "extractor",
    ]


STOPPING = """
import os
from structce.extraction import page_class_method

@page_class_method("stopping")
class Stopping:
    '''Ends its process when it is to learn.'''

    def learn(self, documents):
        os._exit(3)
"""


def test_a_process_that_dies_costs_its_job_alone(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(feature_registry, "_IMPORTED", {})  # what it imports no other test sees
    file = tmp_path / "stopping.py"
    file.write_text(STOPPING + Path(__file__).read_text().partition("MODULES =")[0] + REGISTER)
    import_features([str(file)])
    jobs = [job_of(Method(name, name)) for name in ("stopping", "repeated-words")]
    dead, alive = run_jobs(jobs, n_jobs=2)
    assert all("3" in row.error for row in dead.rows)
    assert not any(row.error for row in alive.rows)


REGISTER = """
@page_class_method("repeated-words")
class Repeated:
    '''Leaves out words that stand on every page.'''

    def learn(self, documents):
        from structce.extraction import EXTRACTORS
        list(documents)
        return EXTRACTORS["plain"]()
"""


@pytest.mark.parametrize(
    ("method", "sets"),
    [
        (Method("regions", "regions"), {"wcxb", "trafilatura"}),
        (Method("mine", "regions", {"model": "news-chromium"}), {"wcxb"}),
        (Method("boilernet-small", "boilernet-small"), {"fundus"}),
        (Method("web2text-wcxb", "web2text-wcxb"), {"wcxb", "fundus"}),
    ],
)
def test_shipped_models_say_what_they_were_trained_on(method, sets):
    assert sets <= training_sets(method)


def test_methods_without_a_model_were_trained_on_nothing():
    assert not training_sets(Method("bte", "bte"))
    assert not RegionLabeller().training_sets
    assert RegionLabeller(card={"corpus": "mine"}).training_sets == {"mine"}
