"""The answer for a page does not contradict itself; that of the labeller alone does."""

from pathlib import Path

import pytest

from benchmarks.agreement import contradictions
from structce.article import read_labelling
from structce.labelling import RegionLabeller
from structce.rendering import Document, StaticRenderer

PAGES = sorted((Path(__file__).parents[2] / "data/sample/pages").glob("*.html"))


@pytest.fixture(scope="module")
def labelled_pages():
    labeller = RegionLabeller.load("news-static")
    documents = [Document(path.read_text(encoding="utf-8"), url="") for path in PAGES]
    return [labeller.label(StaticRenderer().render(document)) for document in documents]


def test_the_answer_for_a_page_does_not_contradict_itself(labelled_pages):
    for path, labelling in zip(PAGES, labelled_pages, strict=True):
        reading = read_labelling(labelling)
        assert contradictions(reading.article, reading.labelling).total() == 0, path.stem


def test_contradictions_of_the_labeller_alone_are_found(labelled_pages):
    counts = [
        contradictions(read_labelling(labelled).article, labelled) for labelled in labelled_pages
    ]
    assert sum(count.total() for count in counts) > 0
