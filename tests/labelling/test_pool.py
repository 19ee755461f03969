"""Processes that render and label give what one process gives, page by page."""

import os
from functools import partial

import pytest

from structce.article import read_article
from structce.errors import RenderError, SourceError
from structce.labelling import DEFAULT_MODELS, Labelling, LabellingPool, RegionLabeller
from structce.rendering import Document, Limits, Settings, StaticRenderer, render_all
from structce.synthetic.generate import sample_pages

MODEL = DEFAULT_MODELS["static"]
N_PAGES = 5


@pytest.fixture(scope="module")
def labeller():
    return RegionLabeller.load(MODEL)


@pytest.fixture(scope="module")
def documents():
    pages = sample_pages(N_PAGES, 1, seed=1)
    return [Document(page.html, f"https://a.example/{i}", str(i)) for i, page in enumerate(pages)]


def loaders(documents):
    return [(document.name, lambda document=document: document) for document in documents]


def summary(source: str, labelling: Labelling) -> dict[str, object]:
    """Return what tests compare of a page: its labels, and the fields of its article."""
    article = read_article(labelling)
    fields = (article.title, *article.authors, article.date)
    return {
        "source": source,
        "url": labelling.page.url,
        "labels": labelling.labels,
        "spans": None if labelling.page.spans is None else labelling.page.spans.tolist(),
        "confidence": labelling.confidence.tolist(),
        "fields": [(field.value, field.confidence, field.span) for field in fields if field],
        "text": article.text,
        "reason": labelling.explain(0).label,
        "process": os.getpid(),
    }


@pytest.mark.parametrize("is_shared", [False, True])
def test_two_processes_read_pages_as_one_does_and_in_order(labeller, documents, is_shared):
    shared = labeller if is_shared else None
    with LabellingPool(MODEL, summary, labeller=shared, workers=2) as pool:
        outcomes = list(pool.label_all(loaders(documents)))
    assert [outcome.source for outcome in outcomes] == [str(i) for i in range(N_PAGES)]
    with StaticRenderer() as renderer:
        rendered = list(render_all(loaders(documents), renderer))
    for outcome, alone in zip(outcomes, rendered, strict=True):
        expected = summary(outcome.source, labeller.label(alone.page))
        assert outcome.value.pop("process") != expected.pop("process")
        assert outcome.value.pop("confidence") == pytest.approx(expected.pop("confidence"))
        assert [value[::2] for value in outcome.value.pop("fields")] == [
            value[::2] for value in expected.pop("fields")
        ]
        assert outcome.value == expected
        assert outcome.error == ""


def test_a_page_that_fails_costs_no_other(labeller, documents):
    def missing():
        raise SourceError("gone.html: no such file")

    settings = Settings(limits=Limits(regions=200))
    long = Document("<p>a" * 300, name="long.html")
    sources = [*loaders(documents[:1]), ("gone.html", missing), *loaders([long, documents[1]])]
    with LabellingPool(
        MODEL, summary, labeller=labeller, settings=settings, workers=1, is_isolated=True
    ) as pool:
        outcomes = list(pool.label_all(sources))
    assert [outcome.value is not None for outcome in outcomes] == [True, False, False, True]
    assert outcomes[1].error == "gone.html: no such file"
    assert "more than 200 regions" in outcomes[2].error


def test_a_rendered_page_is_labelled_without_being_rendered(labeller, documents):
    page = StaticRenderer().render(documents[0])
    with LabellingPool(MODEL, summary, labeller=labeller, workers=1) as pool:
        ((source, value, error),) = pool.label_all([("snapshot", lambda: page)])
    assert (source, error) == ("snapshot", "")
    assert value["labels"] == labeller.label(page).labels


def test_sources_are_read_only_a_few_ahead(labeller, documents):
    read = []

    def load(document):
        read.append(document.name)
        return document

    many = [(document.name, partial(load, document)) for document in documents * 4]
    with LabellingPool(MODEL, summary, labeller=labeller, workers=1) as pool:
        next(pool.label_all(many))
    assert len(read) < N_PAGES


def test_it_must_be_started_and_have_a_worker(documents):
    pool = LabellingPool(MODEL, summary)
    with pytest.raises(RenderError, match="not been started"):
        next(pool.label_all(loaders(documents)))
    with pytest.raises(RenderError, match="expected 1 or more"):
        LabellingPool(MODEL, summary, workers=0)


@pytest.mark.parametrize("is_isolated", [False, True])
def test_spans_that_nobody_asks_for_are_not_looked_for(labeller, documents, is_isolated):
    with LabellingPool(
        MODEL, summary, labeller=labeller, workers=1, is_isolated=is_isolated, has_spans=False
    ) as pool:
        outcomes = list(pool.label_all(loaders(documents[:2])))
    assert [outcome.value["spans"] for outcome in outcomes] == [None, None]
    assert all(outcome.value["text"] for outcome in outcomes)
