"""Measurement of extractors: rows, perturbations, learning, processes, and the table of results."""

import math
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from structce.datasets import GoldPage
from structce.errors import CorpusError, ExtractionError
from structce.evaluation import FOUR
from structce.extraction import PAGE_CLASS_METHODS, TRAINABLE_METHODS, Extraction
from structce.extraction.measurement import (
    DocumentRow,
    MeasurementJob,
    Method,
    MethodSystem,
    Outcome,
    Package,
    digest_of,
    measure,
    measure_document,
    measure_perturbed,
    run_jobs,
    training_sets,
)
from structce.extraction.registry import MethodRegistry
from structce.extraction.result_table import ResultFile, columns, document_cells, table
from structce.features import import_features
from structce.features import registry as feature_registry
from structce.gold import Gold
from structce.labelling import RegionLabeller


def page_of(name: str, gold: str, html: str = "<p>a b c d</p>") -> GoldPage:
    return GoldPage(name, "a.example", "a.example", "", html.encode(), Gold(body=(("Text", gold),)))


class Counting:
    """A system that returns two words, fails on one page, and counts its calls."""

    name = "counting"

    def __init__(self, fails_on: str = "") -> None:
        self.fails_on = fails_on
        self.asked: list[str] = []

    def run(self, page: GoldPage) -> Outcome:
        self.asked.append(page.id)
        if page.id == self.fails_on:
            return Outcome("", None, "it\thangs")
        return Outcome("a b", 0.028)


PACKAGE = Package("small", (page_of("one", "a b"), page_of("two", "a b c d")), {})


def rows_of(system: Counting, package: Package = PACKAGE) -> list[DocumentRow]:
    return list(measure([package], [system], {}))


def test_a_row_has_the_four_measures_and_seconds_per_kilobyte():
    row = measure_document("small", Counting(), page_of("two", "a b c d"))
    assert set(row.overlaps) == set(FOUR)
    assert (row.overlaps["bag"].precision, row.overlaps["bag"].recall) == (1, 0.5)
    assert row.overlaps["characters"].recall == pytest.approx(3 / 7)
    assert row.n_bytes == 14
    assert row.seconds_per_kb == pytest.approx(2)


def test_a_failure_counts_as_nothing_extracted():
    _, two = rows_of(Counting(fails_on="two"))
    assert two.overlaps["set"].f1 == 0
    assert two.seconds_per_kb is None
    broken = replace(page_of("png", "a"), data=b"\x89PNG\r\n\x1a\n")
    assert "PNG" in MethodSystem("plain").run(broken).error


def test_a_perturbed_text_is_compared_with_the_one_before():
    lines = [f"Line {name} of the main text of this page, {name} of four" for name in "abcd"]
    page = page_of("p", "\n".join(lines), "<div><p>" + "</p><p>".join(lines) + "</p></div>")
    package = Package("small", (page, page_of("png", "a", "\x89PNG")), {})
    rows = measure_perturbed([package], [MethodSystem("plain")], {}, [*FOUR, "lines"])
    scores = {row.package: row.overlaps["lines"] for row in rows}
    assert scores["small, list appended"].f1 == scores["small, space added"].f1 == 1
    assert scores["small, promo between"].precision < 1
    assert "small, byline removed" not in scores


def test_the_digest_covers_page_type_and_gold():
    page = page_of("one", "a")
    others = [replace(page, content_type="x"), page_of("one", "b"), page_of("one", "a", "<p>")]
    assert len({digest_of(variant) for variant in (page, *others)}) == 4
    assert digest_of(replace(page, id="two")) == digest_of(page)


# The table of results


def cells(text: str) -> list[dict[str, str]]:
    header, *lines = text.splitlines()
    return [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines]


def test_the_table_has_documents_then_means_and_deviations():
    rows = rows_of(Counting(fails_on="two"))
    table_rows = cells(table(map(document_cells, rows)))
    assert tuple(table_rows[0]) == columns()
    assert [row["row"] for row in table_rows] == ["document", "document", "mean", "deviation"]
    assert [row["error"] for row in table_rows] == ["", "it hangs", "", ""]
    assert [row["seconds"] for row in table_rows] == ["0.028", "", "0.028", ""]
    assert [row["bag_recall"] for row in table_rows[:3]] == ["1", "0", "0.5"]
    assert [row["failures"] for row in table_rows] == ["", "", "1", "1"]
    assert float(table_rows[3]["bag_recall"]) == pytest.approx(math.sqrt(0.5), abs=1e-6)


def run_into(path: Path, system: Counting, n_rows: int | None = None) -> None:
    """Measure the package into a file; stop after some rows, as an interrupt does."""
    results = ResultFile(path)
    rows = []
    with results:
        for row in measure([PACKAGE], [system], results.known):
            results.add(row)
            rows.append(row)
            if len(rows) == n_rows:
                return
    results.finish(rows)


def test_a_stopped_run_continues(tmp_path):
    path, whole = tmp_path / "results.tsv", tmp_path / "whole.tsv"
    run_into(path, Counting(), n_rows=1)
    with path.open("a") as file:
        file.write("document\tsmall\tcounting\ttwo\tbroken off")
    run_into(whole, Counting())
    for asked in (["two"], []):
        system = Counting()
        run_into(path, system)
        assert system.asked == asked
        assert path.read_text() == whole.read_text()


def test_rows_of_other_runs_stay(tmp_path):
    path = tmp_path / "results.tsv"
    run_into(path, Counting(fails_on="two"))
    changed = replace(PACKAGE, pages=(page_of("one", "a b c"),))
    results = ResultFile(path)
    results.finish(list(measure([changed], [Counting(), MethodSystem("plain")], results.known)))
    known = [
        (row["system"], row["document"], row["bag_recall"], row["error"])
        for row in cells(path.read_text())
    ]
    assert known[:3] == [
        ("counting", "two", "0", "it hangs"),
        ("counting", "one", "0.666667", ""),
        ("plain", "one", "1", ""),
    ]
    assert [row[0] for row in known[3:]] == ["counting"] * 2 + ["plain"] * 2


def test_a_file_of_something_else_is_left_alone(tmp_path):
    path = tmp_path / "notes.tsv"
    path.write_text("my notes\n")
    with pytest.raises(CorpusError, match="not results"):
        ResultFile(path)
    assert path.read_text() == "my notes\n"


# Methods that must see pages first


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


def job_of(method: Method, learnt=PAGES[:2], measured=PAGES) -> MeasurementJob:
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


@pytest.mark.usefixtures("methods")
def test_the_kind_and_parameters_of_a_method_are_checked():
    with pytest.raises(ExtractionError, match=r"repetition: no parameter"):
        Method("repetition", "repetition", {"most": 3}).check()
    names = ("repetition", "vocabulary", "bte")
    assert [Method("a", name).kind for name in names] == ["page class", "trainable", "extractor"]


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
