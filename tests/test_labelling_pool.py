"""Processes that render and label give what one process gives, page by page."""

from functools import partial

import numpy as np
import pytest

from structce.errors import RenderError, SourceError
from structce.labeller import DEFAULT_MODELS, RegionLabeller
from structce.labelling_pool import LabellingPool
from structce.rendering import Document, Limits, Settings, StaticRenderer, render_all
from structce.synthetic.generate import sample_pages

MODEL = DEFAULT_MODELS["static"]
N_PAGES = 7


@pytest.fixture(scope="module")
def labeller():
    return RegionLabeller.load(MODEL)


@pytest.fixture(scope="module")
def documents():
    pages = sample_pages(N_PAGES, 1, seed=1)
    return [Document(page.html, f"https://a.example/{i}", str(i)) for i, page in enumerate(pages)]


def loaders(documents):
    return [(one.name, lambda one=one: one) for one in documents]


def test_two_processes_label_as_one_does_and_in_order(labeller, documents):
    with LabellingPool(MODEL, workers=2) as pool:
        found = list(pool.label_all(loaders(documents), labeller))
    with StaticRenderer() as renderer:
        rendered = list(render_all(loaders(documents), renderer))
    assert [one.source for one, _ in found] == [str(i) for i in range(N_PAGES)]
    for (one, labelling), alone in zip(found, rendered, strict=True):
        expected = labeller.label(alone.page)
        assert one.document is alone.document
        assert labelling.page is one.page
        assert labelling.page.url == alone.page.url
        assert np.array_equal(labelling.page.spans, alone.page.spans)
        assert labelling.labels == expected.labels
        assert np.allclose(labelling.confidence, expected.confidence)
        assert labelling.explain(0).label == labelling.labels[0]


def test_a_page_that_fails_costs_no_other(labeller, documents):
    def missing():
        raise SourceError("gone.html: no such file")

    settings = Settings(limits=Limits(regions=200))
    long = Document("<p>a" * 300, name="long.html")
    sources = [*loaders(documents[:1]), ("gone.html", missing), *loaders([long, documents[1]])]
    with LabellingPool(MODEL, settings=settings, workers=2) as pool:
        found = list(pool.label_all(sources, labeller))
    assert [labelling is not None for _, labelling in found] == [True, False, False, True]
    assert found[1][0].error == "gone.html: no such file"
    assert "more than 200 regions" in found[2][0].error


def test_a_rendered_page_is_labelled_without_being_rendered(labeller, documents):
    page = StaticRenderer().render(documents[0])
    with LabellingPool(MODEL, workers=1) as pool:
        ((one, labelling),) = pool.label_all([("snapshot", lambda: page)], labeller)
    assert one.document.html == ""
    assert labelling.labels == labeller.label(page).labels


def test_sources_are_read_only_a_few_ahead(labeller, documents):
    read = []

    def load(document):
        read.append(document.name)
        return document

    many = [(one.name, partial(load, one)) for one in documents * 4]
    with LabellingPool(MODEL, workers=1) as pool:
        next(pool.label_all(many, labeller))
    assert len(read) < N_PAGES


def test_it_must_be_started_and_have_a_worker(labeller, documents):
    pool = LabellingPool(MODEL)
    with pytest.raises(RenderError, match="not started"):
        next(pool.label_all(loaders(documents), labeller))
    with pytest.raises(RenderError, match="expected 1 or more"):
        LabellingPool(MODEL, workers=0)
