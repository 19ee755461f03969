"""Pages in one process or several: the same readings, in order, each page's errors its own."""

import os
from functools import partial

import pytest

from structce.article import PageReader, ReadingPool
from structce.errors import PageError, RenderError, SourceError, TimeLimitError
from structce.labelling import ModelChoice, RegionLabeller
from structce.rendering import Document, Limits, Settings, StaticRenderer
from structce.synthetic.generate import sample_pages

N_PAGES = 5


@pytest.fixture(scope="module")
def models():
    return ModelChoice("news-static", RegionLabeller.load("news-static"))


@pytest.fixture(scope="module")
def documents():
    pages = sample_pages(N_PAGES, 1, seed=1)
    return [Document(page.html, f"https://a.example/{i}", str(i)) for i, page in enumerate(pages)]


def loaders(documents):
    return [(document.name, lambda document=document: document) for document in documents]


def summary(source, reading):
    """Return what tests compare of a page: its labels, and the fields of its article."""
    labelling, article = reading.initial, reading.article
    fields = (article.title, *article.authors, article.date)
    return {
        "source": source,
        "url": labelling.page.url,
        "labels": labelling.labels,
        "spans": None if labelling.page.spans is None else labelling.page.spans.tolist(),
        "confidence": labelling.confidence.round(6).tolist(),
        "fields": [(field.value, field.span) for field in fields if field],
        "text": article.text,
        "reason": labelling.explain(0).label,
    }


def process(source, reading):
    return os.getpid()


@pytest.mark.parametrize("may_fork", [False, True])
def test_two_processes_read_pages_as_one_does(models, documents, may_fork):
    reader = PageReader(StaticRenderer(), models)
    outcomes = list(reader.pipe(loaders(documents), summary, workers=2, may_fork=may_fork))
    alone = [summary(document.name, reader(document)) for document in documents]
    assert [outcome.source for outcome in outcomes] == [str(i) for i in range(N_PAGES)]
    assert [outcome.value for outcome in outcomes] == alone
    assert not any(outcome.error for outcome in outcomes)


@pytest.mark.parametrize(("is_isolated", "is_here"), [(False, True), (True, False)])
def test_a_single_worker_is_this_process_or_another(models, documents, is_isolated, is_here):
    reader = PageReader(StaticRenderer(), models, spans=False)
    with ReadingPool(reader, process, may_fork=True, is_isolated=is_isolated) as pool:
        processes = {outcome.value for outcome in pool.outcomes(loaders(documents[:2]))}
    assert (processes == {os.getpid()}) is is_here


def test_a_page_that_fails_costs_no_other(models, documents):
    def missing():
        raise SourceError("gone.html: no such file")

    settings = Settings(limits=Limits(regions=200))
    long = Document("<p>a" * 300, name="long.html")
    sources = [*loaders(documents[:1]), ("gone.html", missing), *loaders([long, documents[1]])]
    reader = PageReader(StaticRenderer(settings=settings), models)
    outcomes = list(reader.articles(sources))
    assert [outcome.value is not None for outcome in outcomes] == [True, False, False, True]
    assert outcomes[1].error == "gone.html: no such file"
    assert "more than 200 regions" in outcomes[2].error


def test_a_rendered_page_is_read_without_being_rendered(models, documents):
    page = StaticRenderer().render(documents[0])
    reader = PageReader(StaticRenderer(), models)
    ((source, article, error),) = reader.articles([("snapshot", lambda: page)])
    assert (source, error) == ("snapshot", "")
    assert article == reader(page).article


def test_sources_are_read_only_a_few_ahead(models, documents):
    read = []

    def load(document):
        read.append(document.name)
        return document

    many = [(document.name, partial(load, document)) for document in documents * 4]
    next(PageReader(StaticRenderer(), models).articles(many))
    assert len(read) < N_PAGES


def test_a_pool_needs_a_worker(models):
    with pytest.raises(RenderError, match="expected 1 or more"):
        next(PageReader(StaticRenderer(), models).articles([], workers=0))


def test_work_on_a_page_is_limited_and_its_faults_name_the_page(models, documents):
    def never_end(page):
        while True:
            len(page)

    reader = PageReader(StaticRenderer(settings=Settings(limits=Limits(page_seconds=0.2))), models)
    with pytest.raises(TimeLimitError, match=r"odd\.html: took longer"):
        reader.run(documents[0], never_end, "odd.html")
    with pytest.raises(PageError, match=r"^0: ZeroDivisionError"):
        reader.run(documents[0], lambda page: 1 / 0)
