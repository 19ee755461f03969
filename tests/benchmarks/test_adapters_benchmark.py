"""Pipelines of other packages are counted and timed, each page with one outcome."""

from dataclasses import replace
from multiprocessing import get_start_method

import pytest

from benchmarks.adapters import SYSTEMS, Figures, Meter, RawPage, System, table_rows


@pytest.fixture
def raw_pages(article_html):
    """Two articles, and between them a page that ours cannot read."""
    texts = [article_html(0), "no markup at all", article_html(1)]
    return [RawPage(f"https://post.example/{n}", t.encode(), t) for n, t in enumerate(texts)]


def run(package, extractor, pages):
    pytest.importorskip(package)
    pytest.importorskip("trafilatura")
    system = next(candidate for candidate in SYSTEMS if candidate.extractor == extractor)
    figures = system.run(pages, 10.0)
    assert figures.seconds > 0
    assert figures.processor > 0
    return replace(figures, seconds=0.0, processor=0.0)


def test_outcomes_in_datatrove_are_counted_without_the_page_that_warms_up(raw_pages):
    assert run("datatrove", "DatatroveExtractor", raw_pages) == Figures(3, texts=2, failures=1)
    figures = run("datatrove", "Trafilatura", raw_pages)
    assert (figures.documents, figures.texts + figures.empty, figures.failures) == (3, 3, 0)


def test_outcomes_in_nemo_curator_are_counted_without_the_page_that_warms_up(raw_pages):
    assert run("nemo_curator", "CuratorExtractor", raw_pages) == Figures(3, texts=2, failures=1)
    figures = run("nemo_curator", "TrafilaturaExtractor", raw_pages[::2])
    assert (figures.documents, figures.texts + figures.empty) == (2, 2)


def test_pages_after_an_exception_in_nemo_curator_are_not_tried(raw_pages):
    download = pytest.importorskip("nemo_curator.stages.text.download")

    class Broken(download.DocumentExtractor):
        def extract(self, record):
            if b"no markup" in record["content"]:
                raise ValueError("no markup")
            return {"url": record["url"], "text": "Ferry"}

        def input_columns(self):
            return ["url", "content"]

        def output_columns(self):
            return ["url", "text"]

    figures = System("nemo-curator", "Broken", lambda _: Broken()).run(raw_pages, 10.0)
    assert (figures.texts, figures.failures, figures.untried) == (1, 1, 1)


def test_what_happens_before_the_second_page_does_not_count():
    counts = {"texts": 0}
    meter = Meter(lambda: dict(counts))
    for _ in meter.timed(iter("abc")):
        counts["texts"] += 1
    assert meter.figures.texts == 2


def test_a_row_is_the_sum_of_the_turns_of_a_system():
    first, second = SYSTEMS[:2]
    measured = [(first, Figures(2, processor=0.5)), (second, Figures(2)), (first, Figures(3))]
    row, _ = table_rows((first, second), measured)
    assert (row["in"], row["processor ms per page"]) == (5, 100.0)


def test_a_process_of_its_own_starts_children_by_the_default_method(raw_pages):
    assert Probe("datatrove", "", float).run_apart(raw_pages, 1.0) == get_start_method()


class Probe(System):
    def run(self, pages, timeout):
        return get_start_method()
